/* How far two methods take the vertices of a rig apart, over all its frames, on `reference` (DQS appendix B:
 * DLB against DIB).
 *   parameters: method, against: names; set, against_set: arrays of name=value */
#include "harness/studies/study.h"

#include "datasets/base/memory.h"
#include "methods/registry.h"
#include "methods/runtime/skinner.h"
#include <math.h>

enum { METHOD, AGAINST, SIDES };
enum { SETTINGS_ROOM = 16, BLOCK = 16 }; /* frames at a time */

typedef struct Sum {
    double most, total;
    size_t count;
} Sum;

static Status side_create(const StudyInput *input, int side, Skinner **out)
{
    static const char *const names[SIDES] = {"method", "against"}, *const sets[SIDES] = {"set",
                                                                                         "against_set"};
    static const char *const standards[SIDES] = {"dqs", "dib"};
    const char *name = study_text(input, names[side], standards[side]);
    const Dataset *dataset = input->subject->dataset;
    const char *settings[SETTINGS_ROOM];
    int count = study_settings(input, sets[side], settings, SETTINGS_ROOM);
    SkinningPlan plan;
    if (!skinning_entry_find(name))
        return status_make(STATUS_UNAVAILABLE, "the method '%s' is not built in", name);
    Status status = skinning_plan_make(name, settings, count, &plan);
    if (status.code != STATUS_OK)
        return status;
    SkinnerOptions options = {.entry = plan.entry,
                              .parameters = plan.parameters,
                              .backend = BACKEND_REFERENCE,
                              .threads = input->threads};
    return skinner_create(&options, &dataset->mesh, &dataset->rig, out);
}

static Status frame_compare(Skinner *const sides[SIDES], int frame, size_t vertices, double *room, Sum *sum)
{
    double *positions[SIDES] = {room, room + 3 * vertices};
    for (int side = 0; side < SIDES; side++) {
        Status status = skinner_read_double(sides[side], frame, positions[side], NULL);
        if (status.code != STATUS_OK)
            return status;
    }
    for (size_t v = 0; v < vertices; v++) {
        const double *a = positions[METHOD] + 3 * v, *b = positions[AGAINST] + 3 * v;
        double apart = sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                            (a[2] - b[2]) * (a[2] - b[2]));
        sum->most = fmax(sum->most, apart);
        sum->total += apart;
        sum->count++;
    }
    return status_ok();
}

static Status frames_compare(const StudyInput *input, Skinner *const sides[SIDES], double *room, Sum *sum)
{
    const Dataset *dataset = input->subject->dataset;
    const Rig *rig = &dataset->rig;
    for (int first = 0; first < rig->frame_count; first += BLOCK) {
        int count = rig->frame_count - first < BLOCK ? rig->frame_count - first : BLOCK;
        if (!progress_report(input->progress, input->subject->name, (double)first / rig->frame_count))
            return status_make(STATUS_STOPPED, "stopped; the same command goes on from here");
        for (int side = 0; side < SIDES; side++) {
            const Transform *poses = rig->transforms + (size_t)first * (size_t)rig->joint_count;
            Status status = skinner_pose(sides[side], poses, NULL, count);
            if (status.code == STATUS_OK)
                status = skinner_skin(sides[side]);
            if (status.code != STATUS_OK)
                return status;
        }
        for (int frame = 0; frame < count; frame++) {
            Status status = frame_compare(sides, frame, (size_t)dataset->mesh.vertex_count, room, sum);
            if (status.code != STATUS_OK)
                return status;
        }
    }
    return status_ok();
}

static double rest_diagonal(const Mesh *mesh)
{
    double squared = 0.0;
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t v = 0; v < (size_t)mesh->vertex_count; v++) {
            low = fmin(low, (double)mesh->rest[3 * v + (size_t)k]);
            high = fmax(high, (double)mesh->rest[3 * v + (size_t)k]);
        }
        squared += (high - low) * (high - low);
    }
    return sqrt(squared);
}

static Status run(const StudyInput *input, json_t *measures)
{
    Skinner *sides[SIDES] = {NULL};
    double *room = NULL;
    Sum sum = {0.0, 0.0, 0};
    Status status;
    if (!input->subject || input->subject->dataset->rig.frame_count == 0 ||
        input->subject->dataset->mesh.vertex_count == 0)
        return status_make(STATUS_BAD_INPUT, "there is no rig with transforms to skin with");
    const Mesh *mesh = &input->subject->dataset->mesh;
    for (int side = 0; side < SIDES; side++)
        STATUS_TRY(side_create(input, side, &sides[side]));
    room = memory_table(SIDES * 3, (size_t)mesh->vertex_count, sizeof *room);
    status = room ? status_ok() : status_out_of_memory("the comparison of two methods");
    STATUS_TRY(status);
    STATUS_TRY(frames_compare(input, sides, room, &sum));
    study_measure(measures, "distance_max", sum.most);
    study_measure(measures, "distance_max_percent", 100.0 * sum.most / rest_diagonal(mesh));
    study_measure(measures, "distance_mean_percent",
                  100.0 * sum.total / (double)sum.count / rest_diagonal(mesh));
    study_measure(measures, "frames", input->subject->dataset->rig.frame_count);
done:
    for (int side = 0; side < SIDES; side++)
        skinner_free(sides[side]);
    memory_free(room);
    return status;
}

const Study study_method_distance = {"method-distance", "how far two methods take vertices apart", run};
