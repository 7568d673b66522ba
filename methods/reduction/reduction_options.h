/* What a reduction is asked for, and which dimension that takes. */
#pragma once

#include "datasets/base/progress.h"
#include "datasets/base/ranks.h"

typedef enum ReductionStrategy {
    REDUCTION_GRAM, /* eigenvectors of the smaller of A A^T and A^T A: the optimal d. Above 1500 rows and
                     * columns a threshold is first sought to be met in a random range of few directions: d
                     * optimal within that range */
    REDUCTION_MAX,  /* FESAM Algorithm 1: the column farthest from the span so far, a pivoted QR */
    REDUCTION_GS,   /* columns in the order of the file, but for those that miss the basis by at most their
                     * share   of the threshold, epsilon^2 / N squared */
    REDUCTION_PM1,  /* one iteration of the power method, started at the constant vector */
    REDUCTION_PM2,  /* two */
    REDUCTION_SVD   /* LAPACK's dgesdd of A, for comparison of times */
} ReductionStrategy;

/* The names of the strategies in the order of the enumeration, NULL-terminated: choices of a parameter. */
extern const char *const reduction_strategy_names[];

typedef struct ReductionOptions {
    ReductionStrategy strategy;
    double threshold;  /* greatest ||A - offset 1^T - B C||_F, in units of the input */
    int dimension_max; /* greatest d; 0: as many as the threshold asks for */
    bool stabilize;    /* line 5 of FESAM Algorithm 1 (MAX, GS, PM1, PM2) */
    int every;   /* of REDUCTION_GRAM, where there are more vertices than coordinates: basis and offset are
                  * found from every so manieth vertex (0: 1), and the basis may miss the threshold; what it
                  * leaves is as exact as from all */
    bool center; /* subtract each frame's mean over the vertices */
    int threads; /* 0: one; the result does not depend on it */
    const Progress *progress; /* may be NULL */
    /* NULL: alone. Else positions and coordinates are those of the rank's share of the vertices, all else is
     * equal on all ranks and what one rank would have found. */
    const Ranks *ranks;
} ReductionOptions;

/* How many leading directions are kept: the fewest whose tail, the sum of the squared singular values left
 * out, is at most `allowed`. */
typedef struct TailRule {
    double allowed;
    double floor;      /* values up to this share of the greatest count as rounding and are left out */
    int dimension_max; /* 0: no limit */
} TailRule;

/* A DenseChoice (dense.h) whose context is a TailRule. */
int tail_rule_choose(const double *values, int n, const void *context);
