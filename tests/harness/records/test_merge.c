/* Tests the merging of result files: which lines are kept, which are dropped, in which order they are
 * written, and which input is refused. */
#include "tests/support.h"

#include "harness/records/files/merge.h"
#include "harness/records/files/record_store.h"

#define RUN_ON(name, time, model)                                                                            \
    "{\"schema\":1,\"run\":\"" name "\",\"time\":\"" time                                                    \
    "\",\"kind\":\"environment\",\"environment\":{\"hash\":\"" HASH_OF(                                      \
        name) "\",\"cpu\":{\"model\":\"" model "\",\"cores\":2},\"memory_bytes\":4294967296}}\n"
#define CELL_OF(name, time, method, e_rms)                                                                   \
    "{\"schema\":1,\"run\":\"" name "\",\"time\":\"" time                                                    \
    "\",\"kind\":\"skinning\",\"dataset\":{\"name\":\"a\",\"sha256\":\"" DIGEST_OF(                          \
        "a") "\"},\"method\":\"" method "\",\"backend\":\"simd\",\"parameters\":{},\"threads\":1,"           \
             "\"frames\":1,\"normals\":false,\"status\":"                                                    \
             "\"ok\",\"reason\":\"\",\"metrics\":{\"e_rms\":" e_rms                                          \
             "},\"timing\":null,\"environment\":\"" HASH_OF(name) "\",\"member_of_later\":7}\n"

static const char *const contents[] = {
    /* a run on the machine Old */
    RUN_ON("1", "2026-01-01T00:00:00Z", "Old") CELL_OF("1", "2026-01-01T00:00:01Z", "lbs", "0.1")
        CELL_OF("1", "2026-01-01T00:00:02Z", "dqs", "0.25"),
    /* a run on the machine New */
    RUN_ON("2", "2026-01-02T00:00:00Z", "New") CELL_OF("2", "2026-01-02T00:00:01Z", "lbs", "1.5"),
    /* more lines of the run on Old, without an environment; one line repeats a line of the first file in a
     * different JSON layout */
    "{\"schema\" : 1, "
    "\"run\":\"1\",\"time\":\"2026-01-01T00:00:01Z\",\"kind\":\"skinning\",\"dataset\":{\"name\":\"a\","
    "\"sha256\":\"" DIGEST_OF(
        "a") "\"},\"method\":\"lbs\",\"backend\":\"simd\",\"parameters\":{},\"threads\":1,\"frames\":1,"
             "\"normals\":false,\"status\":\"ok\",\"reason\":\"\",\"metrics\":{\"e_rms\":1e-1},"
             "\"timing\":null,\"environment\":\"" HASH_OF("1") "\",\"member_of_later\":7}\n" CELL_OF(
                 "1", "2026-01-03T00:00:00Z", "lbs", "3.0")};
static const char *const names[] = {"a.jsonl", "b.jsonl", "c.jsonl"};

static void files_make(void)
{
    for (int i = 0; i < 3; i++)
        text_write(names[i], contents[i]);
}

/* Merges files, as in merge("out.jsonl", 2, "a.jsonl", "b.jsonl"). */
static MergeCounts merge(const char *output, int count, ...)
{
    const char *paths[4];
    bool torn[4];
    MergeCounts counts;
    va_list inputs;
    va_start(inputs, count);
    for (int i = 0; i < count; i++)
        paths[i] = path_of(va_arg(inputs, const char *));
    va_end(inputs);
    assert_ok(results_merge(paths, count, path_of(output), torn, &counts));
    for (int i = 0; i < count; i++)
        assert_false(torn[i]);
    return counts;
}

static void assert_same(const char *first, const char *second)
{
    OWNED char *a = file_read(first, NULL), *b = file_read(second, NULL);
    assert_string_equal(a, b);
}

