/* Models that need no method: one bone per vertex, or one bone for all vertices. The result of a fit is
 * compared with the latter. */
#pragma once

#include "methods/fitting/decomposition_method.h"

/* Makes a model with a bone for every vertex, which has no error. The bones only translate. */
Status vertex_bones_fit(const DecompositionInput *input, DecompositionResult *result);

/* Replaces the model of a result by one bone for all vertices, affine or rigid, if that bone gives a
 * smaller error. Its error is at most the error of a mesh that stays at rest. The animation must be in
 * memory, in a single process. */
Status single_bone_replace(const DecompositionInput *input, const DecompositionOptions *options, bool rigid,
                           DecompositionResult *result);
