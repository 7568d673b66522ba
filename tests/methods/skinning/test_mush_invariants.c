/* Tests Delta Mush and Direct Delta Mush on meshes that are hard to smooth: invariance to rigid motions,
 * seams and units. */
#include "tests/imports.h"
#include "tests/seams.h"
#include "tests/skinned.h"

enum { SHAPE_COUNT = 6 };

/* Makes one of several shapes whose two joints move alike. The shapes are a tetrahedron, a tetrahedron with
 * duplicate vertices and a spike, a flat square, a triangle, a row of triangles without area, and a point
 * with an isolated vertex. */
static Dataset *shape_make(int shape, double unit)
{
    static const float places[8][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0},       {0, 0, 1},
                                       {0, 0, 1}, {5, 5, 5}, {0.3f, 0.3f, 0}, {2, 0, 0}};
    static const struct {
        int vertices, triangles;
        int32_t corners[8][3];
    } shapes[SHAPE_COUNT] = {
        {4, 4, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}},
        {6, 8, {{0, 2, 1}, {0, 1, 3}, {1, 2, 4}, {0, 3, 2}, {2, 3, 4}, {3, 4, 5}, {0, 0, 1}, {3, 3, 3}}},
        {3, 1, {{0, 1, 2}}},
        {7, 3, {{0, 1, 6}, {1, 2, 6}, {2, 0, 6}}},
        {8, 2, {{0, 1, 7}, {0, 0, 7}}},
        {5, 1, {{3, 4, 3}}},
    };
    Dataset *dataset = dataset_made("shape", 24.0, shapes[shape].vertices, shapes[shape].triangles, 2, 1, 2);
    memcpy(dataset->mesh.triangles, shapes[shape].corners, 3 * (size_t)shapes[shape].triangles * 4);
    for (int v = 0; v < shapes[shape].vertices; v++) {
        for (int axis = 0; axis < 3; axis++)
            dataset->mesh.rest[3 * v + axis] = (float)unit * places[v][axis];
        dataset->rig.weight_joints[2 * v + 1] = 1;
        dataset->rig.weight_values[2 * v] = 0.25f * (float)(v % 5);
        dataset->rig.weight_values[2 * v + 1] = 1.0f - 0.25f * (float)(v % 5);
    }
    const Vec3 center = vec3_make(0.0, 0.5 * unit, 0.0), shift = vec3_make(unit, -2.0 * unit, 0.0);
    for (int joint = 0; joint < 2; joint++) {
        dataset->rig.parents[joint] = joint - 1;
        dataset->rig.rest[joint] = transform_identity();
        dataset->rig.transforms[joint] =
            transform_about(quat_about(vec3_make(0.6, 0.0, 0.8), 2.2), center, shift);
    }
    return dataset;
}

static void assert_rigid(const char *name, const char *const *settings, const Backend *backend,
                         const Dataset *dataset, double tolerance)
{
    SkinnerOptions options = options_of(skinning_entry_find(name), backend);
    const SkinningMethod *method = options.entry->method;
    options.normals = false;
    for (int i = 0; settings[i]; i++)
        assert_ok(parameters_set(method->parameters, name, settings[i], &options.parameters));
    CLEANUP(result_clear) Result result = skin(&options, dataset);
    for (int v = 0; v < dataset->mesh.vertex_count; v++) {
        const Vec3 expected = transform_point(dataset->rig.transforms[0], point_at(dataset->mesh.rest, v));
        assert_vec3(vec3_at(result.positions, v), expected, tolerance * diagonal_of(&dataset->mesh));
    }
}

/* A rigid motion of the joints moves the skin rigidly, in units of length from 1e-8 to 1e8. In double, the
 * tolerance allows for small vertex frames, down to a millionth of the detail. In float, it is the
 * tolerance of the methods, plus the rounding of coordinates three times the size of the mesh. */
