/* The stages of a fit. Each stage perturbs the model on a sample, makes sweeps over all vertices and keeps
 * the better of the old and the new model. */
#include "methods/decomposition/coordinate-descent/ladder.h"

#include "methods/decomposition/coordinate-descent/delivery.h"
#include "methods/decomposition/coordinate-descent/perturbation.h"
#include "methods/decomposition/coordinate-descent/sample.h"
#include "methods/decomposition/coordinate-descent/transformations.h"

/* Each stage after the first switches to a finer reduction if the coarse one causes more than COARSE_SHARE
 * of the error. The first finer reduction is chosen so that this fraction is about FINER_SHARE. Both are
 * fractions of the error E_RMS, so they are squared before they multiply squared errors. */
static const double COARSE_SHARE = 0.12, FINER_SHARE = 0.05;
/* A fit is almost exact if the full reduction causes at least the fraction EXACT_SHARE of its error. The
 * next stage then multiplies the threshold of the reduction by EXACT_THRESHOLD. */
static const double EXACT_SHARE = 0.5, EXACT_THRESHOLD = 1e-3;
/* Sweeps use only the leading reduced coordinates. The coordinates left out cause at most this fraction of
 * the error. */
static const double LEADING_SHARE = 0.12;
/* Sweeps on the sample may leave out more coordinates. In the first stage these may cause at most the
 * fraction FIRST_SAMPLE_SHARE of the error of the first regions. In later stages they may cause at most the
 * fraction SAMPLE_SHARE of the model's error. */
static const double FIRST_SAMPLE_SHARE = 0.1, SAMPLE_SHARE = 0.2;
/* Number of sampled vertices per bone and minimum size of the sample in the first two stages. Each later
 * stage has sqrt(2) times as many vertices. */
enum { SAMPLE_PER_BONE = 40, SAMPLE_MIN = 800 };
/* STARTS_MIN and STARTS_MAX limit the number of starts on the sample. VERTICES_PER_START lowers this number
 * for tiny samples, on which different starts give similar models. STARTS_APART is the difference between
 * the random seeds of two starts; it is so large that runs with another --seed do not use the same
 * seeds. */
enum { STARTS_MIN = 3, STARTS_MAX = 16, VERTICES_PER_START = 50, STARTS_APART = 1009 };
/* FIRST_SWEEPS is the number of first sweeps on the sample. The first FIRST_PREDICTIONS of them choose
 * bones by prediction. TRIAL_SWEEPS is the number of sweeps in a trial, which moves some bones and undoes
 * the move unless the error falls. The model found on the sample must become the better one within CATCH_UP
 * sweeps over all vertices. */
enum { FIRST_SWEEPS = 12, FIRST_PREDICTIONS = 6, TRIAL_SWEEPS = 8, CATCH_UP = 2 };
/* Work of the first stage. Both its search and its iteration get at least WORK_MIN units of sweep_cost (a
 * unit is about 0.4 us on a core of 2023). On a small mesh this allows several sweeps per iteration. On a
 * large mesh the search takes as long as SEARCH_SWEEPS sweeps over all vertices. */
static const double WORK_MIN = 25e3, SEARCH_SWEEPS = 1.2;
/* A fit ends after this many stages in a row without improvement. */
enum { IDLE_STAGES = 3 };

typedef struct Ladder {
    FitState *fit;
    int stage;
    Perturbation lessons;        /* on rank 0: results of earlier trials of moving bones of the best model */
    Snapshot best;               /* best model, with all reduced coordinates, rounded like the rig */
    double best_error;           /* ||A - A'||^2 of the best model */
    double delivered;            /* ||A - A'||^2 of the rig in the result */
    double paid;                 /* penalty for rough weights of the rig in the result (smoothing.h) */
    bool ended;                  /* whether the fit has ended; result->end gives the reason */
    Snapshot starts[STARTS_MAX]; /* models of the first stage, best first */
} Ladder;

