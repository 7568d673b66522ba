/* Options of a reduction, and the rule that chooses its dimension. */
#pragma once

#include "datasets/base/progress.h"
#include "datasets/base/ranks.h"

typedef enum ReductionStrategy {
    REDUCTION_GRAM, /* eigenvectors of A A^T or A^T A, whichever is smaller, which give the optimal d. Above
                       1500 rows and columns a random range of few directions is tried first; d is then
                       optimal within that range. */
    REDUCTION_MAX,  /* FESAM Algorithm 1, each time with the column farthest from the current span: a pivoted
                       QR */
    REDUCTION_GS, /* FESAM Algorithm 1 with columns in file order; a column is skipped if its squared distance
                     from the span is at most epsilon^2 / N */
    REDUCTION_PM1, /* FESAM Algorithm 1 with one iteration of the power method, started at the constant vector
                    */
    REDUCTION_PM2, /* two */
    REDUCTION_SVD  /* LAPACK's dgesdd of A, for comparing times */
} ReductionStrategy;

/* Names of the strategies in the order of the enumeration, NULL-terminated; they are the choices of a
 * parameter. */
extern const char *const reduction_strategy_names[];

typedef struct ReductionOptions {
    ReductionStrategy strategy;
    double threshold;  /* upper bound of ||A - offset 1^T - B C||_F, in units of the input */
    int dimension_max; /* maximum d; 0: as many as the threshold needs */
    bool stabilize;    /* whether line 5 of FESAM Algorithm 1 is carried out (MAX, GS, PM1, PM2) */
    int every;   /* for REDUCTION_GRAM if there are more vertices than coordinates: basis and offset are found
                    from only one vertex in `every` (0: 1). The basis may then miss the threshold, but the
                    residual reported is exact. */
    bool center; /* subtract each frame's mean over the vertices */
    int threads; /* 0 means one; the result does not depend on it */
    const Progress *progress; /* may be NULL */
    /* NULL for a single process. Otherwise positions and coordinates are those of this rank's vertices; all
     * other results are equal on all ranks, and equal to those of a single process. */
    const Ranks *ranks;
} ReductionOptions;

/* Chooses how many leading directions to keep: as few as possible, so that the squared singular values left
 * out sum to at most `allowed`. */
typedef struct TailRule {
    double allowed;
    double
        floor; /* share of the largest value up to which a value counts as rounding error and is left out */
    int dimension_max; /* 0: no limit */
} TailRule;

/* DenseChoice (dense.h) whose context is a TailRule: returns the number of directions to keep. */
int tail_rule_choose(const double *values, int n, const void *context);
