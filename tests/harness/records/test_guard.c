/* Tests the guard against changed results. It must find changes of any digit in both directions, and cells
 * that vanish, appear or are skipped. Also tests fits that are compared over their seeds, stored E_RMS that
 * is valid on any machine, and files for other programs. */
#include "tests/stores.h"

#include "datasets/io/json_table.h"
#include "harness/records/guard/accepted.h"
#include "harness/records/guard/compare.h"
#include "harness/records/guard/finding_json.h"
#include "harness/show/tables/finding_print.h"

/* A cell of a run: a method on a backend or, if it has a seed, a fit. */
typedef struct RunLine {
    const char *backend, *status;
    double e_rms, distance;
    int seed;              /* seed of the fit, or 0 if the cell is not a fit */
    const char *parameter; /* a parameter of the method such as "window", or NULL */
} RunLine;

static json_t *run_environment(const char *hash, const char *compiler, const char *model)
{
    return json_pack("{s:i, s:s, s:s, s:s, s:{s:s, s:s, s:{s:s, s:i}}}", "schema", 1, "run", "r", "time",
                     "2026-01-01T00:00:00Z", "kind", "environment", "environment", "hash", hash, "compiler",
                     compiler, "cpu", "model", model, "cores", 2);
}

static json_t *run_cell(const char *hash, const RunLine *line)
{
    json_t *parameters = json_object();
    if (line->seed > 1)
        json_object_set_new(parameters, "seed", json_integer(line->seed));
    if (line->parameter)
        json_object_set_new(parameters, line->parameter, json_integer(5));
    return json_pack(
        "{s:i, s:s, s:{s:s, s:s, s:i, s:i, s:i, s:i, s:i}, s:s, s:s, s:s, s:s, s:s, s:o, s:i, s:i, s:b, "
        "s:{s:o, s:o}, s:n}",
        "schema", 1, "kind", line->seed ? "decomposition" : "skinning", "dataset", "name", "<bar> & \"x\"",
        "sha256", DIGEST_OF("a"), "vertices", 8, "triangles", 12, "frames", 1, "joints", 2, "influences", 2,
        "status", line->status, "reason", strcmp(line->status, "ok") == 0 ? "" : "no driver", "environment",
        hash, "method", line->seed ? "sad" : "lbs", "backend", line->backend, "parameters", parameters,
        "threads", 1, "frames", 1, "normals", 0, "metrics", "e_rms", json_number_or_null(line->e_rms),
        "reference_distance_max", json_number_or_null(line->distance), "timing");
}

/* Writes a result file with these cells and an environment with this compiler and processor model to
 * `path`. */
static void run_write(const char *path, const char *compiler, const char *model, const RunLine *cells,
                      int count)
{
    json_t *lines = json_array();
    const char *hash = text_of("%016x", (unsigned)compiler[0]);
    json_array_append_new(lines, run_environment(hash, compiler, model));
    for (int i = 0; i < count; i++)
        assert_int_equal(json_array_append_new(lines, run_cell(hash, &cells[i])), 0);
    lines_write(path, lines);
}

/* Compares two files. The caller releases the findings. */
static Findings compare_files(const char *base_path, const char *fresh_path, double tolerance)
{
    const CompareOptions options = {.tolerance = tolerance};
    OWNED_BY(record_store_close) RecordStore *base = store_read(base_path), *fresh = store_read(fresh_path);
    Findings findings = {0};
    assert_ok(records_compare(base, base_path, fresh, fresh_path, &options, &findings));
    return findings;
}

static void expect_counts(const char *base, const char *fresh, double tolerance, const char *text)
{
    CLEANUP(findings_clear) Findings findings = compare_files(base, fresh, tolerance);
    char counts[FINDINGS_TEXT_BYTES];
    findings_format(&findings, counts);
    assert_string_equal(counts, text);
}

