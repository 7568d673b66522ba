/* How much a player has to hold of a fitted model. Every number counts 4 bytes, float or index:
 * - a rig: K weights and K joints per vertex, 12 numbers per bone and frame, the rest pose;
 * - a low-rank model, also one that corrects a rig: the basis, and per vertex its coefficients. Coefficients
 * that are zero need not be held where a vertex says which are not: one index per run of those that are not
 * zero (CPCA: 4 coefficients and the number of the cluster). The smaller of the two forms counts.
 * Displacements that share their factors (EigenSkin) have one number per frame. */
#ifndef SKINBENCH_FITTING_MODEL_SIZE_H
#define SKINBENCH_FITTING_MODEL_SIZE_H

#include "methods/fitting/decomposition_method.h"

/* Bytes of the model of a result; of all its frames. */
size_t decomposition_size(const DecompositionResult *result, int vertex_count);

#endif
