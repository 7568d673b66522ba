/* The journal stores the samples of the group of cells being timed, beside the result file, until the cells
 * are in that file. A journal belongs to one group of cells in one environment; samples of any other group
 * are dropped. */
#pragma once

#include "harness/records/files/results.h"
#include "harness/records/record/cell.h"
#include "harness/records/record/timing.h"

typedef struct JournalSample {
    char cell[CELL_DIGEST_BYTES];
    Stage stage;
    int round, inner; /* `inner` is the number of runs that make up the sample */
    double seconds;
    bool disturbed;
} JournalSample;

typedef struct Journal {
    ResultsFile *file;
    JournalSample *samples; /* [count] samples left by an earlier run */
    int count;
} Journal;

/* Opens `<result file>.journal`. `group` identifies the environment and all requested cells, finished or
 * not. The message of STATUS_BAD_INPUT names the wrong line and its member. */
Status journal_open(const char *result_path, const char *group, Journal *out);

/* Copies samples that an earlier run took of a cell's stage, at most `cap`, and returns their number. Only
 * consecutive rounds from 0 on are used. *inner receives the number of runs per sample, and *disturbed the
 * number of disturbed samples. Both are unchanged if there are no samples. */
int journal_replay(const Journal *journal, const char *cell, Stage stage, int cap, double *samples,
                   int *inner, int *disturbed);

/* Stores one sample without waiting for the disk. The sample survives the end of the process but not a
 * power failure; waiting would disturb the timing. */
Status journal_append(Journal *journal, const JournalSample *sample);

/* Removes the journal when its cells are in the result file. */
void journal_finish(Journal *journal);
/* Closes the journal and leaves the file for the next run. */
void journal_close(Journal *journal);
