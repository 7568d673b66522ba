/* Diagnoses a poor fit on a sample of its animation. Each possible cause is judged by the error that would
 * remain without it: without some frames or vertices, with the best affine transformations, with the best
 * weights over all bones, with a bone for each part of the mesh that moves differently, or in a small fit
 * with more bones or another rest pose. */
#include "harness/run/fit/fit_diagnosis.h"

#include "datasets/model/evaluate.h"
#include "harness/measure/timing/statistics.h"
#include "harness/run/fit/part_motions.h"
#include "methods/fitting/frame_solve.h"
#include "methods/fitting/nnls.h"

enum {
    WEIGHED_VERTICES = 64,  /* number of vertices whose weights are solved with all bones */
    TRIAL_ITERATIONS = 3,   /* iterations of a small fit */
    TRIAL_VERTICES = 256,   /* number of vertices of a small fit, unless the bones need more */
    VERTICES_PER_BONE = 16, /* smallest number of vertices per bone; with fewer vertices, bones would fit the
                              noise of the sample */
    STEPS_AROUND = 4        /* number of steps before and after a step with which it is compared */
};
static const double E_RMS_POOR = 1.0, KG_POOR = 5.0, CAUSE_LEFT = 0.9, JUMP_MIN = 5.0;
/* If less than this fraction would remain without a cause, no further cause is sought. */
static const double CAUSE_ENOUGH = 0.1;

typedef struct Diagnosis {
    double e_rms; /* E_RMS of the fit */
    double left;  /* fraction of e_rms that would remain without the strongest cause */
    char *text;
} Diagnosis;

/* Offers a cause without which the fraction `left` of the error would remain. The cause is kept unless an
 * earlier one would leave a smaller fraction. */
__attribute__((format(printf, 3, 4))) static void cause_record(Diagnosis *diagnosis, double left,
                                                               const char *format, ...)
{
    va_list arguments;
    if (!(left < diagnosis->left))
        return;
    diagnosis->left = left;
    va_start(arguments, format);
    text_format(diagnosis->text, FIT_DIAGNOSIS_BYTES, format, arguments);
    va_end(arguments);
}

/* Finds the first jump of the animation among the steps to and from frame `worst` and the frames around it
 * with an error above `far`. Describes the jump; "" if there is none. A jump is a step of at least half the
 * error and many times the median of all steps and of those around it, so that a fast motion is no jump. */
static Status jump_examine(const FitTask *task, const FitOutcome *outcome, int worst, double far,
                           char text[128])
{
    const double *errors = outcome->metrics.e_rms_per_frame;
    const int frames = task->animation->frame_count, last = frames - 1;
    const int count = ranks_share(task->ranks, task->mesh->vertex_count).count;
    const ptrdiff_t size = 3 * (ptrdiff_t)count;
    int first = worst, end = worst + 1, jump = 0, next = 0;
    LOCAL_TABLE(float, positions, 2 * (size_t)count, 3, "the diagnosis of a fit");
    LOCAL_ARRAY(double, steps, frames, "the diagnosis of a fit");
    LOCAL_ARRAY(double, sorted, frames, "the diagnosis of a fit");
    text[0] = '\0';
    /* measure the step to each frame from the frame before in the units of E_RMS; steps[0] is not used */
    for (int f = 0; f < frames; f++) {
        float *now = positions + f % 2 * size;
        const float *before = positions + (f + 1) % 2 * size;
        const PositionBlock block = {.first_frame = f, .frames = 1, .vertices = count};
        double sum = 0.0;
        STATUS_TRY(animation_block(task->animation, count, block, now));
        for (ptrdiff_t i = 0; i < size; i++)
            sum += ((double)now[i] - (double)before[i]) * ((double)now[i] - (double)before[i]);
        steps[f] = sorted[f] = 1000.0 * sqrt(sum / (double)size) / outcome->unit_radius;
    }
    const double median = median_sorting(sorted + 1, last);
    while (first > 0 && errors[first - 1] > far)
        first--;
    while (end < frames && errors[end] > far)
        end++;
    for (int f = int_min(end, last); f >= int_max(first, 1); f--) {
        const int from = int_max(f - STEPS_AROUND, 1), to = int_min(f + STEPS_AROUND, last);
        memcpy(sorted, steps + from, (size_t)(to - from + 1) * sizeof *steps);
        const double usual = fmax(median, median_sorting(sorted, to - from + 1));
        if (steps[f] > fmax(JUMP_MIN * usual, 0.5 * errors[worst])) {
            next = jump;
            jump = f;
        }
    }
    if (jump > 0 && (next == jump + 1 || jump == last))
        text_append(text, 128, "; the clip jumps for one frame: fit it without frame %d", jump);
    else if (jump > 0)
        text_append(text, 128,
                    "; the clip jumps at frame %d: fit the frames before the jump and after it apart", jump);
    return status_ok();
}

