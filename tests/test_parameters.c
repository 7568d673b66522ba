/* Parameters as rows of a table: defaults, what is accepted, and what is refused with which words. */
#include "tests/support.h"

#include "datasets/base/parameters.h"

static const char *const words[] = {"first", "heaviest", NULL};
static const Parameter rows[] = {
    {"share", "a part of the whole", PARAMETER_REAL, 0.25, 0.0, 1.0, NULL},
    {"count", "how many", PARAMETER_INTEGER, 3.0, 1.0, 12.0, NULL},
    {"exact", "whether rounding is avoided", PARAMETER_FLAG, 1.0, 0.0, 0.0, NULL},
    {"pivot", "whose sign counts", PARAMETER_CHOICE, 1.0, 0.0, 0.0, words},
};
enum { ROWS = sizeof rows / sizeof *rows };

static void values_are_read(void **state)
{
    (void)state;
    ParameterValues values = parameters_default(rows, ROWS);
    const double defaults[ROWS] = {0.25, 3.0, 1.0, 1.0}, given[ROWS] = {1.0, 12.0, 0.0, 0.0};
    static const char *const assignments[] = {"share=1e0", "count=12", "exact=no", "pivot=first"};
    for (int i = 0; i < ROWS; i++)
        assert_true(values.values[i] == defaults[i]);
    for (int i = 0; i < ROWS; i++)
        assert_ok(parameters_set(rows, ROWS, "method", assignments[i], &values));
    for (int i = 0; i < ROWS; i++)
        assert_true(values.values[i] == given[i]);
}

static void others_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *assignment, *message;
    } cases[] = {
        {"share", "method: 'share' is not of the form name=value"},
        {"share=", "method: share is '', expected a number"},
        {"share=0.5x", "method: share is '0.5x', expected a number"},
        {"share=nan", "method: share is 'nan', expected a number"},
        {"share=inf", "method: share is 'inf', expected a number"},
        {"share=1.01", "method: share is 1.01, expected 0 to 1"},
        {"count=2.5", "method: count is 2.5, expected a whole number"},
        {"count=0", "method: count is 0, expected 1 to 12"},
        {"exact=1", "method: exact is '1', expected one of no, yes"},
        {"pivot=last", "method: pivot is 'last', expected one of first, heaviest"},
        {"shar=1", "method has no parameter 'shar'; it has share, count, exact, pivot"},
        {"shares=1", "method has no parameter 'shares'"},
    };
    const ParameterValues before = parameters_default(rows, ROWS);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ParameterValues values = before;
        assert_refused(STATUS_USAGE, cases[i].message,
                       parameters_set(rows, ROWS, "method", cases[i].assignment, &values));
        assert_memory_equal(&values, &before, sizeof values);
    }
    ParameterValues values = before;
    assert_refused(STATUS_USAGE, "it has none", parameters_set(NULL, 0, "method", "a=1", &values));
}

/* What is printed for a value sets that value again. */
static void formatted_values_come_back(void **state)
{
    (void)state;
    const double given[ROWS] = {1.0 / 3.0, 7.0, 0.0, 1.0};
    ParameterValues values = parameters_default(rows, ROWS);
    for (int i = 0; i < ROWS; i++) {
        char text[64], assignment[128];
        parameter_format(&rows[i], given[i], text, sizeof text);
        snprintf(assignment, sizeof assignment, "%s=%s", rows[i].name, text);
        assert_ok(parameters_set(rows, ROWS, "method", assignment, &values));
        assert_true(values.values[i] == given[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_read),
        cmocka_unit_test(others_are_refused),
        cmocka_unit_test(formatted_values_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
