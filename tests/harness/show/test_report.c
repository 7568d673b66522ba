/* Tests comparisons and reports that are made from records written by hand. */
#include "tests/stores.h"

#include "harness/show/report/report.h"
#include "harness/show/tables/record_csv.h"

#include <sys/stat.h>

/* Returns a timed cell with known numbers. For the backend scalar, the frame stage has the name
 * "end_to_end", as in older files. */
static json_t *cell(const char *backend, double ns, double e_rms, const char *status)
{
    json_t *interval =
        json_pack("{s:f, s:f, s:f}", "median", ns, "interval_low", 0.99 * ns, "interval_high", 1.01 * ns);
    json_t *stage = json_pack("{s:f}", "median_s", 1e-9 * ns * 1000);
    const bool before = strcmp(backend, "scalar") == 0;
    json_t *timing =
        json_pack("{s:o, s:o, s:i, s:s}", before ? "end_to_end_ns_per_vertex" : "frame_ns_per_vertex",
                  interval, before ? "end_to_end" : "frame", stage, "rounds", 20, "end", "precision-reached");
    return json_pack(
        "{s:i, s:s, s:{s:s, s:s, s:i, s:i}, s:s, s:s, s:{}, s:i, s:b, s:i, s:s, s:s, s:{s:f}, s:o, s:s}",
        "schema", 1, "kind", "skinning", "dataset", "name", "bar_x", "sha256", DIGEST_OF("1"), "vertices",
        100, "joints", 2, "method", "lbs", "backend", backend, "parameters", "threads", 1, "normals", 0,
        "frames", 10, "status", status, "reason", strcmp(status, "ok") == 0 ? "" : "no such device",
        "metrics", "e_rms", e_rms, "timing",
        strcmp(status, "ok") == 0 ? timing : (json_decref(timing), json_null()), "environment", HASH_OF("a"));
}

/* Writes a file with these lines and opens its store. Takes ownership of the array. */
static RecordStore *store_of(json_t *lines)
{
    lines_write(path_of("run.jsonl"), lines);
    return store_read(path_of("run.jsonl"));
}

static RecordStore *run_of_three(double simd_error)
{
    json_t *records = json_array();
    json_array_append_new(records, cell("scalar", 8.765432109876, 1.5, "ok"));
    json_array_append_new(records, cell("simd", 9.0, 1.5, "ok"));
    json_array_append_new(records,
                          cell("simd", 1.25, simd_error, "ok")); /* the last record of a cell counts */
    json_array_append_new(records, cell("cuda", 1.0, 0.0, "skipped"));
    return store_of(records);
}

TEST(a_report_says_what_the_results_say)
{
    char left_out[FIGURES_LEFT_OUT_BYTES] = "";
    char version[256];
    OWNED_BY(record_store_close) RecordStore *records = run_of_three(1.5);
    const char *report = path_of("report");
    bool drawn = gnuplot_probe(version, sizeof version).code == STATUS_OK;
    for (int time = 0; time < 2; time++) { /* the second report replaces the first */
        Status status = report_write(records, "x/run.jsonl", NULL, report, NULL, left_out);
        assert_int_equal(status.code, drawn ? STATUS_OK : STATUS_UNAVAILABLE);
    }
    /* The CSV file has all digits that the result file has, and only the last record of a cell. */
    assert_file_holds("report/skinning.csv", ",8.765432109876,");
    assert_file_holds("report/skinning.csv", ",1.25,");
    assert_file_lacks("report/skinning.csv", ",9,");
    assert_file_holds("report/report.md", "| skinning      |   2 |       1 |     0 |      0 |");
    assert_file_holds("report/report.md", "no such device");
    assert_file_holds("report/report.md", "8.77 ± 1.0 %");
    assert_file_holds("report/skinning-bar_x.tex", "bar\\_x & lbs & scalar");
    OWNED char *counts = file_read("report/counts.csv", NULL);
    assert_string_equal(
        counts, "kind,ok,skipped,wrong,failed\nskinning,2,1,0,0\ndecomposition,0,0,0,0\nstudy,0,0,0,0\n");
    static const char *const faces[] = {"report/skinning-bar_x.svg", "report/skinning-bar_x.pdf",
                                        "report/skinning-bar_x.png"};
    for (int i = 0; drawn && i < 3; i++)
        assert_file_holds(faces[i], "");
}

