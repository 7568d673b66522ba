/* Dual quaternion skinning: the palette holds the unit dual quaternions of the joints, with consistent
 * signs. */
#include "methods/posing/rigid_pose.h"

static const Parameter dqs_parameters[] = {HEMISPHERE_PARAMETER, {0}};

const SkinningMethod dqs_method = {
    .name = "dqs",
    .title = "Dual quaternion skinning",
    .citation = "Kavan, Collins, Zara and O'Sullivan 2008, section 4 (DLB)",
    .summary = "Blends rigid motions as dual quaternions, so that twisted skin keeps its volume, but bent "
               "skin bulges.",
    .engines = {[ENGINE_BLENDER] = "the Armature modifier with Preserve Volume",
                [ENGINE_MAYA] = "Skinning Method: Dual Quaternion of a skin cluster",
                [ENGINE_UNREAL] =
                    "the plug-in Deformer Graph, with DG_DualQuatSkin_Morph_Cloth as the mesh deformer"},
    .parameters = dqs_parameters,
    .floats_per_joint = RIGID_DUAL_QUAT_FLOATS,
    .variant_count = HEMISPHERE_VARIANT_COUNT,
    .allows_zero_weight_padding = true,
    .rigid_only = true,
    .tolerance = 1e-5,
    .influence_order = hemisphere_influence_order,
    .bind = rigid_pose_bind,
    .pose = rigid_pose_blended,
    .release = rigid_pose_release,
};
