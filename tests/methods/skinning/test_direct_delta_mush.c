/* Compares Direct Delta Mush with positions that another program computed, and tests invariants of the
 * method. */
#include "tests/skinned.h"

#include "datasets/geometry/topology.h"
#include "methods/skinning/direct-delta-mush/omega.h"

#include <archive.h>
#include <archive_entry.h>

/* Reads the doubles of an .npz file that contains a single array. The array begins after a header of 128
 * bytes. */
static double *npz_doubles(const char *path, size_t count)
{
    double *values = memory_array(count, sizeof *values);
    struct archive *archive = archive_read_new();
    struct archive_entry *entry = NULL;
    char header[128];
    archive_read_support_format_zip(archive);
    assert_int_equal(archive_read_open_filename(archive, path, 65536), ARCHIVE_OK);
    assert_int_equal(archive_read_next_header(archive, &entry), ARCHIVE_OK);
    assert_int_equal(archive_read_data(archive, header, sizeof header), sizeof header);
    assert_int_equal(archive_read_data(archive, values, count * sizeof *values), count * sizeof *values);
    archive_read_free(archive);
    return values;
}

/* The reference positions are computed by variant 0 of Le and Lewis 2019 with the default settings: lambda
 * 3, kappa 1, alpha 0.8 and 16 iterations. */
TEST(data_equals_another_program)
{
    static const char *const laplacians[] = {"uniform", "cotangent"};
    const char *path = test_data("cylinder.h5");
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    if (!path)
        return;
    assert_ok(dataset_read(path, NULL, &dataset));
    for (int i = 0; i < 2; i++) {
        path = test_data(text_of("ddm/cylinder-%s.npz", laplacians[i]));
        if (!path)
            continue;
        SkinnerOptions options = options_of(skinning_entry_find("direct-delta-mush"), &backend_reference);
        options.parameters.values[0] = i;
        options.normals = false;
        CLEANUP(result_clear) Result result = skin(&options, dataset);
        OWNED double *truth = npz_doubles(path, (size_t)result.count);
        assert_at_most(greatest_difference(result.positions, truth, result.count), 1e-9);
    }
}

static Result skin_method(const char *name, const Dataset *dataset, const Backend *backend,
                          const char *const *settings)
{
    SkinnerOptions options = options_of(skinning_entry_find(name), backend);
    const SkinningMethod *method = options.entry->method;
    options.normals = false;
    for (int i = 0; settings[i]; i++)
        assert_ok(parameters_set(method->parameters, method->name, settings[i], &options.parameters));
    return skin(&options, dataset);
}

static Result skin_variant(const Dataset *dataset, const Backend *backend, const char *const *settings)
{
    return skin_method("direct-delta-mush", dataset, backend, settings);
}

/* Without smoothing, the smoothed position p is the vertex itself. The paper's variant 5 and all other
 * variants then equal linear blend skinning. */
TEST(no_smoothing_is_linear_blending)
{
    static const char *const variants[] = {"variant=v0", "variant=v2", "variant=v3", "variant=v4",
                                           "variant=v5"};
    OWNED_RIG(dataset, .vertices = 80, .joints = 6, .influences = 4, .frames = 3, .angle = 0.5, .seed = 61);
    SkinnerOptions lbs = options_of(skinning_entry_find("lbs"), &backend_reference);
    CLEANUP(result_clear) Result expected = skin(&lbs, dataset);
    for (int i = 0; i < 5; i++) {
        const char *const settings[] = {variants[i], "iterations=0", NULL};
        CLEANUP(result_clear) Result result = skin_variant(dataset, &backend_reference, settings);
        /* float weights sum to 1 up to rounding, and the method's weights do so more accurately */
        assert_true(greatest_difference(result.positions, expected.positions, expected.count) < 1e-6);
    }
}

/* Two joints rotate a flat mesh in its plane by the angles 0 and a, and all weights are 1/2. The rotation R
 * nearest to the blend is the rotation by a / 2, in the quaternion variants, too. The blend moves p to
 * cos(a / 2) R p, so that
 *   R^-1 v' = v - (1 - cos(a / 2)) p.
 * Smoothing preserves the sum of the vertices weighted by their degrees. */
