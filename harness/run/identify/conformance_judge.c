/* Judges an engine's results by a conformance pack. Both may be a stranger's. */
#include "harness/run/identify/conformance.h"

#include "datasets/formats/formats.h"
#include "datasets/geometry/angles.h"
#include "datasets/geometry/points.h"
#include "datasets/io/json_table.h"
#include "datasets/model/vertex_order.h"

#include <unistd.h>

enum { RESULT_PATH_BYTES = 4608, NAME_BYTES = sizeof((ConformanceVerdict *)0)->name };

/* Normals of an engine are often stored in 8 or 10 bits. */
static const double ANGLE_MAX_DEGREES = 0.5;

/* Distance (rms, as a share of the diagonal) up to which the nearest method says something. */
static const double NEAR_MAX = 0.03;

/* Values [F][N][3]. `values` is NULL if there are none. */
typedef struct FrameValues {
    int frame_count, vertex_count;
    float *values;
} FrameValues;

typedef struct CaseFrames {
    FrameValues positions, normals;
} CaseFrames;

static void case_frames_clear(CaseFrames *frames)
{
    FREE_ALL(frames->positions.values, frames->normals.values);
    *frames = (CaseFrames){0};
}

/* Reads [frame][vertex][3] of an object's member. */
static Status frames_read_json(const json_t *object, const char *where, const char *member, FrameValues *out)
{
    char place[JSON_WHERE_BYTES];
    const json_t *value = json_object_get(object, member);
    const size_t frames = json_array_size(value), vertices = json_array_size(json_array_get(value, 0));
    json_place(place, where, member, 0);
    if (frames == 0 || vertices == 0)
        return value ? json_unexpected(place, value, "a list of frames, each a list of points")
                     : bad_input("%s: has no member %s", where, member);
    ALLOCATE_TABLE(out->values, frames, 3 * vertices, "frames");
    out->frame_count = (int)frames; /* a JSON file has at most 2^26 bytes */
    out->vertex_count = (int)vertices;
    for (size_t i = 0; i < 3 * frames * vertices; i++) {
        const size_t f = i / (3 * vertices), v = i / 3 % vertices;
        const json_t *frame = json_array_get(value, f), *point = json_array_get(frame, v),
                     *number = json_array_get(point, i % 3);
        if (json_array_size(frame) != vertices)
            return bad_input("%s[%zu] has %zu vertices, but the first frame has %zu", place, f,
                             json_array_size(frame), vertices);
        if (json_array_size(point) != 3 || !json_is_number(number) ||
            fabs(json_number_value(number)) > 3e38) {
            text_append(place, sizeof place, "[%zu][%zu]", f, v);
            return json_unexpected(place, point, "three numbers");
        }
        out->values[i] = (float)json_number_value(number);
    }
    return status_ok();
}

static Status frames_load(const char *path, const Progress *progress, FrameValues *out)
{
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    STATUS_TRY(dataset_load_any(path, NULL, progress, &dataset));
    STATUS_TRY(dataset_order_restore(dataset));
    if (dataset->animation.frame_count == 0)
        return bad_input("%s: has no positions of frames; a rig must be baked first", path);
    *out = (FrameValues){dataset->animation.frame_count, dataset->mesh.vertex_count,
                         TAKE(dataset->animation.positions)};
    return status_ok();
}

/* Reads the result of a case: the first file that exists. */
static Status result_read(const ConformanceTask *task, const char *name, CaseFrames *out)
{
    static const char *const endings[] = {".json", ".npy", ".pc2", ".glb", ""};
    char path[RESULT_PATH_BYTES];
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        snprintf(path, sizeof path, "%s/%s%s", task->results, name, endings[i]);
        if (access(path, F_OK) != 0)
            continue;
        if (i > 0) {
            STATUS_TRY(frames_load(path, task->progress, &out->positions));
            snprintf(path, sizeof path, "%s/%s.normals.npy", task->results, name);
            return access(path, F_OK) == 0 ? frames_load(path, task->progress, &out->normals) : status_ok();
        }
        json_auto_t *object = NULL;
        STATUS_TRY(json_file_read(path, &object));
        STATUS_TRY(frames_read_json(object, path, "positions", &out->positions));
        return json_object_get(object, "normals") ? frames_read_json(object, path, "normals", &out->normals)
                                                  : status_ok();
    }
    return bad_input("the folder has no %s.json, .npy, .pc2 or .glb, and no folder %s", name, name);
}

/* How far a result is from what is expected of a method. */
typedef struct Departure {
    double max;        /* largest distance, as a share of the diagonal */
    int frame, vertex; /* the first position beyond the tolerance; -1: none */
} Departure;

