#include "datasets/model/joint_bone.h"

bool joint_bone(const Rig *rig, int joint, Vec3 *from, Vec3 *to)
{
    Vec3 sum = vec3_make(0.0, 0.0, 0.0);
    int children = 0;
    if (!rig->rest)
        return false;
    *from = *to = rig_joint_place(rig, joint);
    for (int j = joint + 1; j < rig->joint_count; j++)
        if (rig->parents[j] == joint) {
            sum = vec3_add(sum, rig_joint_place(rig, j));
            children++;
        }
    if (children > 0)
        *to = vec3_scale(sum, 1.0 / children);
    if ((children == 0 || !(vec3_length(vec3_sub(*to, *from)) > 0.0)) && rig->parents[joint] >= 0)
        *to = vec3_sub(vec3_scale(*from, 2.0), rig_joint_place(rig, rig->parents[joint]));
    return vec3_length(vec3_sub(*to, *from)) > 0.0;
}
