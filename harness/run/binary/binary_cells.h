/* The cells that `compare --binary` times, made from a suite. Data sets and cells are requests to both
 * builds (binary_worker.h), with names for people. */
#pragma once

#include "harness/run/binary/binary_verdict.h"
#include "harness/run/suites/suite.h"

enum { REQUEST_BYTES = 1536, BINARY_CELL_BYTES = 512, OF_BYTES = 32 };

typedef struct BinaryData {
    char request[REQUEST_BYTES];
    char name[SUBJECT_NAME_BYTES]; /* "" until a build has read the data set and reported its name */
} BinaryData;

/* One line of the comparison: one stage of a way to skin, or a fit. */
typedef struct BinaryCell {
    int data;
    int same; /* index of an earlier cell that times another stage of the same bound skinner; -1 if there is
                 none */
    int lbs;  /* index of the LBS cell with the same settings; -1 if there is none, or if this cell is LBS */
    char request[REQUEST_BYTES];
    char name[BINARY_CELL_BYTES]; /* name in the form that cell_format gives to the cells of records */
    char method[CELL_METHOD_BYTES], backend[CELL_BACKEND_BYTES];
    char stage[OF_BYTES];
    /* The members below are set by the rounds (binary_rounds.h). */
    char refused[2][STATUS_TEXT_BYTES]; /* why OLD or NEW refuses the cell; "" if it accepts the cell */
    bool active;                        /* whether further rounds visit the cell */
    int runs, blocks;                   /* runs per block and blocks per visit; 0 until they are calibrated */
    TimedVisit *visits;                 /* [visit_count] visits; visits of the same process are adjacent */
    int visit_count;
    int judged_count; /* number of visits at the last judgement; 0 before the first */
    int change_count; /* Number of visits at the first of the latest consecutive judgements that all said
                         slower, or all said faster. 0 if the last judgement said neither. */
    TimeJudgement judgement;
    Interval to_lbs; /* change of the cell's ratio to LBS, with its 99 % interval; NAN if there is none */
} BinaryCell;

typedef struct BinaryCells {
    BinaryData *data;
    BinaryCell *cells;
    int data_count, cell_count;
    int left_out; /* Number of ways to skin that are not timed, because they are not plain skinning, run on a
                     device or run on several threads. The clock of the calling thread cannot measure devices
                     and other threads. */
} BinaryCells;

/* Makes cells for every data set: every way to skin on one processor thread, and every fit.
 *
 * Each way to skin has the stage `skin`. On `simd` there are two more stages: `pose`, whose code is the
 * same on all backends, and `frame`, the whole time for which users wait. Unless it is empty, methods
 * [method_count] restricts the methods. Release with binary_cells_clear, also on failure. */
Status binary_cells_make(const Suite *suite, int frames, const char *const *methods, int method_count,
                         BinaryCells *out);

/* Puts the name of a data set in front of the names of its cells. The builds report the name after reading
 * the data set. */
void binary_data_name(BinaryCells *cells, int data, const char *name);

void binary_cells_clear(BinaryCells *cells);
