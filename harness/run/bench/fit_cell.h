/* One decomposition, run and measured: the cell of kind "decomposition" in a result file. The harness poses
 * the model itself and measures its error; the method's own account of its descent is kept beside it. */
#pragma once

#include "harness/run/bench/bench_task.h"
#include "harness/run/fit/fit_task.h"

enum { SETTINGS_MAX = 16, SETTING_BYTES = 64, METHOD_NAME_BYTES = CELL_METHOD_BYTES };

typedef struct FitCell {
    char method[METHOD_NAME_BYTES];
    int bones, influences, iterations, threads;
    double time_limit_s;
    int holdout; /* every K-th frame is kept out of the fit; 0: none */
    double
        error; /* the fewest bones that reach this E_RMS are sought, `bones` at most; 0: `bones` are fitted */
    int repeats; /* how often the fit is run for its time at least, a cheap one often enough for an interval; 0: once, its time does not matter */
    char settings[SETTINGS_MAX][SETTING_BYTES]; /* name=value, beside the method's defaults */
    int setting_count;
} FitCell;

/* The method and the values of its parameters; STATUS_USAGE for one that is unknown. */
Status fit_cell_settle(const FitCell *fit, const DecompositionMethod **method, ParameterValues *values);

/* The cell of a fit, without data. Release with cell_clear. */
Status fit_cell_name(const FitCell *fit, Cell *out);

/* The fit as a task of a run; `fit` is borrowed. STATUS_USAGE for an unknown method or parameter. */
Status fit_cell_task(const FitCell *fit, const Subject *subject, BenchTask *out);

/* The task that a decomposition's cell says, on the subject it is of; `values` holds its parameters and must outlive it.
 * STATUS_USAGE for an unknown method or parameter. */
Status fit_task_of_cell(const Cell *cell, const Subject *subject, const Progress *progress,
                        ParameterValues *values, FitTask *out);

/* Fills in what a fit came to: metrics (and those of held-out frames), its facts, the trials of a search.
 * with_curves: errors frame by frame, too. */
Status fit_outcome_record(const FitTask *task, const FitOutcome *outcome, bool with_curves, Record *record);

/* The trials alone: what is left of a search that failed. */
Status fit_trials_record(const FitOutcome *outcome, Record *record);
