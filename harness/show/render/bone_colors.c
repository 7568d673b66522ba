#include "harness/show/render/bone_colors.h"

#include "harness/show/render/color_map.h"

Status bone_colors_make(const Dataset *dataset, const char *path, unsigned char **rgb)
{
    const Rig *rig = &dataset->rig;
    const size_t vertices = (size_t)dataset->mesh.vertex_count, slots = (size_t)rig->influence_count;
    if (rig->joint_count == 0)
        return bad_input("%s: has no rig whose bones could be coloured", path);
    *rgb = memory_table(vertices, 3, 1);
    ALLOCATED(*rgb, "colours");
    for (size_t v = 0; v < vertices; v++) {
        double light[3] = {0.0, 0.0, 0.0};
        for (size_t k = 0; k < slots; k++) {
            unsigned char bone[3];
            color_of_index(rig->weight_joints[v * slots + k], bone);
            for (int i = 0; i < 3; i++)
                light[i] += (double)rig->weight_values[v * slots + k] * srgb_decode(bone[i]);
        }
        for (size_t i = 0; i < 3; i++)
            (*rgb)[3 * v + i] = srgb_encode(light[i]);
    }
    return status_ok();
}
