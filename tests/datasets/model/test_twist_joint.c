/* Adds twist joints, and compares weights, transformations and hierarchy with results worked out by
 * hand. */
#include "tests/rigs.h"

#include "datasets/model/twist_joint.h"

enum { ROOT, BONE, TIP, SIDE, JOINTS, VERTICES = 5 };

/* Makes a bone along x from (2, 1, 0) to (6, 1, 0) that has a second child. Vertices are before the bone,
 * at a quarter and at three quarters of it, at its end, and beyond. In the only frame, the bone is bent and
 * twisted relative to the root, and the tip relative to the bone. */
static Dataset *rig_of_a_bone(double twist_at_start, double twist_at_end)
{
    static const float places[VERTICES] = {0.0f, 3.0f, 5.0f, 6.0f, 9.0f};
    Dataset *dataset = dataset_made(NULL, 0.0, VERTICES, 0, JOINTS, 1, 2);
    Rig *rig = &dataset->rig;
    for (int v = 0; v < VERTICES; v++) {
        dataset->mesh.rest[3 * v] = places[v];
        dataset->mesh.rest[3 * v + 1] = 7.0f;
        rig->weight_joints[2 * v] = TIP;
        rig->weight_joints[2 * v + 1] = BONE;
        rig->weight_values[2 * v] = 0.25f;
        rig->weight_values[2 * v + 1] = 0.75f;
    }
    static const double origins[JOINTS] = {0.0, 2.0, 6.0, 2.0};
    static const int32_t parents[JOINTS] = {-1, ROOT, BONE, BONE};
    for (int j = 0; j < JOINTS; j++) {
        rig->joint_names[j] = memory_text("joint");
        rig->parents[j] = parents[j];
        rig->rest[j] = transform_translate(vec3_make(origins[j], 1.0, 0.0));
    }
    const Vec3 x = AXES[0];
    const Quat bend = quat_about(vec3_make(0.0, 3.0, 4.0), 1.2);
    rig->transforms[ROOT] = transform_about(quat_about(vec3_make(1.0, 1.0, 0.0), 0.4), ORIGIN, x);
    rig->transforms[BONE] = transform_product(
        rig->transforms[ROOT],
        transform_about(quat_mul(bend, quat_about(x, twist_at_start)), vec3_make(2.0, 1.0, 0.0), ORIGIN));
    rig->transforms[TIP] =
        transform_product(rig->transforms[BONE], transform_about(quat_mul(bend, quat_about(x, twist_at_end)),
                                                                 vec3_make(6.0, 1.0, 0.0), ORIGIN));
    rig->transforms[SIDE] = rig->transforms[BONE];
    return dataset;
}

static void assert_transform(Transform actual, Transform expected)
{
    for (int i = 0; i < 12; i++)
        assert_near((&actual.m00)[i], (&expected.m00)[i], 1e-12);
}

TEST(weights_and_hierarchy)
{
    OWNED_BY(dataset_free) Dataset *dataset = rig_of_a_bone(0.0, 0.0);
    Rig *rig = &dataset->rig;
    rig->centers = memory_table(VERTICES, 3, sizeof *rig->centers);
    assert_ok(rig_add_twist_joint(rig, &dataset->mesh, &(TwistJointPlan){BONE, TIP, false, 1.0}));
    assert_null(rig->centers);
    assert_int_equal(rig->joint_count, JOINTS + 1);
    static const int32_t parents[JOINTS + 1] = {-1, 0, 1, 2, 1};
    assert_memory_equal(rig->parents, parents, sizeof parents);
    assert_string_equal(rig->joint_names[2], "joint-twist");
    assert_true(rig->rest[2].m03 == 4.0 && rig->rest[2].m13 == 1.0 && rig->rest[3].m03 == 6.0);
    /* The tip keeps a quarter of the weight. Three quarters go to the bone, to the new joint 2, or partly
     * to both. */
    static const int32_t joints[VERTICES * 3] = {3, 1, 0, 3, 1, 2, 3, 1, 2, 3, 2, 0, 3, 2, 0};
    static const float values[VERTICES * 3] = {0.25f,   0.75f, 0.0f,  0.25f, 0.5625f, 0.1875f, 0.25f, 0.1875f,
                                               0.5625f, 0.25f, 0.75f, 0.0f,  0.25f,   0.75f,   0.0f};
    assert_int_equal(rig->influence_count, 3);
    assert_memory_equal(rig->weight_joints, joints, sizeof joints);
    assert_memory_equal(rig->weight_values, values, sizeof values);
    /* Add a second twist joint on the remainder of the bone. It gets a different name. */
    assert_ok(rig_add_twist_joint(rig, &dataset->mesh, &(TwistJointPlan){BONE, 2, false, 1.0}));
    assert_string_equal(rig->joint_names[2], "joint-twist-2");
    assert_true(rig->rest[2].m03 == 3.0);
}

