/* What steps of Adam leave over is won exactly, by turns; each step lowers the error, of which the Laplacian
 * has no part where adam->laplacian is 0. */
#pragma once

#include "methods/decomposition/compressed-skinning/proximal_adam.h"

/* Moves weight of each vertex between bones as long as that lowers its error; at most K keep some, and the
 * sum becomes 1. The Laplacian has no part in it. */
Status weights_refine(ProximalAdam *adam);

/* Sets the entries that are not 0 to the minimum for weights divided by their sum, shape by shape.
 * `exchange`: gives up entries that are worth least for those that promise more, at most one of each in a
 * shape. */
Status entries_refine(ProximalAdam *adam, bool exchange);
