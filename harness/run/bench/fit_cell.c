/* Runs fits as cells of a benchmark: plans them, repeats them as often as requested, and makes their
 * records. */
#include "harness/run/bench/fit_cell.h"

#include "harness/measure/metrics/frame_distance.h"
#include "harness/measure/timing/disturbance.h"
#include "methods/fitting/frame_solve.h"

enum { REPEATS_MAX = 100 };
/* Fraction of a data set's time budget that one fit may spend on additional samples. */
static const double REPEATS_SHARE = 0.25;

Status fit_trials_record(const FitOutcome *outcome, Record *record)
{
    FitFacts *facts = &record->fit;
    ALLOCATE(facts->trials, outcome->trial_count, "the search");
    facts->trial_count = outcome->trial_count;
    if (outcome->trial_count > 0)
        memcpy(facts->trials, outcome->trials, (size_t)outcome->trial_count * sizeof *facts->trials);
    return status_ok();
}

/* Sets the kind of the model. A fit starts from the rest pose of the data set or from its first frame
 * (REST_POSE_PARAMETER); one that delivers either has kept it. */
static void fit_kind_set(const FitTask *task, const FitOutcome *outcome, FitFacts *facts)
{
    const DecompositionResult *result = &outcome->result;
    const float *first = task->first_frame ? task->first_frame : task->animation->positions;
    const int vertices = task->mesh->vertex_count;
    const double same = 1e-6 * outcome->unit_radius; /* in single precision */
    const bool has_rig = result->rig.joint_count > 0;
    snprintf(facts->transforms, sizeof facts->transforms, "%s",
             !has_rig                     ? "low-rank"
             : rig_is_rigid(&result->rig) ? "rigid"
                                          : "affine");
    if (!has_rig)
        return;
    const bool kept = !result->rest ||
                      frame_distance_in_floats(result->rest, task->mesh->rest, vertices) <= same ||
                      (first && frame_distance_in_floats(result->rest, first, vertices) <= same);
    snprintf(facts->rest_pose, sizeof facts->rest_pose, "%s",
             result->low_rank.rank > 0 ? "corrected"
             : kept                    ? "kept"
                                       : "moved");
}

Status fit_outcome_record(const FitTask *task, const FitOutcome *outcome, bool with_curves, Record *record)
{
    const DecompositionResult *result = &outcome->result;
    FitFacts *facts = &record->fit;
    *facts = (FitFacts){.known = true,
                        .bones_requested = result->bones_requested,
                        .bones_delivered = result->bones_delivered,
                        .reduced_dimension = result->reduced_dimension,
                        .singular_systems = result->singular_systems,
                        .size_bytes = (double)outcome->size_bytes};
    snprintf(facts->end, sizeof facts->end, "%s", fit_end_name(result->end));
    fit_kind_set(task, outcome, facts);
    ALLOCATE(facts->descent, (size_t)result->iteration_count + 1, "the error after each iteration of a fit");
    for (int i = 0; i <= result->iteration_count; i++)
        facts->descent[facts->descent_count++] =
            (DescentPoint){i, fit_error_of(task, outcome, result->squared_error[i]), result->elapsed_s[i]};
    ALLOCATE(facts->stages, result->stage_count, "the times of the stages of a fit");
    for (int i = 0; i < result->stage_count; i++) {
        const DecompositionStage *stage = &result->stages[i];
        facts->stages[facts->stage_count++] = (DescentPoint){
            stage->iterations, fit_error_of(task, outcome, stage->squared_error), stage->elapsed_s};
    }
    STATUS_TRY(fit_trials_record(outcome, record));
    measures_add_metrics(&record->metrics, &outcome->metrics, with_curves);
    if (outcome->held.frame_count > 0)
        measures_add_metrics(&record->held, &outcome->held, with_curves);
    STATUS_TRY(measures_status(&record->metrics));
    return measures_status(&record->held);
}

/* Runs the task once if no repeats are requested. Otherwise repeats it until it has the requested number of
 * samples. Then repeats it, within the time budget, until there are enough samples for a confidence
 * interval. Finally repeats samples that other work on the machine disturbed, at most as many as were
 * requested, so that the run ends even on a busy machine. The record gets the last outcome. */
