/* The pairs of joints that occur in joint sets, each listed once. A pose stage can then compute values per
 * pair once for all sets. */
#pragma once

#include "datasets/base/grouping.h"
#include "datasets/model/joint_sets.h"

typedef struct JointPairs {
    int count;
    int32_t *joints;  /* [count][2] lower number, higher number; ascending by the higher, then by the lower */
    int32_t *first;   /* [P + 1] pairs first[j] to first[j + 1] - 1 have joint j as the higher number */
    Grouping sets_of; /* the members of group j are the sets that hold joint j, ascending, including skipped
                         sets */
} JointPairs;

/* Lists the pairs of all sets except those with skipped [S] true. STATUS_SYSTEM if out of memory or there
 * are too many. Release with joint_pairs_clear, also after a failure. */
Status joint_pairs_init(const JointSets *sets, int joint_count, const bool *skipped, JointPairs *out);
void joint_pairs_clear(JointPairs *pairs);

/* Index of the pair of two joints, in any order. The pair must exist. */
int joint_pair_find(const JointPairs *pairs, int32_t one, int32_t other);
