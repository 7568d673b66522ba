/* Fast computation of centres of rotation by normal equations. They are summed over the pairs of joints of
 * a set, with frames and sets side by side. Used by set_centers.c only. `frames` is always 1 or
 * POSE_FRAMES. */
#pragma once

#include "datasets/geometry/transform_columns.h"
#include "methods/runtime/skinning_method.h"

/* Normal equations N = D^T D and b = D^T e with D = R_a - R_b and e = t_b - t_a, or sums of them. The upper
 * half of N is stored row by row, followed by b. */
enum { CENTER_SUMS = 9 };

/* Transposes transforms [POSE_FRAMES][joints] to columns [joints][TRANSFORM_ELEMENTS][POSE_FRAMES]. */
void joint_columns_transpose(const Transform *transforms, int joint_count, double *columns);

/* Computes the sums of the normal equations for each pair of joints: sums [count][CENTER_SUMS][frames]. The
 * joints of the pairs [count][2] are given as columns, joints [joints][TRANSFORM_ELEMENTS][frames]. */
void pair_sums_find(const double *joints, const int32_t *pairs, int count, int frames, double *sums);

typedef struct CenterEquations {
    int frames;
    const double *pair_sums; /* [pairs][CENTER_SUMS][frames] */
    /* Sums of the sets so far, in groups that center_columns_solve solves side by side:
     * [][CENTER_SUMS][COLUMN_LANES]. */
    double *set_sums;
    const int32_t *base;       /* [sets] an earlier set whose pairs all belong to this set too; -1: none */
    const int32_t *first_pair; /* [sets + 1] set s adds the pairs pair_of[first_pair[s]] to
                                  pair_of[first_pair[s + 1] - 1] to those of its base */
    const int32_t *pair_of;
    double cut_off; /* singular values of the stacked D up to this fraction of the largest count as zero */
    double least_trace; /* if the trace of the summed D^T D is at most this, the set has no centre and the
                           result is 0 */
} CenterEquations;

/* Solutions of several sets and frames. Frame f of the i-th set is in lane i * frames + f. */
typedef struct CenterColumns {
    _Alignas(64) double center[3][COLUMN_LANES];
    double doubtful[COLUMN_LANES]; /* nonzero if the rank is uncertain and the solution must not be used */
} CenterColumns;

/* Solves the sets `first` to first + count - 1. `count` is COLUMN_LANES / frames, or less at the end. All
 * earlier sets must be solved already. Returns whether any solution is doubtful. */
bool center_columns_solve(const CenterEquations *equations, int first, int count, CenterColumns *out);
