/* The bar of CoR Fig. 2, twisted and bent: closed forms of linear blending, and that centres of rotation show
 * neither its collapse nor the bulge of rotation about the joint. */
#include "tests/rigs.h"

#include "datasets/geometry/angles.h"
#include "harness/records/results.h"
#include "harness/studies/study.h"
#include <math.h>
#include <string.h>

static const char *const methods[] = {"lbs", "log-matrix", "sbs", "dqs", "cor"};
enum { METHODS = 5, BENT_FIRST = 1 };
/* What the study measures of one motion; `more` are further parameters of the study or NULL. For json_decref.
 */
static json_t *shape_of(const char *motion, const char *smoothing, json_t *more)
{
    const char *const settings[] = {motion, smoothing, "frames=2"};
    Subject subject;
    json_t *measures = json_object(), *list = json_array();
    for (int i = 0; i < METHODS; i++)
        json_array_append_new(list, json_string(methods[i]));
    json_t *parameters = more ? more : json_object();
    json_object_set_new(parameters, "methods", list);
    assert_ok(subject_generate("bar", settings, 3, &subject));
    StudyInput input = {.parameters = parameters, .subject = &subject, .threads = 1};
    assert_ok(study_find("bar-shape")->run(&input, measures));
    subject_clear(&subject);
    json_decref(parameters);
    return measures;
}

static double measure_of(const json_t *measures, const char *method, const char *what)
{
    char name[64];
    snprintf(name, sizeof name, "%s_%s_percent", method, what);
    double value = json_number_at(measures, name);
    assert_true(isfinite(value) != 0);
    return value;
}

/* A vertex of weights 1 - w and w lies on the chord: r^2 / R^2 = 1 - 4 w (1 - w) sin^2(a / 2). Least is cos(a
 * / 2); over a smooth step of length 4 in a bar of 8, the integral of w (1 - w) is 4 (9 / 70). */
static void twists_lose_under_linear_blending(void **state)
{
    (void)state;
    static const char *const motions[] = {"motion=twist-135", "motion=twist-90"};
    static const double angles[] = {135.0, 90.0};
    for (int i = 0; i < 2; i++) {
        json_t *shape = shape_of(motions[i], "smoothing=4", NULL);
        const double half = 0.5 * angles[i] * PI / 180.0;
        assert_near(measure_of(shape, "lbs", "collapse"), 100.0 * (1.0 - cos(half)), 1e-4);
        assert_true(measure_of(shape, "lbs", "bulge") == 0.0);
        /* Rings stand 1 / 12 apart, and their outline has 48 sides. */
        assert_near(measure_of(shape, "lbs", "volume"),
                    -100.0 * 4.0 * pow(sin(half), 2.0) * 4.0 * 9.0 / 70.0 / 8.0, 0.05);
        for (int m = 1; m < METHODS; m++) {
            assert_true(measure_of(shape, methods[m], "collapse") == 0.0);
            assert_true(measure_of(shape, methods[m], "bulge") == 0.0);
            /* Faces between turned rings are flat: their diagonals cut a little. */
            assert_near(measure_of(shape, methods[m], "volume"), 0.0, 0.05);
        }
        json_decref(shape);
    }
}

/* On the outside of the joint linear blending leaves cos(a / 2) of the radius, too. There centres of rotation
 * lose a seventh of that at most, and where rotation about the joint bulges, a twentieth of its bulge. */
static void bends_neither_collapse_nor_bulge_with_centres(void **state)
{
    (void)state;
    static const char *const motions[] = {"motion=bend-120", "motion=bend-90", "motion=bend-90-translate"};
    static const double halves[] = {60.0, 45.0, NAN};
    for (int i = 0; i < 3; i++) {
        json_t *shape = shape_of(motions[i], "smoothing=4", NULL);
        double collapse = measure_of(shape, "lbs", "collapse"), bulge = measure_of(shape, "dqs", "bulge");
        if (!isnan(halves[i]))
            assert_near(collapse, 100.0 * (1.0 - cos(halves[i] * PI / 180.0)), 1e-3);
        assert_true(collapse > 29.0 && bulge > 3.0);
        assert_true(measure_of(shape, "cor", "collapse") < collapse / 6.5);
        assert_true(measure_of(shape, "cor", "bulge") < bulge / 20.0);
        assert_true(fabs(measure_of(shape, "cor", "volume")) <
                    fabs(measure_of(shape, "dqs", "volume")) + 1.5);
        assert_true(measure_of(shape, "lbs", "bulge") < 1e-3);
        /* With one joint SBS and DQS turn about it alike, unless it comes apart. */
        if (i < 2)
            assert_near(measure_of(shape, "sbs", "bulge"), bulge, 1e-3);
        json_decref(shape);
    }
}

