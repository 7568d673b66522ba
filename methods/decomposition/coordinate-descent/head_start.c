/* Coordinate descent on a sample of the vertices, and trials of moved bones on it, before the sweeps over
 * all. Over ranks, rank 0 makes them: the sample is small. */
#include "methods/decomposition/coordinate-descent/head_start.h"

#include "datasets/base/clock.h"
#include "datasets/base/memory.h"
#include "methods/decomposition/coordinate-descent/alternation.h"
#include "methods/decomposition/coordinate-descent/contest.h"
#include "methods/decomposition/coordinate-descent/reseed.h"
#include "methods/decomposition/coordinate-descent/rigid_bones.h"
#include "methods/decomposition/coordinate-descent/sample_regions.h"
#include "methods/decomposition/coordinate-descent/transformations.h"

#include <math.h>
#include <string.h>

/* The vertices that take part, of all ranks in the order of the file, and what of them this rank has. */
typedef struct Sample {
    int count;
    int32_t *vertices;      /* [count] */
    int32_t *regions;       /* [N of all ranks] the one bone of every vertex */
    int own_first, own_end; /* those of this rank */
    double *coordinates;    /* [count][d] of the reduction */
    double *leading;        /* [count][d'] what its model works on, */
    double *rest;           /* [count][3] and starts from */
} Sample;

struct HeadStart {
    Sample sample;
    ReducedModel model;   /* of the sample */
    RigidBones rigid;     /* where bones are */
    double squared_error; /* of all vertices, before anything was found */
};