TEST(without_gnuplot_the_tables_are_there)
{
    char left_out[FIGURES_LEFT_OUT_BYTES] = "";
    OWNED_BY(record_store_close) RecordStore *records = run_of_three(1.5);
    const char *before = getenv("PATH"), *report = path_of("report");
    const char *path = text_of("%s", before ? before : "");
    setenv("PATH", path_of(""), 1);
    assert_refused(STATUS_UNAVAILABLE, "1 figures are missing",
                   report_write(records, "run.jsonl", NULL, report, NULL, left_out));
    setenv("PATH", path, 1);
    assert_file_holds("report/report.md", "The figure skinning-bar_x is missing");
    assert_file_holds("report/plot-001.tsv", "\tscalar\t8.7654321098760004\t");
}

/* One fake gnuplot fails, and another draws nothing. The report must be written without the figure and must
 * name it. */
TEST(a_figure_that_fails_is_left_out_and_named)
{
    char left_out[FIGURES_LEFT_OUT_BYTES] = "";
    static const char *const rows[][2] = {
        {"echo line 3: no such thing; exit 1", "gnuplot failed: line 3: no such thing"},
        {"exit 0", "gnuplot did not finish it"}};
    OWNED_BY(record_store_close) RecordStore *records = run_of_three(1.5);
    const char *before = getenv("PATH"), *report = path_of("report"), *program = path_of("gnuplot");
    const char *path = text_of("%s", before ? before : "");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        text_write(program, text_of("#!/bin/sh\n[ \"$1\" != --version ] || exit 0\n%s\n", rows[i][0]));
        assert_int_equal(chmod(program, 0700), 0);
        setenv("PATH", path_of(""), 1);
        assert_ok(report_write(records, "run.jsonl", NULL, report, NULL, left_out));
        setenv("PATH", path, 1);
        assert_holds(left_out, text_of("1 figure could not be drawn: skinning-bar_x (%s", rows[i][1]));
        assert_file_holds("report/report.md",
                          text_of("The figure skinning-bar_x is missing: %s", rows[i][1]));
        assert_file_holds("report/index.html", text_of("The figure is missing: %s", rows[i][1]));
        assert_file_holds("report/report.md", "1 figure could not be drawn");
        assert_file_lacks("report/report.tex", "generatedfigure");
        assert_file_lacks("report/index.html", "skinning-bar_x.svg");
        assert_int_not_equal(access(path_of("report/skinning-bar_x.svg"), F_OK), 0);
    }
}

TEST(a_folder_that_is_no_report_is_left_alone)
{
    char left_out[FIGURES_LEFT_OUT_BYTES] = "";
    OWNED_BY(record_store_close) RecordStore *records = run_of_three(1.5);
    const char *path = path_of("thesis.txt");
    text_write(path, "");
    assert_refused(STATUS_BAD_INPUT, "has no list of files",
                   report_write(records, "run.jsonl", NULL, path_of(""), NULL, left_out));
    assert_int_equal(access(path, F_OK), 0);
}

/* Returns the environment of a run on this model of processor. */
static json_t *environment(const char *hash, const char *model)
{
    return json_pack("{s:i, s:s, s:s, s:s, s:{s:s, s:{s:s, s:i}}}", "schema", 1, "run", hash, "time",
                     "2026-01-01T00:00:00Z", "kind", "environment", "environment", "hash", hash, "cpu",
                     "model", model, "cores", 2);
}

