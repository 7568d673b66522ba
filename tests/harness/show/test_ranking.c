/* Compares rankings and Pareto fronts with results worked out by hand. */
#include "tests/rigs.h"

#include "harness/show/report/score_grid.h"

/* Fills an empty grid with values and ranks its methods. The value of a method on a data set has the index
 * method * datasets + dataset. */
static ScoreGrid *grid_ranked(const double *values, const double *shifts, int methods, int datasets)
{
    ScoreGrid *grid = memory_array(1, sizeof *grid);
    for (int i = 0; i < methods * datasets; i++)
        score_grid_at(grid, (char[]){(char)('a' + i / datasets), '\0'},
                      (char[]){(char)('a' + i % datasets), '\0'}, shifts[i % datasets])
            ->value = values[i];
    score_grid_rank(grid);
    return grid;
}

/* Three methods are ranked on three data sets, on which the best values are 1, 4 and 10. The ratios of the
 * methods to the best values are 1 2 4, 2 1 2 and, shifted by 10, 2 1 1.5. The geometric means of the
 * methods' ratios are cbrt(4), cbrt(2) and cbrt(12). */
TEST(scores_are_geometric_means_of_ratios)
{
    const double values[] = {1, 8, 30, /* */ 2, 4, 10, /* */ 4, 8, 20}, shifts[] = {0, 0, 10};
    OWNED ScoreGrid *ranking = grid_ranked(values, shifts, 3, 3);
    assert_int_equal(ranking->ranked_count, 3);
    assert_near(ranking->scores[0], cbrt(4.0 / 2.0), 1e-12);
    assert_near(ranking->scores[1], 1.0, 1e-12);
    assert_near(ranking->scores[2], cbrt(12.0 / 2.0), 1e-12);
    assert_near(ranking->ratios[0][2], 2.0, 1e-12);
    assert_int_equal(ranking->order[0], 1);
    assert_int_equal(ranking->order[1], 0);
    assert_int_equal(ranking->order[2], 2);
}

/* The values are products of a score (1, 2, 5) and a difficulty of the data set (1, 10, 7, 100). The second
 * method was run on an easy and on a hard data set, and the third on two others, one of which it shares with
 * the first method only. Nobody gains from easy data: the scores are found whichever values are missing. */
TEST(missing_values_favour_nobody)
{
    const double values[] = {1,   10,  7,  NAN, /* */ 2,   NAN, NAN, 200,
                             NAN, NAN, 35, NAN, /* */ NAN, NAN, NAN, NAN};
    const double shifts[] = {0, 0, 0, 0};
    const int counts[] = {3, 2, 1, 0};
    OWNED ScoreGrid *ranking = grid_ranked(values, shifts, 4, 4);
    assert_int_equal(ranking->ranked_count, 3);
    assert_near(ranking->scores[0], 1.0, 1e-9);
    assert_near(ranking->scores[1], 2.0, 1e-9);
    assert_near(ranking->scores[2], 5.0, 1e-9);
    assert_true(isnan(ranking->scores[3]));
    for (int m = 0; m < 4; m++)
        assert_int_equal(ranking->counts[m], counts[m]);
}

/* The first three methods share data sets, the last two share another. They cannot be compared, so only the
 * larger group is ranked; a method on a data set of its own is not ranked either. */
TEST(methods_without_common_data_are_not_ranked)
{
    const double values[] = {NAN, 1,   NAN, /* */ NAN, 3,   NAN, /* */ NAN, 2,   NAN,
                             8,   NAN, NAN, /* */ 4,   NAN, NAN, /* */ NAN, NAN, 1};
    const double shifts[] = {0, 0, 0};
    OWNED ScoreGrid *ranking = grid_ranked(values, shifts, 6, 3);
    assert_int_equal(ranking->ranked_count, 3);
    assert_near(ranking->scores[1], 3.0, 1e-9);
    assert_near(ranking->scores[2], 2.0, 1e-9);
    assert_true(isnan(ranking->scores[3]) && isnan(ranking->scores[4]) && isnan(ranking->scores[5]));
}

TEST(a_best_of_nothing_makes_no_ratio)
{
    const double values[] = {0, /* */ 1}, unshifted[] = {0}, shifted[] = {1};
    OWNED ScoreGrid *ranking = grid_ranked(values, unshifted, 2, 1);
    assert_int_equal(ranking->ranked_count, 0);
    OWNED ScoreGrid *with_shift = grid_ranked(values, shifted, 2, 1),
                    *empty = grid_ranked(values, shifted, 0, 0);
    assert_near(with_shift->scores[1], 2.0, 1e-12);
    assert_int_equal(empty->ranked_count, 0);
}

/* The columns are error, bytes and seconds. The first row dominates the fourth, the fifth row equals the
 * second, and the sixth is incomplete. */
TEST(a_front_holds_what_nothing_beats)
{
    const double values[] = {1,       9, 9,  /* */ 2, 4, 4, /* */ 3, 4,   3,
                             /* */ 1, 9, 10, /* */ 2, 4, 4, /* */ 0, NAN, 0};
    const bool expected[] = {true, true, true, false, true, false};
    bool found[6];
    pareto_front(values, 6, 3, found);
    for (int i = 0; i < 6; i++)
        assert_int_equal(found[i], expected[i]);
}

/* A method takes 2 and 8 times as long as the unit, with ends at 0.9 and 1.2 of each value, so its score is
 * 4 with ends at 3.6 and 4.8. Without an interval on one data set there is none of the score. */
TEST(a_score_of_times_has_an_interval)
{
    static const double values[] = {2.0, 8.0};
    for (int time = 0; time < 2; time++) {
        OWNED ScoreGrid *grid = memory_array(1, sizeof *grid);
        for (int d = 0; d < 2; d++) {
            const double value = values[d], low = time == 1 && d == 0 ? NAN : 0.9 * value;
            *score_grid_at(grid, "unit", d == 0 ? "one" : "two", 0.0) = (GridCell){1.0, 1.0, 1.0, NULL};
            *score_grid_at(grid, "method", d == 0 ? "one" : "two", 0.0) =
                (GridCell){value, low, 1.2 * value, NULL};
        }
        score_grid_rank(grid);
        const int unit = score_grid_find(grid, "unit"), method = score_grid_find(grid, "method");
        OWNED_BY(text_table_free) TextTable *table = text_table_create("", "<method|time");
        const Interval score = score_grid_score(grid, method, unit);
        assert_near(score.median, 4.0, 1e-9);
        text_table_row(table, "method", NULL);
        score_grid_cell(grid, method, unit, true, table);
        assert_string_equal(text_table_at(table, 0, 1)->text, time == 0 ? "4.00 (3.60 to 4.80)" : "4");
        assert_true(time == 0 ? fabs(score.low - 3.6) < 1e-9 && fabs(score.high - 4.8) < 1e-9
                              : isnan(score.low));
    }
}
