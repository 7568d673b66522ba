/* Computes the centres as quotients of eq. 4. Also contains the search that sums over all samples, the
 * reference for the other searches. */
#include "methods/skinning/cor/centers.h"

/* Sums all samples for a vertex. Returns the number of samples evaluated. */
static int vertex_sum_all(SurfaceSearch *search, int vertex, double *dense)
{
    const WeightSurface *surface = search->surface;
    SparseRow vertex_row = weight_surface_vertex(surface, vertex);
    int component = surface->vertex_component[vertex];
    if (component < 0 || vertex_row.count < 2)
        return 0;
    int first = surface->first_sample[surface->components.first[component]];
    int end = surface->first_sample[surface->components.first[component + 1]];
    weights_scatter(vertex_row, dense);
    for (int sample = first; sample < end; sample++)
        center_add(&search->sums[vertex], surface, sample,
                   search_similarity(search, vertex_row, dense, weight_surface_sample(surface, sample)));
    weights_unscatter(vertex_row, dense);
    return end - first;
}

/* Sums all samples for every vertex. */
static Status search_brute_force(SurfaceSearch *search)
{
    const int vertices = search->surface->vertex_count, threads = search->options->threads;
    bool failed = false;
    int64_t evaluated = 0;
#pragma omp parallel num_threads(threads) if (threads > 1) reduction(|| : failed) reduction(+ : evaluated)
    {
        double *dense = memory_array((size_t)search->joint_count, sizeof *dense);
        failed = !dense;
#pragma omp for schedule(dynamic, 16)
        for (int vertex = 0; vertex < vertices; vertex++)
            if (dense && search_wants(search, vertex))
                evaluated += vertex_sum_all(search, vertex, dense);
        memory_free(dense);
    }
    search->evaluated = evaluated;
    return failed ? status_out_of_memory("a search for centres") : status_ok();
}

/* Smaller sums are treated as zero. They come from the tails of exponentials, and their quotients would be
 * noise near the smallest doubles. */
#define MASS_MIN 1e-250

Status centers_compute(const Mesh *mesh, const Rig *rig, const CentersOptions *options, double *centers,
                       CentersReport *report)
{
    CLEANUP(weight_surface_clear) WeightSurface surface = {0};
    CentersOptions checked = *options;
    checked.threads = options->threads > 1 ? options->threads : 1;
    WeightSurfaceOptions how = {
        .epsilon = options->epsilon,
        .apart = options->apart,
        .refined = options->search == CENTERS_CLUSTERED,
        .at_points = options->at_points,
    };
    if (options->at_points && options->search == CENTERS_CLUSTERED)
        return bad_usage("search=clustered needs pieces of triangles, which integral=vertices does not have");
    STATUS_TRY(weight_surface_init(mesh, rig, &how, &surface));
    LOCAL_ARRAY(CenterSum, sums, mesh->vertex_count, "the centres of rotation");
    SurfaceSearch search = {
        .surface = &surface, .options = &checked, .joint_count = rig->joint_count, .sums = sums};
    /* the Gaussian similarity is not a sum over pairs of joints, so the exact search evaluates all
     * samples */
    const CentersSearch taken =
        options->gaussian && options->search == CENTERS_EXACT ? CENTERS_BRUTE_FORCE : options->search;
    if (taken == CENTERS_EXACT)
        STATUS_TRY(search_exact(&search));
    else if (taken == CENTERS_CLUSTERED)
        STATUS_TRY(search_clustered(&search));
    else
        STATUS_TRY(search_brute_force(&search));
    /* divide the sums of eq. 4; use the rest position if the denominator is 0 */
    int with_center = 0;
    for (size_t v = 0; v < (size_t)mesh->vertex_count; v++) {
        bool found = sums[v].mass > MASS_MIN;
        for (size_t axis = 0; axis < 3; axis++)
            centers[3 * v + axis] =
                found ? sums[v].moment[axis] / sums[v].mass : (double)mesh->rest[3 * v + axis];
        with_center += found;
    }
    if (report)
        *report = (CentersReport){surface.sample_count, with_center, search.evaluated};
    return status_ok();
}
