/* Studies against closed forms and against what the papers print. */
#include "datasets/geometry/angles.h"
#include "tests/rigs.h"
#include "tests/support.h"

#include "harness/records/results.h"
#include "harness/studies/study.h"
#include <math.h>

/* Runs a study with parameters given as JSON; its measures for json_decref. */
static json_t *measured(const char *name, const char *parameters, const Subject *subject)
{
    const Study *study = study_find(name);
    json_t *given = json_loads(parameters, 0, NULL), *measures = json_object();
    StudyInput input = {.parameters = given, .subject = subject, .threads = 1};
    assert_non_null(study);
    assert_non_null(given);
    assert_ok(study->run(&input, measures));
    json_decref(given);
    return measures;
}

/* For a turn by alpha and t, QLERP turns by 2 atan(t sin(alpha / 2) / (1 - t + t cos(alpha / 2))). */
static double qlerp_excess(double alpha, double t)
{
    return fabs(2.0 * atan2(t * sin(alpha / 2.0), 1.0 - t + t * cos(alpha / 2.0)) - alpha * t);
}

static double qlerp_excess_most(double alpha)
{
    double most = 0.0;
    for (int i = 0; i <= 100000; i++)
        most = fmax(most, qlerp_excess(alpha, i / 100000.0));
    return most;
}

/* SBS 4.1: 0.143 rad at 1/2 -+ sqrt(1/pi - 1/4); DQS Figure 23 prints 0.1422292755 and 0.1501415529. */
static void linear_blends_reach_their_bounds_at_a_half_turn(void **state)
{
    (void)state;
    const double offset = sqrt(1.0 / PI - 0.25);
    static const char *const methods[] = {"{\"method\":\"sbs\",\"angle_degrees\":180}",
                                          "{\"method\":\"dqs\",\"angle_degrees\":180,\"shift\":2.5}"};
    for (int i = 0; i < 2; i++) {
        json_t *measures = measured("screw-bound", methods[i], NULL);
        assert_near(json_number_at(measures, "angle_rad"), 0.1422292755, 1e-9);
        assert_near(json_number_at(measures, "angle_degrees"), 8.149, 5e-4);
        assert_near(json_number_at(measures, "angle_at"), 0.5 - offset, 1e-6);
        assert_near(json_number_at(measures, "angle_at_later"), 0.5 + offset, 1e-6);
        if (i == 1)
            assert_near(json_number_at(measures, "shift_percent"), 15.01415529, 1e-6);
        json_decref(measures);
    }
}

static void smaller_turns_stay_below_them(void **state)
{
    (void)state;
    for (int degrees = 30; degrees < 180; degrees += 60) {
        char parameters[96];
        snprintf(parameters, sizeof parameters, "{\"method\":\"dqs\",\"angle_degrees\":%d,\"shift\":1}",
                 degrees);
        json_t *measures = measured("screw-bound", parameters, NULL);
        assert_near(json_number_at(measures, "angle_rad"), qlerp_excess_most(degrees * PI / 180.0), 1e-9);
        assert_true(json_number_at(measures, "shift_percent") < 15.01);
        assert_int_equal(json_array_size(json_object_get(measures, "t")),
                         json_array_size(json_object_get(measures, "angle_degrees_over_t")));
        json_decref(measures);
    }
}

/* DQS Figure 8: SBS keeps a gap however small the third weight is, DLB and LBS close it in proportion; Figure
 * 7: of the centres, only QB's jumps where another joint becomes the nearest. */
static void gaps_are_those_of_the_figures(void **state)
{
    (void)state;
    json_t *sbs = measured("discontinuity", "{\"method\":\"sbs\"}", NULL);
    json_t *dqs = measured("discontinuity", "{\"method\":\"dqs\"}", NULL);
    json_t *lbs = measured("discontinuity", "{\"method\":\"lbs\"}", NULL);
    json_t *qb = measured("discontinuity", "{\"method\":\"qb\"}", NULL);
    double kept = json_number_at(sbs, "set_gap_1e-5");
    assert_true(kept > 0.05);
    assert_near(json_number_at(sbs, "set_gap_1e-4"), kept, 1e-3 * kept);
    /* LBS: w times the distance between the third joint's image and the blend of the others, whatever w. */
    const json_t *closing[] = {lbs, dqs, qb};
    for (int i = 0; i < 3; i++) {
        double two = json_number_at(closing[i], "set_gap_1e-2");
        double four = json_number_at(closing[i], "set_gap_1e-4");
        assert_near(four / two, 0.01, i == 0 ? 1e-5 : 2e-3);
    }
    assert_true(json_number_at(qb, "nearest_gap") > 0.1);
    assert_true(json_number_at(sbs, "nearest_gap") < 1e-5 && json_number_at(dqs, "nearest_gap") < 1e-5);
    json_decref(sbs);
    json_decref(dqs);
    json_decref(lbs);
    json_decref(qb);
}

