/* The nearest vertex of a sample within a region, by going through all of them. */
#include "methods/decomposition/coordinate-descent/sample_regions.h"

#include "datasets/base/widest_vectors.h"

#include <omp.h>

void sample_regions_clear(SampleRegions *regions)
{
    grouping_clear(&regions->members);
    FREE_ALL(regions->places, regions->squares);
}

Status sample_regions_make(const int32_t *vertices, int count, const int32_t *regions, const double *rest,
                           const ReducedModel *model, SampleRegions *out)
{
    LOCAL_ARRAY(int32_t, own, count, "the vertices around a sample");
    *out = (SampleRegions){.regions = regions, .rest = rest, .count = count};
    ALLOCATE_TABLE(out->places, 3, count, "the vertices around a sample");
    ALLOCATE_TABLE(out->squares, model->threads, count, "the vertices around a sample");
    for (int i = 0; i < count; i++)
        own[i] = regions[vertices[i]];
    STATUS_TRY(
        grouping_init(own, (size_t)count, model->bone_count, "the vertices around a sample", &out->members));
    for (ptrdiff_t at = 0; at < count; at++)
        for (ptrdiff_t axis = 0; axis < 3; axis++)
            out->places[axis * count + at] = rest[3 * (ptrdiff_t)out->members.members[at] + axis];
    return status_ok();
}

/* Squared distances from a point of `count` places, each axis `stride` numbers behind the last; the least. */
WIDEST_VECTORS
static double squares_find(const double *places, int64_t stride, int64_t count, const double point[3],
                           double *restrict squares)
{
    const double *x = places, *y = x + stride, *z = y + stride;
    double least = INFINITY;
#pragma omp simd reduction(min : least)
    for (int64_t i = 0; i < count; i++) {
        const double dx = point[0] - x[i], dy = point[1] - y[i], dz = point[2] - z[i];
        squares[i] = dx * dx + dy * dy + dz * dz;
        least = squares[i] < least ? squares[i] : least;
    }
    return least;
}

/* The vertex of the sample, by its number there, that is nearest to a point in a region; -1: there is none.
 * squares [count] is workspace. */
static int sample_nearest(const SampleRegions *regions, int32_t region, const double *point, double *squares)
{
    const int64_t begin = regions->members.first[region], count = regions->members.first[region + 1] - begin;
    double least = squares_find(regions->places + begin, regions->count, count, point, squares);
    int64_t at = 0;
    if (count == 0)
        return -1;
    while (squares[at] > least)
        at++;
    return regions->members.members[begin + at];
}

void vertices_follow(const SampleRegions *regions, const ReducedModel *sampled, bool rest_free,
                     ReducedModel *model)
{
    const ptrdiff_t influences = model->influence_count, count = regions->count;
#pragma omp parallel for schedule(static) num_threads(model->threads)
    for (int j = 0; j < model->vertex_count; j++) {
        const double *first = model->first_rest + (ptrdiff_t)3 * j;
        const int nearest = sample_nearest(regions, regions->regions[model->first_vertex + j], first,
                                           regions->squares + omp_get_thread_num() * count);
        if (nearest < 0)
            continue;
        memcpy(model->bones + j * influences, sampled->bones + nearest * influences,
               (size_t)influences * sizeof(int32_t));
        memcpy(model->weights + j * influences, sampled->weights + nearest * influences,
               (size_t)influences * sizeof(double));
        for (int i = 0; i < 3 && rest_free; i++)
            model->rest[3 * j + i] =
                sampled->rest[3 * nearest + i] + (first[i] - regions->rest[3 * nearest + i]);
    }
}
