/* Tests fits as the command and the benchmark run them. Tests the separate errors of fitted and held-out
 * frames, the smallest number of bones for an error, and the size of a model. */
#include "harness/run/bench/fit_cell.h"

#include "tests/sequences.h"

enum { ENOUGH = 7 }; /* smallest number of bones with which the test method is exact */

/* A test method for a moving sheet whose vertices all share one translation. It delivers one rigid bone
 * that follows the animation in every frame, with an error of 1 / bones if fewer than ENOUGH bones are
 * requested. To deliver the requested number of bones, it adds named bones that have no effect. */
static Status step_fit(const DecompositionInput *input, const DecompositionOptions *options,
                       DecompositionResult *result)
{
    int vertices = input->mesh->vertex_count, frames = input->animation->frame_count;
    if (!progress_report(options->progress, "step", 0.5))
        return status_make(STATUS_STOPPED, "stopped");
    STATUS_TRY(rig_allocate(&result->rig, vertices, options->bones, frames, 1));
    result->rest = memory_array(3 * (size_t)vertices, sizeof(float));
    result->squared_error = memory_array(1, sizeof(double));
    result->elapsed_s = memory_array(1, sizeof(double));
    memcpy(result->rest, input->mesh->rest, 3 * sizeof(float) * (size_t)vertices);
    for (int i = 0; i < frames * options->bones; i++) {
        const float *moved = input->animation->positions + 3 * (i / options->bones) * vertices;
        double miss = options->bones < ENOUGH ? 1.0 / options->bones : 0.0;
        result->rig.transforms[i] =
            (Transform){.m00 = 1.0, .m11 = 1.0, .m22 = 1.0, .m03 = (double)moved[0] + miss};
        assert_true(input->mesh->rest[0] == 0.0f);
    }
    for (int bone = 0; bone < options->bones; bone++) {
        result->rig.parents[bone] = -1;
        result->rig.rest[bone] = (Transform){.m00 = 1.0, .m11 = 1.0, .m22 = 1.0};
    }
    for (int j = 0; j < vertices; j++)
        result->rig.weight_values[j] = 1.0f;
    result->end = FIT_COMPLETE;
    result->bones_requested = result->bones_delivered = options->bones;
    return status_ok();
}

/* Fits a model that contains a number that is not finite. */
static Status wild_fit(const DecompositionInput *input, const DecompositionOptions *options,
                       DecompositionResult *result)
{
    Status status = step_fit(input, options, result);
    result->rig.transforms[0].m03 = NAN;
    return status;
}

static const DecompositionMethod wild = {.name = "wild", .makes_rig = true, .fit = wild_fit};

static const DecompositionMethod step = {.name = "step", .makes_rig = true, .fit = step_fit};

static Sequence moving_sheet(void)
{
    Sequence sequence = sequence_sheet(6, 5, 8, 1);
    for (int frame = 0; frame < 8; frame++)
        for (int j = 0; j < 30; j++)
            sequence.animation.positions[3 * (frame * 30 + j)] += 0.25f * (float)frame;
    return sequence;
}

static Status task_run(const Sequence *sequence, const DecompositionMethod *method, int bones, double error,
                       int holdout, const Progress *progress, FitOutcome *out)
{
    ParameterValues values = parameters_default(method->parameters);
    FitTask task = {.name = "sheet",
                    .mesh = &sequence->mesh,
                    .animation = &sequence->animation,
                    .method = method,
                    .holdout = holdout,
                    .error = error,
                    .options = {.bones = bones,
                                .influences = 4,
                                .iterations = 30,
                                .threads = 1,
                                .parameters = values.values,
                                .progress = progress}};
    return fit_task_run(&task, out);
}

