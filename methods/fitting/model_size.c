#include "methods/fitting/model_size.h"

#include "methods/reduction/low_rank.h"

#include <stdbool.h>

/* Numbers for the coefficients: those that are not zero, and one per run of them in a vertex' column. */
static size_t sparse_count(const LowRank *model, int vertex_count)
{
    size_t count = 0, vertices = (size_t)vertex_count;
    for (size_t vertex = 0; vertex < vertices; vertex++) {
        bool inside = false;
        for (size_t k = 0; k < (size_t)model->rank; k++) {
            bool filled = model->coefficients[k * vertices + vertex] != 0.0f;
            count += filled ? (inside ? 1U : 2U) : 0U;
            inside = filled;
        }
    }
    return count;
}

size_t decomposition_size(const DecompositionResult *result, int vertex_count)
{
    const Rig *rig = &result->rig;
    const LowRank *model = &result->low_rank;
    size_t count = 0;
    if (rig->joint_count > 0)
        count += (size_t)vertex_count * (2 * (size_t)rig->influence_count + 3) +
                 12 * (size_t)rig->joint_count * (size_t)rig->frame_count;
    if (model->rank > 0) {
        size_t dense = (size_t)model->rank * (size_t)vertex_count;
        size_t sparse = sparse_count(model, vertex_count);
        size_t basis = (size_t)model->rank * (size_t)model->row_count;
        count += low_rank_is_of_displacements(model) ? basis / 9 : basis;
        count += sparse < dense ? sparse : dense;
    }
    return 4 * count;
}
