/* The fast way to centres of rotation: normal equations, summed over the pairs of joints of a set, several
 * sets side by side. Used by set_centers.c alone. */
#ifndef SKINBENCH_POSING_SET_CENTERS_FAST_H
#define SKINBENCH_POSING_SET_CENTERS_FAST_H

#include "datasets/geometry/transform.h"
#include <stdint.h>

/* A pair's share of the normal equations, D^T (D, e) with D = R_a - R_b and e = t_a - t_b: three rows of
 * four. */
enum { PAIR_XX, PAIR_XY, PAIR_XZ, PAIR_XE, PAIR_YY = 5, PAIR_YZ, PAIR_YE, PAIR_ZZ = 10, PAIR_ZE, PAIR_SUMS };

/* sums [count][PAIR_SUMS] of pairs [count][2] of joints. */
void pair_sums_find(const Transform *transforms, const int32_t *pairs, int count, double *sums);

enum { CENTER_LANES = 8 };

typedef struct CenterEquations {
    const double *pair_sums;   /* [pairs][PAIR_SUMS] */
    const int32_t *first_pair; /* [set_count + 1] set s has pairs pair_of[first_pair[s]] and on */
    const int32_t *pair_of;
    int set_count;
    double cut_off;     /* singular values of the stacked D up to this share of the greatest count as zero */
    double least_trace; /* the trace of the sums of D^T D up to which a set has no centre: 0 is given */
} CenterEquations;

/* The centres of sets `first` to first + CENTER_LANES - 1, those that there are. Where doubtful [lane] is not
 * 0 the rank is, and the solution must not be used. */
void center_lanes_solve(const CenterEquations *equations, int first, double center[3][CENTER_LANES],
                        double doubtful[CENTER_LANES]);

#endif