TEST(rigid_motions_stay_rigid)
{
    static const char *const settings[][5] = {
        {NULL},
        {"iterations=0", NULL},
        {"iterations=1", NULL},
        {"iterations=32", NULL},
        {"iterations=200", NULL},
        {"iterations=1000", "lambda=10000", NULL},
        {"lambda=0", NULL},
        {"laplacian=cotangent", NULL},
        {"laplacian=cotangent", "iterations=1000", NULL},
        {"steps=implicit", NULL},
        {"steps=implicit", "iterations=1000", "lambda=10000", NULL},
        {"steps=implicit", "laplacian=cotangent", NULL},
    };
    static const char *const neighbours[] = {"frames=neighbours", NULL};
    static const char *const of_direct[][4] = {{"alpha=1", NULL},
                                               {"alpha=1", "kappa=0", NULL},
                                               {"alpha=0", NULL},
                                               {"alpha=1", "iterations=0", NULL},
                                               {"alpha=1", "lambda=0", NULL},
                                               {"kappa=10000", "iterations=1000", NULL}};
    static const double units[] = {1.0, 1e-8, 1e8};
    const Backend *const tried[] = {&backend_reference, &backend_scalar, &backend_simd};
    for (int b = 0; b < 3; b++)
        for (int shape = 0; shape < SHAPE_COUNT; shape++)
            for (int u = 0; u < 3; u++) {
                const double tolerance = b == 0 ? 1e-7 : 5e-5;
                OWNED_BY(dataset_free) Dataset *dataset = shape_make(shape, units[u]);
                for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
                    assert_rigid("delta-mush", settings[i], tried[b], dataset, tolerance);
                    if (!settings[i][0] || strncmp(settings[i][0], "steps", 5) != 0)
                        assert_rigid("direct-delta-mush", settings[i], tried[b], dataset, tolerance);
                }
                assert_rigid("delta-mush", neighbours, tried[b], dataset, tolerance);
                for (size_t i = 0; i < sizeof of_direct / sizeof *of_direct; i++)
                    assert_rigid("direct-delta-mush", of_direct[i], tried[b], dataset, tolerance);
            }
}

/* A tetrahedron beside a larger mesh is smoothed to a point, so its tangent frames are lost. Its vertices
 * must then move as with frames=neighbours, although the others do not. */
TEST(lost_frames_turn_with_neighbours)
{
    enum { BESIDE = 60 };
    OWNED_BY(dataset_free) Dataset *lost = shape_make(0, 1.0);
    OWNED_RIG(beside, .vertices = BESIDE, .joints = 2, .influences = 2, .frames = 1, .angle = 0.6,
              .seed = 66);
    const int corners = 3 * beside->mesh.triangle_count;
    OWNED_BY(dataset_free)
    Dataset *both = dataset_made("both", 24.0, BESIDE + 4, corners / 3 + 4, 2, 1, 2);
    memcpy(both->mesh.triangles, beside->mesh.triangles, (size_t)corners * sizeof(int32_t));
    for (int i = 0; i < 12; i++)
        both->mesh.triangles[corners + i] = lost->mesh.triangles[i] + BESIDE;
    memcpy(both->rig.transforms, beside->rig.transforms, 2 * sizeof(Transform));
    memcpy(both->rig.rest, beside->rig.rest, 2 * sizeof(Transform));
    memcpy(both->rig.parents, beside->rig.parents, 2 * sizeof(int32_t));
    for (int v = 0; v < BESIDE + 4; v++) {
        const Dataset *from = v < BESIDE ? beside : lost;
        const int w = v % BESIDE;
        memcpy(both->mesh.rest + 3 * v, from->mesh.rest + 3 * w, 3 * sizeof(float));
        memcpy(both->rig.weight_joints + 2 * v, from->rig.weight_joints + 2 * w, 2 * sizeof(int32_t));
        memcpy(both->rig.weight_values + 2 * v, from->rig.weight_values + 2 * w, 2 * sizeof(float));
    }
    SkinnerOptions options = options_of(skinning_entry_find("delta-mush"), &backend_reference);
    assert_ok(parameters_set(options.entry->method->parameters, "delta-mush", "steps=implicit",
                             &options.parameters));
    CLEANUP(result_clear) Result tangent = skin(&options, both);
    assert_ok(parameters_set(options.entry->method->parameters, "delta-mush", "frames=neighbours",
                             &options.parameters));
    CLEANUP(result_clear) Result neighbours = skin(&options, both);
    assert_at_most(greatest_difference(tangent.positions + 3 * BESIDE, neighbours.positions + 3 * BESIDE, 12),
                   1e-12);
    assert_true(greatest_difference(tangent.positions, neighbours.positions, 3 * BESIDE) > 1e-4);
}

