/* What `compare --binary` times, made from a suite: data sets and cells as requests that both builds are
 * asked (binary_worker.h), with the names that people see. */
#pragma once

#include "harness/run/binary/binary_verdict.h"
#include "harness/run/suites/suite.h"

enum { REQUEST_BYTES = 1536, BINARY_CELL_BYTES = 512, OF_BYTES = 32 };

typedef struct BinaryData {
    char request[REQUEST_BYTES];
    char name[SUBJECT_NAME_BYTES]; /* "": not known yet */
} BinaryData;

/* One stage of a way to skin, or a fit. */
typedef struct BinaryCell {
    int data;
    int same; /* the cell that an earlier stage of this one bound; -1: this one is asked for itself */
    int lbs;  /* of LBS in the same setting; -1: none, or this is it */
    char request[REQUEST_BYTES];
    char name[BINARY_CELL_BYTES]; /* as a record's cell is written (cell_format) */
    char stage[OF_BYTES];
    /* Of the rounds (binary_rounds.h). */
    char refused[2][STATUS_TEXT_BYTES]; /* why OLD, and NEW, do not take it; "": they do */
    bool active;                        /* to be visited in further rounds */
    int runs, blocks;                   /* of a visit; 0: not calibrated */
    TimedVisit *visits;                 /* [visit_count], those of one start side by side */
    int visit_count;
    int judged_count; /* of the visits, those that the judgement is of; 0: not judged */
    int change_count; /* of the visits at the first of the latest looks that all said slower, or faster; 0:
                         the latest did not */
    TimeJudgement judgement;
    Interval to_lbs; /* the change of its ratio to LBS, 99 %; NAN: there is none */
} BinaryCell;

typedef struct BinaryCells {
    BinaryData *data;
    BinaryCell *cells;
    int data_count, cell_count;
    int left_out; /* ways to skin of a suite that are on a device or several threads, whose time is not the
                     thread's, or other than plain */
} BinaryCells;

/* Every data set with every way to skin on one thread of the processor and every fit: `skin` of each; on
 * `simd` also `pose`, which is the same code on all backends, and `frame`, which users wait for. methods
 * [method_count]: only these; none: all. Release with binary_cells_clear, on failure too. */
Status binary_cells_make(const Suite *suite, int frames, const char *const *methods, int method_count,
                         BinaryCells *out);

/* Puts the name of a data set, which the builds know that read it, before those of its cells. */
void binary_data_name(BinaryCells *cells, int data, const char *name);

void binary_cells_clear(BinaryCells *cells);
