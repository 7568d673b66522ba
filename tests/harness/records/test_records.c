/* Tests records as C types: round trips through a file, the key of a cell, and two machines in one file. */
#include "tests/result_objects.h"
#include "tests/stores.h"

#include "harness/records/files/noise.h"
#include "harness/records/files/record_json.h"
#include "harness/records/files/results.h"

static void texts_write(const char *path, const char *const *lines, int count)
{
    json_t *objects = json_array();
    for (int i = 0; i < count; i++)
        assert_int_equal(json_array_append_new(objects, json_loads(quoted(lines[i]), 0, NULL)), 0);
    lines_write(path, objects);
}

static json_t *object_of(const char *text)
{
    json_t *object = json_loads(quoted(text), 0, NULL);
    assert_non_null(object);
    return object;
}

/* Returns the path of a file that contains every kind of record that `bench` and `table` write. */
static const char *kept_path(void)
{
    return text_of("%s/tests/fuzz/corpus/results/run", environment_home());
}

TEST(a_file_comes_back_line_by_line)
{
    json_auto_t *lines = NULL;
    bool torn;
    assert_ok(results_read(kept_path(), &lines, &torn));
    assert_true(json_array_size(lines) > 20);
    for (size_t i = 0; i < json_array_size(lines); i++) {
        json_t *line = json_array_get(lines, i), *back = NULL;
        if (json_is_environment_record(line)) {
            /* An older file does not name its machine, so the name is derived from other members. It must
             * equal the name in a newer file. */
            json_t *older = json_deep_copy(line), *within = json_object_get(older, "environment");
            EnvironmentRecord record;
            assert_int_equal(json_object_del(within, "machine"), 0);
            assert_ok(environment_record_from_json(older, "kept", &record));
            assert_string_equal(
                record.environment.machine,
                json_string_value(json_object_get(json_object_get(line, "environment"), "machine")));
            back = environment_record_to_json(&record);
            json_decref(older);
        } else {
            CLEANUP(record_clear) Record record = {0};
            assert_ok(record_from_json(line, "kept", &record));
            back = record_to_json(&record);
        }
        fail_if(!json_equal(line, back), "line %zu: %s", i + 1, json_dumps(back, 0));
        json_decref(back);
    }
}

static const char STUDY[] =
    "{'schema':1,'kind':'study','study':'bar-shape','table':'t','row':'r','dataset':null,'parameters':{'set':"
    "['a=1','b=2'],'first':[1,0,0,170.5],'joints':[{'end':'tip','share':0.5}],"
    "'fast':true,'none':null},'threads':2,'status':'ok','reason':'','measures':{'volume':1.5,'gap':null},'"
    "curves':{'x':[0.0,null,2.0]},'timed':['gap'],"
    "'run':'now'}";

TEST(studies_keep_their_values)
{
    json_auto_t *line = object_of(STUDY);
    CLEANUP(record_clear) Record record = {0};
    assert_ok(record_from_json(line, "here", &record));
    assert_true(record_measure(&record, "volume") == 1.5);
    assert_true(isnan(record_measure(&record, "gap")) && isnan(record_measure(&record, "x")));
    assert_int_equal(record_curve(&record, "x")->count, 3);
    assert_true(isnan(record_curve(&record, "x")->curve[1]));
    assert_null(record_curve(&record, "volume"));
    assert_true(measures_find(&record.measures, "gap")->timed);
    assert_false(measures_find(&record.measures, "volume")->timed);
    assert_int_equal(argument_count(argument_find(record.cell.parameters, "set")), 2);
    assert_string_equal(argument_text(argument_at(argument_find(record.cell.parameters, "set"), 1), ""),
                        "b=2");
    const Argument *joints = argument_find(record.cell.parameters, "joints");
    assert_true(argument_number(argument_find(argument_at(joints, 0), "share"), 0.0) == 0.5);
    assert_string_equal(argument_text(argument_find(argument_at(joints, 0), "end"), ""), "tip");
    json_auto_t *back = record_to_json(&record);
    assert_true(json_equal(line, back));
}

