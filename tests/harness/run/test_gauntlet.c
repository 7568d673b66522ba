/* Tests the poses in which `advise` compares methods: the ranges of joints, and which poses are beyond
 * them. */
#include "harness/run/advice/gauntlet.h"
#include "tests/support.h"

TEST(names_tell_the_kind_of_joint)
{
    static const struct {
        const char *name;
        double bend_degrees;
    } joints[] = {{"mixamorig:LeftForeArm", 120.0},
                  {"b_LeftLeg01_015", 80.0},
                  {"lowerarm_l", 120.0},
                  {"LeftHandIndex1", 80.0},
                  {"mixamorig:Hips", 30.0},
                  {"calf_r", 120.0},
                  {"Neck_04", 40.0},
                  {"spine_02", 30.0},
                  {"clavicle.L", 20.0},
                  {"joint 7", 45.0},
                  {"", 45.0},
                  {NULL, 45.0}};
    for (size_t i = 0; i < sizeof joints / sizeof *joints; i++)
        assert_near(joint_range_default(joints[i].name).bend_degrees, joints[i].bend_degrees, 0.0);
    assert_true(joint_range_default("Knee").is_hinge);
    assert_false(joint_range_default("Hip").is_hinge);
}

/* Three joints in a row along x. The second is an elbow, which no frame moves. */
TEST(poses_beyond_a_range_are_marked)
{
    CLEANUP(gauntlet_clear) Gauntlet gauntlet = {0};
    Transform rest[3];
    int32_t parents[] = {-1, 0, 1};
    char *names[] = {"upperarm", "elbow", "hand"};
    const int skin[] = {0, 10, 0};
    for (int j = 0; j < 3; j++)
        rest[j] = transform_translate(vec3_make(j, 0.0, 0.0));
    const Rig rig = {.joint_count = 3, .joint_names = names, .parents = parents, .rest = rest};
    const GauntletOptions options = {.frames_cap = 4, .joints_cap = 4, .seed = 1};
    assert_ok(gauntlet_make(&rig, skin, &options, &gauntlet));
    int largest[2] = {0, 0}, smallest_beyond = 360;
    for (int p = 0; p < gauntlet.pose_count; p++) {
        const Pose *pose = &gauntlet.poses[p];
        if (pose->kind == POSE_CHAIN)
            assert_true(pose->is_beyond);
        if (pose->kind != POSE_BEND && pose->kind != POSE_TWIST)
            continue;
        assert_int_equal(pose->joint, 1);
        if (pose->is_beyond)
            smallest_beyond = int_min(smallest_beyond, pose->number);
        else
            largest[pose->kind == POSE_TWIST] = int_max(largest[pose->kind == POSE_TWIST], pose->number);
    }
    assert_int_equal(largest[0], 120);
    assert_int_equal(largest[1], 80);
    assert_int_equal(smallest_beyond, 100); /* 5/4 of the twist */
}
