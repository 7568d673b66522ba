/* Steps of smooth skinning decomposition (Le and Deng 2012), which work on a SkinFit. First vertices of
 * similar motion are clustered; then weights and bones are solved alternately. Results do not depend on the
 * number of threads. */
#pragma once

#include "datasets/base/grouping.h"
#include "methods/decomposition/ssdr/skeleton.h"

/* Makes up to `wanted` bones by splitting clusters of vertices in two (Linde, Buzo and Gray 1980). Each
 * bone is the best motion of a cluster, and each vertex gets its cluster's bone with weight 1. `start`
 * selects where clusters split. */
Status motion_clusters_make(SkinFit *fit, int wanted, bool rigid, uint64_t start);

/* Solves for the weights of every vertex, at most K convex weights. The error never rises for any vertex.
 *   smooth   strength of the penalty smooth ||w - mean||^2, with the mean of the neighbours' weights;
 *   corners  result of corners_at_vertices; not read if smooth is 0. */
Status convex_weights_solve(SkinFit *fit, double smooth, const Grouping *corners);

/* Solves for each bone with the other bones fixed, `rounds` times. Bones get rigid motions or affine maps.
 * `skeleton` may be NULL. If it is not, soft joints connect bones to their parents with strength `pull`,
 * relative to the mean mass of a bone. If `pull` is INFINITY, joints are rigid: a bone and its descendants
 * turn about the bone's joint. In that case, call skeleton_hold first. */
Status bone_transformations_solve(SkinFit *fit, bool rigid, int rounds, const FitSkeleton *skeleton,
                                  double pull);

/* Replaces the map of each bone in every frame by the nearest rotation that moves the middle of the bone's
 * vertices to the same place. */
Status bones_make_rigid(SkinFit *fit);

/* Moves every bone whose squared weights sum to less than `min` to the vertex of largest error and its 20
 * nearest vertices. Each bone gets a different place. *moved receives whether there is such a bone. The
 * caller must solve for the weights next. */
Status insignificant_bones_move(SkinFit *fit, bool rigid, double min, bool *moved);
