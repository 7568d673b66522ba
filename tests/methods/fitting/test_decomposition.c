/* Tests decomposition methods through their interface: known rigs, closed forms, degenerate input, and the
 * ways in which fits end. */

#include "tests/trials.h"

/* A sequence made by three affine bones from the given rest pose is fitted up to float rounding. */
TEST(known_rig_is_recovered)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_skinned(24, 9, 14, 3, 0.3, 11);
    const Trial trial = TRIAL("coordinate-descent", 3, 4, 200, 1, "threshold=0.0001", "rest=no");
    assert_at_most(trial_check(&trial, &sequence, NULL, NULL), 1e-3);
}

/* If the whole mesh moves by one affine motion, one bone is exact without any sweep. */
TEST(affine_motion_is_exact)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_skinned(8, 7, 9, 2, 0.0, 1);
    Random random = {4};
    for (int frame = 0; frame < 9; frame++) {
        double map[12];
        for (int i = 0; i < 12; i++)
            map[i] = random_signed(&random);
        for (int j = 0; j < 56; j++)
            for (int axis = 0; axis < 3; axis++)
                sequence.animation.positions[(frame * 56 + j) * 3 + axis] =
                    (float)affine_at(map + 4 * axis, sequence.mesh.rest + 3 * j);
    }
    FitEnd end = FIT_STOPPED;
    Trial trial = TRIAL("coordinate-descent", 1, 4, 0, 1, "threshold=0.00001");
    assert_at_most(trial_check(&trial, &sequence, &end, NULL), 1e-3);
    trial.iterations = 10;
    trial_check(&trial, &sequence, &end, NULL);
    assert_int_equal(end, FIT_EXACT);
}

/* Bones are moved on trial, and a failed trial is undone. The recorded error is the lowest so far, so it
 * never increases. It is the error of the delivered model, and it is the same on one thread and two. */
TEST(trials_keep_the_best)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_skinned(40, 9, 10, 8, 0.4, 5);
    FITTED(one, &sequence, "coordinate-descent", 6, 3, 80, 1, NULL);
    FITTED(two, &sequence, "coordinate-descent", 6, 3, 80, 2, NULL);
    assert_int_equal(one.iteration_count, 80);
    assert_descent(&one, 80);
    assert_near(delivered_error(&sequence, &one), one.squared_error[80], 1e-3 * one.squared_error[80]);
    assert_same_errors(&two, &one);
}

/* If every step is a minimisation, no sweep increases the error. For this, a vertex must keep its bones
 * unless other bones are better. */
TEST(descent_is_monotone)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_skinned(20, 9, 10, 5, 0.4, 21);
    FITTED(result, &sequence, "coordinate-descent", 4, 3, 25, 1, "search=no", "choice=mixed");
    assert_descent(&result, result.iteration_count - 1);
    assert_true(error_in_the_end(&result) < 0.2 * result.squared_error[0]);
}

static const char *const presets[] = {"preset=best", "preset=paper"};

/* The requested number of bones is delivered if there are enough vertices. */
TEST(bones_are_delivered)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_skinned(8, 6, 7, 3, 0.3, 2);
    for (int preset = 0; preset < 2; preset++) {
        int delivered = 0;
        Trial trial = TRIAL("coordinate-descent", 4, 4, 6, 1, presets[preset]);
        for (trial.influences = 1; trial.influences <= 8; trial.influences++) {
            trial_check(&trial, &sequence, NULL, &delivered);
            assert_int_equal(delivered, 4);
        }
        trial.influences = 4;
        trial.bones = 1;
        trial_check(&trial, &sequence, NULL, &delivered);
        assert_int_equal(delivered, 1);
        trial.bones = 1000;
        trial_check(&trial, &sequence, NULL, &delivered);
        assert_in_range(delivered, 1, 48);
    }
}

/* If the rest pose is fixed, the order of the steps in a sweep must not change any bit of the result. If
 * the rest pose is free, the order matters. A different first triangle changes the result in both cases. */
TEST(order_and_start_are_heeded)
{
    static const char *const variants[] = {"order=rest", "order=weights", "start=1"};
    CLEANUP(sequence_clear) Sequence sequence = sequence_skinned(20, 12, 7, 5, 0.3, 2);
    for (int rest_free = 0; rest_free < 2; rest_free++) {
        double errors[3];
        for (int i = 0; i < 3; i++) {
            const Trial trial = TRIAL("coordinate-descent", 5, 4, 4, 1, "preset=paper",
                                      rest_free ? "rest=yes" : "rest=no", variants[i]);
            errors[i] = trial_check(&trial, &sequence, NULL, NULL);
        }
        assert_true(rest_free ? errors[0] != errors[1] : errors[0] == errors[1]);
        assert_true(errors[0] != errors[2]);
    }
}

/* An animation without motion is fitted exactly, and a single point needs only one bone. For other
 * degenerate input, test_every_fit.c checks that all methods end with a model. */
TEST(still_input_is_exact)
{
    for (int preset = 0; preset < 2; preset++) {
        int delivered = 0;
        const Trial trial = TRIAL("coordinate-descent", 4, 4, 6, 1, presets[preset]);
        CLEANUP(sequence_clear) Sequence still = sequence_sheet(8, 6, 5, 0);
        assert_true(trial_check(&trial, &still, NULL, &delivered) < 1e-3);
        still.animation.frame_count = 1;
        assert_true(trial_check(&trial, &still, NULL, &delivered) < 1e-3);
        for (int i = 0; i < 3 * 48; i++) /* one point */
            still.animation.positions[i] = still.mesh.rest[i] = 2.5f;
        trial_check(&trial, &still, NULL, &delivered);
        assert_int_equal(delivered, 1);
    }
}

