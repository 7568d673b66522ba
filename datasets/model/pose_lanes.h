/* Linear blend skinning (SBS eq. 1) in double, of many vertices in LANES frames at once: lanes are frames, as
 * rest position and weights are the same in all. To the bit what rig_skin_point (evaluate.h) makes of a
 * vertex and a frame. */
#pragma once

#include "datasets/base/lanes.h"
#include "datasets/model/dataset.h"

/* Numbers in the palette of a joint: the entries of its transformation, each in all frames. */
enum { POSE_LANES_JOINT = 12 * LANES };

/* The palette [joints][POSE_LANES_JOINT] of `count` frames from `first` on, LANES at most; further lanes hold
 * the last one. */
void pose_lanes_palette(const Rig *rig, int first, int count, double *palette);

/* Vertices first to first + count - 1 of a mesh at `rest` [N][3] to rows[f] [N][3] of every frame of the
 * palette. */
void pose_lanes_skin(const Rig *rig, const double *palette, const float *rest, int first, int count,
                     float *const rows[LANES]);