TEST(half_a_turn_in_the_plane)
{
    static const char *const variants[] = {"variant=v0", "variant=v2", "variant=v4"};
    enum { VERTICES = 60 };
    const double angle = 1.2, shrunk = cos(0.5 * angle);
    const Quat back = quat_about(AXES[2], -0.5 * angle);
    OWNED_RIG(dataset, .vertices = VERTICES, .joints = 2, .influences = 2, .frames = 1, .seed = 62);
    dataset->rig.transforms[0] = transform_identity();
    dataset->rig.transforms[1] = transform_about(quat_about(AXES[2], angle), ORIGIN, ORIGIN);
    for (int v = 0; v < VERTICES; v++) {
        dataset->mesh.rest[3 * v + 2] = 0.0f;
        for (int k = 0; k < 2; k++) {
            dataset->rig.weight_joints[2 * v + k] = k;
            dataset->rig.weight_values[2 * v + k] = 0.5f;
        }
    }
    double degrees[VERTICES] = {0.0};
    OWNED MeshEdge *edges = NULL;
    int edge_count = 0;
    assert_ok(mesh_edges_make(dataset->mesh.triangles, dataset->mesh.triangle_count, VERTICES, &edges,
                              &edge_count));
    for (int i = 0; i < edge_count; i++) {
        degrees[edges[i].low] += 1.0;
        degrees[edges[i].high] += 1.0;
    }
    for (int i = 0; i < 3; i++) {
        const char *const settings[] = {variants[i], NULL};
        CLEANUP(result_clear) Result result = skin_variant(dataset, &backend_reference, settings);
        Vec3 sum = ORIGIN, expected = ORIGIN;
        for (int v = 0; v < VERTICES; v++) {
            sum = vec3_add_scaled(sum, quat_rotate(back, vec3_at(result.positions, v)), degrees[v]);
            expected = vec3_add_scaled(expected, point_at(dataset->mesh.rest, v), shrunk * degrees[v]);
        }
        assert_vec3(sum, expected, 1e-9);
    }
}

/* Le and Lewis 2019, section 3: Delta Mush on the skinned mesh equals Direct Delta Mush from the rest pose
 * under two conditions. Alpha must be 0, and Delta Mush must turn the detail by the rotation that best fits
 * how the neighbours move. */
TEST(is_delta_mush_done_ahead)
{
    static const char *const laplacians[] = {"laplacian=uniform", "laplacian=cotangent"};
    OWNED_RIG(dataset, .vertices = 120, .joints = 6, .influences = 4, .frames = 3, .angle = 0.4, .seed = 65);
    for (int i = 0; i < 4 * 120; i++)
        dataset->rig.weight_values[i] = 0.25f; /* the sum is 1 exactly */
    const char *path = test_data("cylinder.h5");
    OWNED_BY(dataset_free) Dataset *cylinder = NULL;
    if (path)
        assert_ok(dataset_read(path, NULL, &cylinder));
    for (int i = 0; i < (path ? 2 : 1); i++) {
        const Dataset *used = i == 0 ? dataset : cylinder;
        const char *const direct[] = {laplacians[i], "alpha=0", "threshold=0", "iterations=2", NULL};
        const char *const whole[] = {laplacians[i], "frames=neighbours", "iterations=2", "steps=implicit",
                                     NULL};
        CLEANUP(result_clear)
        Result one = skin_method("direct-delta-mush", used, &backend_reference, direct);
        CLEANUP(result_clear) Result other = skin_method("delta-mush", used, &backend_reference, whole);
        assert_at_most(greatest_difference(one.positions, other.positions, one.count),
                       i == 0 ? 1e-9 : 1e-7); /* the weights of the cylinder are rounded */
    }
}

/* Values saved with the rig equal those that the method would compute, and survive writing to a file and
 * reading back. Changing the weights discards the saved values. */
