/* The bar of CoR Fig. 2 is twisted and bent. Linear blending must collapse according to closed forms.
 * Centres of rotation must show neither this collapse nor the bulge of a rotation about the joint. */

#include "datasets/geometry/angles.h"
#include "tests/studies.h"

static const char *const methods[] = {"lbs", "log-matrix", "sbs", "dqs", "cor"};
enum { METHODS = 5, BENT_FIRST = 1 };
/* Returns the results of the study for one motion. `more` contains further JSON parameters: "", or
 * parameters followed by a comma. Release with measures_clear. */
static Measures shape_of(const char *motion, const char *smoothing, const char *more)
{
    OWNED_SUBJECT(subject, "bar", motion, smoothing, "frames=2");
    return study_measured("bar-shape", text_of("{%s'methods':['lbs','log-matrix','sbs','dqs','cor']}", more),
                          &subject, 1);
}

static double measure_of(const Measures *measures, const char *method, const char *what)
{
    double value = measures_value(measures, text_of("%s_%s_percent", method, what));
    assert_true(isfinite(value) != 0);
    return value;
}

/* A bar of radius R is twisted by the angle a. Linear blending puts a vertex with weights 1 - w and w on a
 * chord, at the distance r from the axis:
 *
 *   r^2 / R^2 = 1 - 4 w (1 - w) sin^2(a / 2)
 *
 * The minimum of r / R is cos(a / 2). In a bar of length 8, the weight follows a smooth step of length 4.
 * The integral of w (1 - w) over this step is 4 (9 / 70). */
TEST(twists_lose_under_linear_blending)
{
    static const char *const motions[] = {"motion=twist-135", "motion=twist-90"};
    static const double angles[] = {135.0, 90.0};
    for (int i = 0; i < 2; i++) {
        CLEANUP(measures_clear) Measures shape = shape_of(motions[i], "smoothing=4", "");
        const double half = 0.5 * angles[i] * PI / 180.0;
        assert_near(measure_of(&shape, "lbs", "collapse"), 100.0 * (1.0 - cos(half)), 1e-4);
        assert_true(measure_of(&shape, "lbs", "bulge") == 0.0);
        /* Rings are 1 / 12 apart and have 48 sides. */
        assert_near(measure_of(&shape, "lbs", "volume"),
                    -100.0 * 4.0 * pow(sin(half), 2.0) * 4.0 * 9.0 / 70.0 / 8.0, 0.05);
        for (int m = 1; m < METHODS; m++) {
            assert_true(measure_of(&shape, methods[m], "collapse") == 0.0);
            assert_true(measure_of(&shape, methods[m], "bulge") == 0.0);
            /* The flat faces between rotated rings reduce the volume slightly. */
            assert_near(measure_of(&shape, methods[m], "volume"), 0.0, 0.05);
        }
    }
}

/* In a bend by the angle a, linear blending also keeps only cos(a / 2) of the radius on the outside of the
 * joint. Centres of rotation lose at most a seventh of that loss. They bulge by at most a twentieth of the
 * bulge of rotation about the joint. */
TEST(bends_neither_collapse_nor_bulge_with_centres)
{
    static const char *const motions[] = {"motion=bend-120", "motion=bend-90", "motion=bend-90-translate"};
    static const double halves[] = {60.0, 45.0, NAN};
    for (int i = 0; i < 3; i++) {
        CLEANUP(measures_clear) Measures shape = shape_of(motions[i], "smoothing=4", "");
        double collapse = measure_of(&shape, "lbs", "collapse"), bulge = measure_of(&shape, "dqs", "bulge");
        if (!isnan(halves[i]))
            assert_near(collapse, 100.0 * (1.0 - cos(halves[i] * PI / 180.0)), 1e-3);
        assert_true(collapse > 29.0 && bulge > 3.0);
        assert_true(measure_of(&shape, "cor", "collapse") < collapse / 6.5);
        assert_true(measure_of(&shape, "cor", "bulge") < bulge / 20.0);
        assert_true(fabs(measure_of(&shape, "cor", "volume")) <
                    fabs(measure_of(&shape, "dqs", "volume")) + 1.5);
        assert_true(measure_of(&shape, "lbs", "bulge") < 1e-3);
        /* SBS bulges like DQS in a bar with a single joint that does not come apart, because both methods
         * rotate about this joint. */
        if (i < 2)
            assert_near(measure_of(&shape, "sbs", "bulge"), bulge, 1e-3);
    }
}

/* Returns the bulge of a vertex on the outside at x that rotates about the joint. The bulge is measured
 * from the nearest of three: the line of one bone, its end, and the line of the other bone. The rotation is
 * that of QLERP with weight w and 90 degrees. */
