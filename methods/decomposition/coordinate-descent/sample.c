/* A sample of the vertices with its own model, and the transfer of this model to all vertices. Rank 0 alone
 * searches on the sample, because it is small. */
#include "methods/decomposition/coordinate-descent/sample.h"

#include "methods/decomposition/coordinate-descent/alternation.h"
#include "methods/decomposition/coordinate-descent/transformations.h"
#include "methods/fitting/seeds.h"
#include <omp.h>

void sample_clear(Sample *sample)
{
    FREE_ALL(sample->vertices, sample->regions, sample->coordinates);
    reduced_model_clear(&sample->model);
    rigid_clear(&sample->rigid);
    *sample = (Sample){0};
}

/* Gathers a row [width] for each vertex of the sample from all ranks. The rows of `local` are `stride`
 * numbers apart. Every rank fills in its own rows; then the arrays of all ranks are added. */
static Status sample_gather(const ReducedModel *model, const Sample *sample, const double *local, int stride,
                            int width, double *out)
{
    const size_t size = (size_t)sample->count * (size_t)width;
    memset(out, 0, size * sizeof(double));
    for (int i = sample->own_first; i < sample->own_end; i++)
        memcpy(out + (ptrdiff_t)i * width,
               local + (ptrdiff_t)(sample->vertices[i] - model->first_vertex) * stride,
               (size_t)width * sizeof(double));
    if (ranks_are_many(model->ranks)) {
        LOCAL_ARRAY(double, rests, size, "a sample of the vertices");
        ranks_sum(model->ranks, out, rests, (ptrdiff_t)size);
    }
    return status_ok();
}

/* Collects the bones of the sample's vertices from all ranks. */
static Status bones_gather(const ReducedModel *model, const Sample *sample, int32_t *out)
{
    const int influences = model->influence_count;
    LOCAL_TABLE(double, local, model->vertex_count, influences, "a sample of the vertices");
    LOCAL_TABLE(double, all, sample->count, influences, "a sample of the vertices");
    for (ptrdiff_t i = 0; i < (ptrdiff_t)model->vertex_count * influences; i++)
        local[i] = model->bones[i];
    STATUS_TRY(sample_gather(model, sample, local, influences, influences, all));
    for (ptrdiff_t i = 0; i < (ptrdiff_t)sample->count * influences; i++)
        out[i] = (int32_t)all[i];
    return status_ok();
}

/* Copies transformations to a model of another dimension and fills missing dimensions with zeros. */
static void transforms_copy(const ReducedModel *from, ReducedModel *target)
{
    const int both = from->dimension < target->dimension ? from->dimension : target->dimension;
    memset(target->transforms, 0,
           4 * (size_t)target->bone_count * (size_t)target->dimension * sizeof(double));
    for (ptrdiff_t row = 0; row < 4 * target->bone_count; row++)
        memcpy(target->transforms + row * target->dimension, from->transforms + row * from->dimension,
               (size_t)both * sizeof(double));
}

