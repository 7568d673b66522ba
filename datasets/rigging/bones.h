/* Bones as line segments, derived from the joints of a rig. Binding methods compute weights from them. */
#pragma once

#include "datasets/geometry/points.h"
#include "datasets/model/dataset.h"

typedef struct RigBone {
    Vec3 head, tail; /* ends of the bone, which are equal if the bone is a single point */
    int32_t joint;   /* the joint that moves the bone; a joint may have several bones */
} RigBone;

typedef struct RigBones {
    RigBone *bones;
    int count;
} RigBones;

/* Returns the point on the bone that is closest to p. */
static inline Vec3 bone_point_near(const RigBone *bone, Vec3 p)
{
    return vec3_add_scaled(bone->head, vec3_sub(bone->tail, bone->head),
                           segment_share(p, bone->head, bone->tail));
}

/* Finds the bones of a rig from its rest frames, in ascending order of joints. A joint has one bone to each
 * of its children. The bone of a joint without children continues in the direction of the bone before it,
 * and covers the fraction LEAF_SHARE of the distance to the surface. STATUS_BAD_INPUT if there are several
 * joints and all are in one place, as in fitted rigs. Release with rig_bones_clear. */
Status rig_bones_init(const Rig *rig, const Mesh *mesh, RigBones *out);
void rig_bones_clear(RigBones *bones);

/* Finds the position of a joint at rest and the other end of its bone. That end is the average position of
 * the joint's children. Without children, it continues the bone from the parent by the same length. Returns
 * false if the rig has no rest frames or there is no bone. */
bool joint_bone(const Rig *rig, int joint, Vec3 *from, Vec3 *to);
