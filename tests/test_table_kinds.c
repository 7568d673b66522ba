/* Tables of skinning and of studies: run, looked up, told and gone on with, on tables made for the test. */
#include "tests/support.h"

#include "harness/report/record_tables.h"
#include "harness/tables/published.h"
#include "harness/tables/table_run.h"
#include "harness/tables/table_tell.h"
#include <math.h>
#include <unistd.h>

typedef struct Run {
    char folder[64], path[128];
    Bench bench;
    json_t *table, *latest;
} Run;

static void run_start(Run *run, const char *table)
{
    json_error_t error;
    *run = (Run){.table = json_loads(table, 0, &error)};
    if (!run->table)
        fail_msg("%d: %s", error.line, error.text);
    test_folder(run->folder);
    snprintf(run->path, sizeof run->path, "%s/run.jsonl", run->folder);
}

/* Runs the table as a process of its own would, and reads what the file holds then. */
static void run_once(Run *run)
{
    TableSources sources = {.folder = run->folder, .cache = run->folder};
    run->bench = (Bench){.path = run->path,
                         .threads = 1,
                         .rounds_minimum = 2,
                         .rounds_cap = 2,
                         .frames_cap = 2,
                         .time_budget_s = 1e9,
                         .bandwidth = {.one_thread = 1e10, .all_threads = 1e10, .threads = 1}};
    assert_ok(bench_open(&run->bench));
    assert_ok(table_run(run->table, &sources, &run->bench));
    json_decref(run->latest);
    assert_ok(records_latest(run->bench.records, &run->latest));
}

static void run_end(Run *run)
{
    bench_close(&run->bench);
    json_decref(run->latest);
    json_decref(run->table);
    unlink(run->path);
    assert_int_equal(rmdir(run->folder), 0);
}

static TableCell cell_of(const Run *run, const char *list, const char *row, const char *column)
{
    const json_t *r = named_at(json_object_get(run->table, list), row);
    const json_t *c = named_at(json_object_get(run->table, "columns"), column);
    assert_non_null(r);
    assert_non_null(c);
    return table_cell_find(run->table, r, c, run->latest);
}

static void told(const Run *run, char *text, size_t size, int parts_expected)
{
    TextTable *parts[TABLE_PARTS_MAX];
    int count = 0;
    memset(text, 0, size);
    FILE *file = fmemopen(text, size - 1, "w");
    assert_non_null(file);
    assert_ok(table_tell(run->table, run->latest, parts, &count));
    assert_int_equal(count, parts_expected);
    for (int i = 0; i < count; i++) {
        text_table_write(parts[i], TABLE_MARKDOWN, file);
        text_table_free(parts[i]);
    }
    fclose(file);
}

static void studies_fill_rows(void **state)
{
    (void)state;
    char text[4096];
    Run run;
    run_start(
        &run,
        "{\"name\":\"t\",\"kind\":\"study\",\"study\":\"screw-bound\",\"title\":\"T\","
        "\"source\":{\"paper\":\"P\",\"place\":\"Q\"},\"settings\":{\"method\":\"dqs\"},"
        "\"columns\":[{\"name\":\"a\",\"title\":\"A\",\"quantity\":\"angle_degrees\"},"
        "{\"name\":\"s\",\"title\":\"S\",\"quantity\":\"shift_percent\",\"extra\":true}],"
        "\"rows\":[{\"name\":\"half\",\"parameters\":{\"angle_degrees\":180},\"published\":{\"a\":8.15}},"
        "{\"name\":\"none\",\"parameters\":{\"method\":\"no-such\"},\"published\":{\"a\":1}},"
        "{\"name\":\"gone\",\"dataset\":\"gone\",\"published\":{\"a\":2}}]}");
    run_once(&run);
    size_t records = json_array_size(run.bench.records);
    assert_int_equal(records, 1 + 2);
    TableCell half = cell_of(&run, "rows", "half", "a"), none = cell_of(&run, "rows", "none", "a");
    assert_int_equal(half.state, TABLE_CELL_MEASURED);
    assert_true(fabs(half.measured - 8.149) < 1e-3 && half.published == 8.15);
    assert_int_equal(cell_of(&run, "rows", "half", "s").state, TABLE_CELL_EMPTY); /* no shift was asked for */
    assert_int_equal(none.state, TABLE_CELL_SKIPPED);
    assert_int_equal(cell_of(&run, "rows", "gone", "a").state, TABLE_CELL_MISSING);
    const json_t *record = json_array_get(run.latest, 0);
    assert_true(json_is_null(json_object_get(record, "dataset")));
    assert_string_equal(json_text_at(record, "parameters.method"), "dqs");
    assert_int_equal(json_array_size(json_member_at(record, "curves.t")), 65);
    assert_null(json_member_at(record, "measures.t"));
    told(&run, text, sizeof text, 2);
    assert_non_null(strstr(text, "8.15 → 8.15 (-0.011 %)"));
    assert_non_null(strstr(text, "1 → skipped"));
    assert_non_null(strstr(text, "the method 'no-such' is not built in"));
    assert_non_null(strstr(text, "2 → missing"));
    bench_close(&run.bench);
    /* What is settled stays; what was skipped is tried again, and the same answer leaves no trace. */
    run_once(&run);
    assert_int_equal(json_array_size(run.bench.records), records);
    assert_int_equal(run.bench.counts.already, 1);
    assert_int_equal(run.bench.counts.skipped, 1);
    run_end(&run);
}