/* Returns the cost of a sweep. The unit is the cost of one vertex in a model with few bones and few reduced
 * coordinates. */
static double sweep_cost(const ReducedModel *model)
{
    static const double FIXED = 300.0,
                        SMALLEST = 1300.0; /* minimum cost of a sweep; without it, an iteration on a tiny mesh
                                              would consist of a hundred sweeps */
    const double bones = model->bone_count;
    const double motions = model->rigid ? 0.23 * model->rigid->frame_count * bones * bones : 0.0;
    const double vertex = 1.0 + bones / 75.0 + bones * model->dimension / 4500.0;
    return fmax(SMALLEST, FIXED + model->all_vertices * vertex + motions);
}

/* Returns whether the remaining time is less than `seconds` plus the time to make the rig, about 0.6
 * sweeps. */
static bool time_is_up(const FitState *fit, double seconds)
{
    const double limit_s = fit->options->time_limit_s;
    return limit_s > 0.0 && clock_now_s() - fit->started_s + seconds + 0.6 * fit->sweep_s > limit_s;
}

static bool progress_stops(const Ladder *ladder)
{
    const FitState *fit = ladder->fit;
    const DecompositionResult *result = fit->result;
    const double entries = 3.0 * fit->input->animation->frame_count * fit->model.all_vertices,
                 error = result->squared_error[result->iteration_count], limit_s = fit->options->time_limit_s,
                 share = limit_s > 0.0 ? (clock_now_s() - fit->started_s) / limit_s
                                       : result->iteration_count / fmax(1.0, fit->settings.iterations);
    char what[64];
    snprintf(what, sizeof what, "stage %d, E_RMS %.4g", ladder->stage,
             1e3 * sqrt(error / entries) / fmax(fit->input->unit_radius, 1e-300));
    return !progress_report(fit->options->progress, what, fmin(share, 1.0));
}

/* Returns whether a search must stop; called before each of its sweeps. */
static bool search_must_stop(void *context)
{
    const Ladder *ladder = context;
    return time_is_up(ladder->fit, 0.0) || progress_stops(ladder);
}

/* Returns whether the fit must end before the next iteration. Rank 0 decides for all ranks, by its clock
 * and its progress callback. */
static bool ladder_must_end(Ladder *ladder)
{
    const FitState *fit = ladder->fit;
    const Ranks *ranks = fit->input->ranks;
    DecompositionResult *result = fit->result;
    const double rounding =
        1.0 / (1 << 24); /* relative rounding error of the target positions, which are floats */
    FitEnd end = FIT_COMPLETE;
    if (ladder->ended)
        return true;
    ladder->ended = true;
    if (result->iteration_count >= fit->settings.iterations)
        end = FIT_ITERATION_CAP;
    else if (result->squared_error[result->iteration_count] <= rounding * rounding * fit->reduction.total)
        end = FIT_EXACT;
    else if (progress_stops(ladder))
        end = FIT_STOPPED;
    else if (time_is_up(fit, fit->sweep_s))
        end = result->iteration_count > 0 ? FIT_TIME_LIMIT : FIT_AFTER_LIMIT;
    else
        ladder->ended = false;
    ladder->ended = ranks_decide(ranks, ladder->ended);
    ranks_broadcast(ranks, &end, sizeof end);
    if (ladder->ended)
        result->end = end;
    return ladder->ended;
}

/* Makes up to `max` iterations of `sweeps` sweeps over all vertices. Ends early if an iteration hardly
 * lowers the error. */
