/* Turns the cells of published tables into tasks of a run. Each fit is a task, and so is each study of a
 * row. All ways to skin a row's data set form one task, which times them in common rounds. Also finds the
 * data set of each row, and imports archives once. */
#include "harness/run/suites/table_run.h"

#include "datasets/formats/formats.h"
#include "datasets/io/atomic_path.h"
#include "datasets/io/temporary_folder.h"
#include "harness/records/papers/column_kind.h"
#include "harness/run/bench/fit_cell.h"
#include "harness/run/studies/study.h"
#include "harness/run/suites/own_rigs.h"
#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the data set of a row ---- */

/* Returns the path of the cached data set file of an archive. Imports the archive if the cached file is
 * missing or older than the archive. */
static Status archive_import(const char *archive, const char *name, const TableSources *sources,
                             const Bench *bench, char path[PUBLISHED_PATH_BYTES])
{
    struct stat source, cached;
    if (snprintf(path, PUBLISHED_PATH_BYTES, "%s/%s.h5", sources->cache, name) >= PUBLISHED_PATH_BYTES)
        return bad_usage("%s: the path is too long", sources->cache);
    if (mkdir(sources->cache, 0777) != 0 && errno != EEXIST)
        return status_make(STATUS_SYSTEM, "%s: %s", sources->cache, strerror(errno));
    temporary_folders_sweep(
        sources
            ->cache); /* remove leftovers of killed runs, one of which may already have completed the file */
    if (stat(archive, &source) == 0 && stat(path, &cached) == 0 && cached.st_mtime >= source.st_mtime)
        return status_ok();
    bench_note(bench, "%s is being imported to %s", archive, path);
    const Format *format = NULL;
    STATUS_TRY(format_detect(archive, &format));
    if (!format->import)
        return status_make(STATUS_UNAVAILABLE, "%s: this build cannot import files of this format", archive);
    ImportOptions options = {.inputs = &archive,
                             .input_count = 1,
                             .scale = 1.0,
                             .fps = 30.0,
                             .name = name,
                             .progress = bench->progress};
    return format->import(&options, path);
}

/* The file that has the data of a row. */
typedef struct RowFile {
    char path[PUBLISHED_PATH_BYTES];
    bool found, archive; /* whether the file is an archive, which must be imported first */
} RowFile;

static Status row_file_find(const TableRow *row, const TableSources *sources, RowFile *out)
{
    static const char *const places[] = {"%s/%s.h5", "%s/%s.tar.xz", "%s/%s.npz", "%s/*/%s.npz"};
    const char *name = row->dataset;
    *out = (RowFile){.found = false};
    if (row->own && sources->folder) {
        out->found =
            snprintf(out->path, sizeof out->path, "%s/%s", sources->folder, name) < (int)sizeof out->path &&
            access(out->path, R_OK) == 0;
        out->archive = !path_ends(name, ".h5");
    }
    if (row->own || !sources->folder || name[0] == '\0' || strpbrk(name, "/*?["))
        return status_ok();
    for (int i = 0; i < 4 && !out->found; i++) {
        glob_t below = {0};
        if (snprintf(out->path, sizeof out->path, places[i], sources->folder, name) >= (int)sizeof out->path)
            return bad_usage("%s: the path is too long", sources->folder);
        if (i == 3 && glob(out->path, 0, NULL, &below) == 0)
            snprintf(out->path, sizeof out->path, "%s", below.gl_pathv[0]);
        globfree(&below);
        out->found = access(out->path, R_OK) == 0;
        out->archive = i > 0;
    }
    return status_ok();
}

Status tables_check(const PublishedTable *const *tables, int count, const TableSources *sources,
                    const Progress *progress)
{
    for (int t = 0; t < count; t++)
        for (int r = 0; r < tables[t]->row_count; r++) {
            const Format *format = NULL;
            RowFile file;
            STATUS_TRY(row_file_find(&tables[t]->rows[r], sources, &file));
            if (file.found &&
                !tables[t]->rows[r].own) /* the row of an own rig will say what is wrong with it */
                STATUS_TRY(file.archive ? format_detect(file.path, &format)
                                        : dataset_probe(file.path, progress));
        }
    return status_ok();
}

