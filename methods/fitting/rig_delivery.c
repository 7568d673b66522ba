/* Names joints, and converts transformations of the normalised rest pose to those of the data set. */
#include "methods/fitting/rig_delivery.h"

RestUnits rest_units(const float *rest, int vertex_count)
{
    RestUnits units = {{0.0, 0.0, 0.0}, 1.0, false};
    double spread = 0.0, size = 0.0;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)3 * vertex_count; i++)
        units.center[i % 3] += (double)rest[i] / vertex_count;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)3 * vertex_count; i++) {
        double value = (double)rest[i], shifted = value - units.center[i % 3];
        spread += shifted * shifted;
        size += value * value;
    }
    units.is_point = spread <= 1e-20 * size;
    units.unit = units.is_point ? 1.0 : sqrt(spread / vertex_count);
    return units;
}

RestUnits rest_normalize(const Mesh *mesh, double *rest)
{
    RestUnits units = rest_units(mesh->rest, mesh->vertex_count);
    for (ptrdiff_t i = 0; i < (ptrdiff_t)3 * mesh->vertex_count; i++)
        rest[i] = units.is_point ? 0.0 : ((double)mesh->rest[i] - units.center[i % 3]) / units.unit;
    return units;
}

Status rig_begin(const LinearBlend *blend, const Ranks *ranks, int all_vertices, int bone_count,
                 int frame_count, int32_t *numbers, Rig *rig, float **rest)
{
    /* number the bones with a weight on any rank from 0; all other bones get -1 */
    LOCAL_ARRAY(double, max, bone_count, "the bones");
    for (ptrdiff_t i = 0; i < (ptrdiff_t)blend->vertex_count * blend->influence_count; i++)
        max[blend->bones[i]] = fmax(max[blend->bones[i]], fabs(blend->weights[i]));
    ranks_max(ranks, max, bone_count);
    int joints = 0;
    for (int bone = 0; bone < bone_count; bone++)
        numbers[bone] = max[bone] > 0.0 ? (joints)++ : -1;
    STATUS_TRY(rig_allocate(rig, all_vertices, joints, frame_count, blend->influence_count));
    *rest = memory_table((size_t)all_vertices, 3, sizeof(float));
    ALLOCATED(*rest, "the rest pose");
    return status_ok();
}

void rig_fill_weights(const int32_t *bones, const int32_t *numbers, int first, int vertex_count,
                      double *weights, Rig *rig)
{
    ptrdiff_t offset = (ptrdiff_t)first * rig->influence_count;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)vertex_count * rig->influence_count; i++) {
        rig->weight_values[offset + i] = (float)weights[i];
        weights[i] = (double)rig->weight_values[offset + i];
        rig->weight_joints[offset + i] = weights[i] != 0.0 ? numbers[bones[i]] : 0;
    }
}

Status rig_fill_joints(Rig *rig)
{
    for (int joint = 0; joint < rig->joint_count; joint++) {
        char name[32];
        if (rig->joint_names[joint]) /* the method has named its joints */
            continue;
        snprintf(name, sizeof name, "bone_%d", joint);
        COPY_TEXT(rig->joint_names[joint], name, "the bone names");
        rig->parents[joint] = -1;
        rig->rest[joint] = (Transform){.m00 = 1.0, .m11 = 1.0, .m22 = 1.0};
    }
    return status_ok();
}

void rig_fill_transforms(const RestUnits *units, const double *map, const double *offset, int joint, Rig *rig)
{
    ptrdiff_t rows = (ptrdiff_t)3 * rig->frame_count;
    for (int frame = 0; frame < rig->frame_count; frame++) {
        double out[3][4];
        for (int axis = 0; axis < 3; axis++) {
            int row = 3 * frame + axis;
            out[axis][3] = map[3 * rows + row] + offset[row];
            for (int column = 0; column < 3; column++) {
                out[axis][column] = map[column * rows + row] / units->unit;
                out[axis][3] -= out[axis][column] * units->center[column];
            }
        }
        memcpy(&rig->transforms[(ptrdiff_t)frame * rig->joint_count + joint], out, sizeof(Transform));
    }
}
