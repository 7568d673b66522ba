/* What coordinate descent works on: the reduced problem min ||Tr X - C||_F (FESAM section 4), and the
 * unknowns Tr, rest pose and weights. Rest pose coordinates are normalised (centred, unit size) so that the
 * normal equations are well scaled; the transformations are brought back at the end.
 *
 * Over ranks a model's vertices are a rank's share, and its transformations are equal on all: rank 0 solves
 * for them, from sums over all vertices. Functions that sum or choose among vertices are called by all ranks.
 *
 * N vertices, P bones, K influences, d reduced dimensions. */
#pragma once

#include "methods/fitting/linear_blend.h"

enum { INFLUENCES_MAX = FIT_INFLUENCES_MAX };

/* What the normal equations of affine bones are solved by. */
typedef enum TransformSolver { SOLVER_AUTO, SOLVER_DENSE, SOLVER_CHOLMOD } TransformSolver;

typedef struct ReducedModel {
    int vertex_count, bone_count, influence_count, dimension;
    const Ranks *ranks;             /* NULL: alone */
    int first_vertex, all_vertices; /* which vertices of how many these are; alone 0 and N */
    int block;                 /* vertices whose sums are made in plain double: those of ranks (ranks.h) */
    int threads;               /* that its solvers run on; at least 1 */
    const double *coordinates; /* [N][d] C^T, a vertex lies together; not owned */
    double *squared_norms;     /* [N] ||c_j||^2 */
    double *rest;              /* [N][3] rest pose */
    double *first_rest;        /* [N][3] the rest pose the model started from */
    int32_t *bones;            /* [N][K] influences; unused slots: bone 0, weight 0, after the used ones */
    double *weights;           /* [N][K] convex */
    double *transforms;        /* [4P][d] Tr^T: rows 4j to 4j + 3 are the columns of bone j's affine map */
    double *gram;              /* [4P][4P] G = Tr^T Tr; of rigid bones over all rows, T^T T */
    double *gradient; /* [4P][d] half that of the squared error in Tr^T, where it was before the last solve;
                       * on rank 0 of affine bones */
    double *errors;   /* [N] squared error of each vertex under the transforms it was fitted to */
    int64_t singular_systems; /* fallbacks taken so far */
    TransformSolver solver;
    struct Smoothing *smoothing; /* NULL: weights need not be smooth; not owned (smoothing.h) */
    struct RigidBones *rigid;    /* NULL: affine bones; not owned (rigid_bones.h) */
} ReducedModel;

/* Allocates everything but the coordinates, for the rank's share of all_vertices. Release with
 * reduced_model_clear, on failure too. */
Status reduced_model_allocate(ReducedModel *model, const Ranks *ranks, int all_vertices, int bone_count,
                              int influence_count, int dimension, int threads, const double *coordinates);
void reduced_model_clear(ReducedModel *model);

/* Takes up the coordinates of another reduction; transformations are to be solved next. */
Status reduced_model_resize(ReducedModel *model, const double *coordinates, int dimension);

/* Takes up other coordinates, of at most as many dimensions as those the model was allocated for. Its
 * transformations are to be solved next. */
void reduced_model_take_coordinates(ReducedModel *model, const double *coordinates, int dimension);

/* The least number of leading dimensions of coordinates [N][all] of the model's vertices whose tail, what the
 * others hold of ||C||^2, is at most `allowed`. */
Status leading_dimensions(const ReducedModel *model, const double *coordinates, int all, double allowed,
                          int *dimension, double *tail);

/* Every vertex follows one bone alone: regions [N of the model]. Its transformations are to be solved next.
 */
void reduced_model_set_regions(ReducedModel *model, const int32_t *regions);

/* The bone of the greatest weight of a vertex of the model; the first of equal ones. */
int32_t reduced_model_main_bone(const ReducedModel *model, int vertex);

/* The sum of values [N] over the vertices of all ranks. */
double reduced_model_sum(const ReducedModel *model, const double *values);

/* Of all vertices of all ranks the one that has the greatest value, the first of equal ones. Each rank gives
 * the number of its own in the model, -1 for none, and its value; *vertex becomes its number in the model, -1
 * where another rank has it, and point [3] its row of `points` [N][3], on all ranks. False: no rank has
 * one. */
bool reduced_model_max(const ReducedModel *model, double value, int *vertex, const double *points,
                       double point[3]);

/* The model as a linear blend of reduced coordinates. */
LinearBlend reduced_model_blend(const ReducedModel *model);

/* The squared error sum_j ||Tr x_j - c_j||^2 over explicit differences, in a fixed order of summation. Of
 * rigid bones without the part of their motions that lies outside the reduced space. */
Status reduced_model_squared_error(const ReducedModel *model, double *squared_error);
