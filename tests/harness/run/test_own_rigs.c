/* Tables measure a user's own rigs in rows that their files name, and say why a rig is left out. */
#include "tests/benches.h"
#include "tests/stores.h"
#include "tests/subjects.h"

#include "datasets/io/store.h"
#include "harness/records/papers/column_kind.h"
#include "harness/records/papers/published.h"
#include "harness/run/suites/own_rigs.h"
#include "harness/run/suites/table_run.h"
#include <sys/stat.h>

static const char table_text[] =
    "{'schema':1,'name':'t','kind':'study','study':'rig-size','title':'T','own_rigs':%d,"
    "'source':{'paper':'P','place':'Q'},"
    "'columns':[{'name':'v','title':'V','quantity':'vertices','extra':true}],"
    "'rows':[{'name':'bar','generate':'bar','set':['around=4','along=9'],'published':{}}]}";

static PublishedTable *table_of(int own_rigs)
{
    PublishedTable *table = NULL;
    assert_ok(published_table_from_json(json_loads(quoted(text_of(table_text, own_rigs)), 0, NULL), "t", "t",
                                        &table));
    return table;
}

static const Record *record_of_row(const RecordStore *store, const char *row)
{
    const Record *found = NULL;
    for (const Record *record = NULL; (record = record_store_next(store, record)) != NULL;)
        if (record->cell.kind == CELL_STUDY && strcmp(record->cell.row, row) == 0)
            found = record;
    fail_if(!found, "no record of %s", row);
    return found;
}

/* In the folder: a rig, a damaged file, a second and a third rig, an animation without a rig, a file with the
 * name of a data set in the catalogue, and a file of another kind. */
TEST(own_rigs_have_rows_and_faults_are_named)
{
    CLEANUP(subject_clear) Subject rig = {0}, jelly = {0};
    OWNED_BY(published_table_free)
    PublishedTable *table = table_of(3), *shown = table_of(3), *none = table_of(0);
    static const char *const rows[] = {"bar", "a.h5", "b.h5", "d [2].h5", "e.h5"};
    const char *set[] = {"around=4", "along=9"};
    assert_ok(subject_generate("bar", set, 2, NULL, &rig));
    assert_ok(subject_generate("jelly", NULL, 0, NULL, &jelly));
    assert_ok(dataset_write(rig.dataset, path_of("a.h5")));
    text_write(path_of("b.h5"), "not a data set");
    assert_ok(dataset_write(jelly.dataset, path_of("c.h5")));
    assert_ok(dataset_write(rig.dataset, path_of("d [2].h5")));
    assert_ok(dataset_write(rig.dataset, path_of("e.h5")));
    assert_ok(dataset_write(rig.dataset, path_of("wolf.h5")));
    text_write(path_of("notes.txt"), "a.h5");
    assert_ok(own_rigs_add(none, path_of("")));
    assert_int_equal(none->row_count, 1);
    assert_ok(own_rigs_add(table, NULL));
    assert_ok(own_rigs_add(table, path_of("no-such-folder")));
    assert_int_equal(table->row_count, 1);
    assert_ok(own_rigs_add(table, path_of("")));
    assert_int_equal(table->row_count, 5);
    for (int r = 0; r < 5; r++)
        assert_string_equal(table->rows[r].name, rows[r]);

    const TableSources sources = {.folder = path_of(""), .cache = path_of("")};
    Bench bench = bench_of(path_of("run.jsonl"), 2, 2);
    assert_ok(tables_check((const PublishedTable *const *)&table, 1, &sources, NULL));
    assert_ok(bench_open(&bench));
    assert_ok(table_run(table, &sources, &bench));
    bench_close(&bench);
    OWNED_BY(record_store_close) RecordStore *store = store_read(path_of("run.jsonl"));
    assert_true(record_measure(record_of_row(store, "a.h5"), "vertices") == rig.dataset->mesh.vertex_count);
    assert_true(record_measure(record_of_row(store, "d [2].h5"), "vertices") ==
                rig.dataset->mesh.vertex_count);
    assert_int_equal(record_of_row(store, "b.h5")->status, RECORD_FAILED);
    assert_holds(record_of_row(store, "b.h5")->reason, "b.h5");
    assert_int_equal(record_of_row(store, "e.h5")->status, RECORD_SKIPPED);
    assert_holds(record_of_row(store, "e.h5")->reason, "only 3 rigs");

    /* A report knows the rows from the records alone, and shows the faults. */
    const RecordView view = {.store = store};
    static const TableCellState states[] = {TABLE_CELL_MEASURED, TABLE_CELL_MEASURED, TABLE_CELL_FAILED,
                                            TABLE_CELL_MEASURED, TABLE_CELL_SKIPPED};
    assert_ok(table_add_recorded(shown, &view));
    assert_int_equal(shown->row_count, 5);
    for (int r = 0; r < 5; r++) {
        const TableView shown_view = {shown, &view, NULL};
        assert_true(table_row_listed(&shown_view, &shown->rows[r]));
        assert_int_equal(table_cell_find(&shown_view, &shown->rows[r], &shown->columns[0]).state, states[r]);
    }
}

