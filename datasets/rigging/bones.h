/* Bones as line segments, from the joints of a rig: what weights are computed from. */
#pragma once

#include "datasets/model/dataset.h"

typedef struct RigBone {
    Vec3 head, tail; /* the same: a bone of one point */
    int32_t joint;   /* that moves it; several bones may have one joint */
} RigBone;

typedef struct RigBones {
    RigBone *bones;
    int count;
} RigBones;

/* The point of the bone that is nearest to p. */
static inline Vec3 bone_point_near(const RigBone *bone, Vec3 p)
{
    const Vec3 along = vec3_sub(bone->tail, bone->head);
    const double square = vec3_dot(along, along);
    const double at = square > 0.0 ? vec3_dot(vec3_sub(p, bone->head), along) / square : 0.0;
    return vec3_add_scaled(bone->head, along, at < 0.0 ? 0.0 : at > 1.0 ? 1.0 : at);
}

/* Finds the bones of a rig's rest frames, ascending by joint: one from every joint to each of its children. A
 * joint without children continues its parent's direction over LEAF_SHARE of the way to the surface.
 * STATUS_BAD_INPUT: several joints all stand in one spot, as those of fitted rigs do.
 * Release with rig_bones_clear. */
Status rig_bones_init(const Rig *rig, const Mesh *mesh, RigBones *out);
void rig_bones_clear(RigBones *bones);

/* Where a joint turns, at rest, and its bone's other end: the middle of its children, else as far beyond it
 * as its parent is before it. False: the rig has no rest frames, or there is no bone. */
bool joint_bone(const Rig *rig, int joint, Vec3 *from, Vec3 *to);