TEST(the_last_digit_fails_either_way)
{
    const char *base = path_of("base.jsonl"), *fresh = path_of("fresh.jsonl");
    const double moved[] = {2.0, nextafter(2.0, 3.0), nextafter(2.0, 1.0), 2.0 * (1.0 + 5e-6), NAN};
    const char *const counts[] = {"1 same", "1 worse", "1 better", "1 worse", "1 worse"};
    run_write(base, "gcc", "M", &(RunLine){"scalar", "ok", 2.0, 0.0, 0, NULL}, 1);
    for (int i = 0; i < 5; i++) {
        run_write(fresh, "gcc", "M", &(RunLine){"scalar", "ok", moved[i], 0.0, 0, NULL}, 1);
        expect_counts(base, fresh, 0.0, counts[i]);
    }
    run_write(fresh, "gcc", "M", &(RunLine){"scalar", "ok", moved[3], 0.0, 0, NULL}, 1);
    expect_counts(base, fresh, 1e-5, "1 same");
    run_write(fresh, "gcc", "M", &(RunLine){"scalar", "ok", 2.0, 1e-300, 0, NULL}, 1);
    expect_counts(base, fresh, 0.0, "1 worse");
}

TEST(cells_vanish_appear_and_are_skipped)
{
    const char *base = path_of("base.jsonl"), *fresh = path_of("fresh.jsonl");
    const RunLine ok[] = {{"scalar", "ok", 1.0, 0.0, 0, NULL}, {"simd", "ok", 1.0, 0.0, 0, NULL}};
    const RunLine skipped[] = {{"scalar", "ok", 1.0, 0.0, 0, NULL}, {"simd", "skipped", 1.0, 0.0, 0, NULL}};
    const RunLine failed[] = {{"scalar", "ok", 1.0, 0.0, 0, NULL}, {"simd", "failed", 1.0, 0.0, 0, NULL}};
    run_write(base, "gcc", "M", ok, 2);
    run_write(fresh, "gcc", "M", ok, 1);
    expect_counts(base, fresh, 0.0, "1 vanished, 1 same");
    expect_counts(fresh, base, 0.0, "1 new, 1 same");
    run_write(fresh, "gcc", "M", skipped, 2);
    expect_counts(base, fresh, 0.0, "1 vanished, 1 same");
    expect_counts(fresh, base, 0.0, "1 appeared, 1 same");
    expect_counts(fresh, fresh, 0.0, "1 skipped, 1 same");
    run_write(fresh, "gcc", "M", failed, 2);
    expect_counts(base, fresh, 0.0, "1 vanished, 1 same");
}

/* If a method loses one parameter and gains another, its old and new cells are still paired. Cells of a fit
 * are paired by their seed. */
TEST(cells_of_changed_parameters_are_paired)
{
    const char *base = path_of("base.jsonl"), *fresh = path_of("fresh.jsonl");
    RunLine before[] = {{"simd", "ok", 1.0, 0.0, 0, "window"},
                        {"host", "ok", 2.0, 0.0, 1, "window"},
                        {"host", "ok", 3.0, 0.0, 2, "window"}};
    RunLine after[] = {{"simd", "ok", 1.0, 0.0, 0, "stages"},
                       {"host", "ok", 2.0, 0.0, 1, NULL},
                       {"host", "ok", 3.5, 0.0, 2, NULL}};
    run_write(base, "gcc", "M", before, 3);
    run_write(fresh, "gcc", "M", after, 3);
    expect_counts(base, fresh, 0.0, "1 worse, 1 same");
    after[1].parameter = "stages"; /* ambiguous, because two cells could be the counterpart */
    const RunLine two[] = {after[1], {"host", "ok", 2.0, 0.0, 1, "rounds"}};
    run_write(base, "gcc", "M", &before[1], 1);
    run_write(fresh, "gcc", "M", two, 2);
    expect_counts(base, fresh, 0.0, "1 vanished, 2 new");
}

enum { SEEDS = 7 };

static void fits_write(const char *path, const double e_rms[SEEDS], int count)
{
    RunLine cells[SEEDS];
    for (int i = 0; i < count; i++)
        cells[i] = (RunLine){"host", "ok", e_rms[i], 0.0, i + 1, NULL};
    run_write(path, "gcc", "M", cells, count);
}

