/* Binds and runs a cell once, compares its result with the reference and measures its accuracy. Afterwards
 * the cell's stages are ready to be timed. */
#include "harness/run/bench/skinning_cell.h"

#include "datasets/base/lanes.h"
#include "datasets/geometry/points.h"
#include "datasets/model/validate.h"
#include "harness/measure/metrics/frame_distance.h"
#include "harness/measure/metrics/metrics_stream.h"

/* Number of rounds in which the kernel of a device is compared with copies within the device. */
enum { DEVICE_MEASUREMENTS = 8 };

/* Tolerance for unit normals. It is larger than the tolerance for positions, which are measured relative to
 * the diagonal. */
static const double NORMAL_TOLERANCE_FACTOR = 100.0;

Status posing_init(const Dataset *dataset, int frames_cap, int frame_count, Posing *out)
{
    const Rig *rig = &dataset->rig;
    const int distinct = int_min(rig->frame_count, frames_cap), count = int_max(distinct, frame_count);
    const size_t joints = (size_t)rig->joint_count;
    *out = (Posing){.frame_count = count, .distinct_count = distinct, .joint_count = joints};
    ALLOCATE(out->frames, count, "the poses");
    ALLOCATE_TABLE(out->transforms, count, joints, "the poses");
    if (rig->scale)
        ALLOCATE_TABLE(out->scale, count, joints, "the poses");
    for (int i = 0; i < count; i++) {
        out->frames[i] = (int)((long)(i % distinct) * rig->frame_count / distinct);
        const size_t from = (size_t)out->frames[i] * joints, target = (size_t)i * joints;
        memcpy(out->transforms + target, rig->transforms + from, joints * sizeof *rig->transforms);
        if (rig->scale)
            memcpy(out->scale + target, rig->scale + from, joints * sizeof *rig->scale);
    }
    return status_ok();
}

Status posing_results_make(Posing *posing, int vertex_count, bool normals)
{
    const size_t values = 3 * (size_t)vertex_count;
    ALLOCATE_TABLE(posing->positions, posing->frame_count, values, "the skinned frames");
    if (normals)
        ALLOCATE_TABLE(posing->normals, posing->frame_count, values, "the skinned frames");
    return status_ok();
}

void posing_clear(Posing *posing)
{
    FREE_ALL(posing->positions, posing->normals, posing->frames, posing->transforms, posing->scale);
    *posing = (Posing){0};
}

Status skinning_cell_plan(SkinningCell *cell, const SkinningPlan *plan, const Subject *subject,
                          const Posing *posing)
{
    Cell asked;
    *cell = (SkinningCell){.plan = *plan, .subject = subject, .posing = posing};
    const Status status = skinning_plan_cell(plan, &asked);
    asked.dataset = subject_cell_dataset(subject);
    asked.frames = posing->frame_count;
    cell->record =
        record_of(&asked); /* whether or not the step failed, the record now owns the cell's memory */
    STATUS_TRY(status);
    return cell_digest(&cell->record.cell, cell->digest);
}

static Status plan_bind(const SkinningPlan *plan, const Subject *subject, SkinnerCache *cache, Skinner **out,
                        double *bind_s)
{
    SkinnerOptions options = {.entry = plan->entry,
                              .parameters = plan->parameters,
                              .backend = plan->backend,
                              .simd_level = plan->level[0] != '\0' ? plan->level : NULL,
                              .threads = plan->threads,
                              .normals = plan->normals,
                              .two_phase = plan->two_phase,
                              .first_phase = skinning_first_phase(),
                              .cache = cache};
    *out = NULL;
    const double start = clock_now_s();
    const Status status = skinner_create(&options, &subject->dataset->mesh, &subject->dataset->rig, out);
    *bind_s = clock_now_s() - start + (cache ? cache->saved_s : 0.0);
    return status;
}

Status skinner_run_once(const SkinningPlan *plan, const Subject *subject, const Posing *posing,
                        SkinnerCache *cache, Skinner **out)
{
    double bind_s = 0.0;
    OWNED_BY(skinner_free) Skinner *skinner = NULL;
    *out = NULL;
    STATUS_TRY(plan_bind(plan, subject, cache, &skinner, &bind_s));
    STATUS_TRY(skinner_pose(skinner, posing->transforms, posing->scale, posing->frame_count));
    STATUS_TRY(skinner_skin(skinner));
    *out = TAKE(skinner);
    return status_ok();
}

static float *cell_normals(const SkinningCell *cell)
{
    return cell->plan.normals ? cell->posing->normals : NULL;
}

static Status run_pose(void *context)
{
    SkinningCell *cell = context;
    cell->skinned = false;
    return skinner_pose(cell->skinner, cell->posing->transforms, cell->posing->scale,
                        cell->posing->frame_count);
}