Status table_row_subject(const TableRow *row, const TableSources *sources, const Bench *bench,
                         Subject *subject, bool *found)
{
    *found = true;
    if (row->generate[0] != '\0') {
        STATUS_TRY(subject_generate(row->generate, row->settings.texts, row->settings.count, bench->progress,
                                    subject));
        snprintf(subject->name, sizeof subject->name, "%.*s", (int)sizeof subject->name - 1, row->name);
    } else {
        char imported[PUBLISHED_PATH_BYTES];
        RowFile file;
        STATUS_TRY(row_file_find(row, sources, &file));
        *found = file.found;
        if (!file.found)
            return status_ok();
        if (file.archive)
            STATUS_TRY(archive_import(file.path, row->dataset, sources, bench, imported));
        STATUS_TRY(subject_read(file.archive ? imported : file.path, bench->progress, subject));
    }
    return row->influences > 0 ? subject_prune(subject, row->influences) : status_ok();
}

/* ---- the tasks of a row ---- */

/* The tasks of a table row. Every array has space for all cells that the columns can request, and for two
 * more. */
typedef struct RowTasks {
    const PublishedTable *table;
    const TableRow *row;
    const Subject *subject; /* NULL for a row without a data set */
    const Status *refused;  /* why a user's own rig is not measured; NULL for any other row */
    Bench *bench;
    BenchTasks tasks;
    FitPlan *fits; /* [fit_count] */
    SkinningPlan *plans;
    int fit_count, plan_count;
} RowTasks;

/* Whether an earlier column already requested the fit that was added last. If so, the earlier fit gets the
 * larger of the two numbers of repeats. */
static bool fit_is_there(const RowTasks *work)
{
    const FitPlan *last = &work->fits[work->fit_count - 1];
    const BenchTask *last_task = &work->tasks.items[work->tasks.count - 1];
    for (const BenchTask *task = work->tasks.items; task < last_task; task++) {
        if (!cell_same_setting(&task->cell, &last_task->cell))
            continue;
        for (FitPlan *fit = work->fits; fit < last; fit++)
            if (task->context == fit && fit->repeats < last->repeats)
                fit->repeats = last->repeats;
        return true;
    }
    return false;
}

/* Adds the fit of a column. If several columns show numbers of one fit (its error, times, size), only the
 * column of its error or number of bones runs it. */
static Status fit_add(RowTasks *work, const TableColumn *column)
{
    bool leads = strcmp(column->quantity, "e_rms") == 0 || strcmp(column->quantity, "bones") == 0 ||
                 strncmp(column->quantity, "metrics.", strlen("metrics.")) == 0;
    if (!work->subject || !leads || !column->kind->built_in(column))
        return status_ok();
    if (work->fit_count == 0) {
        /* warn if the data set has other sizes than the paper's of the same name, because the table would
         * then compare different things */
        double vertices = work->row->sizes[SIZE_VERTICES], frames = work->row->sizes[SIZE_FRAMES];
        const Dataset *dataset = work->subject->dataset;
        if (vertices > 0.0 &&
            (vertices != dataset->mesh.vertex_count || frames != dataset->animation.frame_count))
            bench_note(work->bench,
                       "%s has %d vertices and %d frames, but in the paper's row %s it has %.0f vertices and "
                       "%.0f frames",
                       work->subject->name, dataset->mesh.vertex_count, dataset->animation.frame_count,
                       work->row->name, vertices, frames);
    }
    for (int i = 0; i < table_fit_count(column); i++) {
        FitPlan *fit = &work->fits[work->fit_count++];
        BenchTask *task = &work->tasks.items[work->tasks.count++];
        *fit = table_fit_cell(work->table, work->row, column, i);
        fit->threads = work->bench->threads;
        if (fit->external)
            STATUS_TRY(bench_external_load(work->bench, fit->method));
        STATUS_TRY(fit_cell_task(fit, work->subject, task));
        if (fit_is_there(work)) {
            cell_clear(&task->cell);
            *task = (BenchTask){0};
            work->tasks.count--;
            work->fit_count--;
        }
    }
    return status_ok();
}

