/* A twist joint in the middle of a bone (CoR section 4, Fig. 5): the bone's skin follows a twist little by
 * little along the bone, instead of all of it at one end. */
#pragma once

#include "datasets/model/dataset.h"

typedef struct TwistJointPlan {
    int joint;     /* j: the bone goes from it */
    int end;       /* to this one of its children; -1: to its only child */
    bool at_start; /* the twist is j's against its parent; else that of `end` against j */
    double share;  /* of the twist that is spread along the bone, 1: all */
} TwistJointPlan;

/* Adds the joint as number j + 1; later joints move up by one. It is called after j, with "-twist" added.
 * Splits the weights of j along the bone, and drops the centres of rotation.
 * STATUS_USAGE: `joint` or `end` does not exist. STATUS_BAD_INPUT: the bone has no length. The rig is then as
 * it was. */
Status rig_add_twist_joint(Rig *rig, const Mesh *mesh, const TwistJointPlan *plan);

/* As above, to a new rig; empty on failure. Release with rig_clear. */
Status rig_with_twist_joint(const Rig *rig, const Mesh *mesh, const TwistJointPlan *plan, Rig *out);
