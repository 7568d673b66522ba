/* Contains two studies. The first measures a device's limits with kernels of a few lines, copies and
 * transfers. The second compares our LBS kernel with the textbook version for GPUs. Kernels are timed by
 * the device's clock.
 *
 *   parameters of both studies
 *     backend     cuda by default
 *     rounds      7 by default
 *   parameter of device-limits only
 *     megabytes   size of each array, 256 by default */
#include "harness/run/studies/device_limits.h"

#include "harness/measure/metrics/frame_distance.h"
#include "harness/measure/timing/statistics.h"
#include "harness/run/studies/study.h"
#include "methods/runtime/backends/device_binding.h"

enum { TURNS = 16, STEPS = 512, INFLUENCES = 4 };

extern const char limits_kernel_text[]; /* embedded */

char *limit_program(LimitKernel kernel)
{
    enum { CONSTANTS_BYTES = 128 };
    const size_t size = CONSTANTS_BYTES + strlen(limits_kernel_text);
    char *text = memory_array(size, 1);
    if (text)
        snprintf(text, size,
                 "#define LIMIT_ENTRY " DEVICE_ENTRY_POINT
                 "\n#define LIMIT_KERNEL %d\n#define LIMIT_TURNS %d\n#define LIMIT_STEPS %d\n%s",
                 kernel, TURNS, STEPS, limits_kernel_text);
    return text;
}

/* An open device, and a kernel launch with one work item per vertex and frame. */
typedef struct DeviceTrial {
    const DeviceApi *api;
    void *handle, *pinned;
    DeviceLaunch launch;
    int rounds;
} DeviceTrial;

static void trial_clear(DeviceTrial *trial)
{
    if (trial->pinned)
        trial->api->host_release(trial->handle, trial->pinned);
    if (trial->handle)
        trial->api->close(trial->handle);
}

static Status trial_open(const StudyInput *input, DeviceTrial *out)
{
    const Backend *backend = NULL;
    char name[STATUS_TEXT_BYTES];
    STATUS_TRY(backend_find(study_text(input, "backend", "cuda"), &backend));
    if (!backend->device_api)
        return status_make(STATUS_UNAVAILABLE, "the backend %s does not run on a device", backend->name);
    STATUS_TRY(backend->probe(name, sizeof name));
    *out = (DeviceTrial){.api = backend->device_api, .rounds = study_rounds(input, 7.0)};
    STATUS_TRY(out->api->open(&out->handle, &out->launch.shape));
    out->launch.shape.frames = out->launch.shape.lanes = out->launch.shape.reals = 1;
    for (int buffer = 0; buffer < BUFFER_COUNT; buffer++)
        STATUS_TRY(out->api->allocate(out->handle, (DeviceBuffer)buffer, 0));
    return status_ok();
}

static Status trial_compile(DeviceTrial *trial, LimitKernel kernel)
{
    OWNED char *text = limit_program(kernel);
    ALLOCATED(text, "a program");
    trial->launch.variant = (int)kernel;
    return trial->api->compile(trial->handle, "a device's limit", text, (int)kernel);
}

/* Measures the median time of a kernel by the device's clock, and the time to launch it by the host's
 * clock. */
static Status trial_run(DeviceTrial *trial, LimitKernel kernel, int items, double *kernel_s, double *launch_s)
{
    double samples[2][STUDY_ROUNDS_MAX];
    STATUS_TRY(trial_compile(trial, kernel));
    trial->launch.sizes[DEVICE_SIZE_VERTICES] = trial->launch.sizes[DEVICE_SIZE_TILES] = items;
    trial->launch.sizes[DEVICE_SIZE_FRAMES] = 1;
    for (int round = -1; round < trial->rounds; round++) {
        DeviceTimes times = {0};
        const double start_s = clock_now_s();
        STATUS_TRY(trial->api->launch(trial->handle, &trial->launch, &times));
        samples[0][int_max(round, 0)] = times.kernel_s;
        samples[1][int_max(round, 0)] = clock_now_s() - start_s;
    }
    *kernel_s = median_sorting(samples[0], trial->rounds);
    *launch_s = median_sorting(samples[1], trial->rounds);
    return status_ok();
}

/* Measures the bytes per second transferred to the device and back to the host. */
static Status transfers_measure(const DeviceTrial *trial, void *memory, size_t size, double rates[2])
{
    double samples[2][STUDY_ROUNDS_MAX];
    for (int round = -1; round < trial->rounds; round++) {
        const double start_s = clock_now_s();
        STATUS_TRY(trial->api->upload(trial->handle, BUFFER_REST, size, memory));
        const double between_s = clock_now_s();
        STATUS_TRY(trial->api->download(trial->handle, BUFFER_REST, 0, size, memory));
        samples[0][int_max(round, 0)] = between_s - start_s;
        samples[1][int_max(round, 0)] = clock_now_s() - between_s;
    }
    for (int way = 0; way < 2; way++)
        rates[way] = (double)size / median_sorting(samples[way], trial->rounds);
    return status_ok();
}