static double turned_bulge(double x)
{
    const double w = 3.0 * pow(x / 4.0 + 0.5, 2.0) - 2.0 * pow(x / 4.0 + 0.5, 3.0), half = 0.25 * PI;
    const double turn = 2.0 * atan2(w * sin(half), 1.0 - w + w * cos(half));
    const double px = x * cos(turn) + sin(turn), py = x * sin(turn) - cos(turn);
    const double first = px <= 0.0 ? fabs(py) : hypot(px, py), second = py >= 0.0 ? fabs(px) : hypot(px, py);
    return fmin(first, second) - 1.0;
}

/* If distances are measured from the bones, rotation about the joint bulges by the value of turned_bulge.
 * Linear blending collapses by the same amount from the bones as from the curve of the centres, because
 * both pass through the joint. */
TEST(bulges_from_the_bones_have_closed_forms)
{
    CLEANUP(measures_clear) Measures shape = shape_of("motion=bend-90", "smoothing=4", "");
    double max = 0.0;
    for (int ring = 0; ring <= 96; ring++)
        if (abs(ring - 48) < 24)
            max = fmax(max, turned_bulge((ring - 48) / 12.0));
    assert_true(max > 0.1);
    assert_near(measure_of(&shape, "dqs", "bones_bulge"), 100.0 * max, 1e-3);
    assert_near(measure_of(&shape, "sbs", "bones_bulge"), 100.0 * max, 1e-3);
    assert_near(measure_of(&shape, "lbs", "bones_collapse"), 100.0 * (1.0 - cos(0.25 * PI)), 1e-3);
    /* The profile is zero at rings where the bar is straight. */
    assert_near(curve_at(&shape, "cor_bones_profile_percent", 2), 0.0, 1e-4);
    assert_near(curve_at(&shape, "cor_bones_profile_percent", 94), 0.0, 1e-4);
    measures_clear(&shape);
    shape = shape_of("motion=twist-90", "smoothing=4", "");
    assert_near(measure_of(&shape, "lbs", "bones_collapse"), measure_of(&shape, "lbs", "collapse"), 1e-9);
}

/* The extremes of the curves equal the numbers that the study reports. */
TEST(curves_reach_the_extremes)
{
    CLEANUP(measures_clear) Measures shape = shape_of("motion=bend-90", "smoothing=4", "");
    assert_int_equal(measures_find(&shape, "lbs_profile_percent")->count, 97);
    assert_int_equal(measures_find(&shape, "position")->count, 97);
    assert_near(curve_at(&shape, "position", 48), 0.0, 1e-12);
    assert_near(curve_at(&shape, "lbs_profile_percent", 48), -measure_of(&shape, "lbs", "collapse"), 1e-9);
    assert_near(curve_at(&shape, "lbs_profile_percent", 0), 0.0, 1e-4);
}

/* A twist joint in the middle of the first bone takes half of the twist. At this joint, two joints a / 2
 * apart have equal weights, so linear blending keeps cos(a / 4) of the radius. The same holds at the end of
 * the bone for the second half of the twist. In between, three joints are blended, and the loss is smaller
 * than without the twist joint. */
TEST(twist_joints_help_linear_blending)
{
    const double none = 100.0 * (1.0 - cos(67.5 * PI / 180.0)),
                 halved = 100.0 * (1.0 - cos(33.75 * PI / 180.0));
    CLEANUP(measures_clear) Measures plain = shape_of("motion=twist-135", "smoothing=1", "");
    assert_near(measure_of(&plain, "lbs", "collapse"), none, 1e-4);
    static const char more[] = "'twist_joints':[{'joint':'base','end':'tip','share':0.5}],";
    CLEANUP(measures_clear) Measures shape = shape_of("motion=twist-135", "smoothing=1", more);
    assert_near(curve_at(&shape, "lbs_profile_percent", 24), -halved, 1e-4);
    assert_near(curve_at(&shape, "lbs_profile_percent", 48), -halved, 1e-4);
    assert_true(measure_of(&shape, "lbs", "collapse") < 0.3 * none);
    assert_true(measure_of(&shape, "dqs", "collapse") == 0.0 && measure_of(&shape, "cor", "collapse") == 0.0);
}

static Status refused(const char *generator, const char *setting, const char *twist_joint)
{
    OWNED_SUBJECT(subject, generator, setting);
    char parameters[128] = "{'methods':['lbs']}";
    if (twist_joint)
        snprintf(parameters, sizeof parameters,
                 "{'methods':['lbs'],'twist_joints':[{'joint':'%s','share':1.0}]}", twist_joint);
    return study_refused("bar-shape", parameters, &subject);
}

TEST(what_is_no_bar_is_refused)
{
    assert_bad_input("no rig", refused("cloth", "frames=2", NULL));
    assert_bad_input("no joint 'elbow'", refused("bar", "frames=2", "elbow"));
    assert_refused(STATUS_USAGE, "has no child", refused("bar", "frames=2", "tip"));
}