TEST(fewest_bones_are_found)
{
    static const int path[] = {1, 2, 4, 8, 6, 7};
    CLEANUP(sequence_clear) Sequence sequence = moving_sheet();
    CLEANUP(fit_outcome_clear) FitOutcome outcome = {0};
    assert_ok(task_run(&sequence, &step, 100, 1e-3, 0, NULL, &outcome));
    assert_int_equal(outcome.result.bones_delivered, ENOUGH);
    assert_int_equal(outcome.trial_count, 6);
    for (int i = 0; i < 6; i++)
        assert_int_equal(outcome.trials[i].bones, path[i]);
    /* The error is 1 / 4 along x with 4 bones. E_RMS divides it by the radius (half the diagonal of 5 x 4)
     * and averages over three coordinates. */
    double expected = 1000.0 * 0.25 / (0.5 * sqrt(25.0 + 16.0)) / sqrt(3.0);
    assert_true(fabs(outcome.trials[2].e_rms - expected) < 1e-3);
    assert_true(metric_named("e_rms", &outcome.metrics) < 1e-3);
    fit_outcome_clear(&outcome);
    /* If the target error is large, one bone reaches it. */
    assert_ok(task_run(&sequence, &step, 100, 1000.0, 0, NULL, &outcome));
    assert_int_equal(outcome.result.bones_delivered, 1);
    assert_int_equal(outcome.trial_count, 1);
}

TEST(what_is_not_reached_is_reported)
{
    CLEANUP(sequence_clear) Sequence sequence = moving_sheet();
    CLEANUP(fit_outcome_clear) FitOutcome outcome = {0};
    assert_refused(STATUS_CHECK_FAILED, "E_RMS 0.001 is not reached with up to 5 bones",
                   task_run(&sequence, &step, 5, 1e-3, 0, NULL, &outcome));
    assert_int_equal(outcome.trial_count, 4); /* the search tried 1, 2, 4 and 5 bones */
    assert_int_equal(outcome.trials[3].bones, 5);
    assert_null(outcome.result.rest);
}

TEST(known_rig_needs_no_more_bones)
{
    const DecompositionMethod *method = decomposition_method_find("coordinate-descent");
    CLEANUP(sequence_clear) Sequence sequence = sequence_sheet(24, 9, 14, 0);
    CLEANUP(fit_outcome_clear) FitOutcome outcome = {0};
    assert_non_null(method);
    sequence_skin(&sequence, 3, 0.3, 11);
    assert_ok(task_run(&sequence, method, 16, 10.0, 0, NULL, &outcome));
    fail_if(outcome.result.bones_delivered > 3, "%d bones", outcome.result.bones_delivered);
    assert_true(metric_named("e_rms", &outcome.metrics) <= 10.0);
}

typedef struct SearchPatience {
    int reports_left;
    double last;
} SearchPatience;

static bool patience_report(void *context, const char *what, double share)
{
    SearchPatience *patience = context;
    assert_holds(what, "bones");
    assert_true(share >= patience->last && share <= 1.0);
    patience->last = share;
    return patience->reports_left-- > 0;
}

TEST(searches_report_and_stop)
{
    CLEANUP(sequence_clear) Sequence sequence = moving_sheet();
    CLEANUP(fit_outcome_clear) FitOutcome outcome = {0};
    SearchPatience patience = {1000, 0.0};
    Progress progress = {patience_report, &patience};
    assert_ok(task_run(&sequence, &step, 100, 1e-3, 0, &progress, &outcome));
    assert_int_equal(patience.reports_left,
                     1000 - 12); /* each of six fits reports a step and a measurement */
    fit_outcome_clear(&outcome);
    patience = (SearchPatience){3, 0.0};
    assert_refused(STATUS_STOPPED, "stopped", task_run(&sequence, &step, 100, 1e-3, 0, &progress, &outcome));
}

TEST(frames_are_measured_apart)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_sheet(6, 5, 9, 0);
    const DecompositionMethod *svd = decomposition_method_find("svd");
    CLEANUP(fit_outcome_clear) FitOutcome outcome = {0};
    CLEANUP(record_clear) Record record = record_of(&(Cell){0});
    assert_non_null(svd);
    sequence_skin(&sequence, 2, 0.3, 5);
    assert_ok(task_run(&sequence, svd, 1, 0.0, 3, NULL, &outcome));
    assert_int_equal(outcome.metrics.frame_count, 6);
    assert_int_equal(outcome.held.frame_count, 3);
    assert_true(metric_named("unit_radius", &outcome.metrics) == metric_named("unit_radius", &outcome.held));
    /* The error that the method reports covers only the frames that it was given. */
    FitTask task = {.mesh = &sequence.mesh, .animation = &sequence.animation, .holdout = 3};
    double reported = fit_error_of(&task, &outcome, outcome.result.squared_error[0]);
    assert_true(fabs(reported - metric_named("e_rms", &outcome.metrics)) < 1e-4 * reported);
    assert_ok(fit_outcome_record(&task, &outcome, true, &record));
    assert_true(record_metric(&record, "e_rms") == metric_named("e_rms", &outcome.metrics));
    assert_true(measures_value(&record.held, "e_rms") == metric_named("e_rms", &outcome.held));
    assert_int_equal(measures_find(&record.held, "e_rms_per_frame")->count, 3);
    assert_int_equal(record.fit.bones_requested, 1);
}

