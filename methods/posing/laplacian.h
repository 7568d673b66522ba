/* Laplacian smoothing of values at the vertices of a mesh, used by the methods of the Delta Mush family. Let
 * A be the edge weights, D the diagonal matrix of their row sums, and L = D - A. A step is implicit (Desbrun
 * et al. 1999) or explicit:
 *   x <- (I + step D^-1 L)^-1 x = (D + step L)^-1 D x
 *   x <- x - share D^-1 L x         with share = step / (1 + step)
 * An explicit step moves a vertex by this share of the way to the mean of its neighbours. It is the first
 * step of the Jacobi method for the implicit one. If a vertex has negative edge weights, its entry of D is
 * raised until explicit steps are stable. Constants are preserved. The value of a vertex without edges does
 * not change. */
#pragma once

#include "datasets/geometry/sparse_cholesky.h"
#include "datasets/model/dataset.h"

typedef enum LaplacianWeights {
    LAPLACIAN_UNIFORM,  /* weight 1 for each edge */
    LAPLACIAN_COTANGENT /* half the sum of the cotangents of the angles opposite the edge */
} LaplacianWeights;

typedef enum SmoothingSteps { STEPS_EXPLICIT, STEPS_IMPLICIT } SmoothingSteps;

/* Values of the parameters `laplacian` and `steps`, NULL-terminated. */
extern const char *const laplacian_choices[], *const smoothing_steps_choices[];

typedef struct Laplacian {
    SmoothingSteps steps;
    double step;
    SparseCholesky *factor; /* factor of D + step L; NULL for explicit steps */
    double *degree;         /* [N] D */
    SparseEntry *edges;     /* [edge_count] edges with row > column; the value is the weight A */
    size_t edge_count;
    int vertex_count;
} Laplacian;

/* Prepares the smoothing of a mesh. Fails with STATUS_BAD_INPUT if a triangle has a corner out of range.
 * Release with laplacian_clear. */
Status laplacian_init(const Mesh *mesh, LaplacianWeights weights, SmoothingSteps steps, double step,
                      Laplacian *out);
void laplacian_clear(Laplacian *laplacian);

/* Returns the share of the way to the mean of its neighbours by which an explicit step moves a vertex. */
double laplacian_share(const Laplacian *laplacian);

/* Smooths x [N][columns] `iterations` times. */
Status laplacian_smooth(const Laplacian *laplacian, int iterations, int columns, double *x);
