/* The benchmark on a tiny rig: what it records, what it skips, what it calls wrong. No time is judged. */
#include "methods/registry.h"
#include "tests/support.h"

#include "datasets/base/memory.h"
#include "harness/bench/bench.h"
#include "harness/bench/fit_cell.h"
#include "harness/bench/skinning_cell.h"
#include "harness/bench/suite.h"
#include "harness/metrics/frame_source.h"
#include <math.h>

static const char *const small_bar[] = {"around=4", "along=9", "frames=2"};

static void bar(Subject *subject)
{
    assert_ok(subject_generate("bar", small_bar, 3, subject));
}

static void bench_start(Bench *bench, const char *folder, char path[128])
{
    snprintf(path, 128, "%s/run.jsonl", folder);
    *bench = (Bench){.path = path,
                     .threads = 1,
                     .rounds_minimum = 3,
                     .rounds_cap = 3,
                     .frames_cap = 64,
                     .precision = 0.0,
                     .time_budget_s = 1e9,
                     .bandwidth = {.one_thread = 1e10, .all_threads = 1e10, .threads = 1}};
    assert_ok(bench_open(bench));
}

static SkinningPlan plan(const char *method, const Backend *backend)
{
    SkinningPlan result = {.entry = skinning_entry_find(method), .backend = backend, .threads = 1};
    assert_non_null(result.entry);
    result.parameters =
        parameters_default(result.entry->method->parameters, result.entry->method->parameter_count);
    return result;
}

static void folder_leave(const char *folder, const char *path)
{
    unlink(path);
    assert_int_equal(rmdir(folder), 0); /* no journal is left behind */
}

static void a_group_is_timed_once(void **state)
{
    (void)state;
    char folder[64], path[128];
    Subject subject;
    Bench bench;
    SkinningPlan plans[] = {plan("lbs", &backend_scalar), plan("lbs", &backend_simd)};
    test_folder(folder);
    bar(&subject);
    bench_start(&bench, folder, path);
    assert_ok(skinning_group_run(&bench, &subject, plans, 2));
    assert_int_equal(bench.counts.ok, 2);
    assert_int_equal(json_array_size(bench.records), 3); /* the environment first */
    const json_t *simd = json_array_get(bench.records, 2);
    assert_string_equal(json_text_at(json_array_get(bench.records, 0), "kind"), "environment");
    assert_string_equal(json_text_at(simd, "status"), "ok");
    assert_string_equal(json_text_at(simd, "timing.end"), "rounds-cap");
    assert_true(json_number_at(simd, "timing.rounds") == 3.0);
    assert_int_equal(json_array_size(json_member_at(simd, "timing.skin.samples_s")), 3);
    double count = json_number_at(simd, "dataset.vertices") * json_number_at(simd, "frames");
    double expected = 1e9 * json_number_at(simd, "timing.skin.median_s") / count;
    assert_true(fabs(json_number_at(simd, "timing.ns_per_vertex.median") / expected - 1.0) < 1e-12);
    assert_true(json_number_at(simd, "timing.ratio_to_lbs.median") == 1.0);
    double ratio = json_number_at(simd, "timing.ratio_to_scalar.interval_low");
    assert_true(ratio > 0.0 && isfinite(ratio));
    assert_true(json_number_at(simd, "metrics.reference_distance_max") <= 1e-5);
    bench_close(&bench);

    bench_start(&bench, folder, path);
    assert_ok(skinning_group_run(&bench, &subject, plans, 2));
    assert_int_equal(bench.counts.ok, 0);
    assert_int_equal(bench.counts.already, 2);
    assert_int_equal(json_array_size(bench.records), 3);
    bench_close(&bench);
    subject_clear(&subject);
    folder_leave(folder, path);
}

