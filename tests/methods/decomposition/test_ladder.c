/* Tests the stages of a fit, each with more work than the previous one. More work never increases the
 * error, and the result does not depend on the machine. */
#include "methods/decomposition/coordinate-descent/ladder.h"

#include "tests/trials.h"

enum { STAGES = 4 };

static Sequence sequence_make(uint64_t seed)
{
    return sequence_skinned(24, 9, 10, 8, 0.4, seed);
}

static const char *const transforms[] = {"transforms=affine", "transforms=rigid"};

/* A fit that ends after some stages delivers the model that the longest fit has after these stages. More
 * stages never increase the error. */
TEST(more_stages_never_leave_more_error)
{
    for (uint64_t seed = 1; seed <= 2; seed++)
        for (int i = 0; i < 2; i++) {
            CLEANUP(sequence_clear) Sequence sequence = sequence_make(seed);
            double before = INFINITY;
            FITTED(longest, &sequence, "coordinate-descent", 6, 3, 1000, 2, transforms[i], "stages=4");
            assert_int_equal(longest.stage_count, STAGES);
            assert_int_equal(longest.end, FIT_ITERATION_CAP);
            for (int stages = 1; stages <= STAGES; stages++) {
                FITTED(result, &sequence, "coordinate-descent", 6, 3, 1000, 1, transforms[i],
                       text_of("stages=%d", stages));
                const double delivered = delivered_error(&sequence, &result);
                const DecompositionStage *stage = &longest.stages[stages - 1];
                assert_int_equal(result.stage_count, stages);
                assert_int_equal(result.iteration_count, (1 << stages) - 1);
                assert_int_equal(stage->iterations, result.iteration_count);
                assert_true(result.stages[stages - 1].squared_error == stage->squared_error);
                assert_true(fabs(delivered - stage->squared_error) <= 1e-6 * delivered);
                assert_true(stage->squared_error <= before);
                before = stage->squared_error;
            }
        }
}

/* More iterations never increase the error, even if the fit ends within a stage. */
TEST(more_iterations_never_leave_more_error)
{
    for (int i = 0; i < 2; i++) {
        CLEANUP(sequence_clear) Sequence sequence = sequence_make(5);
        double before = INFINITY;
        for (int iterations = 0; iterations <= 9; iterations++) {
            FITTED(result, &sequence, "coordinate-descent", 6, 3, iterations, 2, transforms[i]);
            const double delivered = delivered_error(&sequence, &result);
            if (delivered > before * (1.0 + 1e-5))
                fail_msg("%s: %g after %d iterations, %g before", transforms[i], delivered, iterations,
                         before);
            before = fmin(before, delivered);
        }
    }
}

/* A time limit that is not reached changes no byte of the result. A limit that has already passed still
 * gives a model. */
TEST(limits_only_decide_where_it_ends)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_make(7);
    CLEANUP(decomposition_result_clear) DecompositionResult free_one = {0}, limited = {0}, late = {0};
    Trial trial = {"coordinate-descent", 6, 3, 7, 2, {NULL}, 0.0, NULL};
    assert_ok(trial_run(&trial, &sequence, &free_one));
    trial.time_limit_s = 1e6;
    assert_ok(trial_run(&trial, &sequence, &limited));
    trial.time_limit_s = 1e-9;
    assert_ok(trial_run(&trial, &sequence, &late));
    assert_int_equal(limited.end, FIT_ITERATION_CAP);
    assert_int_equal(late.end, FIT_AFTER_LIMIT);
    assert_int_equal(late.iteration_count, 0);
    check_rig(&sequence, &late);
    const size_t maps = (size_t)free_one.rig.joint_count * (size_t)free_one.rig.frame_count;
    assert_memory_equal(free_one.rig.transforms, limited.rig.transforms, maps * sizeof(Transform));
    assert_memory_equal(free_one.rest, limited.rest, 3 * (size_t)sequence.mesh.vertex_count * sizeof(float));
}

/* The first stage of a fit reduces the animation to few dimensions. With all stages, the fit uses more
 * dimensions, and its error is no larger. */
TEST(coarse_reduction_becomes_full)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_sheet(60, 30, 110, 0);
    Random random = {3};
    sequence_skin(&sequence, 8, 0.4, 3);
    for (ptrdiff_t i = 0; i < (ptrdiff_t)3 * sequence.mesh.vertex_count * sequence.animation.frame_count; i++)
        sequence.animation.positions[i] += (float)(0.05 * random_signed(&random));
    FITTED(coarse, &sequence, "coordinate-descent", 8, 4, 1000, 2, "stages=1");
    FITTED(full, &sequence, "coordinate-descent", 8, 4, 1000, 2, "stages=3");
    assert_true(full.reduced_dimension > coarse.reduced_dimension);
    assert_true(delivered_error(&sequence, &full) <= delivered_error(&sequence, &coarse));
    for (int i = 0; i < 2; i++) {
        const DecompositionResult *result = i == 0 ? &coarse : &full;
        const double delivered = delivered_error(&sequence, result);
        assert_true(fabs(result->squared_error[result->iteration_count] - delivered) <= 1e-6 * delivered);
    }
}
