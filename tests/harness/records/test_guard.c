/* What the guard finds: both directions, bounds of other environments, what vanishes, is new or was skipped, baselines,
 * and the files that others read. */
#include "tests/support.h"

#include "datasets/io/json_table.h"
#include "harness/records/guard/baseline.h"
#include "harness/records/guard/compare.h"
#include "harness/show/tables/finding_print.h"
#include "methods/runtime/simd_levels.h"
#include <math.h>

typedef struct RunLine {
    const char *backend; /* "simd/v3": at this level */
    const char *status;
    double e_rms, distance;
} RunLine;

static json_t *run_environment(const char *hash, const char *compiler, const char *model)
{
    return json_pack("{s:i, s:s, s:s, s:s, s:{s:s, s:s, s:{s:s, s:i}}}", "schema", 1, "run", "r", "time",
                     "2026-01-01T00:00:00Z", "kind", "environment", "environment", "hash", hash, "compiler",
                     compiler, "cpu", "model", model, "cores", 2);
}

static json_t *run_cell(const char *hash, const RunLine *line)
{
    const char *slash = strchr(line->backend, '/');
    const int length = (int)strcspn(line->backend, "/");
    return json_pack(
        "{s:i, s:s, s:{s:s, s:s, s:i, s:i, s:i, s:i, s:i}, s:s, s:s, s:s, s:s, s:s#, s:{}, s:i, s:i, s:b, "
        "s:{s:o, s:o}, s:n, s:s*}",
        "schema", 1, "kind", "skinning", "dataset", "name", "<bar> & \"x\"", "sha256", "abc", "vertices", 8,
        "triangles", 12, "frames", 1, "joints", 2, "influences", 2, "status", line->status, "reason",
        strcmp(line->status, "ok") == 0 ? "" : "no driver", "environment", hash, "method", "lbs", "backend",
        line->backend, length, "parameters", "threads", 1, "frames", 1, "normals", 0, "metrics", "e_rms",
        json_number_or_null(line->e_rms), "reference_distance_max", json_number_or_null(line->distance),
        "timing", "level", slash ? slash + 1 : NULL);
}

/* A result file of these cells, in this environment, at `path`. */
static void run_write(const char *path, const char *compiler, const char *model, const RunLine *cells,
                      int count)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = -1; i < count; i++) {
        json_t *line = i < 0 ? run_environment(compiler, compiler, model) : run_cell(compiler, &cells[i]);
        assert_non_null(line);
        assert_int_equal(json_dumpf(line, file, JSON_COMPACT), 0);
        fputc('\n', file);
        json_decref(line);
    }
    fclose(file);
}

static RecordStore *store_read(const char *path)
{
    RecordStore *store = NULL;
    assert_ok(record_store_read(&path, 1, &store));
    return store;
}

/* Compares two files; the findings are the caller's. */
static Findings compare_files(const char *base_path, const char *fresh_path, double tolerance)
{
    const CompareOptions options = {.tolerance = tolerance};
    RecordStore *base = store_read(base_path), *fresh = store_read(fresh_path);
    Findings findings;
    assert_ok(records_compare(base, base_path, fresh, fresh_path, &options, &findings));
    record_store_close(base);
    record_store_close(fresh);
    return findings;
}

static void expect_counts(const char *base, const char *fresh, double tolerance, const char *text)
{
    Findings findings = compare_files(base, fresh, tolerance);
    char counts[FINDINGS_TEXT_BYTES];
    findings_format(&findings, counts);
    assert_string_equal(counts, text);
    findings_clear(&findings);
}

TEST(a_millionth_fails_either_way)
{
    const char *base = path_of("base.jsonl"), *fresh = path_of("fresh.jsonl");
    const double moved[] = {1.0, 1.0 + 0.9e-6, 1.0 + 1.1e-6, 1.0 - 1.1e-6, 1.0 + 5e-6};
    const char *const counts[] = {"1 same", "1 same", "1 worse", "1 better", "1 worse"};
    run_write(base, "gcc", "M", &(RunLine){"scalar", "ok", 2.0, 0.0}, 1);
    for (int i = 0; i < 5; i++) {
        run_write(fresh, "gcc", "M", &(RunLine){"scalar", "ok", 2.0 * moved[i], 0.0}, 1);
        expect_counts(base, fresh, NAN, counts[i]);
    }
    expect_counts(base, fresh, 1e-5, "1 same");
    /* Zero has no share: rounding of its scale, 1000 for E_RMS, is 1e-12. */
    run_write(base, "gcc", "M", &(RunLine){"scalar", "ok", 0.0, 0.0}, 1);
    run_write(fresh, "gcc", "M", &(RunLine){"scalar", "ok", 0.9e-12, 0.9e-15}, 1);
    expect_counts(base, fresh, NAN, "1 same");
    run_write(fresh, "gcc", "M", &(RunLine){"scalar", "ok", 1.1e-12, 1.1e-15}, 1);
    expect_counts(base, fresh, NAN, "2 worse");
    run_write(fresh, "gcc", "M", &(RunLine){"scalar", "ok", NAN, 0.0}, 1);
    expect_counts(base, fresh, NAN, "1 worse");
}