Status table_rows_found(const PublishedTable *table, const TableSources *sources, int *named, int *found)
{
    *named = *found = 0;
    for (int r = 0; r < table->row_count; r++) {
        RowFile file;
        STATUS_TRY(row_file_find(&table->rows[r], sources, &file));
        *named += table->rows[r].dataset[0] != '\0';
        *found += file.found;
    }
    return status_ok();
}

/* Makes the record of a row's data, which is "skipped" if the data are not available and "ok" otherwise. */
static Status data_run(const void *context, const Subject *subject, const Bench *bench, Record *record)
{
    (void)context;
    (void)bench;
    record->status = RECORD_OK;
    if (!subject)
        record_fail(record, RECORD_SKIPPED, "its data are not available");
    return status_ok();
}

/* Adds all ways to skin that the row's columns request, as one group. Called only for the first of these
 * columns. */
static Status skinning_add(RowTasks *work, const TableColumn *first)
{
    const PublishedTable *table = work->table;
    for (const TableColumn *column = table->columns; column < first; column++)
        if (column->kind == first->kind)
            return status_ok();
    if (!work->subject)
        return status_ok();
    if (work->subject->dataset->rig.joint_count == 0 || work->subject->dataset->rig.frame_count == 0)
        return bad_input("%s: has no rig with posed frames", work->subject->name);
    for (int c = 0; c < table->column_count; c++)
        if (table->columns[c].kind == first->kind && first->kind->built_in(&table->columns[c]))
            STATUS_TRY(table_skinning_plan(table, &table->columns[c], &work->plans[work->plan_count++]));
    if (work->plan_count > 0)
        work->tasks.items[work->tasks.count++] =
            (BenchTask){.plans = work->plans, .plan_count = work->plan_count};
    return status_ok();
}

static Status study_run(const void *context, const Subject *subject, const Bench *bench, Record *record)
{
    (void)context;
    char remarks[STATUS_TEXT_BYTES] = "";
    const StudyInput input = {.parameters = record->cell.parameters,
                              .subject = subject,
                              .dataset = subject ? subject->dataset : NULL,
                              .external = externals_find(&bench->externals, record->cell.method),
                              .threads = bench->threads,
                              .progress = bench->progress,
                              .remarks = remarks};
    Status status = study_find(record->cell.study)(&input, &record->measures);
    if (status.code == STATUS_OK)
        status = measures_status(&record->measures);
    if (status.code == STATUS_STOPPED)
        return status;
    if (input.external)
        STATUS_TRY(external_facts_copy(input.external, record));
    /* a program that fails is tried again, unlike a result of our own that is wrong */
    record->status =
        input.external && status.code == STATUS_CHECK_FAILED ? RECORD_FAILED : record_status_of(status.code);
    record_set_text(&record->reason, remarks);
    if (status.code != STATUS_OK) {
        record_fail(record, record->status, status.text);
        bench_note(bench, "%s, %s: %s: %s", record->cell.study, record->cell.row,
                   record_status_names[record->status], status.text);
    }
    return status_ok();
}

/* Records why a user's own rig was not measured. */
static Status refused_run(const void *context, const Subject *subject, const Bench *bench, Record *record)
{
    const Status *refused = context;
    (void)subject;
    record_fail(record, refused->code == STATUS_UNAVAILABLE ? RECORD_SKIPPED : RECORD_FAILED, refused->text);
    bench_note(bench, "%s: %s: %s", record->cell.row, record_status_names[record->status], refused->text);
    return status_ok();
}

/* Adds each study once, even if several columns show its results. */
static Status study_add(RowTasks *work, const TableColumn *column)
{
    const char *name = table_study(work->table, work->row, column);
    const char *program = argument_text(argument_find(work->row->parameters, "external"), "");
    for (int i = 0; i < work->tasks.count; i++)
        if (strcmp(work->tasks.items[i].cell.study, name) == 0)
            return status_ok();
    BenchTask *task = &work->tasks.items[work->tasks.count++];
    *task = (BenchTask){.cell = {.kind = CELL_STUDY, .threads = work->bench->threads},
                        .run = work->refused ? refused_run : study_run,
                        .context = work->refused};
    if (work->subject)
        task->cell.dataset = subject_cell_dataset(work->subject);
    snprintf(task->cell.study, sizeof task->cell.study, "%s", name);
    snprintf(task->cell.method, sizeof task->cell.method, "%s", program);
    if (program[0])
        STATUS_TRY(bench_external_load(work->bench, program));
    return argument_copy(work->row->parameters, &task->cell.parameters);
}