TEST(every_line_is_kept_once)
{
    files_make();
    const MergeCounts counts = merge("all.jsonl", 3, "a.jsonl", "b.jsonl", "c.jsonl");
    assert_int_equal(counts.environments, 2);
    assert_int_equal(counts.cells, 4);
    assert_int_equal(counts.repeats, 1);
    OWNED char *text = file_read("all.jsonl", NULL);
    /* environments come first, then lines by time; lines that this program does not understand are kept */
    static const char *const order[] = {"\"model\":\"Old\"",     "\"model\":\"New\"", "01-01T00:00:01Z",
                                        "\"member_of_later\":7", "01-01T00:00:02Z",   "01-02T00:00:01Z",
                                        "01-03T00:00:00Z"};
    const char *at = text;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        at = at ? strstr(at, order[i]) : NULL;
        fail_if(!at, "%s is missing or out of order in %s", order[i], text);
    }
}

/* Reading a merged file gives the same records as reading all of its input files. */
TEST(the_union_counts)
{
    files_make();
    (void)merge("all.jsonl", 3, "c.jsonl", "b.jsonl", "a.jsonl");
    const char *const inputs[] = {path_of("c.jsonl"), path_of("a.jsonl"), path_of("b.jsonl")};
    const char *const merged[] = {path_of("all.jsonl")};
    RecordStore *stores[2] = {NULL, NULL};
    assert_ok(record_store_read(inputs, 3, &stores[0]));
    assert_ok(record_store_read(merged, 1, &stores[1]));
    for (int i = 0; i < 2; i++) {
        static const struct {
            const char *method, *machine;
            double e_rms;
        } cells[] = {{"dqs", "Old, 2 cores, 4 GiB", 0.25},
                     {"lbs", "New, 2 cores, 4 GiB", 1.5},
                     {"lbs", "Old, 2 cores, 4 GiB",
                      3.0}}; /* the record with the later time, although its file is named first */
        const Record *record = NULL;
        for (size_t k = 0; k < sizeof cells / sizeof *cells; k++) {
            record = record_store_next(stores[i], record);
            assert_non_null(record);
            assert_string_equal(record->cell.method, cells[k].method);
            assert_string_equal(record->machine, cells[k].machine);
            assert_true(record_metric(record, "e_rms") == cells[k].e_rms);
        }
        assert_null(record_store_next(stores[i], record));
        record_store_close(stores[i]);
    }
}

TEST(merging_is_idempotent_and_associative)
{
    files_make();
    static const int orders[][3] = {{0, 1, 2}, {1, 2, 0}, {2, 1, 0}};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        const char *a = names[orders[i][0]], *b = names[orders[i][1]], *c = names[orders[i][2]];
        (void)merge("all.jsonl", 3, a, b, c);
        (void)merge("again.jsonl", 2, "all.jsonl", "all.jsonl");
        assert_same("again.jsonl", "all.jsonl");
        (void)merge("again.jsonl", 4, b, "all.jsonl", a, c);
        assert_same("again.jsonl", "all.jsonl");
        (void)merge("ab.jsonl", 2, a, b);
        (void)merge("bc.jsonl", 2, b, c);
        (void)merge("left.jsonl", 2, "ab.jsonl", c);
        (void)merge("right.jsonl", 2, a, "bc.jsonl");
        assert_same("left.jsonl", "all.jsonl");
        assert_same("right.jsonl", "all.jsonl");
        (void)merge("ab.jsonl", 2, "ab.jsonl", c); /* the output is one of the input files */
        assert_same("ab.jsonl", "all.jsonl");
    }
}

TEST(a_torn_line_is_left_out_and_reported)
{
    files_make();
    text_write("torn.jsonl", text_of("%s%.40s", contents[1], contents[0]));
    const char *const paths[] = {path_of("torn.jsonl"), path_of("b.jsonl")};
    bool torn[2];
    MergeCounts counts;
    RecordStore *store = NULL;
    assert_ok(results_merge(paths, 2, path_of("whole.jsonl"), torn, &counts));
    assert_true(torn[0] && !torn[1]);
    assert_same("whole.jsonl", "b.jsonl");
    assert_bad_input("torn.jsonl:3: the last line is torn", record_store_read(paths, 1, &store));
}

