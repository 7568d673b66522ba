#include "methods/skinning/cor/centers.h"

#include "datasets/base/memory.h"
#include "methods/skinning/cor/search_brute_force.h"
#include "methods/skinning/cor/search_clustered.h"
#include "methods/skinning/cor/search_exact.h"

/* Sums below this come from the tails of exponentials: they carry no information, and near the end of the range of
 * doubles their quotient would be noise. */
#define MASS_MIN 1e-250

/* Divides eq. 4; the rest position where there is nothing to divide by. */
static int centers_divide(const Mesh *mesh, const CenterSum *sums, double *centers)
{
    int with_center = 0;
    for (size_t v = 0; v < (size_t)mesh->vertex_count; v++) {
        bool found = sums[v].mass > MASS_MIN;
        for (size_t axis = 0; axis < 3; axis++)
            centers[3 * v + axis] =
                found ? sums[v].moment[axis] / sums[v].mass : (double)mesh->rest[3 * v + axis];
        with_center += found;
    }
    return with_center;
}

Status centers_compute(const Mesh *mesh, const Rig *rig, const CentersOptions *options, double *centers,
                       CentersReport *report)
{
    WeightSurface surface = {0};
    CentersOptions checked = *options;
    checked.threads = options->threads > 1 ? options->threads : 1;
    SurfaceSearch search = {.surface = &surface, .options = &checked};
    WeightSurfaceOptions how = {
        .epsilon = options->epsilon,
        .apart = options->apart,
        .refined = options->search == CENTERS_CLUSTERED,
    };
    Status status = status_ok();
    STATUS_TRY(weight_surface_build(mesh, rig, &how, &surface));
    search.sums = memory_array((size_t)mesh->vertex_count, sizeof *search.sums);
    if (!search.sums) {
        status = status_out_of_memory("the centres of rotation");
        goto done;
    }
    if (options->search == CENTERS_EXACT)
        STATUS_TRY(search_exact(&search));
    else if (options->search == CENTERS_CLUSTERED)
        STATUS_TRY(search_clustered(&search, rig->joint_count));
    else
        STATUS_TRY(search_brute_force(&search, rig->joint_count));
    int with_center = centers_divide(mesh, search.sums, centers);
    if (report)
        *report = (CentersReport){surface.sample_count, with_center, search.evaluated};
done:
    memory_free(search.sums);
    weight_surface_clear(&surface);
    return status;
}