TEST(saved_with_the_rig)
{
    OWNED_RIG(dataset, .vertices = 90, .joints = 7, .influences = 3, .frames = 2, .angle = 0.8, .seed = 63);
    OWNED_BY(dataset_free) Dataset *read = NULL;
    const SkinningMethod *method = skinning_entry_find("direct-delta-mush")->method;
    const ParameterValues values = parameters_default(method->parameters);
    const char *const none[] = {NULL}, *const path = path_of("saved.h5");
    double counts[SKINNING_COUNTERS_MAX];
    CLEANUP(result_clear) Result before = skin_variant(dataset, &backend_reference, none);
    const SkinningPrecomputation work = {.mesh = &dataset->mesh, .parameters = values.values, .threads = 2};
    assert_ok(method->precompute(&work, &dataset->rig, counts));
    assert_true(counts[0] > 90.0);
    assert_ok(dataset_write(dataset, path));
    assert_ok(dataset_read(path, NULL, &read));
    assert_int_equal(read->rig.smoothed.first[90], (int64_t)counts[0]);
    read->rig.smoothed.values[OMEGA_WEIGHT] *= 2.0; /* reveals whether saved values are used */
    CLEANUP(result_clear) Result after = skin_variant(dataset, &backend_reference, none);
    CLEANUP(result_clear) Result changed = skin_variant(read, &backend_reference, none);
    assert_true(greatest_difference(after.positions, before.positions, before.count) == 0.0);
    assert_true(greatest_difference(changed.positions, before.positions, before.count) > 0.0);
    const char *const others[] = {"lambda=2", NULL};
    CLEANUP(result_clear) Result fresh = skin_variant(dataset, &backend_reference, others);
    CLEANUP(result_clear) Result computed = skin_variant(read, &backend_reference, others);
    assert_true(greatest_difference(fresh.positions, computed.positions, fresh.count) == 0.0);
    rig_weights_replace(&read->rig, 0, NULL, NULL);
    assert_null(read->rig.smoothed.first);
}

/* What is prepared once for several skinners changes no bit, and the cache says how much time it saved. */
TEST(prepared_once_for_several_skinners)
{
    OWNED_RIG(dataset, .vertices = 90, .joints = 7, .influences = 3, .frames = 2, .angle = 0.8, .seed = 63);
    CLEANUP(skinner_cache_clear) SkinnerCache cache = {.threads = 0};
    const Backend *const backends[] = {&backend_reference, &backend_scalar};
    for (int i = 0; i < 4; i++) {
        SkinnerOptions options =
            options_of(skinning_entry_find(i < 2 ? "direct-delta-mush" : "cor"), backends[i % 2]);
        CLEANUP(result_clear) Result alone = skin(&options, dataset);
        options.cache = &cache;
        CLEANUP(result_clear) Result kept = skin(&options, dataset);
        assert_true(i % 2 == 0 ? cache.saved_s == 0.0 : cache.saved_s > 0.0);
        assert_true(greatest_difference(kept.positions, alone.positions, alone.count) == 0.0);
    }
    SkinnerOptions options = options_of(skinning_entry_find("cor"), &backend_reference);
    options.threads = 3;
    options.cache = &cache;
    CLEANUP(result_clear) Result other = skin(&options, dataset);
    assert_true(cache.saved_s == 0.0); /* the time was that of another number of threads */
}

/* With a limit on the number of influences, the heaviest influences are used, and a rigid motion stays
 * rigid. */
TEST(the_heaviest_influences)
{
    OWNED_RIG(dataset, .vertices = 70, .joints = 9, .influences = 4, .frames = 1, .seed = 64);
    const Transform motion = transform_about(quat_about(vec3_make(1.0, 2.0, 2.0), 0.9),
                                             vec3_make(0.0, 1.0, 0.0), vec3_make(2.0, 0.0, 1.0));
    for (int joint = 0; joint < 9; joint++)
        dataset->rig.transforms[joint] = motion;
    for (int max = 1; max <= 4; max++) {
        const char *influences = text_of("influences=%d", max);
        const char *const settings[] = {influences, NULL};
        CLEANUP(result_clear) Result result = skin_variant(dataset, &backend_reference, settings);
        for (int v = 0; v < 70; v++)
            assert_vec3(vec3_at(result.positions, v),
                        transform_point(motion, point_at(dataset->mesh.rest, v)), 1e-9);
    }
}