/* Considers as a cause the frames whose squared error exceeds nine times the mean. Such frames are less
 * than a ninth of all. */
static Status frames_examine(const FitTask *task, const FitOutcome *outcome, Diagnosis *diagnosis)
{
    const double *errors = outcome->metrics.e_rms_per_frame;
    const int frames = outcome->metrics.frame_count;
    const double sum = frames * diagnosis->e_rms * diagnosis->e_rms;
    double far = 0.0;
    int far_count = 0, worst = 0;
    char jump[128];
    if (task->holdout > 0 || !errors)
        return status_ok();
    for (int f = 0; f < frames; f++) {
        const bool is_far = errors[f] > 3.0 * diagnosis->e_rms;
        far += is_far ? errors[f] * errors[f] : 0.0;
        far_count += is_far;
        worst = errors[f] > errors[worst] ? f : worst;
    }
    const double left = sqrt(fmax(1.0 - far / sum, 0.0));
    if (far_count == 0 || !(left < diagnosis->left))
        return status_ok();
    STATUS_TRY(jump_examine(task, outcome, worst, 3.0 * diagnosis->e_rms, jump));
    cause_record(diagnosis, left, "%d of %d frames have %.0f %% of the squared error, above all frame %d%s",
                 far_count, frames, 100.0 * far / sum, worst, jump);
    return status_ok();
}

/* ---- The model on the sample. Each sampled frame occurs twice: frame 2 f has the fitted motion of the
 * bones, and frame 2 f + 1 a newly solved motion. ---- */

typedef struct SampleModel {
    Rig rig;
    float *rest;
    int32_t *frames; /* indices of the odd frames, whose motion is solved again */
    FrameSolve solve;
} SampleModel;

static void sample_model_clear(SampleModel *model)
{
    rig_clear(&model->rig);
    FREE_ALL(model->rest, model->frames);
}

/* Makes a model on the sample: the fitted model or, if `one` is set, a single bone that stays at rest. target
 * has the sampled frames, each of which occurs twice. */
static Status sample_model_make(const FitTask *task, const FitSample *sample, const FitOutcome *outcome,
                                const Animation *target, bool one, SampleModel *out)
{
    const Rig *rig = &outcome->result.rig;
    const int n = sample->data.mesh.vertex_count, m = sample->data.animation.frame_count;
    const int joints = one ? 1 : rig->joint_count, slots = one ? 1 : rig->influence_count;
    STATUS_TRY(rig_allocate(&out->rig, n, joints, 2 * m, slots));
    ALLOCATE_TABLE(out->rest, n, 3, "the diagnosis of a fit");
    ALLOCATE(out->frames, m, "the diagnosis of a fit");
    for (int i = 0; i < n; i++) {
        const size_t from = (size_t)sample->vertices[i], slot = (size_t)i * (size_t)slots;
        memcpy(out->rest + 3 * (ptrdiff_t)i, outcome->result.rest + 3 * from, 3 * sizeof(float));
        for (size_t k = 0; k < (size_t)slots; k++) {
            out->rig.weight_joints[slot + k] = one ? 0 : rig->weight_joints[from * (size_t)slots + k];
            out->rig.weight_values[slot + k] = one ? 1.0f : rig->weight_values[from * (size_t)slots + k];
        }
    }
    for (int f = 0; f < 2 * m; f++) {
        Transform *palette = out->rig.transforms + (ptrdiff_t)f * joints;
        for (int j = 0; j < joints; j++)
            palette[j] =
                one ? transform_identity() : rig->transforms[(ptrdiff_t)sample->frames[f / 2] * joints + j];
        out->frames[f / 2] = f;
    }
    out->solve = (FrameSolve){.target = target,
                              .vertex_count = n,
                              .rest = out->rest,
                              .frames = out->frames,
                              .frame_count = m,
                              .rig = &out->rig,
                              .threads = int_max(task->options.threads, 1)};
    return status_ok();
}

