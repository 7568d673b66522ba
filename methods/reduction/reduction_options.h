/* The options of a reduction, and the rule that chooses its dimension. */
#pragma once

#include "datasets/base/progress.h"
#include "datasets/base/ranks.h"

typedef enum ReductionStrategy {
    REDUCTION_GRAM, /* Eigenvectors of the smaller of A A^T and A^T A: the optimal d. Above 1500 rows and
                       columns a random range of few directions is tried first; d is then optimal within that
                       range. */
    REDUCTION_MAX,  /* FESAM Algorithm 1 with the column farthest from the span so far: a pivoted QR */
    REDUCTION_GS,   /* columns in file order, skipping those whose squared distance from the basis is at most
                       their share epsilon^2 / N of the squared threshold */
    REDUCTION_PM1,  /* one iteration of the power method, started at the constant vector */
    REDUCTION_PM2,  /* two */
    REDUCTION_SVD   /* LAPACK's dgesdd of A, to compare times */
} ReductionStrategy;

/* The names of the strategies in the order of the enumeration, NULL-terminated: choices of a parameter. */
extern const char *const reduction_strategy_names[];

typedef struct ReductionOptions {
    ReductionStrategy strategy;
    double threshold;  /* upper bound of ||A - offset 1^T - B C||_F, in units of the input */
    int dimension_max; /* largest d; 0: as many as the threshold needs */
    bool stabilize;    /* line 5 of FESAM Algorithm 1 (MAX, GS, PM1, PM2) */
    int every;   /* for REDUCTION_GRAM with more vertices than coordinates: find basis and offset from every
                    `every`-th vertex only (0: 1). The basis may then miss the threshold, but the residual
                    reported is exact. */
    bool center; /* subtract each frame's mean over the vertices */
    int threads; /* 0 means one; the result does not depend on it */
    const Progress *progress; /* may be NULL */
    /* NULL without ranks. Otherwise positions and coordinates cover the rank's share of the vertices;
     * everything else is equal on all ranks, and equal to what a single rank would find. */
    const Ranks *ranks;
} ReductionOptions;

/* Chooses how many leading directions to keep: the fewest for which the squared singular values left out
 * sum to at most `allowed`. */
typedef struct TailRule {
    double allowed;
    double floor;      /* values up to this share of the largest count as rounding and are left out */
    int dimension_max; /* 0: no limit */
} TailRule;

/* A DenseChoice (dense.h) whose context is a TailRule. */
int tail_rule_choose(const double *values, int n, const void *context);
