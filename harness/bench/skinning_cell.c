/* Prepares a skinning cell: binds, poses and skins once, compares with the reference, and gives the
 * stages to be timed. */
#include "harness/bench/skinning_cell.h"

#include "datasets/base/clock.h"
#include "datasets/base/memory.h"
#include "datasets/geometry/points.h"
#include "harness/bench/cell_json.h"
#include "harness/metrics/metrics.h"
#include "harness/records/metrics_json.h"
#include "methods/registry.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* Normals are unit vectors: they may differ by more than positions do in shares of a diagonal. */
static const double NORMAL_TOLERANCE_FACTOR = 100.0;

const char *work_name(int work)
{
    static const char *const names[WORK_COUNT] = {
        [WORK_POSE] = "pose", [WORK_SKIN] = "skin", [WORK_DELIVER] = "deliver", [WORK_WHOLE] = "end_to_end"};
    return names[work];
}

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

void posing_clear(Posing *posing)
{
    memory_free(posing->frames);
    memory_free(posing->transforms);
    memory_free(posing->scale);
    *posing = (Posing){0};
}

Status skinning_plan_make(const char *method, const char *const *settings, int setting_count,
                          SkinningPlan *out)
{
    SkinningPlan plan = {.entry = skinning_entry_find(method), .backend = &backend_reference, .threads = 1};
    if (!plan.entry)
        return status_make(STATUS_USAGE, "no skinning method '%s'; `skinbench list methods` lists them",
                           method);
    plan.parameters = parameters_default(plan.entry->method->parameters, plan.entry->method->parameter_count);
    for (int i = 0; i < setting_count; i++) {
        Status status = parameters_set(plan.entry->method->parameters, plan.entry->method->parameter_count,
                                       method, settings[i], &plan.parameters);
        if (status.code != STATUS_OK)
            return status;
    }
    *out = plan;
    return status_ok();
}

json_t *skinning_plan_to_json(const SkinningPlan *plan)
{
    json_t *asked = json_pack("{s:s, s:s, s:s, s:o?, s:i, s:b}", "kind", "skinning", "method",
                              plan->entry->method->name, "backend", plan->backend->name, "parameters",
                              parameters_json(plan->entry->method->parameters,
                                              plan->entry->method->parameter_count, &plan->parameters),
                              "threads", plan->threads, "normals", plan->normals);
    if (asked && plan->level[0] != '\0')
        json_object_set_new(asked, "level", json_string(plan->level));
    if (asked && plan->two_phase)
        json_object_set_new(asked, "two_phase", json_true());
    return asked;
}