/* Asked for dqs alone, LBS and scalar are timed along for the ratios, but not recorded. */
static void companions_give_ratios(void **state)
{
    (void)state;
    char folder[64], path[128];
    Subject subject;
    Bench bench;
    SkinningPlan dqs = plan("dqs", &backend_simd);
    test_folder(folder);
    bar(&subject);
    bench_start(&bench, folder, path);
    assert_ok(skinning_group_run(&bench, &subject, &dqs, 1));
    assert_int_equal(json_array_size(bench.records), 2);
    const json_t *record = json_array_get(bench.records, 1);
    assert_true(json_number_at(record, "timing.ratio_to_lbs.median") > 0.0);
    assert_true(json_number_at(record, "timing.ratio_to_scalar.median") > 0.0);
    bench_close(&bench);
    subject_clear(&subject);
    folder_leave(folder, path);
}

/* What a method counts stands in its records, and a plan in two phases is a cell of its own. */
static void counters_and_phases_are_recorded(void **state)
{
    (void)state;
    char folder[64], path[128];
    Subject subject;
    Bench bench;
    SkinningPlan plans[] = {plan("sbs", &backend_scalar), plan("lbs", &backend_scalar),
                            plan("lbs", &backend_scalar)};
    assert_ok(parameters_set(plans[0].entry->method->parameters, plans[0].entry->method->parameter_count,
                             "sbs", "centers=svd", &plans[0].parameters));
    plans[2].two_phase = true;
    test_folder(folder);
    bar(&subject);
    bench_start(&bench, folder, path);
    assert_ok(skinning_group_run(&bench, &subject, plans, 3));
    assert_int_equal(bench.counts.ok, 3);
    const json_t *sbs = json_array_get(bench.records, 1), *both = json_array_get(bench.records, 3);
    /* The bar's joints are neighbours: every joint set is trivial (SBS 4.2). */
    assert_true(json_number_at(sbs, "counts.svds.mean") == 0.0);
    assert_true(json_number_at(sbs, "counts.nontrivial_sets.max") == 0.0);
    assert_true(json_number_at(sbs, "joint_sets") >= 2.0);
    assert_null(json_object_get(json_array_get(bench.records, 2), "two_phase"));
    assert_true(json_is_true(json_object_get(both, "two_phase")));
    assert_ok(skinning_group_run(&bench, &subject, plans, 3));
    assert_int_equal(bench.counts.already, 3);
    bench_close(&bench);
    subject_clear(&subject);
    folder_leave(folder, path);
}

/* A cell of LBS held against DQS as if that were its reference: a twisted bar tells them apart. */
static void what_differs_from_the_reference_is_wrong(void **state)
{
    (void)state;
    Subject subject;
    Posing posing;
    SkinningCell cell;
    Skinner *other = NULL;
    double bind_s = 0.0;
    SkinningPlan lbs = plan("lbs", &backend_scalar), dqs = plan("dqs", &backend_reference);
    bar(&subject);
    assert_ok(posing_make(subject.dataset, 64, &posing));
    assert_ok(skinner_run_once(&dqs, &subject, &posing, &other, &bind_s));
    assert_ok(skinning_cell_plan(&cell, &lbs, &subject, &posing));
    assert_ok(skinning_cell_prepare(&cell, other, NULL));
    assert_false(cell.live);
    assert_string_equal(json_text_at(cell.record, "status"), "wrong");
    assert_non_null(strstr(json_text_at(cell.record, "reason"), "differs from reference by"));
    assert_true(json_is_null(json_object_get(cell.record, "timing")));
    assert_true(json_number_at(cell.record, "metrics.reference_distance_max") > 0.01);
    skinning_cell_clear(&cell);
    skinner_free(other);
    posing_clear(&posing);
    subject_clear(&subject);
}

static bool memory_gives_out(void *context, const char *what, double share)
{
    (void)what;
    (void)share;
    int *reports = context;
    if (++*reports == *(reports + 1))
        memory_fail_after(0);
    return true;
}

/* A pose fails in the midst of the rounds, as one does when a device is lost: that cell is `failed` with its
 * reason, the other is timed to the end, and its ratios to the failed one are null. */
