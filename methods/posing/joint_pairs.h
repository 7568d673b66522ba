/* The pairs of joints that occur in joint sets, each listed once. A pose stage can then compute the values
 * of a pair once for all sets. */
#pragma once

#include "datasets/base/grouping.h"
#include "datasets/model/joint_sets.h"

typedef struct JointPairs {
    int count;
    int32_t *joints;  /* [count][2] lower and higher joint of each pair, sorted by the higher, then by the
                         lower joint */
    int32_t *first;   /* [P + 1] joint j is the higher joint in pairs first[j] to first[j + 1] - 1 */
    Grouping sets_of; /* sets that contain each joint, in ascending order, including skipped sets */
} JointPairs;

/* Lists the pairs of all sets for which skipped [S] is false. Fails with STATUS_SYSTEM if memory runs out
 * or there are too many pairs. Release with joint_pairs_clear, also after a failure. */
Status joint_pairs_init(const JointSets *sets, int joint_count, const bool *skipped, JointPairs *out);
void joint_pairs_clear(JointPairs *pairs);

/* Returns the index of the pair of two joints, in any order. The pair must exist. */
int joint_pair_find(const JointPairs *pairs, int32_t one, int32_t other);
