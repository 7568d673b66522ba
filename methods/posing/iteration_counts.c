#include "methods/posing/iteration_counts.h"

void iteration_counts(const SkinningBinding *binding, const SkinningPose *posed, int floats_per_joint,
                      int floats_per_set, VertexUpdates updates, double cap, double *counts)
{
    const JointSets *sets = binding->sets;
    double sum = 0.0, max = 0.0, unsettled = 0.0;
    for (int set = 0; set < sets->set_count; set++) {
        const int vertices = sets->first_vertex[set + 1] - sets->first_vertex[set];
        const int influences = joint_set_size(sets, set);
        const KernelView view = {
            .joint_values = posed->joint_values,
            .joints = sets->joints + sets->first_slot[set],
            .weights = sets->weights + sets->first_weight[set],
            .set_values = posed->set_values + (size_t)set * (size_t)floats_per_set,
            .parameters = binding->parameters,
            .values_per_joint = floats_per_joint,
            .stride = vertices,
        };
        for (int vertex = 0; vertex < vertices; vertex++) {
            const double taken = updates(&view, vertex, influences, posed->set_variants[set]);
            sum += taken;
            max = taken > max ? taken : max;
            unsettled += taken >= cap ? 1.0 : 0.0;
        }
    }
    counts[UPDATES_MEAN] = sets->vertex_count > 0 ? sum / sets->vertex_count : 0.0;
    counts[UPDATES_MAX] = max;
    counts[UNSETTLED] = unsettled;
}
