/* Measures how error measures react when the whole model moves (FESAM section 5). An animation is compared
 * with a copy that is off by a hundredth of its size. Then both are moved along x and compared again. From
 * the first frame to the last, they move by `diagonals` diagonals of the rest pose's bounding box.
 *
 *   parameters: diagonals (10 by default) */
#include "harness/run/studies/study.h"

#include "harness/measure/metrics/frame_source.h"

/* Computes E_RMS and KG of `candidate` against `target`, both [F][N][3]. */
static Status errors_measure(const StudyInput *input, float *target, float *candidate, double *e_rms,
                             double *kg)
{
    const Dataset *dataset = input->dataset;
    const Animation one = {.frame_count = dataset->animation.frame_count, .positions = target};
    const Animation other = {.frame_count = dataset->animation.frame_count, .positions = candidate};
    OWNED_BY(frame_source_close) FrameSource *a = NULL, *b = NULL;
    CLEANUP(metrics_clear) Metrics metrics = {0};
    STATUS_TRY(frame_source_of_parts("the target", &dataset->mesh, &one, NULL, NULL, input->threads, &a));
    STATUS_TRY(
        frame_source_of_parts("the candidate", &dataset->mesh, &other, NULL, NULL, input->threads, &b));
    STATUS_TRY(frame_sources_measure(a, b, &metrics));
    *e_rms = metric_named("e_rms", &metrics);
    *kg = metric_named("kg_percent", &metrics);
    return status_ok();
}

Status study_global_motion(const StudyInput *input, Measures *measures)
{
    const Dataset *dataset = input->dataset;
    if (!dataset || dataset->animation.frame_count < 2)
        return bad_input("there is no animation to move");
    const int frames = dataset->animation.frame_count, vertices = dataset->mesh.vertex_count;
    const double diagonal = bounds_of(dataset->mesh.rest, vertices).diagonal;
    const double way = study_number(input, "diagonals", 10.0) * diagonal;
    const size_t count = 3 * (size_t)vertices;
    double e_rms[2], kg[2];
    Random random = {5};
    LOCAL_TABLE(float, target, frames, count, "an animation");
    LOCAL_TABLE(float, candidate, frames, count, "an animation");
    for (size_t i = 0; i < (size_t)frames * count; i++) {
        target[i] = dataset->animation.positions[i];
        candidate[i] = (float)((double)target[i] + 0.01 * diagonal * random_signed(&random));
    }
    STATUS_TRY(errors_measure(input, target, candidate, &e_rms[0], &kg[0]));
    for (size_t f = 0; f < (size_t)frames; f++)
        for (size_t i = 0; i < count; i += 3) {
            const double moved = way * (double)f / (frames - 1);
            target[f * count + i] = (float)((double)target[f * count + i] + moved);
            candidate[f * count + i] = (float)((double)candidate[f * count + i] + moved);
        }
    STATUS_TRY(errors_measure(input, target, candidate, &e_rms[1], &kg[1]));
    measures_add(measures, "e_rms", e_rms[0]);
    measures_add(measures, "e_rms_ratio", e_rms[1] / e_rms[0]);
    measures_add(measures, "kg_percent", kg[0]);
    measures_add(measures, "kg_ratio", kg[1] / kg[0]);
    return status_ok();
}
