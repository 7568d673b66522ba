/* Adds a twist joint in the middle of a bone (CoR section 4, Fig. 5). The skin then follows a twist
 * gradually along the bone instead of all at one end. */
#pragma once

#include "datasets/model/dataset.h"

typedef struct TwistJointPlan {
    int joint;     /* j, where the bone begins */
    int end;       /* child of j where the bone ends; -1: its only child */
    bool at_start; /* use the twist of j against its parent, not of `end` against j */
    double share;  /* share of the twist that is distributed along the bone; 1: all */
} TwistJointPlan;

/* Adds the joint as number j + 1; later joints move up by one. Its name is that of j with "-twist" added.
 * Splits the weights of j along the bone, and drops the centres of rotation. STATUS_USAGE: `joint` or `end`
 * does not exist. STATUS_BAD_INPUT: the bone has no length. On failure the rig is unchanged. */
Status rig_add_twist_joint(Rig *rig, const Mesh *mesh, const TwistJointPlan *plan);

/* Like rig_add_twist_joint, but makes a new rig, which is empty on failure. Release with rig_clear. */
Status rig_with_twist_joint(const Rig *rig, const Mesh *mesh, const TwistJointPlan *plan, Rig *out);
