/* Fewer influences per vertex, as engines want them. */
#pragma once

#include "datasets/model/dataset.h"

/* Keeps the `influences` largest weights of every vertex, in descending order, and scales them to sum 1.
 * Adds up joints listed twice first; of equal weights the lower joint's is kept. Drops centres of rotation.
 * The rig then has `influences` slots per vertex, or as many as it had if that is fewer.
 * STATUS_USAGE: influences below 1. STATUS_BAD_INPUT names a vertex whose weights have no positive sum. */
Status rig_prune(Rig *rig, int vertex_count, int influences);
