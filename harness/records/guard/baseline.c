/* Makes a baseline of a run: its records without what is not guarded, and the bounds that other runs show. */
#include "harness/records/guard/baseline.h"

#include "datasets/base/memory.h"
#include "datasets/io/atomic_path.h"
#include "harness/records/files/record_json.h"
#include "harness/records/guard/compare.h"
#include "harness/records/guard/guarded_numbers.h"
#include "methods/runtime/backend.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether two cells differ in nothing but a backend of single precision, its level and its threads. */
static bool cells_round_alike(const Cell *a, const Cell *b)
{
    const Backend *one = NULL, *other = NULL;
    if (a->kind != CELL_SKINNING || b->kind != CELL_SKINNING ||
        strcmp(a->dataset.sha256, b->dataset.sha256) != 0 || a->frames != b->frames ||
        backend_find(a->backend, &one).code != STATUS_OK ||
        backend_find(b->backend, &other).code != STATUS_OK)
        return false;
    Cell alike = *b;
    memcpy(alike.backend, a->backend, sizeof alike.backend);
    memcpy(alike.level, a->level, sizeof alike.level);
    alike.threads = a->threads;
    return !one->double_precision && !other->double_precision && cell_same_setting(a, &alike);
}

/* Widens the bound of every number by its distance in another record. */
static Status bounds_widen(const GuardedNumbers *numbers, const Record *other, double *bounds)
{
    GuardedNumbers others = {0};
    Status status = guarded_numbers_of(other, &others);
    for (int i = 0; i < numbers->count && status.code == STATUS_OK; i++) {
        const GuardedNumber *same = guarded_number_find(&others, numbers->items[i].name);
        const double distance = same ? fabs(same->value - numbers->items[i].value) : 0.0;
        if (distance > bounds[i])
            bounds[i] = distance;
    }
    guarded_numbers_clear(&others);
    return status;
}

/* The greatest distances [numbers->count] of a record's numbers from those of the other runs and of its like. */
static Status distances_measure(const BaselineSources *sources, const Record *record,
                                const GuardedNumbers *numbers, double *distances)
{
    Status status = status_ok();
    for (int r = -1; r < sources->other_count; r++) {
        const RecordStore *store = r < 0 ? sources->run : sources->others[r];
        for (const Record *other = NULL; (other = record_store_next(store, other)) != NULL;)
            if (other->status == RECORD_OK && cells_round_alike(&record->cell, &other->cell))
                STATUS_TRY(bounds_widen(numbers, other, distances));
        const Record *same = record_store_find(store, &record->cell, NULL);
        if (same && same->status == RECORD_OK)
            STATUS_TRY(bounds_widen(numbers, same, distances));
    }
done:
    return status;
}

/* Bounds below what every number may move by anyhow are left out; a number that never differed gets that. */
static Status bounds_set(const BaselineSources *sources, Record *record)
{
    const Record *before = sources->before ? record_store_find(sources->before, &record->cell, NULL) : NULL;
    GuardedNumbers numbers = {0};
    double *distances = NULL;
    Status status;
    STATUS_TRY(guarded_numbers_of(record, &numbers));
    distances = memory_array((size_t)numbers.count + 1, sizeof *distances);
    if (!distances)
        STATUS_TRY(status_out_of_memory("the bounds"));
    if (sources->other_count > 0)
        STATUS_TRY(distances_measure(sources, record, &numbers, distances));
    for (int i = 0; i < numbers.count; i++) {
        const GuardedNumber *number = &numbers.items[i];
        const double least = fmax(COMPARE_TOLERANCE * fabs(number->value), COMPARE_ROUNDING * number->scale);
        if (sources->other_count > 0)
            measures_add(&record->bounds, number->name, fmax(BASELINE_BOUND_FACTOR * distances[i], least));
        else if (before && measures_find(&before->bounds, number->name))
            measures_add(&record->bounds, number->name, measures_value(&before->bounds, number->name));
    }
    status = measures_status(&record->bounds);
done:
    memory_free(distances);
    guarded_numbers_clear(&numbers);
    return status;
}

/* The guarded numbers of one set of measures; of a curve what it is guarded by. */
static void measures_keep(const Measures *from, const GuardedNumbers *numbers, const char *prefix,
                          Measures *to)
{
    char name[GUARDED_NAME_BYTES];
    for (int i = 0; i < from->count; i++) {
        const Measure *measure = &from->items[i];
        const int length =
            snprintf(name, sizeof name, "%s%s%s", prefix, measure->name, measure->curve ? ".rms" : "");
        if (length < (int)sizeof name && guarded_number_find(numbers, name))
            measures_add(to, name + strlen(prefix), guarded_number_find(numbers, name)->value);
    }
}

