/* The samples of the group of cells that is being timed, kept beside the result file until its cells are in
 * it. A journal belongs to one group of cells in one environment: samples of another are dropped. */
#ifndef SKINBENCH_BENCH_JOURNAL_H
#define SKINBENCH_BENCH_JOURNAL_H

#include "harness/bench/skinning_cell.h"
#include "harness/records/results.h"

typedef struct Journal {
    ResultsFile *file;
    json_t *lines; /* what an earlier run left */
} Journal;

/* Opens `<result file>.journal`. `group` names the cells (all that were asked for, done or not), their
 * setting and the environment. */
Status journal_open(const char *result_path, const char *group, Journal *out);

/* Hands samples of an earlier run to a work: those of rounds 0, 1, ... without a gap, at most cap. Its inner
 * count is theirs. */
void journal_replay(const Journal *journal, const char *cell, int work, int cap, TimedWork *into);

/* Keeps one sample. Not flushed to the disk: it must survive a kill, not a loss of power, and flushing would
 * disturb the timing. */
Status journal_append(Journal *journal, const char *cell, int work, int round, int inner, double seconds);

/* The cells are in the result file: removes the journal. */
void journal_finish(Journal *journal);
/* Leaves it for the next run. */
void journal_close(Journal *journal);

#endif
