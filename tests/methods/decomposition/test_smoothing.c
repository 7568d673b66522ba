/* Tests smooth weights in coordinate descent: the closed form of the mean of the neighbours, and the effect
 * of smoothing on a fit. */
#include "methods/decomposition/coordinate-descent/smoothing.h"

#include "methods/decomposition/coordinate-descent/alternation.h"
#include "tests/seams.h"
#include "tests/trials.h"

enum { WIDTH = 24, HEIGHT = 12, VERTICES = WIDTH * HEIGHT, BONES = 6 };

/* Returns the sum of ||w_i - w_j||^2 over the edges of the triangles, with w_i the weights of vertex i. */
static double dirichlet_energy(const Mesh *mesh, const Rig *rig)
{
    double sum = 0.0;
    for (int i = 0; i < 3 * mesh->triangle_count; i++) {
        double difference[BONES] = {0.0};
        for (int side = 0; side < 2; side++) {
            int32_t j = mesh->triangles[side ? i / 3 * 3 + (i + 1) % 3 : i];
            for (int k = 0; k < rig->influence_count; k++)
                difference[rig->weight_joints[j * rig->influence_count + k]] +=
                    (side ? -1.0 : 1.0) * (double)rig->weight_values[j * rig->influence_count + k];
        }
        for (int bone = 0; bone < BONES; bone++)
            sum += difference[bone] * difference[bone];
    }
    return sum;
}

/* Returns a skinned sheet with a small independent jitter of each vertex. */
static Sequence shaken_sheet(void)
{
    Sequence sequence = sequence_sheet(WIDTH, HEIGHT, 10, 0);
    Random random = {3};
    sequence_skin(&sequence, BONES, 0.2, 12);
    for (int i = 0; i < 3 * 10 * VERTICES; i++)
        sequence.animation.positions[i] += 0.05f * (float)random_signed(&random);
    return sequence;
}

/* A larger strength gives smoother weights at the cost of some error. Weights stay convex, and a negligible
 * strength has a negligible effect. */
TEST(smoothness_is_paid_for)
{
    static const char *const transforms[] = {"transforms=affine", "transforms=rigid"};
    static const char *const strengths[] = {"smooth=0", "smooth=20", "smooth=60", "smooth=200"};
    CLEANUP(sequence_clear) Sequence sequence = shaken_sheet();
    for (int kind = 0; kind < 2; kind++) {
        double energies[4], errors[4];
        for (int i = 0; i < 4; i++) {
            FITTED(result, &sequence, "coordinate-descent", BONES, 4, 15, 1, transforms[kind], strengths[i]);
            check_rig(&sequence, &result);
            energies[i] = dirichlet_energy(&sequence.mesh, &result.rig);
            errors[i] = error_in_the_end(&result);
        }
        /* Each strength of smoothing leads to its own minimum, and the energy there may be off by a per
         * cent. */
        for (int i = 1; i < 4; i++)
            assert_at_most(energies[i], 1.02 * energies[i - 1]);
        assert_true(energies[2] < 0.95 * energies[0] && energies[3] < 0.5 * energies[0]);
        assert_true(errors[3] > errors[0]);
        assert_true(errors[1] < 2.0 * errors[0]);
    }
}

/* A sheet is split along seams. The twins of a fit, with or without smooth weights, have the same weights
 * and the same rest position. */
TEST(twins_are_fitted_alike)
{
    static const char *const fits[][2] = {{"coordinate-descent", "smooth=2"},
                                          {"coordinate-descent", "smooth=30"},
                                          {"compressed-skinning", "steps=40"}};
    CLEANUP(sequence_clear) Sequence whole = shaken_sheet();
    const int triangles = whole.mesh.triangle_count, frames = whole.animation.frame_count;
    OWNED int32_t *from = memory_array((size_t)(6 * triangles), sizeof *from);
    int32_t *corners = from + 3 * triangles;
    for (int kind = 0; kind < SEAM_KINDS; kind++) {
        const int count = seams_split(&whole.mesh, kind, corners, from);
        CLEANUP(sequence_clear) Sequence split = {.mesh.vertex_count = 0};
        assert_ok(mesh_allocate(&split.mesh, count, triangles));
        assert_ok(animation_allocate(&split.animation, frames, count, 0));
        memcpy(split.mesh.triangles, corners, 3 * (size_t)triangles * sizeof *corners);
        for (int v = 0; v < count; v++) {
            point_set(split.mesh.rest, v, point_at(whole.mesh.rest, from[v]));
            for (int f = 0; f < frames; f++)
                point_set(split.animation.positions, f * count + v,
                          point_at(whole.animation.positions, f * VERTICES + from[v]));
        }
        for (size_t i = 0; i < sizeof fits / sizeof *fits; i++) {
            FITTED(result, &split, fits[i][0], BONES, 4, 6, 1, fits[i][1]);
            for (int v = 0; v < count; v++) {
                int twin = 0;
                double weights[BONES] = {0.0};
                while (from[twin] != from[v])
                    twin++;
                for (int k = 0; k < result.rig.influence_count; k++) {
                    const int a = v * result.rig.influence_count + k,
                              b = twin * result.rig.influence_count + k;
                    weights[result.rig.weight_joints[a]] += (double)result.rig.weight_values[a];
                    weights[result.rig.weight_joints[b]] -= (double)result.rig.weight_values[b];
                }
                for (int bone = 0; bone < BONES; bone++)
                    assert_near(weights[bone], 0.0, 1e-6);
                assert_vec3(point_at(result.rest, v), point_at(result.rest, twin), 1e-5);
            }
        }
    }
}

