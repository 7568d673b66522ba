/* Weights as engines and files of few bits want them: fewer per vertex, in whole steps, and what that costs.
 */
#pragma once

#include "datasets/model/dataset.h"

/* Keeps the `influences` largest weights of every vertex that are not negligible (WEIGHT_NEGLIGIBLE), in
 * descending order, and scales them to sum 1. Adds up joints listed twice first; of equal weights the lower
 * joint's is kept. Drops centres of rotation. The rig then has `influences` slots per vertex, or as many as
 * it had if that is fewer. STATUS_USAGE: influences below 1. STATUS_BAD_INPUT names a vertex whose weights
 * have no positive sum. */
Status rig_prune(Rig *rig, int vertex_count, int influences);

enum { QUANTISE_BITS_MAX = 16 };

/* What other weights move the skin by: distances between the linear blends (SBS eq. 1) of the rest pose under
 * either, over all frames and vertices; all 0 without frames. */
typedef struct SkinDistance {
    double max, rms;
    int frame, vertex; /* of the greatest */
} SkinDistance;

/* Replaces the weights by the nearest whole numbers of 1 / (2^bits - 1) that sum to 1: scaled to sum 1,
 * rounded down, and the steps left over given to the largest remainders (ties: the earlier slot). bits: 1 to
 * QUANTISE_BITS_MAX. Centres of rotation are dropped. *cost may be NULL. STATUS_BAD_INPUT names a negative
 * weight, or a vertex without any; STATUS_STOPPED, STATUS_SYSTEM; the rig is as it was then. */
Status rig_quantise(Rig *rig, const Mesh *mesh, int bits, const Progress *progress, SkinDistance *cost);
