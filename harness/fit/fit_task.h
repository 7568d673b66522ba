/* One fit as `skinbench fit`, suites and tables run it: with held-out frames, for a number of bones or for
 * the fewest bones that reach an error, and measured. */
#ifndef SKINBENCH_FIT_FIT_TASK_H
#define SKINBENCH_FIT_FIT_TASK_H

#include "harness/fit/bone_fit.h"

/* Runs the task. STATUS_STOPPED when the progress callback asked for a stop; STATUS_CHECK_FAILED when the model
 * is not finite, or when no number of bones up to the cap reaches the error, with the nearest in its text: *out
 * then holds the trials alone. Release with fit_outcome_clear, on failure too. */
Status fit_task_run(const FitTask *task, FitOutcome *out);

#endif