/* As alpha approaches 1, the positions approach the positions with alpha = 1. */
TEST(alpha_one_is_a_limit)
{
    OWNED_RIG(dataset, .vertices = 60, .joints = 4, .influences = 3, .frames = 2, .angle = 0.6, .seed = 66);
    SkinnerOptions options = options_of(skinning_entry_find("direct-delta-mush"), &backend_reference);
    const int alpha = parameter_index(options.entry->method, "alpha");
    options.parameters.values[alpha] = 1.0;
    CLEANUP(result_clear) Result limit = skin(&options, dataset);
    options.parameters.values[alpha] = 1.0 - 1e-5;
    CLEANUP(result_clear) Result near_it = skin(&options, dataset);
    assert_at_most(greatest_difference(limit.positions, near_it.positions, limit.count),
                   1e-4 * diagonal_of(&dataset->mesh));
}

/* Meshes are split along seams. The positions must equal those of the mesh whose triangles share vertices. */
TEST(split_as_welded)
{
    static const char *const methods[] = {"delta-mush", "direct-delta-mush"};
    OWNED_RIG(whole, .vertices = 40, .joints = 3, .influences = 2, .frames = 2, .angle = 0.7, .seed = 67);
    const int triangles = whole->mesh.triangle_count, slots = whole->rig.influence_count;
    OWNED int32_t *from = memory_array(6 * (size_t)triangles, sizeof *from);
    int32_t *corners = from + 3 * triangles;
    for (int kind = 0; kind < SEAM_KINDS; kind++) {
        const int count = seams_split(&whole->mesh, kind, corners, from);
        OWNED_BY(dataset_free)
        Dataset *split = dataset_made("split", 24.0, count, triangles, whole->rig.joint_count,
                                      whole->rig.frame_count, slots);
        memcpy(split->rig.transforms, whole->rig.transforms,
               (size_t)(whole->rig.frame_count * whole->rig.joint_count) * sizeof(Transform));
        memcpy(split->rig.rest, whole->rig.rest, (size_t)whole->rig.joint_count * sizeof(Transform));
        memcpy(split->rig.parents, whole->rig.parents, (size_t)whole->rig.joint_count * sizeof(int32_t));
        memcpy(split->mesh.triangles, corners, 3 * (size_t)triangles * sizeof *corners);
        assert_true(count > whole->mesh.vertex_count);
        for (int v = 0; v < count; v++) {
            memcpy(split->mesh.rest + 3 * v, whole->mesh.rest + 3 * from[v], 3 * sizeof(float));
            memcpy(split->rig.weight_joints + slots * v, whole->rig.weight_joints + slots * from[v],
                   (size_t)slots * 4);
            memcpy(split->rig.weight_values + slots * v, whole->rig.weight_values + slots * from[v],
                   (size_t)slots * 4);
        }
        for (int m = 0; m < 2; m++) {
            SkinnerOptions options = options_of(skinning_entry_find(methods[m]), &backend_reference);
            options.normals = false;
            CLEANUP(result_clear) Result one = skin(&options, whole);
            CLEANUP(result_clear) Result other = skin(&options, split);
            for (int i = 0; i < whole->rig.frame_count * count; i++)
                assert_vec3(vec3_at(other.positions, i),
                            vec3_at(one.positions, i / count * whole->mesh.vertex_count + from[i % count]),
                            1e-6 * diagonal_of(&whole->mesh));
        }
    }
}

/* In the sample files of Khronos, vertices with the same rest position and the same weights are twins. No
 * method may part them by more than a millionth of the diagonal. */