static void row_tasks_clear(RowTasks *work)
{
    bench_tasks_clear(&work->tasks);
    FREE_ALL(work->fits, work->plans);
}

/* ---- progress ---- */

/* Reports progress over the rows of a table: names the current cell and how much of it is done. */
typedef struct TableProgress {
    const Progress *outer;
    const char *row, *cell;
    int done, total;
    double
        end_s; /* time at which the work on a user's own rigs stops, on the clock of clock_now_s; 0: never */
    bool is_late; /* whether the time ended while a rig was being measured */
} TableProgress;

static bool table_progress_report(void *context, const char *what, double share)
{
    TableProgress *state = context;
    char text[256];
    state->is_late = state->is_late || (state->end_s > 0.0 && clock_now_s() > state->end_s);
    if (state->is_late)
        return false;
    if (!what)
        return !progress_stopped(state->outer);
    snprintf(text, sizeof text, "%.64s, %.48s: %d of %d", state->row, state->cell, state->done + 1,
             state->total);
    if (what[0])
        text_append(text, sizeof text, " (%.48s %.0f %%)", what, 100.0 * share);
    return progress_report(state->outer, text, (double)state->done / state->total);
}

static Status table_row_run(const PublishedTable *table, const TableRow *row, const Subject *subject,
                            const Status *refused, Bench *bench, TableProgress *state)
{
    size_t capacity = 2;
    for (int c = 0; c < table->column_count; c++)
        capacity += (size_t)table_fit_count(&table->columns[c]);
    CLEANUP(row_tasks_clear)
    RowTasks work = {.table = table, .row = row, .subject = subject, .refused = refused, .bench = bench};
    ALLOCATE(work.tasks.items, capacity, "the tasks of a table");
    ALLOCATE(work.fits, capacity, "the tasks of a table");
    ALLOCATE(work.plans, capacity, "the tasks of a table");
    const bool has_dataset = row->dataset[0] != '\0' || row->generate[0] != '\0';
    if (has_dataset) {
        BenchTask *task = &work.tasks.items[work.tasks.count++];
        *task = (BenchTask){.cell = {.kind = CELL_ROW}, .run = data_run};
        if (subject)
            task->cell.dataset = subject_cell_dataset(subject);
    }
    /* add the tasks of all columns */
    for (int c = 0; c < table->column_count && (subject || refused || !has_dataset); c++) {
        const TableColumn *column = &table->columns[c];
        if (column->kind == &column_kind_fit)
            STATUS_TRY(fit_add(&work, column));
        else if (column->kind == &column_kind_skinning)
            STATUS_TRY(skinning_add(&work, column));
        else
            STATUS_TRY(study_add(&work, column));
    }
    for (int i = 0; i < work.tasks.count; i++) {
        Cell *cell = &work.tasks.items[i].cell;
        snprintf(cell->table, sizeof cell->table, "%s", table->name);
        snprintf(cell->row, sizeof cell->row, "%s", row->name);
    }
    const int first = state->done;
    for (int i = 0; i < work.tasks.count; i++) {
        const Cell *cell = &work.tasks.items[i].cell;
        state->cell = cell->method[0] ? cell->method : cell->study[0] ? cell->study : "skinning";
        state->done = first + i * table->column_count / work.tasks.count;
        if (!progress_report(bench->progress, "", 0.0))
            return status_make(STATUS_STOPPED, "stopped; the same command resumes from here");
        STATUS_TRY(bench_run(bench, subject, &work.tasks.items[i], 1));
    }
    return status_ok();
}

/* Loads a user's own rig and measures it within the limits of own_rigs.h. Another row records why it was not
 * measured. Fails only if the whole run must end. */
