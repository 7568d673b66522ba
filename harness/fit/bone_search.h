/* The fewest bones that reach an error (FESAM section 5): bones are doubled until the error is reached, then
 * the gap is halved. The error of a method need not fall with every bone more, so what is found is the least
 * number that was tried and reached, with one bone less tried and not. */
#ifndef SKINBENCH_FIT_BONE_SEARCH_H
#define SKINBENCH_FIT_BONE_SEARCH_H

#include "harness/fit/fit_task.h"

/* Fits and measures one number of bones: fills in result, metrics and total_s. */
typedef Status (*BoneFit)(const FitTask *task, FitOutcome *out);

/* Runs the search of task->error with `fit`; *out holds the model of the fewest bones and all trials. Ends as
 * fit_task_run does. */
Status bone_search_run(const FitTask *task, BoneFit fit, FitOutcome *out);

#endif
