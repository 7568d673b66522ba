/* Runs, looks up, prints and resumes tables of skinning and of studies that are made for this test. */
#include "tests/benches.h"
#include "tests/stores.h"

#include "harness/run/suites/table_run.h"
#include "harness/show/figures/figures.h"
#include "harness/show/tables/table_print.h"

typedef struct Run {
    Bench bench;
    json_t *json; /* JSON of the table */
    PublishedTable *table;
    RecordStore *records;
    RecordView view;
} Run;

static void table_read(Run *run)
{
    published_table_free(run->table);
    assert_ok(published_table_from_json(json_deep_copy(run->json), "test", "t", &run->table));
}

static void run_start(Run *run, const char *table)
{
    json_error_t error;
    *run = (Run){.json = json_loads(quoted(table), 0, &error)};
    fail_if(!run->json, "%d: %s", error.line, error.text);
    json_object_set_new(run->json, "schema", json_integer(1));
    table_read(run);
}

/* Runs the table as a separate process would, and reads the resulting file. */
static void run_once(Run *run)
{
    TableSources sources = {.folder = path_of(""), .cache = path_of("")};
    run->bench = bench_of(path_of("run.jsonl"), 2, 2);
    assert_ok(bench_open(&run->bench));
    assert_ok(table_run(run->table, &sources, &run->bench));
    record_store_close(run->records);
    run->records = store_read(path_of("run.jsonl"));
    run->view = (RecordView){.store = run->records};
}

static void run_end(Run *run)
{
    bench_close(&run->bench);
    record_store_close(run->records);
    published_table_free(run->table);
    json_decref(run->json);
    assert_int_equal(access(path_of("run.jsonl.journal"), F_OK), -1);
}

static TableCell cell_of(const Run *run, const char *row, const char *column)
{
    const TableRow *r = table_row_find(run->table, row);
    const TableColumn *c = table_column_find(run->table, column);
    assert_non_null(r);
    assert_non_null(c);
    return table_cell_find(&(TableView){run->table, &run->view, NULL}, r, c);
}

static void printed(const Run *run, char *text, size_t size, int parts_expected)
{
    CLEANUP(table_parts_free) TableParts parts = {.count = 0};
    memset(text, 0, size);
    FILE *file = fmemopen(text, size - 1, "w");
    assert_non_null(file);
    assert_ok(table_parts(&(TableView){run->table, &run->view, NULL}, &parts));
    assert_int_equal(parts.count, parts_expected);
    for (int i = 0; i < parts.count; i++)
        text_table_write(parts.tables[i], TABLE_MARKDOWN, file);
    fclose(file);
}

/* Returns the number of blocks in a data file, each of which ends with two empty lines. */
static int blocks_of(const char *text)
{
    int count = 0;
    for (const char *cursor = text; (cursor = strstr(cursor, "\n\n\n")) != NULL; cursor += 3)
        count++;
    return count;
}

/* Two rows with the same turn coincide, so they are drawn as one block with two names. If a row could not
 * be run, its published point is still drawn as a ring. */
