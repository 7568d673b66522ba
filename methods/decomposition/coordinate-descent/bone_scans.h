/* Chooses bones for one vertex by comparing the predictions of all bones. squares [P] holds the inner
 * product of each prediction with itself; products [P] holds its inner product with the target
 * (bone_pairs.h). */
#pragma once

#include "methods/decomposition/coordinate-descent/lane_solvers.h"

/* Finds the `wanted` bones (at most twice INFLUENCES_MAX) with the best single predictions, best first.
 * Returns their number. */
int bones_rank(int bone_count, const double *squares, const double *products, int wanted, int32_t *best);

/* Finds bones like bones_rank, but skips a bone whose prediction is, up to rounding, an affine combination
 * of the predictions of bones chosen earlier. */
int bones_rank_independent(const VertexProblem *problem, const double v[3], const double *squares,
                           const double *products, int wanted, int32_t *best);

/* Returns the bone towards which the error of the blend falls fastest, or -1 if no bone lowers it. */
int32_t bone_of_greatest_gain(const BoneBlend *blend, int bone_count);
