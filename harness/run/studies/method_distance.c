/* Measures how far apart two methods place the vertices of a rig, over all frames, on the reference backend
 * (DQS appendix B: DLB against DIB).
 *
 *   parameters
 *     method, against     names of the two methods
 *     set, against_set    their settings, as name=value */
#include "harness/run/studies/study.h"

#include "harness/measure/timing/statistics.h"

enum { METHOD, AGAINST, SIDES };
enum { BLOCK = 16 }; /* frames per block */

Status study_method_distance(const StudyInput *input, Measures *measures)
{
    OWNED_BY(skinner_free) Skinner *one = NULL, *other = NULL;
    Skinner **const skinners[SIDES] = {&one, &other};
    const Dataset *dataset = input->dataset;
    if (!dataset || dataset->rig.frame_count == 0 || dataset->mesh.vertex_count == 0)
        return bad_input("there is no rig with transforms to skin with");
    const Mesh *mesh = &dataset->mesh;
    const double diagonal = bounds_of(mesh->rest, mesh->vertex_count).diagonal;
    for (int side = 0; side < SIDES; side++) {
        static const char *const names[SIDES] = {"method", "against"}, *const methods[SIDES] = {"dqs", "dib"};
        static const char *const sets[SIDES] = {"set", "against_set"};
        SkinnerOptions options;
        STATUS_TRY(study_method(input, study_text(input, names[side], methods[side]), sets[side], &options));
        STATUS_TRY(skinner_create(&options, &dataset->mesh, &dataset->rig, skinners[side]));
    }
    const size_t vertices = (size_t)mesh->vertex_count;
    LOCAL_TABLE(double, workspace, SIDES * 3, vertices, "the comparison of two methods");
    /* largest distance of each vertex over the frames */
    LOCAL_ARRAY(double, greatest, vertices, "the comparison of two methods");
    double sum = 0.0;
    const Rig *rig = &dataset->rig;
    for (int first = 0; first < rig->frame_count; first += BLOCK) {
        int count = int_min(rig->frame_count - first, BLOCK);
        if (!progress_report(input->progress, input->subject->name, (double)first / rig->frame_count))
            return status_make(STATUS_STOPPED, "stopped; the same command resumes from here");
        for (int side = 0; side < SIDES; side++) {
            const Transform *poses = rig->transforms + (size_t)first * (size_t)rig->joint_count;
            STATUS_TRY(skinner_pose(*skinners[side], poses, NULL, count));
            STATUS_TRY(skinner_skin(*skinners[side]));
        }
        for (int frame = 0; frame < count; frame++) {
            double *positions[SIDES] = {workspace, workspace + 3 * vertices};
            for (int side = 0; side < SIDES; side++)
                STATUS_TRY(skinner_read_double(*skinners[side], frame, positions[side], NULL));
            for (size_t v = 0; v < vertices; v++) {
                const double apart = study_distance(positions[METHOD] + 3 * v, positions[AGAINST] + 3 * v);
                greatest[v] = fmax(greatest[v], apart);
                sum += apart;
            }
        }
    }
    values_sort(greatest, vertices);
    const double max = greatest[vertices - 1];
    measures_add(measures, "distance_max", max);
    measures_add(measures, "distance_max_percent", 100.0 * max / diagonal);
    measures_add(measures, "distance_p99_percent",
                 100.0 * quantile_of_sorted(greatest, vertices, 0.99) / diagonal);
    measures_add(measures, "distance_mean_percent",
                 100.0 * sum / ((double)rig->frame_count * (double)vertices) / diagonal);
    measures_add(measures, "frames", rig->frame_count);
    return status_ok();
}
