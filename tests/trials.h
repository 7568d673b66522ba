/* Fits synthetic animations for the tests of decomposition methods. A trial is a fit with its method and
 * settings. The errors that the fit reports are compared with errors computed from the definitions. */
#pragma once

#include "datasets/geometry/points.h"
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

/* TRIAL("sad", bones, influences, iterations, threads, "rounds=2") makes a trial in one line. The settings
 * at its end may be NULL for none. */
#define TRIAL(method, bones, influences, iterations, threads, ...)                                           \
    ((Trial){method, bones, influences, iterations, threads, {__VA_ARGS__}, 0.0, NULL})

/* Runs a trial with the default seed of the program. */
static inline Status trial_run(const Trial *trial, const Sequence *sequence, DecompositionResult *result)
{
    return trial_run_seeded(trial, 1, sequence, result);
}

/* FITTED(result, &sequence, "sad", 4, ...) declares the result of a trial that must succeed. */
#define FITTED(result, sequence, ...)                                                                        \
    CLEANUP(decomposition_result_clear)                                                                      \
    DecompositionResult result = trial_result(&TRIAL(__VA_ARGS__), sequence)
static inline DecompositionResult trial_result(const Trial *trial, const Sequence *sequence)
{
    DecompositionResult result;
    assert_ok(trial_run(trial, sequence, &result));
    return result;
}

/* Returns the squared error that a fit reports after its last iteration. */
static inline double error_in_the_end(const DecompositionResult *result)
{
    return result->squared_error[result->iteration_count];
}

/* Checks that no iteration up to `last` has increased the error. */
static inline void assert_descent(const DecompositionResult *result, int last)
{
    for (int i = 1; i <= last; i++)
        assert_at_most(result->squared_error[i], result->squared_error[i - 1] * (1.0 + 1e-9));
}

/* Checks that both results have bit-identical errors. */
static inline void assert_same_errors(const DecompositionResult *a, const DecompositionResult *b)
{
    assert_int_equal(a->iteration_count, b->iteration_count);
    assert_memory_equal(a->squared_error, b->squared_error,
                        sizeof(double) * (size_t)(a->iteration_count + 1));
}

/* Context of a progress callback that stops the fit after this many reports. */
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

/* Returns the squared error of the delivered model, computed from the definitions. */
static inline double delivered_error(const Sequence *sequence, const DecompositionResult *result)
{
    int vertices = sequence->mesh.vertex_count, frames = sequence->animation.frame_count;
    const Rig *rig = &result->rig;
    const LowRank *model = &result->low_rank;
    double sum = 0.0;
    for (int frame = 0; frame < frames; frame++)
        for (int j = 0; j < vertices; j++) {
            double change[3] = {0.0, 0.0, 0.0};
            for (int i = 0; i < 3 * model->rank; i++)
                change[i / model->rank] += model->basis[3 * frame * model->rank + i] *
                                           (double)model->coefficients[i % model->rank * vertices + j];
            const Vec3 moved = vec3_make(change[0], change[1], change[2]);
            Vec3 point = rig->joint_count > 0 ? vec3_make(0.0, 0.0, 0.0) : moved;
            for (int k = 0; k < rig->influence_count && rig->joint_count > 0; k++) {
                const int slot = j * rig->influence_count + k;
                const Transform map = rig->transforms[frame * rig->joint_count + rig->weight_joints[slot]];
                point =
                    vec3_add_scaled(point, transform_point(map, vec3_add(point_at(result->rest, j), moved)),
                                    (double)rig->weight_values[slot]);
            }
            const Vec3 off = vec3_sub(point, point_at(sequence->animation.positions, frame * vertices + j));
            sum += vec3_dot(off, off);
        }
    return sum;
}

/* Returns the sum of squares of all positions, ||A||^2. */
static inline double squared_size(const Sequence *sequence)
{
    double size = 0.0;
    for (int i = 0; i < 3 * sequence->animation.frame_count * sequence->mesh.vertex_count; i++)
        size += pow((double)sequence->animation.positions[i], 2.0);
    return size;
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

/* Runs a trial that must succeed, checks its result, and returns its E_RMS. */
static inline double trial_check(const Trial *trial, const Sequence *sequence, FitEnd *end, int *delivered)
{
    DecompositionResult result;
    assert_ok(trial_run(trial, sequence, &result));
    check_rig(sequence, &result);
    double reported = error_in_the_end(&result), true_error = delivered_error(sequence, &result);
    /* The reported error must equal the true error to four digits, except for rounding. The target is
     * rounded to float. Float weights sum to 1 only within 1e-7, and a method that subtracts the mean of
     * each frame does not report the error that this causes. */
    const double size = squared_size(sequence);
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
