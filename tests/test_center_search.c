/* The study of centres of rotation: what it must find of searches whose outcome is known. */
#include "tests/rigs.h"

#include "harness/records/results.h"
#include "harness/studies/study.h"

/* What the study measures of a short bar with the method's settings (NULL: none). For json_decref. */
static json_t *search_of(const char *setting, int stride, int threads)
{
    static const char *const bar[] = {"motion=bend-90", "around=12", "along=25", "frames=3"};
    Subject subject;
    json_t *measures = json_object();
    json_t *parameters = json_pack("{s:i, s:i, s:[]}", "stride", stride, "repeats", 2, "set");
    if (setting)
        json_array_append_new(json_object_get(parameters, "set"), json_string(setting));
    assert_ok(subject_generate("bar", bar, 4, &subject));
    StudyInput input = {.parameters = parameters, .subject = &subject, .threads = threads};
    assert_ok(study_find("center-search")->run(&input, measures));
    assert_null(subject.dataset->rig.centers); /* borrowed, and given back as it was */
    subject_clear(&subject);
    json_decref(parameters);
    return measures;
}

static void exact_search_is_brute_force(void **state)
{
    (void)state;
    for (int stride = 1; stride <= 1000; stride = 3 * stride + 1) { /* past the last vertex, too */
        json_t *found = search_of(NULL, stride, 1 + stride % 2);
        /* Both to 1e-9, then rounded to floats; the bar is 8.5 across. */
        assert_true(json_number_at(found, "distance_max") < 1e-7);
        assert_true(json_number_at(found, "skin_max") < 1e-7);
        assert_true(json_number_at(found, "distance_p99") <= json_number_at(found, "distance_max"));
        /* Rings within two radii of the joint have two influences: 25 rings a third of a radius apart, 11. */
        assert_true(json_number_at(found, "with_center") == 11.0 * 12.0);
        assert_true(json_number_at(found, "time_s") > 0.0);
        assert_near(json_number_at(found, "gain"),
                    json_number_at(found, "brute_force_s") / json_number_at(found, "time_s"), 1e-9);
        json_decref(found);
    }
}

/* A sigma that makes all of the surface alike is compared with brute force of the same sigma. */
static void settings_hold_for_brute_force_too(void **state)
{
    (void)state;
    json_t *found = search_of("sigma=100", 5, 1);
    assert_true(json_number_at(found, "distance_max") < 1e-7);
    json_decref(found);
}

/* With an omega and a cutoff that reach no further than a vertex' own ring, centres are off: the paper's
 * search is not compared with itself. */
static void a_blind_search_is_seen(void **state)
{
    (void)state;
    Subject subject;
    json_t *measures = json_object();
    json_t *parameters = json_pack("{s:[s, s, s]}", "set", "search=clustered", "omega=1e-6", "cutoff=1");
    assert_ok(subject_generate("bar", (const char *const[]){"motion=bend-90", "frames=3"}, 2, &subject));
    StudyInput input = {.parameters = parameters, .subject = &subject, .threads = 2};
    assert_ok(study_find("center-search")->run(&input, measures));
    assert_true(json_number_at(measures, "distance_max") > 1e-3);
    assert_true(json_number_at(measures, "skin_max") > 0.0);
    subject_clear(&subject);
    json_decref(parameters);
    json_decref(measures);
}

static void bad_rows_are_refused(void **state)
{
    (void)state;
    json_t *measures = json_object(), *parameters = json_pack("{s:[s]}", "set", "omega=far");
    const Study *study = study_find("center-search");
    StudyInput input = {.parameters = parameters, .threads = 1};
    assert_refused(STATUS_BAD_INPUT, "no rig", study->run(&input, measures));
    Subject subject;
    assert_ok(subject_generate("bar", (const char *const[]){"frames=2"}, 1, &subject));
    input.subject = &subject;
    assert_refused(STATUS_USAGE, "omega", study->run(&input, measures));
    json_decref(parameters);
    input.parameters = parameters = json_pack("{s:i}", "stride", 0);
    assert_refused(STATUS_BAD_INPUT, "stride is 0", study->run(&input, measures));
    subject_clear(&subject);
    json_decref(parameters);
    json_decref(measures);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_search_is_brute_force),
        cmocka_unit_test(settings_hold_for_brute_force_too),
        cmocka_unit_test(a_blind_search_is_seen),
        cmocka_unit_test(bad_rows_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
