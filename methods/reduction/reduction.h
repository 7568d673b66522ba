/* Dense dimension reduction of an animation (FESAM section 3), shared by the decomposition methods: the
 * trajectories of all vertices, columns of A in R^{3F x N}, are written as A ~ offset 1^T + B C with B
 * orthonormal. Fits then work on C alone, d numbers per vertex in place of 3F.
 *
 * Everything is computed in double, by blocks that do not depend on the number of threads, so results are
 * the same to the last bit whatever that number is. */
#pragma once

#include "methods/reduction/reduction_options.h"
#include "methods/reduction/trajectories.h"

typedef struct Reduction {
    int row_count;       /* 3F, frame by frame, x y z */
    int vertex_count;    /* N, or those of the rank's share */
    int dimension;       /* d, at least 1 */
    double *basis;       /* [d][3F] B^T: a basis vector lies together; orthonormal */
    double *coordinates; /* [N][d] C^T: a vertex lies together; C = B^T (A - offset 1^T) */
    double *offset;      /* [3F] what was subtracted, zeros without centring */
    double residual;     /* ||A - offset 1^T - B C||_F^2 */
    double total;        /* ||A||_F^2 */
    int passes;          /* over an animation that is read; 0: it was in memory */
    double read_s;       /* that reading took in these passes, on a thread of its own */
    double waited_s;     /* that the reduction waited for it */
} Reduction;

/* Reduces positions [F][n][3], vertex_count N. F and N at least 1, values finite. Positions that are not in
 * memory are read on every pass; the result is the same. STATUS_STOPPED when the progress callback
 * asks for it; STATUS_SYSTEM when out of memory or LAPACK fails. Release with reduction_clear. */
Status reduction_init(const Animation *animation, int vertex_count, const ReductionOptions *options,
                      Reduction *out);
/* The same for any matrix whose columns have been gathered (trajectories.h): rows and columns then mean what
 * the caller says they do, and options->center must be false. The offset moves from the trajectories to *out.
 */
Status reduction_of_trajectories(Trajectories *trajectories, const ReductionOptions *options, Reduction *out);
void reduction_clear(Reduction *reduction);

/* Lays basis and coordinates of a reduction without centring out as a data set has them, those of all ranks'
 * N vertices (ranks NULL: alone). *rounding: what
 * keeping the coefficients as float adds to the squared error; the basis is orthonormal, and the residual
 * orthogonal to it. The model is the caller's to clear, on failure too. */
Status low_rank_of_reduction(const Reduction *reduction, const Ranks *ranks, int vertex_count, LowRank *model,
                             double *rounding);

/* Displacements of all vertices, each with one factor per frame, as a model of three times as many vectors,
 * one for each coordinate: reduction of F rows and 3N columns, column 3j + axis that of vertex j. The model
 * is the caller's to clear, on failure too. */
Status low_rank_of_displacements(const Reduction *reduction, LowRank *model);

/* Whether a model is of that kind: three vectors together, one for each axis, with the same factors. Such a
 * model of rank 3r has r numbers per frame. */
bool low_rank_is_of_displacements(const LowRank *model);
