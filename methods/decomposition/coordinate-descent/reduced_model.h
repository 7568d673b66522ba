/* The reduced problem min ||Tr X - C||_F of coordinate descent (FESAM section 4). Its unknowns are the
 * transformations Tr, the rest pose and the weights. Rest positions are centred and scaled to unit size, so
 * that the normal equations are well conditioned. The transformations are converted back at the end.
 *
 * If a fit runs on several ranks (processes), each rank's model holds a part of the vertices. The
 * transformations are equal on all ranks: rank 0 solves for them from sums over all vertices. Functions
 * that sum or choose among vertices must be called by all ranks.
 *
 * N vertices, P bones, K influences, d reduced dimensions. */
#pragma once

#include "methods/fitting/linear_blend.h"

enum { INFLUENCES_MAX = FIT_INFLUENCES_MAX };

/* Method that solves the normal equations of affine bones. */
typedef enum TransformSolver { SOLVER_AUTO, SOLVER_DENSE, SOLVER_CHOLMOD } TransformSolver;

typedef struct ReducedModel {
    int vertex_count, bone_count, influence_count, dimension;
    const Ranks *ranks;             /* NULL: alone */
    int first_vertex, all_vertices; /* index of this rank's first vertex, and number of vertices on all ranks.
                                       With a single process, they are 0 and N. */
    int block;   /* number of vertices summed in plain double precision before sums are combined (ranks.h) */
    int threads; /* number of threads of the solvers, at least 1 */
    const double *coordinates; /* [N][d] C^T, contiguous for each vertex; not owned */
    double *squared_norms;     /* [N] ||c_j||^2 */
    double *rest;              /* [N][3] rest pose */
    double *first_rest;        /* [N][3] the initial rest pose */
    int32_t *bones;     /* [N][K] bones of each vertex; unused slots come last, with bone 0 and weight 0 */
    double *weights;    /* [N][K] convex */
    double *transforms; /* [4P][d] Tr^T: rows 4j to 4j + 3 are the columns of the affine map of bone j */
    double *gram;       /* [4P][4P] Gram matrix G = Tr^T Tr; for rigid bones T^T T, which covers all frames */
    double *gradient;   /* [4P][d] half the gradient of the squared error with respect to Tr^T before the last
                           solve; only on rank 0, for affine bones */
    double
        *errors; /* [N] squared error of each vertex for the transformations with which it was last updated */
    int64_t singular_systems; /* number of singular systems solved by pseudoinverse so far */
    TransformSolver solver;
    struct Smoothing *smoothing; /* smoothing of the weights (smoothing.h); NULL: none; not owned */
    struct RigidBones *rigid;    /* rigid bones (rigid_bones.h); NULL: bones are affine; not owned */
} ReducedModel;

/* Allocates all arrays except the coordinates, for this rank's part of all_vertices. Release with
 * reduced_model_clear, also after a failure. */
Status reduced_model_allocate(ReducedModel *model, const Ranks *ranks, int all_vertices, int bone_count,
                              int influence_count, int dimension, int threads, const double *coordinates);
void reduced_model_clear(ReducedModel *model);

/* Switches to the coordinates of another reduction. The caller must solve for the transformations next. */
Status reduced_model_resize(ReducedModel *model, const double *coordinates, int dimension);

/* Switches to other reduced coordinates, of at most the dimension for which the model was allocated. The
 * caller must solve for the transformations next. */
void reduced_model_take_coordinates(ReducedModel *model, const double *coordinates, int dimension);

/* Finds how many leading columns of the reduced coordinates [N][all] are needed so that the other columns
 * hold at most `allowed` of ||C||^2. *tail receives the part of ||C||^2 that these other columns hold. */
Status leading_dimensions(const ReducedModel *model, const double *coordinates, int all, double allowed,
                          int *dimension, double *tail);

/* Assigns each vertex of the model to one bone: regions [N]. The caller must solve for the transformations
 * next. */
void reduced_model_set_regions(ReducedModel *model, const int32_t *regions);

/* Returns the bone with the largest weight at a vertex. On a tie, returns the bone listed first. */
int32_t reduced_model_main_bone(const ReducedModel *model, int vertex);

/* Returns the sum of values [N] over the vertices of all ranks. */
double reduced_model_sum(const ReducedModel *model, const double *values);

/* Returns the vertex of all ranks with the largest of the values [N], or -1 if no value exceeds *greatest. On
 * a tie, the first vertex wins. Skips vertices that are marked in taken [N]; NULL: none are. *greatest
 * receives the value. */
int reduced_model_max(const ReducedModel *model, const double *values, const bool *taken, double *greatest);

/* Views the model as a linear blend of reduced coordinates. */
LinearBlend reduced_model_blend(const ReducedModel *model);

/* Sums the squared error sum_j ||Tr x_j - c_j||^2 in a fixed order. For rigid bones, the part of their
 * motions outside the reduced space is not included. */
Status reduced_model_squared_error(const ReducedModel *model, double *squared_error);
