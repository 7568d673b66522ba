/* Tests the checks around every fit. If a method violates a requirement, its fit is refused with a message
 * that names the violation, and nothing is left to release. */
#include "methods/fitting/decomposition_method.h"

#include "datasets/base/clock.h"
#include "tests/sequences.h"

#include <omp.h>

enum { FRAMES = 3, BONES = 2, INFLUENCES = 2 };

/* The violation that the test method commits. The test passes its number as the seed. */
enum Fault {
    FAULT_NONE,
    FAULT_NO_RECORD,
    FAULT_NO_RIG,
    FAULT_NO_REST,
    FAULT_BONE_COUNT,
    FAULT_MORE_BONES,
    FAULT_NO_BONES,
    FAULT_FRAME_COUNT,
    FAULT_INFLUENCES,
    FAULT_JOINT_RANGE,
    FAULT_WEIGHT_SUM,
    FAULT_WEIGHT_NAN,
    FAULT_TRANSFORM_NAN,
    FAULT_REST_NAN,
    FAULT_ERROR_NAN,
    FAULT_COUNT
};

static const char *const messages[FAULT_COUNT] = {
    [FAULT_NO_RECORD] = "faulty: fit recorded no errors and times",
    [FAULT_NO_RIG] = "faulty: makes_rig is set, but fit delivered no rig",
    [FAULT_NO_REST] = "faulty: makes_rig is set, but fit delivered no rest pose",
    [FAULT_BONE_COUNT] = "faulty: fit delivered 1 bones in a rig of 2 joints",
    [FAULT_MORE_BONES] = "faulty: fit delivered 3 of 2 bones, but 2 were requested",
    [FAULT_NO_BONES] = "faulty: fit delivered 0 of 2 bones",
    [FAULT_FRAME_COUNT] = "faulty: fit delivered a rig of 2 frames, expected 3",
    [FAULT_INFLUENCES] = "faulty: fit delivered 3 influences per vertex, expected 1 to 2",
    [FAULT_JOINT_RANGE] = "faulty: rig/weights/joints[1,0] is 2, expected 0 to 1",
    [FAULT_WEIGHT_SUM] = "faulty: the weights of vertex 1 sum to 0.5, expected 1",
    [FAULT_WEIGHT_NAN] = "faulty: rig/weights/values[1,0] is nan",
    [FAULT_TRANSFORM_NAN] = "faulty: rig/transforms[1,0,0,3] is inf",
    [FAULT_REST_NAN] = "faulty: mesh/rest[1,1] is nan",
    [FAULT_ERROR_NAN] = "faulty: after iteration 0 the squared error is nan"};

static void rest_drop(DecompositionResult *result)
{
    memory_free(result->rest);
    result->rest = NULL;
}

/* Delivers a bone 0 that moves no vertex, and then commits the requested violation. */
static Status faulty_fit(const DecompositionInput *input, const DecompositionOptions *options,
                         DecompositionResult *result)
{
    const enum Fault fault = (enum Fault)options->seed;
    const int vertices = input->mesh->vertex_count;
    const int influences = fault == FAULT_INFLUENCES ? INFLUENCES + 1 : INFLUENCES;
    const int frames = fault == FAULT_FRAME_COUNT ? FRAMES - 1 : FRAMES;
    Rig *rig = &result->rig;
    assert_int_equal(options->threads, 1); /* 0 threads were requested */
    if (fault != FAULT_NO_RECORD)
        assert_ok(decomposition_result_begin(result, options->bones, 0));
    result->bones_requested = options->bones;
    result->bones_delivered = fault == FAULT_BONE_COUNT   ? 1
                              : fault == FAULT_NO_BONES   ? 0
                              : fault == FAULT_MORE_BONES ? 3
                                                          : BONES;
    result->rest = memory_table((size_t)vertices, 3, sizeof(float));
    assert_non_null(result->rest);
    memcpy(result->rest, input->mesh->rest, 3 * (size_t)vertices * sizeof(float));
    if (fault == FAULT_NO_RIG)
        return status_ok();
    assert_ok(rig_allocate(rig, vertices, BONES, frames, influences));
    for (int i = 0; i < frames * BONES; i++)
        rig->transforms[i] = (Transform){.m00 = 1.0, .m11 = 1.0, .m22 = 1.0};
    for (int j = 0; j < vertices; j++)
        rig->weight_values[j * influences] = 1.0f;
    if (fault == FAULT_NO_REST)
        rest_drop(result);
    if (fault == FAULT_JOINT_RANGE)
        rig->weight_joints[influences] = BONES;
    if (fault == FAULT_WEIGHT_SUM || fault == FAULT_WEIGHT_NAN)
        rig->weight_values[influences] = fault == FAULT_WEIGHT_SUM ? 0.5f : NAN;
    if (fault == FAULT_TRANSFORM_NAN)
        rig->transforms[BONES].m03 = INFINITY;
    if (fault == FAULT_REST_NAN)
        result->rest[4] = NAN;
    if (fault == FAULT_ERROR_NAN)
        result->squared_error[0] = NAN;
    return status_ok();
}

