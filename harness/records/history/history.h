/* What was measured over commits: of each cell, each of its numbers and each machine one series, and where it
 * changed. Machines are never mixed in one. */
#pragma once

#include "datasets/base/text_pool.h"
#include "harness/records/record/quantity.h"

enum { COMMIT_LABEL_BYTES = 24, HISTORY_CELL_BYTES = 512 };

typedef struct HistoryCommit {
    char commit[ENVIRONMENT_TEXT_BYTES];
    bool dirty;                        /* measured with changes that are not committed */
    char time[ENVIRONMENT_TIME_BYTES]; /* of the commit; of its first run in files that do not have it */
    int runs;
} HistoryCommit;

/* One run's number. */
typedef struct HistoryPoint {
    int commit; /* of the history's commits */
    const char *run;
    double value, low, high; /* low, high NAN: no interval */
} HistoryPoint;

/* A new level, from commit `last` (the last of the old one) to commit `first`: the change is in
 * last..first. */
typedef struct HistoryChange {
    int last, first;
    double before, after; /* the medians of the levels on both sides */
} HistoryChange;

typedef struct HistorySeries {
    const char *machine, *cell, *dataset; /* texts of the history, as those of points */
    char digest[CELL_DIGEST_BYTES];       /* of the cell's key */
    const char *name;
    bool timed;
    MetricBetter better;
    double rounding;
    HistoryPoint *points;   /* [point_count] by commit, then by time */
    HistoryChange *changes; /* [change_count] by commit */
    int point_count, change_count;
    /* Of times: the runs on both sides of the commit that has most on the lesser, where they are too few to
     * tell a change (change_points.h); else 0. */
    int few_before, few_after;
} HistorySeries;

typedef struct History {
    HistoryCommit *commits; /* [commit_count] by their time */
    HistorySeries *series;  /* [series_count] in the order in which they come first */
    int commit_count, series_count,
        timed_count; /* of them of times, which chance may divide (change_points.h) */
    TextPool texts;
} History;

/* Reads result files of one commit each or of many, and finds the changes. metrics [metric_count]: only the
 * numbers of these names (quantity.h), changed or not; none: those that changed anywhere, and times of too
 * few runs to tell. STATUS_BAD_INPUT as record_store_read, and for a metric that no record has. Release with
 * history_clear. */
Status history_read(const char *const *paths, int count, const char *const *metrics, int metric_count,
                    History *out);
void history_clear(History *history);

/* "1a2b3c4d5e", with a + where changes were not committed. */
void history_commit_label(const HistoryCommit *commit, char label[COMMIT_LABEL_BYTES]);

/* "too few runs to judge: 6 and 4, at least 7 each", or "". */
void history_few_text(const HistorySeries *series, char text[COMMIT_LABEL_BYTES * 3]);

/* "worse", "better", or "changed" where neither is. */
const char *history_change_word(const HistorySeries *series, const HistoryChange *change);
