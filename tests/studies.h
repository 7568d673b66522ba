/* Runs studies with parameters given as JSON. */
#pragma once

#include "harness/run/studies/study.h"
#include "tests/subjects.h"

/* Runs a study. Release *out with measures_clear, even on failure. */
static inline Status study_try(const char *name, const char *parameters, const Subject *subject, int threads,
                               Measures *out)
{
    Study *study = study_find(name);
    json_auto_t *given = json_loads(quoted(parameters), 0, NULL);
    assert_non_null(study);
    assert_non_null(given);
    const StudyInput input = {.parameters = given,
                              .subject = subject,
                              .dataset = subject ? subject->dataset : NULL,
                              .threads = threads};
    *out = (Measures){0};
    Status status = study(&input, out);
    assert_ok(measures_status(out));
    return status;
}

/* Runs a study that must succeed. */
static inline Measures study_measured(const char *name, const char *parameters, const Subject *subject,
                                      int threads)
{
    Measures measures;
    assert_ok(study_try(name, parameters, subject, threads, &measures));
    return measures;
}

/* MEASURED(found, "flip", "{}", NULL, 1) declares the measures of a study and releases them at the end of
 * its scope. */
#define MEASURED(name, ...) CLEANUP(measures_clear) Measures name = study_measured(__VA_ARGS__)
#define assert_measured(measures, name, expected, tolerance)                                                 \
    assert_near(measures_value(measures, name), expected, tolerance)

/* Runs a study that must fail without measuring anything. Returns its status. */
static inline Status study_refused(const char *name, const char *parameters, const Subject *subject)
{
    CLEANUP(measures_clear) Measures measures = {0};
    Status status = study_try(name, parameters, subject, 1, &measures);
    assert_int_equal(measures.count, 0);
    return status;
}

/* Returns sample i of a curve, which must exist. */
static inline double curve_at(const Measures *measures, const char *name, int i)
{
    const Measure *measure = measures_find(measures, name);
    assert_non_null(measure);
    assert_true(measure->curve && i >= 0 && i < measure->count);
    return measure->curve[i];
}
