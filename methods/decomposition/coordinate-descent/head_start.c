/* Coordinate descent on a sample of the vertices, and trials of moved bones on it, before the sweeps over
 * all. Over ranks, rank 0 makes them: the sample is small. */
#include "methods/decomposition/coordinate-descent/head_start.h"

#include "datasets/base/clock.h"
#include "datasets/base/grouping.h"
#include "datasets/base/memory.h"
#include "methods/decomposition/coordinate-descent/alternation.h"
#include "methods/decomposition/coordinate-descent/contest.h"
#include "methods/decomposition/coordinate-descent/reseed.h"
#include "methods/decomposition/coordinate-descent/rigid_bones.h"
#include "methods/decomposition/coordinate-descent/transformations.h"

#include <math.h>
#include <string.h>

/* The vertices that take part, of all ranks in the order of the file, and what of them this rank has. */
typedef struct Sample {
    int count;
    int32_t *vertices;      /* [count] */
    int32_t *regions;       /* [N of all ranks] the one bone of every vertex */
    int own_first, own_end; /* those of this rank */
    double *coordinates;    /* [count][d'] what its model works on, */
    double *rest;           /* [count][3] and starts from */
} Sample;

static void sample_clear(Sample *sample)
{
    memory_free(sample->vertices);
    memory_free(sample->regions);
    memory_free(sample->coordinates);
    memory_free(sample->rest);
}

/* The bones of all vertices, on all ranks. */
static Status regions_gather(const ReducedModel *model, Sample *sample)
{
    int32_t *own = memory_array((size_t)model->vertex_count, sizeof(int32_t));
    sample->regions = memory_array((size_t)model->all_vertices, sizeof(int32_t));
    sample->vertices = memory_array((size_t)model->all_vertices, sizeof(int32_t));
    bool made = own && sample->regions && sample->vertices;
    if (made) {
        for (int j = 0; j < model->vertex_count; j++)
            own[j] = model->bones[(ptrdiff_t)j * model->influence_count];
        ranks_gather(model->ranks, model->all_vertices, sizeof(int32_t), own, sample->regions);
    }
    memory_free(own);
    return made ? status_ok() : status_out_of_memory("a sample of the vertices");
}

/* Picks vertices evenly from every region, in the order of the file. */
static Status sample_choose(const ReducedModel *model, int vertices_per_bone, Sample *sample)
{
    int bones = model->bone_count, vertices = model->all_vertices;
    double share = (double)vertices_per_bone * bones / vertices;
    int32_t *sizes = memory_array((size_t)bones, sizeof(int32_t));
    double *due = memory_array((size_t)bones, sizeof(double));
    Status status;
    STATUS_TRY(regions_gather(model, sample));
    if (!sizes || !due) {
        status = status_out_of_memory("a sample of the vertices");
        goto done;
    }
    for (int j = 0; j < vertices; j++)
        sizes[sample->regions[j]]++;
    for (int j = 0; j < vertices; j++) {
        int32_t bone = sample->regions[j];
        double least = 0.25 * vertices_per_bone / sizes[bone];
        due[bone] += share > least ? share : least;
        if (due[bone] >= 1.0) {
            sample->own_first += j < model->first_vertex;
            sample->own_end += j < model->first_vertex + model->vertex_count;
            sample->vertices[sample->count++] = j;
            due[bone] -= due[bone] >= 2.0 ? due[bone] : 1.0;
        }
    }
done:
    memory_free(sizes);
    memory_free(due);
    return status;
}

/* Rows [width] of `own`, which are `stride` apart, for the vertices of the sample, on all ranks: every rank adds its own to
 * zeros. */
