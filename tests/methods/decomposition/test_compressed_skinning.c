/* Compressed skinning: projections after a step, the exact entries, and shapes that few entries make. */
#include "methods/decomposition/compressed-skinning/proximal_adam.h"
#include "tests/trials.h"

/* Two halves of a sheet, the left one shifted by a frame's number along x, the right one along z: two bones
 * and two numbers a shape make them exactly. */
static Sequence halves(int frames)
{
    Sequence sequence = sequence_sheet(12, 12, frames, 1);
    for (int frame = 0; frame < frames; frame++)
        for (int j = 0; j < 144; j++) {
            float *position = sequence.animation.positions + 3 * (frame * 144 + j);
            position[(double)sequence.mesh.rest[3 * j] < 5.5 ? 0 : 2] += 0.0625f * (float)(frame + 1);
        }
    return sequence;
}

/* The most entries that are not 0, and matrices that are 1 plus an antisymmetric one. */
TEST(few_linearised_transformations)
{
    CLEANUP(sequence_clear) Sequence sequence = halves(4);
    CLEANUP(decomposition_result_clear) DecompositionResult result = {0};
    assert_ok(trial_run(
        &(Trial){"compressed-skinning", 6, 2, 10, 1, {"entries=72", "steps=300", "laplacian=0"}, 0.0, NULL},
        &sequence, &result));
    int used = 0;
    for (int i = 0; i < 4 * result.rig.joint_count; i++) {
        const Transform *m = &result.rig.transforms[i];
        assert_true(fabs(m->m00 - 1.0) + fabs(m->m11 - 1.0) + fabs(m->m22 - 1.0) < 1e-12);
        assert_true(fabs(m->m01 + m->m10) + fabs(m->m02 + m->m20) + fabs(m->m12 + m->m21) < 1e-12);
        used += (m->m01 != 0.0) + (m->m02 != 0.0) + (m->m12 != 0.0);
    }
    assert_true(used <= 72);
    /* from displacements whose squares sum to 144 (1 + 4 + 9 + 16) / 256 */
    const double left = result.squared_error[result.iteration_count] / (144 * 30 / 256.0);
    if (left > 0.01)
        fail_msg("a share of %g is left", left);
}

/* One vertex of two neighbours' worth of nothing, one bone of weight 1 at (0, 0, 0): entries of translation
 * are the displacement, those of rotation do not matter; an entry that is 0 stays so. */
TEST(entries_are_exact)
{
    enum { SHAPES = 1, BONES = 1 };
    const float rest[4] = {0, 0, 0, 1}, basis[3] = {0.6f, 0.0f, 0.8f}, coords[1] = {5.0f};
    const int64_t first[2] = {0, 0};
    const int32_t neighbours[1] = {0};
    CLEANUP(proximal_adam_clear)
    ProximalAdam adam = {.vertex_count = 1,
                         .shape_count = SHAPES,
                         .bone_count = BONES,
                         .dimension = 1,
                         .influence_count = 1,
                         .entry_count = 6,
                         .threads = 1,
                         .rest = rest,
                         .basis = basis,
                         .coords = coords,
                         .first = first,
                         .neighbours = neighbours};
    assert_ok(proximal_adam_init(&adam, 1));
    for (int i = 0; i < FREE; i++)
        adam.entries[i] = i == 3 || i == 4 ? 0.1f : 0.0f;
    adam.weights[0] = 1.0f;
    assert_ok(proximal_adam_refine(&adam));
    const float expected[FREE] = {0, 0, 0, 3.0f, 0, 0}; /* of (3, 0, 4), whose z has no entry */
    for (int i = 0; i < FREE; i++)
        if (fabs((double)(adam.entries[i] - expected[i])) > 1e-5)
            fail_msg("entry %d is %g", i, (double)adam.entries[i]);
}

/* After a step a vertex has at most K positive weights and the transformations at most L entries. */
TEST(steps_are_projected)
{
    enum { VERTICES = 40, BONES = 9 };
    float rest[VERTICES][4], basis[3] = {1, 0, 0}, coords[VERTICES];
    int64_t first[VERTICES + 1] = {0};
    const int32_t neighbours[1] = {0};
    for (int i = 0; i < VERTICES; i++) {
        coords[i] = (float)(i % 7);
        memcpy(rest[i], (float[4]){(float)i, (float)(i % 5), 1.0f, 1.0f}, sizeof rest[i]);
    }
    CLEANUP(proximal_adam_clear)
    ProximalAdam adam = {.vertex_count = VERTICES,
                         .shape_count = 1,
                         .bone_count = BONES,
                         .dimension = 1,
                         .influence_count = 3,
                         .entry_count = 11,
                         .threads = 2,
                         .rate = 1e-3f,
                         .rest = rest[0],
                         .basis = basis,
                         .coords = coords,
                         .first = first,
                         .neighbours = neighbours};
    assert_ok(proximal_adam_init(&adam, 7));
    for (int step = 0; step < 30; step++) {
        int entries = 0;
        proximal_adam_step(&adam, false);
        for (int i = 0; i < BONES * FREE; i++)
            entries += adam.entries[i] != 0.0f;
        assert_in_range(entries, 10, 11); /* those that are equal at the cut go together */
        for (int i = 0; i < VERTICES; i++) {
            int used = 0;
            for (int j = 0; j < BONES; j++) {
                assert_true(adam.weights[i * BONES + j] >= 0.0f);
                used += adam.weights[i * BONES + j] > 0.0f;
            }
            assert_true(used <= 3);
        }
    }
}