/* The rig of a row was read before, and its row knows the digest. A refusal must belong to the same data. */
TEST(a_rig_that_is_left_out_later_is_listed)
{
    OWNED_BY(published_table_free) PublishedTable *table = table_of(1);
    CLEANUP(subject_clear) Subject rig = {0};
    const char *set[] = {"around=4", "along=9"};
    const TableSources sources = {.folder = path_of("later"), .cache = path_of("")};
    assert_ok(subject_generate("bar", set, 2, NULL, &rig));
    assert_int_equal(mkdir(sources.folder, 0777), 0);
    assert_ok(dataset_write(rig.dataset, path_of("later/a.h5")));
    assert_ok(dataset_write(rig.dataset, path_of("later/b.h5")));
    assert_ok(own_rigs_add(table, sources.folder));
    Bench bench = bench_of(path_of("later.jsonl"), 2, 2);
    assert_ok(bench_open(&bench));
    assert_ok(table_run(table, &sources, &bench));
    bench_close(&bench);
    OWNED_BY(record_store_close) RecordStore *store = store_read(path_of("later.jsonl"));
    const Record *refused = record_of_row(store, "b.h5");
    assert_int_equal(refused->status, RECORD_SKIPPED);
    assert_string_equal(refused->cell.dataset.sha256, record_of_row(store, "a.h5")->cell.dataset.sha256);
    const RecordView view = {.store = store};
    assert_int_equal(
        table_cell_find(&(TableView){table, &view, NULL}, &table->rows[2], &table->columns[0]).state,
        TABLE_CELL_SKIPPED);
}

TEST(own_rigs_are_limited)
{
    OWNED_BY(published_table_free) PublishedTable *table = table_of(2);
    OWNED_SUBJECT(subject, "bar", "around=4", "along=9");
    assert_ok(own_rig_check(table, 1, &subject));
    assert_refused(STATUS_UNAVAILABLE, "only 2 rigs", own_rig_check(table, 2, &subject));
    const int vertices = subject.dataset->mesh.vertex_count;
    subject.dataset->mesh.vertex_count = OWN_RIG_VERTICES_MAX + 1;
    assert_refused(STATUS_UNAVAILABLE, "vertices", own_rig_check(table, 0, &subject));
    subject.dataset->mesh.vertex_count = vertices;
    for (int i = 0; i < 2 * OWN_ROWS_MAX; i++)
        assert_ok(published_table_add_own(table, text_of("%d.h5", i)));
    assert_ok(published_table_add_own(table, "0.h5"));
    assert_int_equal(table->row_count, 1 + OWN_ROWS_MAX);
    PublishedTable *refused = NULL;
    assert_bad_input("own_rigs", published_table_from_json(
                                     json_loads(quoted(text_of(table_text, OWN_ROWS_MAX + 1)), 0, NULL), "t",
                                     "t", &refused));
}
