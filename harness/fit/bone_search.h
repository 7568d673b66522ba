/* The fewest bones that reach an error (FESAM section 5): bones are doubled until the error is reached, then
 * the gap is halved. The error of a method need not fall with every bone more, so what is found is the least
 * number that was tried and reached, with one bone less tried and not. */
#ifndef SKINBENCH_FIT_BONE_SEARCH_H
#define SKINBENCH_FIT_BONE_SEARCH_H

#include "harness/fit/bone_fit.h"

/* Runs the search of task->error; *out holds the model of the fewest bones and all trials. Ends as fit_task_run
 * does. */
Status bone_search_run(const FitTask *task, FitOutcome *out);

#endif