static Status run_frame(void *context)
{
    SkinningCell *cell = context;
    STATUS_TRY(run_pose(context));
    return skinner_skin_frames(cell->skinner, cell->posing->positions, cell_normals(cell));
}

/* Largest distances of a cell from the reference. Distances of positions are fractions of the diagonal;
 * distances of normals are those of unit vectors. */
typedef struct Difference {
    double positions, normals;
    int vertex, frame; /* the first vertex that is too far from the reference, and its frame, as numbered in
                          the file; -1 if there is none */
} Difference;

/* Returns the largest distance between the positions of `count` vertices, from index `first` on, and their
 * expected positions. The expected positions are floats or, if those are NULL, doubles. */
static double distance_from(const float *floats, const double *doubles, const double *expected, int first,
                            int count)
{
    const ptrdiff_t offset = 3 * (ptrdiff_t)first;
    return floats ? frame_distance_of_floats(floats + offset, expected + offset, count)
                  : frame_distance(doubles + offset, expected + offset, count);
}

static void difference_add(Difference *out, int frame, const float *floats, const double *doubles,
                           const double *expected, int count, double diagonal, double tolerance)
{
    const double distance = distance_from(floats, doubles, expected, 0, count) / diagonal;
    out->positions = fmax(out->positions, distance);
    if (distance <= tolerance || out->vertex >= 0)
        return;
    out->frame = frame;
    for (out->vertex = 0; distance_from(floats, doubles, expected, out->vertex, 1) / diagonal <= tolerance;)
        out->vertex++;
}

/* Compares a frame with the reference in two ways. First the skin is computed in bound order and read back;
 * then it is written directly in file order. */
static Status cell_verify(SkinningCell *cell, Skinner *reference, Difference *read, Difference *in_file)
{
    const Mesh *mesh = &cell->subject->dataset->mesh;
    const Posing *posing = cell->posing;
    int vertices = mesh->vertex_count;
    size_t values = 3 * (size_t)vertices;
    LOCAL_TABLE(double, workspace, 4, values, "the comparison with the reference");
    double extent = bounds_of(mesh->rest, vertices).diagonal, diagonal = extent > 0.0 ? extent : 1.0;
    const double tolerance = cell->plan.entry->method->tolerance;
    *read = *in_file = (Difference){.vertex = -1};
    double *expected = workspace + values;
    double *normals = cell->plan.normals ? workspace + 2 * values : NULL;
    double *expected_normals = cell->plan.normals ? workspace + 3 * values : NULL;
    const double start = clock_now_s();
    STATUS_TRY(run_frame(cell));
    cell->first_frame_s = clock_now_s() - start;
    STATUS_TRY(skinner_skin(cell->skinner));
    for (int f = 0; f < posing->frame_count; f++) {
        const size_t first = (size_t)f * values;
        STATUS_TRY(skinner_read_double(cell->skinner, f, workspace, normals));
        STATUS_TRY(skinner_read_double(reference, f % posing->distinct_count, expected, expected_normals));
        difference_add(read, posing->frames[f], NULL, workspace, expected, vertices, diagonal, tolerance);
        difference_add(in_file, posing->frames[f], posing->positions + first, NULL, expected, vertices,
                       diagonal, tolerance);
        if (!normals)
            continue;
        read->normals = fmax(read->normals, frame_distance(normals, expected_normals, vertices));
        in_file->normals = fmax(
            in_file->normals, frame_distance_of_floats(posing->normals + first, expected_normals, vertices));
    }
    return status_ok();
}

/* Computes metrics against the data set's own positions in the posed frames, unless the result is not
 * finite. */
static Status cell_measure(SkinningCell *cell, bool *finite)
{
    const Dataset *dataset = cell->subject->dataset;
    const int frames = cell->posing->distinct_count;
    const size_t values = 3 * (size_t)dataset->mesh.vertex_count;
    OWNED_BY(metrics_stream_close) MetricsStream *stream = NULL;
    CLEANUP(metrics_clear) Metrics metrics = {0};
    LOCAL_TABLE(float, target, LANES, values, "frames to compare");
    for (int f = 0; f < frames; f += LANES) {
        const int count = int_min(frames - f, LANES);
        const float *positions = cell->posing->positions + (size_t)f * values;
        for (int l = 0; l < count; l++)
            memcpy(target + (size_t)l * values,
                   dataset->animation.positions + (size_t)cell->posing->frames[f + l] * values,
                   values * sizeof *target);
        if (f == 0)
            STATUS_TRY(metrics_stream_open(&dataset->mesh, target, frames, cell->record.cell.threads, NULL,
                                           &stream));
        *finite = float_not_finite(positions, count * (int64_t)values) < 0;
        if (!*finite)
            return status_ok();
        STATUS_TRY(metrics_stream_add(stream, count, target, positions));
    }
    STATUS_TRY(metrics_stream_finish(stream, &metrics));
    measures_add_metrics(&cell->record.metrics, &metrics, false);
    return status_ok();
}

