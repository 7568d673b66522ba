/* Times a device's kernel with different numbers of work items per group and of frames per work item, to
 * find how much faster it would be with the best numbers than with its defaults.
 *
 *   parameters: backend (default cuda), method (default lbs), rounds (default 7) */
#include "harness/measure/timing/statistics.h"
#include "harness/run/studies/device_limits.h"
#include "harness/run/studies/study.h"
#include "methods/runtime/backends/device_api.h"

enum { GROUPS = 4 };

const int device_tuning_frames[] = {1, 2, 4, 8, 16, 0};

Status study_device_tuning(const StudyInput *input, Measures *measures)
{
    const int rounds = study_rounds(input, 7.0);
    const Dataset *dataset = input->dataset;
    SkinnerOptions options;
    DeviceShape shape;
    void *handle = NULL;
    double best = INFINITY, own_ns = NAN;
    int best_frames = 0, best_group = 0;
    if (!dataset || dataset->rig.frame_count == 0 || dataset->mesh.vertex_count == 0)
        return bad_input("there is no rig with transforms");
    STATUS_TRY(study_method(input, study_text(input, "method", "lbs"), NULL, &options));
    STATUS_TRY(backend_find(study_text(input, "backend", "cuda"), &options.backend));
    const DeviceApi *api = options.backend->device_api;
    if (!api)
        return status_make(STATUS_UNAVAILABLE, "the backend %s does not run on a device",
                           options.backend->name);
    STATUS_TRY(api->open(&handle, &shape));
    api->close(handle);
    for (const int *frames = device_tuning_frames; *frames; frames++)
        for (int i = 0; i < GROUPS; i++) {
            char name[MEASURE_NAME_BYTES];
            options.device_frames = *frames;
            options.device_group = shape.group / 2 << i;
            /* median time of the kernel per vertex and frame, in nanoseconds */
            double samples[STUDY_ROUNDS_MAX];
            OWNED_BY(skinner_free) Skinner *skinner = NULL;
            DeviceTimes times = {0};
            STATUS_TRY(skinner_create(&options, &dataset->mesh, &dataset->rig, &skinner));
            STATUS_TRY(skinner_pose(skinner, dataset->rig.transforms, NULL, dataset->rig.frame_count));
            for (int round = -1; round < rounds; round++) {
                STATUS_TRY(skinner_skin(skinner));
                skinner_device_times(skinner, &times);
                samples[int_max(round, 0)] =
                    1e9 * times.kernel_s / dataset->mesh.vertex_count / dataset->rig.frame_count;
            }
            const double ns = median_sorting(samples, rounds);
            snprintf(name, sizeof name, "ns_%d_frames_%d_items", *frames, options.device_group);
            measures_add_timed(measures, name, ns);
            if (*frames == shape.frames && options.device_group == shape.group)
                own_ns = ns;
            if (ns < best) {
                best = ns;
                best_frames = *frames;
                best_group = options.device_group;
            }
        }
    measures_add_timed(measures, "own_ns", own_ns);
    measures_add_timed(measures, "best_ns", best);
    measures_add_timed(measures, "best_frames", best_frames);
    measures_add_timed(measures, "best_items", best_group);
    measures_add_timed(measures, "gain_percent", 100.0 * (own_ns / best - 1.0));
    return status_ok();
}
