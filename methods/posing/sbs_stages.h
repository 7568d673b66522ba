/* Bind and pose stages of spherical blend skinning, for any kernel that averages rotations. The method's
 * parameters start with the four rows of SBS_PARAMETERS, its palette is that of
 * methods/kernel/center.kernel.h, and its values per set are those of methods/kernel/set_center.h. */
#pragma once

#include "methods/kernel/set_center.h"
#include "methods/posing/rigid_pose.h"
#include "methods/posing/set_centers.h"

enum { SBS_HEMISPHERE, SBS_CENTERS, SBS_CUT_OFF, SBS_LEAST_ANGLE, SBS_PARAMETER_COUNT };

#define SBS_PARAMETERS                                                                                       \
    [SBS_HEMISPHERE] = HEMISPHERE_PARAMETER, [SBS_CENTERS] = SET_CENTERS_SOLVER_PARAMETER,                   \
    [SBS_CUT_OFF] = SET_CENTERS_CUT_OFF_PARAMETER, [SBS_LEAST_ANGLE] = SET_CENTERS_LEAST_ANGLE_PARAMETER

Status sbs_bind(const SkinningBinding *binding, double *vertex_values, void **state);
size_t sbs_workspace(const void *state);
Status sbs_pose_frames(const SkinningBinding *binding, const void *state, const SkinningPose *pose);
Status sbs_pose(const SkinningBinding *binding, const void *state, const SkinningPose *pose);
void sbs_release(void *state);

enum { SBS_NONTRIVIAL_SETS, SBS_SVDS, SBS_COUNTER_COUNT };
#define SBS_COUNTERS                                                                                         \
    [SBS_NONTRIVIAL_SETS] = {"nontrivial_sets", "joint sets whose centre is not known beforehand"},          \
    [SBS_SVDS] = {"svds", "singular value decompositions run for the frame"}
Status sbs_count(const SkinningBinding *binding, const void *state, const SkinningPose *posed,
                 double *counts);
