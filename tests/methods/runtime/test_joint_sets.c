/* Tests how vertices are grouped by their set of joints. */
#include "tests/rigs.h"

#include "methods/runtime/skinner.h"

/* Makes a rig of five vertices and three joints, whose joint sets are worked out by hand. */
static void rig_five(Rig *rig, int32_t joints[15], float weights[15])
{
    static const int32_t listed[15] = {2, 0, 0, 0, 2, 0, 1, 0, 0, 2, 2, 1, 0, 2, 1};
    static const float values[15] = {0.5f, 0.5f,  0.0f,  0.25f, 0.75f, 0.0f, 1.0f, 0.0f,
                                     0.0f, 0.25f, 0.25f, 0.5f,  0.0f,  0.5f, 0.5f};
    memcpy(joints, listed, sizeof listed);
    memcpy(weights, values, sizeof values);
    *rig = (Rig){.joint_count = 3, .influence_count = 3, .weight_joints = joints, .weight_values = weights};
}

TEST(by_joint)
{
    int32_t joints[15];
    float weights[15];
    Rig rig;
    rig_five(&rig, joints, weights);
    CLEANUP(joint_sets_clear) JointSets sets = {0};
    assert_ok(joint_sets_init(&rig, 5, INFLUENCES_BY_JOINT, &sets));
    static const int32_t slots[] = {0, 1, 3, 5}, vertices[] = {2, 0, 1, 3, 4}, first[] = {0, 1, 3, 5};
    static const int32_t expected[] = {1, 0, 2, 1, 2};
    static const double shares[] = {1.0, 0.5, 0.25, 0.5, 0.75, 0.5, 0.5, 0.5, 0.5};
    assert_int_equal(sets.set_count, 3);
    assert_int_equal(sets.max_influences, 2);
    assert_memory_equal(sets.first_slot, slots, sizeof slots);
    assert_memory_equal(sets.joints, expected, sizeof expected);
    assert_memory_equal(sets.vertices, vertices, sizeof vertices);
    assert_memory_equal(sets.first_vertex, first, sizeof first);
    assert_memory_equal(sets.weights, shares, sizeof shares);
    assert_int_equal(sets.set_of_vertex[4], 2);
}

TEST(as_listed)
{
    int32_t joints[15];
    float weights[15];
    Rig rig;
    rig_five(&rig, joints, weights);
    CLEANUP(joint_sets_clear) JointSets sets = {0};
    assert_ok(joint_sets_init(&rig, 5, INFLUENCES_AS_LISTED, &sets));
    static const int32_t expected[] = {1, 0, 2, 2, 0, 2, 1}; /* {0, 2} and {2, 0} now count as two sets */
    assert_int_equal(sets.set_count, 4);
    assert_memory_equal(sets.joints, expected, sizeof expected);
}

/* Vertices 0 to 3 list the joints {1, 2}, {2, 1}, {0, 3} and {3, 0}. Whatever the order of the lists, sets
 * are sorted by joint number, so {0, 3} precedes {1, 2}. Within a set, vertices that list the joints in
 * ascending order come first. */
TEST(listing_decides_last)
{
    int32_t joints[8] = {1, 2, 2, 1, 3, 0, 0, 3};
    float weights[8] = {0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f};
    const Rig rig = {
        .joint_count = 4, .influence_count = 2, .weight_joints = joints, .weight_values = weights};
    static const int32_t by_joint[] = {2, 3, 0, 1}, as_listed[] = {3, 2, 0, 1};
    CLEANUP(joint_sets_clear) JointSets sets = {0};
    assert_ok(joint_sets_init(&rig, 4, INFLUENCES_BY_JOINT, &sets));
    assert_int_equal(sets.set_count, 2);
    assert_memory_equal(sets.vertices, by_joint, sizeof by_joint);
    joint_sets_clear(&sets);
    assert_ok(joint_sets_init(&rig, 4, INFLUENCES_AS_LISTED, &sets));
    assert_int_equal(sets.set_count, 4);
    assert_memory_equal(sets.vertices, as_listed, sizeof as_listed);
}

TEST(cancelled_weights_drop)
{
    int32_t joints[4] = {0, 1, 0, 1};
    float weights[4] = {0.5f, 0.5f, -0.5f, 0.5f};
    Rig rig = {.joint_count = 2, .influence_count = 4, .weight_joints = joints, .weight_values = weights};
    CLEANUP(joint_sets_clear) JointSets sets = {0};
    assert_ok(joint_sets_init(&rig, 1, INFLUENCES_BY_JOINT, &sets));
    assert_int_equal(sets.slot_count, 1);
    assert_int_equal(sets.joints[0], 1);
    assert_true(sets.weights[0] == 1.0);
}

TEST(bad_weights_are_refused)
{
    int32_t joints[4] = {0, 1, 0, 1};
    float weights[4] = {0.5f, 0.5f, 0.0f, 0.0f};
    Rig rig = {.joint_count = 2, .influence_count = 2, .weight_joints = joints, .weight_values = weights};
    CLEANUP(joint_sets_clear) JointSets sets = {0};
    assert_bad_input("vertex 1 has no joint", joint_sets_init(&rig, 2, INFLUENCES_BY_JOINT, &sets));
    weights[3] = NAN;
    assert_bad_input("weight 1 of vertex 1 is", joint_sets_init(&rig, 2, INFLUENCES_BY_JOINT, &sets));
    joints[1] = 2;
    assert_bad_input("influence 1 of vertex 0 refers to joint 2, expected 0 to 1",
                     joint_sets_init(&rig, 2, INFLUENCES_BY_JOINT, &sets));
    assert_null(sets.weights);
}

TEST(every_allocation_may_fail)
{
    OWNED_RIG(dataset, .vertices = 20, .joints = 5, .influences = 3, .seed = 1);
    CLEANUP(joint_sets_clear) JointSets sets = {0};
    assert_allocations_may_fail(0, joint_sets_init(&dataset->rig, 20, INFLUENCES_BY_JOINT, &sets),
                                joint_sets_clear(&sets));
}
