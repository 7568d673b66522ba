/* Evaluates a rig or a low-rank model for one vertex in one frame, in double. `vertex_count` is the number
 * of vertices of the mesh. Indices are not checked, so the data set must have been validated. */
#pragma once

#include "datasets/geometry/points.h"
#include "datasets/model/dataset.h"

/* Returns linear blend skinning (SBS eq. 1) of a vertex at `rest`, added to `start`:
 *
 *   start + sum_k w_k C_k (rest, 1)
 *
 * This is the skinned position if start is 0, and the error if start is -target. */
Vec3 rig_skin_point(const Rig *rig, int frame, int vertex, Vec3 rest, Vec3 start);

/* Returns sum_k w_k C_k, the matrix that linear blend skinning applies to a vertex. */
Transform rig_blend(const Rig *rig, int frame, int vertex);

/* Returns `start` plus basis * coefficients for one vertex in one frame (three rows of the basis). Without
 * a rig this product is the position, otherwise the correction of the rest position (LowRank in
 * dataset.h). */
Vec3 low_rank_point(const LowRank *model, int frame, int vertex_count, int vertex, Vec3 start);

/* Returns the position of a vertex in a frame. It is computed by the rig, by the low-rank model, or by both
 * together if both exist. Ignores a rig's `scale` (see two_phase.h). */
Vec3 model_point(const Mesh *mesh, const Rig *rig, const LowRank *model, int frame, int vertex);

/* Returns the joint with the largest weight of a vertex. Of several equal weights, the one in the first
 * slot counts. */
int32_t rig_heaviest_joint(const Rig *rig, int vertex);
