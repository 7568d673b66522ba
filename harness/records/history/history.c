/* Sorts the numbers of result files into series over commits. */
#include "harness/records/history/history.h"

#include "datasets/base/hash_table.h"
#include "harness/records/files/result_lines.h"
#include "harness/records/history/change_points.h"

/* ---- runs and their commits ---- */

typedef struct HistoryRun {
    char hash[ENVIRONMENT_HASH_BYTES];
    const char *run, *machine; /* borrowed from the history */
    int commit;
} HistoryRun;

/* Hash key of a series: the digest of its cell, and pointers to the history's machine and name. All bytes
 * must be defined, padding included. */
typedef struct SeriesIdentity {
    char cell[CELL_DIGEST_BYTES + 7];
    const char *machine, *name;
} SeriesIdentity;

typedef struct SeriesEntry {
    SeriesIdentity identity;
    int series;
    bool refused; /* uthash had no memory to add the entry */
    UT_hash_handle hh;
} SeriesEntry;

typedef struct Reading {
    History *history;
    HistoryRun *runs;
    int run_count;
    SeriesEntry *table;
    const char *const *metrics;
    int metric_count;
    bool *found; /* [metric_count] */
} Reading;

static Status run_add(Reading *reading, const EnvironmentRecord *record)
{
    History *history = reading->history;
    const Environment *environment = &record->environment;
    int commit = 0;
    GROW(reading->runs, reading->run_count, "the list of runs");
    while (commit < history->commit_count &&
           (strcmp(history->commits[commit].commit, environment->commit) != 0 ||
            history->commits[commit].dirty != environment->dirty))
        commit++;
    if (commit == history->commit_count) {
        GROW(history->commits, history->commit_count, "the list of commits");
        HistoryCommit *added = &history->commits[history->commit_count++];
        *added = (HistoryCommit){.dirty = environment->dirty};
        snprintf(added->commit, sizeof added->commit, "%s", environment->commit);
        snprintf(added->time, sizeof added->time, "%s",
                 environment->commit_time[0] ? environment->commit_time : record->time);
    }
    history->commits[commit].runs++;
    HistoryRun *run = &reading->runs[reading->run_count++];
    *run = (HistoryRun){.commit = commit};
    STATUS_TRY(text_pool_keep(&history->texts, record->run, &run->run));
    STATUS_TRY(text_pool_keep(&history->texts, environment->machine, &run->machine));
    snprintf(run->hash, sizeof run->hash, "%s", environment->hash);
    return status_ok();
}

/* Finds the run that made a record. If an edited file lacks the run, finds a run with the same environment
 * instead. Returns NULL if there is none. */
static const HistoryRun *run_of(const Reading *reading, const Record *record)
{
    const HistoryRun *match = NULL;
    for (int i = reading->run_count - 1; i >= 0; i--) {
        if (strcmp(reading->runs[i].hash, record->environment) != 0)
            continue;
        if (strcmp(reading->runs[i].run, record->run) == 0)
            return &reading->runs[i];
        match = &reading->runs[i];
    }
    return match;
}

/* ---- series ---- */

/* Finds the series for a number of a cell on a machine, and creates it if necessary. */
static Status series_find(Reading *reading, const Record *record, const char *digest, const HistoryRun *run,
                          const RecordNumber *number, HistorySeries **out)
{
    History *history = reading->history;
    SeriesIdentity identity = {.machine = run->machine};
    SeriesEntry *entry = NULL;
    OWNED SeriesEntry *added = NULL;
    snprintf(identity.cell, sizeof identity.cell, "%s", digest);
    STATUS_TRY(text_pool_keep(&history->texts, number->name, &identity.name));
    HASH_FIND(hh, reading->table, &identity, sizeof identity, entry);
    if (!entry) {
        char cell[HISTORY_CELL_BYTES];
        ALLOCATE(added, 1, "the list of measured series");
        GROW(history->series, history->series_count, "the list of measured series");
        HistorySeries *series = &history->series[history->series_count++];
        *series = (HistorySeries){.machine = run->machine,
                                  .name = identity.name,
                                  .timed = number->timed,
                                  .better = number->better,
                                  .rounding = number->rounding};
        STATUS_TRY(text_pool_keep(
            &history->texts, record->cell.kind == CELL_STUDY ? record->cell.table : record->cell.dataset.name,
            &series->dataset));
        cell_format(&record->cell, cell, sizeof cell);
        STATUS_TRY(text_pool_keep(&history->texts, cell, &series->cell));
        history->timed_count += number->timed;
        snprintf(series->digest, sizeof series->digest, "%s", digest);
        *added = (SeriesEntry){.identity = identity, .series = history->series_count - 1};
        HASH_ADD(hh, reading->table, identity, sizeof added->identity, added);
        if (added->refused)
            return status_out_of_memory("the list of measured series");
        entry = TAKE(added);
    }
    *out = &history->series[entry->series];
    return status_ok();
}

