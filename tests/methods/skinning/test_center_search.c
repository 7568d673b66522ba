/* Tests the study that compares searches for the centres of rotation of "cor", on searches with a known
 * outcome. */

#include "tests/studies.h"

/* Returns the results of the study for a short bar. `settings` contains settings of the method in JSON.
 * Release with measures_clear. */
static Measures search_of(const char *settings, int stride, int threads)
{
    OWNED_SUBJECT(subject, "bar", "motion=bend-90", "around=12", "along=25", "frames=3");
    Measures measures =
        study_measured("center-search", text_of("{'stride':%d,'repeats':2,'set':[%s]}", stride, settings),
                       &subject, threads);
    assert_null(subject.dataset->rig.centers); /* the study restores the rig that it borrows */
    return measures;
}

TEST(exact_search_is_brute_force)
{
    for (int stride = 1; stride <= 1000;
         stride = 3 * stride + 1) { /* the largest strides exceed the number of vertices */
        CLEANUP(measures_clear) Measures found = search_of("", stride, 1 + stride % 2);
        /* Both searches are exact to 1e-9, then rounded to float. The bar is 8.5 across. */
        assert_true(measures_value(&found, "distance_max") < 1e-7);
        assert_true(measures_value(&found, "skin_max") < 1e-7);
        assert_true(measures_value(&found, "distance_p99") <= measures_value(&found, "distance_max"));
        /* Rings less than two radii from the joint have two influences. Rings are a third of a radius
         * apart, so these are 11 of the 25 rings. */
        assert_true(measures_value(&found, "with_center") == 11.0 * 12.0);
        assert_true(measures_value(&found, "time_s") > 0.0);
        if (stride == 1)
            assert_true(measures_value(&found, "brute_force_30000_s") > 0.0);
        assert_measured(&found, "gain",
                        measures_value(&found, "brute_force_s") / measures_value(&found, "time_s"), 1e-9);
    }
}

/* The settings also apply to brute force. Sigma is so large that the whole surface counts as similar, and
 * the search must still agree with brute force. */
TEST(settings_hold_for_brute_force_too)
{
    CLEANUP(measures_clear) Measures found = search_of("'sigma=100'", 5, 1);
    assert_true(measures_value(&found, "distance_max") < 1e-7);
}

/* The full sum has one term for every piece of surface and every vertex with two joints. The bar has 132
 * such vertices. The paper's search must visit fewer terms. */
TEST(terms_are_counted)
{
    CLEANUP(measures_clear) Measures brute = search_of("'search=brute-force'", 1, 2);
    CLEANUP(measures_clear) Measures clustered = search_of("'search=clustered'", 1, 2);
    assert_true(measures_value(&brute, "evaluated") == 132.0 * measures_value(&brute, "pieces"));
    assert_true(measures_value(&brute, "terms_gain") == 1.0);
    assert_near(measures_value(&clustered, "terms_gain") * measures_value(&clustered, "evaluated"),
                measures_value(&brute, "evaluated"), 1e-6);
    assert_true(measures_value(&clustered, "terms_gain") > 1.0);
}

/* With a tiny omega and a large cutoff, the clustered search reaches only a vertex's own ring, and its
 * centres are wrong. The study must report this error. It could not if it compared this search with
 * itself. */
TEST(a_blind_search_is_seen)
{
    OWNED_SUBJECT(subject, "bar", "motion=bend-90", "frames=3");
    MEASURED(measures, "center-search", "{'set':['search=clustered','omega=1e-6','cutoff=1']}", &subject, 2);
    assert_true(measures_value(&measures, "distance_max") > 1e-3);
    assert_true(measures_value(&measures, "skin_max") > 0.0);
}

TEST(bad_rows_are_refused)
{
    static const char far[] = "{'set':['omega=far']}";
    assert_bad_input("no rig", study_refused("center-search", far, NULL));
    assert_bad_input("no rig", study_refused("center-shape", far, NULL));
    OWNED_SUBJECT(subject, "bar", "frames=2");
    assert_refused(STATUS_USAGE, "omega", study_refused("center-search", far, &subject));
    assert_bad_input("stride is 0", study_refused("center-search", "{'stride':0}", &subject));
}

/* In a twist, every centre is on the axis, which does not move, so no parameter changes the skin. In a
 * bend, the skin changes more if sigma is farther from its default. Parameters that the exact search does
 * not use change nothing. */
TEST(a_sweep_moves_what_depends_on_the_centres)
{
    static const char *const steps[] = {"down2", "down", "same", "up", "up2"};
    static const char sweep[] = "{'vary':['sigma','epsilon']}";
    OWNED_SUBJECT(twisted, "bar", "motion=twist-90", "around=12", "along=25", "frames=3");
    OWNED_SUBJECT(subject, "bar", "motion=bend-90", "around=12", "along=25", "frames=3");
    MEASURED(twist, "center-parameters", sweep, &twisted, 2);
    for (int i = 0; i < 5; i++) {
        assert_true(measures_value(&twist, text_of("skin_max_percent_%s", steps[i])) < 2e-5);
        assert_near(curve_at(&twist, "factor", i), ldexp(1.0, i - 2), 0.0);
    }
    MEASURED(bend, "center-parameters", sweep, &subject, 1);
    assert_true(measures_value(&bend, "skin_max_percent_same") == 0.0);
    assert_true(measures_value(&bend, "skin_max_percent_up2") > measures_value(&bend, "skin_max_percent_up"));
    assert_true(measures_value(&bend, "skin_max_percent_up") > 1e-3);
    assert_measured(&bend, "outside_max_percent", measures_value(&bend, "skin_max_percent_up2"), 0.0);
    measures_clear(&bend);
    bend = study_measured("center-parameters", "{'vary':['sigma'],'inside':'neither'}", &subject, 1);
    assert_true(isnan(measures_value(&bend, "inside_max_percent")) != 0);
    assert_true(measures_value(&bend, "outside_max_percent") >=
                measures_value(&bend, "skin_max_percent_up2"));
    measures_clear(&bend);
    bend = study_measured("center-parameters", "{'vary':['omega'],'inside':'up','reach':1}", &subject, 1);
    assert_true(measures_value(&bend, "inside_max_percent") == 0.0);
    assert_true(isnan(measures_value(&bend, "skin_max_percent_up2")) != 0);
    assert_refused(STATUS_USAGE, "nothing to vary", study_refused("center-parameters", "{}", &subject));
    assert_refused(STATUS_USAGE, "no numeric parameter 'search'",
                   study_refused("center-parameters", "{'vary':['search']}", &subject));
    assert_bad_input("no rig", study_refused("center-parameters", sweep, NULL));
}

/* A bar has two joints, and by symmetry its centres form a curve on its axis. A sheet has four joints per
 * vertex, and its centres fill part of its plane, which is neither a curve nor a solid. */
TEST(centres_of_two_joints_form_a_curve)
{
    OWNED_SUBJECT(bent, "bar", "motion=bend-90", "frames=2");
    OWNED_SUBJECT(plane, "sheet", "frames=2");
    MEASURED(bar, "center-shape", "{}", &bent, 1);
    MEASURED(sheet, "center-shape", "{}", &plane, 1);
    assert_true(measures_value(&bar, "curve_percent") < 1e-3);
    assert_true(isnan(measures_value(&bar, "body_percent")) != 0);
    assert_true(measures_value(&sheet, "body_percent") > 5.0);
    assert_true(measures_value(&sheet, "thickness_more") < 1e-9);
}