/* Returns the squared error of a model on the sample. parity: 0 for the even frames, 1 for the odd frames.
 * If still_only is set, only vertices that never move count. */
static double model_error(const SampleModel *model, int parity, bool still_only)
{
    const FrameSolve *solve = &model->solve;
    const Bounds box = bounds_of(solve->target->positions, solve->vertex_count);
    double sum = 0.0;
    for (int i = 0; i < solve->vertex_count; i++) {
        const Vec3 start = point_at(solve->target->positions, i);
        double error = 0.0, moved = 0.0;
        for (int f = parity; f < 2 * solve->frame_count; f += 2) {
            const Transform blend = rig_blend(&model->rig, f, i);
            const Vec3 miss = frame_residual(solve, &blend, f, i);
            const Vec3 at = point_at(solve->target->positions, (ptrdiff_t)f * solve->vertex_count + i);
            error += vec3_dot(miss, miss);
            moved = fmax(moved, vec3_length(vec3_sub(at, start)));
        }
        sum += still_only && moved > 1e-5 * box.diagonal ? 0.0 : error;
    }
    return sum;
}

/* Computes the fraction of the error that remains if each bone gets its best affine transformations and the
 * weights stay the same. The result is 1 if there are too few vertices. It is corrected for overfitting:
 * each bone has 4 unknowns per coordinate, which also fit noise. */
static Status affine_left(SampleModel *model, double error, double *left)
{
    const double unknowns = 4.0 * model->rig.joint_count / model->solve.vertex_count;
    *left = 1.0;
    if (model->rig.joint_count * VERTICES_PER_BONE > model->solve.vertex_count || error == 0.0)
        return status_ok();
    STATUS_TRY(frames_solve_affine(&model->solve));
    *left = sqrt(model_error(model, 1, false) / error / (1.0 - unknowns));
    return status_ok();
}

/* Returns the squared error of a vertex that is blended from `count` bones with the best possible weights.
 * misses [count][rows] are the differences between each bone's predictions and the vertex. */
static double weights_error(int count, int rows, double *const misses[])
{
    double gram[NNLS_UNKNOWNS_MAX][NNLS_UNKNOWNS_MAX] = {{0.0}}, products[NNLS_UNKNOWNS_MAX] = {0.0};
    double weights[NNLS_UNKNOWNS_MAX], size = 0.0, sum = 0.0, error = 0.0;
    for (int k = 0; k < count; k++)
        for (int l = 0; l < count; l++) {
            double dot = 0.0;
            for (int r = 0; r < rows; r++)
                dot += misses[k][r] * misses[l][r];
            gram[k][l] = dot;
            size += k == l ? dot / count : 0.0;
        }
    nnls_solve(count, gram[0], products, fmax(size, 1e-300), weights);
    for (int k = 0; k < count; k++)
        sum += weights[k];
    for (int i = 0; i < count * count && sum > 0.0; i++)
        error += weights[i / count] * weights[i % count] * gram[i / count][i % count] / (sum * sum);
    return error;
}

/* Computes the fraction of the error that remains if all bones may influence each vertex. It compares, for
 * some vertices, the best weights over all bones with the best weights over the bones that influence the
 * vertex now. */
