/* Skeleton of a fit of rigid bones (Le and Deng 2014): the parents of the bones, and their joints in the
 * rest pose. P is the number of bones. */
#pragma once

#include "methods/fitting/skin_fit.h"

typedef struct FitSkeleton {
    int count;        /* number of bones that move a vertex */
    int32_t *parents; /* [P] parent of each bone; -1 for the root */
    int32_t *order;   /* [count] bones, parents first */
    double *joints;   /* [P][3] joint between each bone and its parent, in the units of the fit */
} FitSkeleton;

/* Finds the hierarchy of the bones and their joints. `out` must be all zeros or a skeleton made for the
 * same fit. Release with skeleton_clear. */
Status skeleton_make(const SkinFit *fit, FitSkeleton *out);
void skeleton_clear(FitSkeleton *skeleton);

/* Merges pairs of bones whose motions differ by less than `squared` (a sum over vertices and frames),
 * nearest pair first. The vertices of one bone move to the other, the empty bone is removed, and the
 * skeleton is rebuilt. */
Status skeleton_prune(SkinFit *fit, double squared, FitSkeleton *skeleton);

/* Moves each bone, parents first, so that the bone and its parent agree on the position of its joint in
 * every frame. */
void skeleton_hold(const FitSkeleton *skeleton, SkinFit *fit);

/* Sorts the joints of a rig made by skin_fit_deliver so that parents come first. Gives the joints names,
 * parents, and rest frames at their positions. */
Status skeleton_deliver(const FitSkeleton *skeleton, const SkinFit *fit, Rig *rig);
