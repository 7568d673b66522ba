/* Tests properties that every direct method must have: behaviour if a blend vanishes, joints listed twice,
 * large distances, rigid motion, order of influences, and bad input. */
#include "tests/skinned.h"

TEST(wild_poses)
{
    for (int influences = 1; influences <= 12; influences += influences < 4 ? 1 : 4)
        compare_plan(PLAN(.vertices = 100, .joints = 12, .influences = influences, .frames = 4,
                          .angle = 3.14159265358979323846, .seed = 40 + (uint64_t)influences),
                     1, influences == 12);
}

/* Makes four joints at one point, rotated by 0, 120, 240 and 360 degrees about x and moved apart. With the
 * sign policy `hierarchy`, their quaternions are 60 degrees apart, and the last is opposite to the
 * first. */
static Dataset *turned_rig(int vertices)
{
    Dataset *dataset = rig_make(
        PLAN(.vertices = vertices, .joints = 4, .influences = 4, .frames = 1, .angle = 0.0, .seed = 41));
    for (int joint = 0; joint < 4; joint++)
        dataset->rig.transforms[joint] =
            transform_about(quat_about(AXES[0], joint * 2.0 * 3.14159265358979323846 / 3.0), ORIGIN,
                            vec3_make(0.25 * joint, 0.125 * joint, 0.0));
    save_centers(dataset);
    return dataset;
}

static void assert_finite(const SkinnerOptions *options, const Dataset *dataset, const char *what)
{
    CLEANUP(result_clear) Result result = skin(options, dataset);
    for (int i = 0; i < result.count; i++)
        if (!(fabs(result.positions[i]) <= 1e3 && fabs(result.normals[i]) <= 2.0))
            fail_msg("%s on %s, %s: real %d is %g, its normal %g", options->entry->method->name,
                     options->backend->name, what, i, result.positions[i], result.normals[i]);
}

/* Each vertex has a blend of quaternions that vanishes or nearly vanishes. Results must be finite on every
 * backend and with every sign policy. */
TEST(vanishing_blends_are_finite)
{
    static const float cases[][4] = {
        {0.5f, 0.0f, 0.0f, 0.5f},          /* q and -q */
        {-1.0f, 1.0f, 1.0f, 0.0f},         /* -q0 + q1 - q2 = 0 */
        {0.25f, 0.25f, 0.25f, 0.25f},      /* ties */
        {0.5f, 1e-6f, 0.0f, 0.499999f},    /* a blend barely longer than zero */
        {0.5f, 0.0f, 1e-3f, 0.499f},       /* a blend of small length with a defined direction */
        {0.333333f, 0.0f, 0.666667f, 0.0f} /* joints 120 degrees apart */
    };
    enum { CASES = sizeof cases / sizeof *cases };
    OWNED_BY(dataset_free) Dataset *dataset = turned_rig(4 * CASES);
    for (int slot = 0; slot < 4 * 4 * CASES; slot++) {
        dataset->rig.weight_joints[slot] = slot % 4;
        dataset->rig.weight_values[slot] = cases[slot / 4 % CASES][slot % 4];
    }
    for (int m = 0; m < skinning_entry_count(); m++) {
        SkinnerOptions options = options_of(skinning_entry_at(m), &backend_reference);
        const int hemisphere = parameter_index(options.entry->method, "hemisphere");
        for (int choice = 0;
             choice < (hemisphere < 0 ? 1 : 4) && supports_influences(options.entry->method, dataset);
             choice++) {
            if (hemisphere >= 0)
                options.parameters.values[hemisphere] = choice;
            for (int kind = 0; kind < BACKEND_COUNT; kind++) {
                options.backend = backend_at(kind);
                if (is_here(options.backend))
                    assert_finite(&options, dataset,
                                  hemisphere < 0
                                      ? "vanishing blends"
                                      : options.entry->method->parameters[hemisphere].choices[choice]);
            }
        }
    }
}