/* Other parameters are another study: the old record does not answer for them. */
static void parameters_tell_studies_apart(void **state)
{
    (void)state;
    Run run;
    run_start(
        &run,
        "{\"name\":\"t\",\"kind\":\"study\",\"study\":\"screw-bound\",\"title\":\"T\","
        "\"source\":{\"paper\":\"P\",\"place\":\"Q\"},\"settings\":{\"method\":\"dqs\",\"angle_degrees\":90},"
        "\"columns\":[{\"name\":\"a\",\"title\":\"A\",\"quantity\":\"angle_degrees\"}],"
        "\"rows\":[{\"name\":\"r\",\"published\":{\"a\":null}}]}");
    run_once(&run);
    double before = cell_of(&run, "rows", "r", "a").measured;
    bench_close(&run.bench);
    json_object_set_new(json_object_get(run.table, "settings"), "angle_degrees", json_integer(120));
    assert_int_equal(cell_of(&run, "rows", "r", "a").state, TABLE_CELL_MISSING);
    run_once(&run);
    assert_true(cell_of(&run, "rows", "r", "a").measured > before);
    run_end(&run);
}

static void rigs_are_skinned_as_one_group(void **state)
{
    (void)state;
    char text[4096];
    Run run;
    run_start(
        &run,
        "{\"name\":\"t\",\"kind\":\"skinning\",\"title\":\"T\",\"source\":{\"paper\":\"P\",\"place\":\"Q\"},"
        "\"settings\":{\"backend\":\"scalar\"},\"columns\":["
        "{\"name\":\"lbs\",\"title\":\"L\",\"quantity\":\"end_to_end_ms\",\"method\":\"lbs\"},"
        "{\"name\":\"ratio\",\"title\":\"R\",\"quantity\":\"ratio_to_lbs\",\"method\":\"lbs\"},"
        "{\"name\":\"sets\",\"title\":\"N\",\"quantity\":\"counts.nontrivial_sets\",\"method\":\"sbs\"},"
        "{\"name\":\"two\",\"title\":\"2\",\"quantity\":\"ns_per_vertex\",\"method\":\"dqs\",\"two_phase\":"
        "true},"
        "{\"name\":\"off\",\"title\":\"O\",\"quantity\":\"reference_distance_max\",\"method\":\"dqs\"},"
        "{\"name\":\"size\",\"kind\":\"study\",\"study\":\"rig-size\",\"title\":\"S\",\"quantity\":\"joint_"
        "sets\"},"
        "{\"name\":\"none\",\"title\":\"-\",\"quantity\":\"ns_per_vertex\",\"method\":\"no-such\"}],"
        "\"rows\":[{\"name\":\"paper\",\"dataset\":\"gone\",\"published\":{\"lbs\":1}}],"
        "\"stand_ins\":[{\"name\":\"bar\",\"generate\":\"bar\",\"set\":[\"motion=twist-135\"]},"
        "{\"name\":\"bar, 1 "
        "influence\",\"generate\":\"bar\",\"set\":[\"motion=twist-135\"],\"influences\":1}]}");
    run_once(&run);
    assert_int_equal(cell_of(&run, "rows", "paper", "lbs").state, TABLE_CELL_MISSING);
    assert_int_equal(cell_of(&run, "rows", "paper", "none").state, TABLE_CELL_NO_METHOD);
    TableCell lbs = cell_of(&run, "stand_ins", "bar", "lbs");
    const json_t *record =
        table_record_find(run.table, json_array_get(json_object_get(run.table, "stand_ins"), 0),
                          json_array_get(json_object_get(run.table, "columns"), 0), run.latest);
    /* Milliseconds for the model once: the time of all frames over their number. */
    double expected =
        1e3 * json_number_at(record, "timing.end_to_end.median_s") / json_number_at(record, "frames");
    assert_true(fabs(lbs.measured / expected - 1.0) < 1e-12);
    assert_true(cell_of(&run, "stand_ins", "bar", "ratio").measured == 1.0);
    assert_true(cell_of(&run, "stand_ins", "bar", "sets").measured == 0.0); /* neighbours: all trivial */
    assert_true(cell_of(&run, "stand_ins", "bar", "two").measured > 0.0);
    assert_true(cell_of(&run, "stand_ins", "bar", "off").measured < 1e-5);
    /* Two joints and their blend, against each joint alone once the weights are pruned. */
    assert_true(cell_of(&run, "stand_ins", "bar", "size").measured == 3.0);
    assert_true(cell_of(&run, "stand_ins", "bar, 1 influence", "size").measured == 2.0);
    told(&run, text, sizeof text, 1);
    assert_non_null(strstr(text, "1 → missing"));
    assert_non_null(strstr(text, "| stand-in |"));
    size_t records = json_array_size(run.bench.records);
    bench_close(&run.bench);
    run_once(&run);
    assert_int_equal(json_array_size(run.bench.records), records);
    assert_int_equal(run.bench.counts.ok, 0);
    bench_close(&run.bench);
    /* The row is run on other data: that is what counts from then on. */
    json_t *bar = json_array_get(json_object_get(run.table, "stand_ins"), 0);
    json_array_set_new(json_object_get(bar, "set"), 0, json_string("motion=bend-90"));
    run_once(&run);
    assert_true(cell_of(&run, "stand_ins", "bar", "lbs").measured != lbs.measured);
    run_end(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(studies_fill_rows),
        cmocka_unit_test(parameters_tell_studies_apart),
        cmocka_unit_test(rigs_are_skinned_as_one_group),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
