/* Implicit Laplacian smoothing of values at the vertices of a mesh (Desbrun et al. 1999), as the methods of
 * the Delta Mush family take it: A the weights of the edges, D the diagonal of its row sums, L = D - A,
 *
 *   x <- (I + step D^-1 L)^-1 x = (D + step L)^-1 D x
 *
 * which keeps constants. A vertex without edges keeps its value. */
#pragma once

#include "datasets/geometry/sparse_cholesky.h"
#include "datasets/model/dataset.h"

typedef enum LaplacianWeights {
    LAPLACIAN_UNIFORM,  /* 1 for each edge */
    LAPLACIAN_COTANGENT /* half the sum of the cotangents of the angles opposite to it */
} LaplacianWeights;

/* The words of a parameter `laplacian`, NULL-terminated. */
extern const char *const laplacian_choices[];

typedef struct Laplacian {
    SparseCholesky *factor; /* of D + step L */
    double *degree;         /* [N] D */
    int vertex_count;
} Laplacian;

/* STATUS_BAD_INPUT: a triangle with a corner out of range. Release with laplacian_clear. */
Status laplacian_init(const Mesh *mesh, LaplacianWeights weights, double step, Laplacian *out);
void laplacian_clear(Laplacian *laplacian);

/* Smooths x [N][columns] `iterations` times. */
Status laplacian_smooth(const Laplacian *laplacian, int iterations, int columns, double *x);