static Status iterations_run(Ladder *ladder, int max, int sweeps)
{
    FitState *fit = ladder->fit;
    DecompositionResult *result = fit->result;
    const double fixed = fit->tail + fit->reduction.residual;
    for (int i = 0; i < max && !ladder_must_end(ladder); i++) {
        double before = INFINITY;
        for (int sweep = 0; sweep < sweeps; sweep++) {
            const double begun_s = clock_now_s(), now = fit->alternation.squared_error + fixed;
            if (sweep > 3 && before - now <= SWEEP_LITTLE * before)
                break;
            before = now;
            if (sweep > 0 && ranks_decide(fit->input->ranks, time_is_up(fit, fit->sweep_s)))
                break;
            STATUS_TRY(alternation_sweep(&fit->alternation, &fit->settings.update, true));
            const double taken_s = clock_now_s() - begun_s;
            fit->sweep_s = fit->sweep_s > 0.0 ? 0.5 * (fit->sweep_s + taken_s) : taken_s;
        }
        const int last = result->iteration_count++;
        const double error = fit->alternation.squared_error + fixed;
        result->squared_error[last + 1] =
            fit->settings.search ? fmin(error, result->squared_error[last]) : error;
        result->elapsed_s[last + 1] = clock_now_s() - fit->started_s;
    }
    alternation_undo_acceleration(&fit->alternation);
    return status_ok();
}

static void take_all_dimensions(FitState *fit)
{
    if (!fit->leading)
        return;
    reduced_model_take_coordinates(&fit->model, fit->reduction.coordinates, fit->reduction.dimension);
    memory_release(&fit->leading);
    fit->tail = 0.0;
}

static Status best_take(Ladder *ladder)
{
    snapshot_clear(&ladder->best);
    STATUS_TRY(snapshot_init(&ladder->best, &ladder->fit->model));
    snapshot_copy(&ladder->best, &ladder->fit->model);
    return status_ok();
}

/* Computes a finer reduction if the remaining time is likely to suffice. Rest pose and weights do not
 * change. */
static Status take_finer_reduction(Ladder *ladder)
{
    FitState *fit = ladder->fit;
    ReducedModel *model = &fit->model;
    ReductionOptions options = fit->settings.reduction;
    CLEANUP(reduction_clear) Reduction coarse = {0};
    const double likely_s = 4.0 * fit->result->reduction_s;
    if (ranks_decide(fit->input->ranks, time_is_up(fit, likely_s))) {
        ladder->ended = true;
        fit->result->end = FIT_TIME_LIMIT;
        return status_ok();
    }
    if (--fit->coarseness > 0) {
        options.every = int_max(model->all_vertices / (2 * fit->reduction.row_count), 1);
        options.threshold = fmax(options.threshold, FINER_SHARE * sqrt(ladder->best_error));
    } else if (fit->coarseness < 0) {
        options.threshold *= EXACT_THRESHOLD;
    }
    Reduction finer = {0};
    STATUS_TRY(reduction_init(fit->input->animation, model->all_vertices, &options, &finer));
    coarse = fit->reduction;
    fit->reduction = finer;
    fit->reduction.passes += coarse.passes;
    fit->reduction.read_s += coarse.read_s;
    fit->reduction.waited_s += coarse.waited_s;
    STATUS_TRY(reduced_model_resize(model, finer.coordinates, finer.dimension));
    if (model->rigid)
        rigid_take_basis(model, finer.basis, coarse.offset, finer.offset);
    double squared_error = 0.0;
    STATUS_TRY(transformations_solve(model, &squared_error));
    return best_take(ladder);
}

/* Makes sweeps `from` to `to` on a model that started with one bone per vertex. The first sweeps choose
 * bones by prediction. */
static Status first_sweeps(Ladder *ladder, Alternation *alternation, int from, int to)
{
    for (int i = from; i < to && !search_must_stop(ladder); i++) {
        const bool predicting = i < FIRST_PREDICTIONS;
        VertexUpdateOptions update = ladder->fit->settings.update;
        if (predicting) {
            update.choice = CHOICE_PREDICTION;
            update.rounds = 1;
        }
        STATUS_TRY(alternation_sweep(alternation, &update, !predicting));
    }
    return status_ok();
}

/* Finds the first model of the sample by successive halving: after some sweeps, the better half of the
 * starts continues. The first sweeps of all starts together take `work`. */