static Status departure_measure(const FrameValues *expected, const FrameValues *given, Departure *out)
{
    const ptrdiff_t points = (ptrdiff_t)expected->frame_count * expected->vertex_count;
    const double diagonal = bounds_of(expected->values, expected->vertex_count).diagonal;
    double size = 0.0;
    *out = (Departure){.frame = -1, .vertex = -1};
    if (!(diagonal > 0.0))
        return bad_input("the expected positions have no extent");
    for (ptrdiff_t i = 0; i < 3 * points; i++)
        size = fmax(size, fabs((double)expected->values[i]));
    /* an engine in floats cannot store positions far from the origin more exactly */
    const double tolerance = IDENTIFY_TOLERANCE + 4.0 * 0x1p-24 * size / diagonal;
    for (ptrdiff_t i = 0; i < points; i++) {
        const double distance =
            vec3_length(vec3_sub(point_at(given->values, i), point_at(expected->values, i))) / diagonal;
        out->max = fmax(out->max, distance);
        if (distance > tolerance && out->frame < 0) {
            out->frame = (int)(i / expected->vertex_count);
            out->vertex = (int)(i % expected->vertex_count);
        }
    }
    return status_ok();
}

/* Returns the largest angle between normals in degrees. Expected normals of length 0 are skipped. A given
 * one has no direction, which counts as a right angle. */
static double normals_angle(const FrameValues *expected, const FrameValues *given)
{
    double max = 0.0;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)expected->frame_count * expected->vertex_count; i++) {
        const Vec3 a = point_at(expected->values, i), b = point_at(given->values, i);
        if (vec3_length(a) > 0.0)
            max = fmax(max, vec3_length(b) > 0.0
                                ? atan2(vec3_length(vec3_cross(a, b)), vec3_dot(a, b)) * 180.0 / PI
                                : 90.0);
    }
    return max;
}

/* Says in the reason of a failed case which method the result resembles. */
static Status resemblance_append(const ConformanceTask *task, const CaseFrames *result,
                                 ConformanceVerdict *verdict)
{
    char path[RESULT_PATH_BYTES], text[128];
    OWNED_BY(dataset_free) Dataset *rig = NULL;
    OWNED Identification *found = NULL;
    snprintf(path, sizeof path, "%s/%s.glb", task->pack, verdict->name);
    STATUS_TRY(dataset_load_any(path, NULL, task->progress, &rig));
    STATUS_TRY(dataset_order_restore(rig));
    if (rig->rig.frame_count != result->positions.frame_count ||
        rig->mesh.vertex_count != result->positions.vertex_count)
        return status_ok(); /* a case whose morph targets move has no rig */
    ALLOCATE(found, 1, "what was identified");
    const IdentifyTask identify = {.rig = rig,
                                   .positions = result->positions.values,
                                   .threads = task->threads,
                                   .progress = task->progress};
    STATUS_TRY(status_in(path, identify_run(&identify, found)));
    identify_variant_format(&found->variants[0], text, sizeof text);
    if (found->looks[0])
        snprintf(verdict->cause, sizeof verdict->cause, "it looks like %s, except that %s",
                 found->variants[found->departing].entry->method->name, found->looks);
    else if (found->variants[0].rms > NEAR_MAX)
        snprintf(verdict->cause, sizeof verdict->cause, "no method is near");
    else
        snprintf(verdict->cause, sizeof verdict->cause, "%s %s", found->matches > 0 ? "it is" : "nearest is",
                 text);
    text_append(verdict->reason, sizeof verdict->reason, "; %s", verdict->cause);
    return status_ok();
}