TEST(data_twins_stay_together)
{
    static const char *const names[] = {"gltf/Fox.glb", "gltf/CesiumMan.glb", "gltf/RiggedSimple.glb"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        OWNED_BY(dataset_free) Dataset *dataset = NULL;
        const char *path = test_data(names[i]);
        if (!path)
            return;
        assert_ok(imported("gltf", path, (ImportOptions){.fps = 3.0}, &dataset));
        const Mesh *mesh = &dataset->mesh;
        const Rig *rig = &dataset->rig;
        const size_t slots = (size_t)rig->influence_count, row = slots * sizeof(float);
        OWNED int32_t *twin = memory_array((size_t)mesh->vertex_count, sizeof *twin);
        int twins = 0;
        for (size_t v = 0; v < (size_t)mesh->vertex_count; v++) {
            size_t w = 0;
            while (w < v &&
                   (memcmp(mesh->rest + 3 * w, mesh->rest + 3 * v, 3 * sizeof(float)) != 0 ||
                    memcmp(rig->weight_joints + slots * w, rig->weight_joints + slots * v, row) != 0 ||
                    memcmp(rig->weight_values + slots * w, rig->weight_values + slots * v, row) != 0))
                w++;
            twin[v] = (int32_t)w;
            twins += w < v;
        }
        assert_true(twins > mesh->vertex_count / 100);
        for (int m = 0; m < skinning_entry_count(); m++) {
            SkinnerOptions options = options_of(skinning_entry_at(m), &backend_simd);
            options.normals = false;
            if (!supports_influences(options.entry->method, dataset))
                continue;
            CLEANUP(result_clear) Result result = skin(&options, dataset);
            double gap = 0.0;
            for (int k = 0; k < result.count / 3; k++) {
                const int v = k % mesh->vertex_count;
                gap = fmax(gap, vec3_length(vec3_sub(vec3_at(result.positions, k),
                                                     vec3_at(result.positions, k - v + twin[v]))));
            }
            if (!(gap <= 1e-6 * bounds_of(mesh->rest, mesh->vertex_count).diagonal))
                fail_msg("%s, %s: a gap of %g", names[i], options.entry->method->name, gap);
        }
    }
}

/* With a painted effect e, Delta Mush returns (1 - e) times the linear blend plus e times its full result. */
TEST(a_painted_effect_blends)
{
    OWNED_RIG(dataset, .vertices = 60, .joints = 4, .influences = 3, .frames = 2, .angle = 0.6, .seed = 66);
    SkinnerOptions options = options_of(skinning_entry_find("delta-mush"), &backend_reference),
                   lbs = options_of(skinning_entry_find("lbs"), &backend_reference);
    const Parameter *rows = options.entry->method->parameters;
    assert_ok(parameters_set(lbs.entry->method->parameters, "lbs", "normal-matrix=blended", &lbs.parameters));
    float *painted = NULL;
    assert_ok(mesh_attribute_add(&dataset->mesh, "other", &painted));
    assert_ok(mesh_attribute_add(&dataset->mesh, "stiffness", &painted));
    for (int v = 0; v < dataset->mesh.vertex_count; v++)
        painted[v] = 0.25f * (float)(v % 5);
    CLEANUP(result_clear) Result linear = skin(&lbs, dataset);
    CLEANUP(result_clear) Result full = skin(&options, dataset);
    assert_ok(parameters_set(rows, "delta-mush", "attribute=stiffness", &options.parameters));
    CLEANUP(result_clear) Result result = skin(&options, dataset);
    for (int i = 0; i < result.count / 3; i++) {
        const double effect = 0.25 * (i % dataset->mesh.vertex_count % 5);
        assert_vec3(vec3_at(result.positions, i),
                    vec3_add_scaled(vec3_scale(vec3_at(linear.positions, i), 1.0 - effect),
                                    vec3_at(full.positions, i), effect),
                    1e-12);
        assert_vec3(vec3_at(result.normals, i),
                    vec3_normalize(vec3_add_scaled(vec3_scale(vec3_at(linear.normals, i), 1.0 - effect),
                                                   vec3_at(full.normals, i), effect)),
                    1e-9);
    }
    assert_true(greatest_difference(linear.positions, full.positions, full.count) > 1e-3);
    Skinner *skinner = NULL;
    assert_ok(parameters_set(rows, "delta-mush", "attribute=stifness", &options.parameters));
    assert_bad_input(
        "delta-mush: the mesh has no attribute 'stifness'; it has other, stiffness; did you mean "
        "'stiffness'?",
        skinner_create(&options, &dataset->mesh, &dataset->rig, &skinner));
}