/* Two sheets without common vertices both receive bones, and every vertex has an influence. */
TEST(components_are_all_served)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_sheet(12, 6, 8, 0);
    /* The second half of the columns moves away by its own translation in every frame. */
    sequence_part(&sequence, 12);
    for (int frame = 0; frame < 8; frame++)
        for (int j = 0; j < 72; j++)
            if (j % 12 >= 6)
                sequence.animation.positions[(frame * 72 + j) * 3 + 2] += (float)(3 * frame);
    for (int preset = 0; preset < 2; preset++) {
        const Trial trial = TRIAL("coordinate-descent", 2, 4, 10, 1, presets[preset], "threshold=0.001");
        assert_at_most(trial_check(&trial, &sequence, NULL, NULL), 0.02);
    }
}

TEST(ends_are_typed)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_skinned(12, 9, 8, 4, 0.4, 5);
    FitEnd end = FIT_EXACT;
    Patience patience = {5};
    Progress progress = {patience_report, &patience};
    Trial trial = TRIAL("coordinate-descent", 3, 4, 5, 1, NULL), late = trial;
    trial_check(&trial, &sequence, &end, NULL);
    assert_int_equal(end, FIT_ITERATION_CAP);
    late.iterations = 1000000;
    late.time_limit_s = 1e-9;
    trial_check(&late, &sequence, &end, NULL);
    assert_int_equal(end, FIT_AFTER_LIMIT);
    trial.iterations = 50;
    trial.progress = &progress;
    trial_check(&trial, &sequence, &end, NULL);
    assert_int_equal(end, FIT_STOPPED);
    patience.reports_left = 0;
    DecompositionResult result;
    assert_refused(STATUS_STOPPED, "stopped", trial_run(&trial, &sequence, &result));
    assert_null(result.rest);
}

TEST(bad_input_is_refused)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_sheet(5, 4, 6, 0);
    DecompositionResult result;
    Trial trial = TRIAL("coordinate-descent", 0, 4, 5, 1, NULL);
    assert_refused(STATUS_USAGE, "0 bones", trial_run(&trial, &sequence, &result));
    trial.bones = 2;
    trial.influences = 33;
    assert_refused(STATUS_USAGE, "33 influences", trial_run(&trial, &sequence, &result));
    trial.influences = 4;
    trial.iterations = -1;
    assert_refused(STATUS_USAGE, "-1 iterations", trial_run(&trial, &sequence, &result));
    trial.iterations = 5;
    sequence.animation.positions[(3 * 20 + 17) * 3 + 1] = NAN;
    assert_bad_input("frame 3: coordinate 1 of vertex 17", trial_run(&trial, &sequence, &result));
    sequence.animation.positions[(3 * 20 + 17) * 3 + 1] = 0.0f;
    sequence.mesh.rest[3] = INFINITY;
    assert_bad_input("vertex 1 is not finite", trial_run(&trial, &sequence, &result));
    sequence.mesh.rest[3] = 0.0f;
    sequence.mesh.triangles[4] = 20;
    assert_bad_input("corner 1 of triangle 1 is vertex 20", trial_run(&trial, &sequence, &result));
}

/* The trajectories of a sheet have three orthogonal components, which each frame scales. The matrix A of
 * the positions therefore has rank 3, and an approximation of rank 2 leaves exactly the smallest singular
 * value. */
TEST(svd_of_a_closed_form)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_sheet(9, 9, 5, 1);
    /* The coordinates of vertex j are cos a, sin a and cos 2a with a = 2 pi j / 81, and frame f scales them
     * by 1 + f. The three rows are orthogonal, and the squared length of each is 81 / 2 * sum (1 + f)^2 =
     * 81 / 2 * 55. */
    for (int frame = 0; frame < 5; frame++)
        for (int j = 0; j < 81; j++)
            for (int axis = 0; axis < 3; axis++) {
                double angle = 2.0 * 3.14159265358979323846 * j / 81.0;
                double value = axis == 0 ? cos(angle) : axis == 1 ? sin(angle) : cos(2.0 * angle);
                sequence.animation.positions[(frame * 81 + j) * 3 + axis] = (float)((1 + frame) * value);
            }
    for (int solver = 0; solver < 2; solver++) {
        FITTED(result, &sequence, "svd", 1, 4, 0, 1, solver ? "solver=dgesdd" : "solver=gram");
        assert_int_equal(result.low_rank.row_count, 15);
        assert_in_range(result.low_rank.rank, 3, 4);
        double squared = 0.0;
        for (int i = 0; i < 15; i++)
            squared += result.low_rank.basis[i * result.low_rank.rank] *
                       result.low_rank.basis[i * result.low_rank.rank];
        assert_true(fabs(squared - 1.0) < 1e-13);
        /* The model contains the whole energy ||A||^2 = 3 * 55 * 81 / 2. */
        double energy = 0.0;
        for (int i = 0; i < result.low_rank.rank * 81; i++)
            energy += (double)result.low_rank.coefficients[i] * (double)result.low_rank.coefficients[i];
        assert_true(fabs(energy - 3.0 * 55.0 * 81.0 / 2.0) < 1e-2);
        assert_true(delivered_error(&sequence, &result) < 1e-8);
    }
}
