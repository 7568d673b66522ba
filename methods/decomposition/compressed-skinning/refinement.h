/* Refines the result of Adam by alternating exact steps. Each step lowers the error. The published
 * smoothness term (the Laplacian) is left out. */
#pragma once

#include "methods/decomposition/compressed-skinning/proximal_adam.h"

/* Moves weight of each vertex between bones as long as that lowers its error, without the smoothness term.
 * A vertex keeps at most K weights, with sum 1. */
Status weights_refine(ProximalAdam *adam);

/* Sets the non-zero entries of each shape to the values of least error for the current weights, divided by
 * their sum. If `exchange`, also replaces the least useful entry of each shape by a more promising one, if
 * there is one. */
Status entries_refine(ProximalAdam *adam, bool exchange);
