/* Compacts weights for engines and compact file formats, by limiting their number per vertex and by
 * rounding them to integer steps. Measures the error. */
#pragma once

#include "datasets/model/dataset.h"

/* Keeps at most the `influences` largest weights of every vertex, those above WEIGHT_NEGLIGIBLE, in
 * descending order, and scales them to sum 1. Joints listed twice are merged first; on a tie the lower
 * joint is preferred. Drops centres of rotation. The rig then has `influences` slots per vertex, or its old
 * number if smaller. STATUS_USAGE if influences < 1. STATUS_BAD_INPUT if the weights of a vertex have no
 * positive sum. */
Status rig_prune(Rig *rig, int vertex_count, int influences);

enum { QUANTISE_BITS_MAX = 16 };

/* How far new weights move the skin: distances between linear blend skinning (SBS eq. 1) with old and with
 * new weights, over all frames and vertices. All 0 if there are no frames. */
typedef struct SkinDistance {
    double max, rms;
    int frame, vertex; /* frame and vertex with the largest distance */
} SkinDistance;

/* Rounds the weights to multiples of 1 / (2^bits - 1) that sum to 1. They are scaled to sum 1 and rounded
 * down; the remaining steps go to the largest remainders (on a tie, to the earlier slot). Drops centres of
 * rotation. *cost may be NULL. The message of STATUS_BAD_INPUT names a negative weight or a vertex without
 * weights. On any failure the rig is unchanged. */
Status rig_quantise(Rig *rig, const Mesh *mesh, int bits, const Progress *progress, SkinDistance *cost);
