/* The pairs of joints that joint sets hold, every pair once: what a pose stage computes for each pair, it
 * computes once for all sets. */
#pragma once

#include "datasets/base/grouping.h"
#include "datasets/model/joint_sets.h"

typedef struct JointPairs {
    int count;
    int32_t *
        joints; /* [count][2] the lower number, then the higher; ascending by the higher, then by the lower */
    int32_t *first;   /* [P + 1] the pairs of which joint j is the higher are first[j] to first[j + 1] - 1 */
    Grouping sets_of; /* of joint j the members are the sets that hold it, ascending; those skipped, too */
} JointPairs;

/* The pairs of all sets but those where skipped [S] is true. STATUS_SYSTEM when out of memory or there are
 * too many. Release with joint_pairs_clear, also after a failure. */
Status joint_pairs_init(const JointSets *sets, int joint_count, const bool *skipped, JointPairs *out);
void joint_pairs_clear(JointPairs *pairs);

/* The number of the pair of two joints, in any order; there must be one. */
int joint_pair_find(const JointPairs *pairs, int32_t one, int32_t other);
