/* Diagnoses why a fit is poor, on animations that lack one property by construction. */
#include "harness/run/fit/fit_diagnosis.h"

#include "datasets/geometry/angles.h"
#include "datasets/geometry/points.h"
#include "methods/registry.h"
#include "tests/sequences.h"

static char notes[FIT_NOTES_BYTES], diagnosis[FIT_DIAGNOSIS_BYTES];

/* Fits as the command does with this setting, and stores the notes and the diagnosis. Returns the E_RMS. */
static double fit_diagnosed_with(const Sequence *sequence, const char *name, const char *setting, int bones,
                                 int influences)
{
    const DecompositionMethod *method = decomposition_method_find(name);
    assert_non_null(method);
    ParameterValues values = parameters_default(method->parameters);
    if (setting)
        assert_ok(parameters_set(method->parameters, name, setting, &values));
    CLEANUP(fit_sample_clear) FitSample sample;
    CLEANUP(fit_outcome_clear) FitOutcome outcome = {0};
    const FitTask task = {.name = "sheet",
                          .mesh = &sequence->mesh,
                          .animation = &sequence->animation,
                          .method = method,
                          .options = {.bones = bones,
                                      .influences = influences,
                                      .iterations = 15,
                                      .threads = 1,
                                      .seed = 1,
                                      .parameters = values.values,
                                      .methods = decomposition_registry}};
    assert_ok(fit_sample_make(&task, &sample));
    assert_ok(fit_sample_notes(&task, &sample, notes));
    assert_ok(fit_task_run(&task, &outcome));
    assert_ok(fit_diagnose(&task, &sample, &outcome, diagnosis));
    return metric_named("e_rms", &outcome.metrics);
}

static double fit_diagnosed(const Sequence *sequence, const char *name, int bones, int influences)
{
    return fit_diagnosed_with(sequence, name, NULL, bones, influences);
}

/* Returns an animation whose frame f is scaled by 1 + growth f. The rest pose alone is also scaled by `size`.
 */
static Sequence growing_sheet(double growth, double size)
{
    Sequence sequence = sequence_sheet(20, 16, 10, 0);
    const int count = 3 * sequence.mesh.vertex_count;
    for (int i = 0; i < 10 * count; i++)
        sequence.animation.positions[i] *= (float)(1.0 + growth * (i / count));
    for (int i = 0; i < count; i++)
        sequence.mesh.rest[i] *= (float)size;
    return sequence;
}

/* Rigid bones cannot follow a sheet that grows, that becomes longer, or that shears. */
TEST(growth_lacks_scale)
{
    static const double maps[3][3] = {{1.0, 1.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int kind = 0; kind < 3; kind++) {
        CLEANUP(sequence_clear) Sequence sequence = growing_sheet(0.0, 1.0);
        for (int i = 0; i < 10 * sequence.mesh.vertex_count; i++) {
            const double *map = maps[kind], by = 0.1 * (i / sequence.mesh.vertex_count);
            const Vec3 v = point_at(sequence.animation.positions, i);
            point_set(sequence.animation.positions, i,
                      vec3_make((1.0 + by * map[0]) * v.x + by * map[2] * v.y, (1.0 + by * map[1]) * v.y,
                                (1.0 + by * map[1]) * v.z));
        }
        assert_true(fit_diagnosed(&sequence, "ssdr", 1, 4) > 1.0);
        assert_holds(diagnosis, "rigid bones lack scale and shear");
        assert_holds(diagnosis, "one affine bone would have an E_RMS of");
        if (kind == 0)
            assert_holds(notes, "sheet: lengths are 1 to 1.9 times those of the rest pose");
    }
}

TEST(the_rest_pose_is_named_before_all)
{
    CLEANUP(sequence_clear) Sequence sequence = growing_sheet(0.01, 25.4);
    assert_true(fit_diagnosed(&sequence, "ssdr", 1, 4) > 1000.0);
    assert_holds(notes, "sheet: the rest pose is 2");
    assert_holds(diagnosis, "fit --set rest-pose=first");
    assert_holds(diagnosis, "a mesh that does not move would be closer");
}

/* Six bands of a sheet have different affine motions. One bone per band is exact, and three bones are far
 * from exact. */
TEST(few_bones_are_too_few)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_skinned(36, 16, 20, 6, 0.3, 5);
    assert_true(fit_diagnosed(&sequence, "coordinate-descent", 3, 4) > 1.0);
    assert_holds(diagnosis, "there are too few bones; a small test fit with 4 instead of 3 has ");
    assert_string_equal(notes, "");
    assert_true(fit_diagnosed(&sequence, "coordinate-descent", 8, 4) < 1.0);
    assert_string_equal(diagnosis, "");
}