TEST(twist_at_the_end)
{
    static const double angles[] = {0.0, 0.3, -2.0, 3.0, 3.14159265358979};
    for (int i = 0; i < 5; i++) {
        OWNED_BY(dataset_free) Dataset *dataset = rig_of_a_bone(0.7, angles[i]);
        Transform before[JOINTS];
        memcpy(before, dataset->rig.transforms, sizeof before);
        assert_ok(
            rig_add_twist_joint(&dataset->rig, &dataset->mesh, &(TwistJointPlan){BONE, TIP, false, 0.5}));
        const Transform *after = dataset->rig.transforms;
        assert_transform(after[ROOT], before[ROOT]);
        assert_transform(after[BONE], before[BONE]);
        assert_transform(after[TIP + 1], before[TIP]);
        assert_transform(after[SIDE + 1], before[SIDE]);
        Transform turn =
            transform_about(quat_about(AXES[0], 0.5 * angles[i]), vec3_make(2.0, 1.0, 0.0), ORIGIN);
        assert_transform(after[2], transform_product(before[BONE], turn));
    }
}

TEST(twist_at_the_start)
{
    OWNED_BY(dataset_free) Dataset *dataset = rig_of_a_bone(2.5, 0.0), *straight = rig_of_a_bone(0.0, 0.0);
    Transform before = dataset->rig.transforms[BONE];
    assert_ok(rig_add_twist_joint(&dataset->rig, &dataset->mesh, &(TwistJointPlan){BONE, TIP, true, 1.0}));
    assert_transform(dataset->rig.transforms[BONE], straight->rig.transforms[BONE]);
    assert_transform(dataset->rig.transforms[BONE + 1], before);
}

TEST(impossible_bones_are_refused)
{
    OWNED_BY(dataset_free) Dataset *dataset = rig_of_a_bone(0.0, 0.0);
    Rig *rig = &dataset->rig;
    const Mesh *mesh = &dataset->mesh;
    assert_refused(STATUS_USAGE, "joint 4, expected 0 to 3",
                   rig_add_twist_joint(rig, mesh, &(TwistJointPlan){4, -1, false, 1.0}));
    assert_refused(STATUS_USAGE, "joint joint has 2 children",
                   rig_add_twist_joint(rig, mesh, &(TwistJointPlan){BONE, -1, false, 1.0}));
    assert_refused(STATUS_USAGE, "has no child",
                   rig_add_twist_joint(rig, mesh, &(TwistJointPlan){TIP, -1, false, 1.0}));
    assert_refused(STATUS_USAGE, "joint 0 is not a child of joint 1",
                   rig_add_twist_joint(rig, mesh, &(TwistJointPlan){BONE, ROOT, false, 1.0}));
    assert_bad_input("from joint 1 to joint 3 has no length",
                     rig_add_twist_joint(rig, mesh, &(TwistJointPlan){BONE, SIDE, false, 1.0}));
    assert_int_equal(rig->joint_count, JOINTS);
}

TEST(every_allocation_may_fail)
{
    OWNED_BY(dataset_free) Dataset *dataset = rig_of_a_bone(0.5, 0.5);
    dataset->rig.scale = memory_table(1, JOINTS, sizeof *dataset->rig.scale);
    const TwistJointPlan plan = {BONE, TIP, true, 1.0};
    assert_allocations_may_fail(5, rig_add_twist_joint(&dataset->rig, &dataset->mesh, &plan),
                                assert_int_equal(dataset->rig.joint_count, JOINTS));
    assert_int_equal(dataset->rig.joint_count, JOINTS + 1);
    assert_non_null(dataset->rig.scale);
}
