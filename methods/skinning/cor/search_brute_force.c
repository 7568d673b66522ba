#include "methods/skinning/cor/search_brute_force.h"

#include "datasets/base/memory.h"
#include "methods/skinning/cor/similarity.h"

static void vertex_sum_all(SurfaceSearch *search, int vertex, double *dense)
{
    const WeightSurface *surface = search->surface;
    SparseRow own = weight_surface_vertex(surface, vertex);
    int component = surface->vertex_component[vertex];
    if (component < 0 || own.count < 2)
        return;
    int first = surface->first_sample[surface->components.first[component]];
    int end = surface->first_sample[surface->components.first[component + 1]];
    weights_scatter(own, dense);
    for (int sample = first; sample < end; sample++)
        center_add(&search->sums[vertex], surface, sample,
                   weights_similarity(dense, weight_surface_sample(surface, sample), search->options->sigma));
    weights_unscatter(own, dense);
}

Status search_brute_force(SurfaceSearch *search, int joint_count)
{
    const int vertices = search->surface->vertex_count, threads = search->options->threads;
    bool failed = false;
    int64_t evaluated = 0;
#pragma omp parallel num_threads(threads) if (threads > 1) reduction(|| : failed) reduction(+ : evaluated)
    {
        double *dense = memory_array((size_t)joint_count, sizeof *dense);
        failed = !dense;
#pragma omp for schedule(dynamic, 16)
        for (int vertex = 0; vertex < vertices; vertex++)
            if (dense && search_wants(search, vertex)) {
                vertex_sum_all(search, vertex, dense);
                evaluated += search->surface->sample_count;
            }
        memory_free(dense);
    }
    search->evaluated = evaluated;
    return failed ? status_out_of_memory("a search for centres") : status_ok();
}
