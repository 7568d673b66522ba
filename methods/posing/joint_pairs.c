/* Lists the pairs joint by joint. Joints that share a set with the current joint are marked with its index,
 * so that each pair is listed once. */
#include "methods/posing/joint_pairs.h"

static const char *const what = "the pairs of joints";

/* Lists the pairs in which `joint` has the higher index. Writes them to `pairs` unless it is NULL, and
 * returns their count. No entry of `marks` [P] may equal `joint` before the call. */
static int64_t joint_list(const JointSets *sets, const bool *skipped, const Grouping *sets_of, int32_t joint,
                          int32_t *marks, int32_t *pairs)
{
    int64_t count = 0;
    for (int64_t i = sets_of->first[joint]; i < sets_of->first[joint + 1]; i++) {
        const int set = sets_of->members[i];
        for (int slot = sets->first_slot[set]; slot < sets->first_slot[set + 1] && !skipped[set]; slot++) {
            const int32_t lower = sets->joints[slot];
            if (lower >= joint || marks[lower] == joint)
                continue;
            marks[lower] = joint;
            if (pairs) {
                pairs[2 * count] = lower;
                pairs[2 * count + 1] = joint;
            }
            count++;
        }
    }
    if (pairs)
        qsort(pairs, (size_t)count, 2 * sizeof *pairs, int32_compare); /* by the lower joint */
    return count;
}

Status joint_pairs_init(const JointSets *sets, int joint_count, const bool *skipped, JointPairs *out)
{
    const size_t joints = (size_t)joint_count;
    *out = (JointPairs){.count = 0};
    LOCAL_ARRAY(int32_t, marks, joints, what);
    ALLOCATE(out->first, joints + 1, what);
    /* list the sets that contain each joint */
    STATUS_TRY(grouping_init(sets->joints, (size_t)sets->slot_count, joint_count, what, &out->sets_of));
    LOCAL_ARRAY(int32_t, set_of_slot, sets->slot_count, what);
    for (int set = 0; set < sets->set_count; set++)
        for (int slot = sets->first_slot[set]; slot < sets->first_slot[set + 1]; slot++)
            set_of_slot[slot] = set;
    for (int64_t i = 0; i < out->sets_of.first[joint_count]; i++)
        out->sets_of.members[i] = set_of_slot[out->sets_of.members[i]];
    memset(marks, -1, joints * sizeof *marks);
    int64_t count = 0;
    for (int32_t joint = 0; joint < joint_count; joint++) {
        count += joint_list(sets, skipped, &out->sets_of, joint, marks, NULL);
        if (count > INT32_MAX / 2)
            return bad_input("the joint sets have more than %d pairs of joints, which is too many",
                             INT32_MAX / 2);
        out->first[joint + 1] = (int32_t)count;
    }
    ALLOCATE_TABLE(out->joints, count, 2, what);
    memset(marks, -1, joints * sizeof *marks);
    for (int32_t joint = 0; joint < joint_count; joint++)
        joint_list(sets, skipped, &out->sets_of, joint, marks, out->joints + 2 * (size_t)out->first[joint]);
    out->count = (int)count;
    return status_ok();
}

void joint_pairs_clear(JointPairs *pairs)
{
    FREE_ALL(pairs->joints, pairs->first);
    grouping_clear(&pairs->sets_of);
}

int joint_pair_find(const JointPairs *pairs, int32_t one, int32_t other)
{
    const int32_t lower = one < other ? one : other, higher = one < other ? other : one;
    const int32_t first = pairs->first[higher];
    const int32_t *pair =
        bsearch(&lower, pairs->joints + 2 * (size_t)first, (size_t)(pairs->first[higher + 1] - first),
                2 * sizeof(int32_t), int32_compare);
    return (int)((pair - pairs->joints) / 2);
}
