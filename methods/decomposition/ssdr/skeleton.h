/* The skeleton of a fit of rigid bones (Le and Deng 2014): parents, and joints at rest. P bones. */
#pragma once

#include "methods/fitting/skin_fit.h"

typedef struct FitSkeleton {
    int count;        /* of bones that move a vertex */
    int32_t *parents; /* [P] -1: the root */
    int32_t *order;   /* [count] bones, parents first */
    double *joints;   /* [P][3] where a bone turns against its parent, in the fit's units */
} FitSkeleton;

/* Finds the hierarchy of the bones and their joints; `out` is zero or of the same fit. Release with
 * skeleton_clear. */
Status skeleton_make(const SkinFit *fit, FitSkeleton *out);
void skeleton_clear(FitSkeleton *skeleton);

/* Gives the vertices of a bone that moves as another, to less than `squared` (a sum over vertices and
 * frames), to that one, the nearest pair first; it goes, and the skeleton is made anew. */
Status skeleton_prune(SkinFit *fit, double squared, FitSkeleton *skeleton);

/* Moves each bone, parents first, so that it and its parent agree on where its joint is, in every frame. */
void skeleton_hold(const FitSkeleton *skeleton, SkinFit *fit);

/* Brings the joints of a rig that skin_fit_deliver made in an order with parents first, and gives them names,
 * parents and rest frames at their joints. */
Status skeleton_deliver(const FitSkeleton *skeleton, const SkinFit *fit, Rig *rig);