Status skinning_cell_plan(SkinningCell *cell, const SkinningPlan *plan, const Subject *subject,
                          const Posing *posing)
{
    *cell = (SkinningCell){.plan = *plan, .subject = subject, .posing = posing};
    json_t *asked = skinning_plan_to_json(plan);
    cell->record = json_pack("{s:i, s:s, s:o?, s:i}", "schema", 1, "kind", "skinning", "dataset",
                             subject_to_json(subject), "frames", posing->frame_count);
    if (!asked || json_object_update(cell->record, asked) != 0) {
        json_decref(cell->record);
        cell->record = NULL;
    }
    json_decref(asked);
    cell->key = cell->record ? record_key(cell->record) : NULL;
    if (!cell->key)
        return status_out_of_memory("a cell of the benchmark");
    text_hash(cell->key, cell->key_hash);
    return status_ok();
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

/* Greatest distance of triples; infinite where one is not a number, so that nothing slips through. */
static double greatest_distance(const double *a, const double *b, int count)
{
    double greatest = 0.0;
    for (int v = 0; v < count; v++) {
        double squared = 0.0;
        for (int k = 0; k < 3; k++) {
            double difference = a[3 * (size_t)v + (size_t)k] - b[3 * (size_t)v + (size_t)k];
            squared += difference * difference;
        }
        greatest = squared <= DBL_MAX ? fmax(greatest, squared) : INFINITY;
    }
    return sqrt(greatest);
}

static Status cell_verify(SkinningCell *cell, Skinner *reference, double *normal_difference)
{
    const Mesh *mesh = &cell->subject->dataset->mesh;
    int vertices = mesh->vertex_count;
    size_t values = 3 * (size_t)vertices;
    double *room = memory_table(4, values, sizeof *room);
    double extent = bounds_of(mesh->rest, vertices).diagonal, diagonal = extent > 0.0 ? extent : 1.0;
    double *normals_a = cell->plan.normals ? room + 2 * values : NULL;
    double *normals_b = cell->plan.normals ? room + 3 * values : NULL;
    Status status = room ? status_ok() : status_out_of_memory("the comparison with the reference");
    cell->difference = *normal_difference = 0.0;
    for (int f = 0; f < cell->posing->frame_count && status.code == STATUS_OK; f++) {
        status = skinner_read_double(cell->skinner, f, room, normals_a);
        if (status.code == STATUS_OK)
            status = skinner_read_double(reference, f, room + values, normals_b);
        if (status.code != STATUS_OK)
            break;
        cell->difference =
            fmax(cell->difference, greatest_distance(room, room + values, vertices) / diagonal);
        if (cell->plan.normals)
            *normal_difference = fmax(*normal_difference, greatest_distance(normals_a, normals_b, vertices));
    }
    memory_free(room);
    return status;
}

/* Metrics against the data set's own positions, over the posed frames. */
static Status cell_measure(SkinningCell *cell, json_t **out)
{
    const Dataset *dataset = cell->subject->dataset;
    size_t values = 3 * (size_t)dataset->mesh.vertex_count;
    MetricsStream *stream = NULL;
    Metrics metrics = {0};
    float *positions = memory_array(values, sizeof *positions);
    Status status = positions ? status_ok() : status_out_of_memory("a skinned frame");
    for (int f = 0; f < cell->posing->frame_count && status.code == STATUS_OK; f++) {
        const float *target = dataset->animation.positions + (size_t)cell->posing->frames[f] * values;
        if (f == 0)
            STATUS_TRY(metrics_stream_open(&dataset->mesh, target, cell->posing->frame_count, &stream));
        STATUS_TRY(skinner_read(cell->skinner, f, positions, NULL));
        STATUS_TRY(metrics_stream_add(stream, 1, target, positions));
    }
    if (stream && status.code == STATUS_OK)
        status = metrics_stream_finish(stream, &metrics);
    if (status.code == STATUS_OK)
        *out = metrics_to_json(&metrics, false);
done:
    metrics_clear(&metrics);
    metrics_stream_close(stream);
    memory_free(positions);
    return status;
}

static Status cell_judge(SkinningCell *cell, double normal_difference)
{
    const Dataset *dataset = cell->subject->dataset;
    double tolerance = cell->plan.entry->method->tolerance;
    json_t *metrics = NULL;
    Status status = status_ok();
    if (dataset->animation.positions && dataset->animation.frame_count == dataset->rig.frame_count &&
        cell->posing->frame_count > 0)
        status = cell_measure(cell, &metrics);
    if (status.code != STATUS_OK)
        return status;
    if (!metrics)
        metrics = json_object();
    json_object_set_new(metrics, "reference_distance_max", json_number_or_null(cell->difference));
    json_object_set_new(metrics, "tolerance", json_number_or_null(tolerance));
    if (cell->plan.normals)
        json_object_set_new(metrics, "reference_normal_difference_max",
                            json_number_or_null(normal_difference));
    bool right = cell->difference <= tolerance && normal_difference <= tolerance * NORMAL_TOLERANCE_FACTOR;
    cell->live = right;
    json_object_set_new(cell->record, "status", json_string(right ? "ok" : "wrong"));
    Status reason =
        right ? status_ok()
              : status_make(STATUS_CHECK_FAILED,
                            "differs from reference by %.3g diagonals (tolerance %g), normals by %.3g",
                            cell->difference, tolerance, normal_difference);
    json_object_set_new(cell->record, "reason", json_string(reason.text));
    json_object_set_new(cell->record, "metrics", metrics);
    json_object_set_new(cell->record, "timing", json_null());
    return status_ok();
}

Status skinning_counts(const Skinner *skinner, const SkinningMethod *method, const Posing *posing,
                       json_t **counts)
{
    double sums[SKINNING_COUNTERS_MAX] = {0.0}, most[SKINNING_COUNTERS_MAX] = {0.0};
    *counts = NULL;
    if (method->counter_count == 0 || posing->scale || posing->frame_count == 0)
        return status_ok();
    for (int f = 0; f < posing->frame_count; f++) {
        double values[SKINNING_COUNTERS_MAX] = {0.0};
        Status status = skinner_count(skinner, posing->transforms + (size_t)f * posing->joint_count, values);
        if (status.code != STATUS_OK)
            return status;
        for (int c = 0; c < method->counter_count; c++) {
            sums[c] += values[c];
            most[c] = fmax(most[c], values[c]);
        }
    }
    *counts = json_object();
    for (int c = 0; c < method->counter_count; c++)
        json_object_set_new(*counts, method->counters[c].name,
                            json_pack("{s:o, s:o}", "mean",
                                      json_number_or_null(sums[c] / posing->frame_count), "max",
                                      json_number_or_null(most[c])));
    return *counts ? status_ok() : status_out_of_memory("the counters");
}

/* What a bound cell tells of itself beside its metrics. */
static void cell_describe(SkinningCell *cell, json_t *counts)
{
    json_object_set_new(cell->record, "joint_sets",
                        json_integer(skinner_joint_sets(cell->skinner)->set_count));
    if (counts)
        json_object_set(cell->record, "counts", counts);
}

Status skinning_cell_prepare(SkinningCell *cell, Skinner *reference, json_t *counts)
{
    double normal_difference = 0.0;
    char device[STATUS_TEXT_BYTES] = "";
    Status status = cell->plan.backend->probe(device, sizeof device);
    json_object_set_new(cell->record, "device", status.code == STATUS_OK ? json_string(device) : json_null());
    if (status.code == STATUS_OK)
        status = skinner_run_once(&cell->plan, cell->subject, cell->posing, &cell->skinner, &cell->bind_s);
    if (status.code == STATUS_OK)
        status = cell_verify(cell, reference, &normal_difference);
    if (status.code == STATUS_OK)
        status = cell_judge(cell, normal_difference);
    if (status.code == STATUS_OK) {
        cell_describe(cell, counts);
        return status;
    }
    bool lacks = status.code == STATUS_UNAVAILABLE || status.code == STATUS_BAD_INPUT;
    record_set_failure(cell->record, lacks ? "skipped" : "failed", status.text);
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
        status = skinner_read(cell->skinner, f, cell->positions, cell->normals);
    return status;
}

static Status run_whole(void *context)
{
    Status status = run_pose(context);
    if (status.code == STATUS_OK)
        status = prepare_deliver(context);
    if (status.code == STATUS_OK)
        status = run_deliver(context);
    return status;
}

Status skinning_cell_works(SkinningCell *cell, int rounds_cap)
{
    static Status (*const runs[WORK_COUNT])(void *) = {[WORK_POSE] = run_pose,
                                                       [WORK_SKIN] = run_skin,
                                                       [WORK_DELIVER] = run_deliver,
                                                       [WORK_WHOLE] = run_whole};
    size_t values = 3 * (size_t)cell->subject->dataset->mesh.vertex_count;
    cell->positions = memory_array(values, sizeof *cell->positions);
    cell->normals = cell->plan.normals ? memory_array(values, sizeof *cell->normals) : NULL;
    bool made = cell->positions && (cell->normals || !cell->plan.normals);
    for (int w = 0; w < WORK_COUNT; w++) {
        cell->works[w] = (TimedWork){.run = runs[w], .context = cell};
        cell->works[w].prepare = w == WORK_DELIVER ? prepare_deliver : NULL;
        cell->works[w].samples = memory_array((size_t)rounds_cap, sizeof(double));
        made = made && cell->works[w].samples;
    }
    return made ? status_ok() : status_out_of_memory("the samples of a cell");
}

void skinning_cell_clear(SkinningCell *cell)
{
    for (int w = 0; w < WORK_COUNT; w++)
        memory_free(cell->works[w].samples);
    memory_free(cell->positions);
    memory_free(cell->normals);
    skinner_free(cell->skinner);
    json_decref(cell->record);
    memory_free(cell->key);
    *cell = (SkinningCell){0};
}