TEST(figures_draw_what_can_be_seen)
{
    CLEANUP(run_end) Run run = {0};
    run_start(&run,
              "{'name':'t','kind':'study','study':'screw-bound','title':'T','source':{'paper':'P','place':'Q'"
              "},'settings':{'method':'dqs'},"
              "'figure':{'kind':'curves','x':'t','curves':[{'y':'angle_degrees_over_t'}],"
              "'bounds':[{'value':8.15,'title':'bound'}],'points':[{'column':'a','against':'at'}]},"
              "'more_figures':[{'kind':'published','name':'more','points':[{'column':'a'}]}],"
              "'columns':[{'name':'a','title':'A','quantity':'angle_degrees'},"
              "{'name':'at','title':'S','quantity':'angle_at'}],"
              "'rows':[{'name':'one','parameters':{'angle_degrees':180},'published':{'a':8.15,'at':0.25}},"
              "{'name':'same','parameters':{'angle_degrees':180},'published':{'a':null,'at':null}},"
              "{'name':'less','parameters':{'angle_degrees':90},'published':{'a':null,'at':null}},"
              "{'name':'gone','dataset':'gone','published':{'a':2,'at':0.5}}]}");
    run_once(&run);
    const TableView view = {run.table, &run.view, NULL};
    CLEANUP(figure_clear) PlotFigure first = {.folder = path_of(""), .name = "f", .number = 1};
    CLEANUP(figure_clear) PlotFigure second = {.folder = path_of(""), .name = "m", .number = 2};
    assert_ok(figure_table(&view, &run.table->figure, NULL, &first));
    OWNED char *curves = file_read("plot-001.tsv", NULL), *rings = file_read("plot-001-rings.tsv", NULL);
    assert_int_equal(blocks_of(curves), 3); /* two of the blocks are drawn */
    assert_string_equal(rings, "# x\ty\trow\n0.25\t8.1500000000000004\tone\n0.5\t2\tgone\n");
    assert_int_equal(run.table->more_figure_count, 1);
    assert_ok(figure_table(&view, &run.table->more_figures[0], NULL, &second));
    OWNED char *more = file_read("plot-002.tsv", NULL);
    assert_int_equal(blocks_of(more), 1);
    assert_holds(more, "6\t2\tnan\tnan\tgone\ta\n"); /* the fourth row, which was not run */
    bench_close(&run.bench);
}

TEST(studies_fill_rows)
{
    char text[4096];
    CLEANUP(run_end) Run run = {0};
    run_start(&run, "{'name':'t','kind':'study','study':'screw-bound','title':'T',"
                    "'source':{'paper':'P','place':'Q'},'settings':{'method':'dqs'},"
                    "'columns':[{'name':'a','title':'A','quantity':'angle_degrees'},"
                    "{'name':'s','title':'S','quantity':'shift_percent','extra':true}],"
                    "'rows':[{'name':'half','parameters':{'angle_degrees':180},'published':{'a':8.15}},"
                    "{'name':'none','parameters':{'method':'no-such'},'published':{'a':1}},"
                    "{'name':'gone','dataset':'gone','published':{'a':2}}]}");
    run_once(&run);
    size_t records = record_store_line_count(run.records);
    assert_int_equal(records, 1 + 2 + 1); /* the last record says that the data of "gone" are missing */
    TableCell half = cell_of(&run, "half", "a"), none = cell_of(&run, "none", "a");
    assert_int_equal(half.state, TABLE_CELL_MEASURED);
    assert_true(fabs(half.measured.value - 8.149) < 1e-3 && half.published == 8.15);
    assert_true(half.measured.samples == 0 && half.measured.low == half.measured.value &&
                half.measured.high == half.measured.value);
    assert_int_equal(cell_of(&run, "half", "s").state, TABLE_CELL_EMPTY); /* no shift was requested */
    assert_int_equal(none.state, TABLE_CELL_SKIPPED);
    assert_int_equal(cell_of(&run, "gone", "a").state, TABLE_CELL_MISSING);
    assert_string_equal(half.record->cell.dataset.sha256, "");
    assert_string_equal(argument_text(argument_find(half.record->cell.parameters, "method"), ""), "dqs");
    assert_int_equal(record_curve(half.record, "t")->count, 65);
    assert_true(isnan(record_measure(half.record, "t")));
    printed(&run, text, sizeof text, 2);
    assert_holds(text, "8.15 → 8.15 (-0.011 %)");
    assert_holds(text, "1 → skipped");
    assert_holds(text, "this build does not have the method 'no-such'");
    assert_holds(text, "2 → missing");
    bench_close(&run.bench);
    /* Finished cells are not run again. Skipped cells are tried again, and if the outcome is the same, no
     * record is added. */
    run_once(&run);
    assert_int_equal(record_store_line_count(run.records), records);
    assert_int_equal(run.bench.counts.already, 1);
    assert_int_equal(run.bench.counts.ended[RECORD_SKIPPED], 1);
}

