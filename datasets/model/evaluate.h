/* What a rig or a low-rank model makes of a vertex in a frame, in double. `vertex_count` is the mesh's.
 * Indices are taken as they are: they must have been validated. */
#pragma once

#include "datasets/geometry/points.h"
#include "datasets/model/dataset.h"

/* start + sum_k w_k C_k (rest, 1): linear blend skinning (SBS eq. 1) of a vertex that stands at `rest`. From
 * zero it is the skinned position, from minus a target what is missed. */
Vec3 rig_skin_point(const Rig *rig, int frame, int vertex, Vec3 rest, Vec3 start);

/* sum_k w_k C_k: the matrix that linear blend skinning applies to a vertex. */
Transform rig_blend(const Rig *rig, int frame, int vertex);

/* start + the vertex' three rows of basis times coefficients in a frame: the position itself where there is
 * no rig, else what is added to the rest position (LowRank in dataset.h). */
Vec3 low_rank_point(const LowRank *model, int frame, int vertex_count, int vertex, Vec3 start);

/* Where a vertex is in a frame by the rig, by the low-rank model, or by both where both are there; a rig's
 * `scale` is another matter (two_phase.h). */
Vec3 model_point(const Mesh *mesh, const Rig *rig, const LowRank *model, int frame, int vertex);

/* The joint of a vertex' greatest weight; of equal ones that of the first slot. */
int32_t rig_heaviest_joint(const Rig *rig, int vertex);
