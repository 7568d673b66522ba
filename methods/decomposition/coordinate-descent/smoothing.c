#include "methods/decomposition/coordinate-descent/smoothing.h"

#include "datasets/base/memory.h"

#include <string.h>

Status smoothing_make(Smoothing *smoothing, const Mesh *mesh, int influence_count, double strength)
{
    size_t vertices = (size_t)mesh->vertex_count, corners = 3 * (size_t)mesh->triangle_count;
    *smoothing = (Smoothing){.strength = strength};
    smoothing->first = memory_array(vertices + 2, sizeof(int64_t));
    smoothing->neighbours = memory_table(corners, 2, sizeof(int32_t));
    smoothing->bones = memory_table(vertices, (size_t)influence_count, sizeof(int32_t));
    smoothing->weights = memory_table(vertices, (size_t)influence_count, sizeof(double));
    if (!smoothing->first || !smoothing->neighbours || !smoothing->bones || !smoothing->weights) {
        smoothing_clear(smoothing);
        return status_out_of_memory("the neighbours of the vertices");
    }
    int64_t *next = smoothing->first + 1; /* one behind, so that filling in leaves the starts in place */
    for (size_t i = 0; i < corners; i++)
        next[mesh->triangles[i] + 1] += 2;
    for (size_t j = 0; j < vertices; j++)
        next[j + 1] += next[j];
    for (size_t i = 0; i < corners; i++)
        for (size_t side = 1; side <= 2; side++)
            smoothing->neighbours[next[mesh->triangles[i]]++] = mesh->triangles[i / 3 * 3 + (i + side) % 3];
    return status_ok();
}

void smoothing_clear(Smoothing *smoothing)
{
    memory_free(smoothing->first);
    memory_free(smoothing->neighbours);
    memory_free(smoothing->bones);
    memory_free(smoothing->weights);
    *smoothing = (Smoothing){0};
}

void smoothing_keep(const ReducedModel *model)
{
    size_t slots = (size_t)model->vertex_count * (size_t)model->influence_count;
    memcpy(model->smoothing->bones, model->bones, slots * sizeof(int32_t));
    memcpy(model->smoothing->weights, model->weights, slots * sizeof(double));
}

static void mean_add(const ReducedModel *model, int32_t vertex, double share, double *mean)
{
    const Smoothing *smoothing = model->smoothing;
    ptrdiff_t first = (ptrdiff_t)vertex * model->influence_count;
    for (ptrdiff_t slot = first; slot < first + model->influence_count; slot++)
        mean[smoothing->bones[slot]] += share * smoothing->weights[slot];
}

void smoothing_mean(const ReducedModel *model, int vertex, double *mean)
{
    const Smoothing *smoothing = model->smoothing;
    int64_t from = smoothing->first[vertex], to = smoothing->first[vertex + 1];
    memset(mean, 0, (size_t)model->bone_count * sizeof(double));
    for (int64_t at = from; at < to; at++)
        mean_add(model, smoothing->neighbours[at], 1.0 / (double)(to - from), mean);
    if (from == to)
        mean_add(model, vertex, 1.0, mean);
}

double smoothing_penalty(const ReducedModel *model, int vertex, const double *mean)
{
    ptrdiff_t first = (ptrdiff_t)vertex * model->influence_count;
    double sum = 0.0;
    for (int bone = 0; bone < model->bone_count; bone++)
        sum += mean[bone] * mean[bone];
    for (ptrdiff_t slot = first; slot < first + model->influence_count; slot++)
        sum += model->weights[slot] * (model->weights[slot] - 2.0 * mean[model->bones[slot]]);
    return model->smoothing->strength * sum;
}