/* Each comparison reports one finding for every changed value, and one more for the median. */
TEST(fits_are_judged_by_their_seeds)
{
    const char *base = path_of("base.jsonl"), *fresh = path_of("fresh.jsonl");
    const double before[SEEDS] = {2.0, 2.1, 1.9, 2.2, 1.8, 2.3, 1.7}; /* the median of these values is 2 */
    const struct {
        double e_rms[SEEDS];
        const char *counts;
    } cases[] = {{{2.0, 2.1, 1.9, 2.2, 1.8, 2.3, 1.7}, "1 same"},
                 {{2.0, 2.1, 1.9, 2.2, 1.8, 2.3, 1.70000000000001}, "2 moved"},
                 {{2.3, 2.3, 2.3, 2.3, 1.8, 2.3, 1.7},
                  "5 moved"}, /* the new median lies at the end of the accepted spread */
                 {{2.4, 2.4, 2.4, 2.4, 1.8, 2.3, 1.7}, "5 worse"},
                 {{1.6, 1.6, 1.6, 2.2, 1.6, 2.3, 1.7}, "5 better"}};
    fits_write(base, before, SEEDS);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fits_write(fresh, cases[i].e_rms, SEEDS);
        expect_counts(base, fresh, 0.0, cases[i].counts);
    }
    Findings findings = compare_files(base, fresh, 0.0);
    assert_string_equal(findings.items[0].of, "median e_rms");
    assert_true(findings.items[0].base == 2.0 && findings.items[0].fresh == 1.6);
    assert_holds(findings.items[0].note, "7 seeds: 1.7 to 2.3, now 1.6 to 2.3");
    assert_string_equal(findings.items[2].note, "seed 2");
    findings_clear(&findings);
    /* Four seeds are too few to estimate a spread. */
    fits_write(base, before, 4);
    fits_write(fresh, cases[1].e_rms, 4);
    expect_counts(base, fresh, 0.0, "1 same");
    fits_write(fresh, cases[3].e_rms, 4);
    expect_counts(base, fresh, 0.0, "4 worse");
    /* Numbers that do not depend on a seed may change by rounding, up to a millionth. */
    fits_write(base, (double[SEEDS]){2, 2, 2, 2, 2, 2, 2}, SEEDS);
    for (int beyond = 0; beyond < 2; beyond++) {
        double moved[SEEDS];
        for (int i = 0; i < SEEDS; i++)
            moved[i] = 2.0 * (1.0 + (beyond ? 1.1e-6 : 0.9e-6));
        fits_write(fresh, moved, SEEDS);
        expect_counts(base, fresh, 0.0, beyond ? "8 worse" : "8 moved");
    }
}

static void expect_accepted(const Accepted *accepted, const char *path, const char *text)
{
    OWNED_BY(record_store_close) RecordStore *store = store_read(path);
    CLEANUP(accepted_clear) Accepted run = {0};
    CLEANUP(findings_clear) Findings findings = {0};
    char counts[FINDINGS_TEXT_BYTES];
    assert_ok(accepted_of_run(store, path, &run));
    assert_ok(accepted_compare(accepted, &run, &findings));
    findings_format(&findings, counts);
    assert_string_equal(counts, text);
}

/* Makes an acceptance of a run that follows `before` and accepts what is named. */
static Accepted accepted_next(const Accepted *before, const char *path, const char *name)
{
    OWNED_BY(record_store_close) RecordStore *store = store_read(path);
    CLEANUP(findings_clear) Findings findings = {0};
    Accepted run = {0};
    assert_ok(accepted_of_run(store, path, &run));
    assert_ok(accepted_compare(before, &run, &findings));
    snprintf(run.reason, sizeof run.reason, "because of %s", name);
    assert_ok(accepted_follow(before, &findings, &name, 1, &run));
    return run;
}

/* The run has two LBS cells on the reference backend, whose mean is compared, and a fit with three
 * seeds. */