Status skinning_counters(const Skinner *skinner, const SkinningMethod *method, const Posing *posing,
                         RecordCounter counters[SKINNING_COUNTERS_MAX], int *count)
{
    *count = 0;
    if (method->counter_count == 0 || posing->scale || posing->frame_count == 0)
        return status_ok();
    for (int c = 0; c < method->counter_count; c++) {
        counters[c] = (RecordCounter){.mean = 0.0, .max = 0.0};
        snprintf(counters[c].name, sizeof counters[c].name, "%s", method->counters[c].name);
    }
    for (int f = 0; f < posing->frame_count; f++) {
        double values[SKINNING_COUNTERS_MAX] = {0.0};
        STATUS_TRY(skinner_count(skinner, posing->transforms + (size_t)f * posing->joint_count, values));
        for (int c = 0; c < method->counter_count; c++) {
            counters[c].mean += values[c];
            counters[c].max = fmax(counters[c].max, values[c]);
        }
    }
    for (int c = 0; c < method->counter_count; c++)
        counters[c].mean /= posing->frame_count;
    *count = method->counter_count;
    return status_ok();
}

static Status cell_try(SkinningCell *cell, Skinner *reference, const RecordCounter *counters,
                       int counter_count, SkinnerCache *cache)
{
    Difference read, in_file;
    Record *record = &cell->record;
    char device[STATUS_TEXT_BYTES];
    STATUS_TRY(cell->plan.backend->probe(device, sizeof device));
    record_set_text(&record->device, device);
    STATUS_TRY(plan_bind(&cell->plan, cell->subject, cache, &cell->skinner, &cell->bind_s));
    STATUS_TRY(cell_verify(cell, reference, &read, &in_file));
    /* A result that is not finite gets an infinite distance and no metrics. The distance in the record is
     * that of the frames that were skinned in bound order and read back. It is computed in doubles if the
     * backend computes in doubles. */
    const Dataset *dataset = cell->subject->dataset;
    double tolerance = cell->plan.entry->method->tolerance;
    const Difference *place = read.vertex >= 0 ? &read : &in_file;
    const Difference worst = {.positions = fmax(read.positions, in_file.positions),
                              .normals = fmax(read.normals, in_file.normals)};
    bool finite = isfinite(worst.positions), finite_normals = isfinite(worst.normals);
    if (dataset->animation.positions && dataset->animation.frame_count == dataset->rig.frame_count &&
        cell->posing->frame_count > 0 && finite)
        STATUS_TRY(cell_measure(cell, &finite));
    measures_add(&record->metrics, "reference_distance_max", read.positions);
    measures_add(&record->metrics, "tolerance", tolerance);
    if (cell->plan.normals)
        measures_add(&record->metrics, "reference_normal_difference_max", read.normals);
    cell->live =
        finite && worst.positions <= tolerance && worst.normals <= tolerance * NORMAL_TOLERANCE_FACTOR;
    record->status = cell->live ? RECORD_OK : RECORD_WRONG;
    char reason[STATUS_TEXT_BYTES] = "";
    if (!finite || !finite_normals)
        text_append(reason, sizeof reason, "gives %s that are not finite", finite ? "normals" : "positions");
    else if (!cell->live)
        text_append(reason, sizeof reason,
                    "differs from reference by %.3g diagonals (tolerance %g), normals by %.3g",
                    worst.positions, tolerance, worst.normals);
    if (place->vertex >= 0 && finite)
        text_append(reason, sizeof reason, ", first at vertex %d of frame %d", place->vertex, place->frame);
    record_set_text(&record->reason, reason);
    STATUS_TRY(measures_status(&record->metrics));
    record->joint_sets = skinner_joint_sets(cell->skinner)->set_count;
    return record_set_counters(record, counters, counter_count);
}

void skinning_cell_prepare(SkinningCell *cell, Skinner *reference, const RecordCounter *counters,
                           int counter_count, SkinnerCache *cache)
{
    const Status status = cell_try(cell, reference, counters, counter_count, cache);
    if (status.code != STATUS_OK)
        record_fail(&cell->record, record_status_of(status.code), status.text);
}

static Status run_skin(void *context)
{
    SkinningCell *cell = context;
    cell->skinned = true;
    return skinner_skin(cell->skinner);
}

/* Makes a skin before the deliver stage is timed, because posing invalidates it. The time to skin is not
 * part of the stage. */
