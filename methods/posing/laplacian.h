/* Implicit Laplacian smoothing of values at the vertices of a mesh (Desbrun et al. 1999), used by the
 * methods of the Delta Mush family. Let A be the edge weights, D the diagonal matrix of their row sums, and
 * L = D - A:
 *   x <- (I + step D^-1 L)^-1 x = (D + step L)^-1 D x
 * Constants are preserved. The value of a vertex without edges does not change. */
#pragma once

#include "datasets/geometry/sparse_cholesky.h"
#include "datasets/model/dataset.h"

typedef enum LaplacianWeights {
    LAPLACIAN_UNIFORM,  /* weight 1 for each edge */
    LAPLACIAN_COTANGENT /* half the sum of the cotangents of the angles opposite the edge */
} LaplacianWeights;

/* Values of the parameter `laplacian`, NULL-terminated. */
extern const char *const laplacian_choices[];

typedef struct Laplacian {
    SparseCholesky *factor; /* factor of D + step L */
    double *degree;         /* [N] D */
    SparseEntry *edges;     /* [edge_count] edges with row > column; the value is the weight A */
    size_t edge_count;
    int vertex_count;
} Laplacian;

/* Factors the matrix of a mesh. Fails with STATUS_BAD_INPUT if a triangle has a corner out of range.
 * Release with laplacian_clear. */
Status laplacian_init(const Mesh *mesh, LaplacianWeights weights, double step, Laplacian *out);
void laplacian_clear(Laplacian *laplacian);

/* Smooths x [N][columns] `iterations` times. */
Status laplacian_smooth(const Laplacian *laplacian, int iterations, int columns, double *x);
