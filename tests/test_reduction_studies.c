/* The studies of dimension reduction on an animation of known rank. */
#include "harness/studies/study.h"

#include "harness/records/results.h"
#include "tests/sequences.h"

/* The sheet under `bones` affine motions: 4 dimensions each. */
static json_t *measured(const char *name, const char *parameters, int bones)
{
    const Study *study = study_find(name);
    json_t *given = json_loads(parameters, 0, NULL), *measures = json_object();
    Sequence sequence = sequence_sheet(20, 9, 12, 0);
    sequence_skin(&sequence, bones, 0.3, 3);
    Dataset dataset = {.mesh = sequence.mesh, .animation = sequence.animation};
    Subject subject = {.dataset = &dataset};
    StudyInput input = {.parameters = given, .subject = &subject, .threads = 2};
    assert_non_null(study);
    assert_non_null(given);
    assert_ok(study->run(&input, measures));
    json_decref(given);
    sequence_clear(&sequence);
    return measures;
}

/* Positions are floats: below their rounding, about 1e-5 of E_RMS, there are dimensions; above it the rank of
 * 3 bones. GS, which takes the columns as they come, many alike, needs more for the last digits. */
static void every_strategy_finds_the_rank(void **state)
{
    (void)state;
    static const char *const names[] = {"gram", "max", "gs", "pm1", "pm2", "svd"};
    json_t *measures = measured("reduction", "{\"threshold\":0.001,\"rounds\":2}", 3);
    for (int i = 0; i < 6; i++) {
        char name[32];
        snprintf(name, sizeof name, "dimension_%s", names[i]);
        bool takes_all = strcmp(names[i], "gs") == 0;
        if (json_number_at(measures, name) < 12.0 || (!takes_all && json_number_at(measures, name) > 12.0))
            fail_msg("%s: %g", name, json_number_at(measures, name));
        snprintf(name, sizeof name, "e_rms_%s", names[i]);
        assert_true(json_number_at(measures, name) <= 0.001);
        snprintf(name, sizeof name, "time_s_%s", names[i]);
        assert_true(json_number_at(measures, name) > 0.0);
    }
    assert_true(json_number_at(measures, "rounds") == 2.0);
    json_decref(measures);
}

/* At a threshold between, the optimum has the fewest dimensions, by either way to it. */
static void nothing_beats_the_optimum(void **state)
{
    (void)state;
    static const char *const names[] = {"dimension_max", "dimension_gs", "dimension_pm1", "dimension_pm2"};
    json_t *measures = measured("reduction", "{\"threshold\":60,\"rounds\":1}", 8);
    double least = json_number_at(measures, "dimension_svd");
    assert_true(least > 1.0 && least == json_number_at(measures, "dimension_gram"));
    for (int i = 0; i < 4; i++)
        assert_true(json_number_at(measures, names[i]) >= least);
    assert_true(json_number_at(measures, "dimension_gs") > least);
    json_decref(measures);
}

static void stabilised_bases_are_orthonormal(void **state)
{
    (void)state;
    json_t *measures = measured("orthogonality", "{\"dimension\":36}", 8);
    double dimension = json_number_at(measures, "dimension");
    const json_t *plain = json_object_get(measures, "plain_over_d");
    assert_true(dimension > 30.0); /* 36 rows, 32 from bones and the rounding of floats */
    assert_int_equal(json_array_size(plain), (size_t)dimension);
    /* One unit vector is unit to rounding; with the step all are; without it the small ones at the end are
     * not. */
    assert_true(json_real_value(json_array_get(plain, 0)) < 1e-14);
    assert_true(json_number_at(measures, "stabilised") < -13.5);
    assert_true(json_number_at(measures, "plain") > json_number_at(measures, "stabilised") + 2.0);
    for (size_t k = 1; k < json_array_size(plain); k++) /* sums of squares */
        assert_true(json_real_value(json_array_get(plain, k)) >=
                    json_real_value(json_array_get(plain, k - 1)));
    json_decref(measures);
}

static void rigs_without_motion_are_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"reduction", "orthogonality"};
    for (int i = 0; i < 2; i++) {
        StudyInput input = {.threads = 1};
        json_t *measures = json_object();
        assert_refused(STATUS_BAD_INPUT, "no animation", study_find(names[i])->run(&input, measures));
        json_decref(measures);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_strategy_finds_the_rank),
        cmocka_unit_test(nothing_beats_the_optimum),
        cmocka_unit_test(stabilised_bases_are_orthonormal),
        cmocka_unit_test(rigs_without_motion_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