TEST(cells_vanish_come_and_are_skipped)
{
    const char *base = path_of("base.jsonl"), *fresh = path_of("fresh.jsonl");
    const RunLine ok[] = {{"scalar", "ok", 1.0, 0.0}, {"simd", "ok", 1.0, 0.0}};
    const RunLine skipped[] = {{"scalar", "ok", 1.0, 0.0}, {"simd", "skipped", 1.0, 0.0}};
    const RunLine failed[] = {{"scalar", "ok", 1.0, 0.0}, {"simd", "failed", 1.0, 0.0}};
    run_write(base, "gcc", "M", ok, 2);
    run_write(fresh, "gcc", "M", ok, 1);
    expect_counts(base, fresh, NAN, "1 vanished, 1 same");
    expect_counts(fresh, base, NAN, "1 new, 1 same");
    run_write(fresh, "gcc", "M", skipped, 2);
    expect_counts(base, fresh, NAN, "1 vanished, 1 same");
    expect_counts(fresh, base, NAN, "1 new, 1 same");
    expect_counts(fresh, fresh, NAN, "1 skipped, 1 same");
    run_write(fresh, "gcc", "another", skipped, 2); /* another machine may lack a device */
    expect_counts(base, fresh, NAN, "1 skipped, 1 same");
    run_write(fresh, "gcc", "another", failed, 2);
    expect_counts(base, fresh, NAN, "1 vanished, 1 same");
}

/* Makes `fresh` the baseline, with `other` as a run elsewhere. */
static void baseline_accept(const char *base, const char *fresh, const char *other)
{
    RecordStore *run = store_read(fresh), *elsewhere = store_read(other);
    const RecordStore *const others[] = {elsewhere};
    const BaselineSources sources = {
        .run = run, .path = fresh, .others = others, .other_count = 1, .reason = "first"};
    assert_ok(baseline_write(&sources, base));
    record_store_close(run);
    record_store_close(elsewhere);
}

/* The base states four times what another environment, or another backend of single precision, differs by. */
TEST(bounds_hold_in_other_environments_alone)
{
    const char *base = path_of("base.jsonl"), *fresh = path_of("fresh.jsonl"),
               *other = path_of("other.jsonl");
    const RunLine run[] = {
        {"reference", "ok", 5.0, 0.0}, {"scalar", "ok", 10.0, 1e-7}, {"simd", "ok", 10.003, 1e-7}};
    const RunLine there[] = {
        {"reference", "ok", 5.001, 0.0}, {"scalar", "ok", 10.0, 1e-7}, {"simd", "ok", 10.0, 1e-7}};
    RecordStore *stores[2];
    run_write(fresh, "gcc", "M", run, 3);
    run_write(other, "clang", "M", there, 3);
    baseline_accept(base, fresh, other);
    expect_counts(base, fresh, NAN, "3 same");
    expect_counts(base, other, NAN, "3 same");
    /* 4 * 0.001, and 4 * 0.003 to the backend beside it. */
    const RunLine within[] = {
        {"reference", "ok", 5.0039, 0.0}, {"scalar", "ok", 10.0119, 1e-7}, {"simd", "ok", 10.0, 1e-7}};
    const RunLine beyond[] = {
        {"reference", "ok", 5.0041, 0.0}, {"scalar", "ok", 10.0121, 1e-7}, {"simd", "ok", 10.0, 1e-7}};
    run_write(other, "clang", "M", within, 3);
    expect_counts(base, other, NAN, "3 same");
    run_write(other, "clang", "M", beyond, 3);
    expect_counts(base, other, NAN, "2 worse, 1 same");
    run_write(other, "gcc", "M", within, 3); /* the base's own environment */
    expect_counts(base, other, NAN, "2 worse, 1 better");

    /* Accepted again without other runs: the bounds stay. */
    stores[0] = store_read(other);
    stores[1] = store_read(base);
    const BaselineSources again = {.run = stores[0], .path = other, .before = stores[1], .reason = "again"};
    assert_ok(baseline_write(&again, base));
    record_store_close(stores[0]);
    record_store_close(stores[1]);
    run_write(other, "clang", "M", beyond, 3);
    expect_counts(base, other, NAN, "3 same");
}

/* A base of a processor without v3 states bounds of v2, which v3 is held against elsewhere. */
TEST(a_level_that_the_base_lacks_is_held_against_a_lower_one)
{
    const char *base = path_of("base.jsonl"), *fresh = path_of("fresh.jsonl"),
               *other = path_of("other.jsonl");
    RunLine run[] = {{"simd/v2", "ok", 10.0, 0.0}, {"simd/v3", "skipped", 0.0, 0.0}};
    const RunLine there[] = {{"simd/v2", "ok", 10.001, 0.0}, {"simd/v3", "skipped", 0.0, 0.0}};
    if (!simd_levels_built[0] || strcmp(simd_levels_built[0], "v2") != 0)
        skip(); /* a processor of other levels */
    run_write(fresh, "gcc", "M", run, 2);
    run_write(other, "clang", "M", there, 2);
    baseline_accept(base, fresh, other);
    expect_counts(base, fresh, NAN, "1 skipped, 1 same");
    run[1] = (RunLine){"simd/v3", "ok", 10.0039, 0.0};
    run_write(other, "gcc", "another", run, 2);
    expect_counts(base, other, NAN, "2 same");
    run[1].e_rms = 10.0041;
    run_write(other, "gcc", "another", run, 2);
    expect_counts(base, other, NAN, "1 worse, 1 same");
}