/* A study with different parameters is a different study, and an old record does not count for it. */
TEST(parameters_separate_studies)
{
    CLEANUP(run_end) Run run = {0};
    run_start(&run, "{'name':'t','kind':'study','study':'screw-bound','title':'T','source':{"
                    "'paper':'P','place':'Q'},'settings':{'method':'dqs','angle_degrees':90},"
                    "'columns':[{'name':'a','title':'A','quantity':'angle_degrees'}],"
                    "'rows':[{'name':'r','published':{'a':null}}]}");
    run_once(&run);
    double before = cell_of(&run, "r", "a").measured.value;
    bench_close(&run.bench);
    json_object_set_new(json_object_get(run.json, "settings"), "angle_degrees", json_integer(120));
    table_read(&run);
    assert_int_equal(cell_of(&run, "r", "a").state, TABLE_CELL_MISSING);
    run_once(&run);
    assert_true(cell_of(&run, "r", "a").measured.value > before);
}

TEST(rigs_are_skinned_as_one_group)
{
    char text[4096];
    CLEANUP(run_end) Run run = {0};
    run_start(
        &run,
        "{'name':'t','kind':'skinning','title':'T','source':{'paper':'P','place':'Q'},"
        "'settings':{'backend':'scalar'},'columns':["
        "{'name':'lbs','title':'L','quantity':'frame_ms','method':'lbs'},"
        "{'name':'ratio','title':'R','quantity':'frame_ratio_to_lbs','extra':true,'method':'dqs'},{'name':'"
        "relative','title':'R','quantity':'frame_ms','extra':true,'method':'dqs','relative_to':'lbs'}"
        ",{'name':'sets','title':'N','quantity':'counts.nontrivial_sets','extra':true,'method':'sbs'},"
        "{'name':'pose','title':'P','quantity':'pose_ms','extra':true,'method':'lbs'},"
        "{'name':'two','extra':true,'title':'2','quantity':'ns_per_vertex','method':'dqs','two_phase':true},"
        "{'name':'off','title':'O','quantity':'reference_distance_max','extra':true,'method':'dqs'},"
        "{'name':'size','extra':true,'kind':'study','study':'rig-size','title':'S','quantity':'joint_sets'},"
        "{'name':'none','extra':true,'title':'-','quantity':'ns_per_vertex','method':'no-such'}],"
        "'rows':[{'name':'paper','dataset':'gone','published':{'lbs':1}}],"
        "'stand_ins':[{'name':'bar','generate':'bar','set':['motion=twist-135']},"
        "{'name':'bar, 1 influence','generate':'bar','set':['motion=twist-135'],'influences':1}]}");
    run_once(&run);
    assert_int_equal(cell_of(&run, "paper", "lbs").state, TABLE_CELL_MISSING);
    assert_int_equal(cell_of(&run, "paper", "none").state, TABLE_CELL_NO_METHOD);
    TableCell lbs = cell_of(&run, "bar", "lbs");
    /* The cell shows the milliseconds for one frame of the model: the time of all frames divided by their
     * number. */
    double expected = 1e3 * record_stage_median_s(lbs.record, STAGE_FRAME) / lbs.record->cell.frames;
    assert_true(fabs(lbs.measured.value / expected - 1.0) < 1e-12);
    assert_int_equal(lbs.measured.samples, lbs.record->timing.rounds);
    expected = 1e3 * record_stage_median_s(lbs.record, STAGE_POSE) / lbs.record->cell.frames;
    assert_true(fabs(cell_of(&run, "bar", "pose").measured.value / expected - 1.0) < 1e-12);
    assert_true(lbs.measured.samples < INTERVAL_SAMPLES_MIN
                    ? isnan(lbs.measured.low)
                    : lbs.measured.low <= lbs.measured.value && lbs.measured.value <= lbs.measured.high);
    /* A ratio of two columns is computed from paired samples, like the ratio to lbs in a record. */
    TableCell ratio = cell_of(&run, "bar", "ratio"), relative = cell_of(&run, "bar", "relative");
    assert_true(fabs(relative.measured.value / ratio.measured.value - 1.0) < 1e-12);
    assert_true(relative.measured.samples == ratio.measured.samples);
    assert_true(cell_of(&run, "bar", "sets").measured.value == 0.0); /* neighbours form trivial sets */
    assert_true(cell_of(&run, "bar", "two").measured.value > 0.0);
    assert_true(cell_of(&run, "bar", "off").measured.value < 1e-5);
    /* The two joints alone and both together are three joint sets. With weights pruned to one influence,
     * only the two single joints remain. */
    assert_true(cell_of(&run, "bar", "size").measured.value == 3.0);
    assert_true(cell_of(&run, "bar, 1 influence", "size").measured.value == 2.0);
    printed(&run, text, sizeof text, 1);
    assert_holds(text, "1 → missing");
    assert_holds(text, "| stand-in |");
    size_t records = record_store_line_count(run.records);
    bench_close(&run.bench);
    run_once(&run);
    assert_int_equal(record_store_line_count(run.records), records);
    assert_int_equal(run.bench.counts.ended[RECORD_OK], 0);
    bench_close(&run.bench);
    /* The row is then run on other data, and the new record replaces the old one. */
    json_t *bar = json_array_get(json_object_get(run.json, "stand_ins"), 0);
    json_array_set_new(json_object_get(bar, "set"), 0, json_string("motion=bend-90"));
    double before = lbs.measured.value;
    table_read(&run);
    run_once(&run);
    assert_true(cell_of(&run, "bar", "lbs").measured.value != before);
}

