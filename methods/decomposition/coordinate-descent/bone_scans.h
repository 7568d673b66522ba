/* Chooses among all bones for one vertex, by scans over their predictions. squares [P] and products [P] are
 * those of bone_pairs.h: each prediction times itself and times the target. */
#pragma once

#include "methods/decomposition/coordinate-descent/lane_solvers.h"

/* Finds the `wanted` bones (at most twice INFLUENCES_MAX) with the best single predictions, best first.
 * Returns their number. */
int bones_rank(int bone_count, const double *squares, const double *products, int wanted, int32_t *best);

/* As bones_rank, but skips bones whose prediction depends on earlier ones (affinely, up to rounding). */
int bones_rank_independent(const VertexProblem *problem, const double v[3], const double *squares,
                           const double *products, int wanted, int32_t *best);

/* Returns the bone towards which the error of the blend falls most along a straight line, or -1 if there is
 * none. */
int32_t bone_of_greatest_gain(const BoneBlend *blend, int bone_count);
