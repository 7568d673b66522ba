/* The samples of the group of cells that is being timed, kept beside the result file until its cells are in
 * it. A journal belongs to one group of cells in one environment: samples of another are dropped. */
#pragma once

#include "harness/records/files/results.h"
#include "harness/records/record/cell.h"
#include "harness/records/record/timing.h"

typedef struct JournalSample {
    char cell[CELL_DIGEST_BYTES];
    Stage stage;
    int round, inner; /* inner: runs per sample */
    double seconds;
    bool disturbed;
} JournalSample;

typedef struct Journal {
    ResultsFile *file;
    JournalSample *samples; /* [count], what an earlier run left */
    int count;
} Journal;

/* Opens `<result file>.journal`. `group` names the cells (all that were asked for, done or not) and the
 * environment. STATUS_BAD_INPUT names the line and the member that is wrong. */
Status journal_open(const char *result_path, const char *group, Journal *out);

/* Copies the samples that an earlier run took of a stage of a cell, in rounds 0, 1, ... without a gap, at
 * most cap; returns their count. *inner is theirs, *disturbed how many of them were; untouched where there
 * are none. */
int journal_replay(const Journal *journal, const char *cell, Stage stage, int cap, double *samples,
                   int *inner, int *disturbed);

/* Keeps one sample. Not flushed to the disk: it must survive a kill, not a loss of power, and flushing would
 * disturb the timing. */
Status journal_append(Journal *journal, const JournalSample *sample);

/* The cells are in the result file: removes the journal. */
void journal_finish(Journal *journal);
/* Leaves it for the next run. */
void journal_close(Journal *journal);
