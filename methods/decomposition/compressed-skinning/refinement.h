/* Refines the result of Adam by alternating exact steps. Each step lowers the error; the smoothness term of
 * the published error (the Laplacian) is left out. */
#pragma once

#include "methods/decomposition/compressed-skinning/proximal_adam.h"

/* Moves weight of each vertex between bones as long as that lowers its error. A vertex keeps at most K
 * weights, with sum 1. The smoothness term is ignored. */
Status weights_refine(ProximalAdam *adam);

/* Sets the non-zero entries of each shape to the values of least error, for weights divided by their sum.
 * exchange: also replaces the least useful entries by more promising ones, at most one in each shape. */
Status entries_refine(ProximalAdam *adam, bool exchange);