/* Makes columns for coordinate descent. A column with OVER combines fits from four starts. A column with
 * START uses a single start. */
#define COLUMN(name, quantity, set, rest)                                                                    \
    "{'name':'" name "','title':'A','method':'coordinate-descent','quantity':'" quantity                     \
    "','set':['preset=paper'" set "],'extra':true" rest "}"
#define OVER(name)                                                                                           \
    COLUMN(name, "e_rms", "", ",'beside':'0','over':{'parameter':'start','count':4,'statistic':'" name "'}")
#define START(k, quantity) COLUMN(k, quantity, ",'start=" k "'", "")

static const char over_table[] = "{'name':'t','title':'T','source':{'paper':'P','place':'Q'},'settings':{"
                                 "'iterations':2},"
                                 "'rows':[{'name':'gone','dataset':'gone','published':{'0':3.5}}],"
                                 "'stand_ins':[{'name':'jelly','generate':'jelly','bones':5},"
                                 "{'name':'the same','generate':'jelly','bones':5}],'columns':["
    // clang-format off
    OVER("minimum") "," OVER("median") "," OVER("maximum") ","
    START("0", "e_rms") "," START("1", "e_rms") "," START("2", "e_rms") "," START("3", "time_s")
    // clang-format on
    "]}";

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* A column that combines several values of a parameter is read from the fits that differ only in that
 * parameter. Each fit is run once. The lower median of four values is the second smallest. */
TEST(columns_over_a_parameter_take_their_place)
{
    static const char *const names[] = {"0", "1", "2", "3"};
    double values[4];
    CLEANUP(run_end) Run run = {0};
    run_start(&run, over_table);
    run_once(&run);
    /* The file contains the environment, one record per row that describes its data or their absence, and
     * the fits. The second row has the same data as the first, and uses its fits. */
    assert_int_equal(record_store_line_count(run.records), 1 + 3 + 4);
    assert_ptr_equal(cell_of(&run, "the same", "1").record, cell_of(&run, "jelly", "1").record);
    for (int i = 0; i < 4; i++)
        values[i] = record_metric(cell_of(&run, "jelly", names[i]).record, "e_rms");
    /* The column of start 3 shows a time, and such a column runs no fit. Start 3 is therefore fitted only
     * for the columns over four starts, which need no times, so it is timed once. Start 2 also has a column
     * of its error, so it is timed several times. */
    assert_int_equal(timing_stage(&cell_of(&run, "jelly", "3").record->timing, STAGE_TOTAL)->sample_count, 1);
    assert_true(timing_stage(&cell_of(&run, "jelly", "2").record->timing, STAGE_TOTAL)->sample_count > 1);
    assert_true(values[0] != values[1]); /* a record of the default start is not used for another start */
    qsort(values, 4, sizeof *values, by_value);
    assert_true(values[0] > 0.0 && cell_of(&run, "jelly", "minimum").measured.value == values[0]);
    assert_true(cell_of(&run, "jelly", "median").measured.value == values[1]);
    assert_true(cell_of(&run, "jelly", "maximum").measured.value == values[3]);
    assert_true(cell_of(&run, "gone", "median").published == 3.5);
}
