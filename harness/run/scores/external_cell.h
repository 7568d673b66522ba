/* Runs external programs that do not fit animations as cells of a benchmark: predictors of rigs and weights,
 * which are scored against the true rig, and skins, which are compared with every direct method. */
#pragma once

#include "harness/run/bench/bench_task.h"

/* Makes the task that runs a program, which is borrowed, on a rig. */
Status external_cell_task(External *program, const Subject *subject, BenchTask *out);
