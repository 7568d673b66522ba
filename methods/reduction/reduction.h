/* Dense dimension reduction of an animation (FESAM section 3), shared by the decomposition methods. The
 * trajectories of all vertices are the columns of A in R^{3F x N}. They are approximated by A ~ offset 1^T
 * + B C with orthonormal B. Fits then work on C alone, with d numbers per vertex instead of 3F.
 *
 * All computations are in double, in blocks that do not depend on the number of threads, so results are
 * identical to the last bit for any number of threads. */
#pragma once

#include "methods/reduction/reduction_options.h"
#include "methods/reduction/trajectories.h"

typedef struct Reduction {
    int row_count;       /* 3F, ordered by frame, then x y z */
    int vertex_count;    /* number N of vertices, or the number of this rank's vertices */
    int dimension;       /* dimension d, at least 1 */
    double *basis;       /* [d][3F] B^T, orthonormal; each basis vector is contiguous */
    double *coordinates; /* [N][d] C^T = (A - offset 1^T)^T B; the row of a vertex is contiguous */
    double *offset;      /* [3F] offset subtracted from every column; zeros without centring */
    double residual;     /* ||A - offset 1^T - B C||_F^2 */
    double total;        /* ||A||_F^2 */
    int passes;          /* number of times the animation was read; 0 if it is in memory */
    double read_s;       /* seconds spent reading in these passes, on a separate thread */
    double waited_s;     /* seconds during which the reduction waited for the reading thread */
} Reduction;

/* Reduces positions [F][n][3]; vertex_count is N. F and N must be at least 1 and all values finite.
 * Positions that are not in memory are read again on every pass, with the same result. Fails with
 * STATUS_STOPPED if the progress callback asks to stop, and with STATUS_SYSTEM if memory runs out or LAPACK
 * fails. Release with reduction_clear. */
Status reduction_init(const Animation *animation, int vertex_count, const ReductionOptions *options,
                      Reduction *out);
/* Reduces any matrix whose columns are already in memory (trajectories.h). The caller decides what rows and
 * columns mean. options->center must be false. *out takes over the offset from the trajectories. */
Status reduction_of_trajectories(Trajectories *trajectories, const ReductionOptions *options, Reduction *out);
void reduction_clear(Reduction *reduction);

/* Writes basis and coordinates of a reduction without centring as the low-rank model of a data set, for the
 * N vertices of all ranks (ranks may be NULL). *rounding receives the squared error caused by storing the
 * coefficients as float. The caller clears the model, also after a failure. */
Status low_rank_of_reduction(const Reduction *reduction, const Ranks *ranks, int vertex_count, LowRank *model,
                             double *rounding);

/* Turns a reduction of displacements into a low-rank model. The reduction has F rows and 3N columns; column
 * 3j + axis belongs to vertex j. A displacement has one factor per frame, and becomes three vectors of the
 * basis, one for each axis. The caller clears the model, also after a failure. */
Status low_rank_of_displacements(const Reduction *reduction, LowRank *model);

/* Returns whether a model was made by low_rank_of_displacements: its vectors form groups of three, one for
 * each axis, with equal factors. Such a model of rank 3r has only r different numbers per frame. */
bool low_rank_is_of_displacements(const LowRank *model);