static Status start_best(Ladder *ladder, Sample *sample, Alternation *alternation, double work)
{
    enum {
        SWEEPS = 4
    }; /* with twice as many starts but only two sweeps, the error on horse-gallop with 30 bones is 8 % larger
        */
    ReducedModel *model = &sample->model;
    const size_t rest_bytes = 3 * (size_t)sample->count * sizeof(double);
    const int most = sample->count / VERTICES_PER_START;
    const double many = fmin(work / (SWEEPS * sweep_cost(model)), most);
    Snapshot *states = ladder->starts;
    int left = (int)fmin(fmax(many, STARTS_MIN), STARTS_MAX), done = 0;
    LOCAL_TABLE(double, rest, sample->count, 3, "the starts");
    memcpy(rest, model->rest, rest_bytes);
    for (; left > 1; left = (left + 1) / 2, done += SWEEPS) {
        for (int i = 0; i < left; i++) {
            if (done > 0)
                alternation_return(alternation, &states[i]);
            else
                STATUS_TRY(snapshot_init(&states[i], model));
            if (done == 0 && i > 0) {
                memcpy(model->rest, rest, rest_bytes);
                const uint64_t start = ladder->fit->settings.start + STARTS_APART * (uint64_t)i;
                STATUS_TRY(sample_restart(sample, start, &alternation->squared_error));
            }
            STATUS_TRY(first_sweeps(ladder, alternation, done, done + SWEEPS));
            alternation_undo_acceleration(alternation);
            alternation_keep(alternation, &states[i]);
            for (int k = i; k > 0 && states[k].squared_error < states[k - 1].squared_error; k--) {
                const Snapshot better = states[k];
                states[k] = states[k - 1];
                states[k - 1] = better;
            }
        }
    }
    alternation_return(alternation, &states[0]);
    return first_sweeps(ladder, alternation, done, FIRST_SWEEPS);
}

/* Restarts the alternation for the next sweeps. Affine bones use as few of the leading reduced coordinates as
 * possible. The coordinates that they do not use hold at most a fixed share of the approximate error
 * `about`. */
static Status alternation_renew(FitState *fit, double about)
{
    ReducedModel *model = &fit->model;
    const Reduction *reduction = &fit->reduction;
    const int all = reduction->dimension;
    int dimension = all;
    double squared_error = 0.0, tail = 0.0;
    take_all_dimensions(fit);
    if (!fit->settings.rigid)
        STATUS_TRY(leading_dimensions(model, reduction->coordinates, all,
                                      LEADING_SHARE * LEADING_SHARE * about, &dimension, &tail));
    if (dimension < all) {
        ALLOCATE_TABLE(fit->leading, reduction->vertex_count, dimension, "the leading dimensions");
#pragma omp parallel for schedule(static) num_threads(model->threads)
        for (ptrdiff_t j = 0; j < reduction->vertex_count; j++)
            memcpy(fit->leading + j * dimension, reduction->coordinates + j * all,
                   (size_t)dimension * sizeof(double));
        fit->tail = tail;
        reduced_model_take_coordinates(model, fit->leading, dimension);
    }
    STATUS_TRY(transformations_solve(model, &squared_error));
    alternation_clear(&fit->alternation);
    return alternation_make(&fit->alternation, model, squared_error, fit->settings.window);
}

/* Searches for a better model on a sample: in the first stage, finds an initial model, and in all stages
 * tries to move bones. Transfers the model to all vertices if that lowers the error. */
