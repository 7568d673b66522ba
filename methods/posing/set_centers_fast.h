/* The fast way to centres of rotation: normal equations, summed over the pairs of joints of a set, frames and
 * sets side by side. Used by set_centers.c alone. `frames` is 1 or POSE_FRAMES everywhere. */
#pragma once

#include "datasets/geometry/transform_columns.h"
#include "methods/runtime/skinning_method.h"

/* Normal equations N = D^T D and b = D^T e, with D = R_a - R_b and e = t_b - t_a, or sums of such: the upper
 * half of N row by row, then b. */
enum { CENTER_SUMS = 9 };

/* columns [joints][TRANSFORM_ELEMENTS][POSE_FRAMES] of transforms [POSE_FRAMES][joints]. */
void joint_columns_transpose(const Transform *transforms, int joint_count, double *columns);

/* sums [count][CENTER_SUMS][frames] of pairs [count][2] of joints [joints][TRANSFORM_ELEMENTS][frames]. */
void pair_sums_find(const double *joints, const int32_t *pairs, int count, int frames, double *sums);

typedef struct CenterEquations {
    int frames;
    const double *pair_sums; /* [pairs][CENTER_SUMS][frames] */
    /* Of the sets so far, those that center_columns_solve takes at a time side by side:
     * [][CENTER_SUMS][COLUMN_LANES]. */
    double *set_sums;
    const int32_t *base;       /* [sets] a set before, whose pairs it has too; -1: none */
    const int32_t *first_pair; /* [sets + 1] set s has pairs pair_of[first_pair[s]] and on beside these */
    const int32_t *pair_of;
    double cut_off;     /* singular values of the stacked D up to this share of the greatest count as zero */
    double least_trace; /* the trace of the sums of D^T D up to which a set has no centre: 0 is given */
} CenterEquations;

/* Of frame f of the i-th set they stand in lane i * frames + f. */
typedef struct CenterColumns {
    _Alignas(64) double center[3][COLUMN_LANES];
    double doubtful[COLUMN_LANES]; /* not 0: the rank is in doubt, and the solution must not be used */
} CenterColumns;

/* The centres of sets `first` to first + count - 1, COLUMN_LANES / frames or the last ones, all before them
 * done. Whether any is in doubt. */
bool center_columns_solve(const CenterEquations *equations, int first, int count, CenterColumns *out);
