/* What the methods that fit bones first and weights after have in common (James and Twigg 2005; Kavan et al.
 * 2007): affine maps of groups of vertices, the best bones of every vertex, weights by non-negative least
 * squares, the error, and delivery as a rig. The rest pose is the mesh's own and stays.
 *
 * N vertices, F frames, P bones, K influences. Positions are centred per frame and the rest pose brought to
 * unit size, so that the normal equations are well scaled. Results do not depend on the number of threads. */
#ifndef SKINBENCH_FITTING_SKIN_FIT_H
#define SKINBENCH_FITTING_SKIN_FIT_H

#include "datasets/base/grouping.h"
#include "datasets/base/status.h"
#include "methods/fitting/decomposition_method.h"
#include "methods/fitting/rig_delivery.h"
#include "methods/reduction/trajectories.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct SkinFit {
    const DecompositionInput *input;
    int vertex_count, bone_count, influence_count;
    Trajectories target;      /* less each frame's mean */
    double *rest;             /* [N][3] normalised rest pose */
    RestUnits units;          /* of rest */
    double *maps;             /* [4P][3F] rows 4j to 4j + 3 are the columns of bone j's affine map of
                               * rest points to centred positions */
    int32_t *bones;           /* [N][K] influences; unused slots: bone 0, weight 0 */
    double *weights;          /* [N][K] not negative, sum 1 */
    int64_t singular_systems; /* fallbacks taken so far */
} SkinFit;

/* Vertices to fit each bone to, with their masses. */
typedef struct Groups {
    Grouping vertices; /* P groups */
    double *masses;    /* [vertices.first[P]] positive; NULL: all 1 */
} Groups;

void groups_clear(Groups *groups);

/* Groups from the group of each vertex, group_of [N] in 0 to count - 1, with masses 1; those without a vertex
 * are left out. */
Status groups_of_vertices(const int32_t *group_of, int vertex_count, int count, Groups *groups);

/* Gathers the animation; no bones yet. Release with skin_fit_clear. */
Status skin_fit_make(const DecompositionInput *input, int influence_count, SkinFit *fit);
void skin_fit_clear(SkinFit *fit);

/* Sets bones and maps to the least-squares fit of each group's motion, frame by frame: affine maps, or
 * rigid motions. What a flat or narrow group leaves open about an affine map is as in the rigid one. Every
 * group needs a member. */
Status skin_fit_maps(SkinFit *fit, const Groups *groups, bool rigid);

/* Keeps at most `wanted` bones: one by one, that which leaves the least sum of squared errors when every
 * vertex is predicted by the best of those kept; then bones kept are exchanged for others while that lowers
 * the sum. Large meshes are judged by an even sample of their vertices. */
Status skin_fit_choose(SkinFit *fit, int wanted);

/* Sets bones and weights of all vertices from the maps: the bones that predict a vertex best each on its own,
 * then non-negative least squares with `penalty` on the sum, in units of the mean square of the predictions;
 * at last the weights are scaled to sum 1. */
Status skin_fit_weights(SkinFit *fit, double penalty);

/* ||A - A'||_F^2 over explicit differences in a fixed order of summation. */
Status skin_fit_error(const SkinFit *fit, double *squared_error);

/* Rounds the weights to the float of a data set and fills rig, rest pose, bones_delivered and
 * singular_systems of the result; *squared_error becomes that of exactly this model. Bones without a vertex
 * are left out. */
Status skin_fit_deliver(SkinFit *fit, DecompositionResult *result, double *squared_error);

#endif