TEST(e_rms_is_stored_for_any_machine)
{
    const char *base = path_of("base.jsonl"), *fresh = path_of("fresh.jsonl"), *other = path_of("o.jsonl");
    RunLine cells[] = {{"reference", "ok", 1.0, 0.0, 0, NULL}, {"reference", "ok", 3.0, 0.0, 0, "window"},
                       {"simd", "ok", 9.0, 0.0, 0, NULL},      {"host", "ok", 5.0, 0.0, 1, NULL},
                       {"host", "ok", 6.0, 0.0, 2, NULL},      {"host", "ok", 7.5, 0.0, 3, NULL}};
    const int count = sizeof cells / sizeof *cells;
    run_write(fresh, "gcc", "M", cells, count);
    OWNED_BY(record_store_close) RecordStore *store = store_read(fresh);
    CLEANUP(accepted_clear) Accepted run = {0}, read = {0};
    assert_ok(accepted_of_run(store, fresh, &run));
    record_store_close(store);
    snprintf(run.reason, sizeof run.reason, "because of \"x\"\n");
    assert_ok(accepted_write(&run, base));
    accepted_clear(&run);
    assert_ok(accepted_read(base, &read));
    assert_string_equal(read.reason, "because of \"x\"\n");
    assert_int_equal(read.method_count, 2);
    assert_true(read.methods[0].e_rms.value == 2.0 && read.methods[0].e_rms.low == 2.0 &&
                read.methods[0].cells == 2);
    assert_int_equal(read.methods[0].e_rms.samples, 1);
    assert_true(read.methods[1].e_rms.value == 6.0 && read.methods[1].e_rms.low == 5.0 &&
                read.methods[1].e_rms.high == 7.5);
    expect_accepted(&read, fresh, "2 same");

    /* A comparison with the accepted values tolerates a change of an exact number by a millionth. It also
     * tolerates a change of a fit's median within the spread over the seeds. */
    cells[0].e_rms = 1.0 + 3.9e-6;
    cells[2].e_rms = 10.0;
    cells[4].e_rms = 7.4;
    run_write(other, "clang", "another", cells, count);
    expect_accepted(&read, other, "2 same");
    run = accepted_next(&read, other, "all"); /* lines of unchanged cells are kept */
    assert_true(run.methods[0].e_rms.value == 2.0 && run.methods[1].e_rms.value == 6.0);
    assert_int_equal(run.change_count, 0);
    accepted_clear(&run);
    cells[0].e_rms = 1.0 - 4.1e-6;
    cells[4].e_rms = cells[5].e_rms = 7.6;
    run_write(other, "clang", "another", cells, count);
    expect_accepted(&read, other, "1 worse, 1 better");
    run = accepted_next(&read, other, "all"); /* lines of changed cells are replaced */
    assert_true(run.methods[0].e_rms.value < 2.0 && run.methods[1].e_rms.value == 7.6);
    accepted_clear(&run);

    cells[1].status = "skipped";
    run_write(other, "clang", "another", cells, 3);
    expect_accepted(&read, other, "1 changed, 1 vanished");
    Accepted less = {.methods = read.methods, .method_count = 1}, none = {0};
    expect_accepted(&less, fresh, "1 new, 1 same"); /* without the fit */
    expect_accepted(&none, fresh, "2 new");
    less.methods[0].cells = 1; /* cells added since make another mean */
    expect_accepted(&less, fresh, "2 new");
    cells[1].status = "wrong";
    run_write(other, "clang", "another", cells, 3);
    store = store_read(other);
    assert_refused(STATUS_CHECK_FAILED, "1 cells are wrong or failed", accepted_of_run(store, other, &run));
}

/* Both methods become worse. LBS is accepted first: its line and what was given up are stored, while the fit
 * keeps its line and stays open until it is accepted, too. */
