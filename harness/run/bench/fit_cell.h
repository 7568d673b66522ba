/* Runs and measures one decomposition (a cell of kind "decomposition" in a result file). The harness poses
 * the model and measures its error itself. It also stores the errors per iteration that the method
 * reports. */
#pragma once

#include "harness/run/bench/bench_task.h"
#include "harness/run/fit/external_fit.h"
#include "harness/run/fit/fit_task.h"

/* Makes a task from a fit; `fit` is borrowed. STATUS_USAGE for an unknown method or parameter. */
Status fit_cell_task(const FitPlan *fit, const Subject *subject, BenchTask *out);

/* Makes the task that the cell of a decomposition describes. `external` is the program that fits; NULL if a
 * method does. `values` receives the method's parameters and must outlive the task. STATUS_USAGE for an
 * unknown method or parameter. */
Status fit_task_of_cell(const Cell *cell, External *external, const Subject *subject,
                        const Progress *progress, ParameterValues *values, FitTask *out);

/* Stores the results of a fit: metrics (including those of held-out frames), facts, and the trials of a
 * search. If with_curves is set, also stores the errors of each frame. */
Status fit_outcome_record(const FitTask *task, const FitOutcome *outcome, bool with_curves, Record *record);

/* Stores only the trials of a search, which are the only results if it failed. */
Status fit_trials_record(const FitOutcome *outcome, Record *record);
