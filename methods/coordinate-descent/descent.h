/* What coordinate descent works on: the reduced problem min ||Tr X - C||_F (FESAM section 4), and the
 * unknowns Tr, rest pose and weights. Rest pose coordinates are normalised (centred, unit size) so that the
 * normal equations are well scaled; the transformations are brought back at the end.
 *
 * N vertices, P bones, K influences, d reduced dimensions. */
#ifndef SKINBENCH_COORDINATE_DESCENT_DESCENT_H
#define SKINBENCH_COORDINATE_DESCENT_DESCENT_H

#include "datasets/base/status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { INFLUENCES_MAX = 8 };

typedef struct Descent {
    int vertex_count, bone_count, influence_count, dimension;
    const double *coordinates; /* [N][d] C^T, a vertex lies together; not owned */
    double *squared_norms;     /* [N] ||c_j||^2 */
    double *rest;              /* [N][3] rest pose */
    double *first_rest;        /* [N][3] the rest pose the descent started from */
    int32_t *bones;            /* [N][K] influences; unused slots: bone 0, weight 0, after the used ones */
    double *weights;           /* [N][K] convex */
    double *transforms;        /* [4P][d] Tr^T: rows 4j to 4j + 3 are the columns of bone j's affine map */
    double *gram;              /* [4P][4P] G = Tr^T Tr */
    double *errors;            /* [N] squared error of each vertex under the transforms it was fitted to */
    int64_t singular_systems;  /* fallbacks taken so far */
} Descent;

/* Room for everything but the coordinates. Release with descent_clear. */
Status descent_allocate(Descent *descent, int vertex_count, int bone_count, int influence_count,
                        int dimension, const double *coordinates);
void descent_clear(Descent *descent);

/* G = Tr^T Tr, after the transformations have changed. */
void descent_update_gram(Descent *descent);

/* The squared error sum_j ||Tr x_j - c_j||^2 over explicit differences, in a fixed order of summation. */
Status descent_squared_error(const Descent *descent, double *squared_error);

/* One vertex of the problem as the per-vertex solvers see it. With G and h = Tr^T c_j at hand no solver
 * touches the d-dimensional rows again. */
typedef struct VertexProblem {
    const double *gram;     /* [4P][4P] */
    const double *diagonal; /* [P][10] upper triangles of the 4 x 4 blocks G_jj, off-diagonal doubled */
    const double *products; /* [4P] h */
    double squared_norm;    /* ||c_j||^2 */
    int bone_count;
} VertexProblem;

/* The upper triangles of the diagonal blocks of G, off-diagonal entries doubled: [P][10]. */
void descent_diagonal(const Descent *descent, double *diagonal);

/* (v, 1)^T G_ab (v, 1): the inner product of the predictions of bones a and b for rest position v. */
static inline double vertex_inner(const VertexProblem *problem, int a, int b, const double v[3])
{
    int stride = 4 * problem->bone_count;
    const double *block = problem->gram + (int64_t)(4 * a) * stride + (int64_t)4 * b;
    double sum = 0.0;
    for (int i = 0; i < 4; i++) {
        const double *row = block + (int64_t)i * stride;
        sum += (i < 3 ? v[i] : 1.0) * (row[0] * v[0] + row[1] * v[1] + row[2] * v[2] + row[3]);
    }
    return sum;
}

/* The inner product of the prediction of a bone with the target. */
static inline double vertex_product(const VertexProblem *problem, int bone, const double v[3])
{
    const double *h = problem->products + (int64_t)4 * bone;
    return h[0] * v[0] + h[1] * v[1] + h[2] * v[2] + h[3];
}

#endif