TEST(what_is_not_named_stays_open)
{
    const char *base = path_of("base.jsonl"), *fresh = path_of("fresh.jsonl"), *file = path_of("a.json");
    RunLine cells[] = {{"reference", "ok", 4.0, 0.0, 0, NULL}, {"host", "ok", 5.0, 0.0, 1, NULL}};
    const CompareOptions options = {.tolerance = 0.0};
    const char *const unknown = "nonsense", *const name = "lbs";
    CLEANUP(accepted_clear) Accepted first = {0}, second = {0}, third = {0}, read = {0};
    CLEANUP(findings_clear) Findings findings = {0}, later = {0};
    run_write(base, "gcc", "M", cells, 2);
    cells[0].e_rms = 6.0;
    cells[1].e_rms = 10.0;
    run_write(fresh, "gcc", "M", cells, 2);
    OWNED_BY(record_store_close) RecordStore *old = store_read(base), *new = store_read(fresh);
    assert_ok(accepted_of_run(old, base, &first));
    assert_ok(accepted_of_run(new, fresh, &second));
    assert_ok(records_compare(old, base, new, fresh, &options, &findings));
    assert_ok(accepted_compare(&first, &second, &findings));
    snprintf(second.reason, sizeof second.reason, "why");
    assert_refused(STATUS_USAGE, "nonsense is not the name of a method or a cell",
                   accepted_follow(&first, &findings, &unknown, 1, &second));
    assert_ok(accepted_follow(&first, &findings, &name, 1, &second));
    assert_ok(accepted_write(&second, file));
    assert_ok(accepted_read(file, &read));
    assert_true(read.methods[0].e_rms.value == 6.0 && read.methods[1].e_rms.value == 5.0);
    assert_int_equal(read.change_count, 2);
    assert_string_equal(read.changes[0].name, "lbs");
    assert_string_equal(read.changes[0].reason, "why");
    assert_string_equal(read.changes[0].found, "worse on reference (1 of 1 cells), e_rms 4 to 6");
    assert_holds(read.changes[0].greatest, ": lbs on reference, threads 1: e_rms 4 to 6");
    assert_int_equal(read.changes[0].worse, 1);
    assert_false(read.changes[0].open);
    assert_string_equal(read.changes[1].name, "sad");
    assert_string_equal(read.changes[1].reason, "");
    assert_true(read.changes[1].open && read.changes[1].worse == 1);
    /* the next night: the same program, which is now the accepted one, still fails */
    expect_accepted(&read, fresh, "1 worse, 1 open, 1 same");
    assert_ok(accepted_of_run(new, fresh, &third));
    assert_ok(accepted_compare(&read, &third, &later));
    assert_refused(STATUS_USAGE, "lbs has nothing to accept",
                   accepted_follow(&read, &later, &name, 1, &third));
    accepted_clear(&third);
    third = accepted_next(&read, fresh, "sad");
    assert_int_equal(third.change_count, 2);
    for (int i = 0; i < 2; i++)
        assert_false(third.changes[i].open);
    assert_true(third.methods[1].e_rms.value == 10.0 && third.changes[0].worse == 1);
    assert_string_equal(third.changes[0].reason, "because of sad");
    assert_string_equal(third.changes[1].reason, "why");
    assert_ok(accepted_write(&third, file));
    accepted_clear(&read);
    assert_ok(accepted_read(file, &read));
    expect_accepted(&read, fresh, "2 same");
}

TEST(bad_files_of_what_was_accepted_are_refused)
{
    const char *base = path_of("base.jsonl");
    static const char *const texts[][2] = {
        {"[]", "base.jsonl is [], expected an object"},
        {"{\"date\":\"x\"}", "the list of methods is empty"},
        {"{\"methods\":[{\"method\":\"lbs\",\"e_rms\":\"1\"}]}", "e_rms is \"1\", expected a number"},
        {"{\"bounds\":[]}", "unknown member \"bounds\""}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        CLEANUP(accepted_clear) Accepted accepted = {0};
        text_write(base, texts[i][0]);
        assert_bad_input(texts[i][1], accepted_read(base, &accepted));
    }
}

TEST(files_of_two_machines_are_refused)
{
    const char *base = path_of("base.jsonl"), *fresh = path_of("fresh.jsonl"), *other = path_of("o.jsonl");
    const RunLine cell = {"scalar", "ok", 1.0, 0.0, 0, NULL};
    const CompareOptions options = {.tolerance = 0.0};
    CLEANUP(findings_clear) Findings findings = {0};
    run_write(base, "gcc", "M", &cell, 1);
    run_write(fresh, "gcc", "M", &cell, 1);
    run_write(other, "clang", "N", &cell, 1);
    OWNED char *first = file_read(fresh, NULL), *second = file_read(other, NULL);
    text_write(fresh, text_of("%s%s", first, second));
    OWNED_BY(record_store_close) RecordStore *one = store_read(base), *two = store_read(fresh);
    assert_bad_input("fresh.jsonl: holds the results of 2 machines",
                     records_compare(one, base, two, fresh, &options, &findings));
}

