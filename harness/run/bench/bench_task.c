#include "harness/run/bench/bench_task.h"

#include "harness/run/bench/group.h"

/* Runs a task and takes ownership of the task's cell. */
static Status cell_run(Bench *bench, const Subject *subject, BenchTask *task)
{
    bool here = false;
    const Status known = shard_holds(&bench->shard, &task->cell, &here);
    if (known.code != STATUS_OK || !here)
        return known;
    if (bench->forecast)
        return forecast_add(bench->forecast, bench->store, &task->cell,
                            bench_already_done(bench, &task->cell), NAN);
    if (bench_already_done(bench, &task->cell)) {
        bench->counts.already++;
        return status_ok();
    }
    CLEANUP(record_clear) Record record = record_of(&task->cell);
    STATUS_TRY(task->run(task->context, subject, bench, &record));
    return bench_append(bench, &record);
}

Status bench_run(Bench *bench, const Subject *subject, BenchTask *tasks, int count)
{
    for (int i = 0; i < count; i++)
        STATUS_TRY(tasks[i].plans ? skinning_group_run(bench, subject, tasks[i].plans, tasks[i].plan_count)
                                  : cell_run(bench, subject, &tasks[i]));
    return status_ok();
}

void bench_tasks_clear(BenchTasks *tasks)
{
    for (int i = 0; i < tasks->count; i++)
        cell_clear(&tasks->items[i].cell);
    memory_free(tasks->items);
}