TEST(what_is_no_result_file_is_refused_by_line)
{
    files_make();
    static const char *const cases[][2] = {
        {"", "bad.jsonl: holds no results"},
        {"{\"schema\":2,\"kind\":\"other\"}\n", "bad.jsonl:1: is of schema 2, which is newer than"},
        {RUN_ON("1", "", "M") "{\"schema\":3}\n", "bad.jsonl:2: is of schema 3"},
        {"{\"schema\":\"1\"}\n", "bad.jsonl:1: schema is \"1\", expected 1"},
        {"{\"schema\":0}\n", "bad.jsonl:1: schema is 0, expected 1"},
        {"{\"name\":\"x\"}\n", "bad.jsonl:1: has no schema"},
        {"{\"schema\":1}\n", "bad.jsonl:1: has no kind"},
        {"[1,2]\n", "bad.jsonl:1: the line is not a JSON object"},
        {"some text without an end", "bad.jsonl:1: is not a line of a result file"},
        {RUN_ON("1", "", "M") "\n", "bad.jsonl:2"}};
    (void)merge("all.jsonl", 2, "a.jsonl", "b.jsonl");
    OWNED char *before = file_read("all.jsonl", NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text_write("bad.jsonl", cases[i][0]);
        const char *const paths[] = {path_of("a.jsonl"), path_of("bad.jsonl")};
        bool torn[2];
        MergeCounts counts;
        RecordStore *store = NULL;
        assert_bad_input(cases[i][1], results_merge(paths, 2, path_of("all.jsonl"), torn, &counts));
        assert_bad_input(cases[i][1], record_store_read(paths, 2, &store));
        assert_null(store);
        OWNED char *after = file_read("all.jsonl", NULL), *bad = file_read("bad.jsonl", NULL);
        assert_string_equal(after, before);
        assert_string_equal(bad, cases[i][0]);
    }
}

/* A merge does not replace a file to which a run is appending. A refused merge does not create a new output
 * file. */
TEST(a_run_keeps_its_file)
{
    files_make();
    const char *const paths[] = {path_of("a.jsonl"), path_of("none.jsonl")};
    RecordStore *store = NULL;
    MergeCounts counts;
    bool torn[2];
    assert_ok(record_store_open(path_of("b.jsonl"), &store, torn));
    assert_refused(STATUS_SYSTEM, "another run is writing to it",
                   results_merge(paths, 1, path_of("b.jsonl"), torn, &counts));
    record_store_close(store);
    assert_bad_input("none.jsonl", results_merge(paths, 2, path_of("new.jsonl"), torn, &counts));
    assert_int_equal(access(path_of("new.jsonl"), F_OK), -1);
}

/* A torn last line is removed by the first append to the file, and not before. */
TEST(a_file_is_cut_only_to_be_appended_to)
{
    files_make();
    const char *text = text_of("%s%.40s", contents[1], contents[0]);
    text_write("torn.jsonl", text);
    for (int append = 0; append < 2; append++) {
        RecordStore *store = NULL;
        EnvironmentRecord environment = {.run = "r", .environment = {.hash = HASH_OF("a"), .machine = "M"}};
        bool torn = false;
        assert_ok(record_store_open(path_of("torn.jsonl"), &store, &torn));
        assert_true(torn);
        if (append)
            assert_ok(record_store_append_environment(store, &environment));
        record_store_close(store);
        OWNED char *after = file_read("torn.jsonl", NULL);
        const size_t whole = strlen(contents[1]);
        after[append ? whole : strlen(after)] = '\0';
        assert_string_equal(after, text_of("%s", append ? contents[1] : text));
    }
}
