/* Tests compressed skinning: the projections after a step, exact solutions for the entries, and shapes that
 * need few entries. */
#include "methods/decomposition/compressed-skinning/refinement.h"
#include "tests/trials.h"

/* Returns a sheet whose left half moves along x and whose right half moves along z, each by the frame
 * number. Two bones with two numbers per shape reproduce both halves exactly. */
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

/* The model must respect the limit on nonzero entries, and every matrix must be the identity plus an
 * antisymmetric matrix. */
TEST(few_linearised_transformations)
{
    CLEANUP(sequence_clear) Sequence sequence = halves(4);
    FITTED(result, &sequence, "compressed-skinning", 6, 2, 10, 1, "entries=72", "steps=300", "laplacian=0");
    int used = 0;
    for (int i = 0; i < 4 * result.rig.joint_count; i++) {
        const Transform *m = &result.rig.transforms[i];
        assert_true(fabs(m->m00 - 1.0) + fabs(m->m11 - 1.0) + fabs(m->m22 - 1.0) < 1e-12);
        assert_true(fabs(m->m01 + m->m10) + fabs(m->m02 + m->m20) + fabs(m->m12 + m->m21) < 1e-12);
        used += (m->m01 != 0.0) + (m->m02 != 0.0) + (m->m12 != 0.0);
        used += (m->m03 != 0.0) + (m->m13 != 0.0) + (m->m23 != 0.0);
    }
    assert_true(used <= 72);
    /* the displacements have a sum of squares of 144 (1 + 4 + 9 + 16) / 256 */
    assert_at_most(error_in_the_end(&result), 0.01 * 144 * 30 / 256.0);
}

/* Returns a problem with one vertex at the origin, one bone and no neighbours. `targets` [3 shapes] is
 * borrowed. */
static ProximalAdam one_vertex(int shapes, int entries, const float *targets)
{
    static const float rest[4] = {0, 0, 0, 1};
    static const int64_t first[64] = {0};
    static const int32_t neighbours[1] = {0};
    return (ProximalAdam){.vertex_count = 1,
                          .shape_count = shapes,
                          .bone_count = 1,
                          .dimension = 1,
                          .influence_count = 1,
                          .entry_count = entries,
                          .threads = 1,
                          .rest = rest,
                          .power = 2.0f,
                          .targets = targets,
                          .first = first,
                          .neighbours = neighbours};
}

/* One bone with weight 1 moves one vertex at (0, 0, 0) that has no neighbours. The translation entries must
 * equal the displacement, and the rotation entries have no effect. An entry of 0 stays 0. */
TEST(entries_are_exact)
{
    enum { SHAPES = 1 };
    const float targets[3] = {3.0f, 0.0f, 4.0f};
    CLEANUP(proximal_adam_clear) ProximalAdam adam = one_vertex(SHAPES, 6, targets);
    assert_ok(proximal_adam_init(&adam, 1));
    for (int i = 0; i < FREE; i++)
        adam.entries[i] = i == 3 || i == 4 ? 0.1f : 0.0f;
    adam.weights[0] = 1.0f;
    for (int step = 0; step < 3; step++) /* each step leaves a ten-thousandth of the error */
        assert_ok(entries_refine(&adam, false));
    const float expected[FREE] = {0,    0, 0,
                                  3.0f, 0, 0}; /* the z translation is not among the non-zero entries */
    for (int i = 0; i < FREE; i++)
        assert_near(adam.entries[i], expected[i], 1e-5);
}

/* Each vertex moves by a known mixture of the translations of three bones, and its weights must equal this
 * mixture. If only two influences are allowed, they must be the best pair: the last two of (0.2, 0.3,
 * 0.5). */
TEST(weights_are_exact)
{
    enum { VERTICES = 3, BONES = 3, SHAPES = 2 };
    static const float mixtures[VERTICES][BONES] = {{1, 0, 0}, {0.25f, 0.75f, 0}, {0.2f, 0.3f, 0.5f}};
    static const float moves[BONES][SHAPES] = {{4, 0}, {0, 4}, {-4, -4}}; /* along x */
    float rest[VERTICES][4], targets[SHAPES][VERTICES][3] = {{{0}}};
    for (int i = 0; i < VERTICES; i++) {
        memcpy(rest[i], (float[4]){(float)i, 2.0f, 1.0f, 1.0f}, sizeof rest[i]);
        for (int j = 0; j < BONES; j++)
            for (int k = 0; k < SHAPES; k++)
                targets[k][i][0] += mixtures[i][j] * moves[j][k];
    }
    for (int kept = 2; kept <= 3; kept++) {
        CLEANUP(proximal_adam_clear) ProximalAdam adam = one_vertex(SHAPES, 6, targets[0][0]);
        adam.vertex_count = VERTICES;
        adam.bone_count = BONES;
        adam.dimension = SHAPES;
        adam.influence_count = kept;
        adam.rest = rest[0];
        assert_ok(proximal_adam_init(&adam, 1));
        memset(adam.entries, 0, SHAPES * BONES * FREE * sizeof(float));
        memset(adam.weights, 0, VERTICES * BONES * sizeof(float));
        for (int j = 0; j < BONES; j++)
            for (int k = 0; k < SHAPES; k++)
                adam.entries[(k * BONES + j) * FREE + 3] = moves[j][k];
        assert_ok(weights_refine(&adam));
        for (int i = 0; i < VERTICES; i++)
            for (int j = 0; j < BONES; j++) {
                /* the nearest point to (-1.2, -0.8) is 0.54 of the way from (0, 4) to (-4, -4) */
                static const float pair[BONES] = {0.0f, 0.46f, 0.54f};
                assert_near(adam.weights[i * BONES + j], i == 2 && kept == 2 ? pair[j] : mixtures[i][j],
                            1e-4);
            }
    }
}