static Status sample_gather(const ReducedModel *model, const Sample *sample, const double *own, int stride,
                            int width, double **out)
{
    size_t size = (size_t)sample->count * (size_t)width;
    double *rests = ranks_are_many(model->ranks) ? memory_array(size, sizeof(double)) : NULL;
    Status status = status_ok();
    *out = memory_array(size, sizeof(double));
    if (!*out || (ranks_are_many(model->ranks) && !rests)) {
        status = status_out_of_memory("a sample of the vertices");
        goto done;
    }
    for (int i = sample->own_first; i < sample->own_end; i++)
        memcpy(*out + (ptrdiff_t)i * width,
               own + (ptrdiff_t)(sample->vertices[i] - model->first_vertex) * stride,
               (size_t)width * sizeof(double));
    if (ranks_are_many(model->ranks))
        ranks_sum(model->ranks, *out, rests, (ptrdiff_t)size);
done:
    memory_free(rests);
    return status;
}

/* The model of the sample, *rigid its bones where they are rigid. */
static Status sample_make(const ReducedModel *model, int dimension, Sample *sample, RigidBones *rigid,
                          ReducedModel *sampled)
{
    ptrdiff_t influences = model->influence_count;
    int count = sample->count;
    Status status;
    STATUS_TRY(
        sample_gather(model, sample, model->coordinates, model->dimension, dimension, &sample->coordinates));
    STATUS_TRY(sample_gather(model, sample, model->rest, 3, 3, &sample->rest));
    STATUS_TRY(reduced_model_allocate(sampled, NULL, count, model->bone_count, model->influence_count,
                                      dimension, model->threads, sample->coordinates));
    memcpy(sampled->rest, sample->rest, 3 * (size_t)count * sizeof(double));
    memcpy(sampled->first_rest, sample->rest, 3 * (size_t)count * sizeof(double));
    for (int i = 0; i < count; i++) {
        sampled->bones[i * influences] = sample->regions[sample->vertices[i]];
        sampled->weights[i * influences] = 1.0;
    }
    sampled->solver = model->solver;
    sampled->block = count; /* no other rank has any */
    if (model->rigid) {
        const RigidBones *fine = model->rigid;
        STATUS_TRY(rigid_make(rigid, fine->frame_count, model->bone_count, fine->basis, fine->unit));
        sampled->rigid = rigid;
    }
done:
    return status;
}

/* Of the time until the deadline, for the contest: trials of its winner bring more in the end than more starts do. */
static const double ENTRY_SHARE = 0.6;

double sweep_cost(int vertex_count, int bone_count, int dimension)
{
    return vertex_count * (1.0 + bone_count / 75.0 + (double)bone_count * dimension / 4500.0);
}

double reduction_cost(int row_count, int all_vertices)
{
    double rows = row_count;
    return (1.06e-4 * all_vertices + 3.4e-4 * rows) * rows * rows;
}

/* How many trials the budget allows, at most a trial and a half of sweeps each. Beyond a number of them what suits a
 * small share of the vertices better no longer suits the others. */
static int trials_count(const ReducedModel *sampled, bool is_small_share, const HeadStartOptions *options)
{
    enum { LEAST = 1, MOST = 40, MOST_OF_SMALL_SHARE = 12 };
    double cost = sweep_cost(sampled->vertex_count, sampled->bone_count, sampled->dimension);
    double sweeps = options->budget / cost - options->sweeps;
    if (options->trial_sweeps == 0 || sampled->bone_count < 2)
        return 0;
    if (options->trials >= 0)
        return options->trials;
    return (int)fmin(is_small_share ? MOST_OF_SMALL_SHARE : MOST,
                     fmax(LEAST, sweeps / (1.5 * options->trial_sweeps + 1.0)));
}

/* Whether the time is up, or somebody wants to stop, after a share of all sweeps. */
static bool sample_must_end(const HeadStartOptions *options, double share)
{
    return (options->deadline_s > 0.0 && clock_now_s() >= options->deadline_s) ||
           !progress_report(options->progress, "sweeps over a sample", 0.4 + 0.2 * share);
}