static Status stage_search(Ladder *ladder, double work)
{
    FitState *fit = ladder->fit;
    ReducedModel *model = &fit->model;
    Alternation *alternation = &fit->alternation;
    const Ranks *ranks = model->ranks;
    double squared_error = 0.0;
    STATUS_TRY(transformations_solve(model, &squared_error));

    /* each stage draws a new sample */
    CLEANUP(sample_clear) Sample sample = {0};
    const double share = ladder->stage == 0 ? FIRST_SAMPLE_SHARE : SAMPLE_SHARE,
                 growth = sqrt(ldexp(1.0, int_max(ladder->stage - 1, 0))),
                 per_bone = growth * fmax(SAMPLE_PER_BONE, (double)SAMPLE_MIN / model->bone_count),
                 golden = 0.5 * (sqrt(5.0) - 1.0);
    STATUS_TRY(sample_init(&sample, model, per_bone, fmod(golden * ladder->stage, 1.0),
                           share * share * squared_error));
    double error = squared_error * sample.count / model->all_vertices;
    bool stopped = false;
    if (ranks_is_first(ranks)) {
        const double sweeps = fmin(work / sweep_cost(&sample.model), 1e6);
        const PerturbationPlan plan = {.sweeps = int_max((int)sweeps, TRIAL_SWEEPS),
                                       .trial_sweeps = TRIAL_SWEEPS,
                                       .update = &fit->settings.update,
                                       .must_stop = search_must_stop,
                                       .context = ladder};
        CLEANUP(alternation_clear) Alternation sampled = {0};
        STATUS_TRY(transformations_solve(&sample.model, &error));
        STATUS_TRY(alternation_make(&sampled, &sample.model, error, fit->settings.window));
        if (ladder->stage == 0)
            STATUS_TRY(start_best(ladder, &sample, &sampled, work));
        if (model->bone_count > 1 && fit->settings.update.choice == CHOICE_MIXED)
            STATUS_TRY(perturbation_run(&ladder->lessons, &sampled, &plan));
        alternation_undo_acceleration(&sampled);
        error = sampled.squared_error;
        stopped = search_must_stop(ladder);
    }
    ranks_broadcast(ranks, &error, sizeof error);
    stopped = ranks_decide(ranks, stopped || time_is_up(fit, (3 + CATCH_UP) * fit->sweep_s));

    /* all vertices */
    const double about = error * model->all_vertices / sample.count;
    STATUS_TRY(alternation_renew(fit, about < squared_error ? about : squared_error));
    if (stopped && ladder->stage > 0)
        return status_ok();
    CLEANUP(snapshot_clear) Snapshot before = {0};
    STATUS_TRY(snapshot_init(&before, model));
    alternation_keep(alternation, &before);
    STATUS_TRY(
        sample_spread(&sample, &fit->settings.update, ladder->stage > 0, model, &alternation->squared_error));
    /* vertices outside the sample may need more sweeps */
    for (int i = 0; i < CATCH_UP && !(alternation->squared_error < before.squared_error); i++)
        STATUS_TRY(alternation_sweep(alternation, &fit->settings.update, true));
    alternation_undo_acceleration(alternation);
    if (!(alternation->squared_error < before.squared_error))
        alternation_return(alternation, &before);
    return status_ok();
}

/* Makes sweeps that smooth the weights of the best model. Delivers the smoothed model if the sum of its
 * error and penalty is smaller. */
static Status stage_smooth(Ladder *ladder, int sweeps)
{
    FitState *fit = ladder->fit;
    CLEANUP(delivery_clear) Delivery delivery = {0};
    int i = 0;
    fit->model.smoothing = &fit->smoothing;
    STATUS_TRY(alternation_renew(fit, ladder->best_error));
    for (; i < sweeps && !ranks_decide(fit->input->ranks, search_must_stop(ladder)); i++)
        STATUS_TRY(alternation_sweep(&fit->alternation, &fit->settings.update, true));
    alternation_undo_acceleration(&fit->alternation);
    take_all_dimensions(fit);
    STATUS_TRY(delivery_make(fit, &delivery));
    if (ladder->stage == 0 ||
        (i > 0 && delivery.squared_error + fit->alternation.paid < ladder->delivered + ladder->paid)) {
        ladder->delivered = delivery.squared_error;
        ladder->paid = fit->alternation.paid;
        delivery_swap(&delivery, fit->result);
    }
    fit->model.smoothing = NULL;
    snapshot_restore(&ladder->best, &fit->model);
    return status_ok();
}

