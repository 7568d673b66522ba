/* Compressed skinning (Kavan et al. 2024, section 5): measures the errors of a fit of blendshapes, and the
 * bytes and time of blending its transformations, sparse and dense. Uses the rig of the subject or a fit of
 * its shapes. In a rigid rig, rotations below an angle and movements below a length can be set to 0.
 *
 *   parameters
 *     fit                       a decomposition method, or an external program, such as dem-bones
 *     set, bones, influences, iterations
 *                               options of the fit
 *     millimetres               length of a unit of the data in millimetres
 *     still_mm, still_degrees   smaller movements and rotations are set to 0
 *     rounds                    number of timing rounds; 0: measure no times
 *   measures of the fit
 *     mae_mm, mxe_mm            mean and largest distance over vertices and shapes
 *     e_rms, bones, fit_s       error, number of bones and time of the fit
 *     joint_percent             Chamfer distance between fitted and original joints, in % of the diagonal
 *     transforms, entries       numbers of nonzero transformations and of nonzero values of r and t
 *   measures of linearised transformations
 *     sparse_bytes              size of B^T as compressed rows, with numbers and indices of 4 bytes
 *     dense_bytes, bytes_ratio  size of the dense matrix, and dense size / sparse size
 *     stage_bytes               size as shape_transforms.h stores them
 *   measures of the pose stage of lbs
 *     sparse_us, dense_us       times with sparse and with dense transformations
 *     speedup                   dense time / sparse time, of the same round
 *     off                       largest difference between both results */
#include "harness/run/studies/study.h"

#include "datasets/geometry/affine_parts.h"
#include "datasets/geometry/angles.h"
#include "harness/measure/metrics/frame_source.h"
#include "harness/measure/metrics/further.h"
#include "harness/measure/timing/rounds.h"
#include "harness/run/fit/external_fit.h"

static Status shapes_fit(const StudyInput *input, const char *name, DecompositionResult *out)
{
    const DecompositionMethod *method = decomposition_method_find(name);
    OWNED External *external = NULL;
    if (!method && name_is_plain(name)) {
        STATUS_TRY(external_read(name, &external));
        STATUS_TRY(external_method(external, &method));
    }
    if (!method || !method->makes_rig)
        return status_make(STATUS_UNAVAILABLE, "this build has no method named '%.64s' that makes a rig",
                           name);
    ParameterValues values = parameters_default(method->parameters);
    STATUS_TRY(study_settings(input, "set", method->parameters, name, &values));
    const DecompositionOptions options = {.bones = (int)fmax(study_number(input, "bones", 40.0), 1.0),
                                          .influences =
                                              (int)fmax(study_number(input, "influences", 8.0), 1.0),
                                          .iterations = (int)study_number(input, "iterations", 10.0),
                                          .seed = 1,
                                          .parameters = values.values,
                                          .context = external};
    return study_fit(input, method, options, out);
}

/* Sets rotations and movements below a threshold to 0. Counts the nonzero transformations, and the nonzero
 * values: three for each nonzero rotation and for each nonzero translation. */
static void transforms_still(Rig *rig, double degrees, double length, Measures *measures)
{
    double moving = 0.0, entries = 0.0;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)rig->frame_count * rig->joint_count; i++) {
        Transform *m = &rig->transforms[i];
        const double half = fmin(fabs(affine_parts(*m).rotation.w), 1.0);
        const bool turns = acos(half) * 360.0 / PI >= degrees;
        const bool moves = vec3_length(transform_translation(*m)) >= length;
        if (!turns)
            *m = transform_translate(transform_translation(*m));
        if (!moves)
            *m = transform_moved_to(*m, vec3_make(0.0, 0.0, 0.0));
        moving += turns || moves;
        entries += 3.0 * (turns + moves);
    }
    measures_add(measures, "transforms", moving);
    measures_add(measures, "entries", entries);
}

/* Measures three errors: MAE and MXE, the mean and largest distance over vertices and shapes, and E_RMS
 * (FESAM section 5). If the fit has a skeleton and the subject has joints, also measures the Chamfer
 * distance between the two sets of joints. */
static Status errors_measure(const StudyInput *input, const Rig *rig, float *rest, Measures *measures)
{
    const Dataset *dataset = input->dataset;
    const double millimetres = study_number(input, "millimetres", 1.0);
    const int vertices = dataset->mesh.vertex_count;
    Mesh moved = dataset->mesh;
    OWNED_BY(frame_source_close) FrameSource *target = NULL, *candidate = NULL;
    CLEANUP(metrics_clear) Metrics metrics = {0};
    moved.rest = rest;
    STATUS_TRY(frame_source_of_parts("the shapes", &dataset->mesh, &dataset->animation, NULL, NULL,
                                     input->threads, &target));
    STATUS_TRY(frame_source_of_parts("the rig", &moved, NULL, rig, NULL, input->threads, &candidate));
    STATUS_TRY(frame_sources_measure(target, candidate, &metrics));
    measures_add(measures, "e_rms", metric_named("e_rms", &metrics));
    measures_add(measures, "mae_mm", millimetres * metric_named("distance_mean_units", &metrics));
    measures_add(measures, "mxe_mm", millimetres * metric_named("distance_max_units", &metrics));
    bool joined = false;
    for (int joint = 0; joint < rig->joint_count; joint++)
        joined = joined || rig->parents[joint] >= 0;
    if (joined && dataset->rig.joint_count > 0) {
        RigTruth truth = {0};
        STATUS_TRY(rig_truth_find(&dataset->mesh, &dataset->rig, rig, NULL, &truth));
        measures_add(measures, "joint_percent",
                     100.0 * truth.cd_j2j * truth.box / bounds_of(dataset->mesh.rest, vertices).diagonal);
    }
    return status_ok();
}

