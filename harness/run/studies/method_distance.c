/* How far two methods take the vertices of a rig apart, over all its frames, on `reference` (DQS appendix B:
 * DLB against DIB).
 *   parameters: method, against: names; set, against_set: arrays of name=value */
#include "harness/run/studies/study.h"

#include "harness/measure/timing/statistics.h"

enum { METHOD, AGAINST, SIDES };
enum { BLOCK = 16 }; /* frames at a time */

typedef struct Sum {
    double total;
    size_t count;
    double *max; /* [N] over the frames */
} Sum;

typedef struct Sides {
    Skinner *skinners[SIDES];
} Sides;

static void sides_clear(Sides *sides)
{
    for (int side = 0; side < SIDES; side++)
        skinner_free(sides->skinners[side]);
}

static Status method_distance_run(const StudyInput *input, Measures *measures)
{
    CLEANUP(sides_clear) Sides sides = {{NULL}};
    if (!input->subject || input->subject->dataset->rig.frame_count == 0 ||
        input->subject->dataset->mesh.vertex_count == 0)
        return bad_input("there is no rig with transforms to skin with");
    const Mesh *mesh = &input->subject->dataset->mesh;
    const double diagonal = bounds_of(mesh->rest, mesh->vertex_count).diagonal;
    for (int side = 0; side < SIDES; side++) {
        static const char *const names[SIDES] = {"method", "against"}, *const methods[SIDES] = {"dqs", "dib"};
        static const char *const sets[SIDES] = {"set", "against_set"};
        const Dataset *dataset = input->subject->dataset;
        SkinnerOptions options;
        STATUS_TRY(study_method(input, study_text(input, names[side], methods[side]), sets[side], &options));
        STATUS_TRY(skinner_create(&options, &dataset->mesh, &dataset->rig, &sides.skinners[side]));
    }
    const size_t vertices = (size_t)mesh->vertex_count;
    LOCAL_TABLE(double, workspace, SIDES * 3, vertices, "the comparison of two methods");
    LOCAL_ARRAY(double, distances, vertices, "the comparison of two methods");
    Sum sum = {0.0, 0, distances};
    const Dataset *dataset = input->subject->dataset;
    const Rig *rig = &dataset->rig;
    for (int first = 0; first < rig->frame_count; first += BLOCK) {
        int count = int_min(rig->frame_count - first, BLOCK);
        if (!progress_report(input->progress, input->subject->name, (double)first / rig->frame_count))
            return status_make(STATUS_STOPPED, "stopped; the same command resumes from here");
        for (int side = 0; side < SIDES; side++) {
            const Transform *poses = rig->transforms + (size_t)first * (size_t)rig->joint_count;
            STATUS_TRY(skinner_pose(sides.skinners[side], poses, NULL, count));
            STATUS_TRY(skinner_skin(sides.skinners[side]));
        }
        for (int frame = 0; frame < count; frame++) {
            double *positions[SIDES] = {workspace, workspace + 3 * vertices};
            for (int side = 0; side < SIDES; side++)
                STATUS_TRY(skinner_read_double(sides.skinners[side], frame, positions[side], NULL));
            for (size_t v = 0; v < vertices; v++) {
                const double apart = study_distance(positions[METHOD] + 3 * v, positions[AGAINST] + 3 * v);
                sum.max[v] = fmax(sum.max[v], apart);
                sum.total += apart;
                sum.count++;
            }
        }
    }
    values_sort(sum.max, vertices);
    const double max = sum.max[vertices - 1];
    measures_add(measures, "distance_max", max);
    measures_add(measures, "distance_max_percent", 100.0 * max / diagonal);
    measures_add(measures, "distance_p99_percent",
                 100.0 * quantile_of_sorted(sum.max, vertices, 0.99) / diagonal);
    measures_add(measures, "distance_mean_percent", 100.0 * sum.total / (double)sum.count / diagonal);
    measures_add(measures, "frames", input->subject->dataset->rig.frame_count);
    return status_ok();
}

const Study study_method_distance = {"how far apart two methods move vertices", method_distance_run};