static Status low_rank_fit(const DecompositionInput *input, const DecompositionOptions *options,
                           DecompositionResult *result)
{
    const size_t vertices = (size_t)input->mesh->vertex_count, rows = 3 * (size_t)FRAMES;
    assert_ok(decomposition_result_begin(result, options->bones, 0));
    result->bones_delivered = 1;
    if (options->seed == 0)
        return status_ok();
    result->low_rank = (LowRank){.rank = 1,
                                 .row_count = options->seed == 1 ? 3 * FRAMES - 3 : 3 * FRAMES,
                                 .basis = memory_array(rows, sizeof(double)),
                                 .coefficients = memory_array(vertices, sizeof(float))};
    assert_true(result->low_rank.basis && result->low_rank.coefficients);
    if (options->seed == 2)
        result->low_rank.coefficients[vertices - 1] = NAN;
    return status_ok();
}

/* Runs a method on a sheet without motion. */
static Status method_run(const DecompositionMethod *method, uint64_t seed, DecompositionResult *result)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_sheet(4, 3, FRAMES, 0);
    DecompositionInput input = {&sequence.mesh, &sequence.animation, 1.0, NULL};
    DecompositionOptions options = {.bones = BONES, .influences = INFLUENCES, .iterations = 1, .seed = seed};
    return decomposition_fit(method, &input, &options, result);
}

static void refused(const DecompositionMethod *method, uint64_t seed, const char *message)
{
    DecompositionResult result;
    assert_refused(STATUS_CHECK_FAILED, message, method_run(method, seed, &result));
    assert_null(result.rest);
    assert_null(result.squared_error);
    assert_int_equal(result.rig.joint_count, 0);
    assert_int_equal(result.low_rank.rank, 0);
}

TEST(broken_promises_are_named)
{
    const DecompositionMethod method = {.name = "faulty", .makes_rig = true, .fit = faulty_fit};
    for (int fault = FAULT_NONE + 1; fault < FAULT_COUNT; fault++)
        refused(&method, (uint64_t)fault, messages[fault]);
    refused(&(DecompositionMethod){.name = "empty", .makes_rig = true}, 0,
            "empty: the method has no function `fit`");
    refused(&(DecompositionMethod){.name = "faulty", .fit = faulty_fit}, FAULT_NONE,
            "faulty: makes_rig is not set, but fit delivered a rig");
}

TEST(low_rank_models_are_checked)
{
    const DecompositionMethod method = {.name = "flat", .fit = low_rank_fit};
    refused(&method, 0, "flat: makes_rig is not set, but fit delivered no low-rank model");
    refused(&method, 1, "flat: the basis of the low-rank model has 6 rows, expected 9");
    refused(&method, 2, "flat: model/coefficients[0,11] is nan");
    CLEANUP(decomposition_result_clear) DecompositionResult result = {0};
    assert_ok(method_run(&method, 3, &result));
}

/* A correct fit is accepted. Its joints receive names, and the caller's number of threads is restored. */
TEST(sound_fits_pass)
{
    const DecompositionMethod method = {.name = "sound", .makes_rig = true, .fit = faulty_fit};
    const int threads = omp_get_max_threads();
    CLEANUP(decomposition_result_clear) DecompositionResult result = {0};
    assert_ok(method_run(&method, FAULT_NONE, &result));
    assert_string_equal(result.rig.joint_names[1], "bone_1");
    assert_int_equal(result.rig.parents[1], -1);
    assert_true(result.rig.rest[1].m11 == 1.0);
    assert_int_equal(omp_get_max_threads(), threads);
}

/* A time limit that has passed ends a fit. If it passes before the first iteration, the status says that
 * the first model came too late. */
TEST(passed_limits_are_typed)
{
    const DecompositionOptions options = {.time_limit_s = 1.0}, none = {0};
    const double started_s = clock_now_s() - 2.0;
    FitEnd end = FIT_EXACT;
    assert_true(decomposition_must_end(&options, started_s, 3, "rounds", 0.5, &end));
    assert_string_equal(fit_end_name(end), "time-limit");
    assert_true(decomposition_must_end(&options, started_s, 0, "rounds", 0.5, &end));
    assert_string_equal(fit_end_name(end), "after-time-limit");
    assert_false(decomposition_must_end(&none, started_s, 0, "rounds", 0.5, &end));
}