typedef struct ShapePosing {
    Skinner *skinner;
    const float *shares;
} ShapePosing;

static Status posing_run(void *context)
{
    const ShapePosing *posing = context;
    return skinner_pose_shapes(posing->skinner, posing->shares, 1);
}

/* Measures the size of the shapes in bytes. Times the pose stage of lbs with random weights (from a fixed
 * seed) for all shapes. */
static Status blending_measure(const StudyInput *input, const float *rest, const Rig *rig, Measures *measures)
{
    const int shapes = rig->frame_count, joints = rig->joint_count;
    const int rounds = study_rounds(input, 0.0);
    CLEANUP(shape_transforms_clear) ShapeTransforms sparse = {0}, dense = {0};
    STATUS_TRY(shape_transforms_make(rig, SHAPES_SPARSE, &sparse));
    const double sparse_bytes = 8.0 * sparse.cell_count + 4.0 * (4.0 * joints + 1.0),
                 dense_bytes = 4.0 * AFFINE_VALUES * joints * shapes;
    measures_add(measures, "transforms", sparse.block_count);
    measures_add(measures, "entries", sparse.entry_count);
    measures_add(measures, "sparse_bytes", sparse_bytes);
    measures_add(measures, "dense_bytes", dense_bytes);
    measures_add(measures, "bytes_ratio", dense_bytes / sparse_bytes);
    measures_add(measures, "stage_bytes",
                 sparse.first[joints] * (4.0 * SPARSE_LANES + 2.0) + 4.0 * (joints + 1.0));
    if (rounds < 2)
        return status_ok();
    SkinnerOptions lbs;
    STATUS_TRY(study_method(input, "lbs", NULL, &lbs));
    lbs.backend = &backend_simd;
    lbs.threads = 0;
    LOCAL_ARRAY(float, shares, shapes, "a study");
    LOCAL_TABLE(Transform, blended, 2, joints, "a study");
    Random random = {1};
    for (int i = 0; i < shapes; i++)
        shares[i] = (float)random_unit(&random);
    STATUS_TRY(shape_transforms_make(rig, SHAPES_DENSE, &dense));
    shape_transforms_blend(&sparse, shares, blended);
    shape_transforms_blend(&dense, shares, blended + joints);
    double samples[2][STUDY_ROUNDS_MAX], scratch[2 * STUDY_ROUNDS_MAX], off = 0.0;
    /* comparison instead of fmax, because gcc 12 crashes on such loops for aarch64 */
    for (int i = 0; i < joints * AFFINE_VALUES; i++) {
        const double apart = fabs((&blended->m00)[i] - (&blended[joints].m00)[i]);
        off = apart > off ? apart : off;
    }
    Mesh mesh = input->dataset->mesh;
    mesh.rest = (float *)rest;
    OWNED_BY(skinner_free) Skinner *first = NULL, *second = NULL;
    Skinner **skinners[2] = {&first, &second};
    ShapePosing posings[2];
    TimedTask tasks[2];
    for (int i = 0; i < 2; i++) {
        lbs.shapes = i == 0 ? SHAPES_SPARSE : SHAPES_DENSE;
        STATUS_TRY(skinner_create(&lbs, &mesh, rig, skinners[i]));
        posings[i] = (ShapePosing){*skinners[i], shares};
        tasks[i] =
            (TimedTask){.run = posing_run, .context = &posings[i], .samples = samples[i], .alone = true};
    }
    int order[2];
    RoundsEnd end;
    const RoundsOptions options = {.rounds_minimum = rounds, .rounds_cap = rounds, .time_budget_s = 10.0};
    STATUS_TRY(rounds_run((TimedTask *const[]){&tasks[0], &tasks[1]}, 2, &options, order, scratch, &end));
    for (int i = 0; i < tasks[0].sample_count; i++) {
        samples[0][i] *= 1e6;
        samples[1][i] *= 1e6;
    }
    measures_add(measures, "off", off);
    study_add_times(measures, (const char *const[]){"sparse_us", "dense_us"},
                    (const double *const[]){samples[0], samples[1]}, tasks[0].sample_count, "speedup");
    return status_ok();
}

Status study_sparse_transforms(const StudyInput *input, Measures *measures)
{
    const Dataset *dataset = input->dataset;
    const char *method = study_text(input, "fit", "");
    CLEANUP(decomposition_result_clear) DecompositionResult fit = {0};
    if (!dataset || dataset->animation.frame_count == 0 || (!*method && dataset->rig.frame_count == 0))
        return bad_input(
            "needs shapes (animation/positions), and either a rig with frames or the parameter 'fit'");
    if (!*method) {
        STATUS_TRY(errors_measure(input, &dataset->rig, dataset->mesh.rest, measures));
        return blending_measure(input, dataset->mesh.rest, &dataset->rig, measures);
    }
    const double started_s = clock_now_s();
    STATUS_TRY(shapes_fit(input, method, &fit));
    measures_add_timed(measures, "fit_s", clock_now_s() - started_s);
    measures_add(measures, "bones", fit.bones_delivered);
    const bool linear = strcmp(method, "compressed-skinning") == 0;
    if (!linear)
        transforms_still(&fit.rig, study_number(input, "still_degrees", 0.0),
                         study_number(input, "still_mm", 0.0) / study_number(input, "millimetres", 1.0),
                         measures);
    STATUS_TRY(errors_measure(input, &fit.rig, fit.rest, measures));
    return linear ? blending_measure(input, fit.rest, &fit.rig, measures) : status_ok();
}
