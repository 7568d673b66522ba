/* Fits on made-up animations, for the tests of decomposition methods: run by name, then checked against what
 * is delivered, computed from the definitions. */
#pragma once

#include "methods/registry.h"
#include "tests/sequences.h"

enum { HELD = 4 };

typedef struct Trial {
    const char *method;
    int bones, influences, iterations, threads;
    const char *set[HELD]; /* name=value */
    double time_limit_s;
    const Progress *progress;
} Trial;

static inline Status trial_run_seeded(const Trial *trial, uint64_t seed, const Sequence *sequence,
                                      DecompositionResult *result)
{
    const DecompositionMethod *method = decomposition_method_find(trial->method);
    assert_non_null(method);
    ParameterValues values = parameters_default(method->parameters);
    for (int i = 0; i < HELD && trial->set[i]; i++)
        assert_ok(parameters_set(method->parameters, method->name, trial->set[i], &values));
    DecompositionInput input = {&sequence->mesh, &sequence->animation, sequence_radius(sequence), NULL};
    DecompositionOptions options = {.bones = trial->bones,
                                    .influences = trial->influences ? trial->influences : 4,
                                    .iterations = trial->iterations,
                                    .time_limit_s = trial->time_limit_s,
                                    .threads = trial->threads,
                                    .seed = seed,
                                    .parameters = values.values,
                                    .progress = trial->progress,
                                    .methods = decomposition_registry};
    return decomposition_fit(method, &input, &options, result);
}

/* As the program's default seed has it. */
static inline Status trial_run(const Trial *trial, const Sequence *sequence, DecompositionResult *result)
{
    return trial_run_seeded(trial, 1, sequence, result);
}

/* Asks for a stop after this many reports. */
typedef struct Patience {
    int reports_left;
} Patience;

static inline bool patience_report(void *context, const char *what, double share)
{
    Patience *patience = context;
    assert_non_null(what);
    assert_true(share >= 0.0 && share <= 1.0);
    return patience->reports_left-- > 0;
}

/* The squared error of what a result delivers, from the definitions. */
static inline double delivered_error(const Sequence *sequence, const DecompositionResult *result)
{
    int vertices = sequence->mesh.vertex_count, frames = sequence->animation.frame_count;
    const Rig *rig = &result->rig;
    const LowRank *model = &result->low_rank;
    double sum = 0.0;
    for (int frame = 0; frame < frames; frame++)
        for (int j = 0; j < vertices; j++) {
            double point[3] = {0.0, 0.0, 0.0}, change[3] = {0.0, 0.0, 0.0};
            for (int axis = 0; axis < 3; axis++)
                for (int k = 0; k < model->rank; k++)
                    change[axis] += model->basis[(3 * frame + axis) * model->rank + k] *
                                    (double)model->coefficients[k * vertices + j];
            for (int k = 0; k < rig->influence_count && rig->joint_count > 0; k++) {
                const float *v = result->rest + 3 * j;
                Transform map = rig->transforms[frame * rig->joint_count +
                                                rig->weight_joints[j * rig->influence_count + k]];
                Vec3 moved =
                    transform_point(map, vec3_make((double)v[0] + change[0], (double)v[1] + change[1],
                                                   (double)v[2] + change[2]));
                double weight = (double)rig->weight_values[j * rig->influence_count + k];
                point[0] += weight * moved.x;
                point[1] += weight * moved.y;
                point[2] += weight * moved.z;
            }
            for (int axis = 0; axis < 3; axis++) {
                point[axis] += rig->joint_count > 0 ? 0.0 : change[axis];
                double difference =
                    point[axis] - (double)sequence->animation.positions[(frame * vertices + j) * 3 + axis];
                sum += difference * difference;
            }
        }
    return sum;
}

static inline double e_rms(const Sequence *sequence, double squared_error)
{
    double entries = 3.0 * sequence->animation.frame_count * sequence->mesh.vertex_count;
    return 1000.0 * sqrt(squared_error / entries) / sequence_radius(sequence);
}

static inline void check_rig(const Sequence *sequence, const DecompositionResult *result)
{
    const Rig *rig = &result->rig;
    assert_int_equal(rig->joint_count, result->bones_delivered);
    assert_int_equal(rig->frame_count, sequence->animation.frame_count);
    for (int j = 0; j < sequence->mesh.vertex_count; j++) {
        double sum = 0.0;
        for (int k = 0; k < rig->influence_count; k++) {
            int slot = j * rig->influence_count + k;
            assert_in_range(rig->weight_joints[slot], 0, rig->joint_count - 1);
            assert_true(rig->weight_values[slot] >= 0.0f);
            sum += (double)rig->weight_values[slot];
        }
        assert_true(fabs(sum - 1.0) < 1e-6);
        for (int axis = 0; axis < 3; axis++)
            assert_true(isfinite(result->rest[3 * j + axis]));
    }
    for (int i = 0; i < rig->joint_count * rig->frame_count; i++)
        assert_true(isfinite(rig->transforms[i].m00 + rig->transforms[i].m13 + rig->transforms[i].m23));
}

/* Runs a trial that must succeed, checks what it delivers, returns its E_RMS. */
static inline double trial_check(const Trial *trial, const Sequence *sequence, FitEnd *end, int *delivered)
{
    DecompositionResult result;
    assert_ok(trial_run(trial, sequence, &result));
    check_rig(sequence, &result);
    double reported = result.squared_error[result.iteration_count],
           true_error = delivered_error(sequence, &result);
    /* 4 digits, down to where the floats of the target end; and weights in float sum to 1 within 1e-7 only,
     * which a method that subtracts the mean of a frame cannot see. */
    double size = 0.0;
    for (int i = 0; i < 3 * sequence->animation.frame_count * sequence->mesh.vertex_count; i++)
        size += pow((double)sequence->animation.positions[i], 2.0);
    double floor = 1e-15 + 1e-15 * size + 2e-7 * sqrt(true_error * size);
    if (fabs(reported - true_error) > 1e-4 * true_error + floor)
        fail_msg("reported %g, delivered %g (%s, %d bones)", reported, true_error,
                 trial->set[0] ? trial->set[0] : "", trial->bones);
    for (int i = 1; i <= result.iteration_count; i++)
        assert_true(result.elapsed_s[i] >= result.elapsed_s[i - 1]);
    if (end)
        *end = result.end;
    if (delivered)
        *delivered = result.bones_delivered;
    decomposition_result_clear(&result);
    return e_rms(sequence, true_error);
}
