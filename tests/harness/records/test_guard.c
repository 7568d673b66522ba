/* Tests the guard against changed results. It must find changes of any digit in both directions, and cells
 * that vanish, appear or are skipped. Also tests fits that are compared over their seeds, stored E_RMS that
 * is valid on any machine, and files for other programs. */
#include "tests/stores.h"

#include "datasets/io/json_table.h"
#include "harness/records/guard/accepted.h"
#include "harness/records/guard/compare.h"
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
    expect_counts(fresh, base, 0.0, "1 appeared, 1 same");
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
    expect_counts(base, fresh, 0.0, "1 vanished, 2 appeared");
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
    assert_true(read.methods[0].e_rms.median == 2.0 && read.methods[0].e_rms.low == 2.0 &&
                read.methods[0].cells == 2);
    assert_int_equal(read.methods[0].e_rms.count, 1);
    assert_true(read.methods[1].e_rms.median == 6.0 && read.methods[1].e_rms.low == 5.0 &&
                read.methods[1].e_rms.high == 7.5);
    expect_accepted(&read, fresh, "2 same");

    /* A comparison with the accepted values tolerates a change of an exact number by a millionth. It also
     * tolerates a change of a fit's median within the spread over the seeds. */
    cells[0].e_rms = 1.0 + 3.9e-6;
    cells[2].e_rms = 10.0;
    cells[4].e_rms = 7.4;
    run_write(other, "clang", "another", cells, count);
    expect_accepted(&read, other, "2 same");
    store = store_read(other); /* lines of unchanged cells are kept */
    assert_ok(accepted_of_run(store, other, &run));
    accepted_keep(&read, &run);
    assert_true(run.methods[0].e_rms.median == 2.0 && run.methods[1].e_rms.median == 6.0);
    accepted_clear(&run);
    record_store_close(store);
    cells[0].e_rms = 1.0 - 4.1e-6;
    cells[4].e_rms = cells[5].e_rms = 7.6;
    run_write(other, "clang", "another", cells, count);
    expect_accepted(&read, other, "1 worse, 1 better");
    store = store_read(other); /* lines of changed cells are replaced */
    assert_ok(accepted_of_run(store, other, &run));
    accepted_keep(&read, &run);
    assert_true(run.methods[0].e_rms.median < 2.0 && run.methods[1].e_rms.median == 7.6);
    accepted_clear(&run);
    record_store_close(store);

    cells[1].status = "skipped";
    run_write(other, "clang", "another", cells, 3);
    expect_accepted(&read, other, "1 changed, 1 vanished");
    cells[1].status = "wrong";
    run_write(other, "clang", "another", cells, 3);
    store = store_read(other);
    assert_refused(STATUS_CHECK_FAILED, "1 cells are wrong or failed", accepted_of_run(store, other, &run));
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
    const FindingSource source = {"accuracy", base, fresh, "A|B", ""};
    run_write(base, "gcc", "M", before, 3);
    run_write(fresh, "gcc", "M", after, 3);
    CLEANUP(findings_clear) Findings findings = compare_files(base, fresh, 0.0);
    assert_int_equal(findings_failing(&findings), 2);
    assert_ok(findings_write_junit(&findings, &source, other));
    OWNED char *text = file_read(other, NULL);
    assert_holds(text, "tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\"");
    assert_non_null(strstr(text, "&lt;bar&gt; &amp; &quot;x&quot;: lbs"));
    assert_lacks(text, "<bar>");
    assert_holds(text, "<failure type=\"worse\" message=\"worse e_rms: 1.5, was 1, change +0.5");
    assert_ok(findings_write_markdown(&findings, &source, other));
    assert_file_holds(other, "### accuracy: changed");
    assert_file_holds(other, "| 1 more |"); /* each cell has a row */
    assert_file_holds(other, "2 worse, 1 skipped, 1 same");
    assert_file_holds(other, "1 not compared: skipped: no driver");
}