/* The report contains every cell of both machines. */
TEST(machines_stand_beside_each_other)
{
    char left_out[FIGURES_LEFT_OUT_BYTES] = "";
    json_t *lines = json_array();
    const char *report = path_of("report");
    for (int i = 0; i < 2; i++) {
        json_t *record = cell("scalar", i == 0 ? 4.25 : 2.5, 1.5 + i, "ok");
        json_array_append_new(lines,
                              environment(i == 0 ? HASH_OF("a") : HASH_OF("b"), i == 0 ? "Slow" : "Fast"));
        json_object_set_new(record, "environment", json_string(i == 0 ? HASH_OF("a") : HASH_OF("b")));
        json_array_append_new(lines, record);
    }
    OWNED_BY(record_store_close) RecordStore *records = store_of(lines);
    (void)report_write(records, "run.jsonl", NULL, report, NULL, left_out);
    assert_file_holds("report/report.md", "# Measured on Slow, 2 cores");
    assert_file_holds("report/report.md", "# Measured on Fast, 2 cores");
    assert_file_holds("report/report.md", "4.25 ± 1.0 %");
    assert_file_holds("report/report.md", "2.50 ± 1.0 %");
    assert_file_holds("report/skinning.csv", ",4.25,");
    assert_file_lacks("report/skinning.csv", ",2.5,");
    assert_file_holds("report/skinning-2.csv", ",2.5,");
    assert_file_lacks("report/skinning-2.csv", ",4.25,");
}

/* ---- reading CSV ---- */

/* Reads the next cell of CSV text (RFC 4180) at *cursor into `cell`, and moves *cursor behind it. Returns the
 * character that ended the cell. */
static char csv_cell(const char **cursor, char cell[1024])
{
    size_t length = 0;
    const bool quoted = **cursor == '"';
    for (*cursor += quoted; quoted ? **cursor != '"' || (*cursor)[1] == '"' : !strchr(",\n", **cursor);
         (*cursor)++) {
        *cursor += quoted && **cursor == '"';
        assert_true(length < 1023);
        cell[length++] = **cursor;
    }
    *cursor += quoted;
    cell[length] = '\0';
    return *(*cursor)++;
}

/* Returns the CSV table as an array of objects whose values are strings. */
static json_t *csv_read(const char *text)
{
    char names[128][1024], cell[1024];
    int columns = 0;
    json_t *rows = json_array();
    while (csv_cell(&text, names[columns++]) != '\n')
        assert_true(columns < 128);
    while (*text) {
        json_t *row = json_object();
        for (int c = 0; c < columns; c++) {
            const char end = csv_cell(&text, cell);
            assert_int_equal(end, c + 1 < columns ? ',' : '\n');
            assert_int_equal(json_object_set_new(row, names[c], json_string(cell)), 0);
        }
        json_array_append_new(rows, row);
    }
    return rows;
}

/* Checks that a row of the table contains every member of a record with its value. Returns the number of
 * members. */
static int members_compare(const json_t *record, const char *before, const json_t *row)
{
    const char *name = NULL;
    json_t *value = NULL;
    int count = 0;
    json_object_foreach((json_t *)record, name, value)
    {
        const char *place = text_of("%s%s%s", before, before[0] ? "." : "", name);
        if (json_is_object(value)) {
            count += members_compare(value, place, row);
            continue;
        }
        const char *cell = json_string_value(json_object_get(row, place));
        fail_if(!cell, "there is no column %s", place);
        char *end = NULL;
        json_t *list = json_is_array(value) ? json_loads(cell, 0, NULL) : NULL;
        const bool same = json_is_null(value)      ? cell[0] == '\0'
                          : json_is_string(value)  ? strcmp(cell, json_string_value(value)) == 0
                          : json_is_boolean(value) ? strcmp(cell, json_is_true(value) ? "true" : "false") == 0
                          : json_is_array(value)   ? json_equal(list, value)
                                                   : strtod(cell, &end) == json_number_value(value) && !*end;
        fail_if(!same, "%s is '%s' in the table", place, cell);
        json_decref(list);
        count++;
    }
    return count;
}

