/* A cell is bound and run once, held against the reference and measured; its stages are then ready to be timed. */
#include "harness/bench/skinning_cell.h"

#include "datasets/base/clock.h"
#include "datasets/base/memory.h"
#include "datasets/geometry/points.h"
#include "datasets/model/validate.h"
#include "harness/bench/frame_distance.h"
#include "harness/metrics/metrics.h"
#include "methods/registry.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Normals are unit vectors: they may differ by more than positions do in shares of a diagonal. */
static const double NORMAL_TOLERANCE_FACTOR = 100.0;

Status posing_make(const Dataset *dataset, int frames_cap, Posing *out)
{
    const Rig *rig = &dataset->rig;
    size_t joints = (size_t)rig->joint_count;
    int count = rig->frame_count < frames_cap ? rig->frame_count : frames_cap;
    *out = (Posing){.frame_count = count, .joint_count = joints};
    out->frames = memory_array((size_t)count, sizeof *out->frames);
    out->transforms = memory_table((size_t)count, joints, sizeof *out->transforms);
    if (rig->scale)
        out->scale = memory_table((size_t)count, joints, sizeof *out->scale);
    if (!out->frames || !out->transforms || (rig->scale && !out->scale)) {
        posing_clear(out);
        return status_out_of_memory("the poses");
    }
    for (int i = 0; i < count; i++) {
        out->frames[i] = (int)((long)i * rig->frame_count / count);
        size_t from = (size_t)out->frames[i] * joints, to = (size_t)i * joints;
        memcpy(out->transforms + to, rig->transforms + from, joints * sizeof *out->transforms);
        if (rig->scale)
            memcpy(out->scale + to, rig->scale + from, joints * sizeof *out->scale);
    }
    return status_ok();
}

Status posing_results_make(Posing *posing, int vertex_count, bool normals)
{
    const size_t values = 3 * (size_t)vertex_count;
    posing->positions = memory_table((size_t)posing->frame_count, values, sizeof *posing->positions);
    if (normals)
        posing->normals = memory_table((size_t)posing->frame_count, values, sizeof *posing->normals);
    return posing->positions && (posing->normals || !normals) ? status_ok()
                                                              : status_out_of_memory("the skinned frames");
}

void posing_clear(Posing *posing)
{
    memory_free(posing->positions);
    memory_free(posing->normals);
    memory_free(posing->frames);
    memory_free(posing->transforms);
    memory_free(posing->scale);
    *posing = (Posing){0};
}

Status skinning_cell_plan(SkinningCell *cell, const SkinningPlan *plan, const Subject *subject,
                          const Posing *posing)
{
    Cell asked;
    *cell = (SkinningCell){.plan = *plan, .subject = subject, .posing = posing};
    Status status = skinning_plan_cell(plan, &asked);
    asked.dataset = subject_cell_dataset(subject);
    asked.frames = posing->frame_count;
    cell->record = record_of(&asked);
    return status.code == STATUS_OK ? cell_digest(&cell->record.cell, cell->digest) : status;
}

Status skinner_run_once(const SkinningPlan *plan, const Subject *subject, const Posing *posing, Skinner **out,
                        double *bind_s)
{
    SkinnerOptions options = {.entry = plan->entry,
                              .parameters = plan->parameters,
                              .backend = plan->backend,
                              .simd_level = plan->level[0] != '\0' ? plan->level : NULL,
                              .threads = plan->threads,
                              .normals = plan->normals,
                              .two_phase = plan->two_phase,
                              .first_phase = skinning_first_phase()};
    *out = NULL;
    double start = clock_now_s();
    Status status = skinner_create(&options, &subject->dataset->mesh, &subject->dataset->rig, out);
    *bind_s = clock_now_s() - start;
    if (status.code == STATUS_OK)
        status = skinner_pose(*out, posing->transforms, posing->scale, posing->frame_count);
    if (status.code == STATUS_OK)
        status = skinner_skin(*out);
    if (status.code != STATUS_OK) {
        skinner_free(*out);
        *out = NULL;
    }
    return status;
}

static float *cell_normals(const SkinningCell *cell)
{
    return cell->plan.normals ? cell->posing->normals : NULL;
}

/* The greatest distances of a cell from the reference: of positions in diagonals, of normals (unit vectors). */
typedef struct Difference {
    double positions, normals;
} Difference;