static Status weights_left(const SampleModel *model, int cap, double *left)
{
    const Rig *rig = &model->rig;
    const int n = model->solve.vertex_count, rows = 3 * model->solve.frame_count, joints = rig->joint_count;
    double now = 0.0, then = 0.0;
    LOCAL_TABLE(double, misses, joints, rows, "the diagnosis of a fit");
    *left = 1.0;
    if (joints <= cap || rig->influence_count < cap || joints > NNLS_UNKNOWNS_MAX)
        return status_ok();
    for (int s = 0; s < WEIGHED_VERTICES && s < n; s++) {
        const ptrdiff_t i = (ptrdiff_t)s * n / int_min(n, WEIGHED_VERTICES);
        double *all[NNLS_UNKNOWNS_MAX], *used[NNLS_UNKNOWNS_MAX];
        int count = 0;
        for (int j = 0; j < joints; j++) {
            all[j] = misses + (ptrdiff_t)j * rows;
            for (int f = 0; f < model->solve.frame_count; f++) {
                const Vec3 miss = frame_residual(
                    &model->solve, rig->transforms + (ptrdiff_t)2 * f * joints + j, 2 * f, (int)i);
                all[j][3 * f] = miss.x;
                all[j][3 * f + 1] = miss.y;
                all[j][3 * f + 2] = miss.z;
            }
        }
        for (int k = 0; k < rig->influence_count; k++)
            if (rig->weight_values[i * rig->influence_count + k] > 0.0f)
                used[count++] = all[rig->weight_joints[i * rig->influence_count + k]];
        const double error = weights_error(count, rows, used);
        now += error;
        then += count < cap ? error : fmin(error, weights_error(joints, rows, all));
    }
    *left = now > 0.0 ? sqrt(then / now) : 1.0;
    return status_ok();
}

static Status rig_examine(const FitTask *task, const FitSample *sample, const FitOutcome *outcome,
                          double *one_bone, Diagnosis *diagnosis)
{
    CLEANUP(sample_model_clear) SampleModel model = {.rest = NULL}, one = {.rest = NULL};
    const double e_rms = diagnosis->e_rms;
    const int bones = outcome->result.bones_requested;
    PartMotions parts;
    double left = 1.0;
    CLEANUP(animation_clear) Animation target = {.frame_count = 0};
    const Animation *frames = &sample->data.animation;
    const size_t size = 3 * (size_t)sample->data.mesh.vertex_count;
    STATUS_TRY(animation_allocate(&target, 2 * frames->frame_count, sample->data.mesh.vertex_count, 0));
    for (size_t f = 0; f < 2 * (size_t)frames->frame_count; f++)
        memcpy(target.positions + f * size, frames->positions + f / 2 * size, size * sizeof(float));
    STATUS_TRY(sample_model_make(task, sample, outcome, &target, false, &model));
    STATUS_TRY(sample_model_make(task, sample, outcome, &target, true, &one));
    const double error = model_error(&model, 0, false), still = model_error(&model, 0, true);
    STATUS_TRY(affine_left(&one, error, one_bone));
    if (still > 0.0)
        cause_record(diagnosis, sqrt(fmax(1.0 - still / error, 0.0)),
                     "%.0f %% of the squared error is at vertices that never move; a bone at rest would hold "
                     "them, so try more --bones",
                     100.0 * still / error);
    const bool rigid = rig_is_rigid(&outcome->result.rig);
    const double near = 0.5e-3 * fmin(e_rms, E_RMS_POOR) * outcome->unit_radius;
    STATUS_TRY(part_motions_find(task->mesh, sample, near, rigid, bones, &parts));
    if (parts.motions > 0 && error > 0.0) {
        const double unknowns = (rigid ? 2.0 : 4.0) * parts.motions / model.solve.vertex_count;
        left = sqrt(parts.error / error / (1.0 - unknowns));
        cause_record(diagnosis, left,
                     "disconnected parts of the mesh have %d different motions, more than there are bones "
                     "(%d); one bone for each motion would have an E_RMS of %.3g, so try --bones %d",
                     parts.motions, bones, left * e_rms, parts.motions);
    }
    if (diagnosis->left < CAUSE_ENOUGH)
        return status_ok();
    STATUS_TRY(weights_left(&model, task->options.influences, &left));
    cause_record(diagnosis, left,
                 "vertices use all their %d influences; without that limit the same bones would have an "
                 "E_RMS of %.3g, so try --influences %d",
                 task->options.influences, left * e_rms,
                 int_min(2 * task->options.influences, FIT_INFLUENCES_MAX));
    STATUS_TRY(affine_left(&model, error, &left));
    if (rigid)
        cause_record(
            diagnosis, left,
            "rigid bones lack scale and shear; affine bones with the same weights would have an E_RMS of "
            "%.3g, so try coordinate-descent without --for-engine",
            left * e_rms);
    else
        cause_record(diagnosis, left,
                     "the bones' transformations are not optimal; with the same weights the best ones would "
                     "have an E_RMS of %.3g%s",
                     left * e_rms,
                     task->options.context ? "" : ", so try more --iterations, or coordinate-descent");
    return status_ok();
}

