/* The reduced problem min ||Tr X - C||_F of coordinate descent (FESAM section 4), and its unknowns: Tr,
 * rest pose and weights. Rest positions are centred and scaled to unit size, so that the normal equations
 * are well conditioned; the transformations are converted back at the end.
 *
 * With ranks, a model holds a rank's share of the vertices. The transformations are equal on all ranks:
 * rank 0 solves for them from sums over all vertices. Functions that sum or choose among vertices must be
 * called by all ranks.
 *
 * N vertices, P bones, K influences, d reduced dimensions. */
#pragma once

#include "methods/fitting/linear_blend.h"

enum { INFLUENCES_MAX = FIT_INFLUENCES_MAX };

/* Solver of the normal equations of affine bones. */
typedef enum TransformSolver { SOLVER_AUTO, SOLVER_DENSE, SOLVER_CHOLMOD } TransformSolver;

typedef struct ReducedModel {
    int vertex_count, bone_count, influence_count, dimension;
    const Ranks *ranks; /* NULL: alone */
    int first_vertex,
        all_vertices; /* first vertex of this rank, and number of all vertices; 0 and N without ranks */
    int block;        /* vertices summed in plain double, as for ranks (ranks.h) */
    int threads;      /* used by the solvers; at least 1 */
    const double *coordinates; /* [N][d] C^T, contiguous for each vertex; not owned */
    double *squared_norms;     /* [N] ||c_j||^2 */
    double *rest;              /* [N][3] rest pose */
    double *first_rest;        /* [N][3] the initial rest pose */
    int32_t *bones;            /* [N][K] influences; unused slots are last, with bone 0 and weight 0 */
    double *weights;           /* [N][K] convex */
    double *transforms;        /* [4P][d] Tr^T: rows 4j to 4j + 3 are the columns of bone j's affine map */
    double *gram;              /* [4P][4P] G = Tr^T Tr; for rigid bones T^T T over all rows */
    double *gradient; /* [4P][d] half the gradient of the squared error in Tr^T before the last solve; only on
                         rank 0, for affine bones */
    double *errors;   /* [N] squared error of each vertex under the transforms to which it was fitted */
    int64_t singular_systems; /* number of fallbacks so far */
    TransformSolver solver;
    struct Smoothing *smoothing; /* NULL: weights need not be smooth; not owned (smoothing.h) */
    struct RigidBones *rigid;    /* NULL: affine bones; not owned (rigid_bones.h) */
} ReducedModel;

/* Allocates everything except the coordinates, for the rank's share of all_vertices. Release with
 * reduced_model_clear, also after a failure. */
Status reduced_model_allocate(ReducedModel *model, const Ranks *ranks, int all_vertices, int bone_count,
                              int influence_count, int dimension, int threads, const double *coordinates);
void reduced_model_clear(ReducedModel *model);

/* Switches to the coordinates of another reduction; the transformations must be solved next. */
Status reduced_model_resize(ReducedModel *model, const double *coordinates, int dimension);

/* Switches to other coordinates, with at most the dimension that was allocated; the transformations must be
 * solved next. */
void reduced_model_take_coordinates(ReducedModel *model, const double *coordinates, int dimension);

/* Finds the smallest number of leading dimensions of coordinates [N][all] for which the other dimensions
 * hold at most `allowed` of ||C||^2. *tail is what they hold. */
Status leading_dimensions(const ReducedModel *model, const double *coordinates, int all, double allowed,
                          int *dimension, double *tail);

/* Assigns each vertex to one bone, given by regions [N of the model]; the transformations must be solved
 * next. */
void reduced_model_set_regions(ReducedModel *model, const int32_t *regions);

/* Returns the bone of largest weight of a vertex; the first if several are equal. */
int32_t reduced_model_main_bone(const ReducedModel *model, int vertex);

/* Returns the sum of values [N] over the vertices of all ranks. */
double reduced_model_sum(const ReducedModel *model, const double *values);

/* Finds the vertex of largest value among all ranks; the first if several are equal. Each rank passes its
 * own candidate in *vertex (-1 for none) and its value. Then *vertex is the result, or -1 if another rank
 * has it, and point [3] its row of `points` [N][3] on all ranks. Returns false if no rank has a
 * candidate. */
bool reduced_model_max(const ReducedModel *model, double value, int *vertex, const double *points,
                       double point[3]);

/* Views the model as a linear blend of reduced coordinates. */
LinearBlend reduced_model_blend(const ReducedModel *model);

/* Sums the squared error sum_j ||Tr x_j - c_j||^2 from explicit differences in a fixed order. For rigid
 * bones the part of their motions outside the reduced space is not included. */
Status reduced_model_squared_error(const ReducedModel *model, double *squared_error);
