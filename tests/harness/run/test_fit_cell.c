/* Tests a fit as the benchmark runs it: its record, held-out frames, and the search for the number of bones
 * that reaches an error. */
#include "tests/subjects.h"

#include "harness/run/bench/fit_cell.h"

/* Returns the record of a fit, without writing a result file. */
static Record fit_record(const FitPlan *fit, const Subject *subject)
{
    BenchTask task;
    Bench bench = {.threads = 1};
    assert_ok(fit_cell_task(fit, subject, &task));
    Record record = record_of(&task.cell);
    assert_ok(task.run(task.context, subject, &bench, &record));
    return record;
}

TEST(a_fit_is_measured_by_the_harness)
{
    OWNED_SUBJECT(subject, "walk", "vertices=1000", "frames=6");
    BenchTask task;
    FitPlan cell = {
        .method = "coordinate-descent", .bones = 6, .influences = 4, .iterations = 3, .threads = 1};
    Record record = fit_record(&cell, &subject);
    assert_int_equal(record.status, RECORD_OK);
    assert_int_equal(record.fit.descent_count, 4);
    /* The error that the method reports last must match the error that the harness measures on the posed
     * model. */
    assert_true(fabs(record_e_rms_after(&record, 3) / record_metric(&record, "e_rms") - 1.0) < 1e-4);
    assert_true(argument_number(argument_find(record.cell.parameters, "bones"), 0.0) == 6.0);
    record_clear(&record);
    /* Held-out frames and the target error of a search make a different cell. Both are stored in its
     * record. */
    cell.holdout = 3;
    cell.error = 100.0;
    record = fit_record(&cell, &subject);
    assert_true(argument_number(argument_find(record.cell.parameters, "holdout"), 0.0) == 3.0);
    assert_true(argument_number(argument_find(record.cell.parameters, "error"), 0.0) == 100.0);
    assert_true(measures_value(&record.held, "e_rms") > 0.0);
    assert_int_equal(record.fit.trial_count, 1);
    record_clear(&record);
    cell.error = 1e-6;
    record = fit_record(&cell, &subject);
    assert_int_equal(record.status, RECORD_FAILED);
    assert_holds(record.reason, "not reached with up to 6 bones");
    assert_int_equal(record.fit.trial_count, 4); /* the search tried 1, 2, 4 and 6 bones */
    record_clear(&record);
    snprintf(cell.method, sizeof cell.method, "none");
    assert_refused(STATUS_USAGE, "no decomposition method 'none'", fit_cell_task(&cell, &subject, &task));
}

/* The record says what was delivered, whatever the settings are called: affine bones with an optimised rest
 * pose, rigid bones with the given one, also if it is the first frame, a rig with corrections, and a
 * low-rank model without a rest pose. */
TEST(a_fit_says_which_kind_of_model_it_made)
{
    static const struct {
        const char *method, *settings[2], *transforms, *rest_pose;
    } fits[] = {{"coordinate-descent", {"rest=yes"}, "affine", "moved"},
                {"coordinate-descent", {"rest=no", "transforms=rigid"}, "rigid", "kept"},
                {"sad", {"rest-pose=first"}, "affine", "kept"},
                {"ssdr", {NULL}, "rigid", "kept"},
                {"eigenskin", {"base=sad"}, "affine", "corrected"},
                {"svd", {NULL}, "low-rank", ""}};
    OWNED_SUBJECT(subject, "walk", "vertices=1000", "frames=5");
    for (size_t i = 0; i < sizeof fits / sizeof *fits; i++) {
        FitPlan plan = {.bones = 4, .influences = 4, .iterations = 2, .threads = 1};
        snprintf(plan.method, sizeof plan.method, "%s", fits[i].method);
        for (int k = 0; k < 2 && fits[i].settings[k]; k++)
            snprintf(plan.settings[plan.setting_count++], SETTING_BYTES, "%s", fits[i].settings[k]);
        Record record = fit_record(&plan, &subject);
        assert_int_equal(record.status, RECORD_OK);
        assert_string_equal(record.fit.transforms, fits[i].transforms);
        assert_string_equal(record.fit.rest_pose, fits[i].rest_pose);
        record_clear(&record);
    }
}