static Status record_add(Reading *reading, const Record *record)
{
    const HistoryRun *run = run_of(reading, record);
    RecordNumber number;
    if (!run || record->status != RECORD_OK || record->cell.kind == CELL_ROW ||
        record->cell.kind == CELL_NOISE)
        return status_ok();
    char digest[CELL_DIGEST_BYTES];
    STATUS_TRY(cell_digest(&record->cell, digest));
    const char *name = NULL;
    STATUS_TRY(text_pool_keep(&reading->history->texts, record->run, &name));
    for (int i = 0; record_number_at(record, i, &number); i++) {
        HistorySeries *series = NULL;
        if (!isfinite(number.number.value))
            continue;
        bool wanted = reading->metric_count == 0;
        for (int k = 0; k < reading->metric_count; k++)
            if (strcmp(reading->metrics[k], number.name) == 0 ||
                strcmp(reading->metrics[k], number.alias) == 0)
                wanted = reading->found[k] = true;
        if (!wanted)
            continue;
        STATUS_TRY(series_find(reading, record, digest, run, &number, &series));
        /* if a run has two records of a cell, the last one counts */
        HistoryPoint *point = NULL;
        for (int k = 0; k < series->point_count && !point; k++)
            if (series->points[k].run == name && series->points[k].commit == run->commit)
                point = &series->points[k];
        if (!point) {
            GROW(series->points, series->point_count, "the points of a measured series");
            point = &series->points[series->point_count++];
        }
        const SampledNumber *value = &number.number;
        const bool sampled = value->samples > 0;
        *point = (HistoryPoint){run->commit, name, value->value, sampled ? value->low : NAN,
                                sampled ? value->high : NAN};
    }
    return status_ok();
}

/* ---- the order of commits ---- */

typedef struct CommitPlace {
    const HistoryCommit *commit;
    int index;
} CommitPlace;

/* Orders commits; a run with uncommitted changes follows the commit that it modified. */
static int commit_order(const void *first, const void *second)
{
    const CommitPlace *a = first, *b = second;
    const int time = strcmp(a->commit->time, b->commit->time);
    if (time != 0)
        return time;
    return a->commit->dirty != b->commit->dirty ? (a->commit->dirty ? 1 : -1) : a->index - b->index;
}

/* ---- changes ---- */

/* Returns the median of the points from .. to - 1; scratch [to - from]. */
static double median_of(const HistorySeries *series, int from, int end, double *scratch)
{
    for (int i = from; i < end; i++)
        scratch[i - from] = series->points[i].value;
    return median_sorting(scratch, end - from);
}

/* Finds every commit whose number differs from that of the commit before, and returns how many there are.
 * The runs of one commit are combined by their median. */
static int exact_changes(const HistorySeries *series, int *changes, double *scratch)
{
    int count = 0, from = 0;
    for (int i = 1; i < series->point_count; i++) {
        int end = i + 1;
        if (series->points[i].commit == series->points[i - 1].commit)
            continue;
        while (end < series->point_count && series->points[end].commit == series->points[i].commit)
            end++;
        const double before = median_of(series, from, i, scratch);
        if (number_difference(before, median_of(series, i, end, scratch), series->rounding) > NUMBER_SHARE)
            changes[count++] = i;
        from = i;
    }
    return count;
}

static Status changes_find(HistorySeries *series)
{
    const size_t points = (size_t)series->point_count;
    LOCAL_ARRAY(int, starts, points, "the changes in a measured series");
    int count = 0;
    LOCAL_ARRAY(double, scratch, points, "the changes in a measured series");
    if (series->timed) {
        LOCAL_ARRAY(double, values, points, "the changes in a measured series");
        LOCAL_ARRAY(bool, may_change, points, "the changes in a measured series");
        for (int i = 0; i < series->point_count; i++) {
            values[i] = series->points[i].value;
            may_change[i] = i > 0 && series->points[i].commit != series->points[i - 1].commit;
        }
        /* Find the commit that divides the runs most evenly, and the number of runs before and after it.
         * They are reported if both are too few for a change to be found. */
        int few = 0, many = 0;
        for (int k = 1; k < series->point_count; k++) {
            const int before = k, after = series->point_count - k, lesser = int_min(before, after);
            if (series->points[k].commit == series->points[k - 1].commit || lesser <= few)
                continue;
            few = lesser;
            many = int_max(before, after);
            series->few_before = before;
            series->few_after = after;
        }
        if (few >= CHANGE_RUNS || (few >= CHANGE_RUNS_FEW && many >= CHANGE_RUNS_MANY))
            series->few_before = series->few_after = 0;
        STATUS_TRY(change_points_find(values, may_change, series->point_count, starts, &count));
    } else
        count = exact_changes(series, starts, scratch);
    if (count > 0)
        ALLOCATE(series->changes, count, "the changes in a measured series");
    for (int i = 0; i < count; i++) {
        const int start = starts[i], from = i > 0 ? starts[i - 1] : 0;
        const int end = i + 1 < count ? starts[i + 1] : series->point_count;
        series->changes[series->change_count++] =
            (HistoryChange){.last = series->points[start - 1].commit,
                            .first = series->points[start].commit,
                            .before = median_of(series, from, start, scratch),
                            .after = median_of(series, start, end, scratch)};
    }
    return status_ok();
}

