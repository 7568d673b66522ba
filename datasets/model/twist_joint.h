/* A twist joint in the middle of a bone (CoR section 4, Fig. 5): the bone's skin follows a twist little by
 * little along the bone, instead of all of it at one end. */
#pragma once

#include "datasets/base/status.h"
#include "datasets/model/dataset.h"
#include <stdbool.h>

typedef struct TwistJointPlan {
    int joint;     /* j: the bone goes from it */
    int end;       /* to this one of its children; -1: to its only child */
    bool at_start; /* the twist is j's against its parent; else that of `end` against j */
    double share;  /* of the twist that is spread along the bone, 1: all */
} TwistJointPlan;

/* Adds the joint, number j + 1 (the joints after j move up by one), named after j with "-twist" added (and
 * a number where that name is taken): child of j, parent of `end`, its rest frame that of j moved to the
 * middle of the bone. The weights of j are split:
 *   w_new = e w_j,  w_j' = (1 - e) w_j
 * with e the projection of the vertex on the bone, 0 at j, 1 at `end`, and never beyond (Jacobson and Sorkine
 * 2011, eq. 8). The rig gets more influence slots where vertices have none free; centres of rotation are
 * dropped.
 *
 * The twist is the part of a rotation about the bone's rest direction (the first factor of rotation =
 * swing * twist, -180 to 180 degrees). In every frame
 *   at_start  the new joint has j's transformation, and j loses its share of the twist against its parent;
 *   else      the new joint has j's transformation after its share of the twist of `end` against j.
 * All other joints move as before. The two-phase scale (rig/scale) of the new joint is j's.
 *
 * STATUS_USAGE for a joint or end that is not there, STATUS_BAD_INPUT for a bone without length; the rig is
 * then as it was. */
Status rig_add_twist_joint(Rig *rig, const Mesh *mesh, const TwistJointPlan *plan);

/* As above, to a new rig; empty on failure. Release with rig_clear. */
Status rig_with_twist_joint(const Rig *rig, const Mesh *mesh, const TwistJointPlan *plan, Rig *out);