TEST(a_table_of_records_has_all_members_in_full)
{
    static const char *const lines[] = {
        "{\"schema\":1,\"run\":\"r-1\",\"time\":\"2025-01-31T12:34:56Z\",\"kind\":\"skinning\",\"dataset\":{"
        "\"name\":\"a, "
        "\\\"b\\\"\",\"sha256\":\"" DIGEST_OF(
            "1") "\",\"vertices\":100,\"triangles\":7,\"frames\":3,\"joints\":2,"
                 "\"influences\":4},\"method\":\"dqs\",\"backend\":\"simd\",\"level\":\"v3\",\"parameters\":{"
                 "\"hemisphere\":\"first\",\"tolerance\":0.1},\"threads\":2,\"normals\":true,\"two_phase\":"
                 "true,"
                 "\"frames\":10,\"status\":\"ok\",\"metrics\":{\"reference_distance_max\":1."
                 "2345678901234567e-8},"
                 "\"timing\":{\"skin\":{\"median_s\":0.30000000000000004,\"samples_s\":[0.1,0."
                 "30000000000000004,1e-"
                 "300]},\"rounds\":3,\"end\":\"capped\"},\"environment\":\"" HASH_OF("a") "\"}",
        "{\"schema\":1,\"kind\":\"skinning\",\"dataset\":{\"name\":\"c\",\"sha256\":\"" DIGEST_OF(
            "2") "\"},\"method\":"
                 "\"lbs\",\"backend\":\"scalar\",\"parameters\":{},\"threads\":1,\"frames\":10,\"status\":"
                 "\"skipped\","
                 "\"reason\":\"no\",\"metrics\":null,\"timing\":null}"};
    json_auto_t *given = json_array();
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        json_error_t error;
        json_t *line = json_loads(lines[i], 0, &error);
        fail_if(!line, "%s: %s", lines[i], error.text);
        json_array_append_new(given, line);
    }
    OWNED_BY(record_store_close) RecordStore *store = store_of(json_incref(given));
    const char *path = path_of("table.csv");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_ok(records_csv_write(&(RecordView){.store = store}, CELL_SKINNING, file));
    fclose(file);
    OWNED char *text = file_read(path, NULL);
    json_auto_t *rows = csv_read(text);
    assert_int_equal(json_array_size(rows), 2);
    assert_int_equal(members_compare(json_array_get(given, 0), "", json_array_get(rows, 0)), 27);
    (void)members_compare(json_array_get(given, 1), "", json_array_get(rows, 1));
}

/* The processor runs at 3 cycles per ns. The skin stage takes 1.5 ns per vertex, and the arithmetic limit
 * is 0.6 ns. A whole frame takes 2 ns, which is less than the estimated 2.5 ns for writing the results. The
 * report therefore shows no ratio of limit to time for the frame. */
TEST(limits_are_drawn_in_cycles)
{
    json_t *one = cell("simd", 2.0, 1.5, "ok"), *timing = json_object_get(one, "timing");
    json_object_set_new(timing, "roof",
                        json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:s}", "cycles_per_ns", 3.0,
                                  "arithmetic_ns", 0.5, "arithmetic_tiled_ns", 0.6, "loads_ns", 0.25,
                                  "lanes_ns", 0.125, "packed_ns", 2.5, "memory", "L2"));
    json_object_set_new(
        timing, "ns_per_vertex",
        json_pack("{s:f, s:f, s:f}", "median", 1.5, "interval_low", 1.4, "interval_high", 1.6));
    json_t *lines = json_array();
    json_array_append_new(lines, one);
    json_array_append_new(lines,
                          cell("cuda", 1.0, 1.5, "ok")); /* the limits of this cell's kernel are unknown */
    OWNED_BY(record_store_close) RecordStore *store = store_of(lines);
    OWNED RecordView *views = NULL;
    int count = 0;
    PagePlots *plots = page_plots_create();
    assert_ok(record_views(store, &views, &count));
    const Record *record = record_view_next(&views[0], NULL);
    CLEANUP(figure_clear)
    PlotFigure figure = {.folder = path_of(""), .name = "cycles", .number = 12, .plots = plots};
    assert_ok(figure_skinning(&views[0], &record->cell.dataset, true, &figure));
    assert_true(figure.drawn && figure_is_drawable(&figure));
    assert_file_holds("plot-012.tsv",
                      "\n1\tsimd, skin\t4.5\t1.5\t1.7999999999999998\t0.75\t0.375\tL2\t40 %\t");
    assert_file_holds("plot-012.tsv", "\n2\tsimd, frame\t6\t1.5\t1.7999999999999998\t0.75\tNaN\tL2\t\t");
    assert_file_lacks("plot-012.tsv", "cuda");
    assert_int_equal(
        json_array_size(json_object_get(json_object_get(page_plots_json(plots), "cycles"), "series")), 5);
    assert_ok(page_plots_status(plots));
    page_plots_free(plots);
}
