/* A sample of the vertices with its own model, and the transfer of this model to all vertices. Rank 0 alone
 * searches on the sample, because it is small. */
#include "methods/decomposition/coordinate-descent/sample.h"

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

/* State of all vertices after the first of the two updates in sample_spread. */
typedef struct VertexStates {
    double *errors, *rest, *weights; /* errors [N], rest positions [N][3], weights [N][K] */
    int32_t *bones;                  /* [N][K] */
} VertexStates;

static void vertex_states_clear(VertexStates *states)
{
    FREE_ALL(states->errors, states->rest, states->weights, states->bones);
}

/* Restores the result of the first start for vertices that the second start did not improve. */
static void vertex_states_restore(const VertexStates *states, ReducedModel *model)
{
    const size_t influences = (size_t)model->influence_count;
    for (size_t j = 0; j < (size_t)model->vertex_count; j++) {
        if (model->errors[j] < states->errors[j])
            continue;
        model->errors[j] = states->errors[j];
        memcpy(model->rest + 3 * j, states->rest + 3 * j, 3 * sizeof(double));
        memcpy(model->weights + influences * j, states->weights + influences * j,
               influences * sizeof(double));
        memcpy(model->bones + influences * j, states->bones + influences * j, influences * sizeof(int32_t));
    }
}

/* The vertices of a sample, grouped by region, and their initial rest positions. */
typedef struct SampleRegions {
    const int32_t *regions; /* [N of all ranks] bone of each vertex; not owned */
    const double *rest;     /* [count][3] initial rest positions; not owned */
    int count;
    Grouping members; /* sampled vertices of each region, as indices into the sample */
    double *places;   /* [3][count] initial rest positions in the order of `members` */
    double *squares;  /* [threads][count] workspace */
} SampleRegions;

static void sample_regions_clear(SampleRegions *regions)
{
    grouping_clear(&regions->members);
    FREE_ALL(regions->places, regions->squares);
}

/* Groups the vertices [count] of a sample by region. regions [N] gives the bone of every vertex of all
 * ranks; rest [count][3] gives the initial rest positions of the sample. */
static Status sample_regions_make(const int32_t *vertices, int count, const int32_t *regions,
                                  const double *rest, const ReducedModel *model, SampleRegions *out)
{
    LOCAL_ARRAY(int32_t, numbers, count, "the regions of a sample");
    *out = (SampleRegions){.regions = regions, .rest = rest, .count = count};
    ALLOCATE_TABLE(out->places, 3, count, "the regions of a sample");
    ALLOCATE_TABLE(out->squares, model->threads, count, "the regions of a sample");
    for (int i = 0; i < count; i++)
        numbers[i] = regions[vertices[i]];
    STATUS_TRY(
        grouping_init(numbers, (size_t)count, model->bone_count, "the regions of a sample", &out->members));
    for (ptrdiff_t element = 0; element < count; element++)
        for (ptrdiff_t axis = 0; axis < 3; axis++)
            out->places[axis * count + element] = rest[3 * (ptrdiff_t)out->members.members[element] + axis];
    return status_ok();
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

/* Returns the index of the sampled vertex of a region that is nearest to a point, or -1 if the region has
 * no sampled vertex. squares [count] is workspace. */
static int sample_nearest(const SampleRegions *regions, int32_t region, const double *point, double *squares)
{
    const int64_t begin = regions->members.first[region], count = regions->members.first[region + 1] - begin;
    double least = squares_find(regions->places + begin, regions->count, count, point, squares);
    int64_t index = 0;
    if (count == 0)
        return -1;
    while (squares[index] > least)
        index++;
    return regions->members.members[begin + index];
}

/* Gives every vertex of a model the bones and weights of the nearest sampled vertex in its region. If rest
 * poses are free, the vertex also moves by the same displacement from its initial position as the sampled
 * vertex. Vertices of regions without samples do not change. */
static void vertices_follow(const SampleRegions *regions, const ReducedModel *sampled, bool rest_free,
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

    CLEANUP(vertex_states_clear) VertexStates states = {0};
    if (from_own) {
        STATUS_TRY(vertices_update(model, &update));
        /* save the current state of the vertices */
        const size_t vertices = (size_t)model->vertex_count,
                     slots = vertices * (size_t)model->influence_count;
        ALLOCATE(states.errors, vertices, "the regions of a sample");
        ALLOCATE_TABLE(states.rest, vertices, 3, "the regions of a sample");
        ALLOCATE(states.weights, slots, "the regions of a sample");
        ALLOCATE(states.bones, slots, "the regions of a sample");
        memcpy(states.errors, model->errors, vertices * sizeof(double));
        memcpy(states.rest, model->rest, 3 * vertices * sizeof(double));
        memcpy(states.weights, model->weights, slots * sizeof(double));
        memcpy(states.bones, model->bones, slots * sizeof(int32_t));
    }
    CLEANUP(sample_regions_clear) SampleRegions regions = {0};
    STATUS_TRY(sample_regions_make(sample->vertices, sample->count, sample->regions, sample->model.first_rest,
                                   model, &regions));
    vertices_follow(&regions, sampled, options->rest_free, model);
    for (int i = sample->own_first; i < sample->own_end; i++) {
        const int vertex = sample->vertices[i] - model->first_vertex;
        const size_t from = (size_t)i * influences, to = (size_t)vertex * influences;
        memcpy(model->rest + (ptrdiff_t)3 * vertex, sampled->rest + (ptrdiff_t)3 * i, 3 * sizeof(double));
        memcpy(model->bones + to, sampled->bones + from, influences * sizeof(int32_t));
        memcpy(model->weights + to, sampled->weights + from, influences * sizeof(double));
    }
    STATUS_TRY(vertices_update(model, &update));
    if (from_own)
        vertex_states_restore(&states, model);
    return transformations_solve(model, squared_error);
}
