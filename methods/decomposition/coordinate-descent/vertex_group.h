/* Eight vertices with their candidate bones and the bones' predictions, and the solvers of rest positions
 * and weights (FESAM sections 4.3 and 4.4). A scan over all bones treats one vertex, with one bone per
 * vector lane. Dense work on the few bones of a vertex treats eight vertices, one per lane. */
#pragma once

#include "methods/decomposition/coordinate-descent/lane_solvers.h"

typedef enum BoneChoice {
    CHOICE_PREDICTION, /* chooses the bones with the best single predictions, as in FESAM */
    CHOICE_GREEDY, /* adds bones one after another, each time the bone that lowers the error of the blend most
                    */
    CHOICE_MIXED   /* uses the best of three choices: by prediction, greedily, and the current bones */
} BoneChoice;

/* Workspace of one thread for scans. A row has one number per bone, padded to BonePairs.stride. */
typedef struct ScanWorkspace {
    double *squares;  /* [LANES][stride] ||Theta_j||^2, squared norm of the prediction of bone j */
    double *products; /* [LANES][stride] Theta_j . y, product of the prediction with the target */
    double *inner; /* [INFLUENCES_MAX][LANES][stride] Theta_j . Theta_k for each bone j of a set and all bones
                      k */
} ScanWorkspace;

/* Loads the bones and weights [influences] of the vertex in each lane. */
void group_bones_load(const VertexGroup *group, int32_t *const bones[LANES], double *const weights[LANES],
                      GroupBones *set);

/* Moves the rest positions to the minimum of ||Lambda v - Gamma||^2 for the weights of a set. The 3 x 3
 * normal equations are summed over the bones. If they are singular, the pseudoinverse gives the step;
 * directions that the animation does not determine then do not change. A vertex without weights does not
 * move. Returns the number of singular systems. */
int group_rest_solve(VertexGroup *group, const GroupBones *set);

/* Chooses bones and fits their weights. On entry `set` has the current bones, which CHOICE_MIXED considers;
 * on return it has the best bones. A bone is skipped if its prediction depends affinely, up to rounding, on
 * those of chosen bones. */
void group_bones_choose(const VertexGroup *group, BoneChoice choice, ScanWorkspace *workspace,
                        GroupBones *set);

/* Fits the weights of the bones of a set and drops bones whose weight becomes 0. Every vertex must have at
 * least one bone. */
void group_weights_fit(const VertexGroup *group, GroupBones *set);

/* Measures the increase of a vertex's squared error if each of its bones is removed: losses [influences] of
 * each lane. The weights are refitted to the remaining bones. If a vertex has a single bone, its
 * second-best bone replaces it. Also fits the weights of `set`. */
void group_losses(const VertexGroup *group, GroupBones *set, double *const losses[LANES]);

/* Writes bones and weights [influences] of the vertex in a lane; unused slots come last, with bone 0 and
 * weight 0. */
void group_bones_store(const VertexGroup *group, const GroupBones *set, int lane, int32_t *bones,
                       double *weights);