/* A fit with every optional member is read without loss. */
TEST(fits_keep_their_facts)
{
    static const char text[] =
        "{'schema':1,'kind':'decomposition','dataset':{'name':'a','sha256':'" DIGEST_OF(
            "1") "','vertices':"
                 "1,'triangles':2,'frames':3,'joints':0,'influences':0},'method':'svd','backend':"
                 "'host','parameters':{'bones':4,'error':0.5},'threads':1,'end':'settled','metrics':{"
                 "'e_rms':2.5,'e_rms_per_frame':[1.0,4.0],'holdout':{'e_rms':3.5}},'bones_requested':4,"
                 "'bones_delivered':3,'reduced_dimension':12,'singular_systems':0,'size_bytes':4800000000,"
                 "'iterations':[{'iteration':0,'e_rms':9.0,'elapsed_s':0.5},{'iteration':1,'e_rms':null,"
                 "'elapsed_s':1.5}],'search':[{'bones':1,'bones_delivered':1,'e_rms':8.0,'total_s':0.25}],"
                 "'status':'ok','reason':'','timing':{'total':{'median_s':0.5,'minimum_s':0.5,"
                 "'quartile_low_s':0.5,'quartile_high_s':0.5,'interval_low_s':0.5,'interval_high_s':0.5,"
                 "'inner':1,'samples_s':[0.5]}},'table':'t','row':'r'}";
    json_auto_t *line = object_of(text);
    CLEANUP(record_clear) Record record = {0};
    assert_ok(record_from_json(line, "here", &record));
    assert_true(record_metric(&record, "e_rms") == 2.5 && measures_value(&record.held, "e_rms") == 3.5);
    assert_true(isnan(record_metric(&record, "e_rms_per_frame")));
    assert_true(record_e_rms_after(&record, 0) == 9.0 && isnan(record_e_rms_after(&record, 7)));
    assert_true(record_elapsed_after_s(&record, 1) == 1.5 && isnan(record_elapsed_after_s(&record, 7)));
    assert_true(record_stage_median_s(&record, STAGE_TOTAL) == 0.5);
    assert_true(isnan(record_stage_median_s(&record, STAGE_SWEEPS)));
    json_auto_t *back = record_to_json(&record);
    assert_true(json_equal(line, back));
}

/* Two groups of records time two equal jobs. Together, the ratios of the two times range from 0.9 to 1.1 in
 * steps of 0.025. Their median is 1, and their quartiles are 0.95 and 1.05. */
TEST(the_noise_of_a_run_is_pooled)
{
    char text[NOISE_TEXT_BYTES];
    double first[5], second[5], scratch[15];
    OWNED_BY(record_store_close) RecordStore *store = NULL;
    bool torn = false;
    const char *path = path_of("run.jsonl");
    assert_ok(record_store_open(path, &store, &torn));
    RecordView view = {.store = store};
    assert_ok(noise_format(&view, text));
    assert_string_equal(text, "");
    for (int group = 0; group < 2; group++) {
        Cell cell = {.kind = CELL_SKINNING, .method = "lbs", .backend = "simd", .threads = 1, .frames = 7};
        snprintf(cell.dataset.sha256, sizeof cell.dataset.sha256, "%064d", group);
        Record record;
        const int count = group == 0 ? 4 : 5;
        for (int i = 0; i < count; i++) {
            second[i] = 2e-3 * (1 + i);
            first[i] = second[i] * (group == 0 ? 0.925 + 0.05 * i : 0.9 + 0.05 * i);
        }
        assert_ok(noise_record_make(&cell, first, second, count, scratch, &record));
        assert_ok(record_store_append(store, &record));
        assert_ok(noise_format(&view, text));
        if (group == 0)
            assert_holds(text, "in only 4 rounds");
    }
    record_store_close(store); /* the result must not change after closing and reading again */
    store = store_read(path);
    view.store = store;
    assert_ok(noise_format(&view, text));
    assert_holds(text, "the ratio of a cell to itself is 1.000 [");
    assert_non_null(strstr(
        text, "over 9 rounds of 2 groups of cells; in half of the rounds it is between 0.950 and 1.050."));
}

