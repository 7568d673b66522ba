/* Measurements over commits: one series for each number of each cell on each machine, and the points where
 * it changed. A series never mixes machines. */
#pragma once

#include "datasets/base/text_pool.h"
#include "harness/records/record/record_numbers.h"

enum { COMMIT_LABEL_BYTES = 24, HISTORY_CELL_BYTES = 512 };

typedef struct HistoryCommit {
    char commit[ENVIRONMENT_TEXT_BYTES];
    bool dirty;                        /* measured with uncommitted changes */
    char time[ENVIRONMENT_TIME_BYTES]; /* time of the commit, or of its first run if the time of the commit is
                                          not recorded */
    int runs;
} HistoryCommit;

/* The value of a series in one run. */
typedef struct HistoryPoint {
    int commit; /* index into the history's commits */
    const char *run;
    double value, low, high; /* ends of the value's interval; NAN if it has none */
} HistoryPoint;

/* A lasting change of a series to a new level. Commit `last` is the last one at the old level, commit
 * `first` the first one at the new level. */
typedef struct HistoryChange {
    int last, first;
    double before, after; /* medians of the old and new level */
} HistoryChange;

typedef struct HistorySeries {
    const char *machine, *cell,
        *dataset;                   /* borrowed from the history; the texts of the points are borrowed, too */
    char digest[CELL_DIGEST_BYTES]; /* digest of the cell's key */
    const char *name;
    bool timed;
    MetricBetter better;
    double rounding;
    HistoryPoint *points;   /* [point_count] sorted by commit, then by time */
    HistoryChange *changes; /* [change_count] sorted by commit */
    int point_count, change_count;
    /* For a time with too few runs to detect a change (change_points.h): the number of runs before, and the
     * number after, the commit that divides the runs most evenly. 0 for all other series. */
    int few_before, few_after;
} HistorySeries;

typedef struct History {
    HistoryCommit *commits;                      /* [commit_count] sorted by time */
    HistorySeries *series;                       /* [series_count] in order of first appearance */
    int commit_count, series_count, timed_count; /* timed_count: number of series that are times, whose
                                                    changes may be due to chance (change_points.h) */
    TextPool texts;
} History;

/* Reads result files of one or many commits and finds the changes. metrics [metric_count] selects numbers
 * by name (record_numbers.h), changed or not. If it is empty, *out receives the numbers that changed and the
 * times with too few runs to judge. STATUS_BAD_INPUT as for record_store_read, and for a metric that no
 * record has. Release with history_clear. */
Status history_read(const char *const *paths, int count, const char *const *metrics, int metric_count,
                    History *out);
void history_clear(History *history);

/* Writes "1a2b3c4d5e", followed by + if there were uncommitted changes. */
void history_commit_label(const HistoryCommit *commit, char label[COMMIT_LABEL_BYTES]);

/* Writes "too few runs: 6 before, 4 after; 7 each are needed", or "" if there are enough runs. */
void history_few_text(const HistorySeries *series, char text[COMMIT_LABEL_BYTES * 3]);

/* Returns "worse" or "better", or "changed" if neither direction is better. */
const char *history_change_word(const HistorySeries *series, const HistoryChange *change);