/* DQS Figure 16: between 170 and -170 degrees there are 20 the short way round and 340 the long one. */
static void logarithms_go_the_long_way(void **state)
{
    (void)state;
    static const struct {
        const char *method;
        double way;
    } cases[] = {{"dqs", 20.0}, {"dib", 20.0}, {"sbs", 20.0}, {"log-matrix", 340.0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char parameters[128];
        snprintf(parameters, sizeof parameters,
                 "{\"method\":\"%s\",\"first\":[2,0,0,170],\"second\":[1,0,0,-170]}", cases[i].method);
        json_t *measures = measured("rotation-path", parameters, NULL);
        assert_near(json_number_at(measures, "shortest_degrees"), 20.0, 1e-6);
        assert_near(json_number_at(measures, "way_degrees"), cases[i].way, 1e-5);
        json_decref(measures);
    }
    /* About two axes the shortest is 2 acos(1/4), and the logarithms' way is longer. */
    json_t *measures = measured("rotation-path", "{\"first\":[1,0,0,120],\"second\":[0,1,0,120]}", NULL);
    assert_near(json_number_at(measures, "shortest_degrees"), 2.0 * acos(0.25) * 180.0 / PI, 1e-6);
    assert_true(json_number_at(measures, "way_over_shortest") > 1.01);
    json_decref(measures);
}

/* One influence makes all methods equal; two give DIB what ScLERP is. */
static void distances_vanish_where_methods_agree(void **state)
{
    (void)state;
    Subject subject;
    const char *settings[] = {"motion=twist-135"};
    assert_ok(subject_generate("bar", settings, 1, &subject));
    json_t *same =
        measured("method-distance",
                 "{\"method\":\"dib\",\"set\":[\"precision=1e-7\"],\"against\":\"sclerp\"}", &subject);
    assert_true(json_number_at(same, "distance_max_percent") < 1e-5);
    json_t *apart = measured("method-distance", "{\"method\":\"lbs\",\"against\":\"dqs\"}", &subject);
    assert_true(json_number_at(apart, "distance_max_percent") > 1.0);
    assert_true(json_number_at(apart, "distance_mean_percent") <
                json_number_at(apart, "distance_max_percent"));
    json_decref(same);
    json_decref(apart);
    assert_ok(subject_prune(&subject, 1));
    same = measured("method-distance", "{\"method\":\"lbs\",\"against\":\"dqs\"}", &subject);
    assert_true(json_number_at(same, "distance_max_percent") < 1e-5);
    json_decref(same);
    subject_clear(&subject);
}

static void what_is_lacking_is_said(void **state)
{
    (void)state;
    json_t *measures = json_object(), *given = json_loads("{\"method\":\"no-such\"}", 0, NULL);
    StudyInput input = {.parameters = given, .threads = 1};
    assert_null(study_find("no-such"));
    assert_refused(STATUS_UNAVAILABLE, "'no-such' is not built in",
                   study_find("screw-bound")->run(&input, measures));
    assert_refused(STATUS_UNAVAILABLE, "'no-such' is not built in",
                   study_find("discontinuity")->run(&input, measures));
    assert_refused(STATUS_USAGE, "the parameter first", study_find("rotation-path")->run(&input, measures));
    assert_refused(STATUS_BAD_INPUT, "no rig", study_find("method-distance")->run(&input, measures));
    assert_refused(STATUS_BAD_INPUT, "no rig", study_find("rig-size")->run(&input, measures));
    assert_int_equal(json_object_size(measures), 0);
    json_decref(measures);
    json_decref(given);
}

/* LBS blends 12 values of 4 joints, 12 products and 36 fused steps, and moves a point by 4 steps a row; phase
 * one of two-phase skinning is the same once more (DQS 4.2). */
static void nvrtc_instructions_are_those_of_the_formulas(void **state)
{
    (void)state;
    const Study *study = study_find("kernel-instructions");
    json_t *measures = json_object(), *given = json_loads("{\"method\":\"lbs\"}", 0, NULL);
    StudyInput input = {.parameters = given, .threads = 1};
    Status status = study->run(&input, measures);
    json_decref(given);
    json_decref(measures);
    if (status.code == STATUS_UNAVAILABLE && !strstr(status.text, "does not compile"))
        test_skip(status.text);
    assert_ok(status);
    json_t *lbs = measured("kernel-instructions", "{\"method\":\"lbs\",\"fast_math\":true}", NULL);
    json_t *dqs =
        measured("kernel-instructions", "{\"method\":\"dqs\",\"fast_math\":true,\"two_phase\":true}", NULL);
    assert_true(json_number_at(lbs, "ptx_arithmetic") == 4.0 * 12.0 + 3.0 * 4.0);
    assert_true(json_number_at(lbs, "machine_over_lbs") == 1.0);
    assert_true(json_number_at(lbs, "machine") > json_number_at(lbs, "ptx_arithmetic"));
    assert_true(json_number_at(dqs, "ptx_arithmetic_of_first_phase") == 4.0 * 12.0 + 3.0 * 4.0);
    /* "About twice as many instructions as linear blend skinning" (DQS section 5). */
    double ratio = json_number_at(dqs, "ptx_arithmetic_over_lbs");
    assert_true(ratio > 1.5 && ratio < 2.5);
    json_decref(lbs);
    json_decref(dqs);
}

static void a_rig_is_counted(void **state)
{
    (void)state;
    Subject subject;
    assert_ok(subject_generate("rig", NULL, 0, &subject));
    json_t *measures = measured("rig-size", "{}", &subject);
    assert_true(json_number_at(measures, "vertices") == 5000.0);
    assert_true(json_number_at(measures, "joints") == 54.0);
    assert_true(json_number_at(measures, "influences_max") <= 4.0);
    assert_true(json_number_at(measures, "joint_sets") * json_number_at(measures, "vertices_per_set") ==
                5000.0);
    json_decref(measures);
    subject_clear(&subject);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_blends_reach_their_bounds_at_a_half_turn),
        cmocka_unit_test(smaller_turns_stay_below_them),
        cmocka_unit_test(gaps_are_those_of_the_figures),
        cmocka_unit_test(logarithms_go_the_long_way),
        cmocka_unit_test(distances_vanish_where_methods_agree),
        cmocka_unit_test(what_is_lacking_is_said),
        cmocka_unit_test(nvrtc_instructions_are_those_of_the_formulas),
        cmocka_unit_test(a_rig_is_counted),
    };
    return unit_run(argc, argv, tests);
}