TEST(a_wrong_member_is_named_with_its_value)
{
    static const char *const cases[][2] = {
        {"{'a':1}", "x:1: has no kind"},
        {"{'kind':'stuff'}", "x:1: kind is \"stuff\", expected one of"},
        {"{'kind':'skinning','threads':'2'}", "x:1: threads is \"2\", expected an integer"},
        {"{'kind':'skinning','status':'fine'}", "x:1: status is \"fine\""},
        {"{'kind':'skinning','dataset':[1]}", "x:1: dataset is [1], expected an object"},
        {"{'kind':'skinning','metrics':{'e_rms':'small'}}",
         "x:1: metrics.e_rms is \"small\", expected a number"},
        {"{'kind':'skinning','timing':{'skin':{'median_s':'1'}}}", "x:1: timing.skin.median_s is \"1\""},
        {"{'kind':'skinning','dataset':null}", "x:1: has no sha256 of its dataset"},
        {"{'kind':'decomposition','dataset':{'name':'wolf'}}", "x:1: has no sha256 of its dataset"},
        {"{'kind':'decomposition','iterations':[1]}", "x:1: iterations[0] is 1, expected an object"},
        {"{'kind':'study','measures':{'a':1},'timed':'a'}", "x:1: timed is \"a\", expected an array"},
        {"{'kind':'study','measures':{'a':1},'timed':['a','b']}",
         "x:1: timed is \"b\", expected the name of a measure"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_auto_t *line = object_of(cases[i][0]);
        CLEANUP(record_clear) Record record = {0};
        assert_bad_input(cases[i][1], record_from_json(line, "x:1", &record));
    }
}

static char *key_of(const char *text)
{
    json_auto_t *line = object_of(text);
    CLEANUP(record_clear) Record record = {0};
    assert_ok(record_from_json(line, "here", &record));
    char *key = cell_key(&record.cell);
    assert_non_null(key);
    return key;
}

#define KEYED(parameters, more)                                                                              \
    "{'kind':'skinning','dataset':{'name':'a','sha256':'" DIGEST_OF(                                         \
        "a") "'},'method':'lbs','backend':'simd',"                                                           \
             "'parameters':{" parameters "},'threads':1,'normals':false" more "}"

TEST(a_key_is_what_was_asked_not_what_came_out)
{
    static const char *const texts[] = {
        KEYED("'p':1,'q':2", ",'status':'ok','environment':'" HASH_OF("1") "'"),
        "{'normals':false,'threads':1,'parameters':{'q':2.0,'p':1},'backend':'simd','method':'lbs','dataset':"
        "{'sha256':'" DIGEST_OF(
            "a") "','name':'renamed'},'kind':'skinning','status':'failed','environment':'" HASH_OF("2") "'}",
        KEYED("'p':1,'q':3", ""),
        KEYED("'p':1,'q':2", ",'level':'v3'"),
        KEYED("'p':1,'q':2", ",'two_phase':true"),
        KEYED("'p':1,'q':2", ",'frames':3")};
    OWNED char *base = key_of(texts[0]);
    for (size_t i = 1; i < sizeof texts / sizeof *texts; i++) {
        OWNED char *other = key_of(texts[i]);
        assert_int_equal(strcmp(base, other) == 0, i == 1);
    }
}

/* The environment of a machine, and a skinning cell measured on it. */
#define MACHINE(hash, model)                                                                                 \
    "{'schema':1,'kind':'environment','run':'r','environment':{'hash':'" HASH_OF(                            \
        hash) "','cpu':{'model':'" model "','cores':2},'memory_bytes':4294967296}}"
#define CELL_ON(hash, status)                                                                                \
    "{'schema':1,'kind':'skinning','dataset':{'name':'a','sha256':'" DIGEST_OF(                              \
        "a") "'},'method':'lbs','backend':'simd',"                                                           \
             "'status':'" status "','reason':'','environment':'" HASH_OF(hash) "'}"

TEST(two_machines_in_one_file_stand_apart)
{
    static const char *const lines[] = {MACHINE("1", "Old"),  CELL_ON("1", "failed"), CELL_ON("1", "ok"),
                                        MACHINE("2", "New"),  CELL_ON("2", "ok"),     MACHINE("3", "Old"),
                                        CELL_ON("3", "wrong")};
    int count = 0;
    const char *path = path_of("run.jsonl");
    texts_write(path, lines, 7);
    OWNED_BY(record_store_close) RecordStore *store = store_read(path);
    assert_int_equal(record_store_line_count(store), 7);
    (void)record_store_environments(store, &count);
    assert_int_equal(count, 3);
    RecordView *views = NULL;
    assert_ok(record_views(store, &views, &count));
    assert_int_equal(count, 2);
    memory_free(views);
    const Record *first = record_store_next(store, NULL), *second = record_store_next(store, first);
    assert_string_equal(first->machine, "New, 2 cores, 4 GiB");
    assert_string_equal(second->machine, "Old, 2 cores, 4 GiB"); /* the flags changed, the machine did not */
    assert_int_equal(second->status, RECORD_WRONG);
    assert_null(record_store_next(store, second));
    assert_ptr_equal(record_store_find(store, &first->cell, "New, 2 cores, 4 GiB"), first);
    assert_ptr_equal(record_store_find(store, &first->cell, NULL), second);
    assert_null(record_store_find(store, &first->cell, "elsewhere"));
}

TEST(what_is_appended_is_found_and_counts)
{
    RecordStore *store = NULL;
    EnvironmentRecord environment = {.run = "r",
                                     .environment = {.hash = HASH_OF("a"), .cpu_model = "M", .machine = "M"}};
    bool torn;
    const char *path = path_of("run.jsonl");
    assert_ok(record_store_open(path, &store, &torn));
    assert_ok(record_store_append_environment(store, &environment));
    for (int i = 0; i < 3; i++) {
        Cell cell = {.kind = CELL_SKINNING,
                     .dataset = {.sha256 = DIGEST_OF("a")},
                     .method = "lbs",
                     .threads = 1 + i / 2};
        Record record = record_of(&cell);
        snprintf(record.environment, sizeof record.environment, HASH_OF("a"));
        record.status = i == 1 ? RECORD_OK : RECORD_FAILED;
        assert_ok(record_store_append(store, &record));
    }
    for (int read = 0; read < 2; read++) {
        Cell cell = {
            .kind = CELL_SKINNING, .dataset = {.sha256 = DIGEST_OF("a")}, .method = "lbs", .threads = 1};
        const Record *record = record_store_find(store, &cell, "M");
        assert_non_null(record);
        assert_true(record_is_final(record));
        assert_int_equal(record_store_line_count(store), 4);
        record_store_close(store);
        if (read == 0)
            store = store_read(path);
    }
}

/* The file has more lines than the threads read in one step. The order of the lines is kept, and the first
 * of two errors is reported. */
TEST(many_lines_are_read_in_order)
{
    enum { LINES = 700 };
    static char texts[LINES][400];
    const char *lines[LINES], *path = path_of("many.jsonl");
    for (int fault = 0; fault < 2; fault++) {
        OWNED_BY(record_store_close) RecordStore *store = NULL;
        for (int i = 0; i < LINES; i++) {
            snprintf(texts[i], sizeof texts[i],
                     "{'schema':1,'kind':'skinning','dataset':{'name':'%d','sha256':'%064d'},"
                     "'method':'lbs','parameters':{'a':%d},'status':'%s','reason':''}",
                     i, i, i / 100, fault && (i == 411 || i == 400) ? "so so" : "ok");
            lines[i] = texts[i];
        }
        texts_write(path, lines, LINES);
        const Status status = record_store_read(&(const char *){path}, 1, &store);
        if (fault) {
            assert_bad_input("many.jsonl:401: status is \"so so\"", status);
            continue;
        }
        assert_ok(status);
        int next = 0;
        for (const Record *record = NULL; (record = record_store_next(store, record)) != NULL; next++) {
            const char *name = text_of("%d", next);
            assert_string_equal(record->cell.dataset.name, name);
            assert_int_equal((int)argument_number(argument_find(record->cell.parameters, "a"), -1.0),
                             next / 100);
        }
        assert_int_equal(next, LINES);
    }
}

TEST(memory_that_is_out_is_reported)
{
    const char *file = kept_path();
    bool refused = true;
    for (long k = 0; refused && k < 4000; k += 37) {
        OWNED_BY(record_store_close) RecordStore *store = NULL;
        memory_fail_after(k);
        Status status = record_store_read(&file, 1, &store);
        memory_fail_after(-1);
        refused = status.code != STATUS_OK;
        assert_true(!refused || (status.code == STATUS_SYSTEM && !store));
    }
}
