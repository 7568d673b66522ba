/* Starts that share a few workers: each worker has a model of its own, a start is a snapshot. Sweeps are the
 * same on any number of threads. */
#include "methods/decomposition/coordinate-descent/contest.h"

#include "datasets/base/clock.h"
#include "datasets/base/memory.h"
#include "methods/decomposition/coordinate-descent/reseed.h"
#include "methods/decomposition/coordinate-descent/rigid_bones.h"
#include "methods/decomposition/coordinate-descent/transformations.h"
#include "methods/fitting/seeds.h"

#include <math.h>
#include <omp.h>
#include <string.h>

/* What one thread works in. */
typedef struct ContestWorker {
    ReducedModel model;
    RigidBones rigid;
    Alternation alternation;
    int32_t *regions; /* [N] */
} ContestWorker;

typedef struct Contender {
    int start;
    bool entered;
    Snapshot state; /* once it has */
    Status status;
} Contender;

typedef struct Contest {
    const ContestOptions *options;
    const Alternation *alternation; /* the first start; not owned */
    int worker_count, contender_count;
    ContestWorker *workers;
    Contender *contenders; /* the best first, once a round is over */
} Contest;

static void contest_clear(Contest *contest)
{
    for (int i = 0; contest->workers && i < contest->worker_count; i++) {
        ContestWorker *worker = &contest->workers[i];
        alternation_clear(&worker->alternation);
        reduced_model_clear(&worker->model);
        rigid_clear(&worker->rigid);
        memory_free(worker->regions);
    }
    for (int i = 0; contest->contenders && i < contest->contender_count; i++)
        snapshot_clear(&contest->contenders[i].state);
    memory_free(contest->workers);
    memory_free(contest->contenders);
}

static Status worker_make(ContestWorker *worker, const ReducedModel *model, const ContestOptions *options)
{
    size_t vertices = (size_t)model->vertex_count;
    Status status;
    STATUS_TRY(reduced_model_allocate(&worker->model, NULL, model->vertex_count, model->bone_count,
                                      model->influence_count, model->dimension, 1, model->coordinates));
    memcpy(worker->model.first_rest, model->first_rest, 3 * vertices * sizeof(double));
    worker->model.solver = model->solver;
    worker->model.block = model->block;
    if (model->rigid) {
        const RigidBones *rigid = model->rigid;
        STATUS_TRY(
            rigid_make(&worker->rigid, rigid->frame_count, model->bone_count, rigid->basis, rigid->unit));
        worker->model.rigid = &worker->rigid;
    }
    STATUS_TRY(alternation_make(&worker->alternation, &worker->model, 0.0, options->window));
    worker->regions = memory_array(vertices, sizeof(int32_t));
    if (!worker->regions)
        status = status_out_of_memory("the regions of a start");
done:
    return status;
}

static Status contest_make(Contest *contest, const Alternation *alternation, const ContestOptions *options)
{
    const ReducedModel *model = alternation->model;
    Status status = status_ok();
    *contest = (Contest){.options = options,
                         .alternation = alternation,
                         .worker_count = model->threads < options->starts ? model->threads : options->starts,
                         .contender_count = options->starts};
    contest->workers = memory_array((size_t)contest->worker_count, sizeof(ContestWorker));
    contest->contenders = memory_array((size_t)contest->contender_count, sizeof(Contender));
    if (!contest->workers || !contest->contenders)
        return status_out_of_memory("the starts");
    for (int i = 0; i < contest->contender_count; i++)
        contest->contenders[i].start = i;
    for (int i = 0; i < contest->worker_count && status.code == STATUS_OK; i++)
        status = worker_make(&contest->workers[i], model, options);
    return status;
}

/* The regions of the nearest of seeds that a start spreads. *found: there are as many as bones. */
static Status regions_draw(ContestWorker *worker, uint64_t start, double *squared_error, bool *found)
{
    ReducedModel *model = &worker->model;
    const Mesh points = {.vertex_count = model->vertex_count};
    size_t influences = (size_t)model->influence_count, slots = (size_t)model->vertex_count * influences;
    Seeds seeds = {0};
    Status status;
    STATUS_TRY(seeds_place(&points, model->first_rest, model->bone_count, start, &seeds));
    *found = seeds.count == model->bone_count;
    seeds_nearest(&seeds, model->first_rest, 0, model->vertex_count, worker->regions);
    memcpy(model->rest, model->first_rest, 3 * (size_t)model->vertex_count * sizeof(double));
    memset(model->bones, 0, slots * sizeof(int32_t));
    memset(model->weights, 0, slots * sizeof(double));
    for (size_t j = 0; j < (size_t)model->vertex_count; j++) {
        model->bones[j * influences] = worker->regions[j];
        model->weights[j * influences] = 1.0;
    }
    status = transformations_solve(model, squared_error);
done:
    seeds_clear(&seeds);
    return status;
}

static bool past(double deadline_s)
{
    return deadline_s > 0.0 && clock_now_s() >= deadline_s;
}

/* The model of a contender, from its last round or, in the first one, as it starts; but for the first start
 * nothing enters late. */