/* Methods that blend quaternions linearly promise to use the first influence if the blend vanishes. */
TEST(vanished_blends_follow_the_first_influence)
{
    const SkinningEntry *dqs = skinning_entry_find("dqs");
    if (!dqs) /* the build has other methods (SKINBENCH_METHODS) */
        return;
    SkinnerOptions options = options_of(dqs, &backend_reference);
    OWNED_BY(dataset_free) Dataset *dataset = turned_rig(20);
    for (int slot = 0; slot < 80; slot++) {
        dataset->rig.weight_joints[slot] = slot % 4;
        dataset->rig.weight_values[slot] = slot % 4 == 0 || slot % 4 == 3 ? 0.5f : 0.0f;
    }
    options.parameters.values[parameter_index(options.entry->method, "hemisphere")] =
        3; /* the choice `hierarchy` */
    compare_method(options, &(SkinComparison){dataset, "q and -q", 1.0, 1, true});
    CLEANUP(result_clear) Result result = skin(&options, dataset); /* joint 0 does not move */
    for (int i = 0; i < result.count; i++)
        assert_near(result.positions[i], (double)dataset->mesh.rest[i], 1e-12);
}

/* A joint listed twice with half of the weight each time equals one influence with the full weight. */
TEST(joints_listed_twice)
{
    RigPlan plan = {.vertices = 60, .joints = 5, .influences = 3, .frames = 2, .angle = 0.5, .seed = 42};
    OWNED_BY(dataset_free) Dataset *once = rig_make(plan);
    plan.influences = 6;
    OWNED_BY(dataset_free) Dataset *twice = rig_make(plan);
    for (int slot = 0; slot < 6 * plan.vertices; slot++) {
        const int from = slot / 6 * 3 + slot % 3;
        twice->rig.weight_joints[slot] = once->rig.weight_joints[from];
        twice->rig.weight_values[slot] = 0.5f * once->rig.weight_values[from];
    }
    memcpy(twice->mesh.rest, once->mesh.rest, 3 * (size_t)plan.vertices * sizeof(float));
    memcpy(twice->rig.transforms, once->rig.transforms, 10 * sizeof(Transform));
    save_centers(once);
    save_centers(twice);
    for (int m = 0; m < skinning_entry_count(); m++)
        for (int i = 0; i < BACKEND_COUNT; i++) {
            SkinnerOptions options = options_of(skinning_entry_at(m), backend_at(i));
            if (options.backend->is_device || !supports_influences(options.entry->method, once))
                continue;
            CLEANUP(result_clear) Result expected = skin(&options, once), result = skin(&options, twice);
            assert_true(greatest_difference(result.positions, expected.positions, expected.count) == 0.0);
            assert_true(greatest_difference(result.normals, expected.normals, expected.count) == 0.0);
        }
}

/* Moves the whole rig far from the origin, where the rounding of floats limits the accuracy. A coordinate
 * has a relative error of 2^-24, and the methods add some roundings of numbers of this size. */
TEST(far_from_the_origin)
{
    static const double distances[] = {50.0, 1e4};
    for (int i = 0; i < 2; i++) {
        const double distance = distances[i];
        OWNED_RIG(dataset, .vertices = 80, .joints = 6, .influences = 4, .frames = 3, .angle = 0.3,
                  .seed = 23);
        Transform there = transform_identity(), back = transform_identity();
        there.m03 = distance;
        back.m03 = -distance;
        for (int vertex = 0; vertex < 80; vertex++)
            dataset->mesh.rest[3 * vertex] += (float)distance;
        for (int joint = 0; joint < 6 * 3; joint++)
            dataset->rig.transforms[joint] =
                transform_product(there, transform_product(dataset->rig.transforms[joint], back));
        save_centers(dataset);
        double diagonal = diagonal_of(&dataset->mesh);
        compare_methods(&(SkinComparison){dataset, "far from the origin",
                                          1.0 + 16.0 * 0x1p-24 * distance / (1e-5 * diagonal), 1, true});
    }
}