/* Copies every step-th vertex of the sample, without triangles. */
static Status trial_data_make(const FitSample *sample, int step, Dataset *out)
{
    const Dataset *from = &sample->data;
    const int n = from->mesh.vertex_count, few = (n + step - 1) / step, m = from->animation.frame_count;
    out->mesh.vertex_count = few;
    ALLOCATE_TABLE(out->mesh.rest, few, 3, "the diagnosis of a fit");
    STATUS_TRY(animation_allocate(&out->animation, m, few, 0));
    for (int i = 0; i < few; i++)
        memcpy(out->mesh.rest + 3 * (ptrdiff_t)i, from->mesh.rest + 3 * (ptrdiff_t)i * step,
               3 * sizeof(float));
    for (ptrdiff_t i = 0; i < (ptrdiff_t)m * few; i++)
        memcpy(out->animation.positions + 3 * i,
               from->animation.positions + 3 * (i / few * n + i % few * step), 3 * sizeof(float));
    return status_ok();
}

static void trial_data_clear(Dataset *data)
{
    mesh_clear(&data->mesh);
    animation_clear(&data->animation);
}

/* Runs a small fit with `bones` bones by sad, the fastest method, and returns its error. Returns INFINITY
 * if sad rejects the input. */
static double trial_error(const FitTask *task, const Dataset *data, int bones, bool from_first)
{
    const Animation *animation = &data->animation;
    Mesh mesh = data->mesh;
    DecompositionOptions options = task->options;
    CLEANUP(decomposition_result_clear) DecompositionResult result = {.end = FIT_COMPLETE};
    if (from_first)
        mesh.rest = animation->positions;
    options.bones = bones;
    options.iterations = TRIAL_ITERATIONS;
    options.time_limit_s = 0.0;
    options.progress = NULL;
    options.threads = 1; /* starting threads would take longer than the fit */
    const DecompositionInput input = {&mesh, animation, 1.0, NULL};
    return decomposition_fit_other("fit", "sad", NULL, &input, &options, &result).code == STATUS_OK
               ? sqrt(result.squared_error[result.iteration_count])
               : INFINITY;
}

