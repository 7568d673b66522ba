/* Computes the mean weights of a vertex's neighbours, and the penalty for differing from them. */
#include "methods/decomposition/coordinate-descent/smoothing.h"

Status smoothing_make(Smoothing *smoothing, const Mesh *mesh, int influence_count, double strength)
{
    const int vertices = mesh->vertex_count;
    *smoothing = (Smoothing){.strength = strength, .triangles = mesh->triangles};
    ALLOCATE_TABLE(smoothing->bones, vertices, influence_count, "the neighbours of the vertices");
    ALLOCATE_TABLE(smoothing->weights, vertices, influence_count, "the neighbours of the vertices");
    ALLOCATE(smoothing->penalties, vertices, "the neighbours of the vertices");
    return corners_at_vertices(mesh->triangles, mesh->triangle_count, vertices, &smoothing->corners);
}

void smoothing_clear(Smoothing *smoothing)
{
    grouping_clear(&smoothing->corners);
    FREE_ALL(smoothing->bones, smoothing->weights, smoothing->penalties);
    *smoothing = (Smoothing){0};
}

void smoothing_keep(const ReducedModel *model)
{
    size_t slots = (size_t)model->influence_count;
    ranks_gather(model->ranks, model->all_vertices, slots * sizeof(int32_t), model->bones,
                 model->smoothing->bones);
    ranks_gather(model->ranks, model->all_vertices, slots * sizeof(double), model->weights,
                 model->smoothing->weights);
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
    int32_t number = model->first_vertex + vertex;
    int64_t from = 2 * smoothing->corners.first[number], to = 2 * smoothing->corners.first[number + 1];
    memset(mean, 0, (size_t)model->bone_count * sizeof(double));
    for (int64_t side = from; side < to; side++)
        mean_add(model, vertex_neighbour(smoothing->triangles, &smoothing->corners, side),
                 1.0 / (double)(to - from), mean);
    if (from == to)
        mean_add(model, number, 1.0, mean);
}

double smoothing_paid(const ReducedModel *model)
{
    return model->smoothing ? reduced_model_sum(model, model->smoothing->penalties) : 0.0;
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