static void sample_clear(Sample *sample)
{
    memory_free(sample->vertices);
    memory_free(sample->regions);
    memory_free(sample->coordinates);
    memory_free(sample->leading);
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

/* Rows [width] of `own`, which are `stride` apart, for the vertices of the sample, on all ranks: every rank
 * adds its own to zeros. */
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

/* The model of the sample, of all dimensions, *rigid its bones where they are rigid. */
static Status sample_make(const ReducedModel *model, Sample *sample, RigidBones *rigid, ReducedModel *sampled)
{
    ptrdiff_t influences = model->influence_count;
    int count = sample->count, dimension = model->dimension;
    Status status;
    STATUS_TRY(sample_gather(model, sample, model->coordinates, dimension, dimension, &sample->coordinates));
    STATUS_TRY(sample_gather(model, sample, model->rest, 3, 3, &sample->rest));
    STATUS_TRY(reduced_model_allocate(sampled, NULL, count, model->bone_count, model->influence_count,
                                      dimension, model->threads, sample->coordinates));
    memcpy(sampled->first_rest, sample->rest, 3 * (size_t)count * sizeof(double));
    memcpy(sampled->rest, sample->rest, 3 * (size_t)count * sizeof(double));
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

/* The sample's model takes up as many leading dimensions as leave at most a share of the squared error to the
 * others, and the transformations that go with them; *squared_error becomes theirs. */
static Status sample_lead(const ReducedModel *model, double share, Sample *sample, ReducedModel *sampled,
                          double *squared_error)
{
    const int all = model->dimension;
    int dimension = all;
    double tail = 0.0;
    Status status;
    memory_free(sample->leading);
    sample->leading = NULL;
    STATUS_TRY(leading_dimensions(sampled, sample->coordinates, all, share * share * *squared_error,
                                  &dimension, &tail));
    sample->leading = memory_table((size_t)sample->count, (size_t)dimension, sizeof(double));
    STATUS_TRY(sample->leading ? status_ok() : status_out_of_memory("the leading dimensions of a sample"));
    for (ptrdiff_t i = 0; i < sample->count; i++)
        memcpy(sample->leading + i * dimension, sample->coordinates + i * all,
               (size_t)dimension * sizeof(double));
    reduced_model_take_coordinates(sampled, sample->leading, dimension);
    status = transformations_solve(sampled, squared_error);
done:
    return status;
}

/* Of the time until the deadline, for the contest: trials of its winner bring more in the end than more
 * starts do. */
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

/* Sweeps for trials and what settles between them: what the budget leaves after the first round of a
 * contest. */
static int sweeps_count(const ReducedModel *sampled, const HeadStartOptions *options)
{
    enum { MOST = 1000000 };
    double cost = sweep_cost(sampled->vertex_count, sampled->bone_count, sampled->dimension);
    double left = options->budget / cost - options->sweeps;
    return (int)fmin(MOST, fmax(options->trial_sweeps, left));
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

static Status sample_reseed(Alternation *alternation, const HeadStartOptions *options, int *sweeps)
{
    enum { MOST = 40 };
    const int trials = options->trials >= 0 ? options->trials : MOST;
    const ReseedPlan plan = {.trials = alternation->model->bone_count > 1 ? trials : 0,
                             .sweeps = sweeps_count(alternation->model, options),
                             .trial_sweeps = options->trial_sweeps,
                             .settling = &options->settling,
                             .must_end = reseed_must_end,
                             .context = options};
    Reseed reseed = {0};
    Status status;
    STATUS_TRY(reseed_make(&reseed, alternation));
    status = reseed_run(&reseed, &plan, sweeps);
done:
    reseed_clear(&reseed);
    return status;
}

/* When what the sample found must be brought to all vertices, with half of the time that is left beside that
 * and the delivery, which take as long as two sweeps. */
static double search_deadline(double limit_s, double sweep_s)
{
    const double now = clock_now_s();
    return now + 0.5 * fmax(limit_s - 2.0 * sweep_s - now, 0.0);
}

/* How many starts the budget allows: there are as many places in the later rounds together, of two trials
 * each. */
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

/* The winner of a contest, over few dimensions. */
static Status sample_contest(ReducedModel *sampled, double *squared_error, const HeadStartOptions *options)
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
    STATUS_TRY(alternation_make(&alternation, sampled, *squared_error, options->window));
    STATUS_TRY(contest_run(&alternation, &contest));
    alternation_unmix(&alternation);
    *squared_error = alternation.squared_error;
done:
    alternation_clear(&alternation);
    return status;
}

/* Trials of moved bones, and sweeps that settle; *unit_s as these take it, where there are any. */
static Status sample_settle(ReducedModel *sampled, double *squared_error, const HeadStartOptions *options,
                            double *unit_s)
{
    const double begun_s = clock_now_s();
    Alternation alternation = {0};
    int sweeps = 0;
    Status status;
    STATUS_TRY(alternation_make(&alternation, sampled, *squared_error, options->window));
    STATUS_TRY(sample_reseed(&alternation, options, &sweeps));
    alternation_unmix(&alternation);
    *squared_error = alternation.squared_error;
    if (sweeps > 0)
        *unit_s = (clock_now_s() - begun_s) / sweeps /
                  sweep_cost(sampled->vertex_count, sampled->bone_count, sampled->dimension);
done:
    alternation_clear(&alternation);
    return status;
}

/* Where every vertex ended from its first start. */
typedef struct VertexStates {
    double *errors, *rest, *weights; /* [N], [N][3], [N][K] */
    int32_t *bones;                  /* [N][K] */
} VertexStates;

static void vertex_states_clear(VertexStates *states)
{
    memory_free(states->errors);
    memory_free(states->rest);
    memory_free(states->weights);
    memory_free(states->bones);
}

static Status vertex_states_take(const ReducedModel *model, VertexStates *states)
{
    const size_t vertices = (size_t)model->vertex_count, slots = vertices * (size_t)model->influence_count;
    states->errors = memory_array(vertices, sizeof(double));
    states->rest = memory_table(vertices, 3, sizeof(double));
    states->weights = memory_array(slots, sizeof(double));
    states->bones = memory_array(slots, sizeof(int32_t));
    if (!states->errors || !states->rest || !states->weights || !states->bones)
        return status_out_of_memory("the vertices around a sample");
    memcpy(states->errors, model->errors, vertices * sizeof(double));
    memcpy(states->rest, model->rest, 3 * vertices * sizeof(double));
    memcpy(states->weights, model->weights, slots * sizeof(double));
    memcpy(states->bones, model->bones, slots * sizeof(int32_t));
    return status_ok();
}

/* Vertices that ended no better than that return to it. */
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

/* Whether a limit leaves so much time; rank 0 decides. */
static bool time_is_left(const ReducedModel *model, const HeadStartOptions *options, double needed_s)
{
    return ranks_decide(model->ranks, options->limit_s <= 0.0 || options->limit_s - clock_now_s() > needed_s);
}

/* Two sweeps over the vertices; in short time one of them, of a single round, or none. *unit_s becomes what
 * the first one took. */
static Status vertices_sweep(ReducedModel *model, const HeadStartOptions *options, double *unit_s)
{
    const double cost = sweep_cost(model->all_vertices, model->bone_count, model->dimension);
    const bool in_time = time_is_left(model, options, 1.8 * *unit_s * cost);
    VertexUpdateOptions sweep = options->settling;
    Status status = status_ok();
    if (!in_time && !time_is_left(model, options, 1.1 * *unit_s * cost))
        return status;
    sweep.outlier = 0.0;
    sweep.rounds = in_time ? sweep.rounds : 1;
    const double begun_s = clock_now_s();
    STATUS_TRY(vertices_update(model, &sweep));
    if (in_time)
        *unit_s = (clock_now_s() - begun_s) / cost;
    if (in_time && time_is_left(model, options, 1.8 * *unit_s * cost))
        status = vertices_update(model, &sweep);
done:
    return status;
}

/* Rest pose and weights of all vertices under the sample's transformations: those of the sample as they are,
 * the others from its nearest vertex and, where there is time for a dozen sweeps, from the second, of which
 * the better end counts. */
static Status others_follow(const ReducedModel *sampled, const Sample *sample,
                            const HeadStartOptions *options, double *unit_s, ReducedModel *model)
{
    const size_t influences = (size_t)model->influence_count;
    const bool rest_free = options->settling.rest_free;
    SampleRegions regions = {0};
    VertexStates states = {0};
    Status status;
    STATUS_TRY(
        sample_regions_make(sample->vertices, sample->count, sample->regions, sample->rest, model, &regions));
    vertices_follow(&regions, sampled, false, rest_free, model);
    for (int i = sample->own_first; i < sample->own_end; i++) {
        int vertex = sample->vertices[i] - model->first_vertex;
        size_t from = (size_t)i * influences, to = (size_t)vertex * influences;
        memcpy(model->rest + (ptrdiff_t)3 * vertex, sampled->rest + (ptrdiff_t)3 * i, 3 * sizeof(double));
        memcpy(model->bones + to, sampled->bones + from, influences * sizeof(int32_t));
        memcpy(model->weights + to, sampled->weights + from, influences * sizeof(double));
    }
    STATUS_TRY(vertices_sweep(model, options, unit_s));
    if (!time_is_left(model, options,
                      12.0 * *unit_s * sweep_cost(model->all_vertices, model->bone_count, model->dimension)))
        goto done;
    STATUS_TRY(vertex_states_take(model, &states));
    vertices_follow(&regions, sampled, true, rest_free, model);
    STATUS_TRY(vertices_sweep(model, options, unit_s));
    vertex_states_restore(&states, model);
done:
    sample_regions_clear(&regions);
    vertex_states_clear(&states);
    return status;
}

/* The vertices as they were before anything was found, one bone each, and the transformations that suit
 * them. */
static Status regions_return(const Sample *sample, const double *rest, ReducedModel *model,
                             double *squared_error)
{
    const size_t influences = (size_t)model->influence_count, vertices = (size_t)model->vertex_count;
    memcpy(model->rest, rest, 3 * vertices * sizeof(double));
    memset(model->weights, 0, vertices * influences * sizeof(double));
    for (size_t j = 0; j < vertices; j++) {
        model->bones[j * influences] = sample->regions[(size_t)model->first_vertex + j];
        model->weights[j * influences] = 1.0;
    }
    return transformations_solve(model, squared_error);
}

/* Rows of transformations of the sample, the dimensions it leaves out zero. */
static void transforms_take(const ReducedModel *sampled, ReducedModel *model)
{
    const int from = sampled->dimension, to = model->dimension, both = from < to ? from : to;
    const size_t bytes = 4 * (size_t)model->bone_count * (size_t)to * sizeof(double);
    memset(model->transforms, 0, bytes);
    for (ptrdiff_t row = 0; row < 4 * model->bone_count; row++)
        memcpy(model->transforms + row * to, sampled->transforms + row * from, (size_t)both * sizeof(double));
    ranks_broadcast(model->ranks, model->transforms, bytes);
}

/* On rank 0. *error: of the regions, then of what was found, both over the sample. */
static Status sample_search(const ReducedModel *model, HeadStartOptions options, HeadStart *start,
                            double *error, double *unit_s)
{
    Sample *sample = &start->sample;
    Status status;
    if (options.limit_s > 0.0)
        options.deadline_s = search_deadline(
            options.limit_s, *unit_s * sweep_cost(model->all_vertices, model->bone_count, model->dimension));
    STATUS_TRY(sample_lead(model, options.tail, sample, &start->model, error));
    STATUS_TRY(sample_contest(&start->model, error, &options));
    if (options.trial_sweeps > 0) {
        STATUS_TRY(sample_lead(model, options.last_tail, sample, &start->model, error));
        STATUS_TRY(sample_settle(&start->model, error, &options, unit_s));
    }
done:
    return status;
}

Status head_start_measure(const ReducedModel *model, const VertexUpdateOptions *settling, double *unit_s)
{
    enum { VERTICES = 256 }; /* of each thread */
    const int some = VERTICES * model->threads;
    const size_t count = (size_t)(model->vertex_count < some ? model->vertex_count : some);
    const size_t slots = count * (size_t)model->influence_count, bones = (size_t)model->bone_count;
    const double cost = sweep_cost((int)count, model->bone_count, model->dimension);
    ReducedModel few;
    Status status;
    STATUS_TRY(reduced_model_allocate(&few, NULL, (int)count, model->bone_count, model->influence_count,
                                      model->dimension, model->threads, model->coordinates));
    memcpy(few.rest, model->rest, 3 * count * sizeof(double));
    memcpy(few.bones, model->bones, slots * sizeof(int32_t));
    memcpy(few.weights, model->weights, slots * sizeof(double));
    memcpy(few.transforms, model->transforms, 4 * bones * (size_t)model->dimension * sizeof(double));
    memcpy(few.gram, model->gram, 16 * bones * bones * sizeof(double));
    for (int i = 0; i < 2; i++) { /* the first takes more rounds than those to come */
        const double begun_s = clock_now_s();
        STATUS_TRY(vertices_update(&few, settling));
        *unit_s = (clock_now_s() - begun_s) / fmax(cost, 1.0);
    }
    ranks_broadcast(model->ranks, unit_s, sizeof *unit_s);
done:
    reduced_model_clear(&few);
    return status;
}

/* Whether a limit leaves the search the time of a few sweeps over the sample. */
static bool search_is_worth_it(const ReducedModel *model, const HeadStartOptions *options, double unit_s)
{
    static const double SWEEPS = 4.0;
    const int most = options->vertices_per_bone * model->bone_count, all = model->all_vertices;
    const double sample_s = unit_s * sweep_cost(most < all ? most : all, model->bone_count, model->dimension);
    const double all_s = unit_s * sweep_cost(all, model->bone_count, model->dimension);
    return ranks_decide(model->ranks,
                        options->limit_s <= 0.0 ||
                            search_deadline(options->limit_s, all_s) - clock_now_s() > SWEEPS * sample_s);
}

Status head_start_search(const ReducedModel *model, double squared_error, const HeadStartOptions *options,
                         HeadStart **out, double *found, double *unit_s)
{
    HeadStart *start;
    double share = 0.0;
    Status status;
    *out = NULL;
    if (!search_is_worth_it(model, options, *unit_s))
        return status_ok();
    *out = start = memory_array(1, sizeof *start);
    STATUS_TRY(start ? status_ok() : status_out_of_memory("a sample of the vertices"));
    start->squared_error = squared_error;
    STATUS_TRY(sample_choose(model, options->vertices_per_bone, &start->sample));
    STATUS_TRY(sample_make(model, &start->sample, &start->rigid, &start->model));
    share = (double)start->sample.count / model->all_vertices;
    *found = share * squared_error;
    if (ranks_is_first(model->ranks))
        STATUS_TRY(sample_search(model, *options, start, found, unit_s));
    *found /= share;
    ranks_broadcast(model->ranks, found, sizeof *found);
    ranks_broadcast(model->ranks, unit_s, sizeof *unit_s);
done:
    return status;
}

Status head_start_spread(HeadStart *start, const HeadStartOptions *options, ReducedModel *model,
                         double *squared_error, double *unit_s)
{
    if (!start) {
        Status swept = vertices_sweep(model, options, unit_s);
        return swept.code == STATUS_OK ? transformations_solve(model, squared_error) : swept;
    }
    ReducedModel *sampled = &start->model;
    double *rest = memory_table((size_t)model->vertex_count, 3, sizeof(double));
    Status status = rest ? status_ok() : status_out_of_memory("the rest pose");
    if (status.code != STATUS_OK)
        return status;
    memcpy(rest, model->rest, 3 * (size_t)model->vertex_count * sizeof(double));
    size_t influences = (size_t)model->influence_count, count = (size_t)sampled->vertex_count;
    const Ranks *ranks = model->ranks;
    ranks_broadcast(ranks, sampled->rest, 3 * count * sizeof(double));
    ranks_broadcast(ranks, sampled->bones, count * influences * sizeof(int32_t));
    ranks_broadcast(ranks, sampled->weights, count * influences * sizeof(double));
    transforms_take(sampled, model);
    if (model->rigid) {
        rigid_copy(model, sampled);
        rigid_share(model);
    }
    model->singular_systems += sampled->singular_systems;
    transformations_update_gram(model);
    STATUS_TRY(others_follow(sampled, &start->sample, options, unit_s, model));
    STATUS_TRY(transformations_solve(model, squared_error));
    if (!model->rigid && *squared_error > start->squared_error)
        status = regions_return(&start->sample, rest, model, squared_error);
done:
    memory_free(rest);
    return status;
}

void head_start_free(HeadStart *start)
{
    if (!start)
        return;
    reduced_model_clear(&start->model);
    rigid_clear(&start->rigid);
    sample_clear(&start->sample);
    memory_free(start);
}