/* All joints share one rigid motion. Positions and normals must move rigidly with them, with every
 * method. */
TEST(rigid_motion)
{
    OWNED_RIG(dataset, .vertices = 60, .joints = 5, .influences = 4, .frames = 2, .seed = 24);
    Transform motions[2] = {transform_about(quat_about(vec3_make(1.0, 2.0, 3.0), 2.5),
                                            vec3_make(1.0, 0.0, 2.0), vec3_make(3.0, 1.0, 0.0)),
                            transform_identity()};
    for (int i = 0; i < 10; i++)
        dataset->rig.transforms[i] = motions[i / 5];
    for (int m = 0; m < skinning_entry_count(); m++) {
        if (!supports_influences(skinning_entry_at(m)->method, dataset))
            continue;
        SkinnerOptions options = options_of(skinning_entry_at(m), &backend_reference);
        CLEANUP(result_clear) Result result = skin(&options, dataset);
        for (int vertex = 0; vertex < 60;
             vertex++) { /* frame 1 is the rest pose; the tolerance allows for weights in floats */
            const Vec3 rest = point_at(dataset->mesh.rest, vertex),
                       normal = vec3_at(result.normals, 60 + vertex);
            assert_vec3(vec3_at(result.positions, vertex), transform_point(motions[0], rest), 1e-6);
            assert_vec3(vec3_at(result.positions, 60 + vertex), rest, 1e-6);
            assert_vec3(vec3_at(result.normals, vertex), transform_direction(motions[0], normal), 1e-6);
        }
    }
}

/* With one influence per vertex, every method applies the transformation of the joint. Methods that also
 * use a vertex's neighbours are exempt. */
TEST(one_influence_makes_methods_equal)
{
    OWNED_RIG(dataset, .vertices = 40, .joints = 5, .influences = 1, .frames = 3, .angle = 2.0, .seed = 25);
    SkinnerOptions lbs = options_of(skinning_entry_find("lbs"), &backend_reference);
    CLEANUP(result_clear) Result expected = skin(&lbs, dataset);
    for (int m = 0; m < skinning_entry_count(); m++) {
        SkinnerOptions options = options_of(skinning_entry_at(m), &backend_reference);
        if (options.entry->method->influences || options.entry->method->frames)
            continue;
        CLEANUP(result_clear) Result result = skin(&options, dataset);
        assert_true(greatest_difference(result.positions, expected.positions, expected.count) < 1e-9);
        assert_true(greatest_difference(result.normals, expected.normals, expected.count) < 1e-9);
    }
}

/* If one joint has nearly all of a vertex's weight, the vertex follows that joint, whichever place the joint
 * has among the influences. The other joints would take the vertex elsewhere. Small weights may have more
 * effect than in a weighted mean, up to a twentieth of the way to the next joint. The joint is also the
 * nearest, because qb rotates about the nearest. Methods that use a vertex's neighbours are exempt. */