/* Runs small fits to judge two possible causes: too few bones, and the rest pose. */
static Status trials_examine(const FitTask *task, const FitSample *sample, const FitOutcome *outcome,
                             Diagnosis *diagnosis)
{
    const int bones = outcome->result.bones_requested;
    const int more = bones + int_max(1, bones / 3), row = task->method->rest_pose_row;
    const int n = sample->data.mesh.vertex_count, few = int_max(VERTICES_PER_BONE * more, TRIAL_VERTICES);
    const bool first = row > 0 && task->options.parameters[row] == REST_POSE_FIRST;
    CLEANUP(trial_data_clear) Dataset data = {.name = NULL};
    if (diagnosis->left < CAUSE_ENOUGH || n < VERTICES_PER_BONE * more)
        return status_ok();
    STATUS_TRY(trial_data_make(sample, int_max(n / few, 1), &data));
    const double now = trial_error(task, &data, bones, first);
    const double then = trial_error(task, &data, more, first) / now;
    cause_record(
        diagnosis, then,
        "there are too few bones; a small test fit with %d instead of %d has %.0f %% less error, so try "
        "more --bones",
        more, bones, 100.0 - 100.0 * then);
    if (task->options.context) { /* a program of others, which may be far from what its bones can do */
        const double values = 3.0 * data.mesh.vertex_count * data.animation.frame_count;
        const double left = 1000.0 * now / sqrt(values) / outcome->unit_radius / diagnosis->e_rms;
        cause_record(
            diagnosis, left,
            "the program does not find the best rig; sad reaches an E_RMS of about %.3g with as many "
            "bones and influences",
            left * diagnosis->e_rms);
    }
    const double other = row > 0 && !first ? trial_error(task, &data, bones, true) / now : 1.0;
    cause_record(diagnosis, other,
                 "the rest pose does not suit the frames; a small test fit from the first frame has %.0f %% "
                 "less error, so try --set rest-pose=first",
                 100.0 - 100.0 * other);
    return status_ok();
}

Status fit_diagnose(const FitTask *task, const FitSample *sample, const FitOutcome *outcome,
                    char text[FIT_DIAGNOSIS_BYTES])
{
    const DecompositionResult *result = &outcome->result;
    const double kg = metric_named("kg_percent", &outcome->metrics);
    const double *errors = result->squared_error;
    const int sweeps = result->iteration_count;
    Diagnosis diagnosis = {metric_named("e_rms", &outcome->metrics), CAUSE_LEFT, text};
    double one_bone = INFINITY;
    text[0] = '\0';
    if (!(diagnosis.e_rms > E_RMS_POOR) && !(kg > KG_POOR))
        return status_ok();
    if (sample->doubt[0])
        cause_record(&diagnosis, -1.0, "%s", sample->doubt);
    STATUS_TRY(frames_examine(task, outcome, &diagnosis));
    if (sweeps >= 4 && errors[sweeps - sweeps / 4] > 0.0 && result->end != FIT_COMPLETE)
        cause_record(
            &diagnosis, sqrt(errors[sweeps] / errors[sweeps - sweeps / 4]),
            "the error still fell by %.0f %% in the last quarter of the sweeps, so try more --iterations",
            100.0 - 100.0 * sqrt(errors[sweeps] / errors[sweeps - sweeps / 4]));
    if (result->rig.joint_count > 0 && result->low_rank.rank == 0)
        STATUS_TRY(rig_examine(task, sample, outcome, &one_bone, &diagnosis));
    if (task->method->makes_rig)
        STATUS_TRY(trials_examine(task, sample, outcome, &diagnosis));
    else
        cause_record(&diagnosis, CAUSE_LEFT - 1e-9,
                     "the error of a low-rank model falls with its dimension, so try more --bones");
    if (text[0] == '\0')
        text_append(text, FIT_DIAGNOSIS_BYTES,
                    "no single cause was found; more bones, influences or sweeps lower the error by less "
                    "than 10 %% each");
    if (kg > 100.0)
        text_append(text, FIT_DIAGNOSIS_BYTES,
                    "; a mesh that does not move would be closer to the animation");
    if (task->mesh->triangle_count == 0 && task->method->makes_rig)
        text_append(text, FIT_DIAGNOSIS_BYTES,
                    "; the mesh has no triangles, so the method could not use which vertices are neighbours");
    if (one_bone < 1.0)
        text_append(text, FIT_DIAGNOSIS_BYTES, "; one affine bone would have an E_RMS of %.3g",
                    one_bone * diagnosis.e_rms);
    return status_ok();
}
