/* The pairs of joints that occur in joint sets, each listed once. A pose stage can then compute the values
 * of a pair once for all sets. */
#pragma once

#include "datasets/base/grouping.h"
#include "datasets/model/joint_sets.h"

typedef struct JointPairs {
    int count;
    int32_t *joints;  /* [count][2] lower and higher joint, ascending by the higher, then by the lower one */
    int32_t *first;   /* [P + 1] pairs first[j] to first[j + 1] - 1 have joint j as the higher number */
    Grouping sets_of; /* sets that contain each joint, ascending, including skipped sets */
} JointPairs;

/* Lists the pairs of all sets except those with skipped [S] true. Fails with STATUS_SYSTEM if memory runs
 * out or there are too many pairs. Release with joint_pairs_clear, also after a failure. */
Status joint_pairs_init(const JointSets *sets, int joint_count, const bool *skipped, JointPairs *out);
void joint_pairs_clear(JointPairs *pairs);

/* Returns the index of the pair of two joints, in any order. The pair must exist. */
int joint_pair_find(const JointPairs *pairs, int32_t one, int32_t other);