TEST(the_heaviest_joint_leads)
{
    enum { VERTICES = 60, JOINTS = 6, INFLUENCES = 3 };
    const float rest_weight = 1e-4f;
    OWNED_RIG(dataset, .vertices = VERTICES, .joints = JOINTS, .influences = INFLUENCES, .frames = 1,
              .angle = 0.5, .seed = 28);
    const Rig *rig = &dataset->rig;
    for (int slot = 0; slot < VERTICES * INFLUENCES; slot++) {
        const int vertex = slot / INFLUENCES, k = slot % INFLUENCES;
        rig->weight_joints[slot] = (vertex + k) % JOINTS;
        if (k == vertex % INFLUENCES) /* joint j rests at x = j */
            dataset->mesh.rest[3 * vertex] = (float)rig->weight_joints[slot] + 0.3f;
        rig->weight_values[slot] =
            k == vertex % INFLUENCES ? 1.0f - (INFLUENCES - 1) * rest_weight : rest_weight;
    }
    save_centers(dataset);
    for (int m = 0; m < skinning_entry_count(); m++) {
        SkinnerOptions options = options_of(skinning_entry_at(m), &backend_reference);
        if (options.entry->method->influences || options.entry->method->frames ||
            !supports_influences(options.entry->method, dataset))
            continue;
        CLEANUP(result_clear) Result result = skin(&options, dataset);
        for (int vertex = 0; vertex < VERTICES; vertex++) {
            const Vec3 rest = point_at(dataset->mesh.rest, vertex);
            const int32_t *joints = rig->weight_joints + vertex * INFLUENCES;
            const Vec3 led = transform_point(rig->transforms[joints[vertex % INFLUENCES]], rest);
            double way = 1.0;
            for (int k = 0; k < INFLUENCES; k++)
                if (k != vertex % INFLUENCES)
                    way = fmin(way,
                               vec3_length(vec3_sub(transform_point(rig->transforms[joints[k]], rest), led)));
            const double off = vec3_length(vec3_sub(vec3_at(result.positions, vertex), led));
            if (!(off <= 0.05 * way))
                fail_msg(
                    "%s takes vertex %d %g away from its heaviest joint, which is %g from the next joint",
                    options.entry->method->name, vertex, off, way);
        }
    }
}

/* With default parameters, the order of a vertex's influences does not change a bit of the result on any
 * host backend, even if weights are equal. */
TEST(permuting_influences_changes_nothing)
{
    for (int influences = 2; influences <= 5; influences += 3) {
        RigPlan plan = {
            .vertices = 60, .joints = 7, .influences = influences, .frames = 3, .angle = 2.5, .seed = 27};
        OWNED_BY(dataset_free) Dataset *dataset = rig_make(plan), *permuted = rig_make(plan);
        for (int slot = 0; slot < 60 * influences; slot++) {
            const int first = slot / influences * influences,
                      mirrored = first + influences - 1 - slot % influences;
            int used = 0;
            for (int k = first; k < first + influences; k++)
                used += dataset->rig.weight_values[k] > 0.0f;
            if (slot < 20 * influences && dataset->rig.weight_values[slot] > 0.0f)
                dataset->rig.weight_values[slot] = 1.0f / (float)used;
            permuted->rig.weight_joints[mirrored] = dataset->rig.weight_joints[slot];
            permuted->rig.weight_values[mirrored] = dataset->rig.weight_values[slot];
        }
        for (int m = 0; m < skinning_entry_count(); m++)
            for (int i = 0; i < BACKEND_COUNT; i++) {
                SkinnerOptions options = options_of(skinning_entry_at(m), backend_at(i));
                if (options.backend->is_device || !supports_influences(options.entry->method, dataset))
                    continue;
                CLEANUP(result_clear) Result one = skin(&options, dataset), other = skin(&options, permuted);
                if (memcmp(one.positions, other.positions, (size_t)one.count * sizeof(double)) != 0)
                    fail_msg("%s on %s minds the order of %d influences", options.entry->method->name,
                             options.backend->name, influences);
                assert_memory_equal(one.normals, other.normals, (size_t)one.count * sizeof(double));
            }
    }
}

/* If the affine blend of LBS is the same for all vertices of a plane, the skinned normals are the normals
 * of the transformed plane. */