/* The limit of one influence per vertex prevents the fit from blending two bands. */
TEST(influences_at_their_cap_are_named)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_skinned(36, 16, 20, 6, 0.3, 5);
    assert_true(fit_diagnosed(&sequence, "coordinate-descent", 6, 1) > 1.0);
    assert_holds(diagnosis, "vertices use all their 1 influences");
}

/* One of ten frames consists of random noise, and the diagnosis names this frame. */
TEST(a_frame_that_jumps_is_named)
{
    CLEANUP(sequence_clear) Sequence sequence = growing_sheet(0.0, 1.0);
    Random random = {3};
    const int count = 3 * sequence.mesh.vertex_count;
    for (int i = 0; i < count; i++) {
        sequence.animation.positions[4 * count + i] += (float)(3.0 * random_signed(&random));
        sequence.animation.positions[5 * count + i] += 0.5f;
    }
    assert_true(fit_diagnosed(&sequence, "ssdr", 2, 4) > 1.0);
    assert_holds(diagnosis, "1 of 10 frames have ");
    assert_holds(diagnosis, "above all frame 4; the clip jumps for one frame: fit it without frame 4");
}

/* Returns a still sheet with noise of these amplitudes [30] added to its frames. */
static Sequence noisy_sheet(const double *amplitudes)
{
    Sequence sequence = sequence_sheet(20, 16, 30, 0);
    const int count = 3 * sequence.mesh.vertex_count;
    Random random = {5};
    for (int i = 0; i < count; i++) {
        const double noise = random_signed(&random);
        for (int f = 0; f < 30; f++)
            sequence.animation.positions[f * count + i] += (float)(amplitudes[f] * noise);
    }
    return sequence;
}

/* The last two frames differ from all others. */
TEST(a_jump_without_a_way_back_is_named)
{
    CLEANUP(sequence_clear) Sequence sequence = noisy_sheet((double[30]){[28] = 3.0, [29] = 2.8});
    assert_true(fit_diagnosed(&sequence, "ssdr", 2, 4) > 1.0);
    assert_holds(diagnosis, "2 of 30 frames have ");
    assert_holds(diagnosis, "the clip jumps at frame 28: fit the frames before the jump and after it apart");
}

/* The same noise rises and falls in seven frames, with the largest step half as large. */
TEST(a_fast_motion_is_no_jump)
{
    double amplitudes[30] = {0.0};
    for (int f = 12; f < 19; f++)
        amplitudes[f] = 3.0 * pow(cos((f - 15) * PI / 8.0), 6.0);
    CLEANUP(sequence_clear) Sequence sequence = noisy_sheet(amplitudes);
    assert_true(fit_diagnosed(&sequence, "ssdr", 2, 4) > 1.0);
    assert_holds(diagnosis, "of 30 frames have ");
    assert_holds(diagnosis, "above all frame 15");
    assert_lacks(diagnosis, "jumps");
}

/* Returns eight sheets of 6 x 16 vertices side by side. Every `ways`-th sheet turns and travels alike. Noise
 * is added to all frames. */
static Sequence sheets_moving(int ways, double noise)
{
    Sequence sequence = sequence_sheet(48, 16, 24, 0);
    Mesh *mesh = &sequence.mesh;
    Random random = {7};
    int kept = 0;
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int32_t *corners = mesh->triangles + 3 * (ptrdiff_t)t;
        const int sheet = corners[0] % 48 / 6;
        if (corners[1] % 48 / 6 == sheet && corners[2] % 48 / 6 == sheet)
            memmove(mesh->triangles + 3 * (ptrdiff_t)kept++, corners, 3 * sizeof(int32_t));
    }
    mesh->triangle_count = kept;
    for (int i = 0; i < 24 * mesh->vertex_count; i++) {
        const int f = i / mesh->vertex_count, way = i % 48 / 6 % ways;
        const double turn = 0.3 * sin(0.3 * (way + 1) * f), path = 2.0 * sin(0.4 * f + way) - 2.0 * sin(way);
        const Vec3 from = point_at(sequence.animation.positions, i);
        const Vec3 to = vec3_make(cos(turn) * from.x - sin(turn) * from.y,
                                  sin(turn) * from.x + cos(turn) * from.y + path, from.z - path);
        const Vec3 shift = vec3_make(random_signed(&random), random_signed(&random), random_signed(&random));
        point_set(sequence.animation.positions, i, vec3_add_scaled(to, shift, noise));
    }
    return sequence;
}

