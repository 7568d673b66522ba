/* Fewer influences per vertex, as engines want them. */
#pragma once

#include "datasets/base/status.h"
#include "datasets/model/dataset.h"

/* Keeps the `influences` largest weights of every vertex and scales them to sum 1. Joints listed twice are
 * added up first; equal weights go to the lower joint; kept ones stand in descending order. The rig then has
 * `influences` slots per vertex, or as many as it had if that is fewer; centres of rotation, which belonged
 * to the old weights, are dropped.
 * A vertex whose weights have a positive sum keeps one: the mean of its largest is at least the mean of all.
 * STATUS_USAGE for influences below 1; STATUS_BAD_INPUT names a vertex whose weights have no positive sum. */
Status rig_prune(Rig *rig, int vertex_count, int influences);
