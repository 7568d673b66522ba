/* Tests parameters that are defined by the rows of a table: their defaults, the values that they accept,
 * and the messages for values that they refuse. */
#include "tests/support.h"

#include "datasets/base/parameters.h"

static const char *const words[] = {"first", "heaviest", NULL};
enum { ROWS = 4 };
static const Parameter rows[ROWS + 1] = {
    {"share", "a part of the whole", PARAMETER_REAL, 0.25, 0.0, 1.0, NULL},
    {"count", "how many", PARAMETER_INTEGER, 3.0, 1.0, 12.0, NULL},
    {"exact", "whether rounding is avoided", PARAMETER_FLAG, 1.0, 0.0, 0.0, NULL},
    {"pivot", "whose sign counts", PARAMETER_CHOICE, 1.0, 0.0, 0.0, words}};

TEST(values_are_read)
{
    ParameterValues values = parameters_default(rows);
    const double defaults[ROWS] = {0.25, 3.0, 1.0, 1.0}, given[ROWS] = {1.0, 12.0, 0.0, 0.0};
    static const char *const assignments[] = {"share=1e0", "count=12", "exact=no", "pivot=first"};
    for (int i = 0; i < ROWS; i++)
        assert_true(values.values[i] == defaults[i]);
    for (int i = 0; i < ROWS; i++)
        assert_ok(parameters_set(rows, "method", assignments[i], &values));
    for (int i = 0; i < ROWS; i++)
        assert_true(values.values[i] == given[i]);
}

TEST(others_are_refused)
{
    static const char *const cases[][2] = {
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
        {"shares=1", "method has no parameter 'shares'"}};
    const ParameterValues before = parameters_default(rows);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ParameterValues values = before;
        assert_refused(STATUS_USAGE, cases[i][1], parameters_set(rows, "method", cases[i][0], &values));
        assert_memory_equal(&values, &before, sizeof values);
    }
    ParameterValues values = before;
    assert_refused(STATUS_USAGE, "it has none", parameters_set(NULL, "method", "a=1", &values));
}

/* Setting a parameter to its printed value restores the value. */
TEST(formatted_values_come_back)
{
    const double given[ROWS] = {1.0 / 3.0, 7.0, 0.0, 1.0};
    ParameterValues values = parameters_default(rows);
    for (int i = 0; i < ROWS; i++) {
        char text[64];
        parameter_format(&rows[i], given[i], text, sizeof text);
        assert_ok(parameters_set(rows, "method", text_of("%s=%s", rows[i].name, text), &values));
        assert_true(values.values[i] == given[i]);
    }
}

/* A preset sets only the parameters that are not set by name, whether the preset or the name comes first.
 * Choosing the default preset afterwards undoes the earlier preset. A table of presets with an invalid
 * assignment is detected. */
TEST(presets_give_way_to_names)
{
    static const char *const preset_words[] = {"best", "", "paper", "share=0.5 exact=no", NULL};
    static const char *const empty_words[] = {"best", "", "paper", "", NULL};
    static const char *const wrong_words[] = {"best", "", "paper", "shares=0.5", NULL};
    Parameter table[4] = {
        {"preset", "what runs", PARAMETER_PRESET, 0.0, 0.0, 0.0, preset_words}, rows[0], rows[2]};
    static const struct {
        const char *assignments[3];
        double share, exact;
    } cases[] = {{{"preset=paper"}, 0.5, 0.0},
                 {{"preset=paper", "share=0.75"}, 0.75, 0.0},
                 {{"share=0.75", "preset=paper"}, 0.75, 0.0},
                 {{"exact=yes", "preset=paper", "preset=best"}, 0.25, 1.0}};
    assert_ok(parameters_check(table, "method"));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ParameterValues values = parameters_default(table);
        for (int k = 0; k < 3 && cases[i].assignments[k]; k++)
            assert_ok(parameters_set(table, "method", cases[i].assignments[k], &values));
        assert_true(values.values[1] == cases[i].share && values.values[2] == cases[i].exact);
    }
    assert_string_equal(parameter_word(&table[0], 1), "paper");
    assert_null(parameter_word(&table[0], 2));
    table[0].choices = empty_words;
    assert_refused(STATUS_USAGE, "the default word must stand for no settings",
                   parameters_check(table, "method"));
    table[0].choices = wrong_words;
    assert_refused(STATUS_USAGE, "has no parameter 'shares'", parameters_check(table, "method"));
}

/* A parameter of this type keeps the name of an attribute, and its value says whether there is one. */
TEST(attributes_are_named)
{
    static const Parameter table[] = {{.name = "map", .meaning = "m", .type = PARAMETER_ATTRIBUTE},
                                      {.name = NULL}};
    static const char *const refused[] = {"map=two words", "map=a/b",
                                          "map=a23456789012345678901234567890123456789012345678"};
    ParameterValues values = parameters_default(table);
    assert_true(values.values[0] == 0.0);
    assert_string_equal(values.attribute, "");
    assert_ok(parameters_set(table, "method", "map=Stiff_ness.2-a", &values));
    assert_true(values.values[0] == 1.0);
    assert_string_equal(values.attribute, "Stiff_ness.2-a");
    for (int i = 0; i < 3; i++)
        assert_refused(STATUS_USAGE, "expected 1 to 47 letters, digits, underscores, hyphens or points",
                       parameters_set(table, "method", refused[i], &values));
    assert_string_equal(values.attribute, "Stiff_ness.2-a");
    assert_ok(parameters_set(table, "method", "map=", &values));
    assert_true(values.values[0] == 0.0);
    assert_string_equal(values.attribute, "");
    const Parameter two[] = {table[0], {.name = "other", .meaning = "m", .type = PARAMETER_ATTRIBUTE}, {0}};
    assert_ok(parameters_check(table, "method"));
    assert_refused(STATUS_USAGE, "method: map and other both name an attribute",
                   parameters_check(two, "method"));
}
