/* Searches for the data set of a record, at the places that the records name, and checks its digest. Then
 * skins or fits it as the record says. */
#include "harness/run/repeat/record_repeat.h"

#include "datasets/generate/generate.h"
#include "datasets/io/atomic_path.h"
#include "datasets/io/sha256.h"
#include "harness/measure/metrics/frame_source.h"
#include "harness/records/papers/published.h"
#include "harness/run/bench/fit_cell.h"

/* State of the search for a data set. */
typedef struct SubjectSearch {
    const char *sha256;
    const TableSources *sources;
    const Progress *progress;
    Subject *out;
    bool found;
} SubjectSearch;

/* Keeps a candidate if it has the right digest; otherwise releases it. */
static void candidate_keep(SubjectSearch *search)
{
    search->found = strcmp(search->out->sha256, search->sha256) == 0;
    if (!search->found)
        subject_clear(search->out);
}

static Status row_search(SubjectSearch *search, const Cell *cell)
{
    const Bench bench = {.progress = search->progress};
    OWNED_BY(published_table_free) PublishedTable *table = NULL;
    bool loaded = false;
    STATUS_TRY(published_table_read(cell->table, &table));
    for (int r = 0; r < table->row_count && !loaded; r++)
        if (strcmp(table->rows[r].name, cell->row) == 0)
            STATUS_TRY(table_row_subject(&table->rows[r], search->sources, &bench, search->out, &loaded));
    if (loaded)
        candidate_keep(search);
    return status_ok();
}

/* Runs the generator whose name and settings are part of the data set's name (subject.h). */
static Status generator_search(SubjectSearch *search, const char *name)
{
    char words[CELL_NAME_BYTES];
    const char *settings[SETTINGS_MAX];
    int count = 0;
    snprintf(words, sizeof words, "%s", name);
    for (char *blank = words; (blank = strchr(blank, ' ')) != NULL && count < SETTINGS_MAX;) {
        *blank++ = '\0';
        settings[count++] = blank;
    }
    if (!generator_find(words) || subject_generate_check(words, settings, count).code != STATUS_OK)
        return status_ok();
    STATUS_TRY(subject_generate(words, settings, count, search->progress, search->out));
    candidate_keep(search);
    return status_ok();
}

/* Whether to try the next candidate: nothing has been found, the user has not stopped the search, and the
 * system has not failed. */
static bool goes_on(const SubjectSearch *search, Status status)
{
    return !search->found && status.code != STATUS_STOPPED && status.code != STATUS_SYSTEM;
}

Status record_subject_find(const RecordStore *store, const char *sha256, const TableSources *sources,
                           const Progress *progress, Subject *out, bool *found)
{
    SubjectSearch search = {.sha256 = sha256, .sources = sources, .progress = progress, .out = out};
    const Cell *tried = NULL;
    Status status = status_ok();
    *out = (Subject){0};
    const RecordView all = {store, NULL, 0};
    for (const Record *record = NULL;
         goes_on(&search, status) && (record = record_view_next_of(&all, sha256, record));) {
        const Cell *cell = &record->cell;
        if (tried && strcmp(cell->dataset.name, tried->dataset.name) == 0 &&
            strcmp(cell->table, tried->table) == 0 && strcmp(cell->row, tried->row) == 0)
            continue;
        tried = cell;
        status = cell->table[0] ? row_search(&search, cell) : generator_search(&search, cell->dataset.name);
    }
    const char *const folders[] = {sources->folder, sources->cache};
    for (int i = 0; i < 2 && goes_on(&search, status); i++) {
        const char *folder = folders[i];
        DIR *entries = folder ? opendir(folder) : NULL;
        for (struct dirent *entry; entries && !search.found && (entry = readdir(entries)) != NULL;) {
            char path[PUBLISHED_PATH_BYTES], digest[CELL_SHA256_BYTES];
            if (!path_ends(entry->d_name, ".h5") ||
                snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= (int)sizeof path)
                continue;
            if (progress_stopped(search.progress)) {
                status = status_make(STATUS_STOPPED, "stopped while looking for data sets in %s", folder);
                break;
            }
            if (file_sha256(path, digest).code != STATUS_OK || strcmp(digest, search.sha256) != 0)
                continue;
            status = subject_read(path, search.progress, search.out);
            if (status.code != STATUS_OK)
                break;
            candidate_keep(&search);
        }
        if (entries)
            closedir(entries);
    }
    if (status.code != STATUS_STOPPED && status.code != STATUS_SYSTEM)
        status = status_ok();
    *found = search.found;
    return status;
}

Status record_repeat(const Record *record, const Subject *subject, int threads, int step, int count,
                     const Progress *progress, float *positions, double *e_rms)
{
    *e_rms = NAN;
    if (record->cell.kind == CELL_SKINNING) {
        /* skin the frames */
        const Mesh *mesh = &subject->dataset->mesh;
        const Rig *rig = &subject->dataset->rig;
        SkinnerOptions options = {.backend = &backend_simd,
                                  .threads = threads,
                                  .two_phase = record->cell.two_phase,
                                  .first_phase = skinning_first_phase()};
        OWNED_BY(skinner_free) Skinner *skinner = NULL;
        STATUS_TRY(skinning_entry_named(record->cell.method, &options.entry));
        const SkinningMethod *method = options.entry->method;
        STATUS_TRY(
            argument_values(record->cell.parameters, method->parameters, method->name, &options.parameters));
        STATUS_TRY(skinner_create(&options, mesh, rig, &skinner));
        for (int f = 0; f < count; f++) {
            STATUS_TRY(skinner_skin_rig(skinner, f * step, 1,
                                        positions + 3 * (size_t)f * (size_t)mesh->vertex_count, NULL));
        }
        return status_ok();
    }
    Mesh rest = subject->dataset->mesh;
    ParameterValues values;
    FitTask task;
    CLEANUP(fit_outcome_clear) FitOutcome outcome = {0};
    OWNED_BY(frame_source_close) FrameSource *source = NULL;
    if (record->external)
        return status_make(STATUS_UNAVAILABLE, "%s is another program, which is not run again",
                           record->cell.method);
    STATUS_TRY(fit_task_of_cell(&record->cell, NULL, subject, progress, &values, &task));
    if (task.error > 0.0) {
        task.error = 0.0;
        task.options.bones = record->fit.bones_requested;
    }
    STATUS_TRY(fit_task_run(&task, &outcome));
    *e_rms = metric_named("e_rms", &outcome.metrics);
    if (outcome.result.rest)
        rest.rest = outcome.result.rest;
    STATUS_TRY(frame_source_of_parts("the fitted model", &rest, NULL, &outcome.result.rig,
                                     &outcome.result.low_rank, task.options.threads, &source));
    return frame_source_read_every(source, step, count, positions);
}