/* Delivers the model and keeps it if it is the best so far; otherwise restores the best model. If weights
 * are to be smooth, `smooth_sweeps` additional sweeps precede delivery. The next stage starts from the
 * model before these additional sweeps. */
static Status stage_finish(Ladder *ladder, int smooth_sweeps)
{
    FitState *fit = ladder->fit;
    DecompositionResult *result = fit->result;
    CLEANUP(delivery_clear) Delivery delivery = {0};
    take_all_dimensions(fit);
    STATUS_TRY(delivery_make(fit, &delivery));
    if (delivery.squared_error < ladder->best_error) {
        ladder->best_error = delivery.squared_error;
        STATUS_TRY(best_take(ladder));
        if (smooth_sweeps == 0) {
            ladder->delivered = delivery.squared_error;
            delivery_swap(&delivery, result);
        }
    } else {
        snapshot_restore(&ladder->best, &fit->model);
    }
    if (smooth_sweeps > 0)
        STATUS_TRY(stage_smooth(ladder, smooth_sweeps));
    result->squared_error[result->iteration_count] = ladder->delivered;
    result->elapsed_s[result->iteration_count] = clock_now_s() - fit->started_s;
    if (result->stage_count < DECOMPOSITION_STAGES_MAX) {
        result->stages[result->stage_count++] =
            (DecompositionStage){.squared_error = ladder->delivered,
                                 .elapsed_s = result->elapsed_s[result->iteration_count],
                                 .iterations = result->iteration_count};
    }
    return status_ok();
}

static void ladder_clear(Ladder *ladder)
{
    for (int i = 0; i < STARTS_MAX; i++)
        snapshot_clear(&ladder->starts[i]);
    snapshot_clear(&ladder->best);
    perturbation_clear(&ladder->lessons);
}

Status ladder_run(FitState *fit)
{
    enum { STAGES_MAX = DECOMPOSITION_STAGES_MAX - 1 };
    CLEANUP(ladder_clear) Ladder ladder = {.fit = fit, .best_error = INFINITY};
    if (!fit->settings.search) {
        STATUS_TRY(alternation_renew(fit, 0.0));
        STATUS_TRY(iterations_run(&ladder, INT32_MAX, 1));
        return stage_finish(&ladder, 0);
    }
    fit->model.smoothing = NULL;
    STATUS_TRY(perturbation_init(&ladder.lessons, fit->model.bone_count));
    int idle = 0;
    while (ladder.stage == 0 || !ladder_must_end(&ladder)) {
        const double before = ladder.best_error, share = fit->coarseness > 0 ? COARSE_SHARE : EXACT_SHARE;
        if (fit->coarseness >= 0 && ladder.stage > 0 && fit->reduction.residual > share * share * before)
            STATUS_TRY(take_finer_reduction(&ladder));
        if (!ladder.ended) {
            const double cost = sweep_cost(&fit->model), work = fmax(SEARCH_SWEEPS * cost, WORK_MIN);
            const int sweeps = (int)fmax(1.0, WORK_MIN / cost), iterations = 1 << ladder.stage;
            STATUS_TRY(stage_search(&ladder, ldexp(work, ladder.stage)));
            STATUS_TRY(iterations_run(&ladder, iterations, sweeps));
            STATUS_TRY(
                stage_finish(&ladder, fit->settings.smoothing > 0.0 ? 1 + sweeps * (iterations - 1) : 0));
        }
        idle = ladder.best_error < (1.0 - 1e-9) * before ? 0 : idle + 1;
        if (!ladder.ended && (idle == IDLE_STAGES || ladder.stage == STAGES_MAX)) {
            fit->result->end = FIT_COMPLETE;
            break;
        }
        ladder.stage++;
    }
    return status_ok();
}
