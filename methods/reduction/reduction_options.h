/* Options of a reduction. */
#pragma once

#include "datasets/base/progress.h"
#include "datasets/base/ranks.h"

typedef enum ReductionStrategy {
    REDUCTION_GRAM, /* Eigenvectors of A A^T or A^T A, whichever matrix is smaller; the dimension d is the
                       smallest possible. With more than 1500 rows and columns, a random range of few
                       directions is tried first; d is then the smallest possible within that range. */
    REDUCTION_MAX,  /* FESAM Algorithm 1; each step uses the column farthest from the current span, as in a
                       pivoted QR */
    REDUCTION_GS, /* FESAM Algorithm 1 with columns in file order; a column is skipped if its squared distance
                     from the span is at most epsilon^2 / N */
    REDUCTION_PM1, /* FESAM Algorithm 1 with one iteration of the power method, started at the constant vector
                    */
    REDUCTION_PM2, /* two */
    REDUCTION_SVD  /* LAPACK's dgesdd of A, for comparing computing times */
} ReductionStrategy;

/* Names of the strategies in the order of the enumeration, NULL-terminated; they are the choices of a
 * parameter. */
extern const char *const reduction_strategy_names[];

typedef struct ReductionOptions {
    ReductionStrategy strategy;
    double threshold;  /* upper bound of ||A - offset 1^T - B C||_F, in units of the input */
    int dimension_max; /* maximum d; 0: as many as the threshold needs */
    bool stabilize;    /* whether line 5 of FESAM Algorithm 1 is carried out (MAX, GS, PM1, PM2) */
    int every;   /* Only for REDUCTION_GRAM, if there are more vertices than coordinates. Basis and offset are
                    found from only one vertex in `every` (0 counts as 1). The basis may then miss the
                    threshold, but the residual reported is exact. */
    bool center; /* subtract each frame's mean over the vertices */
    int threads; /* 0 counts as 1; the result does not depend on the number of threads */
    const Progress *progress; /* may be NULL */
    /* NULL for a single process. Otherwise the positions and coordinates belong to this rank's vertices.
     * All other results are equal on all ranks, and equal to those of a single process. */
    const Ranks *ranks;
} ReductionOptions;