/* The curves are of what the numbers tell. */
static void curves_reach_the_extremes(void **state)
{
    (void)state;
    json_t *shape = shape_of("motion=bend-90", "smoothing=4", NULL);
    const json_t *profile = json_object_get(shape, "lbs_profile_percent"),
                 *place = json_object_get(shape, "position");
    assert_int_equal(json_array_size(profile), 97);
    assert_int_equal(json_array_size(place), 97);
    assert_near(json_number_value(json_array_get(place, 48)), 0.0, 1e-12);
    assert_near(json_number_value(json_array_get(profile, 48)), -measure_of(shape, "lbs", "collapse"), 1e-9);
    assert_near(json_number_value(json_array_get(profile, 0)), 0.0, 1e-4);
    json_decref(shape);
}

/* A joint in the middle of the first bone that takes half of the twist: at the middle of the bone two joints
 * of a quarter each meet half and half, so that linear blending leaves cos(a / 4) there; at the end of the
 * bone half and half of the second half. Between them three joints meet, and less is lost than without. */
static void twist_joints_help_linear_blending(void **state)
{
    (void)state;
    const double none = 100.0 * (1.0 - cos(67.5 * PI / 180.0)),
                 halved = 100.0 * (1.0 - cos(33.75 * PI / 180.0));
    json_t *plain = shape_of("motion=twist-135", "smoothing=1", NULL);
    assert_near(measure_of(plain, "lbs", "collapse"), none, 1e-4);
    json_decref(plain);
    json_t *more =
        json_pack("{s:[{s:s, s:s, s:f}]}", "twist_joints", "joint", "base", "end", "tip", "share", 0.5);
    json_t *shape = shape_of("motion=twist-135", "smoothing=1", more);
    assert_near(json_number_value(json_array_get(json_object_get(shape, "lbs_profile_percent"), 24)), -halved,
                1e-4);
    assert_near(json_number_value(json_array_get(json_object_get(shape, "lbs_profile_percent"), 48)), -halved,
                1e-4);
    assert_true(measure_of(shape, "lbs", "collapse") < 0.3 * none);
    assert_true(measure_of(shape, "dqs", "collapse") == 0.0 && measure_of(shape, "cor", "collapse") == 0.0);
    json_decref(shape);
}

static Status refused(const char *generator, const char *setting, const char *twist_joint)
{
    Subject subject;
    json_t *measures = json_object(), *parameters = json_pack("{s:[s]}", "methods", "lbs");
    if (twist_joint)
        json_object_set_new(parameters, "twist_joints",
                            json_pack("[{s:s, s:f}]", "joint", twist_joint, "share", 1.0));
    assert_ok(subject_generate(generator, &setting, 1, &subject));
    StudyInput input = {.parameters = parameters, .subject = &subject, .threads = 1};
    Status status = study_find("bar-shape")->run(&input, measures);
    subject_clear(&subject);
    json_decref(measures);
    json_decref(parameters);
    return status;
}

static void what_is_no_bar_is_refused(void **state)
{
    (void)state;
    assert_refused(STATUS_BAD_INPUT, "no rig", refused("cloth", "frames=2", NULL));
    assert_refused(STATUS_BAD_INPUT, "no joint 'elbow'", refused("bar", "frames=2", "elbow"));
    assert_refused(STATUS_USAGE, "0 children", refused("bar", "frames=2", "tip"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twists_lose_under_linear_blending),
        cmocka_unit_test(bends_neither_collapse_nor_bulge_with_centres),
        cmocka_unit_test(curves_reach_the_extremes),
        cmocka_unit_test(twist_joints_help_linear_blending),
        cmocka_unit_test(what_is_no_bar_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
