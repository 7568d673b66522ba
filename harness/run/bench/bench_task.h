/* The main loop of a run, for suites and tables. It turns plans into tasks. Cells that are already in the
 * file are only counted; all other cells are run and appended. */
#pragma once

#include "harness/records/record/plans.h"
#include "harness/records/record/subject.h"
#include "harness/run/bench/bench.h"

/* Runs a cell and fills its record: status, reason, and measurements. Fails only if the whole run must end.
 * `subject` is NULL for a cell without data. */
typedef Status (*CellRun)(const void *context, const Subject *subject, const Bench *bench, Record *record);

/* One unit of work on a data set: a single cell, or several ways to skin that are timed together. */
typedef struct BenchTask {
    Cell cell; /* owned */
    CellRun run;
    const void *context; /* argument of `run`, borrowed */
    const SkinningPlan
        *plans; /* [plan_count] ways to skin that are timed together, borrowed; NULL for a single cell */
    int plan_count;
} BenchTask;

typedef struct BenchTasks {
    BenchTask *items;
    int count;
} BenchTasks;

/* Runs the tasks in order and takes ownership of their cells. Cells that the file already has from this
 * machine are only counted. STATUS_STOPPED if the user asked to stop. */
Status bench_run(Bench *bench, const Subject *subject, BenchTask *tasks, int count);

void bench_tasks_clear(BenchTasks *tasks);