Status sample_init(Sample *sample, const ReducedModel *model, double per_bone, double phase, double tail)
{
    const int all = model->dimension, influences = model->influence_count;
    *sample = (Sample){0};
    /* pick vertices evenly, in file order, from each region; the region of a vertex is its bone of largest
     * weight */
    const int bones = model->bone_count, vertices = model->all_vertices;
    const double share = per_bone * bones / vertices;
    LOCAL_ARRAY(int32_t, local, model->vertex_count, "a sample of the vertices");
    LOCAL_ARRAY(int32_t, sizes, bones, "a sample of the vertices");
    LOCAL_ARRAY(double, due, bones, "a sample of the vertices");
    ALLOCATE(sample->regions, vertices, "a sample of the vertices");
    ALLOCATE(sample->vertices, vertices, "a sample of the vertices");
    for (int j = 0; j < model->vertex_count; j++)
        local[j] = reduced_model_main_bone(model, j);
    ranks_gather(model->ranks, vertices, sizeof(int32_t), local, sample->regions);
    for (int j = 0; j < vertices; j++)
        sizes[sample->regions[j]]++;
    for (int bone = 0; bone < bones; bone++)
        due[bone] = phase;
    for (int j = 0; j < vertices; j++) {
        /* favour small regions: count each region as at least a quarter of the average region */
        const int32_t bone = sample->regions[j];
        const double min = 0.25 * per_bone / sizes[bone];
        due[bone] += share > min ? share : min;
        if (due[bone] < 1.0)
            continue;
        sample->own_first += j < model->first_vertex;
        sample->own_end += j < model->first_vertex + model->vertex_count;
        sample->vertices[sample->count++] = j;
        due[bone] -= due[bone] >= 2.0 ? due[bone] : 1.0;
    }
    const int count = sample->count;
    ReducedModel *sampled = &sample->model;
    ALLOCATE_TABLE(sample->coordinates, count, all, "a sample of the vertices");
    STATUS_TRY(sample_gather(model, sample, model->coordinates, all, all, sample->coordinates));
    STATUS_TRY(reduced_model_allocate(sampled, NULL, count, model->bone_count, influences, all,
                                      model->threads, sample->coordinates));
    sampled->solver = model->solver;
    sampled->block = count; /* the sample is small, so rank 0 holds the whole sample */

    /* keep only the leading reduced coordinates */
    int dimension = all;
    double left = 0.0;
    STATUS_TRY(leading_dimensions(sampled, sample->coordinates, all, tail * count / model->all_vertices,
                                  &dimension, &left));
    for (ptrdiff_t i = 0; i < count; i++)
        memmove(sample->coordinates + i * dimension, sample->coordinates + i * all,
                (size_t)dimension * sizeof(double));
    reduced_model_take_coordinates(sampled, sample->coordinates, dimension);

    /* copy the state of the model */
    STATUS_TRY(sample_gather(model, sample, model->first_rest, 3, 3, sampled->first_rest));
    STATUS_TRY(sample_gather(model, sample, model->rest, 3, 3, sampled->rest));
    STATUS_TRY(sample_gather(model, sample, model->weights, influences, influences, sampled->weights));
    STATUS_TRY(bones_gather(model, sample, sampled->bones));
    if (model->rigid) {
        const RigidBones *fine = model->rigid;
        STATUS_TRY(rigid_make(&sample->rigid, fine->frame_count, model->bone_count, fine->basis, fine->unit));
        sampled->rigid = &sample->rigid;
        rigid_copy(sampled, model);
    } else {
        transforms_copy(model, sampled);
    }
    transformations_update_gram(sampled);
    return status_ok();
}

Status sample_restart(Sample *sample, uint64_t start, double *squared_error)
{
    ReducedModel *model = &sample->model;
    const Mesh points = {.vertex_count = sample->count};
    CLEANUP(seeds_clear) Seeds seeds = {0};
    *squared_error = INFINITY;
    STATUS_TRY(seeds_place(&points, model->first_rest, SEEDS_BY_PLACE, model->bone_count, start, &seeds));
    if (seeds.count < model->bone_count)
        return status_ok();
    LOCAL_ARRAY(int32_t, regions, sample->count, "the regions of the bones");
    seeds_nearest(&seeds, model->first_rest, 0, sample->count, regions);
    reduced_model_set_regions(model, regions);
    return transformations_solve(model, squared_error);
}

/* Computes the squared distances of `count` positions from a point and returns the smallest one. The
 * coordinates of an axis are contiguous, and the axes are `stride` numbers apart. */
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

/* Gives every vertex of a model the bones and weights of the nearest sampled vertex in its region. If rest
 * poses are free, the vertex also moves by the same displacement from its initial position as the sampled
 * vertex. Vertices of regions without samples do not change. */