/* Eight rigid sheets with eight motions need eight bones, whether these are rigid or affine. */
TEST(parts_that_move_differently_need_a_bone_each)
{
    static const char *const methods[] = {"ssdr", "coordinate-descent"};
    CLEANUP(sequence_clear) Sequence sequence = sheets_moving(8, 0.0);
    for (int i = 0; i < 2; i++) {
        assert_true(fit_diagnosed(&sequence, methods[i], 3, 4) > 1.0);
        assert_holds(
            diagnosis,
            "disconnected parts of the mesh have 8 different motions, more than there are bones (3)");
        assert_holds(diagnosis, "so try --bones 8");
    }
    fit_diagnosed(&sequence, "ssdr", 8, 4);
    assert_string_equal(diagnosis, "");
}

/* Eight sheets with two motions need two bones. The noise makes the fit poor, and no bones help. */
TEST(parts_that_move_together_need_no_bones)
{
    static const double noises[] = {0.08, 0.8};
    for (int i = 0; i < 2; i++) {
        CLEANUP(sequence_clear) Sequence sequence = sheets_moving(2, noises[i]);
        assert_true(fit_diagnosed(&sequence, "ssdr", 2, 4) > 1.0);
        assert_lacks(diagnosis, "parts");
        assert_true(fit_diagnosed(&sequence, "coordinate-descent", 2, 4) > 1.0);
        assert_lacks(diagnosis, "parts");
    }
    CLEANUP(sequence_clear) Sequence sequence = sheets_moving(2, 0.02);
    assert_true(fit_diagnosed(&sequence, "ssdr", 1, 4) > 1.0);
    assert_holds(diagnosis, "have 2 different motions, more than there are bones (1)");
}

/* The frames are affine motions of three bands of a sheet, but the rest pose is rolled around a cylinder. */
TEST(a_bent_rest_pose_is_named)
{
    for (int kind = 0; kind < 3; kind++) {
        const double radius = 4.0 + kind;
        CLEANUP(sequence_clear) Sequence sequence = sequence_skinned(36, 16, 20, 3, 0.1 * (1 + kind), 5);
        for (int v = 0; v < sequence.mesh.vertex_count; v++) {
            const Vec3 from = point_at(sequence.mesh.rest, v);
            const double angle = from.x / radius, above = radius - from.z;
            point_set(sequence.mesh.rest, v,
                      vec3_make(above * sin(angle), from.y, radius - above * cos(angle)));
        }
        assert_true(fit_diagnosed(&sequence, "sma", 3, 4) > 1.0);
        assert_holds(diagnosis, "the rest pose does not suit the frames");
        assert_holds(diagnosis, "so try --set rest-pose=first");
    }
}

/* Without triangles, the published hyperspectral has no neighbours of a vertex to compare. */
TEST(missing_triangles_are_named)
{
    for (int ways = 2; ways <= 4; ways++) {
        CLEANUP(sequence_clear) Sequence sequence = sheets_moving(ways, 0.0);
        assert_true(fit_diagnosed_with(&sequence, "hyperspectral", "preset=paper", ways, 4) < 1.0);
        sequence.mesh.triangle_count = 0;
        assert_true(fit_diagnosed_with(&sequence, "hyperspectral", "preset=paper", ways, 4) > 1.0);
        assert_holds(diagnosis, "the mesh has no triangles");
    }
}

TEST(no_memory_is_a_status)
{
    CLEANUP(sequence_clear) Sequence sequence = growing_sheet(0.1, 1.0);
    const FitTask task = {.name = "sheet", .mesh = &sequence.mesh, .animation = &sequence.animation};
    CLEANUP(fit_sample_clear) FitSample sample = {.vertices = NULL};
    assert_allocations_may_fail(7, fit_sample_make(&task, &sample), fit_sample_clear(&sample));
}