static json_t *baseline_line(const BaselineSources *sources, const Record *record, Status *status)
{
    GuardedNumbers numbers = {0};
    Record kept = *record; /* borrows all that it does not replace */
    json_t *line = NULL;
    kept.metrics = kept.held = kept.measures = kept.bounds = (Measures){0};
    kept.timing = timing_none();
    kept.fit.descent_count = kept.fit.trial_count = 0;
    kept.run[0] = kept.time[0] = '\0';
    *status = status_ok();
    if (record->status == RECORD_OK)
        *status = guarded_numbers_of(record, &numbers);
    measures_keep(&record->metrics, &numbers, "", &kept.metrics);
    measures_keep(&record->held, &numbers, "holdout.", &kept.held);
    measures_keep(&record->measures, &numbers, "measures.", &kept.measures);
    if (status->code == STATUS_OK && record->status == RECORD_OK)
        *status = bounds_set(sources, &kept);
    if (status->code == STATUS_OK)
        line = record_to_json(&kept);
    if (status->code == STATUS_OK && !line)
        *status = status_out_of_memory("the baseline");
    measures_clear(&kept.metrics);
    measures_clear(&kept.held);
    measures_clear(&kept.measures);
    measures_clear(&kept.bounds);
    guarded_numbers_clear(&numbers);
    return line;
}

/* Takes the object. */
static Status line_write(json_t *object, FILE *file, const char *path)
{
    char *text = object ? json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    Status status = text ? status_ok() : status_out_of_memory("the baseline");
    if (text && fprintf(file, "%s\n", text) < 0)
        status = status_make(STATUS_MACHINE, "%s: %s", path, strerror(errno));
    free(text);
    json_decref(object);
    return status;
}

/* The run's environment, with why it was accepted. */
static Status accepted_write(const BaselineSources *sources, int cells, FILE *file)
{
    int count = 0;
    const EnvironmentRecord *environments = record_store_environments(sources->run, &count);
    EnvironmentRecord *record = memory_array(1, sizeof *record);
    Status status = record ? status_ok() : status_out_of_memory("the baseline");
    STATUS_TRY(status);
    if (count == 0)
        STATUS_TRY(
            status_make(STATUS_BAD_INPUT, "%s: does not say what it was measured with", sources->path));
    *record = environments[count - 1];
    record->accepted = (Accepted){.cells = cells};
    snprintf(record->accepted.reason, sizeof record->accepted.reason, "%s", sources->reason);
    for (int i = 0; i < sources->other_count && i < ACCEPTED_RUNS_MAX; i++) {
        char text[ENVIRONMENT_LINE_BYTES];
        environment_line(sources->others[i], text);
        snprintf(record->accepted.compared[record->accepted.compared_count++], ENVIRONMENT_TEXT_BYTES,
                 "%.500s", text);
    }
    if (sources->other_count == 0 && sources->before) {
        const EnvironmentRecord *old = record_store_environments(sources->before, &count);
        if (count > 0) {
            record->accepted.compared_count = old[count - 1].accepted.compared_count;
            memcpy(record->accepted.compared, old[count - 1].accepted.compared,
                   sizeof record->accepted.compared);
        }
    }
    status = line_write(environment_record_to_json(record), file, sources->path);
done:
    memory_free(record);
    return status;
}

/* How many records a baseline of the run has. */
static Status cells_count(const BaselineSources *sources, int *cells)
{
    int bad = 0;
    char first[FINDING_CELL_BYTES] = "";
    *cells = 0;
    for (const Record *record = NULL; (record = record_store_next(sources->run, record)) != NULL;) {
        if (!record_is_guarded(record))
            continue;
        ++*cells;
        if (record->status == RECORD_WRONG || record->status == RECORD_FAILED) {
            if (bad++ == 0)
                cell_format(&record->cell, first, sizeof first);
        }
    }
    if (bad > 0)
        return status_make(STATUS_CHECK_FAILED, "%s: %d cells are wrong or failed, which is not accepted: %s",
                           sources->path, bad, first);
    return *cells > 0 ? status_ok() : status_make(STATUS_BAD_INPUT, "%s: holds no cells", sources->path);
}

Status baseline_write(const BaselineSources *sources, const char *output)
{
    AtomicPath path = {0};
    FILE *file = NULL;
    int cells = 0;
    Status status;
    STATUS_TRY(store_is_of_one_machine(sources->run, sources->path));
    STATUS_TRY(cells_count(sources, &cells));
    STATUS_TRY(atomic_path_start(output, OUTPUT_FILE, &path));
    file = fopen(path.temporary, "w");
    if (!file)
        STATUS_TRY(status_make(STATUS_MACHINE, "%s: %s", output, strerror(errno)));
    STATUS_TRY(accepted_write(sources, cells, file));
    for (const Record *record = NULL; (record = record_store_next(sources->run, record)) != NULL;) {
        if (!record_is_guarded(record))
            continue;
        json_t *line = baseline_line(sources, record, &status);
        STATUS_TRY(status);
        STATUS_TRY(line_write(line, file, output));
    }
    const bool written = !ferror(file) && fflush(file) == 0;
    if (!written)
        STATUS_TRY(status_make(STATUS_MACHINE, "%s: %s", output, strerror(errno)));
    fclose(file);
    file = NULL;
    status = atomic_path_commit_file(&path);
done:
    if (file)
        fclose(file);
    atomic_path_discard(&path);
    return status;
}