static Status vertices_follow(const Sample *sample, bool rest_free, ReducedModel *model)
{
    static const char what[] = "the regions of a sample";
    const ReducedModel *sampled = &sample->model;
    const ptrdiff_t influences = model->influence_count, count = sample->count;
    CLEANUP(grouping_clear) Grouping members = {0}; /* sampled vertices of each region, as indices */
    LOCAL_ARRAY(int32_t, region_of, count, what);
    LOCAL_TABLE(double, places, 3, count, what); /* initial rest positions in the order of `members` */
    LOCAL_TABLE(double, squares, model->threads, count, what);
    for (int i = 0; i < count; i++)
        region_of[i] = sample->regions[sample->vertices[i]];
    STATUS_TRY(grouping_init(region_of, (size_t)count, model->bone_count, what, &members));
    for (ptrdiff_t i = 0; i < 3 * count; i++)
        places[i] = sampled->first_rest[3 * (ptrdiff_t)members.members[i % count] + i / count];
#pragma omp parallel for schedule(static) num_threads(model->threads)
    for (int j = 0; j < model->vertex_count; j++) {
        const double *first = model->first_rest + (ptrdiff_t)3 * j;
        const int32_t region = sample->regions[model->first_vertex + j];
        const int64_t begin = members.first[region], others = members.first[region + 1] - begin;
        double *square = squares + omp_get_thread_num() * count;
        if (others == 0)
            continue;
        const double least = squares_find(places + begin, count, others, first, square);
        int64_t index = 0;
        while (square[index] > least)
            index++;
        const ptrdiff_t nearest = members.members[begin + index];
        memcpy(model->bones + j * influences, sampled->bones + nearest * influences,
               (size_t)influences * sizeof(int32_t));
        memcpy(model->weights + j * influences, sampled->weights + nearest * influences,
               (size_t)influences * sizeof(double));
        for (int i = 0; i < 3 && rest_free; i++)
            model->rest[3 * j + i] =
                sampled->rest[3 * nearest + i] + (first[i] - sampled->first_rest[3 * nearest + i]);
    }
    return status_ok();
}

Status sample_spread(const Sample *sample, const VertexUpdateOptions *options, bool from_own,
                     ReducedModel *model, double *squared_error)
{
    const ReducedModel *sampled = &sample->model;
    const size_t influences = (size_t)model->influence_count, count = (size_t)sample->count;
    VertexUpdateOptions update = *options;
    update.outlier = 0.0;

    ranks_broadcast(model->ranks, sampled->rest, 3 * count * sizeof(double));
    ranks_broadcast(model->ranks, sampled->bones, count * influences * sizeof(int32_t));
    ranks_broadcast(model->ranks, sampled->weights, count * influences * sizeof(double));
    if (model->rigid) {
        rigid_copy(model, sampled);
        rigid_share(model);
    } else {
        transforms_copy(sampled, model);
        ranks_broadcast(model->ranks, model->transforms,
                        4 * (size_t)model->bone_count * (size_t)model->dimension * sizeof(double));
    }
    transformations_update_gram(model);

    /* `own` is the result of a start from a vertex's own state; a better result of the other start replaces
     * it */
    CLEANUP(snapshot_clear) Snapshot own = {0};
    LOCAL_ARRAY(double, errors, model->vertex_count, "the regions of a sample");
    if (from_own) {
        STATUS_TRY(vertices_update(model, &update));
        STATUS_TRY(snapshot_init(&own, model));
        snapshot_copy(&own, model);
        memcpy(errors, model->errors, (size_t)model->vertex_count * sizeof *errors);
    }
    STATUS_TRY(vertices_follow(sample, options->rest_free, model));
    for (int i = sample->own_first; i < sample->own_end; i++) {
        const int vertex = sample->vertices[i] - model->first_vertex;
        const size_t from = (size_t)i * influences, to = (size_t)vertex * influences;
        memcpy(model->rest + (ptrdiff_t)3 * vertex, sampled->rest + (ptrdiff_t)3 * i, 3 * sizeof(double));
        memcpy(model->bones + to, sampled->bones + from, influences * sizeof(int32_t));
        memcpy(model->weights + to, sampled->weights + from, influences * sizeof(double));
    }
    STATUS_TRY(vertices_update(model, &update));
    for (size_t j = 0; from_own && j < (size_t)model->vertex_count; j++) {
        if (model->errors[j] < errors[j])
            continue;
        model->errors[j] = errors[j];
        memcpy(model->rest + 3 * j, own.rest + 3 * j, 3 * sizeof(double));
        memcpy(model->weights + influences * j, own.weights + influences * j, influences * sizeof(double));
        memcpy(model->bones + influences * j, own.bones + influences * j, influences * sizeof(int32_t));
    }
    return transformations_solve(model, squared_error);
}