/* One vertex moves by (1, 2, 0) in the first shape and only slightly in the second. The entry that the
 * second shape uses must be exchanged for the y entry that the first shape lacks. */
TEST(entries_are_exchanged)
{
    enum { SHAPES = 2 };
    const float targets[3 * SHAPES] = {1, 2, 0, 0, 0, 0.5f};
    CLEANUP(proximal_adam_clear) ProximalAdam adam = one_vertex(SHAPES, 2, targets);
    assert_ok(proximal_adam_init(&adam, 1));
    memset(adam.entries, 0, SHAPES * FREE * sizeof(float));
    adam.weights[0] = 1.0f;
    adam.entries[3] = 0.5f;
    adam.entries[FREE + 5] = 1e-6f;
    assert_ok(entries_refine(&adam, true));
    assert_ok(entries_refine(&adam, false));
    const float expected[SHAPES * FREE] = {[3] = 1.0f, [4] = 2.0f};
    for (int i = 0; i < SHAPES * FREE; i++)
        assert_near(adam.entries[i], expected[i], 1e-5);
}

/* One bone moves three vertices with the targets 0, 0 and 6 along x. Depending on the power of the
 * distances, its translation must be the mean or the median of the targets. */
TEST(powers_are_of_distances)
{
    enum { VERTICES = 3, ROUNDS = 60 };
    float rest[VERTICES][4];
    const float targets[VERTICES][3] = {{0}, {0}, {6.0f}};
    for (int i = 0; i < VERTICES; i++)
        memcpy(rest[i], (float[4]){(float)i, 2.0f, 1.0f, 1.0f}, sizeof rest[i]);
    for (int power = 1; power <= 2; power++) {
        CLEANUP(proximal_adam_clear) ProximalAdam adam = one_vertex(1, 1, targets[0]);
        adam.vertex_count = VERTICES;
        adam.rest = rest[0];
        adam.power = (float)power;
        adam.least = 1e-4f;
        assert_ok(proximal_adam_init(&adam, 1));
        for (int i = 0; i < FREE; i++)
            adam.entries[i] = i == 3;
        for (int i = 0; i < VERTICES; i++)
            adam.weights[i] = 1.0f;
        for (int round = 0; round < ROUNDS; round++)
            assert_ok(entries_refine(&adam, false));
        assert_near(adam.entries[3], power == 2 ? 2.0 : 0.0, 1e-3);
    }
}

/* After a step, each vertex has at most K positive weights, and all transformations together have at most L
 * nonzero entries. */
TEST(steps_are_projected)
{
    enum { VERTICES = 40, BONES = 9 };
    float rest[VERTICES][4], basis[3] = {1, 0, 0}, coords[VERTICES];
    for (int i = 0; i < VERTICES; i++) {
        coords[i] = (float)(i % 7);
        memcpy(rest[i], (float[4]){(float)i, (float)(i % 5), 1.0f, 1.0f}, sizeof rest[i]);
    }
    CLEANUP(proximal_adam_clear) ProximalAdam adam = one_vertex(1, 11, NULL);
    adam.vertex_count = VERTICES;
    adam.bone_count = BONES;
    adam.influence_count = 3;
    adam.threads = 2;
    adam.rate = 1e-3f;
    adam.rest = rest[0];
    adam.basis = basis;
    adam.coords = coords;
    assert_ok(proximal_adam_init(&adam, 7));
    for (int step = 0; step < 30; step++) {
        int entries = 0;
        proximal_adam_step(&adam, false);
        for (int i = 0; i < BONES * FREE; i++)
            entries += adam.entries[i] != 0.0f;
        assert_in_range(entries, 10, 11); /* entries equal to the threshold are kept or removed together */
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