static Status contender_take_up(const Contest *contest, ContestWorker *worker, Contender *contender)
{
    const ContestOptions *options = contest->options;
    Status status = status_ok();
    if (worker->model.rigid)
        rigid_copy(&worker->model, contest->alternation->model);
    if (contender->entered) {
        snapshot_restore(&contender->state, &worker->alternation);
    } else if (contender->start == 0 || !past(options->entry_s)) {
        STATUS_TRY(snapshot_make(&contender->state, contest->alternation));
        contender->entered = true;
        snapshot_take(&contender->state, contest->alternation);
        snapshot_restore(&contender->state, &worker->alternation);
        if (contender->start >
            0) /* far from those of other seeds of random numbers, which follow on each other */
            STATUS_TRY(regions_draw(worker, options->first + 1009 * (uint64_t)contender->start,
                                    &worker->alternation.squared_error, &contender->entered));
    }
done:
    return status;
}

static bool contest_must_end(const void *context, double share)
{
    (void)share;
    return past(((const ContestOptions *)context)->deadline_s);
}

/* The sweeps of the first round. */
static Status contender_enter(const ContestOptions *options, Alternation *alternation)
{
    Status status = status_ok();
    for (int i = 0; i < options->sweeps && !past(options->deadline_s); i++) {
        bool exploring = i < options->explore;
        VertexUpdateOptions sweep = options->settling;
        if (exploring) {
            sweep.choice = CHOICE_PREDICTION;
            sweep.rounds = 1;
        }
        STATUS_TRY(alternation_sweep(alternation, &sweep, !exploring));
    }
done:
    return status;
}

/* Those of another: where a start leads shows best once its least useful bones have moved. */
static Status contender_continue(const ContestOptions *options, Alternation *alternation)
{
    enum { TRIALS = 2 };
    int sweeps = 0;
    Reseed reseed = {0};
    Status status;
    STATUS_TRY(reseed_make(&reseed, alternation));
    const ReseedPlan plan = {.trials = TRIALS,
                             .sweeps = TRIALS * (options->trial_sweeps + options->trial_sweeps / 2),
                             .trial_sweeps = options->trial_sweeps,
                             .settling = &options->settling,
                             .must_end = contest_must_end,
                             .context = options};
    status = reseed_run(&reseed, &plan, &sweeps);
done:
    reseed_clear(&reseed);
    return status;
}

static Status contender_run(const Contest *contest, ContestWorker *worker, Contender *contender,
                            bool is_first)
{
    const ContestOptions *options = contest->options;
    Alternation *alternation = &worker->alternation;
    Status status;
    STATUS_TRY(contender_take_up(contest, worker, contender));
    if (!contender->entered)
        return status;
    if (is_first)
        STATUS_TRY(contender_enter(options, alternation));
    else if (options->trial_sweeps > 0)
        STATUS_TRY(contender_continue(options, alternation));
    alternation_unmix(alternation);
    snapshot_take(&contender->state, alternation);
done:
    return status;
}

/* Those that did not enter are last. */
static double contender_error(const Contender *contender)
{
    return contender->entered ? contender->state.squared_error : INFINITY;
}

static void contenders_sort(Contender *contenders, int count)
{
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && contender_error(&contenders[k]) < contender_error(&contenders[k - 1]); k--) {
            Contender other = contenders[k];
            contenders[k] = contenders[k - 1];
            contenders[k - 1] = other;
        }
}

static Status contest_round(Contest *contest, Contender *contenders, int count, bool is_first)
{
    /* Where most threads would have none, contenders take turns, each on all of them. */
    const int threads = contest->alternation->model->threads;
    const bool in_turn = 2 * count <= threads;
#pragma omp parallel for schedule(dynamic) num_threads(in_turn ? 1 : contest->worker_count)
    for (int i = 0; i < count; i++) {
        Contender *contender = &contenders[i];
        ContestWorker *worker = &contest->workers[omp_get_thread_num()];
        worker->model.threads = in_turn ? threads : 1;
        contender->status = contender_run(contest, worker, contender, is_first);
    }
    for (int i = 0; i < count; i++)
        if (contenders[i].status.code != STATUS_OK)
            return contenders[i].status;
    contenders_sort(contenders, count);
    return status_ok();
}

/* Some starts from `first` on: the best of them, if it is better than all before, becomes the first
 * contender. */
static Status contest_generation(Contest *contest, int first, int count)
{
    const ContestOptions *options = contest->options;
    Contender *own = contest->contenders + first;
    int left = count;
    Status status;
    STATUS_TRY(contest_round(contest, own, count, true));
    while (left > 1 && !own[left - 1].entered)
        left--;
    for (int entered = left;
         left > 1 && options->may_go_on(options->context, 1.0 - (double)left / entered);) {
        left = (left + 1) / 2;
        STATUS_TRY(contest_round(contest, own, left, false));
    }
    if (contender_error(own) < contender_error(contest->contenders)) {
        Contender other = *own;
        *own = *contest->contenders;
        *contest->contenders = other;
    }
done:
    return status;
}

Status contest_run(Alternation *alternation, const ContestOptions *options)
{
    Contest contest;
    Status status;
    STATUS_TRY(contest_make(&contest, alternation, options));
    double begun_s = 0.0, now_s = clock_now_s();
    for (int first = 0, left = options->starts, count = options->entry_s > 0.0 ? 2 : left;
         left > 0 && (first == 0 || now_s + 2.0 * (now_s - begun_s) < options->entry_s); count *= 2) {
        count = count < left ? count : left;
        begun_s = now_s;
        STATUS_TRY(contest_generation(&contest, first, count));
        now_s = clock_now_s();
        first += count;
        left -= count;
    }
    snapshot_restore(&contest.contenders[0].state, alternation);
    for (int i = 0; i < contest.worker_count; i++)
        alternation->model->singular_systems += contest.workers[i].model.singular_systems;
done:
    contest_clear(&contest);
    return status;
}
