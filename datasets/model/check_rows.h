/* The rows of dataset_check's table: one function per doubt, grouped in a file per part of a data set. */
#ifndef SKINBENCH_MODEL_CHECK_ROWS_H
#define SKINBENCH_MODEL_CHECK_ROWS_H

#include "datasets/base/status.h"
#include "datasets/model/check_finding.h"
#include "datasets/model/dataset.h"
#include <stdbool.h>

/* Whether a triangle's vertex numbers are in range: rows that use them skip the others. */
bool check_triangle_sound(const Mesh *mesh, int triangle);

/* mesh/..., check_mesh.c */
Status check_rest_finite(const Dataset *dataset, CheckFinding *finding);
Status check_triangle_range(const Dataset *dataset, CheckFinding *finding);
Status check_triangle_degenerate(const Dataset *dataset, CheckFinding *finding);
Status check_triangle_duplicate(const Dataset *dataset, CheckFinding *finding);
Status check_edge_manifold(const Dataset *dataset, CheckFinding *finding);
Status check_edge_orientation(const Dataset *dataset, CheckFinding *finding);
Status check_edge_boundary(const Dataset *dataset, CheckFinding *finding);
Status check_vertex_unreferenced(const Dataset *dataset, CheckFinding *finding);

/* rig/..., check_rig.c */
Status check_parent_order(const Dataset *dataset, CheckFinding *finding);
Status check_joint_names(const Dataset *dataset, CheckFinding *finding);
Status check_joint_range(const Dataset *dataset, CheckFinding *finding);
Status check_joint_duplicate(const Dataset *dataset, CheckFinding *finding);
Status check_joint_unused(const Dataset *dataset, CheckFinding *finding);
Status check_weight_finite(const Dataset *dataset, CheckFinding *finding);
Status check_weight_none(const Dataset *dataset, CheckFinding *finding);
Status check_weight_sum(const Dataset *dataset, CheckFinding *finding);
Status check_weight_negative(const Dataset *dataset, CheckFinding *finding);
Status check_rest_frame_finite(const Dataset *dataset, CheckFinding *finding);
Status check_rest_frame_singular(const Dataset *dataset, CheckFinding *finding);
Status check_rest_frame_rigid(const Dataset *dataset, CheckFinding *finding);
Status check_transform_finite(const Dataset *dataset, CheckFinding *finding);
Status check_transform_rigid(const Dataset *dataset, CheckFinding *finding);
Status check_transform_mirrored(const Dataset *dataset, CheckFinding *finding);
Status check_rig_away(const Dataset *dataset, CheckFinding *finding);

/* animation/... and model/..., check_animation.c */
Status check_fps(const Dataset *dataset, CheckFinding *finding);
Status check_positions_finite(const Dataset *dataset, CheckFinding *finding);
Status check_normals_finite(const Dataset *dataset, CheckFinding *finding);
Status check_normals_unit(const Dataset *dataset, CheckFinding *finding);
Status check_frame_counts(const Dataset *dataset, CheckFinding *finding);
Status check_rest_scale(const Dataset *dataset, CheckFinding *finding);
Status check_model_finite(const Dataset *dataset, CheckFinding *finding);
Status check_model_frames(const Dataset *dataset, CheckFinding *finding);

#endif
