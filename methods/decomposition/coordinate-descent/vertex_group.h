/* Eight vertices side by side: their candidate bones with the bones' predictions, and the solvers of rest
 * positions and weights (FESAM sections 4.3 and 4.4). Scans over all bones handle one vertex at a time,
 * with bones in the vector lanes; dense work on the few bones of a vertex has vertices in the lanes. */
#pragma once

#include "methods/decomposition/coordinate-descent/lane_solvers.h"

typedef enum BoneChoice {
    CHOICE_PREDICTION, /* FESAM: the bones with the best single predictions */
    CHOICE_GREEDY,     /* one after another, the bone that lowers the constrained error most */
    CHOICE_MIXED       /* the best of prediction, greedy and the current bones */
} BoneChoice;

/* Memory for the scans of one thread: for each vertex one number per bone, up to BonePairs.stride. */
typedef struct ScanWorkspace {
    double *squares;  /* [LANES][stride] ||Theta_j||^2: predictions of the bones */
    double *products; /* [LANES][stride] Theta_j . y */
    double *inner;    /* [INFLUENCES_MAX][LANES][stride] Theta_j . Theta_k of the bones of a set */
} ScanWorkspace;

Status scan_workspace_make(ScanWorkspace *workspace, int stride);
void scan_workspace_clear(ScanWorkspace *workspace);

/* Loads the vertices' bones and weights [influences] of each lane. */
void group_bones_take(const VertexGroup *group, int32_t *const bones[LANES], double *const weights[LANES],
                      GroupBones *set);

/* Moves the rest positions to the minimum of ||Lambda v - Gamma||^2 under the weights of a set. The 3 x 3
 * normal equations are sums of forms and h over the bones. If they are singular the pseudoinverse gives the
 * step, so directions that the animation does not determine keep their value. A vertex without weights
 * stays. Returns the number of these fallbacks. */
int group_rest_solve(VertexGroup *group, const GroupBones *set);

/* Chooses bones and fits their weights. `set` has the current bones, which CHOICE_MIXED considers, and
 * becomes the best set. A bone whose prediction depends on chosen ones (affinely, up to rounding) is
 * skipped. */
void group_bones_choose(const VertexGroup *group, BoneChoice choice, ScanWorkspace *workspace,
                        GroupBones *set);

/* Fits the weights of the bones of a set, and drops bones without weight. Every vertex needs a bone. */
void group_weights_fit(const VertexGroup *group, GroupBones *set);

/* Measures the loss of a vertex without each of its bones. losses [influences] of each lane: the increase
 * of the squared error if the weights are refitted to the others or, for an only bone, to the best other
 * one. Fits the weights of `set`. */
void group_losses(const VertexGroup *group, GroupBones *set, double *const losses[LANES]);

/* Writes bones and weights [influences] of a lane; unused slots are last, with bone 0 and weight 0. */
void group_bones_store(const VertexGroup *group, const GroupBones *set, int lane, int32_t *bones,
                       double *weights);