static Status fit_repeat(const FitTask *task, int repeats, double budget_s, Record *record)
{
    double samples[STAGE_COUNT][REPEATS_MAX], scratch[2 * REPEATS_MAX];
    const double start_s = clock_now_s();
    const int asked = repeats < 1 ? 1 : repeats > REPEATS_MAX ? REPEATS_MAX : repeats;
    const int wanted = repeats < 1 ? 0 : asked > INTERVAL_SAMPLES_MIN ? asked : INTERVAL_SAMPLES_MIN;
    int count = 0, disturbed_count = 0, again_count = 0;
    bool again = true;
    Status status = status_ok();
    while (again) {
        FitOutcome outcome = {0};
        const double before_s = clock_now_s(), stolen_s = time_stolen_s(false);
        status = fit_task_run(task, &outcome);
        const double wall_s = clock_now_s() - before_s;
        const bool disturbed = sample_is_disturbed(time_stolen_s(false) - stolen_s, wall_s);
        const bool affordable = clock_now_s() - start_s + wall_s <= budget_s;
        const DecompositionResult *result = &outcome.result;
        samples[STAGE_TOTAL][count] = outcome.total_s;
        samples[STAGE_REDUCTION][count] = result->reduction_s;
        samples[STAGE_CLUSTERING][count] = result->clustering_s;
        samples[STAGE_INITIALIZATION][count] = result->initialization_s;
        samples[STAGE_SWEEPS][count] = result->sweeps_s;
        samples[STAGE_STEP][count] =
            result->iteration_count > 0 ? result->sweeps_s / result->iteration_count : 0.0;
        if (!disturbed || !affordable || again_count == wanted) {
            count++;
            disturbed_count += disturbed;
        } else {
            again_count++;
        }
        again = status.code == STATUS_OK && (count < asked || (count < wanted && affordable));
        if (status.code == STATUS_OK && !again)
            status = fit_outcome_record(task, &outcome, true, record);
        if (status.code == STATUS_CHECK_FAILED && fit_trials_record(&outcome, record).code == STATUS_OK)
            record->status = outcome.is_wrong ? RECORD_WRONG : RECORD_FAILED;
        fit_outcome_clear(&outcome);
    }
    record->timing.disturbed = disturbed_count;
    STATUS_TRY(status);
    for (int i = STAGE_TOTAL; i < STAGE_COUNT; i++)
        STATUS_TRY(timing_set(&record->timing, (Stage)i, samples[i], count, 1, scratch));
    return status_ok();
}

Status fit_task_of_cell(const Cell *cell, External *external, const Subject *subject,
                        const Progress *progress, ParameterValues *values, FitTask *out)
{
    const Argument *arguments = cell->parameters;
    const DecompositionMethod *method = NULL;
    if (external) {
        STATUS_TRY(external_method(external, &method));
    } else {
        STATUS_TRY(decomposition_method_named(cell->method, &method));
        STATUS_TRY(argument_values(arguments, method->parameters, method->name, values));
    }
    *out = (FitTask){.name = subject->name,
                     .further = true,
                     .mesh = &subject->dataset->mesh,
                     .animation = &subject->dataset->animation,
                     .method = method,
                     .holdout = (int)argument_number_of(arguments, "holdout", 0.0),
                     .error = argument_number_of(arguments, "error", 0.0),
                     .options = {.bones = (int)argument_number_of(arguments, "bones", 0.0),
                                 .influences = (int)argument_number_of(arguments, "influences", 0.0),
                                 .iterations = (int)argument_number_of(arguments, "iterations", 0.0),
                                 .time_limit_s = argument_number_of(arguments, "time_limit_s", 0.0),
                                 .threads = cell->threads,
                                 .seed = (uint64_t)argument_number_of(arguments, "seed", 1.0),
                                 .parameters = values->values,
                                 .progress = progress,
                                 .methods = decomposition_registry,
                                 .context = external}};
    return status_ok();
}

/* Runs a fit. If it fails, the record's status is "failed", or "wrong" if its model is not finite. */
static Status fit_cell_run(const void *context, const Subject *subject, const Bench *bench, Record *record)
{
    const FitPlan *fit = context;
    ParameterValues values;
    FitTask task;
    External *external = externals_find(&bench->externals, fit->method);
    if (fit->external && !external) {
        record_fail(
            record, RECORD_SKIPPED,
            "its description is not at hand: name it by --external, or put it into the user's folder");
        return status_ok();
    }
    STATUS_TRY(fit_task_of_cell(&record->cell, fit->external ? external : NULL, subject, bench->progress,
                                &values, &task));
    const Status status =
        fit_repeat(&task, bench->no_times ? 0 : fit->repeats, REPEATS_SHARE * bench->time_budget_s, record);
    if (bench->no_times)
        timing_clear(&record->timing);
    if (status.code == STATUS_STOPPED)
        return status;
    if (fit->external)
        STATUS_TRY(external_facts_copy(external, record));
    if (status.code == STATUS_OK)
        record->status = RECORD_OK;
    else /* a program that breaks the contract has failed; only a fit of ours is wrong */
        record_fail(record, fit->external ? RECORD_FAILED : record->status, status.text);
    return status_ok();
}

Status fit_cell_task(const FitPlan *fit, const Subject *subject, BenchTask *out)
{
    *out = (BenchTask){.run = fit_cell_run, .context = fit};
    STATUS_TRY(fit_plan_cell(fit, &out->cell));
    out->cell.dataset = subject_cell_dataset(subject);
    return status_ok();
}