static bool reseed_must_end(const void *context, double share)
{
    return sample_must_end(context, 0.3 + 0.7 * share);
}

static Status sample_reseed(Alternation *alternation, bool is_small_share, const HeadStartOptions *options)
{
    Reseed reseed = {0};
    Status status;
    STATUS_TRY(reseed_make(&reseed, alternation));
    status = reseed_run(&reseed, trials_count(alternation->model, is_small_share, options),
                        options->trial_sweeps, &options->settling, reseed_must_end, options);
done:
    reseed_clear(&reseed);
    return status;
}

/* How many starts the budget allows: there are as many places in the later rounds together, of two trials each. */
static int starts_count(const ReducedModel *sampled, const HeadStartOptions *options)
{
    enum { MOST = 8, MOST_IN_TIME = 256 };
    double cost = sweep_cost(sampled->vertex_count, sampled->bone_count, sampled->dimension);
    if (options->starts > 0 || sampled->bone_count < 2)
        return options->starts > 0 ? options->starts : 1;
    return (int)fmin(options->deadline_s > 0.0 ? MOST_IN_TIME : MOST,
                     fmax(1.0, options->budget / ((options->sweeps + 2.5 * options->trial_sweeps) * cost)));
}

static bool contest_may_go_on(const void *context, double share)
{
    return !sample_must_end(context, 0.3 * share);
}

static Status sample_sweep(ReducedModel *sampled, double squared_error, bool is_small_share,
                           const HeadStartOptions *options)
{
    Alternation alternation = {0};
    double now = clock_now_s();
    const ContestOptions contest = {
        .starts = starts_count(sampled, options),
        .sweeps = options->sweeps,
        .explore = options->explore,
        .trial_sweeps = options->trial_sweeps,
        .first = options->start,
        .window = options->window,
        .entry_s = options->deadline_s > 0.0 ? now + ENTRY_SHARE * (options->deadline_s - now) : 0.0,
        .deadline_s = options->deadline_s,
        .may_go_on = contest_may_go_on,
        .context = options,
        .settling = options->settling,
    };
    Status status;
    STATUS_TRY(alternation_make(&alternation, sampled, squared_error, options->window));
    STATUS_TRY(contest_run(&alternation, &contest));
    STATUS_TRY(sample_reseed(&alternation, is_small_share, options));
    alternation_unmix(&alternation);
done:
    alternation_clear(&alternation);
    return status;
}

/* Vertices that are not of the sample start like the nearest one of their region that is, moved with it. */
static Status others_follow(const ReducedModel *sampled, const Sample *sample, bool rest_free,
                            ReducedModel *model)
{
    ptrdiff_t influences = model->influence_count;
    int32_t *regions = memory_array((size_t)sample->count, sizeof(int32_t));
    Grouping members = {0};
    Status status;
    if (!regions) {
        status = status_out_of_memory("the vertices around a sample");
        goto done;
    }
    for (int i = 0; i < sample->count; i++)
        regions[i] = sample->regions[sample->vertices[i]];
    STATUS_TRY(grouping_make(regions, (size_t)sample->count, model->bone_count,
                             "the vertices around a sample", &members));
#pragma omp parallel for schedule(static) num_threads(model->threads)
    for (int j = 0; j < model->vertex_count; j++) {
        const double *first = model->first_rest + (ptrdiff_t)3 * j;
        int32_t region = sample->regions[model->first_vertex + j], nearest = -1;
        double least = INFINITY;
        for (int64_t at = members.first[region]; at < members.first[region + 1]; at++) {
            const double *other = sample->rest + (ptrdiff_t)3 * members.members[at];
            double x = first[0] - other[0], y = first[1] - other[1], z = first[2] - other[2];
            double square = x * x + y * y + z * z;
            nearest = square < least ? members.members[at] : nearest;
            least = square < least ? square : least;
        }
        if (nearest < 0)
            continue;
        memcpy(model->bones + j * influences, sampled->bones + nearest * influences,
               (size_t)influences * sizeof(int32_t));
        memcpy(model->weights + j * influences, sampled->weights + nearest * influences,
               (size_t)influences * sizeof(double));
        for (int i = 0; i < 3 && rest_free; i++)
            model->rest[3 * j + i] =
                sampled->rest[3 * nearest + i] + (first[i] - sample->rest[3 * nearest + i]);
    }
done:
    memory_free(regions);
    grouping_clear(&members);
    return status;
}