static void a_cell_that_fails_leaves_the_others_alone(void **state)
{
    (void)state;
    char folder[64], path[128];
    Subject subject;
    Bench bench;
    int reports[2] = {0, 5}; /* each cell that is prepared, then every round: the third here */
    Progress progress = {memory_gives_out, reports};
    SkinningPlan plans[] = {plan("lbs", &backend_scalar), plan("lbs", &backend_simd)};
    test_folder(folder);
    bar(&subject);
    bench_start(&bench, folder, path);
    bench.progress = &progress;
    bench.rounds_minimum = bench.rounds_cap = 6;
    assert_ok(skinning_group_run(&bench, &subject, plans, 2));
    memory_fail_after(-1);
    assert_int_equal(bench.counts.failed, 1);
    assert_int_equal(bench.counts.ok, 1);
    const json_t *failed = json_array_get(bench.records, 1), *timed = json_array_get(bench.records, 2);
    assert_string_equal(json_text_at(failed, "status"), "failed");
    assert_non_null(strstr(json_text_at(failed, "reason"), "while it was timed ("));
    assert_non_null(strstr(json_text_at(failed, "reason"), "the pose stage"));
    assert_true(json_is_null(json_object_get(failed, "timing")));
    assert_string_equal(json_text_at(timed, "status"), "ok");
    assert_true(json_number_at(timed, "timing.rounds") == 6.0);
    const bool scalar_failed = strcmp(json_text_at(failed, "backend"), "scalar") == 0;
    assert_int_equal(json_is_null(json_member_at(timed, "timing.ratio_to_scalar")), scalar_failed);

    assert_ok(skinning_group_run(&bench, &subject, plans, 2)); /* what failed is tried again */
    assert_int_equal(bench.counts.ok, 2);
    assert_int_equal(bench.counts.already, 1);
    bench_close(&bench);
    subject_clear(&subject);
    folder_leave(folder, path);
}

static bool stop_on_third(void *context, const char *what, double share)
{
    (void)what;
    (void)share;
    return ++*(int *)context < 5;
}

/* Stopped by the user after some rounds: nothing is recorded, the journal has the samples, and the next run
 * takes them up. */
static void a_stopped_group_goes_on_from_its_journal(void **state)
{
    (void)state;
    char folder[64], path[128], journal[160];
    Subject subject;
    Bench bench;
    int reports = 0;
    Progress progress = {stop_on_third, &reports};
    SkinningPlan lbs = plan("lbs", &backend_scalar);
    test_folder(folder);
    bar(&subject);
    bench_start(&bench, folder, path);
    bench.progress = &progress;
    bench.rounds_minimum = bench.rounds_cap = 6;
    assert_int_equal(skinning_group_run(&bench, &subject, &lbs, 1).code, STATUS_STOPPED);
    assert_int_equal(json_array_size(bench.records), 0);
    bench_close(&bench);
    snprintf(journal, sizeof journal, "%s.journal", path);
    json_t *lines = NULL;
    bool torn = false;
    assert_ok(results_read(journal, &lines, &torn));
    size_t kept = json_array_size(lines);
    assert_true(kept > 1 + 4 && kept < 1 + 4 * 6);
    double first = json_number_at(json_array_get(lines, 1), "seconds");
    char work[32];
    snprintf(work, sizeof work, "timing.%s.samples_s", json_text_at(json_array_get(lines, 1), "work"));
    json_decref(lines);

    bench_start(&bench, folder, path);
    bench.rounds_minimum = bench.rounds_cap = 6;
    assert_ok(skinning_group_run(&bench, &subject, &lbs, 1));
    const json_t *samples = json_member_at(json_array_get(bench.records, 1), work);
    assert_int_equal(json_array_size(samples), 6);
    assert_true(json_number_value(json_array_get(samples, 0)) == first);
    bench_close(&bench);
    subject_clear(&subject);
    folder_leave(folder, path);
}

