/* The weights of a vertex under given transformations and rest position (FESAM section 4.4): which bones may
 * influence it, then their convex combination nearest to the target. */
#ifndef SKINBENCH_COORDINATE_DESCENT_WEIGHTS_H
#define SKINBENCH_COORDINATE_DESCENT_WEIGHTS_H

#include "methods/decomposition/coordinate-descent/bone_pairs.h"

typedef enum BoneChoice {
    CHOICE_PREDICTION, /* FESAM: the bones that predict the vertex best each on its own */
    CHOICE_GREEDY,     /* one by one, the bone that lowers the error of the constrained fit the most */
    CHOICE_MIXED       /* the best of prediction, greedy and the bones the vertex has */
} BoneChoice;

/* Workspace of the solvers of one thread: a number per bone, and for scans up to BonePairs.stride. */
typedef struct WeightsWorkspace {
    double *squares;  /* [stride] ||Theta_j||^2: predictions of the bones */
    double *products; /* [stride] Theta_j . y */
    double *inner;    /* [INFLUENCES_MAX][stride] Theta_j . Theta_k of the bones of a set */
    double *blend;    /* [stride] Theta_j . blend */
    double *gains;    /* [stride] */
} WeightsWorkspace;

Status weights_workspace_make(WeightsWorkspace *workspace, int stride);
void weights_workspace_clear(WeightsWorkspace *workspace);

/* Chooses bones for rest position v and fits their weights.
 *   bones, weights [influences]  in: the current ones (read by CHOICE_MIXED), out: the new ones, unused slots
 *                                last with bone 0 and weight 0
 * A bone whose prediction depends (affinely, to rounding) on those already chosen is passed over for the next
 * best. Returns the squared error. */
double weights_solve(const VertexProblem *problem, BoneChoice choice, int influences, const double v[3],
                     int32_t *bones, double *weights, WeightsWorkspace *workspace);

/* Fits the weights of the bones a vertex has, at least one of them, and drops those that get none; returns
 * the squared error. */
double weights_fit(const VertexProblem *problem, int influences, const double v[3], int32_t *bones,
                   double *weights);

/* What a vertex would lose without each of its bones: losses [influences] is how much the squared error of
 * its weights rises when they are fitted to the others, or, for an only bone, to the best other one. Returns
 * the squared error with all. */
double weights_losses(const VertexProblem *problem, int influences, const double v[3], const int32_t *bones,
                      const double *weights, double *losses);

#endif
