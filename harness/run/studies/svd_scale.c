/* Computes E_RMS of truncated SVD under other readings of FESAM section 5: which length is scaled to 1,
 * what is subtracted first, and how many dimensions correspond to P bones. Truncated SVD is optimal, so no
 * other choice affects its error.
 *
 *   parameters
 *     bones        P
 *     printed      an E_RMS that a paper prints
 *     half_unit    half a unit of its last digit
 *   measures: E_RMS at 4P dimensions for each length that may be scaled to 1
 *     ball             radius of the ball around the first frame; used everywhere else
 *     ball_centroid    radius of the ball about the centroid of the first frame
 *     ball_all         radius of the ball around all frames
 *     box_diagonal     half the diagonal of the first frame's box
 *     box_side         half the longest side of that box
 *   other measures
 *     frame_mean, time_mean        E_RMS if the mean of each frame, or over time, is subtracted first
 *     dimensions_3p, dimensions_4p1   E_RMS at 3P and at 4P + 1 dimensions
 *     per_bone_least, per_bone_most   range of dimensions per bone that would print the E_RMS `printed` */
#include "harness/run/studies/study.h"

#include "datasets/geometry/enclosing_ball.h"
#include "methods/reduction/reduction.h"

typedef struct Scale {
    const StudyInput *input;
    const Animation *animation;
    int vertex_count, bones;
    double radius, entries;
    Measures *measures;
} Scale;

/* Reduces an animation to the given number of dimensions or, if that is 0, to a threshold of E_RMS. Returns
 * the resulting dimension and the E_RMS relative to the radius of the ball around the first frame. */
static Status reduced(const Scale *scale, const Animation *animation, bool center, int dimension,
                      double threshold, double *e_rms, int *dimensions)
{
    ReductionOptions options = {.strategy = REDUCTION_GRAM,
                                .dimension_max = dimension,
                                .threshold = 1e-3 * threshold * scale->radius * sqrt(scale->entries),
                                .center = center,
                                .threads = scale->input->threads,
                                .progress = scale->input->progress};
    Reduction reduction = {0};
    Status status = reduction_init(animation, scale->vertex_count, &options, &reduction);
    *e_rms = 1e3 * sqrt(reduction.residual / scale->entries) / scale->radius;
    *dimensions = reduction.dimension;
    reduction_clear(&reduction);
    return status;
}

static Status dimensions_measure(const Scale *scale, const char *name, bool center, int dimension)
{
    double e_rms = 0.0;
    int dimensions = 0;
    STATUS_TRY(reduced(scale, scale->animation, center, dimension, 0.0, &e_rms, &dimensions));
    measures_add(scale->measures, name, e_rms);
    return status_ok();
}

/* Converts an E_RMS that is relative to the ball of the first frame to the E_RMS for another reference
 * length. */
static Status lengths_measure(const Scale *scale, double e_rms)
{
    const float *first = scale->animation->positions;
    ptrdiff_t all = (ptrdiff_t)scale->animation->frame_count * scale->vertex_count;
    const Bounds box = bounds_of(first, scale->vertex_count);
    Vec3 mean = {0.0, 0.0, 0.0};
    double farthest = 0.0, side = 0.0;
    Ball ball = {0};
    if (all <= INT_MAX) {
        STATUS_TRY(enclosing_ball(first, (int)all, &ball));
        measures_add(scale->measures, "ball_all", e_rms * scale->radius / ball.radius);
    }
    for (int j = 0; j < scale->vertex_count; j++)
        mean = vec3_add_scaled(mean, point_at(first, j), 1.0 / scale->vertex_count);
    for (int j = 0; j < scale->vertex_count; j++)
        farthest = fmax(farthest, vec3_length(vec3_sub(point_at(first, j), mean)));
    for (int axis = 0; axis < 3; axis++)
        side = fmax(side, box.high[axis] - box.low[axis]);
    measures_add(scale->measures, "ball_centroid", e_rms * scale->radius / farthest);
    measures_add(scale->measures, "box_diagonal", e_rms * scale->radius / (0.5 * box.diagonal));
    measures_add(scale->measures, "box_side", e_rms * scale->radius / (0.5 * side));
    return status_ok();
}

Status study_svd_scale(const StudyInput *input, Measures *measures)
{
    const Dataset *dataset = input->dataset;
    if (!dataset || dataset->animation.frame_count < 1)
        return bad_input("there is no animation to reduce");
    Scale scale = {.input = input,
                   .animation = &dataset->animation,
                   .vertex_count = dataset->mesh.vertex_count,
                   .bones = (int)fmax(fmin(study_number(input, "bones", 10.0), 1e6), 1.0),
                   .entries = 3.0 * dataset->animation.frame_count * dataset->mesh.vertex_count,
                   .measures = measures};
    Ball ball = {0};
    STATUS_TRY(enclosing_ball(dataset->animation.positions, scale.vertex_count, &ball));
    scale.radius = ball.radius;
    STATUS_TRY(dimensions_measure(&scale, "ball", false, 4 * scale.bones));
    STATUS_TRY(lengths_measure(&scale, measures_value(measures, "ball")));
    STATUS_TRY(dimensions_measure(&scale, "frame_mean", true, 4 * scale.bones));
    size_t size = 3 * (size_t)scale.vertex_count, frames = (size_t)scale.animation->frame_count;
    Animation moved = *scale.animation;
    double e_rms = 0.0;
    int dimensions = 0;
    /* first subtract the mean over time */
    LOCAL_TABLE(float, positions, frames, size, "a study");
    moved.positions = positions;
    for (size_t i = 0; i < size; i++) {
        double sum = 0.0;
        for (size_t frame = 0; frame < frames; frame++)
            sum += (double)scale.animation->positions[frame * size + i];
        for (size_t frame = 0; frame < frames; frame++)
            moved.positions[frame * size + i] =
                (float)((double)scale.animation->positions[frame * size + i] - sum / (double)frames);
    }
    STATUS_TRY(reduced(&scale, &moved, false, 4 * scale.bones, 0.0, &e_rms, &dimensions));
    measures_add(scale.measures, "time_mean", e_rms);
    STATUS_TRY(dimensions_measure(&scale, "dimensions_3p", false, 3 * scale.bones));
    STATUS_TRY(dimensions_measure(&scale, "dimensions_4p1", false, 4 * scale.bones + 1));
    /* find the range of dimensions whose E_RMS would be printed as the given number */
    const double printed = study_number(scale.input, "printed", 0.0);
    double half_unit = study_number(scale.input, "half_unit", 0.0);
    int min = 0, max = 0;
    if (!(printed > half_unit))
        return status_ok();
    STATUS_TRY(reduced(&scale, scale.animation, false, 0, printed + half_unit, &e_rms, &min));
    STATUS_TRY(reduced(&scale, scale.animation, false, 0, printed - half_unit, &e_rms, &max));
    measures_add(scale.measures, "per_bone_least", (double)min / scale.bones);
    measures_add(scale.measures, "per_bone_most", (max - 1.0) / scale.bones);
    return status_ok();
}