/* Judges one case. A verdict without a method and a reason is left out. */
static Status case_judge(const ConformanceTask *task, ConformanceVerdict *verdict)
{
    char path[RESULT_PATH_BYTES], place[JSON_WHERE_BYTES];
    json_auto_t *object = NULL;
    CLEANUP(case_frames_clear) CaseFrames result = {0};
    Departure nearest = {0};
    verdict->distance = verdict->angle_degrees = NAN;
    snprintf(path, sizeof path, "%s/%s.json", task->pack, verdict->name);
    STATUS_TRY(json_file_read(path, &object));
    const json_t *list = json_object_get(object, "expected");
    if (json_array_size(list) == 0)
        return bad_input("%s: has no expected positions", path);
    const Status status = result_read(task, verdict->name, &result);
    if (status.code == STATUS_SYSTEM || status.code == STATUS_STOPPED)
        return status;
    const size_t wanted_length = task->method ? strlen(task->method) : 0;
    bool is_wanted = false;
    for (size_t i = 0; i < json_array_size(list); i++) {
        CLEANUP(case_frames_clear) CaseFrames expected = {0};
        const json_t *item = json_array_get(list, i);
        const char *method = json_string_value(json_object_get(item, "method"));
        Departure departure;
        json_place(place, path, "expected", i);
        STATUS_TRY(json_name_check(method ? method : "", NAME_BYTES, place));
        STATUS_TRY(frames_read_json(item, place, "positions", &expected.positions));
        if (json_object_get(item, "normals"))
            STATUS_TRY(frames_read_json(item, place, "normals", &expected.normals));
        if (task->method && (strncmp(method, task->method, wanted_length) != 0 ||
                             (method[wanted_length] != '\0' && method[wanted_length] != '-')))
            continue;
        is_wanted = true;
        const FrameValues *wanted[] = {&expected.positions, &expected.normals},
                          *given[] = {&result.positions, &result.normals};
        for (int kind = 0; kind < 2; kind++)
            if (given[kind]->values && wanted[kind]->values && !verdict->reason[0] &&
                (given[kind]->frame_count != wanted[kind]->frame_count ||
                 given[kind]->vertex_count != wanted[kind]->vertex_count))
                text_append(verdict->reason, sizeof verdict->reason,
                            "has %d %s in %d frames, expected %d in %d frames", given[kind]->vertex_count,
                            kind == 0 ? "positions" : "normals", given[kind]->frame_count,
                            wanted[kind]->vertex_count, wanted[kind]->frame_count);
        if (verdict->reason[0] || status.code != STATUS_OK)
            continue;
        STATUS_TRY(status_in(place, departure_measure(&expected.positions, &result.positions, &departure)));
        if (verdict->method[0] && departure.max >= nearest.max)
            continue;
        nearest = departure;
        snprintf(verdict->method, sizeof verdict->method, "%s", method);
        verdict->distance = departure.max;
        verdict->angle_degrees = expected.normals.values && result.normals.values
                                     ? normals_angle(&expected.normals, &result.normals)
                                     : NAN;
    }
    if (is_wanted && status.code != STATUS_OK)
        snprintf(verdict->reason, sizeof verdict->reason, "%.1000s", status.text);
    if (verdict->method[0] && nearest.frame >= 0) {
        text_append(verdict->reason, sizeof verdict->reason, "departs first in frame %d at vertex %d",
                    nearest.frame, nearest.vertex);
        STATUS_TRY(resemblance_append(task, &result, verdict));
    } else if (verdict->angle_degrees > ANGLE_MAX_DEGREES) {
        text_append(verdict->reason, sizeof verdict->reason, "normals are off by %.3g degrees",
                    verdict->angle_degrees);
    }
    verdict->passed = !verdict->reason[0];
    return status_ok();
}

typedef struct Pack {
    char schema[32];
    int version, case_count;
    char (*cases)[NAME_BYTES];
} Pack;

static const JsonTable pack_names = JSON_TEXTS(NAME_BYTES, NAME, true);
static const JsonTable pack_table =
    JSON_TABLE(Pack, JSON_FIELD(Pack, schema, NAME), JSON_FIELD(Pack, version, COUNT),
               JSON_LIST(Pack, cases, case_count, "cases", &pack_names, WRITTEN));

static void pack_clear(Pack *pack)
{
    memory_free(pack->cases);
}

static Status pack_read(const char *folder, Pack *out)
{
    char path[RESULT_PATH_BYTES];
    json_auto_t *object = NULL;
    snprintf(path, sizeof path, "%s/pack.json", folder);
    STATUS_TRY(json_file_read(path, &object));
    STATUS_TRY(json_read(object, path, &pack_table, out));
    if (strcmp(out->schema, "skinbench-conformance") != 0 || out->version != CONFORMANCE_VERSION)
        return bad_input("%s: is version %d of '%s', expected version %d of 'skinbench-conformance'", path,
                         out->version, out->schema, CONFORMANCE_VERSION);
    return out->case_count > 0 ? status_ok() : bad_input("%s: has no cases", path);
}

Status conformance_judge(const ConformanceTask *task, ConformanceVerdict **out, int *count)
{
    CLEANUP(pack_clear) Pack pack = {.version = 0};
    OWNED ConformanceVerdict *verdicts = NULL;
    STATUS_TRY(pack_read(task->pack, &pack));
    ALLOCATE(verdicts, pack.case_count, "verdicts");
    int judged = 0;
    for (int i = 0; i < pack.case_count; i++) {
        ConformanceVerdict *verdict = &verdicts[judged];
        *verdict = (ConformanceVerdict){.passed = false};
        snprintf(verdict->name, sizeof verdict->name, "%s", pack.cases[i]);
        if (!progress_report(task->progress, verdict->name, (double)i / pack.case_count))
            return status_make(STATUS_STOPPED, "stopped after %d of %d cases", i, pack.case_count);
        STATUS_TRY(case_judge(task, verdict));
        judged += verdict->method[0] || verdict->reason[0];
    }
    *count = judged;
    *out = TAKE(verdicts);
    return status_ok();
}
