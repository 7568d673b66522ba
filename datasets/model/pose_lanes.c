#include "datasets/model/pose_lanes.h"

#include "datasets/base/widest_vectors.h"

void pose_lanes_palette(const Rig *rig, int first, int count, double *palette)
{
    for (int l = 0; l < LANES; l++) {
        const Transform *transforms =
            rig->transforms + (ptrdiff_t)(first + (l < count ? l : count - 1)) * rig->joint_count;
        for (int j = 0; j < rig->joint_count; j++) {
            double entries[12];
            memcpy(entries, &transforms[j], sizeof entries);
            for (int i = 0; i < 12; i++)
                palette[(ptrdiff_t)j * POSE_LANES_JOINT + i * LANES + l] = entries[i];
        }
    }
}

WIDEST_VECTORS
static void points_pose(const Rig *rig, const double *palette, const float *rest, int first, int count,
                        float *const *rows)
{
    for (ptrdiff_t v = first; v < (ptrdiff_t)first + count; v++) {
        const double x = (double)rest[3 * v], y = (double)rest[3 * v + 1], z = (double)rest[3 * v + 2];
        double point[3][LANES] = {{0.0}};
        float rounded[3][LANES];
        for (ptrdiff_t slot = v * rig->influence_count; slot < (v + 1) * rig->influence_count; slot++) {
            const double weight = (double)rig->weight_values[slot];
            const double *joint = palette + (ptrdiff_t)rig->weight_joints[slot] * POSE_LANES_JOINT;
            for (int k = 0; k < 3; k++) {
                const double *row = joint + (ptrdiff_t)(4 * k) * LANES;
#pragma omp simd
                for (int l = 0; l < LANES; l++)
                    point[k][l] +=
                        (row[l] * x + row[LANES + l] * y + row[2 * LANES + l] * z + row[3 * LANES + l]) *
                        weight;
            }
        }
        for (int k = 0; k < 3; k++) {
#pragma omp simd
            for (int l = 0; l < LANES; l++)
                rounded[k][l] = (float)point[k][l];
        }
        for (int l = 0; l < LANES; l++)
            for (int k = 0; k < 3; k++)
                rows[l][3 * v + k] = rounded[k][l];
    }
}

void pose_lanes_skin(const Rig *rig, const double *palette, const float *rest, int first, int count,
                     float *const rows[LANES])
{
    points_pose(rig, palette, rest, first, count, rows);
}