/* Three vertices form a triangle, and a fourth is isolated. For a vertex of the triangle, the mean is that
 * of the weights of the other two vertices. For the isolated vertex, the mean is its own weights. The
 * penalty is the squared distance from the mean. */
TEST(mean_of_a_triangle)
{
    int32_t triangles[3] = {0, 1, 2};
    Mesh mesh = {.vertex_count = 4, .triangle_count = 1, .triangles = triangles};
    CLEANUP(reduced_model_clear) ReducedModel descent = {0};
    CLEANUP(smoothing_clear) Smoothing smoothing = {0};
    double coordinates[4] = {0.0}, mean[3];
    static const int32_t bones[8] = {0, 1, 1, 0, 2, 0, 2, 1};
    static const double weights[8] = {0.5, 0.5, 1.0, 0.0, 1.0, 0.0, 0.75, 0.25};
    assert_ok(reduced_model_allocate(&descent, NULL, 4, 3, 2, 1, 1, coordinates));
    assert_ok(smoothing_make(&smoothing, &mesh, 2, 2.0));
    descent.smoothing = &smoothing;
    memcpy(descent.bones, bones, sizeof bones);
    memcpy(descent.weights, weights, sizeof weights);
    smoothing_keep(&descent);
    smoothing_mean(&descent, 0, mean);
    assert_true(mean[0] == 0.0 && mean[1] == 0.5 && mean[2] == 0.5);
    assert_true(fabs(smoothing_penalty(&descent, 0, mean) - 2.0 * (0.25 + 0.0 + 0.25)) < 1e-15);
    smoothing_mean(&descent, 2, mean);
    assert_true(mean[0] == 0.25 && mean[1] == 0.75 && mean[2] == 0.0);
    assert_true(fabs(smoothing_penalty(&descent, 2, mean) - 2.0 * (0.0625 + 0.5625 + 1.0)) < 1e-15);
    smoothing_mean(&descent, 3, mean);
    assert_true(mean[0] == 0.0 && mean[1] == 0.25 && mean[2] == 0.75);
    assert_true(fabs(smoothing_penalty(&descent, 3, mean)) < 1e-15);
}

/* When bones are moved on trial, the trial is judged by its error plus the roughness of its weights. */
TEST(trials_count_what_weights_pay)
{
    static const double after[][2] = {{0.5, 1.4}, {1.2, 0.7}, {0.5, 1.6}, {2.0, 0.0}};
    static const bool better[] = {true, true, false, false};
    double coordinates[4] = {0.0};
    CLEANUP(reduced_model_clear) ReducedModel descent = {0};
    CLEANUP(alternation_clear) Alternation alternation = {0};
    CLEANUP(snapshot_clear) Snapshot kept = {0};
    assert_ok(reduced_model_allocate(&descent, NULL, 4, 2, 2, 1, 1, coordinates));
    assert_ok(alternation_make(&alternation, &descent, 1.0, 0));
    assert_ok(snapshot_init(&kept, &descent));
    for (int i = 0; i < 4; i++) {
        alternation.squared_error = alternation.paid = 1.0;
        alternation_keep(&alternation, &kept);
        alternation.squared_error = after[i][0];
        alternation.paid = after[i][1];
        assert_int_equal(alternation_is_better(&alternation, &kept), better[i]);
        alternation_return(&alternation, &kept);
        assert_true(alternation.squared_error == 1.0 && alternation.paid == 1.0);
    }
}