static Status own_row_run(const PublishedTable *table, const TableRow *row, int before,
                          const TableSources *sources, Bench *bench, TableProgress *state)
{
    CLEANUP(subject_clear) Subject subject = {0};
    bool found = false;
    Status status = table_row_subject(row, sources, bench, &subject, &found);
    if (status.code == STATUS_OK && !found)
        status = status_make(STATUS_UNAVAILABLE, "its file cannot be read");
    if (status.code == STATUS_OK)
        status = own_rig_check(table, before, &subject);
    if (status.code == STATUS_OK)
        status = table_row_run(table, row, &subject, NULL, bench, state);
    if (state->is_late && status.code == STATUS_STOPPED)
        status = status_make(
            STATUS_UNAVAILABLE,
            "the rigs that the catalogue does not list may take %g s in all; `skinbench advise` has "
            "no such limit",
            OWN_RIGS_S);
    if (status.code == STATUS_OK || status.code == STATUS_STOPPED || status.code == STATUS_SYSTEM)
        return status;
    state->is_late = false;
    state->end_s = 0.0;
    return table_row_run(table, row, subject.dataset ? &subject : NULL, &status, bench, state);
}

/* Generates the data set of a row, unless an earlier row has the same one. The bench owns it. */
static Status row_generate(const TableRow *row, Bench *bench, Subject *out)
{
    char name[SUBJECT_NAME_BYTES];
    subject_generated_name(row->generate, row->settings.texts, row->settings.count, name);
    const bool is_whole = strlen(name) + 1 < sizeof name;
    for (int i = 0; i < bench->generated_count && is_whole && !out->dataset; i++)
        if (strcmp(bench->generated[i].name, name) == 0)
            *out = bench->generated[i];
    if (!out->dataset) {
        GROW(bench->generated, bench->generated_count, "the generated data sets");
        STATUS_TRY(subject_generate(row->generate, row->settings.texts, row->settings.count, bench->progress,
                                    &bench->generated[bench->generated_count]));
        *out = bench->generated[bench->generated_count++];
    }
    snprintf(out->name, sizeof out->name, "%.*s", (int)sizeof out->name - 1, row->name);
    return status_ok();
}

static Status rows_run(const PublishedTable *table, const TableSources *sources, Bench *bench,
                       TableProgress *state)
{
    double own_end_s = 0.0;
    int own = 0;
    for (int r = 0; r < table->row_count; r++) {
        const TableRow *row = &table->rows[r];
        int first = row->stand_in ? table->paper_row_count : 0;
        int count = row->stand_in ? table->row_count - first : table->paper_row_count;
        CLEANUP(subject_clear) Subject subject = {0};
        Subject generated = {0};
        const bool is_generated = row->generate[0] != '\0' && row->influences == 0;
        bool has_dataset = row->dataset[0] != '\0' || row->generate[0] != '\0', found = false;
        own_end_s = row->own && own == 0 ? clock_now_s() + OWN_RIGS_S : own_end_s;
        *state = (TableProgress){.outer = state->outer,
                                 .row = row->name,
                                 .cell = "data",
                                 .done = (r - first) * table->column_count,
                                 .total = count * table->column_count,
                                 .end_s = row->own ? own_end_s : 0.0};
        if (row->own) {
            STATUS_TRY(own_row_run(table, row, own++, sources, bench, state));
            continue;
        }
        if (!progress_report(bench->progress, "", 0.0))
            return status_make(STATUS_STOPPED, "stopped; the same command resumes from here");
        if (is_generated)
            STATUS_TRY(row_generate(row, bench, &generated));
        else if (has_dataset)
            STATUS_TRY(table_row_subject(row, sources, bench, &subject, &found));
        const Subject *given = is_generated ? &generated : found ? &subject : NULL;
        STATUS_TRY(table_row_run(table, row, given, NULL, bench, state));
    }
    return status_ok();
}

Status table_run(const PublishedTable *table, const TableSources *sources, Bench *bench)
{
    TableProgress state = {.outer = bench->progress};
    const Progress reporter = {table_progress_report, &state};
    bench->progress = &reporter;
    const Status status = rows_run(table, sources, bench, &state);
    bench->progress = state.outer;
    return status;
}