static void a_fit_is_measured_by_the_harness(void **state)
{
    (void)state;
    static const char *const walk[] = {"vertices=1000", "frames=6"};
    Subject subject;
    FitCell cell = {
        .method = "coordinate-descent", .bones = 6, .influences = 4, .iterations = 3, .threads = 1};
    json_t *record = NULL;
    assert_ok(subject_generate("walk", walk, 2, &subject));
    assert_ok(fit_cell_plan(&cell, &subject, &record));
    assert_ok(fit_cell_run(&cell, &subject, NULL, record));
    assert_string_equal(json_text_at(record, "status"), "ok");
    const json_t *curve = json_object_get(record, "iterations");
    assert_int_equal(json_array_size(curve), 4);
    /* The method's own account of its last error against what the harness finds by posing its model. */
    double told = json_number_at(json_array_get(curve, 3), "e_rms");
    double measured = json_number_at(record, "metrics.e_rms");
    assert_true(fabs(told / measured - 1.0) < 1e-4);
    assert_true(json_number_at(record, "parameters.bones") == 6.0);
    json_decref(record);
    /* Held-out frames and a search make another cell, and are told in it. */
    cell.holdout = 3;
    cell.error = 100.0;
    assert_ok(fit_cell_plan(&cell, &subject, &record));
    assert_true(json_number_at(record, "parameters.holdout") == 3.0);
    assert_true(json_number_at(record, "parameters.error") == 100.0);
    assert_ok(fit_cell_run(&cell, &subject, NULL, record));
    assert_true(json_number_at(record, "metrics.holdout.e_rms") > 0.0);
    assert_int_equal(json_array_size(json_object_get(record, "search")), 1);
    json_decref(record);
    cell.error = 1e-6;
    assert_ok(fit_cell_plan(&cell, &subject, &record));
    assert_ok(fit_cell_run(&cell, &subject, NULL, record));
    assert_string_equal(json_text_at(record, "status"), "failed");
    assert_non_null(strstr(json_text_at(record, "reason"), "not reached with up to 6 bones"));
    assert_int_equal(json_array_size(json_object_get(record, "search")), 4); /* 1, 2, 4, 6 */
    json_decref(record);
    snprintf(cell.method, sizeof cell.method, "none");
    assert_refused(STATUS_USAGE, "no decomposition method 'none'", fit_cell_plan(&cell, &subject, &record));
    subject_clear(&subject);
}

static void frames_come_from_rigs_and_models(void **state)
{
    (void)state;
    static const char *const walk[] = {"vertices=1000", "frames=20"};
    Subject subject;
    FrameSource *target = NULL, *candidate = NULL;
    Metrics metrics;
    assert_ok(subject_generate("walk", walk, 2, &subject));
    const Dataset *d = subject.dataset;
    assert_ok(frame_source_of_parts("stored", &d->mesh, &d->animation, &d->rig, NULL, &target));
    assert_int_equal(frame_source_origin(target), FRAMES_STORED);
    assert_ok(frame_source_of_parts("posed", &d->mesh, NULL, &d->rig, NULL, &candidate));
    assert_int_equal(frame_source_origin(candidate), FRAMES_POSED);
    assert_ok(frame_sources_measure(target, candidate, &metrics)); /* walk is its rig's linear blend */
    assert_true(metric_named("distance_max", &metrics) < 1e-6);
    metrics_clear(&metrics);
    assert_refused(STATUS_BAD_INPUT, "posed: has no animation/positions",
                   frame_sources_measure(candidate, target, &metrics));
    frame_source_close(candidate);

    /* One basis vector: coordinate k of frame f is (3 f + k) times the vertex number. */
    double basis[3 * 20];
    float coefficients[1000], frame[3000];
    for (int i = 0; i < 60; i++)
        basis[i] = i;
    for (int v = 0; v < 1000; v++)
        coefficients[v] = (float)v;
    LowRank model = {1, 60, basis, coefficients};
    assert_ok(frame_source_of_parts("model", &d->mesh, NULL, NULL, &model, &candidate));
    assert_int_equal(frame_source_frame_count(candidate), 20);
    assert_ok(frame_source_read(candidate, 7, 1, frame));
    assert_true(frame[3 * 11 + 2] == 23.0f * 11.0f);
    assert_refused(STATUS_BAD_INPUT, "frames 19 to 20", frame_source_read(candidate, 19, 2, frame));
    frame_source_close(candidate);
    model.row_count = 57;
    assert_ok(frame_source_of_parts("short", &d->mesh, NULL, NULL, &model, &candidate));
    assert_refused(STATUS_BAD_INPUT, "stored has 20 frames, short has 19",
                   frame_sources_measure(target, candidate, &metrics));
    frame_source_close(candidate);
    assert_refused(STATUS_BAD_INPUT, "nothing: has neither",
                   frame_source_of_parts("nothing", &d->mesh, NULL, NULL, NULL, &candidate));
    frame_source_close(target);
    subject_clear(&subject);
}

