/* Refines the result of Adam by alternating exact steps. Each step lowers the error. The published
 * smoothness term (the Laplacian) is left out. */
#pragma once

#include "methods/decomposition/compressed-skinning/proximal_adam.h"

/* Moves weight between the bones of each vertex until no move lowers the error, without the smoothness
 * term. A vertex keeps at most K weights, and their sum is 1. */
Status weights_refine(ProximalAdam *adam);

/* Sets the non-zero entries of each shape's transformations to the values of least error for the current
 * weights, divided by their sum. If `exchange`, also replaces the least useful entry of each shape by a
 * more promising one, if there is one. */
Status entries_refine(ProximalAdam *adam, bool exchange);
