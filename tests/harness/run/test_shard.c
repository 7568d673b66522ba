/* A run can be divided into any number of shards. Together they run each cell once, and the merged files
 * contain all cells. */
#include "tests/benches.h"
#include "tests/stores.h"

#include "harness/records/files/merge.h"
#include "harness/run/bench/bench_task.h"

static const int counts[] = {1, 2, 3, 5};

static void shard_start(Bench *bench, const char *path, Shard shard)
{
    *bench = bench_of(path, 2, 4);
    bench->shard = shard;
    assert_ok(bench_open(bench));
}

/* A task's function. Counts how often it is called for each row of a table. The first letter of the row's
 * name selects the counter. */
static Status count_run(const void *context, UNUSED const Subject *subject, UNUSED const Bench *bench,
                        Record *record)
{
    (*(int *const *)context)[record->cell.row[0] - 'a']++;
    record->status = RECORD_OK;
    return status_ok();
}

/* Runs one shard of a task that consists of skinning plans for a bar, rows of tables, and studies. `run`
 * [26] counts how often each row and study was run. The first letter of its name selects the counter. */
static void task(Bench *bench, int *run)
{
    static const char *const methods[] = {"lbs", "dqs", "sbs"};
    SkinningPlan plans[6];
    BenchTask *tasks = memory_array(27, sizeof *tasks);
    OWNED_SUBJECT(subject, "bar", "around=4", "along=5", "frames=2");
    for (int i = 0; i < 6; i++) {
        plans[i] = (SkinningPlan){.entry = skinning_entry_find(methods[i % 3]), .threads = 1};
        assert_non_null(plans[i].entry);
        plans[i].backend = i < 3 ? &backend_scalar : &backend_reference;
        plans[i].parameters = parameters_default(plans[i].entry->method->parameters);
    }
    tasks[0] = (BenchTask){.plans = plans, .plan_count = 6};
    for (int i = 0; i < 26; i++) {
        BenchTask *task = &tasks[1 + i];
        *task = (BenchTask){.cell = {.kind = i % 2 ? CELL_ROW : CELL_STUDY, .study = "s", .table = "t"},
                            .run = count_run,
                            .context = &run};
        snprintf(task->cell.row, sizeof task->cell.row, "%c", 'a' + i);
        snprintf(task->cell.dataset.sha256, sizeof task->cell.dataset.sha256, DIGEST_OF("a"));
    }
    assert_ok(bench_run(bench, &subject, tasks, 27));
    assert_ok(bench_shard_end(bench));
    bench_tasks_clear(&(BenchTasks){tasks, 27});
}

/* Returns the number of cells in the store. Does not count records of noise and of peers (other programs),
 * because a file may contain them once for each group of cells that are timed together. */
static int cell_count(const RecordStore *store)
{
    int count = 0;
    for (const Record *record = NULL; (record = record_store_next(store, record)) != NULL;)
        count += record->cell.kind != CELL_NOISE && record->cell.kind != CELL_PEER;
    return count;
}

TEST(shards_run_each_cell_once)
{
    CLEANUP(bench_close) Bench whole = {0};
    int once[26] = {0};
    shard_start(&whole, path_of("whole.jsonl"), (Shard){0});
    task(&whole, once);
    assert_int_equal(cell_count(whole.store), 32);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        const char *paths[5];
        bool torn[5];
        int run[26] = {0}, cells = 0;
        MergeCounts merged;
        for (int i = 0; i < counts[k]; i++) {
            CLEANUP(bench_close) Bench bench = {0};
            paths[i] = path_of(text_of("%d-%d.jsonl", counts[k], i));
            shard_start(&bench, paths[i], (Shard){i + 1, counts[k]});
            task(&bench, run);
            cells += cell_count(bench.store);
        }
        assert_memory_equal(run, once, sizeof run);
        assert_ok(results_merge(paths, counts[k], path_of("merged.jsonl"), torn, &merged));
        assert_int_equal(cells, 32);
        OWNED_BY(record_store_close) RecordStore *store = store_read(path_of("merged.jsonl"));
        assert_int_equal(cell_count(store), 32);
        /* the shards contain each cell of the whole run, with its ratio to LBS, whichever shard ran LBS */
        for (const Record *record = NULL; (record = record_store_next(whole.store, record)) != NULL;) {
            const Record *found = record_store_find(store, &record->cell, record->machine);
            if (record->cell.kind == CELL_NOISE || record->cell.kind == CELL_PEER)
                continue;
            assert_non_null(found);
            assert_int_equal(found->status, record->status);
            if (found->cell.kind == CELL_SKINNING)
                assert_true(record_derived(found, DERIVED_RATIO_TO_LBS)->median > 0.0);
        }
    }
}

/* One cell is distributed over five machines. The four machines without work also end successfully, and all
 * files can be merged. */
TEST(an_empty_shard_leaves_its_environment)
{
    int run[26] = {0}, *const runs = run, empty = 0;
    for (int i = 0; i < 5; i++) {
        BenchTask task = {.cell = {.kind = CELL_STUDY, .study = "s", .table = "t", .row = "a"},
                          .run = count_run,
                          .context = &runs};
        CLEANUP(bench_close) Bench bench = {0};
        unlink(path_of("one.jsonl"));
        shard_start(&bench, path_of("one.jsonl"), (Shard){i + 1, 5});
        assert_ok(bench_run(&bench, NULL, &task, 1));
        assert_ok(bench_shard_end(&bench));
        empty += record_store_line_count(bench.store) == 1;
        cell_clear(&task.cell);
    }
    assert_int_equal(empty, 4);
    assert_int_equal(run[0], 1);
}

/* Of 20000 cells, each of 5 shards gets 4000, within six standard deviations of a random distribution (56.6
 * each). The shard of a cell does not depend on the number of threads. */
TEST(cells_spread_evenly)
{
    int held[5] = {0};
    for (int i = 0; i < 20000; i++) {
        Cell cell = {.kind = CELL_SKINNING, .threads = 1, .frames = i};
        int holders = 0;
        for (int k = 0; k < 5; k++) {
            bool one = false, many = false;
            const Shard shard = {k + 1, 5};
            cell.threads = 1;
            assert_ok(shard_holds(&shard, &cell, &one));
            cell.threads = 64;
            assert_ok(shard_holds(&shard, &cell, &many));
            assert_int_equal(one, many);
            held[k] += one;
            holders += one;
        }
        assert_int_equal(holders, 1);
    }
    for (int k = 0; k < 5; k++)
        assert_true(abs(held[k] - 4000) < 340);
}

TEST(what_is_no_shard_is_refused)
{
    static const char *const texts[] = {"",     "1",     "0/2",      "3/2", "1/0", "-1/2",
                                        "1/2x", "1/2/3", "1/100001", "a/b", "1 2"};
    Shard shard;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_refused(STATUS_USAGE, "expected I/N with I from 1 to N", shard_parse(texts[i], &shard));
    assert_ok(shard_parse("2/3", &shard));
    assert_int_equal(shard.index, 2);
    assert_int_equal(shard.count, 3);
}