TEST(without_bounds_another_environment_is_unsure)
{
    const char *base = path_of("base.jsonl"), *fresh = path_of("fresh.jsonl");
    run_write(base, "gcc", "M", &(RunLine){"scalar", "ok", 2.0, 0.0}, 1);
    run_write(fresh, "clang", "M", &(RunLine){"scalar", "ok", 2.1, 0.0}, 1);
    expect_counts(base, fresh, NAN, "1 unsure");
    expect_counts(base, fresh, 0.01, "1 worse");
}

static void file_append(const char *from, const char *to)
{
    char text[4096];
    FILE *in = fopen(from, "r"), *out = fopen(to, "a");
    assert_true(in && out);
    for (size_t count; (count = fread(text, 1, sizeof text, in)) > 0;)
        fwrite(text, 1, count, out);
    fclose(in);
    fclose(out);
}

TEST(files_of_two_machines_and_cut_baselines_are_refused)
{
    const char *base = path_of("base.jsonl"), *fresh = path_of("fresh.jsonl"),
               *other = path_of("other.jsonl");
    const RunLine cells[] = {{"scalar", "ok", 1.0, 0.0}, {"simd", "wrong", 1.0, 0.0}};
    const CompareOptions options = {.tolerance = NAN};
    Findings findings = {0};
    run_write(base, "gcc", "M", cells, 1);
    run_write(fresh, "gcc", "M", cells, 1);
    run_write(other, "clang", "N", cells, 1);
    file_append(other, fresh);
    RecordStore *one = store_read(base), *two = store_read(fresh);
    assert_refused(STATUS_BAD_INPUT, "fresh.jsonl: holds the results of 2 machines",
                   records_compare(one, base, two, fresh, &options, &findings));
    findings_clear(&findings);
    const BaselineSources both = {.run = two, .path = fresh, .reason = "x"};
    assert_refused(STATUS_BAD_INPUT, "2 machines", baseline_write(&both, other));
    const BaselineSources good = {.run = one, .path = base, .reason = "x"};
    assert_ok(baseline_write(&good, other));
    record_store_close(one);
    record_store_close(two);
    run_write(fresh, "gcc", "M", &(RunLine){"simd", "ok", 1.0, 0.0}, 1);
    file_append(fresh, other); /* one cell more than it says */
    one = store_read(other);
    assert_refused(STATUS_BAD_INPUT, "is a baseline of 1 cells and holds 2",
                   records_compare(one, other, one, other, &options, &findings));
    findings_clear(&findings);
    record_store_close(one);
    run_write(fresh, "gcc", "M", cells, 2);
    two = store_read(fresh);
    const BaselineSources wrong = {.run = two, .path = fresh, .reason = "x"};
    assert_refused(STATUS_CHECK_FAILED, "1 cells are wrong or failed", baseline_write(&wrong, other));
    record_store_close(two);
}

static void file_read(const char *path, char text[16384])
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, 16383, file)] = '\0';
    fclose(file);
}

/* Counts, and names that mean something to XML and to Markdown. */
TEST(files_for_others_name_what_failed)
{
    const char *base = path_of("base.jsonl"), *fresh = path_of("fresh.jsonl"),
               *other = path_of("other.jsonl");
    const RunLine before[] = {
        {"scalar", "ok", 1.0, 0.0}, {"simd", "ok", 1.0, 0.0}, {"opencl", "skipped", 1.0, 0.0}};
    const RunLine after[] = {
        {"scalar", "ok", 1.5, 0.1}, {"simd", "ok", 1.0, 0.0}, {"opencl", "skipped", 1.0, 0.0}};
    const FindingSource source = {"accuracy", base, fresh, "A|B", ""};
    char text[16384];
    run_write(base, "gcc", "M", before, 3);
    run_write(fresh, "gcc", "M", after, 3);
    Findings findings = compare_files(base, fresh, NAN);
    assert_int_equal(findings_failing(&findings), 2);
    assert_ok(findings_write_junit(&findings, &source, other));
    file_read(other, text);
    assert_non_null(strstr(text, "tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\""));
    assert_non_null(strstr(text, "&lt;bar&gt; &amp; &quot;x&quot;: lbs"));
    assert_null(strstr(text, "<bar>"));
    assert_non_null(strstr(text, "<failure type=\"worse\" message=\"worse e_rms: 1.5, was 1, change +0.5"));
    assert_ok(findings_write_markdown(&findings, &source, other));
    file_read(other, text);
    assert_non_null(strstr(text, "### accuracy: changed"));
    assert_non_null(strstr(text, "2 worse, 1 skipped, 1 same"));
    assert_non_null(strstr(text, "1 not guarded: skipped in the base: no driver"));
    findings_clear(&findings);
}
