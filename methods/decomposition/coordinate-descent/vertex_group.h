/* Eight vertices side by side: their bones under consideration with what these predict, and the solvers of
 * rest positions and weights on them (FESAM sections 4.3 and 4.4). Scans over all bones go vertex by vertex,
 * with the bones along the vectors; what is dense in the few bones of a vertex goes with the vertices along
 * them. */
#pragma once

#include "methods/decomposition/coordinate-descent/lane_solvers.h"

typedef enum BoneChoice {
    CHOICE_PREDICTION, /* FESAM: the bones that predict the vertex best each on its own */
    CHOICE_GREEDY,     /* one by one, the bone that lowers the error of the constrained fit the most */
    CHOICE_MIXED       /* the best of prediction, greedy and the bones the vertex has */
} BoneChoice;

/* What the scans of one thread work in. Of a vertex: numbers per bone, up to BonePairs.stride. */
typedef struct ScanWorkspace {
    double *squares;  /* [LANES][stride] ||Theta_j||^2: predictions of the bones */
    double *products; /* [LANES][stride] Theta_j . y */
    double *inner;    /* [INFLUENCES_MAX][LANES][stride] Theta_j . Theta_k of the bones of a set */
} ScanWorkspace;

Status scan_workspace_make(ScanWorkspace *workspace, int stride);
void scan_workspace_clear(ScanWorkspace *workspace);

/* Takes up what the vertices have: bones and weights [influences] of each lane. */
void group_bones_take(const VertexGroup *group, int32_t *const bones[LANES], double *const weights[LANES],
                      GroupBones *set);

/* Moves the rest positions to the minimum of ||Lambda v - Gamma||^2 under the weights of a set: the 3 x 3
 * normal equations are sums of forms and h over the bones. Where they are singular the pseudoinverse is
 * applied to the step, so that v keeps what the animation says nothing about. A vertex without weights stays.
 * Returns how many took that fallback. */
int group_rest_solve(VertexGroup *group, const GroupBones *set);

/* Chooses bones and fits their weights; `set` holds the present ones, which CHOICE_MIXED considers, and
 * becomes the best. A bone whose prediction depends (affinely, to rounding) on those already chosen is
 * skipped for the next best. */
void group_bones_choose(const VertexGroup *group, BoneChoice choice, ScanWorkspace *workspace,
                        GroupBones *set);

/* Fits the weights of the bones of a set, of which every vertex needs one, and drops those that get none. */
void group_weights_fit(const VertexGroup *group, GroupBones *set);

/* What a vertex would lose without each of its bones: losses [influences] of each lane is how much the
 * squared error of its weights rises when they are fitted to the others, or, for an only bone, to the best
 * other one. Fits the weights of `set`. */
void group_losses(const VertexGroup *group, GroupBones *set, double *const losses[LANES]);

/* Writes bones and weights [influences] of a lane: unused slots last, with bone 0 and weight 0. */
void group_bones_store(const VertexGroup *group, const GroupBones *set, int lane, int32_t *bones,
                       double *weights);