TEST(lbs_normals_of_a_sheared_plane)
{
    float rest[9] = {0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 1.0f};
    int32_t triangle[3] = {0, 1, 2}, joints[6] = {0, 1, 0, 1, 0, 1}, parents[2] = {-1, 0};
    float weights[6] = {0.25f, 0.75f, 0.25f, 0.75f, 0.25f, 0.75f};
    Transform transforms[2] = {{2.0, 0.5, 0.0, 1.0, 0.0, 1.0, 0.3, 0.0, 0.1, 0.0, 3.0, 0.0},
                               {1.0, 0.0, 0.7, 0.0, 0.2, 2.0, 0.0, 1.0, 0.0, 0.4, 0.5, 2.0}};
    Dataset dataset = {.mesh = {.vertex_count = 3, .triangle_count = 1, .rest = rest, .triangles = triangle},
                       .rig = {.joint_count = 2,
                               .frame_count = 1,
                               .influence_count = 2,
                               .parents = parents,
                               .transforms = transforms,
                               .weight_joints = joints,
                               .weight_values = weights}};
    SkinnerOptions options = options_of(skinning_entry_find("lbs"), &backend_reference);
    CLEANUP(result_clear) Result result = skin(&options, &dataset);
    const Vec3 first = vec3_at(result.positions, 0);
    const Vec3 normal = vec3_normalize(vec3_cross(vec3_sub(vec3_at(result.positions, 1), first),
                                                  vec3_sub(vec3_at(result.positions, 2), first)));
    for (int vertex = 0; vertex < 3; vertex++)
        assert_vec3(vec3_at(result.normals, vertex), normal, 1e-12);
}

/* Bad input is refused with a message that names its place. */
TEST(bad_input_is_refused)
{
    OWNED_RIG(dataset, .vertices = 10, .joints = 3, .influences = 2, .frames = 5, .angle = 0.3, .seed = 26);
    SkinnerOptions options = options_of(skinning_entry_find("lbs"), &backend_simd);
    Skinner *skinner = NULL;
    float positions[30];
    assert_ok(skinner_create(&options, &dataset->mesh, &dataset->rig, &skinner));
    assert_refused(STATUS_USAGE, "has not been skinned", skinner_read(skinner, 0, positions, NULL));
    dataset->rig.transforms[3 * 3 + 1].m12 = NAN;
    assert_bad_input(
        "frame 3, joint 1: transform[1,2] is",
        skinner_pose(skinner, dataset->rig.transforms + 6, NULL, 3)); /* frames 2 to 4 of the rig */
    skinner_free(skinner);
    dataset->mesh.rest[7] = INFINITY;
    assert_bad_input("vertex 2", skinner_create(&options, &dataset->mesh, &dataset->rig, &skinner));
    assert_null(skinner);
    dataset->mesh.rest[7] = 0.0f;
    options.simd_level = "v9";
    assert_refused(STATUS_UNAVAILABLE, "'v9'",
                   skinner_create(&options, &dataset->mesh, &dataset->rig, &skinner));
    dataset->mesh.triangles[4] = 10;
    options.simd_level = NULL;
    options.normals = true;
    assert_bad_input("corner 1 of triangle 1 is vertex 10",
                     skinner_create(&options, &dataset->mesh, &dataset->rig, &skinner));
}

/* Binds and poses one method on one backend. The test repeats this and lets another allocation fail each
 * time. */
static Status skinner_start(const SkinnerOptions *options, const Dataset *dataset)
{
    OWNED_BY(skinner_free) Skinner *skinner = NULL;
    STATUS_TRY(skinner_create(options, &dataset->mesh, &dataset->rig, &skinner));
    return skinner_pose(skinner, dataset->rig.transforms, NULL, 2);
}

TEST(every_allocation_may_fail)
{
    OWNED_RIG(dataset, .vertices = 30, .joints = 4, .influences = 3, .frames = 2, .angle = 0.3, .seed = 27);
    for (int kind = 0; kind < BACKEND_COUNT && !backend_at(kind)->is_device; kind++)
        for (int m = 0; m < skinning_entry_count(); m++) {
            const SkinnerOptions options = options_of(skinning_entry_at(m), backend_at(kind));
            if (supports_influences(options.entry->method, dataset))
                assert_allocations_may_fail(0, skinner_start(&options, dataset), (void)0);
        }
}
