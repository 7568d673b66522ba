/* The cells of published tables as tasks of a run: fits one by one, the skinning of a row as one group in common
 * rounds, studies once per row. */
#include "harness/tables/table_run.h"

#include "datasets/base/memory.h"
#include "harness/studies/study.h"
#include "harness/tables/column_kind.h"
#include <string.h>

/* Different data under the same name give a table that compares apples with pears; say so. */
static void counts_note(const Bench *bench, const TableRow *row, const Subject *subject)
{
    double vertices = row->sizes[SIZE_VERTICES], frames = row->sizes[SIZE_FRAMES];
    const Dataset *dataset = subject->dataset;
    if (vertices > 0.0 &&
        (vertices != dataset->mesh.vertex_count || frames != dataset->animation.frame_count))
        bench_note(bench, "%s: has %d vertices and %d frames, the paper's row %s has %.0f and %.0f",
                   subject->name, dataset->mesh.vertex_count, dataset->animation.frame_count, row->name,
                   vertices, frames);
}

/* What a row asks for, in arrays with capacity for a task of every column and one more. */
typedef struct RowTasks {
    const PublishedTable *table;
    const TableRow *row;
    const Subject *subject; /* NULL: a row without a data set */
    Bench *bench;
    BenchTask *tasks; /* [task_count] */
    FitCell *fits;    /* [fit_count] */
    SkinningPlan *plans;
    int task_count, fit_count, plan_count;
} RowTasks;

/* A new last task. */
static BenchTask *task_add(RowTasks *to)
{
    return &to->tasks[to->task_count++];
}

/* Its cell is run for the row. */
static void task_place(const RowTasks *to, BenchTask *task)
{
    snprintf(task->cell.table, sizeof task->cell.table, "%s", to->table->name);
    snprintf(task->cell.row, sizeof task->cell.row, "%s", to->row->name);
}

/* ---- fits ---- */

/* Whether a column is the one its fit is run for: several can come from one fit (its error, times, size), and
 * the second finds the first's record. */
static bool column_leads(const TableColumn *column)
{
    return strcmp(column->quantity, "e_rms") == 0 || strcmp(column->quantity, "bones") == 0 ||
           column_metric(column->quantity);
}

static Status fits_add(RowTasks *to)
{
    Status status = status_ok();
    if (!to->subject)
        return status;
    counts_note(to->bench, to->row, to->subject);
    for (int c = 0; c < to->table->column_count; c++) {
        const TableColumn *column = &to->table->columns[c];
        if (column->kind != &column_kind_fit || !column_leads(column) || !column->kind->built_in(column))
            continue;
        FitCell *fit = &to->fits[to->fit_count++];
        *fit = table_fit_cell(to->table, to->row, column);
        fit->threads = to->bench->threads;
        STATUS_TRY(fit_cell_task(fit, to->subject, task_add(to)));
    }
done:
    return status;
}

/* ---- skinning ---- */

/* The record says which data the row was run on. */
static Status row_run(const void *context, const Subject *subject, const Bench *bench, Record *record)
{
    (void)context;
    (void)subject;
    (void)bench;
    record->status = RECORD_OK;
    return status_ok();
}

static Status skinning_add(RowTasks *to)
{
    Status status = status_ok();
    if (!to->subject)
        return status;
    if (to->subject->dataset->rig.joint_count == 0 || to->subject->dataset->rig.frame_count == 0)
        return status_make(STATUS_BAD_INPUT, "%s: there is no rig with transforms to skin with",
                           to->subject->name);
    for (int c = 0; c < to->table->column_count; c++) {
        const TableColumn *column = &to->table->columns[c];
        if (column->kind == &column_kind_skinning && column->kind->built_in(column))
            STATUS_TRY(table_skinning_plan(to->table, column, &to->plans[to->plan_count++]));
    }
    BenchTask *row = task_add(to);
    row->cell.kind = CELL_ROW;
    row->cell.dataset = subject_cell_dataset(to->subject);
    row->run = row_run;
    if (to->plan_count > 0)
        *task_add(to) = (BenchTask){.plans = to->plans, .plan_count = to->plan_count};
done:
    return status;
}

/* ---- studies ---- */

