/* Runs the parts of a suite: ways to skin of a data set as one group, then its fits, then tables. */
#include "harness/run/suites/suite_run.h"

#include "datasets/base/memory.h"
#include "harness/records/papers/published.h"
#include "harness/run/bench/bench_task.h"
#include "harness/run/suites/table_run.h"

static Status dataset_run(Bench *bench, const SuitePart *part, const SuiteDataset *dataset)
{
    Subject subject = {0};
    BenchTask *tasks = memory_array((size_t)part->fit_count + 1, sizeof *tasks);
    int count = 0;
    Status status = tasks ? status_ok() : status_out_of_memory("the tasks of a suite");
    STATUS_TRY(status);
    STATUS_TRY(suite_dataset_load(dataset, bench->progress, &subject));
    bool has_rig = subject.dataset->rig.joint_count > 0 && subject.dataset->rig.frame_count > 0;
    bool has_animation = subject.dataset->animation.frame_count > 0;
    if (has_rig && part->plan_count > 0)
        tasks[count++] = (BenchTask){.plans = part->plans, .plan_count = part->plan_count};
    for (int i = 0; i < part->fit_count && has_animation; i++)
        STATUS_TRY(fit_cell_task(&part->fits[i], &subject, &tasks[count++]));
    if (!has_rig && (!has_animation || part->fit_count == 0))
        bench_note(bench,
                   "%s: nothing to run on it (it has no rig, and no fit of its animation is requested)",
                   subject.name);
    STATUS_TRY(bench_run(bench, &subject, tasks, count));
done:
    bench_tasks_free(tasks, count);
    subject_clear(&subject);
    return status;
}

/* The rows of a table that a suite asks for. */
static Status suite_table_read(const SuiteTable *asked, PublishedTable **out)
{
    const char *rows[SETTINGS_MAX];
    Status status;
    for (int i = 0; i < asked->row_count; i++)
        rows[i] = asked->rows[i];
    STATUS_TRY(published_table_read(asked->name, out));
    STATUS_TRY(published_table_keep_rows(*out, rows, asked->row_count));
done:
    return status;
}

Status suite_tables_check(const Suite *suite, const char *path)
{
    for (int p = 0; p < suite->part_count; p++)
        for (int i = 0; i < suite->parts[p].table_count; i++) {
            PublishedTable *table = NULL;
            const Status status = suite_table_read(&suite->parts[p].tables[i], &table);
            published_table_free(table);
            if (status.code == STATUS_USAGE)
                return status_make(STATUS_BAD_INPUT, "%s: %s", path, status.text);
            if (status.code != STATUS_OK)
                return status;
        }
    return status_ok();
}

static Status part_run(Bench *bench, const SuitePart *part)
{
    const TableSources generated = {.folder = NULL};
    PublishedTable *table = NULL;
    Status status = status_ok();
    for (int i = 0; i < part->dataset_count; i++)
        STATUS_TRY(dataset_run(bench, part, &part->datasets[i]));
    for (int i = 0; i < part->table_count; i++) {
        STATUS_TRY(suite_table_read(&part->tables[i], &table));
        STATUS_TRY(table_run(table, &generated, bench));
        published_table_free(table);
        table = NULL;
    }
done:
    published_table_free(table);
    return status;
}

Status suite_run(Bench *bench, const Suite *suite)
{
    Status status = status_ok();
    for (int i = 0; i < suite->part_count && status.code == STATUS_OK; i++)
        status = part_run(bench, &suite->parts[i]);
    return status;
}
