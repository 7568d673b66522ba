/* Measures with the metrics of the program how far a candidate is from its target. */
#include "harness/library/library.h"

#include "harness/measure/metrics/frame_source.h"
#include "harness/measure/score/score.h"

static Status distances_keep(void *context, const DistanceBlock *block)
{
    const size_t vertices = (size_t)block->vertex_count;
    memcpy((float *)context + (size_t)block->first * vertices, block->distances,
           (size_t)block->count * vertices * sizeof *block->distances);
    return status_ok();
}

/* Compares a candidate with the stored positions of the target. `parts` holds the mesh, rig and
 * frames of the candidate. `values` and `distances` receive the results; either may be NULL. */
static Status parts_measure(const SkinbenchDataset *target, const Dataset *parts, int asked_threads,
                            double *values, int value_count, float *distances)
{
    const DistanceSink sink = {distances ? distances_keep : NULL, distances};
    const Dataset *contents = target->own;
    OWNED_BY(frame_source_close) FrameSource *ours = NULL, *theirs = NULL;
    CLEANUP(metrics_clear) Metrics metrics = {0};
    int threads = 1, count = 0;
    if (value_count < 0 || (value_count > 0 && !values))
        return bad_usage("value_count is %d, but values is NULL", value_count);
    STATUS_TRY(library_threads(asked_threads, &threads));
    STATUS_TRY(frame_source_of_parts("the target", &contents->mesh, &contents->animation, &contents->rig,
                                     NULL, threads, &ours));
    ours->further = true;
    STATUS_TRY(frame_source_of_parts("the candidate", &parts->mesh, &parts->animation, &parts->rig,
                                     &parts->low_rank, threads, &theirs));
    STATUS_TRY(frame_sources_measure_each(ours, theirs, NULL, sink, &metrics));
    const Metric *rows = metric_rows(&count);
    for (int i = 0; i < count && i < value_count; i++)
        values[i] = metric_value(&rows[i], &metrics);
    return status_ok();
}

SkinbenchStatus skinbench_measure(const SkinbenchDataset *target, const SkinbenchDataset *candidate,
                                  int threads, double *values, int value_count, float *distances)
{
    const long failures = memory_failures();
    LIBRARY_TRY(library_given(target, "target"));
    LIBRARY_TRY(library_given(candidate, "candidate"));
    return library_status(parts_measure(target, candidate->own, threads, values, value_count, distances),
                          failures);
}

SkinbenchStatus skinbench_measure_positions(const SkinbenchDataset *target, const float *positions,
                                            int frame_count, int threads, double *values, int value_count,
                                            float *distances)
{
    const long failures = memory_failures();
    LIBRARY_TRY(library_given(target, "target"));
    LIBRARY_TRY(library_given(positions, "position"));
    /* Make a read-only data set of the caller's frames and the target's mesh. */
    const Dataset parts = {.mesh = target->own->mesh,
                           .animation = {.frame_count = frame_count, .positions = (float *)positions}};
    return library_status(parts_measure(target, &parts, threads, values, value_count, distances), failures);
}

SkinbenchStatus skinbench_score(const SkinbenchDataset *predicted, const SkinbenchDataset *truth,
                                const char *const *settings, int setting_count, double *values,
                                int value_count)
{
    const long failures = memory_failures();
    Score score;
    ScoreTask task = {.pose_count = 0};
    LIBRARY_TRY(library_given(predicted, "predicted rig"));
    LIBRARY_TRY(library_given(truth, "true rig"));
    LIBRARY_TRY(library_given(values, "array of values"));
    LIBRARY_TRY(library_settings(score_parameters, "score", settings, setting_count, &task.parameters));
    task.mesh = &truth->own->mesh;
    task.truth = &truth->own->rig;
    task.rig_mesh = &predicted->own->mesh;
    task.rig = &predicted->own->rig;
    LIBRARY_TRY(score_rigs(&task, &score));
    for (int i = 0; i < SCORE_COUNT && i < value_count; i++)
        values[i] = score.values[i];
    return library_status(status_ok(), failures);
}