/* Brings what the sample found, on rank 0, to all vertices. */
static Status sample_spread(const ReducedModel *sampled, const Sample *sample,
                            const HeadStartOptions *options, ReducedModel *model, double *squared_error)
{
    size_t influences = (size_t)model->influence_count, count = (size_t)sampled->vertex_count;
    const Ranks *ranks = model->ranks;
    ranks_broadcast(ranks, sampled->rest, 3 * count * sizeof(double));
    ranks_broadcast(ranks, sampled->bones, count * influences * sizeof(int32_t));
    ranks_broadcast(ranks, sampled->weights, count * influences * sizeof(double));
    Status status;
    STATUS_TRY(others_follow(sampled, sample, options->settling.rest_free, model));
    for (int i = sample->own_first; i < sample->own_end; i++) {
        int vertex = sample->vertices[i] - model->first_vertex;
        size_t from = (size_t)i * influences, to = (size_t)vertex * influences;
        memcpy(model->rest + (ptrdiff_t)3 * vertex, sampled->rest + (ptrdiff_t)3 * i, 3 * sizeof(double));
        memcpy(model->bones + to, sampled->bones + from, influences * sizeof(int32_t));
        memcpy(model->weights + to, sampled->weights + from, influences * sizeof(double));
    }
    size_t transform_bytes = 4 * (size_t)model->bone_count * (size_t)model->dimension * sizeof(double);
    memset(model->transforms, 0, transform_bytes);
    for (int row = 0; row < 4 * model->bone_count; row++)
        memcpy(model->transforms + (ptrdiff_t)row * model->dimension,
               sampled->transforms + (ptrdiff_t)row * sampled->dimension,
               (size_t)sampled->dimension * sizeof(double));
    ranks_broadcast(ranks, model->transforms, transform_bytes);
    if (model->rigid) {
        rigid_copy(model, sampled);
        rigid_share(model);
    }
    model->singular_systems += sampled->singular_systems;
    transformations_update_gram(model);
    int sweeps =
        options->hurried ? 1 : 2; /* before the transformations count what vertices off the sample say */
    VertexUpdateOptions sweep = options->settling;
    sweep.outlier = 0.0;
    for (int i = 0; i < sweeps; i++)
        STATUS_TRY(vertices_update(model, &sweep));
    status = transformations_solve(model, squared_error);
done:
    return status;
}

Status head_start(ReducedModel *model, double *squared_error, const HeadStartOptions *options)
{
    ReducedModel sampled = {0};
    RigidBones rigid = {0};
    Sample sample = {0};
    double sample_error = 0.0, tail = 0.0;
    int dimension = 0;
    Status status;
    STATUS_TRY(leading_dimensions(model, model->coordinates, model->dimension,
                                  options->tail * options->tail * *squared_error, &dimension, &tail));
    STATUS_TRY(sample_choose(model, options->vertices_per_bone, &sample));
    STATUS_TRY(sample_make(model, dimension, &sample, &rigid, &sampled));
    if (ranks_is_first(model->ranks)) {
        STATUS_TRY(transformations_solve(&sampled, &sample_error));
        STATUS_TRY(sample_sweep(&sampled, sample_error, sample.count < model->all_vertices / 8, options));
    }
    status = sample_spread(&sampled, &sample, options, model, squared_error);
done:
    reduced_model_clear(&sampled);
    rigid_clear(&rigid);
    sample_clear(&sample);
    return status;
}
