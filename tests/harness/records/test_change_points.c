/* Tests the search for change points in synthetic time series: planted changes, false alarms, and the
 * effect of an outlier. */
#include "tests/support.h"

#include "datasets/base/random.h"
#include "harness/records/history/change_points.h"

enum { LENGTH = 40 };

/* Returns nearly normal noise of variance 1: the sum of twelve uniform numbers, minus 6. */
static double noise(Random *random)
{
    double sum = -6.0;
    for (int i = 0; i < 12; i++)
        sum += random_unit(random);
    return sum;
}

static int find(const double *values, int count, int changes[LENGTH])
{
    bool may_change[LENGTH];
    int change_count = 0;
    for (int i = 0; i < count; i++)
        may_change[i] = true;
    assert_ok(change_points_find(values, may_change, count, changes, &change_count));
    return change_count;
}

/* The divergence of two groups must equal these values, which were worked out by hand:
 *
 *   {0, 0} and {1, 1}: 2 * 1 - 0 - 0 = 2, times 4 / 4
 *   {0, 2} and {1, 3, 5}: 2 * 14 / 6 - 2 - 8 / 3 = 0
 *   {0, 0, 0} and {4}: 2 * 4, times 3 / 4 */
TEST(the_divergence_is_that_of_the_formula)
{
    static const double zeros[] = {0.0, 0.0, 0.0}, ones[] = {1.0, 1.0}, even[] = {0.0, 2.0},
                        odd[] = {1.0, 3.0, 5.0}, four[] = {4.0};
    assert_true(fabs(sample_divergence(zeros, 2, ones, 2) - 2.0) < 1e-12);
    assert_true(fabs(sample_divergence(even, 2, odd, 3) - 1.2 * (2.0 * 14.0 / 6.0 - 2.0 - 8.0 / 3.0)) <
                1e-12);
    assert_true(fabs(sample_divergence(zeros, 3, four, 1) - 6.0) < 1e-12);
}

/* A step of three standard deviations must be found in nearly all of 60 series, at most two samples from
 * its true place. */
TEST(a_planted_step_is_found_in_its_place)
{
    Random random = {.state = 1};
    int found = 0, near = 0, more = 0;
    for (int trial = 0; trial < 60; trial++) {
        double values[LENGTH];
        int changes[LENGTH];
        const int at = 8 + (int)random_below(&random, LENGTH - 16);
        for (int i = 0; i < LENGTH; i++)
            values[i] = 100.0 + noise(&random) + (i >= at ? 3.0 : 0.0);
        const int count = find(values, LENGTH, changes);
        found += count > 0;
        more += count > 1;
        near += count > 0 && abs(changes[0] - at) <= 2;
    }
    assert_true(found >= 58);
    assert_true(near >= 57);
    assert_true(more <= 4);
}

/* As the header states, seven numbers on each side of a change are enough to find it, and so are twenty on
 * one side and four on the other. */
TEST(few_numbers_are_enough)
{
    static const struct {
        int before, after, found;
    } cases[] = {{7, 7, 1}, {20, 4, 1}, {4, 20, 1}, {5, 5, 0}, {20, 1, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double values[LENGTH];
        int changes[LENGTH];
        Random random = {.state = 5};
        for (int i = 0; i < cases[k].before + cases[k].after; i++)
            values[i] = 0.1 * noise(&random) + (i >= cases[k].before ? 2.0 : 1.0);
        assert_int_equal(find(values, cases[k].before + cases[k].after, changes), cases[k].found);
        assert_true(cases[k].found == 0 || changes[0] == cases[k].before);
    }
}

/* A series that rises and later falls has two changes, and both must be found near their places. Without
 * noise the places are exact. */
TEST(several_changes_are_found)
{
    Random random = {.state = 2};
    int right = 0, changes[LENGTH];
    double values[LENGTH];
    for (int trial = 0; trial < 30; trial++) {
        for (int i = 0; i < LENGTH; i++)
            values[i] = 0.2 * noise(&random) + (i >= 13 && i < 27 ? 1.0 : 0.0);
        const int count = find(values, LENGTH, changes);
        right += count == 2 && abs(changes[0] - 13) <= 1 && abs(changes[1] - 27) <= 1;
    }
    assert_true(right >= 28);
    for (int i = 0; i < LENGTH; i++)
        values[i] = i < 11 ? 1.0 : i < 30 ? 2.0 : 1.5;
    assert_int_equal(find(values, LENGTH, changes), 2);
    assert_int_equal(changes[0], 11);
    assert_int_equal(changes[1], 30);
}

/* Among 400 series without a change, 0.4 false alarms are expected. The probability of more than 4 is
 * 6e-5. */
TEST(noise_alone_is_seldom_divided)
{
    Random random = {.state = 3};
    int divided = 0;
    for (int trial = 0; trial < 400; trial++) {
        double values[LENGTH];
        int changes[LENGTH];
        for (int i = 0; i < 24; i++)
            values[i] = trial % 2 ? noise(&random) : exp(noise(&random)); /* skewed like measured times */
        divided += find(values, 24, changes) > 0;
    }
    assert_true(divided <= 4);
}

/* A single outlier does not count as a change, wherever it is, even at the end. A constant series has no
 * change, either. */
TEST(a_single_outlier_is_no_change)
{
    Random random = {.state = 4};
    int divided = 0, changes[LENGTH];
    double values[LENGTH];
    for (int place = 0; place < LENGTH; place++) {
        for (int i = 0; i < LENGTH; i++)
            values[i] = noise(&random) + (i == place ? 30.0 : 0.0);
        divided += find(values, LENGTH, changes) > 0;
    }
    assert_true(divided <= 1);
    for (int i = 0; i < LENGTH; i++)
        values[i] = 7.0;
    assert_int_equal(find(values, LENGTH, changes), 0);
    for (int count = 0; count < 4; count++)
        assert_int_equal(find(values, count, changes), 0);
}

/* Each commit has three runs. A change lies between two commits, not between two runs of one commit. */
TEST(a_change_lies_where_it_may)
{
    double values[LENGTH];
    bool may_change[LENGTH];
    int changes[LENGTH], found = 0;
    for (int i = 0; i < 24; i++) {
        values[i] = i >= 10 ? 2.0 + 0.001 * i : 1.0 + 0.001 * i; /* the first run of commit 3 is still fast */
        may_change[i] = i % 3 == 0;
    }
    assert_ok(change_points_find(values, may_change, 24, changes, &found));
    assert_true(found >= 1);
    assert_int_equal(changes[0], 9);
    for (int i = 0; i < found; i++)
        assert_int_equal(changes[i] % 3, 0);
}