/* Both ways to a frame are held against the reference: read from bound order, and straight into file order. */
static Status cell_verify(SkinningCell *cell, Skinner *reference, Difference *read, Difference *in_file)
{
    const Mesh *mesh = &cell->subject->dataset->mesh;
    const Posing *posing = cell->posing;
    int vertices = mesh->vertex_count;
    size_t values = 3 * (size_t)vertices;
    double *workspace = memory_table(4, values, sizeof *workspace);
    double extent = bounds_of(mesh->rest, vertices).diagonal, diagonal = extent > 0.0 ? extent : 1.0;
    *read = *in_file = (Difference){0.0, 0.0};
    if (!workspace)
        return status_out_of_memory("the comparison with the reference");
    double *expected = workspace + values;
    double *normals = cell->plan.normals ? workspace + 2 * values : NULL;
    double *expected_normals = cell->plan.normals ? workspace + 3 * values : NULL;
    Status status;
    STATUS_TRY(skinner_skin_frames(cell->skinner, posing->positions, cell_normals(cell)));
    STATUS_TRY(skinner_skin(cell->skinner));
    for (int f = 0; f < posing->frame_count; f++) {
        const size_t first = (size_t)f * values;
        STATUS_TRY(skinner_read_double(cell->skinner, f, workspace, normals));
        STATUS_TRY(skinner_read_double(reference, f, expected, expected_normals));
        read->positions = fmax(read->positions, frame_distance(workspace, expected, vertices) / diagonal);
        in_file->positions =
            fmax(in_file->positions,
                 frame_distance_of_floats(posing->positions + first, expected, vertices) / diagonal);
        if (!normals)
            continue;
        read->normals = fmax(read->normals, frame_distance(normals, expected_normals, vertices));
        in_file->normals = fmax(
            in_file->normals, frame_distance_of_floats(posing->normals + first, expected_normals, vertices));
    }
done:
    memory_free(workspace);
    return status;
}

/* Metrics against the data set's own positions, over the posed frames; none of what is not finite. */
static Status cell_measure(SkinningCell *cell, bool *finite)
{
    const Dataset *dataset = cell->subject->dataset;
    size_t values = 3 * (size_t)dataset->mesh.vertex_count;
    MetricsStream *stream = NULL;
    Metrics metrics = {0};
    Status status = status_ok();
    for (int f = 0; f < cell->posing->frame_count; f++) {
        const float *target = dataset->animation.positions + (size_t)cell->posing->frames[f] * values;
        const float *positions = cell->posing->positions + (size_t)f * values;
        if (f == 0)
            STATUS_TRY(metrics_stream_open(&dataset->mesh, target, cell->posing->frame_count,
                                           cell->record.cell.threads, &stream));
        *finite = float_not_finite(positions, (int64_t)values) < 0;
        if (!*finite)
            goto done;
        STATUS_TRY(metrics_stream_add(stream, 1, target, positions));
    }
    STATUS_TRY(metrics_stream_finish(stream, &metrics));
    measures_add_metrics(&cell->record.metrics, &metrics, false);
done:
    metrics_clear(&metrics);
    metrics_stream_close(stream);
    return status;
}

/* What is not finite has no metrics, but a distance: infinite. Recorded is the distance as read, which is that in
 * doubles where a backend computes in them. */
