/* Dense dimension reduction of an animation (FESAM section 3), shared by the decomposition methods: the
 * trajectories of all vertices, columns of A in R^{3F x N}, are written as A ~ offset 1^T + B C with B
 * orthonormal. Fits then work on C alone, d numbers per vertex in place of 3F.
 *
 * Everything is computed in double, by blocks that do not depend on the number of threads, so results are
 * the same to the last bit whatever that number is. */
#ifndef SKINBENCH_REDUCTION_REDUCTION_H
#define SKINBENCH_REDUCTION_REDUCTION_H

#include "datasets/base/progress.h"
#include "datasets/base/status.h"
#include "datasets/model/dataset.h"
#include "methods/reduction/trajectories.h"
#include <stdbool.h>

typedef enum ReductionStrategy {
    REDUCTION_GRAM, /* eigenvectors of the smaller of A A^T and A^T A: the optimal d. Above 1500 rows and
                     * columns first sought in a random range of few directions: d optimal within that range
                     */
    REDUCTION_MAX,  /* FESAM Algorithm 1: the column farthest from the span so far, a pivoted QR */
    REDUCTION_GS,   /* columns in the order of the file */
    REDUCTION_PM1,  /* one iteration of the power method, started at the column MAX takes */
    REDUCTION_PM2,  /* two */
    REDUCTION_SVD   /* LAPACK's dgesdd of A, for comparison of times */
} ReductionStrategy;

/* The words of the strategies in the order of the enumeration, closed by NULL: choices of a parameter. */
extern const char *const reduction_strategy_names[];

typedef struct ReductionOptions {
    ReductionStrategy strategy;
    double threshold;         /* greatest ||A - offset 1^T - B C||_F, in units of the input */
    int dimension_max;        /* greatest d; 0: as many as the threshold asks for */
    bool stabilize;           /* line 5 of FESAM Algorithm 1 (MAX, GS, PM1, PM2) */
    bool center;              /* subtract each frame's mean over the vertices */
    const Progress *progress; /* NULL: nobody listens */
} ReductionOptions;

typedef struct Reduction {
    int row_count;       /* 3F, frame by frame, x y z */
    int vertex_count;    /* N */
    int dimension;       /* d, at least 1 */
    double *basis;       /* [d][3F] B^T: a basis vector lies together; orthonormal */
    double *coordinates; /* [N][d] C^T: a vertex lies together; C = B^T (A - offset 1^T) */
    double *offset;      /* [3F] what was subtracted, zeros without centring */
    double residual;     /* ||A - offset 1^T - B C||_F^2, summed over the explicit differences */
    double total;        /* ||A||_F^2 */
} Reduction;

/* Reduces positions [F][N][3]. F and N at least 1, values finite. STATUS_STOPPED when the progress callback
 * asks for it; STATUS_MACHINE when memory is out or LAPACK gives up. Release with reduction_clear. */
Status reduction_make(const Animation *animation, int vertex_count, const ReductionOptions *options,
                      Reduction *out);
/* The same for any matrix whose columns have been gathered (trajectories.h): rows and columns then mean what
 * the caller says they do, and options->center must be false. The offset moves from the trajectories to *out.
 */
Status reduction_of_trajectories(Trajectories *trajectories, const ReductionOptions *options, Reduction *out);
void reduction_clear(Reduction *reduction);

#endif
