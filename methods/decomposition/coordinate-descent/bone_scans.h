/* Choices of one vertex among all bones, by scans over what these predict. Squares and products [P] are those
 * of bone_pairs.h: of every prediction with itself and with the target. */
#pragma once

#include "methods/decomposition/coordinate-descent/lane_solvers.h"

/* The `wanted` bones (at most twice INFLUENCES_MAX) that predict best each on its own, in that order; returns
 * how many there are. */
int bones_rank(int bone_count, const double *squares, const double *products, int wanted, int32_t *best);

/* The same without those whose prediction depends (affinely, to rounding) on others before them. */
int bones_rank_independent(const VertexProblem *problem, const double v[3], const double *squares,
                           const double *products, int wanted, int32_t *best);

/* The bone towards which the blend's error falls the most along a straight line; -1 when there is none. */
int32_t bone_of_greatest_gain(const BoneBlend *blend, int bone_count);
