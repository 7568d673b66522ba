/* What coordinate descent works on: the reduced problem min ||Tr X - C||_F (FESAM section 4), and the
 * unknowns Tr, rest pose and weights. Rest pose coordinates are normalised (centred, unit size) so that the
 * normal equations are well scaled; the transformations are brought back at the end.
 *
 * N vertices, P bones, K influences, d reduced dimensions. */
#ifndef SKINBENCH_COORDINATE_DESCENT_REDUCED_MODEL_H
#define SKINBENCH_COORDINATE_DESCENT_REDUCED_MODEL_H

#include "datasets/base/status.h"
#include "methods/fitting/linear_blend.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { INFLUENCES_MAX = 8 };

/* What the normal equations of affine bones are solved by. */
typedef enum TransformSolver { SOLVER_AUTO, SOLVER_DENSE, SOLVER_CHOLMOD } TransformSolver;

typedef struct ReducedModel {
    int vertex_count, bone_count, influence_count, dimension;
    int threads;               /* that its solvers run on; at least 1 */
    const double *coordinates; /* [N][d] C^T, a vertex lies together; not owned */
    double *squared_norms;     /* [N] ||c_j||^2 */
    double *rest;              /* [N][3] rest pose */
    double *first_rest;        /* [N][3] the rest pose the model started from */
    int32_t *bones;            /* [N][K] influences; unused slots: bone 0, weight 0, after the used ones */
    double *weights;           /* [N][K] convex */
    double *transforms;        /* [4P][d] Tr^T: rows 4j to 4j + 3 are the columns of bone j's affine map */
    double *gram;              /* [4P][4P] G = Tr^T Tr; of rigid bones over all rows, T^T T */
    double *errors;            /* [N] squared error of each vertex under the transforms it was fitted to */
    int64_t singular_systems;  /* fallbacks taken so far */
    TransformSolver solver;
    struct Smoothing *smoothing; /* NULL: weights need not be smooth; not owned (smoothing.h) */
    struct RigidBones *rigid;    /* NULL: affine bones; not owned (rigid_bones.h) */
} ReducedModel;

/* Allocates everything but the coordinates. Release with reduced_model_clear. */
Status reduced_model_allocate(ReducedModel *model, int vertex_count, int bone_count, int influence_count,
                              int dimension, int threads, const double *coordinates);
void reduced_model_clear(ReducedModel *model);

/* Takes up other coordinates, of at most as many dimensions as those the model was allocated for. Its
 * transformations are to be solved next. */
void reduced_model_take_coordinates(ReducedModel *model, const double *coordinates, int dimension);

/* The least number of leading dimensions of coordinates [vertex_count][all] whose tail, what the others hold
 * of
 * ||C||^2, is at most `allowed`. */
Status leading_dimensions(const double *coordinates, int vertex_count, int all, double allowed,
                          int *dimension, double *tail);

/* The model as a linear blend of reduced coordinates. */
LinearBlend reduced_model_blend(const ReducedModel *model);

/* The squared error sum_j ||Tr x_j - c_j||^2 over explicit differences, in a fixed order of summation. Of
 * rigid bones without the part of their motions that lies outside the reduced space. */
Status reduced_model_squared_error(const ReducedModel *model, double *squared_error);

#endif
