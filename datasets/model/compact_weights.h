/* Compacts weights for engines and compact file formats: limits the number of weights per vertex, rounds
 * them to integer steps, and measures the error. */
#pragma once

#include "datasets/model/dataset.h"

/* Keeps the largest weights of every vertex: at most `influences` of them, all above WEIGHT_NEGLIGIBLE, in
 * descending order and scaled to sum 1. Joints listed twice are merged first. Of equal weights, the one
 * with the lower joint number is preferred. Drops the centres of rotation. The rig then has `influences`
 * slots per vertex, or its old number if that is smaller. STATUS_USAGE if influences < 1. STATUS_BAD_INPUT
 * if the weights of a vertex have no positive sum. */
Status rig_prune(Rig *rig, int vertex_count, int influences);

enum { QUANTISE_BITS_MAX = 16 };

/* How far new weights move the skin. Linear blend skinning (SBS eq. 1) is computed with the old and with
 * the new weights, and the distances between the two are evaluated over all frames and vertices. All
 * members are 0 if there are no frames. */
typedef struct SkinDistance {
    double max, rms;
    int frame, vertex; /* frame and vertex with the largest distance */
} SkinDistance;

/* Measures the distance between the skins of two rigs that differ in their weights. */
Status skin_distance(const Rig *one, const Rig *other, const Mesh *mesh, const Progress *progress,
                     SkinDistance *out);

/* Rounds the weights to multiples of 1 / (2^bits - 1) that sum to 1. The weights are scaled to sum 1 and
 * rounded down. The remaining steps go to the weights with the largest remainders, or to the earlier slot
 * if remainders are equal. Drops the centres of rotation. *cost may be NULL. The message of
 * STATUS_BAD_INPUT names a negative weight or a vertex without weights. On any failure the rig is
 * unchanged. */
Status rig_quantise(Rig *rig, const Mesh *mesh, int bits, const Progress *progress, SkinDistance *cost);
