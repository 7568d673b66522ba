/* One decomposition, run and measured: the cell of kind "decomposition" in a result file. The harness poses
 * the model itself and measures its error; what the method tells of its descent is kept beside it. */
#ifndef SKINBENCH_BENCH_FIT_CELL_H
#define SKINBENCH_BENCH_FIT_CELL_H

#include "datasets/base/progress.h"
#include "harness/bench/subject.h"
#include "methods/fitting/decomposition_method.h"
#include <jansson.h>

enum { SETTINGS_MAX = 16, SETTING_BYTES = 64, METHOD_NAME_BYTES = 64 };

typedef struct FitCell {
    char method[METHOD_NAME_BYTES];
    int bones, influences, iterations, threads;
    double time_limit_s;
    int holdout; /* every K-th frame is kept out of the fit; 0: none */
    double
        error; /* the fewest bones that reach this E_RMS are sought, `bones` at most; 0: `bones` are fitted */
    int repeats;                                /* how often the fit is run for its time; at least 1 */
    char settings[SETTINGS_MAX][SETTING_BYTES]; /* name=value, beside the method's defaults */
    int setting_count;
} FitCell;

/* The record without anything measured: kind, data set, method, backend, parameters, threads. Its record_key
 * names the cell. STATUS_USAGE for an unknown method or parameter. */
Status fit_cell_plan(const FitCell *cell, const Subject *subject, json_t **record);

/* Runs the cell and fills the record in: status and reason, metrics, timing, iterations (error after each),
 * bones and end. A fit that fails makes a record of status "failed"; what is returned is not OK only when the
 * record could not be made or the user asked for a stop (STATUS_STOPPED). */
Status fit_cell_run(const FitCell *cell, const Subject *subject, const Progress *progress, json_t *record);

#endif
