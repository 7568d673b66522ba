/* Computes weights that fall with a power of the distance from the bones. Only the nearest joints are kept,
 * and the value of the nearest joint that is left out is subtracted. A weight thus reaches 0 where a vertex
 * changes to another joint. A vertex on a bone belongs to that bone alone. */
#include "datasets/rigging/binding.h"

#include "datasets/geometry/points.h"

static const Parameter falloff_parameters[] = {
    {"power", "weights fall with this power of the distance", PARAMETER_REAL, 4.0, 0.0, 16.0, NULL},
    {0},
};

static Status falloff_fill(const BindingTask *task, const double *values, int32_t *joints, double *weights)
{
    const int kept = task->influences;
    const double power = values[0];
    LOCAL_ARRAY(double, distances, task->joint_count, "the weights");
    LOCAL_ARRAY(int32_t, near, (size_t)kept + 1, "the weights");
    LOCAL_ARRAY(double, closeness, (size_t)kept + 1, "the weights");
    LOCAL_ARRAY(double, shares, (size_t)kept + 1, "the weights");
    for (int v = 0; v < task->mesh->vertex_count; v++) {
        const Vec3 p = point_at(task->mesh->rest, v);
        int count = 0;
        for (int j = 0; j < task->joint_count; j++)
            distances[j] = HUGE_VAL;
        for (int b = 0; b < task->bone_count; b++) {
            const double distance = vec3_length(vec3_sub(p, bone_point_near(&task->bones[b], p)));
            distances[task->bones[b].joint] = fmin(distances[task->bones[b].joint], distance);
        }
        for (int j = 0; j < task->joint_count; j++)
            count = largest_insert(-distances[j], j, count, kept + 1, closeness, near);
        const double first = distances[near[0]];
        for (int k = 0; k < count; k++)
            shares[k] = first > 0.0 ? pow(first / distances[near[k]], power) : k == 0;
        const double next = count > kept ? shares[kept] : 0.0;
        for (int k = 0; k < kept; k++) {
            const size_t slot = (size_t)v * (size_t)kept + (size_t)k;
            joints[slot] = near[k];
            /* without falloff, all weights are equal */
            weights[slot] = shares[0] > next ? shares[k] - next : 1.0;
        }
        if (v % 65536 == 0)
            STATUS_TRY(progress_try(task->progress, "weights", (double)v / task->mesh->vertex_count,
                                    "computing the weights"));
    }
    return status_ok();
}

const Binding binding_falloff = {.name = "falloff",
                                 .title = "weights that fall with a power of the distance from the bones",
                                 .parameters = falloff_parameters,
                                 .fill = falloff_fill};