static void suites_are_read_and_checked(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"[", "suite.json:1:"},
        {"{}", "has no datasets"},
        {"{\"datasets\":[{}]}", "datasets[0] needs either a file or a generator"},
        {"{\"datasets\":[{\"generate\":\"bar\"}],\"skinning\":{\"backends\":[\"abacus\"]}}", "abacus"},
        {"{\"datasets\":[{\"generate\":\"bar\"}],\"skinning\":{\"threads\":[0]}}", "threads[0] is not"},
        {"{\"datasets\":[{\"generate\":\"bar\"}],\"decomposition\":[{\"method\":\"x\"}]}", "method 'x'"},
        {"{\"datasets\":[{\"generate\":\"bar\"}],\"decomposition\":[{\"method\":\"svd\"}]}", "bones"},
    };
    char folder[64], path[128];
    test_folder(folder);
    snprintf(path, sizeof path, "%s/suite.json", folder);
    for (size_t i = 0; i <= sizeof cases / sizeof *cases; i++) {
        bool good = i == sizeof cases / sizeof *cases;
        Suite suite = {0};
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fputs(good ? "{\"datasets\":[{\"file\":\"a.h5\"},{\"generate\":\"bar\",\"set\":[\"around=4\"]}],"
                     "\"skinning\":{\"methods\":[{\"name\":\"dqs\",\"set\":[\"hemisphere=first\"]}],"
                     "\"backends\":[\"scalar\",\"simd\"],\"threads\":[1,2],\"two_phase\":true},"
                     "\"decomposition\":[{\"method\":\"svd\",\"bones\":[3,5]}]}"
                   : cases[i].text,
              file);
        fclose(file);
        Status status = suite_read(path, 2, &suite);
        if (good) {
            assert_int_equal(status.code, STATUS_OK);
            assert_int_equal(suite.plan_count, 3); /* scalar on one thread, simd on one and two */
            assert_true(suite.plans[2].two_phase && !suite.plans[2].normals);
            assert_int_equal(suite.fit_count, 2);
            assert_int_equal(suite.fits[1].bones, 5);
            assert_non_null(strstr(suite.datasets[0].path, "/a.h5")); /* relative to the suite */
            assert_true(suite.datasets[0].path[0] == '/');
        } else {
            assert_true(status.code != STATUS_OK);
            if (!strstr(status.text, cases[i].message))
                fail_msg("'%s' does not say '%s'", status.text, cases[i].message);
        }
        suite_clear(&suite);
    }
    unlink(path);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_group_is_timed_once),
        cmocka_unit_test(companions_give_ratios),
        cmocka_unit_test(counters_and_phases_are_recorded),
        cmocka_unit_test(what_differs_from_the_reference_is_wrong),
        cmocka_unit_test(a_cell_that_fails_leaves_the_others_alone),
        cmocka_unit_test(a_stopped_group_goes_on_from_its_journal),
        cmocka_unit_test(a_fit_is_measured_by_the_harness),
        cmocka_unit_test(frames_come_from_rigs_and_models),
        cmocka_unit_test(suites_are_read_and_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