static Status prepare_deliver(void *context)
{
    SkinningCell *cell = context;
    if (cell->skinned)
        return status_ok();
    cell->skinned = true;
    return skinner_skin(cell->skinner);
}

static Status run_deliver(void *context)
{
    SkinningCell *cell = context;
    for (int f = 0; f < cell->posing->frame_count; f++)
        STATUS_TRY(skinner_read(cell->skinner, f, cell->posing->positions, cell_normals(cell)));
    return status_ok();
}

Status skinning_cell_make_tasks(SkinningCell *cell, int rounds_cap)
{
    static Status (*const runs[STAGE_COUNT])(void *) = {[STAGE_POSE] = run_pose,
                                                        [STAGE_SKIN] = run_skin,
                                                        [STAGE_DELIVER] = run_deliver,
                                                        [STAGE_FRAME] = run_frame};
    for (int w = 0; w < TIMED_STAGES; w++) {
        cell->tasks[w] = (TimedTask){.run = runs[timed_stage(w)],
                                     .context = cell,
                                     .alone = cell->plan.threads == 1 && !cell->plan.backend->is_device};
        cell->tasks[w].prepare = timed_stage(w) == STAGE_DELIVER ? prepare_deliver : NULL;
        /* On a GPU the frames are repeated for timing, but they are not read back one after another.
         * Therefore the deliver stage is not timed there. */
        cell->tasks[w].dropped =
            timed_stage(w) == STAGE_DELIVER && cell->posing->frame_count > cell->posing->distinct_count;
        ALLOCATE(cell->tasks[w].samples, rounds_cap, "the samples of a cell");
    }
    if (cell->plan.backend->is_device)
        for (int value = 0; value < DEVICE_VALUES; value++)
            ALLOCATE(cell->device[value], rounds_cap, "the samples of a cell");
    return status_ok();
}

static void device_value_add(SkinningCell *cell, DeviceValue value, double seconds)
{
    cell->device[value][cell->device_counts[value]++] = seconds;
}

Status skinning_cell_ask_device(SkinningCell *cell, Stage stage)
{
    DeviceTimes times;
    DeviceSample sample;
    if (!cell->device[0] || !skinner_device_times(cell->skinner, &times))
        return status_ok();
    if (stage == STAGE_FRAME) {
        device_value_add(cell, DEVICE_FRAME_KERNEL, times.kernel_s);
        device_value_add(cell, DEVICE_UPLOAD, times.upload_s);
        device_value_add(cell, DEVICE_DOWNLOAD, times.download_s);
    }
    if (stage != STAGE_SKIN || cell->subject->dataset->mesh.vertex_count == 0 ||
        cell->posing->frame_count == 0)
        return status_ok();
    device_value_add(cell, DEVICE_KERNEL, times.kernel_s);
    if (cell->device_counts[DEVICE_COPY] >= DEVICE_MEASUREMENTS)
        return status_ok();
    STATUS_TRY(skinner_device_measure(cell->skinner, &sample));
    device_value_add(cell, DEVICE_COLD_KERNEL, sample.cold_kernel_s);
    device_value_add(cell, DEVICE_COPY, sample.copy_s);
    device_value_add(cell, DEVICE_COLD_COPY, sample.cold_copy_s);
    cell->device_moved_bytes = sample.moved_bytes;
    return status_ok();
}

DeviceTiming skinning_cell_device(const SkinningCell *cell, double *scratch)
{
    double medians[DEVICE_VALUES];
    for (int value = 0; value < DEVICE_VALUES; value++)
        medians[value] =
            statistics_of(cell->device[value], (size_t)cell->device_counts[value], 1, scratch).median;
    return (DeviceTiming){.kernel_s = medians[DEVICE_KERNEL],
                          .cold_kernel_s = medians[DEVICE_COLD_KERNEL],
                          .copy_s = medians[DEVICE_COPY],
                          .cold_copy_s = medians[DEVICE_COLD_COPY],
                          .moved_bytes =
                              cell->device_counts[DEVICE_COPY] > 0 ? cell->device_moved_bytes : NAN,
                          .frame_kernel_s = medians[DEVICE_FRAME_KERNEL],
                          .upload_s = medians[DEVICE_UPLOAD],
                          .download_s = medians[DEVICE_DOWNLOAD]};
}

void skinning_cell_clear(SkinningCell *cell)
{
    for (int w = 0; w < TIMED_STAGES; w++)
        memory_free(cell->tasks[w].samples);
    for (int value = 0; value < DEVICE_VALUES; value++)
        memory_free(cell->device[value]);
    skinner_free(cell->skinner);
    record_clear(&cell->record);
    *cell = (SkinningCell){0};
}
