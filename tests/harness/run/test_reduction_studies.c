/* Tests the studies of dimension reduction on an animation of known rank. */
#include "tests/studies.h"

#include "tests/sequences.h"

/* Returns the results of a study on a sheet that moves by `bones` affine motions, which have 4 dimensions
 * each. */
static Measures measured(const char *name, const char *parameters, int bones)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_skinned(20, 9, 12, bones, 0.3, 3);
    Dataset dataset = {.mesh = sequence.mesh, .animation = sequence.animation};
    Subject subject = {.dataset = &dataset};
    return study_measured(name, parameters, &subject, 2);
}

/* The threshold is above the rounding of float positions, an E_RMS of about 1e-5. Every strategy must then
 * find the rank of a motion of 3 bones. Below this rounding, strategies add dimensions for noise. GS
 * (Gram-Schmidt) takes columns in the given order, and many are alike, so it needs more dimensions for the
 * last digits. */
TEST(every_strategy_finds_the_rank)
{
    static const char *const names[] = {"gram", "max", "gs", "pm1", "pm2", "svd"};
    CLEANUP(measures_clear)
    Measures measures = measured("reduction", "{'threshold':0.001,'rounds':2}", 3);
    for (int i = 0; i < 6; i++) {
        const double dimension = measures_value(&measures, text_of("dimension_%s", names[i]));
        const bool takes_all = strcmp(names[i], "gs") == 0;
        if (dimension < 12.0 || (!takes_all && dimension > 12.0))
            fail_msg("dimension_%s: %g", names[i], dimension);
        assert_true(measures_value(&measures, text_of("e_rms_%s", names[i])) <= 0.001);
        assert_true(measures_value(&measures, text_of("time_s_%s", names[i])) > 0.0);
    }
    assert_true(measures_value(&measures, "rounds") == 2.0);
}

/* At an intermediate threshold, the optimum has the fewest dimensions, whichever of two ways computes
 * it. */
TEST(nothing_beats_the_optimum)
{
    static const char *const names[] = {"dimension_max", "dimension_gs", "dimension_pm1", "dimension_pm2"};
    CLEANUP(measures_clear) Measures measures = measured("reduction", "{'threshold':60,'rounds':1}", 8);
    double min = measures_value(&measures, "dimension_svd");
    assert_true(min > 1.0 && min == measures_value(&measures, "dimension_gram"));
    for (int i = 0; i < 4; i++)
        assert_true(measures_value(&measures, names[i]) >= min);
    assert_true(measures_value(&measures, "dimension_gs") > min);
}

TEST(stabilised_bases_are_orthonormal)
{
    CLEANUP(measures_clear) Measures measures = measured("orthogonality", "{'dimension':36}", 8);
    double dimension = measures_value(&measures, "dimension");
    const Measure *plain = measures_find(&measures, "plain_over_d");
    assert_true(dimension > 30.0); /* at most 36: 32 from bones, and 4 from the rounding of floats */
    assert_int_equal(plain->count, (int)dimension);
    /* The first vector has unit length up to rounding. With stabilisation all vectors are orthonormal.
     * Without it, the small vectors at the end are not. */
    assert_true(plain->curve[0] < 1e-14);
    assert_true(measures_value(&measures, "stabilised") < -13.5);
    assert_true(measures_value(&measures, "plain") > measures_value(&measures, "stabilised") + 2.0);
    for (int k = 1; k < plain->count; k++) /* sums of squares cannot decrease */
        assert_true(plain->curve[k] >= plain->curve[k - 1]);
}

/* The squared singular values are 8 * 16^-k. With 4P = 8 dimensions (P bones), the residual is 8 (16^-8 +
 * 16^-9 + ...). One dimension more leaves a sixteenth of this residual, and 6 dimensions leave 256 times as
 * much. The first frame's box has the sides 1, 1/4 and 1/16. */
TEST(scales_of_svd_have_closed_forms)
{
    CLEANUP(sequence_clear) Sequence sequence = walsh_sequence(15);
    Dataset dataset = {.mesh = sequence.mesh, .animation = sequence.animation};
    Subject subject = {.dataset = &dataset};
    MEASURED(measures, "svd-scale", "{'bones':2,'printed':0.1,'half_unit':0.05}", &subject, 2);
    double entries = 3.0 * 8.0 * 15.0;
    double whole = 1e3 * sqrt(8.0 * pow(16.0, -8.0) / (1.0 - 1.0 / 16.0) / entries),
           ball = measures_value(&measures, "ball");
    assert_true(fabs(measures_value(&measures, "box_side") / (whole / 0.5) - 1.0) < 1e-6);
    assert_true(fabs(measures_value(&measures, "box_diagonal") * sqrt(1.0 + 1.0 / 16.0 + 1.0 / 256.0) /
                         (whole / 0.5) -
                     1.0) < 1e-6);
    assert_true(fabs(measures_value(&measures, "dimensions_4p1") / ball - 0.25) < 1e-6);
    assert_true(fabs(measures_value(&measures, "dimensions_3p") / ball - 16.0) < 1e-5);
    /* With d dimensions, the E_RMS is `ball` times 4^(8 - d). The lower bound is the smallest number of
     * dimensions with an E_RMS of at most 0.15. The upper bound is one less than the smallest number of
     * dimensions with an E_RMS of at most 0.05. */
    assert_true(measures_value(&measures, "per_bone_least") == 0.5 * ceil(8.0 - log(0.15 / ball) / log(4.0)));
    assert_true(measures_value(&measures, "per_bone_most") ==
                0.5 * (ceil(8.0 - log(0.05 / ball) / log(4.0)) - 1.0));
    /* The ball around all frames contains the ball around the first frame. */
    assert_true(measures_value(&measures, "ball_all") <= ball);
}

TEST(rigs_without_motion_are_refused)
{
    static const char *const names[] = {"reduction", "orthogonality", "svd-scale"};
    for (int i = 0; i < 3; i++)
        assert_bad_input("no animation", study_refused(names[i], "{}", NULL));
}
