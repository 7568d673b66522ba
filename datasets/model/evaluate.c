#include "datasets/model/evaluate.h"

Vec3 rig_skin_point(const Rig *rig, int frame, int vertex, Vec3 rest, Vec3 start)
{
    const Transform *transforms = rig->transforms + (ptrdiff_t)frame * rig->joint_count;
    ptrdiff_t first = (ptrdiff_t)vertex * rig->influence_count;
    for (ptrdiff_t slot = first; slot < first + rig->influence_count; slot++)
        start = vec3_add_scaled(start, transform_point(transforms[rig->weight_joints[slot]], rest),
                                (double)rig->weight_values[slot]);
    return start;
}

Transform rig_blend(const Rig *rig, int frame, int vertex)
{
    const Transform *transforms = rig->transforms + (ptrdiff_t)frame * rig->joint_count;
    ptrdiff_t first = (ptrdiff_t)vertex * rig->influence_count;
    Transform sum = {0};
    for (ptrdiff_t slot = first; slot < first + rig->influence_count; slot++)
        sum =
            transform_add_scaled(sum, transforms[rig->weight_joints[slot]], (double)rig->weight_values[slot]);
    return sum;
}

Vec3 low_rank_point(const LowRank *model, int frame, int vertex_count, int vertex, Vec3 start)
{
    double point[3] = {start.x, start.y, start.z};
    for (int axis = 0; axis < 3; axis++) {
        const double *row = model->basis + ((ptrdiff_t)3 * frame + axis) * model->rank;
        for (int k = 0; k < model->rank; k++)
            point[axis] += row[k] * (double)model->coefficients[(ptrdiff_t)k * vertex_count + vertex];
    }
    return vec3_make(point[0], point[1], point[2]);
}

Vec3 model_point(const Mesh *mesh, const Rig *rig, const LowRank *model, int frame, int vertex)
{
    const Vec3 zero = vec3_make(0.0, 0.0, 0.0);
    const bool posed = rig && rig->joint_count > 0;
    Vec3 point = posed ? point_at(mesh->rest, vertex) : zero;
    if (model && model->rank > 0)
        point = low_rank_point(model, frame, mesh->vertex_count, vertex, point);
    return posed ? rig_skin_point(rig, frame, vertex, point, zero) : point;
}

int32_t rig_heaviest_joint(const Rig *rig, int vertex)
{
    const float *values = rig->weight_values + (ptrdiff_t)vertex * rig->influence_count;
    int best = 0;
    for (int k = 1; k < rig->influence_count; k++)
        best = values[k] > values[best] ? k : best;
    return rig->weight_joints[(ptrdiff_t)vertex * rig->influence_count + best];
}
