#include "methods/decomposition/coordinate-descent/smoothing.h"

#include "datasets/base/memory.h"

#include <string.h>

Status smoothing_make(Smoothing *smoothing, const Mesh *mesh, int influence_count, double strength)
{
    size_t vertices = (size_t)mesh->vertex_count;
    *smoothing = (Smoothing){.strength = strength, .triangles = mesh->triangles};
    smoothing->bones = memory_table(vertices, (size_t)influence_count, sizeof(int32_t));
    smoothing->weights = memory_table(vertices, (size_t)influence_count, sizeof(double));
    Status status = smoothing->bones && smoothing->weights
                        ? corners_at_vertices(mesh->triangles, mesh->triangle_count, mesh->vertex_count,
                                              &smoothing->corners)
                        : status_out_of_memory("the neighbours of the vertices");
    if (status.code != STATUS_OK)
        smoothing_clear(smoothing);
    return status;
}

void smoothing_clear(Smoothing *smoothing)
{
    grouping_clear(&smoothing->corners);
    memory_free(smoothing->bones);
    memory_free(smoothing->weights);
    *smoothing = (Smoothing){0};
}

void smoothing_keep(const Descent *descent)
{
    size_t slots = (size_t)descent->vertex_count * (size_t)descent->influence_count;
    memcpy(descent->smoothing->bones, descent->bones, slots * sizeof(int32_t));
    memcpy(descent->smoothing->weights, descent->weights, slots * sizeof(double));
}

static void mean_add(const Descent *descent, int32_t vertex, double share, double *mean)
{
    const Smoothing *smoothing = descent->smoothing;
    ptrdiff_t first = (ptrdiff_t)vertex * descent->influence_count;
    for (ptrdiff_t slot = first; slot < first + descent->influence_count; slot++)
        mean[smoothing->bones[slot]] += share * smoothing->weights[slot];
}

void smoothing_mean(const Descent *descent, int vertex, double *mean)
{
    const Smoothing *smoothing = descent->smoothing;
    int64_t from = 2 * smoothing->corners.first[vertex], to = 2 * smoothing->corners.first[vertex + 1];
    memset(mean, 0, (size_t)descent->bone_count * sizeof(double));
    for (int64_t at = from; at < to; at++)
        mean_add(descent, vertex_neighbour(smoothing->triangles, &smoothing->corners, at),
                 1.0 / (double)(to - from), mean);
    if (from == to)
        mean_add(descent, vertex, 1.0, mean);
}

double smoothing_penalty(const Descent *descent, int vertex, const double *mean)
{
    ptrdiff_t first = (ptrdiff_t)vertex * descent->influence_count;
    double sum = 0.0;
    for (int bone = 0; bone < descent->bone_count; bone++)
        sum += mean[bone] * mean[bone];
    for (ptrdiff_t slot = first; slot < first + descent->influence_count; slot++)
        sum += descent->weights[slot] * (descent->weights[slot] - 2.0 * mean[descent->bones[slot]]);
    return descent->smoothing->strength * sum;
}
