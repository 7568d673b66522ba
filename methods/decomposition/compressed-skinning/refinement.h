/* Refines the result of Adam by alternating exact steps. Each step lowers the error, in which the Laplacian
 * term is not included. */
#pragma once

#include "methods/decomposition/compressed-skinning/proximal_adam.h"

/* Moves weight of each vertex between bones as long as that lowers its error. At most K weights remain, and
 * their sum becomes 1. The Laplacian term is ignored. */
Status weights_refine(ProximalAdam *adam);

/* Sets the non-zero entries to the minimum, shape by shape, for weights divided by their sum. `exchange`:
 * replaces the least useful entries by more promising ones, at most one in each shape. */
Status entries_refine(ProximalAdam *adam, bool exchange);
