/* Adds a twist joint in the middle of a bone (CoR section 4, Fig. 5). The skin then twists gradually along
 * the bone instead of only at one end. */
#pragma once

#include "datasets/model/dataset.h"

typedef struct TwistJointPlan {
    int joint;     /* j, the joint at which the bone begins */
    int end;       /* child of j at which the bone ends; -1: the only child of j */
    bool at_start; /* whether to distribute the twist of j against its parent; otherwise the twist of `end`
                      against j */
    double share;  /* fraction of the twist that is distributed along the bone; 1 for all of it */
} TwistJointPlan;

/* Adds the joint as number j + 1; the numbers of later joints increase by one. The new joint is named after
 * j, with "-twist" appended. Splits the weights of j along the bone, and drops the centres of rotation.
 * STATUS_USAGE if `joint` or `end` does not exist, STATUS_BAD_INPUT if the bone has no length. On failure
 * the rig is unchanged. */
Status rig_add_twist_joint(Rig *rig, const Mesh *mesh, const TwistJointPlan *plan);

/* Makes a copy of the rig and adds a twist joint to the copy, like rig_add_twist_joint. *out is empty on
 * failure. Release with rig_clear. */
Status rig_with_twist_joint(const Rig *rig, const Mesh *mesh, const TwistJointPlan *plan, Rig *out);