TEST(sizes_have_a_closed_form)
{
    DecompositionResult result = {0};
    /* Each of 10 vertices has 3 coordinates, and 2 weights and 2 joint indices, since no vertex uses more of
     * its 4 slots. Each of 5 bones has 12 numbers in each of 6 frames, and 7 if it is rigid. */
    float weights[10 * 4] = {0};
    Transform transforms[5 * 6];
    for (int v = 0; v < 10; v++)
        weights[4 * v] = weights[4 * v + 3] = 0.5f;
    for (int i = 0; i < 5 * 6; i++) {
        transforms[i] = transform_translate(vec3_make(1.0, 0.0, 0.0));
        transforms[i].m00 = 2.0;
    }
    result.rig = (Rig){.joint_count = 5,
                       .frame_count = 6,
                       .influence_count = 4,
                       .weight_values = weights,
                       .transforms = transforms};
    assert_int_equal(decomposition_size(&result, 10), 4 * (10 * 7 + 5 * 12 * 6));
    for (int i = 0; i < 5 * 6; i++)
        transforms[i].m00 = 1.0;
    assert_int_equal(decomposition_size(&result, 10), 4 * (10 * 7 + 5 * 7 * 6));
    /* Three transformations are not the identity: each has its 7 numbers and an index. */
    for (int i = 3; i < 5 * 6; i++)
        transforms[i].m03 = 0.0;
    assert_int_equal(decomposition_size(&result, 10), 4 * (10 * 7 + 3 * 8));
    /* A low-rank model has 3 basis vectors of 18 rows. All coefficients but one are nonzero. */
    float coefficients[3][10];
    for (int i = 0; i < 30; i++)
        coefficients[i / 10][i % 10] = 1.0f;
    coefficients[2][4] = 0.0f;
    result.rig = (Rig){0};
    double basis[18 * 3];
    for (int i = 0; i < 18 * 3; i++)
        basis[i] = 1.0 + i;
    result.low_rank =
        (LowRank){.rank = 3, .row_count = 18, .basis = basis, .coefficients = &coefficients[0][0]};
    assert_int_equal(decomposition_size(&result, 10), 4 * (18 * 3 + 30));
    /* If each vertex has one nonzero coefficient, its value and its index are stored. */
    for (int i = 0; i < 30; i++)
        coefficients[i / 10][i % 10] = i / 10 == i % 10 % 3 ? 2.0f : 0.0f;
    assert_int_equal(decomposition_size(&result, 10), 4 * (18 * 3 + 2 * 10));
    /* The basis describes one displacement of each vertex, scaled by a factor in each of 6 frames. */
    static const double factors[6] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
    for (int i = 0; i < 18 * 3; i++)
        basis[i] = i / 3 % 3 == i % 3 ? factors[i / 9] : 0.0;
    for (int i = 0; i < 30; i++)
        coefficients[i / 10][i % 10] = 1.0f;
    assert_int_equal(decomposition_size(&result, 10), 4 * (6 + 30));
}

TEST(broken_models_are_wrong)
{
    CLEANUP(sequence_clear) Sequence sequence = moving_sheet();
    CLEANUP(fit_outcome_clear) FitOutcome outcome = {0};
    assert_refused(STATUS_CHECK_FAILED, "wild: rig/transforms[0,0,0,3] is",
                   task_run(&sequence, &wild, 2, 0.0, 0, NULL, &outcome));
    assert_true(outcome.is_wrong);
}
