/* Runs a fit, measures what it delivers frame by frame, and writes the outcome into a record. */
#include "harness/fit/fit_task.h"

#include "harness/fit/bone_search.h"
#include "methods/fitting/decomposition_method.h"

Status fit_task_run(const FitTask *task, FitOutcome *out)
{
    *out = (FitOutcome){0};
    if (task->animation->frame_count < 1)
        return status_make(STATUS_BAD_INPUT, "%s has no animation/positions to fit", task->name);
    Status status = task->error > 0.0 ? bone_search_run(task, out) : bone_fit_run(task, out);
    if (status.code == STATUS_OK)
        out->size_bytes = decomposition_size(&out->result, task->mesh->vertex_count);
    return status;
}
