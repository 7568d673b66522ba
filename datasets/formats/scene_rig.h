/* The joints of a scene's skins and moving meshes. A joint is a node with one bind matrix. Skins that bind
 * a node in the same way share a joint; a node that two skins bind differently becomes two joints. */
#pragma once

#include "datasets/formats/format_task.h"
#include "datasets/formats/scene.h"

typedef struct SceneJoint {
    int node, parent;       /* parent: an earlier joint, or -1 */
    int skin;               /* first skin with this joint; -1: the joint belongs to a mesh without a skin */
    Transform inverse_bind; /* transformation from the rest pose to the joint's space */
} SceneJoint;

typedef struct SceneRig {
    int joint_count;
    SceneJoint *joints;   /* [joint_count] in the order of the skins, except that parents precede children */
    int64_t *skin_first;  /* [skin_count] index of each skin's first joint in skin_joints */
    int32_t *skin_joints; /* joint k of skin s is skin_joints[skin_first[s] + k] */
    int32_t *instance_joints; /* [instance_count] joint of a mesh without a skin, or -1 */
    Transform *placements; /* [instance_count] transformations from the space of each mesh to the rest pose */
} SceneRig;

/* Finds the joints of all instances. `notes` (may be NULL) receives notes on skins that were moved. Release
 * with scene_rig_clear. */
Status scene_rig_init(const Scene *scene, const FormatNotes *notes, SceneRig *out);
void scene_rig_clear(SceneRig *rig);
