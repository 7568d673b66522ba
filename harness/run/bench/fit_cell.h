/* One decomposition, run and measured: the cell of kind "decomposition" in a result file. The harness poses
 * the model itself and measures its error; the method's own account of its descent is kept beside it. */
#pragma once

#include "harness/run/bench/bench_task.h"
#include "harness/run/fit/fit_task.h"

/* The fit as a task of a run; `fit` is borrowed. STATUS_USAGE for an unknown method or parameter. */
Status fit_cell_task(const FitPlan *fit, const Subject *subject, BenchTask *out);

/* The task that a decomposition's cell says, on the subject it is of; `values` holds its parameters and must
 * outlive it. STATUS_USAGE for an unknown method or parameter. */
Status fit_task_of_cell(const Cell *cell, const Subject *subject, const Progress *progress,
                        ParameterValues *values, FitTask *out);

/* Fills in what a fit came to: metrics (and those of held-out frames), its facts, the trials of a search.
 * with_curves: errors frame by frame, too. */
Status fit_outcome_record(const FitTask *task, const FitOutcome *outcome, bool with_curves, Record *record);

/* The trials alone: what is left of a search that failed. */
Status fit_trials_record(const FitOutcome *outcome, Record *record);