static void finding_append(Findings *findings, FindingKind kind, const char *method, const char *backend,
                           const char *of, double base, double fresh)
{
    GuardFinding finding = finding_of(kind, text_of("bar: %s on %s", method, backend), of);
    finding.part = kind == FINDING_SLOWER ? "times" : kind == FINDING_FAILED ? "checks" : "accuracy";
    finding.method = method;
    finding.backend = backend;
    finding.base = base;
    finding.fresh = fresh;
    finding.ratio = fresh / base;
    finding.samples = kind == FINDING_SLOWER ? 12 : 0;
    assert_ok(findings_add(findings, &finding));
}

/* The methods in the order of their greatest change; what differs by rounding comes last, without a text. */
TEST(a_night_begins_with_a_line_for_each_method)
{
    const char *file = path_of("night.md"), *xml = path_of("night.xml"), *lines = path_of("night.jsonl");
    static const char *const expected[][2] = {
        {"checks", "failed (1 of 2 checks): bar: checks on sanitizers"},
        {"dqs", "worse on every backend (2 of 2 cells), e_rms 5.58 to 79"},
        {"ssdr", "worse (1 of 1 cells), median e_rms 4 to 5"},
        {"lbs", "frame 3 % slower on simd (1 of 1 cells); better (1 of 2 cells), e_rms 4 to 3.9"},
        {"study cor-fig2", "changed (1 of 1 cells), gain 1 to 2"},
        {"sma", "new (1 of 1 cells)"},
        {"cor", ""}};
    CLEANUP(findings_clear) Findings findings = {0}, read = {0};
    OWNED MethodSummary *methods = NULL;
    int count = 0;
    finding_append(&findings, FINDING_WORSE, "cor", "simd", "e_rms", 2.0, 2.0 + 1.2e-9);
    finding_append(&findings, FINDING_WORSE, "cor", "scalar", "reference_distance_max", 1e-8, 9e-7);
    finding_append(&findings, FINDING_CHANGED, "cor", "simd", "volume_change_percent_min", -2e-7, 7e-6);
    assert_string_equal(findings_verdict(&findings), "differs by rounding only");
    finding_append(&findings, FINDING_SAME, "checks", "format", "", NAN, NAN);
    finding_append(&findings, FINDING_SLOWER, "lbs", "simd", "frame", 1.0, 1.03);
    finding_append(&findings, FINDING_SAME, "sclerp", "simd", "", NAN, NAN);
    finding_append(&findings, FINDING_WORSE, "ssdr", "host", "median e_rms", 4.0, 5.0);
    finding_append(&findings, FINDING_WORSE, "dqs", "simd", "maximum", 1.0, 1000.0);
    finding_append(&findings, FINDING_WORSE, "dqs", "simd", "e_rms", 5.58, 79.0);
    finding_append(&findings, FINDING_WORSE, "dqs", "scalar", "e_rms", 5.58, 70.0);
    finding_append(&findings, FINDING_SKIPPED, "dqs", "cuda", "", NAN, NAN);
    finding_append(&findings, FINDING_CHANGED, "study cor-fig2", "", "gain", 1.0, 2.0);
    finding_append(&findings, FINDING_BETTER, "lbs", "host", "e_rms", 4.0, 3.9);
    finding_append(&findings, FINDING_SAME, "lbs", "host2", "", NAN, NAN);
    finding_append(&findings, FINDING_NEW, "sma", "host", "", NAN, NAN);
    finding_append(&findings, FINDING_FAILED, "checks", "sanitizers", "", NAN, NAN);
    for (int i = 0; i < findings.count; i++)
        if (strcmp(findings.items[i].method, "checks") == 0) {
            findings.items[i].part = "checks";
            findings.items[i].backend = "";
        } else if (strcmp(findings.items[i].method, "lbs") == 0 && i > 6)
            findings.items[i].backend = "";
    assert_ok(methods_summarize(&findings, &methods, &count));
    assert_int_equal(count, sizeof expected / sizeof *expected);
    for (int i = 0; i < count; i++) {
        assert_string_equal(methods[i].method, expected[i][0]);
        assert_string_equal(methods[i].text, expected[i][1]);
    }
    assert_int_equal(methods[count - 1].rounding, 3);
    assert_near(methods[count - 1].rounding_most, 8.9e-7, 1e-12);
    assert_string_equal(findings_verdict(&findings), "changed");

    /* JSON lines give the same pages */
    OWNED char *text = NULL;
    json_t *array = json_array();
    for (int i = 0; i < findings.count; i++)
        json_array_append_new(array, finding_to_json(&findings.items[i]));
    json_array_append_new(array, findings_summary_to_json(&findings));
    lines_write(lines, array);
    assert_ok(findings_read(lines, &read));
    assert_int_equal(read.count, findings.count);
    assert_ok(findings_write_markdown(&findings, file));
    text = file_read(file, NULL);
    assert_ok(findings_write_markdown(&read, file));
    OWNED char *again = file_read(file, NULL);
    assert_string_equal(text, again);
    assert_holds(text, "### Verdict on accuracy, checks, times: changed\n\n- checks: failed");
    assert_lacks(text, "as accepted");
    const char *const fold = strstr(text, "<details>"), *const end = strstr(text, "</details>");
    assert_true(fold && end && fold > strstr(text, "- sma: new"));
    assert_true(strstr(fold, "3 numbers differ by rounding only") &&
                strstr(fold, "| bar: cor on simd") < end);
    assert_lacks(end, "| bar: cor on");
    assert_ok(findings_write_junit(&read, xml));
    assert_file_holds(xml, "<testsuite name=\"skinbench checks\" tests=\"2\" failures=\"1\"");
    assert_file_holds(xml, "<testsuite name=\"skinbench times\" tests=\"1\" failures=\"1\"");
    text_write(lines, "{\"finding\": \"bad\"}\n");
    assert_bad_input("night.jsonl:1: finding is \"bad\"", findings_read(lines, &read));
}

