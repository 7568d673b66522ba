/* The steps of smooth skinning decomposition (Le and Deng 2012), each over a SkinFit: clusters of like
 * motion, then weights and bones in turn. Results do not depend on the number of threads. */
#pragma once

#include "datasets/base/grouping.h"
#include "methods/decomposition/ssdr/skeleton.h"

/* Makes up to `wanted` bones, each the best motion of a cluster of vertices, by splitting clusters in two
 * (Linde, Buzo and Gray 1980). Every vertex gets the bone of its cluster with weight 1. Each `start` splits
 * elsewhere. */
Status motion_clusters_make(SkinFit *fit, int wanted, bool rigid, uint64_t start);

/* Solves for the weights of every vertex: convex, at most K of them. No vertex gets worse.
 *   smooth   draws weights towards the mean of the neighbours': adds smooth ||w - mean||^2; 0: not
 *   corners  of corners_at_vertices; not read where smooth is 0 */
Status convex_weights_solve(SkinFit *fit, double smooth, const Grouping *corners);

/* Solves for the bones in turn, `rounds` times, each under the others: rigid motions or affine maps. With a
 * skeleton (NULL: none) joints hold bones to their parents, as hard as `pull` mean bones; INFINITY: bones
 * turn about their joints, all below them with them, from where skeleton_hold put them. */
Status bone_transformations_solve(SkinFit *fit, bool rigid, int rounds, const FitSkeleton *skeleton,
                                  double pull);

/* Moves every bone whose squared weights sum to less than `min` to the vertex of greatest error and its 20
 * nearest; no two to the same. Weights are to be solved for next. */
Status insignificant_bones_move(SkinFit *fit, bool rigid, double min);
