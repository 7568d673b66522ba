/* Linear blend skinning: the palette holds the joint transformations unchanged. */
#include "methods/runtime/skinning_method.h"

static const char *const normal_words[] = {"cofactors", "blended", NULL};
static const Parameter parameters[] = {
    {"normal-matrix",
     "matrix that transforms normals: the cofactors of the blended matrix "
     "or, as papers usually do, the blended matrix itself",
     PARAMETER_CHOICE, 0, 0, 0, normal_words},
    {0},
};

static Status lbs_pose(const SkinningBinding *binding, const void *state, const SkinningPose *pose)
{
    (void)state;
    memcpy(pose->joint_values, pose->transforms, (size_t)binding->rig->joint_count * sizeof(Transform));
    return status_ok();
}

const SkinningMethod lbs_method = {
    .name = "lbs",
    .title = "Linear blend skinning",
    .citation = "Magnenat-Thalmann, Laperriere and Thalmann 1988; SBS eq. 1",
    .summary = "Blends the joints' matrices by the weights: the standard of all engines, fast, but skin "
               "collapses at strong bends and twists.",
    .engines = {[ENGINE_BLENDER] = "the Armature modifier without Preserve Volume",
                [ENGINE_MAYA] = "Skinning Method: Classic Linear, the default of a skin cluster",
                [ENGINE_UNREAL] = "the default",
                [ENGINE_UNITY] = "the default of a SkinnedMeshRenderer",
                [ENGINE_GODOT] = "the default of a MeshInstance3D with a Skeleton3D",
                [ENGINE_THREE_JS] = "the default of a SkinnedMesh"},
    .parameters = parameters,
    .floats_per_joint = 12,
    .variant_count = 1,
    .allows_zero_weight_padding = true,
    .tolerance = 1e-5,
    .pose = lbs_pose,
};