/* A part of which nothing was compared must not look accepted. */
TEST(a_part_that_was_skipped_is_not_accepted)
{
    CLEANUP(findings_clear) Findings findings = {0};
    assert_string_equal(findings_verdict(&findings), "not compared");
    finding_append(&findings, FINDING_SAME, "lbs", "simd", "", NAN, NAN);
    finding_append(&findings, FINDING_SKIPPED, "lbs", "cuda", "", NAN, NAN);
    assert_string_equal(findings_verdict(&findings), "as accepted");
    finding_append(&findings, FINDING_SKIPPED, "times", "", "", NAN, NAN);
    findings.items[2].part = "times";
    assert_string_equal(findings_verdict(&findings), "not compared");
}

/* Checks the counts in the JUnit and Markdown files, and how names with special characters of XML and
 * Markdown are escaped. */
TEST(files_for_others_name_what_failed)
{
    const char *base = path_of("base.jsonl"), *fresh = path_of("fresh.jsonl"), *other = path_of("o.jsonl");
    const RunLine before[] = {{"scalar", "ok", 1.0, 0.0, 0, NULL},
                              {"simd", "ok", 1.0, 0.0, 0, NULL},
                              {"opencl", "skipped", 1.0, 0.0, 0, NULL}};
    const RunLine after[] = {{"scalar", "ok", 1.5, 0.1, 0, NULL},
                             {"simd", "ok", 1.0, 0.0, 0, NULL},
                             {"opencl", "skipped", 1.0, 0.0, 0, NULL}};
    run_write(base, "gcc", "M", before, 3);
    run_write(fresh, "gcc", "M", after, 3);
    CLEANUP(findings_clear) Findings findings = compare_files(base, fresh, 0.0);
    assert_int_equal(findings_failing(&findings), 2);
    assert_ok(findings_write_junit(&findings, other));
    OWNED char *text = file_read(other, NULL);
    assert_holds(text, "tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\"");
    assert_non_null(strstr(text, "&lt;bar&gt; &amp; &quot;x&quot;: lbs"));
    assert_lacks(text, "<bar>");
    assert_holds(text, "<failure type=\"worse\" message=\"worse e_rms: 1.5, was 1, change +0.5");
    assert_ok(findings_write_markdown(&findings, other));
    assert_file_holds(other, "### Verdict on accuracy: changed");
    assert_file_holds(other, "| 1 more |"); /* each cell has a row */
    assert_file_holds(other, "2 worse, 1 skipped, 1 same");
    assert_file_holds(other, "1 not compared: skipped: no driver");
}
