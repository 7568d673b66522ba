/* The models that need no method. No fit may be worse than they are. */
#pragma once

#include "methods/fitting/decomposition_method.h"

/* Fills the result with a bone for every vertex, which is exact. The transformations are translations. */
Status vertex_bones_fit(const DecompositionInput *input, DecompositionResult *result);

/* Replaces the model of a result by one bone for all vertices, affine or rigid, if that has less error. It
 * never has more than a mesh that stays at rest. The animation must be in memory, on one rank. */
Status single_bone_replace(const DecompositionInput *input, const DecompositionOptions *options, bool rigid,
                           DecompositionResult *result);