Status study_device_limits(const StudyInput *input, Measures *measures)
{
    const size_t size = (size_t)fmin(fmax(study_number(input, "megabytes", 256.0), 1.0), 4096.0) << 20;
    const int items = (int)(size / sizeof(float) / TURNS);
    double kernel_s = 0.0, launch_s = 0.0, pinned[2], pageable[2], copies[STUDY_ROUNDS_MAX],
           flops = 2.0 * 8 * STEPS;
    CLEANUP(trial_clear) DeviceTrial trial = {0};
    STATUS_TRY(trial_open(input, &trial));
    LOCAL_ARRAY(char, memory, size, "the data that a device transfers");
    STATUS_TRY(trial.api->allocate(trial.handle, BUFFER_REST, size));
    STATUS_TRY(trial.api->allocate(trial.handle, BUFFER_OUT, size));
    trial.pinned = trial.api->host_allocate(trial.handle, size);
    ALLOCATED(trial.pinned, "the data that a device transfers");
    memset(trial.pinned, 0, size);
    memset(memory, 0, size);
    STATUS_TRY(transfers_measure(&trial, memory, size, pageable));
    STATUS_TRY(transfers_measure(&trial, trial.pinned, size, pinned));
    for (int round = -1; round < trial.rounds; round++) {
        copies[int_max(round, 0)] = 0.0;
        STATUS_TRY(trial.api->copy(trial.handle, size, &copies[int_max(round, 0)]));
    }
    measures_add_timed(measures, "copy_gb_per_s", 2e-9 * (double)size / median_sorting(copies, trial.rounds));
    STATUS_TRY(trial_run(&trial, LIMIT_READ, items, &kernel_s, &launch_s));
    measures_add_timed(measures, "read_gb_per_s", 1e-9 * (double)size / kernel_s);
    STATUS_TRY(trial_run(&trial, LIMIT_WRITE, items, &kernel_s, &launch_s));
    measures_add_timed(measures, "write_gb_per_s", 1e-9 * (double)size / kernel_s);
    const int quarter = items / 4;
    STATUS_TRY(trial_run(&trial, LIMIT_ARITHMETIC, quarter, &kernel_s, &launch_s));
    measures_add_timed(measures, "gflop_per_s", 1e-9 * flops * quarter / kernel_s);
    STATUS_TRY(trial_run(&trial, LIMIT_NOTHING, 1, &kernel_s, &launch_s));
    measures_add_timed(measures, "launch_us", 1e6 * launch_s);
    measures_add_timed(measures, "pinned_up_gb_per_s", 1e-9 * pinned[0]);
    measures_add_timed(measures, "pinned_down_gb_per_s", 1e-9 * pinned[1]);
    measures_add_timed(measures, "pageable_up_gb_per_s", 1e-9 * pageable[0]);
    measures_add_timed(measures, "pageable_down_gb_per_s", 1e-9 * pageable[1]);
    return status_ok();
}

/* ---- LBS as in textbooks ---- */

static Status send(const DeviceTrial *trial, DeviceBuffer buffer, const void *data, size_t size)
{
    STATUS_TRY(trial->api->allocate(trial->handle, buffer, size));
    return trial->api->upload(trial->handle, buffer, size, data);
}

/* Checks that the last frame skinned by the textbook kernel differs from the reference by at most
 * `tolerance` diagonals. */
static Status textbook_check(const StudyInput *input, const DeviceTrial *trial, double tolerance)
{
    const Mesh *mesh = &input->dataset->mesh;
    const Rig *rig = &input->dataset->rig;
    const size_t values = 3 * (size_t)mesh->vertex_count, last = (size_t)rig->frame_count - 1;
    SkinnerOptions options;
    LOCAL_ARRAY(double, expected, values, "a kernel as textbooks write it");
    LOCAL_ARRAY(float, positions, values, "a kernel as textbooks write it");
    STATUS_TRY(study_method(input, "lbs", NULL, &options));
    STATUS_TRY(study_skin(&options, mesh, rig, (int)last, expected));
    STATUS_TRY(trial->api->download(trial->handle, BUFFER_OUT, last * values * sizeof *positions,
                                    values * sizeof *positions, positions));
    const double distance = frame_distance_of_floats(positions, expected, mesh->vertex_count) /
                            bounds_of(mesh->rest, mesh->vertex_count).diagonal;
    return distance <= tolerance ? status_ok()
                                 : status_make(STATUS_CHECK_FAILED,
                                               "the kernel that textbooks describe differs from reference by "
                                               "%.3g diagonals (tolerance %g)",
                                               distance, tolerance);
}