static void series_clear(HistorySeries *series)
{
    FREE_ALL(series->points, series->changes);
    *series = (HistorySeries){.points = NULL};
}

static void reading_clear(Reading *reading)
{
    HASH_FREE_ENTRIES(SeriesEntry, reading->table)
    FREE_ALL(reading->runs, reading->found);
}

Status history_read(const char *const *paths, int count, const char *const *metrics, int metric_count,
                    History *out)
{
    CLEANUP(result_lines_clear) ResultLines lines = {.items = NULL};
    CLEANUP(reading_clear)
    Reading reading = {.history = out, .metrics = metrics, .metric_count = metric_count};
    *out = (History){.commits = NULL};
    ALLOCATE(reading.found, metric_count, "a history");
    STATUS_TRY(result_lines_read(&lines, paths, count, NULL));
    for (size_t i = 0; i < lines.count; i++) {
        const ResultLine *line = &lines.items[i];
        STATUS_TRY(line->is_environment ? run_add(&reading, line->environment)
                                        : record_add(&reading, line->record));
    }
    for (int i = 0; i < reading.metric_count; i++)
        if (!reading.found[i])
            return bad_input("no record has the number '%.64s'", reading.metrics[i]);
    /* sort the commits, then find the changes */
    const size_t known = (size_t)out->commit_count;
    LOCAL_ARRAY(CommitPlace, places, known, "the list of commits");
    LOCAL_ARRAY(HistoryCommit, sorted, known, "the list of commits");
    LOCAL_ARRAY(int, place_of, known, "the list of commits");
    for (size_t i = 0; i < known; i++)
        places[i] = (CommitPlace){&out->commits[i], (int)i};
    qsort(places, known, sizeof *places, commit_order);
    for (size_t i = 0; i < known; i++) {
        sorted[i] = *places[i].commit;
        place_of[places[i].index] = (int)i;
    }
    memory_free(out->commits);
    out->commits = TAKE(sorted);
    for (int i = 0; i < out->series_count; i++) {
        HistorySeries *series = &out->series[i];
        for (int k = 0; k < series->point_count; k++)
            series->points[k].commit = place_of[series->points[k].commit];
        /* stable sort: points of one commit stay in order of time */
        for (int k = 1; k < series->point_count; k++) {
            const HistoryPoint point = series->points[k];
            int slot = k;
            for (; slot > 0 && series->points[slot - 1].commit > point.commit; slot--)
                series->points[slot] = series->points[slot - 1];
            series->points[slot] = point;
        }
    }
    for (int i = 0; i < out->series_count; i++)
        STATUS_TRY(changes_find(&out->series[i]));
    if (metric_count == 0) {
        /* keep only series that changed or may have changed */
        int kept = 0;
        for (int i = 0; i < out->series_count; i++)
            if (out->series[i].change_count > 0 || out->series[i].few_before > 0)
                out->series[kept++] = out->series[i];
            else
                series_clear(&out->series[i]);
        out->series_count = kept;
    }
    return status_ok();
}

void history_clear(History *history)
{
    for (int i = 0; i < history->series_count; i++)
        series_clear(&history->series[i]);
    FREE_ALL(history->series, history->commits);
    text_pool_clear(&history->texts);
    *history = (History){.commits = NULL};
}

void history_commit_label(const HistoryCommit *commit, char label[COMMIT_LABEL_BYTES])
{
    snprintf(label, COMMIT_LABEL_BYTES, "%.10s%s", commit->commit, commit->dirty ? "+" : "");
}

void history_few_text(const HistorySeries *series, char text[COMMIT_LABEL_BYTES * 3])
{
    text[0] = '\0';
    if (series->few_before > 0)
        snprintf(text, COMMIT_LABEL_BYTES * 3, "too few runs: %d before, %d after; %d each are needed",
                 series->few_before, series->few_after, CHANGE_RUNS);
}

const char *history_change_word(const HistorySeries *series, const HistoryChange *change)
{
    if (series->better == METRIC_NEITHER || change->before == change->after)
        return "changed";
    return (change->after > change->before) == (series->better == METRIC_LOWER) ? "worse" : "better";
}
