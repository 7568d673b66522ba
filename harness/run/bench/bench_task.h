/* The one loop of a run, for suites and tables: plans are tasks, what the file has settled is counted, the
 * rest is run and appended. */
#pragma once

#include "harness/records/record/plans.h"
#include "harness/records/record/subject.h"
#include "harness/run/bench/bench.h"

/* Runs a cell and fills its record in: status, reason, what was measured. The status is not OK only where the
 * whole run must end. subject: NULL for a cell without data. */
typedef Status (*CellRun)(const void *context, const Subject *subject, const Bench *bench, Record *record);

/* One thing to do on a data set: a cell that is run by itself, or ways to skin, which are timed as one
 * group. */
typedef struct BenchTask {
    Cell cell; /* owned */
    CellRun run;
    const void *context;       /* of run, borrowed */
    const SkinningPlan *plans; /* [plan_count], borrowed; NULL: a cell by itself */
    int plan_count;
} BenchTask;

/* Does the tasks in order: what the file has settled on this machine is counted, the rest is run and
 * appended. The cells of the tasks that ran are taken over. STATUS_STOPPED when the user asked for a stop. */
Status bench_run(Bench *bench, const Subject *subject, BenchTask *tasks, int count);

/* Releases an array of tasks; NULL is allowed. */
void bench_tasks_free(BenchTask *tasks, int count);
