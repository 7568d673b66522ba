/* The table of binding methods, and the function that runs one of them and scales its weights to sum 1. */
#include "datasets/rigging/binding.h"

#include "datasets/model/compact_weights.h"
#include "datasets/model/welding.h"

const Binding *const bindings[] = {&binding_bone_heat, &binding_falloff, NULL};

const Binding *binding_find(const char *name)
{
    const Binding *const *row = bindings;
    while (*row && strcmp((*row)->name, name) != 0)
        row++;
    return *row;
}

Status binding_weights(const Binding *binding, const double *parameters, const BindingTask *task,
                       int32_t *joints, float *values)
{
    const size_t slots = (size_t)task->influences;
    CLEANUP(welding_clear) Welding welding = {0};
    STATUS_TRY(welding_find(task->mesh, NULL, &welding));
    BindingTask welded = *task;
    welded.mesh = &welding.mesh;
    LOCAL_TABLE(int32_t, of_welded, welding.mesh.vertex_count, slots, "the weights");
    LOCAL_TABLE(double, weights, welding.mesh.vertex_count, slots, "the weights");
    STATUS_TRY(binding->fill(&welded, parameters, of_welded, weights));
    for (size_t v = 0; v < (size_t)task->mesh->vertex_count; v++) {
        const size_t first = (size_t)welding.welded_of[v] * slots;
        double sum = 0.0;
        for (size_t k = 0; k < slots; k++)
            sum += weights[first + k];
        for (size_t k = 0; k < slots; k++) {
            joints[v * slots + k] = of_welded[first + k];
            values[v * slots + k] = (float)(weights[first + k] / sum);
        }
    }
    return status_ok();
}

Status rig_bind_to_bones(const Binding *binding, const double *parameters, const Mesh *mesh,
                         const RigBones *bones, int influences, const Progress *progress, Rig *rig)
{
    const int slots = influences < rig->joint_count ? influences : rig->joint_count;
    const BindingTask task = {mesh, bones->bones, bones->count, rig->joint_count, slots, progress};
    CLEANUP(rig_clear) Rig made = {.joint_count = rig->joint_count, .influence_count = slots};
    ALLOCATE_TABLE(made.weight_joints, mesh->vertex_count, slots, "the weights");
    ALLOCATE_TABLE(made.weight_values, mesh->vertex_count, slots, "the weights");
    STATUS_TRY(binding_weights(binding, parameters, &task, made.weight_joints, made.weight_values));
    STATUS_TRY(rig_prune(&made, mesh->vertex_count, slots));
    rig_weights_replace(rig, made.influence_count, made.weight_joints, made.weight_values);
    made = (Rig){0};
    return status_ok();
}