static Status cell_judge(SkinningCell *cell, const Difference *read, const Difference *in_file)
{
    const Dataset *dataset = cell->subject->dataset;
    Record *record = &cell->record;
    double tolerance = cell->plan.entry->method->tolerance;
    const Difference worst = {fmax(read->positions, in_file->positions),
                              fmax(read->normals, in_file->normals)};
    bool finite = isfinite(worst.positions), finite_normals = isfinite(worst.normals);
    if (dataset->animation.positions && dataset->animation.frame_count == dataset->rig.frame_count &&
        cell->posing->frame_count > 0 && finite) {
        Status status = cell_measure(cell, &finite);
        if (status.code != STATUS_OK)
            return status;
    }
    measures_add(&record->metrics, "reference_distance_max", read->positions);
    measures_add(&record->metrics, "tolerance", tolerance);
    if (cell->plan.normals)
        measures_add(&record->metrics, "reference_normal_difference_max", read->normals);
    cell->live =
        finite && worst.positions <= tolerance && worst.normals <= tolerance * NORMAL_TOLERANCE_FACTOR;
    record->status = cell->live ? RECORD_OK : RECORD_WRONG;
    if (!finite || !finite_normals)
        snprintf(record->reason, sizeof record->reason, "gives %s that are not finite",
                 finite ? "normals" : "positions");
    else if (!cell->live)
        snprintf(record->reason, sizeof record->reason,
                 "differs from reference by %.3g diagonals (tolerance %g), normals by %.3g", worst.positions,
                 tolerance, worst.normals);
    return measures_status(&record->metrics);
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
        Status status = skinner_count(skinner, posing->transforms + (size_t)f * posing->joint_count, values);
        if (status.code != STATUS_OK)
            return status;
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

Status skinning_cell_prepare(SkinningCell *cell, Skinner *reference, const RecordCounter *counters,
                             int counter_count)
{
    Difference read, in_file;
    Record *record = &cell->record;
    Status status;
    status = cell->plan.backend->probe(record->device, sizeof record->device);
    if (status.code != STATUS_OK)
        record->device[0] = '\0';
    STATUS_TRY(status);
    STATUS_TRY(skinner_run_once(&cell->plan, cell->subject, cell->posing, &cell->skinner, &cell->bind_s));
    STATUS_TRY(cell_verify(cell, reference, &read, &in_file));
    STATUS_TRY(cell_judge(cell, &read, &in_file));
    record->joint_sets = skinner_joint_sets(cell->skinner)->set_count;
    STATUS_TRY(record_set_counters(record, counters, counter_count));
done:
    if (status.code == STATUS_OK)
        return status;
    record_fail(record, record_status_of(status.code), status.text);
    return status_ok();
}

static Status run_pose(void *context)
{
    SkinningCell *cell = context;
    cell->skinned = false;
    return skinner_pose(cell->skinner, cell->posing->transforms, cell->posing->scale,
                        cell->posing->frame_count);
}

static Status run_skin(void *context)
{
    SkinningCell *cell = context;
    Status status = skinner_skin(cell->skinner);
    cell->skinned = true;
    double device_s = skinner_device_time_s(cell->skinner);
    if (device_s >= 0.0) {
        cell->device_least_s = cell->device_runs == 0 ? device_s : fmin(cell->device_least_s, device_s);
        cell->device_sum_s += device_s;
        cell->device_runs++;
    }
    return status;
}

/* Posing again makes the skin stale; delivering needs one, but is not charged for it. */
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
    Status status = status_ok();
    for (int f = 0; f < cell->posing->frame_count && status.code == STATUS_OK; f++)
        status = skinner_read(cell->skinner, f, cell->posing->positions, cell_normals(cell));
    return status;
}

static Status run_frame(void *context)
{
    SkinningCell *cell = context;
    Status status = run_pose(context);
    if (status.code == STATUS_OK)
        status = skinner_skin_frames(cell->skinner, cell->posing->positions, cell_normals(cell));
    return status;
}

Status skinning_cell_works(SkinningCell *cell, int rounds_cap)
{
    static Status (*const runs[STAGE_COUNT])(void *) = {[STAGE_POSE] = run_pose,
                                                        [STAGE_SKIN] = run_skin,
                                                        [STAGE_DELIVER] = run_deliver,
                                                        [STAGE_FRAME] = run_frame};
    bool made = true;
    for (int w = 0; w < TIMED_STAGES; w++) {
        cell->works[w] = (TimedWork){.run = runs[timed_stage(w)],
                                     .context = cell,
                                     .alone = cell->plan.threads == 1 && !cell->plan.backend->is_device};
        cell->works[w].prepare = timed_stage(w) == STAGE_DELIVER ? prepare_deliver : NULL;
        cell->works[w].samples = memory_array((size_t)rounds_cap, sizeof(double));
        made = made && cell->works[w].samples;
    }
    return made ? status_ok() : status_out_of_memory("the samples of a cell");
}

void skinning_cell_clear(SkinningCell *cell)
{
    for (int w = 0; w < TIMED_STAGES; w++)
        memory_free(cell->works[w].samples);
    skinner_free(cell->skinner);
    record_clear(&cell->record);
    *cell = (SkinningCell){0};
}