static Status study_run(const void *context, const Subject *subject, const Bench *bench, Record *record)
{
    const Study *study = context;
    StudyInput input = {.parameters = &record->cell.parameters,
                        .subject = subject,
                        .threads = bench->threads,
                        .progress = bench->progress};
    Status status = study->run(&input, &record->measures);
    if (status.code == STATUS_OK)
        status = measures_status(&record->measures);
    if (status.code == STATUS_STOPPED)
        return status;
    record->status = record_status_of(status.code);
    if (status.code != STATUS_OK) {
        record_fail(record, record->status, status.text);
        bench_note(bench, "%s, %s: %s: %s", study->name, record->cell.row, record_status_name(record->status),
                   status.text);
    }
    return status_ok();
}

/* Each study once, though several columns may show what it measures. */
static Status studies_add(RowTasks *to)
{
    const PublishedTable *table = to->table;
    Status status = status_ok();
    for (int c = 0; c < table->column_count && status.code == STATUS_OK; c++) {
        const char *name = table_study(table, to->row, &table->columns[c]);
        bool wanted = table->columns[c].kind == &column_kind_study;
        for (int k = 0; k < c && wanted; k++)
            wanted = table->columns[k].kind != &column_kind_study ||
                     strcmp(table_study(table, to->row, &table->columns[k]), name) != 0;
        if (!wanted)
            continue;
        BenchTask *task = task_add(to);
        task->cell.kind = CELL_STUDY;
        task->cell.threads = to->bench->threads;
        task->run = study_run;
        task->context = study_find(name);
        if (to->subject)
            task->cell.dataset = subject_cell_dataset(to->subject);
        snprintf(task->cell.study, sizeof task->cell.study, "%s", name);
        status = argument_copy(&to->row->parameters, &task->cell.parameters);
    }
    return status;
}

/* ---- rows ---- */

/* Every kind that a column of the table is of adds what the row needs of it. */
static Status tasks_add(RowTasks *to)
{
    static const struct {
        const ColumnKind *kind;
        Status (*add)(RowTasks *to);
    } kinds[] = {{&column_kind_fit, fits_add},
                 {&column_kind_skinning, skinning_add},
                 {&column_kind_study, studies_add}};
    Status status = status_ok();
    for (int c = 0; c < to->table->column_count && status.code == STATUS_OK; c++) {
        const ColumnKind *kind = to->table->columns[c].kind;
        bool first = true;
        for (int k = 0; k < c && first; k++)
            first = to->table->columns[k].kind != kind;
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds && first && status.code == STATUS_OK; i++)
            if (kinds[i].kind == kind)
                status = kinds[i].add(to);
    }
    return status;
}

static Status table_row_run(const PublishedTable *table, const TableRow *row, const Subject *subject,
                            Bench *bench)
{
    size_t capacity = (size_t)table->column_count + 2;
    RowTasks to = {.table = table,
                   .row = row,
                   .subject = subject,
                   .bench = bench,
                   .tasks = memory_array(capacity, sizeof *to.tasks),
                   .fits = memory_array(capacity, sizeof *to.fits),
                   .plans = memory_array(capacity, sizeof *to.plans)};
    Status status = status_out_of_memory("the tasks of a table");
    if (to.tasks && to.fits && to.plans)
        status = tasks_add(&to);
    for (int i = 0; i < to.task_count; i++)
        task_place(&to, &to.tasks[i]);
    if (status.code == STATUS_OK)
        status = bench_run(bench, subject, to.tasks, to.task_count);
    bench_tasks_free(to.tasks, to.task_count);
    memory_free(to.fits);
    memory_free(to.plans);
    return status;
}

Status table_run(const PublishedTable *table, const TableSources *sources, Bench *bench)
{
    Status status = status_ok();
    for (int r = 0; r < table->row_count && status.code == STATUS_OK; r++) {
        const TableRow *row = &table->rows[r];
        int first = row->stand_in ? table->paper_row_count : 0;
        int count = row->stand_in ? table->row_count - first : table->paper_row_count;
        Subject subject = {0};
        bool has_dataset = row_has_dataset(row), found = false;
        if (!progress_report(bench->progress, row->name, (double)(r - first) / count))
            return status_make(STATUS_STOPPED, "stopped; the same command resumes from here");
        if (has_dataset)
            status = row_subject_load(row, sources, bench, &subject, &found);
        if (status.code == STATUS_OK && (found || !has_dataset))
            status = table_row_run(table, row, found ? &subject : NULL, bench);
        subject_clear(&subject);
    }
    return status;
}
