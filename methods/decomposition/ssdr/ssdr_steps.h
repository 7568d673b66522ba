/* The steps of smooth skinning decomposition (Le and Deng 2012), each working on a SkinFit: clusters of
 * similar motion, then weights and bones alternately. Results do not depend on the number of threads. */
#pragma once

#include "datasets/base/grouping.h"
#include "methods/decomposition/ssdr/skeleton.h"

/* Makes up to `wanted` bones by splitting clusters of vertices in two (Linde, Buzo and Gray 1980). Each
 * bone is the best motion of a cluster, and each vertex gets its cluster's bone with weight 1. `start`
 * selects where clusters split. */
Status motion_clusters_make(SkinFit *fit, int wanted, bool rigid, uint64_t start);

/* Solves for the weights of every vertex: convex, at most K of them. No vertex gets worse.
 *     smooth   adds smooth ||w - mean||^2, with the mean of the neighbours' weights; 0: not used
 *     corners  from corners_at_vertices; not read if smooth is 0 */
Status convex_weights_solve(SkinFit *fit, double smooth, const Grouping *corners);

/* Solves for each bone given the others, `rounds` times: rigid motions or affine maps. With a skeleton (may
 * be NULL) joints hold bones to their parents with strength `pull`, in mean bones. If pull is INFINITY,
 * bones turn about their joints together with all bones below them; call skeleton_hold first. */
Status bone_transformations_solve(SkinFit *fit, bool rigid, int rounds, const FitSkeleton *skeleton,
                                  double pull);

/* Moves every bone whose squared weights sum to less than `min` to the vertex of largest error and its 20
 * nearest vertices, each bone to another place. Weights must be solved next. */
Status insignificant_bones_move(SkinFit *fit, bool rigid, double min);
