/* Runs the parts of a suite: ways to skin of a data set as one group, then its fits, then tables. */
#include "harness/run/suites/suite_run.h"

#include "harness/records/papers/published.h"
#include "harness/run/suites/table_run.h"

typedef struct Tasks {
    BenchTask *tasks;
    int count;
} Tasks;

static void tasks_clear(Tasks *all)
{
    bench_tasks_free(all->tasks, all->count);
}

/* The rows of a table that a suite asks for. */
static Status suite_table_read(const SuiteTable *asked, PublishedTable **out)
{
    const char *rows[SETTINGS_MAX];
    for (int i = 0; i < asked->row_count; i++)
        rows[i] = asked->rows[i];
    STATUS_TRY(published_table_read(asked->name, out));
    return published_table_keep_rows(*out, rows, asked->row_count);
}

Status suite_tables_check(const Suite *suite, const char *path)
{
    for (int p = 0; p < suite->part_count; p++)
        for (int i = 0; i < suite->parts[p].table_count; i++) {
            OWNED_BY(published_table_free) PublishedTable *table = NULL;
            const Status status = suite_table_read(&suite->parts[p].tables[i], &table);
            if (status.code == STATUS_USAGE)
                return bad_input("%s: %s", path, status.text);
            STATUS_TRY(status);
        }
    return status_ok();
}

Status suite_run(Bench *bench, const Suite *suite)
{
    for (int i = 0; i < suite->part_count; i++) {
        const SuitePart *part = &suite->parts[i];
        const TableSources generated = {.folder = NULL};
        for (int m = 0; m < part->dataset_count; m++) {
            CLEANUP(subject_clear) Subject subject = {0};
            CLEANUP(tasks_clear) Tasks all = {.tasks = NULL};
            ALLOCATE(all.tasks, (size_t)part->fit_count + 1, "the tasks of a suite");
            STATUS_TRY(suite_dataset_load(&part->datasets[m], bench->progress, &subject));
            const bool has_rig = subject.dataset->rig.joint_count > 0 && subject.dataset->rig.frame_count > 0;
            const bool has_animation = subject.dataset->animation.frame_count > 0;
            if (has_rig && part->plan_count > 0)
                all.tasks[all.count++] = (BenchTask){.plans = part->plans, .plan_count = part->plan_count};
            if (has_animation)
                for (int k = 0; k < part->fit_count; k++)
                    STATUS_TRY(fit_cell_task(&part->fits[k], &subject, &all.tasks[all.count++]));
            if (!has_rig && (!has_animation || part->fit_count == 0))
                bench_note(
                    bench,
                    "%s: nothing to run on it (it has no rig, and no fit of its animation is requested)",
                    subject.name);
            STATUS_TRY(bench_run(bench, &subject, all.tasks, all.count));
        }
        for (int m = 0; m < part->table_count; m++) {
            OWNED_BY(published_table_free) PublishedTable *table = NULL;
            STATUS_TRY(suite_table_read(&part->tables[m], &table));
            STATUS_TRY(table_run(table, &generated, bench));
        }
    }
    return status_ok();
}
