/* What `compare --binary` times, made from a suite: data sets and cells as requests to both builds
 * (binary_worker.h), with their names for people. */
#pragma once

#include "harness/run/binary/binary_verdict.h"
#include "harness/run/suites/suite.h"

enum { REQUEST_BYTES = 1536, BINARY_CELL_BYTES = 512, OF_BYTES = 32 };

typedef struct BinaryData {
    char request[REQUEST_BYTES];
    char name[SUBJECT_NAME_BYTES]; /* "" until it is known */
} BinaryData;

/* One stage of a way to skin, or a fit. */
typedef struct BinaryCell {
    int data;
    int same; /* the cell that an earlier stage bound for this one, too; -1 if it is bound itself */
    int lbs;  /* the cell of LBS in the same setting; -1 if there is none, or if this is LBS */
    char request[REQUEST_BYTES];
    char name[BINARY_CELL_BYTES]; /* written like a record's cell (cell_format) */
    char stage[OF_BYTES];
    /* Set by the rounds (binary_rounds.h). */
    char refused[2][STATUS_TEXT_BYTES]; /* why OLD or NEW refuse it; "" if they accept it */
    bool active;                        /* is visited in further rounds */
    int runs, blocks;                   /* per visit; 0 before calibration */
    TimedVisit *visits;                 /* [visit_count] visits of the same start are adjacent */
    int visit_count;
    int judged_count; /* number of visits that were judged; 0 before */
    int change_count; /* number of visits at the first of the latest judgements that all said slower, or all
                         faster; 0 if the latest said neither */
    TimeJudgement judgement;
    Interval to_lbs; /* change of its ratio to LBS, 99 %; NAN if there is none */
} BinaryCell;

typedef struct BinaryCells {
    BinaryData *data;
    BinaryCell *cells;
    int data_count, cell_count;
    int left_out; /* ways to skin that are left out: on a device or several threads, whose time is not that of
                     the thread, or not plain */
} BinaryCells;

/* Makes cells for every data set with every way to skin on one processor thread and every fit. Each way to
 * skin has the stage `skin`; on `simd` also `pose`, whose code is the same on all backends, and `frame`,
 * which users wait for. methods [method_count] restricts the methods unless it is empty. Release with
 * binary_cells_clear, also on failure. */
Status binary_cells_make(const Suite *suite, int frames, const char *const *methods, int method_count,
                         BinaryCells *out);

/* Puts the name of a data set, which the builds report after reading it, before the names of its cells. */
void binary_data_name(BinaryCells *cells, int data, const char *name);

void binary_cells_clear(BinaryCells *cells);
