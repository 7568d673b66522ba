/* Tests the pairs of joints in the joint sets, and the sets in which the kernel must choose the signs of
 * quaternions. Both are compared with a search through all pairs of all sets. */
#include "tests/rigs.h"

#include "methods/posing/joint_pairs.h"
#include "methods/posing/rigid_pose.h"

/* One vertex has WIDE influences, so its joint set is too large for its pairs to be listed. One vertex has
 * a negative weight. The other vertices have 1 to 5 influences. */
enum { JOINTS = 90, VERTICES = 60, WIDE = 70, NEGATIVE_VERTEX = 7, WIDE_VERTEX = 11 };

typedef struct PairedRig {
    int32_t parents[JOINTS], joints[VERTICES * WIDE];
    float weights[VERTICES * WIDE];
    Mesh mesh;
    Rig rig;
    JointSets sets;
    SkinningBinding binding;
} PairedRig;

static void paired_rig_make(PairedRig *fixture, Random *random)
{
    *fixture = (PairedRig){.mesh = {.vertex_count = VERTICES}};
    for (int joint = 0; joint < JOINTS; joint++)
        fixture->parents[joint] = joint == 0 ? -1 : (int32_t)random_between(random, -0.9, joint - 0.01);
    for (int vertex = 0; vertex < VERTICES; vertex++) {
        const int count = vertex == WIDE_VERTEX ? WIDE : vertex == NEGATIVE_VERTEX ? 3 : 1 + vertex % 5;
        const int first = (int)random_between(random, 0.0, JOINTS - count + 0.99);
        for (int k = 0; k < count; k++) {
            fixture->joints[vertex * WIDE + k] = first + k;
            fixture->weights[vertex * WIDE + k] = 1.0f / (float)count;
        }
    }
    fixture->weights[NEGATIVE_VERTEX * WIDE] = -0.5f;
    fixture->rig = (Rig){.joint_count = JOINTS,
                         .influence_count = WIDE,
                         .parents = fixture->parents,
                         .weight_joints = fixture->joints,
                         .weight_values = fixture->weights};
    assert_ok(joint_sets_init(&fixture->rig, VERTICES, INFLUENCES_BY_JOINT, &fixture->sets));
    fixture->binding =
        (SkinningBinding){.mesh = &fixture->mesh, .rig = &fixture->rig, .sets = &fixture->sets};
}

TEST(every_pair_once)
{
    Random random = {1};
    PairedRig fixture;
    paired_rig_make(&fixture, &random);
    const JointSets *sets = &fixture.sets;
    bool skipped[VERTICES] = {false}, expected[JOINTS][JOINTS] = {{false}};
    int expected_count = 0;
    for (int set = 0; set < sets->set_count; set++) {
        const int32_t *joints = sets->joints + sets->first_slot[set];
        skipped[set] = set % 4 == 1 || joint_set_size(sets, set) == WIDE;
        for (int b = 1; b < joint_set_size(sets, set) && !skipped[set]; b++)
            for (int a = 0; a < b; a++) {
                expected_count += !expected[joints[a]][joints[b]];
                expected[joints[a]][joints[b]] = true;
            }
    }
    CLEANUP(joint_pairs_clear) JointPairs pairs = {0};
    assert_ok(joint_pairs_init(sets, JOINTS, skipped, &pairs));
    assert_int_equal(pairs.count, expected_count);
    for (int i = 0; i < pairs.count; i++) {
        const int32_t *pair = pairs.joints + 2 * (size_t)i;
        assert_true(expected[pair[0]][pair[1]]);
        expected[pair[0]][pair[1]] = false;
        assert_true(pairs.first[pair[1]] <= i && i < pairs.first[pair[1] + 1]);
        assert_int_equal(joint_pair_find(&pairs, pair[0], pair[1]), i);
        assert_int_equal(joint_pair_find(&pairs, pair[1], pair[0]), i);
    }
    int64_t held = 0;
    for (int joint = 0; joint < JOINTS; joint++)
        for (int64_t i = pairs.sets_of.first[joint]; i < pairs.sets_of.first[joint + 1]; i++, held++) {
            const int set = pairs.sets_of.members[i];
            int found = 0;
            for (int slot = sets->first_slot[set]; slot < sets->first_slot[set + 1]; slot++)
                found += sets->joints[slot] == joint;
            assert_int_equal(found, 1);
        }
    assert_int_equal(held, sets->slot_count);
    joint_sets_clear(&fixture.sets);
}

/* A set keeps the signs of the palette's quaternions exactly under two conditions: no weight is negative,
 * and no product of its pairs is negative (DQS Lemma 5). With narrow motions nearly all sets keep the
 * signs, with wide motions only a few. */
TEST(signs_of_sets)
{
    Random random = {3};
    int kept = 0, left = 0;
    for (int round = 0; round < 40; round++) {
        PairedRig fixture;
        paired_rig_make(&fixture, &random);
        const JointSets *sets = &fixture.sets;
        Transform transforms[JOINTS];
        for (int joint = 0; joint < JOINTS; joint++)
            transforms[joint] = random_motion(&random, -0.08 * (round + 1), 0.08 * (round + 1));
        double values[JOINTS * RIGID_DUAL_QUAT_FLOATS];
        uint8_t variants[VERTICES] = {0};
        void *signs = NULL;
        assert_ok(rigid_pose_bind(&fixture.binding, NULL, &signs));
        const SkinningPose pose = {
            .transforms = transforms, .joint_values = values, .set_variants = variants};
        rigid_pose_dual_quat(&fixture.binding, signs, HEMISPHERE_HEAVIEST, RIGID_DUAL_QUAT_FLOATS, &pose);
        for (int set = 0; set < sets->set_count; set++) {
            const int32_t *joints = sets->joints + sets->first_slot[set];
            bool valid = true;
            for (int b = 1; b < joint_set_size(sets, set); b++)
                for (int a = 0; a < b; a++)
                    valid = valid && quat_dot(rigid_pose_dual_quat_at(values, joints[a]).real,
                                              rigid_pose_dual_quat_at(values, joints[b]).real) >= 0.0;
            for (int64_t i = sets->first_weight[set]; i < sets->first_weight[set + 1]; i++)
                valid = valid && sets->weights[i] >= 0.0;
            assert_int_equal(variants[set], valid ? HEMISPHERE_CHOSEN : HEMISPHERE_HEAVIEST);
            kept += valid;
            left += !valid;
        }
        rigid_pose_release(signs);
        joint_sets_clear(&fixture.sets);
    }
    assert_true(kept > 500 && left > 200);
}
