/* Tests the choice among candidate bones. A bone that is chosen first because it serves all vertices a
 * little must give way to bones that serve some vertices fully. For one vertex, the two best single bones
 * need not be the best pair. */
#include "methods/fitting/skin_fit.h"

#include "tests/support.h"

enum { VERTICES = 6, CANDIDATES = 4 };

/* Makes a fit of one frame with vertices at -1 and at +1 on the x axis. Each bone moves every vertex to one
 * point of that axis. */
static SkinFit fit_make(const double *places)
{
    SkinFit fit = {.threads = 1, .vertex_count = VERTICES, .bone_count = CANDIDATES, .influence_count = 1};
    fit.target = (Trajectories){.row_count = 3, .vertex_count = VERTICES};
    fit.target.values = memory_array(3 * VERTICES, sizeof(float));
    fit.target.offset = memory_array(3, sizeof(double));
    fit.rest = memory_array(3 * VERTICES, sizeof(double));
    fit.maps = memory_table(4 * CANDIDATES, 3, sizeof(double));
    assert_true(fit.target.values && fit.target.offset && fit.rest && fit.maps);
    for (int i = 0; i < VERTICES; i++)
        fit.target.values[3 * i] = i < VERTICES / 2 ? -1.0f : 1.0f;
    for (int bone = 0; bone < CANDIDATES; bone++)
        fit.maps[3 * (4 * bone + 3)] = places[bone];
    return fit;
}

TEST(idle_bones_are_exchanged)
{
    /* The squared error is 6 with bone 0 alone, and 12 with the bone at -1 or +1 alone. It is 3 with bone 0
     * and one of these, and 0 with the bones at -1 and +1. */
    static const double places[CANDIDATES] = {-1.0, 0.0, 5.0, 1.0};
    CLEANUP(skin_fit_clear) SkinFit fit = fit_make(places);
    assert_ok(skin_fit_choose(&fit, 2));
    assert_int_equal(fit.bone_count, 2);
    double a = fit.maps[3 * 3], b = fit.maps[3 * (4 + 3)];
    fail_if(!((a == -1.0 && b == 1.0) || (a == 1.0 && b == -1.0)), "%g and %g are kept", a, b);
}

TEST(the_best_single_bone_stays)
{
    static const double places[CANDIDATES] = {-1.0, 0.0, 5.0, 1.0};
    CLEANUP(skin_fit_clear) SkinFit fit = fit_make(places);
    assert_ok(
        skin_fit_choose(&fit, CANDIDATES)); /* all bones are requested, so the method has nothing to choose */
    assert_int_equal(fit.bone_count, CANDIDATES);
    assert_ok(skin_fit_choose(&fit, 1));
    assert_int_equal(fit.bone_count, 1);
    assert_true(fit.maps[3 * 3] == 0.0);
}

/* The target of a vertex is 0, and bones move it to 0.5, 0.6, 5 and -0.7 along an axis. The two best single
 * bones, 0.5 and 0.6, blend no better than 0.5 alone. 0.5 and -0.7 reach the target with weights 7/12 and
 * 5/12. On a second axis, all bones and the target are at 1, which reveals weights that do not sum to 1. */
TEST(a_greedy_choice_blends_better)
{
    static const double places[CANDIDATES] = {0.5, 0.6, 5.0, -0.7};
    for (int greedy = 0; greedy < 2; greedy++) {
        CLEANUP(skin_fit_clear) SkinFit fit = fit_make(places);
        fit.influence_count = 2;
        fit.bones = memory_array(2 * VERTICES, sizeof(int32_t));
        fit.weights = memory_array(2 * VERTICES, sizeof(double));
        assert_true(fit.bones && fit.weights);
        for (int bone = 0; bone < CANDIDATES; bone++)
            fit.maps[3 * (4 * bone + 3) + 1] = 1.0;
        fit.target.values[0] = 0.0f;
        fit.target.values[1] = 1.0f;
        assert_ok(skin_fit_weights(&fit, greedy, 1e6, 0.0));
        assert_int_equal(fit.bones[0], 0);
        assert_true(fabs(fit.weights[0] - (greedy ? 7.0 / 12.0 : 1.0)) < 1e-5);
        if (greedy)
            assert_int_equal(fit.bones[1], 3);
        assert_true(fabs(fit.weights[1] - (greedy ? 5.0 / 12.0 : 0.0)) < 1e-5);
    }
}

/* The target of a vertex is 0, and its two best bones move it to 0.5 and 1. On a second axis, all bones and
 * the target are at 1, so the weights sum to 1. Weights of any sign reach the target: 2 and -1. Without
 * small singular values, which are the differences between the bones, both bones get the same weight. */
TEST(truncated_weights_may_be_negative)
{
    static const double places[CANDIDATES] = {0.5, 1.0, 5.0, 9.0};
    static const struct {
        double truncate, weights[2];
    } cases[] = {{0.0, {1.0, 0.0}}, {1e-6, {2.0, -1.0}}, {0.9, {0.5, 0.5}}};
    for (int i = 0; i < 3; i++) {
        CLEANUP(skin_fit_clear) SkinFit fit = fit_make(places);
        fit.influence_count = 2;
        fit.bones = memory_array(2 * VERTICES, sizeof(int32_t));
        fit.weights = memory_array(2 * VERTICES, sizeof(double));
        assert_true(fit.bones && fit.weights);
        for (int bone = 0; bone < CANDIDATES; bone++)
            fit.maps[3 * (4 * bone + 3) + 1] = 1.0;
        fit.target.values[0] = 0.0f;
        fit.target.values[1] = 1.0f;
        assert_ok(skin_fit_weights(&fit, false, 1e4, cases[i].truncate));
        for (int k = 0; k < 2; k++)
            assert_near(fit.weights[k], cases[i].weights[k], 1e-3); /* the penalty on the sum is finite */
    }
}