Status study_device_peer(const StudyInput *input, Measures *measures)
{
    double samples[4][STUDY_ROUNDS_MAX], ratios[STUDY_ROUNDS_MAX];
    CLEANUP(trial_clear) DeviceTrial trial = {0};
    OWNED_BY(skinner_free) Skinner *skinner = NULL;
    SkinnerOptions options;
    DeviceTimes times = {0};
    DeviceSample sample = {0};
    const Dataset *dataset = input->dataset;
    if (!dataset || dataset->rig.frame_count == 0 || dataset->mesh.vertex_count == 0 ||
        dataset->rig.influence_count > INFLUENCES)
        return bad_input("needs a rig with posed frames and at most %d influences per vertex", INFLUENCES);
    const Rig *rig = &dataset->rig;
    const size_t points = (size_t)dataset->mesh.vertex_count * (size_t)rig->frame_count;
    STATUS_TRY(trial_open(input, &trial));
    LOCAL_TABLE(float, positions, points, 3, "the skinned frames");
    STATUS_TRY(study_method(input, "lbs", NULL, &options));
    STATUS_TRY(backend_find(study_text(input, "backend", "cuda"), &options.backend));
    STATUS_TRY(skinner_create(&options, &dataset->mesh, rig, &skinner));
    STATUS_TRY(skinner_pose(skinner, rig->transforms, NULL, rig->frame_count));
    const size_t vertices = (size_t)dataset->mesh.vertex_count, given = (size_t)rig->influence_count;
    const size_t palette = (size_t)rig->frame_count * (size_t)rig->joint_count * 12;
    LOCAL_TABLE(int32_t, joints, vertices, INFLUENCES, "a kernel as textbooks write it");
    LOCAL_TABLE(float, weights, vertices, INFLUENCES, "a kernel as textbooks write it");
    LOCAL_ARRAY(float, values, palette, "a kernel as textbooks write it");
    for (size_t i = 0; i < vertices * INFLUENCES; i++)
        if (i % INFLUENCES < given) {
            joints[i] = rig->weight_joints[i / INFLUENCES * given + i % INFLUENCES];
            weights[i] = rig->weight_values[i / INFLUENCES * given + i % INFLUENCES];
        }
    for (size_t i = 0; i < palette; i++)
        values[i] = (float)(&rig->transforms[i / 12].m00)[i % 12];
    STATUS_TRY(send(&trial, BUFFER_REST, dataset->mesh.rest, 3 * vertices * sizeof(float)));
    STATUS_TRY(send(&trial, BUFFER_JOINTS, joints, vertices * INFLUENCES * sizeof *joints));
    STATUS_TRY(send(&trial, BUFFER_WEIGHTS, weights, vertices * INFLUENCES * sizeof *weights));
    STATUS_TRY(send(&trial, BUFFER_JOINT_VALUES, values, palette * sizeof *values));
    trial.launch.sizes[DEVICE_SIZE_VERTICES] = trial.launch.sizes[DEVICE_SIZE_TILES] =
        dataset->mesh.vertex_count;
    trial.launch.sizes[DEVICE_SIZE_JOINTS] = rig->joint_count;
    trial.launch.sizes[DEVICE_SIZE_FRAMES] = rig->frame_count;
    STATUS_TRY(trial.api->allocate(trial.handle, BUFFER_OUT,
                                   3 * vertices * (size_t)rig->frame_count * sizeof(float)));
    STATUS_TRY(trial_compile(&trial, LIMIT_TEXTBOOK));
    for (int round = -1; round < trial.rounds; round++) {
        const int slot = int_max(round, 0);
        DeviceTimes textbook = {0};
        STATUS_TRY(trial.api->launch(trial.handle, &trial.launch, &textbook));
        STATUS_TRY(skinner_skin_frames(skinner, positions, NULL));
        skinner_device_times(skinner, &times);
        samples[0][slot] = 1e9 * textbook.kernel_s / (double)points;
        samples[1][slot] = 1e9 * times.kernel_s / (double)points;
        STATUS_TRY(skinner_skin(skinner));
        skinner_device_times(skinner, &times);
        STATUS_TRY(skinner_device_measure(skinner, &sample));
        samples[2][slot] = 1e9 * times.kernel_s / (double)points;
        ratios[slot] = samples[0][slot] / samples[1][slot];
        samples[3][slot] = 100.0 * sample.copy_s / times.kernel_s;
    }
    STATUS_TRY(textbook_check(input, &trial, options.entry->method->tolerance));
    measures_add_samples(measures, "textbook_ns", samples[0], trial.rounds);
    measures_add_samples(measures, "lbs_file_ns", samples[1], trial.rounds);
    measures_add_samples(measures, "lbs_ns", samples[2], trial.rounds);
    measures_add_samples(measures, "lbs_copy_percent", samples[3], trial.rounds);
    measures_add_samples(measures, "textbook_over_lbs", ratios, trial.rounds);
    return status_ok();
}
