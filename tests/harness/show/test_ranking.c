/* Compares rankings and Pareto fronts with results worked out by hand. */
#include "tests/rigs.h"

#include "harness/show/report/score_grid.h"

/* Three methods are ranked on three data sets, on which the best values are 1, 4 and 10. The ratios of the
 * methods to the best values are 1 2 4, 2 1 2 and, shifted by 10, 2 1 1.5. */
TEST(scores_are_geometric_means_of_ratios)
{
    const double values[] = {1, 8, 30, /* */ 2, 4, 10, /* */ 4, 8, 20}, shifts[] = {0, 0, 10};
    CLEANUP(ranking_clear) Ranking ranking = {0};
    assert_ok(ranking_init(&(RankTable){values, shifts, 3, 3}, &ranking));
    assert_int_equal(ranking.ranked_count, 3);
    assert_int_equal(ranking.counting_count, 3);
    assert_near(ranking.scores[0], cbrt(1.0 * 2.0 * 2.0), 1e-12);
    assert_near(ranking.scores[1], cbrt(2.0 * 1.0 * 1.0), 1e-12);
    assert_near(ranking.scores[2], cbrt(4.0 * 2.0 * 1.5), 1e-12);
    assert_int_equal(ranking.order[0], 1);
    assert_int_equal(ranking.order[1], 0);
    assert_int_equal(ranking.order[2], 2);
}

/* The third method has only one of the three values that are compared. It is not ranked, and its best value
 * does not affect the ratios of the other methods. The second method lacks a value on the third data set,
 * so this data set does not count. */
TEST(only_common_data_sets_count)
{
    const double values[] = {2, 3, 5, 7, /* */ 4, 3, NAN, 7, /* */ 1, NAN, NAN, NAN}, shifts[] = {0, 0, 0, 0};
    CLEANUP(ranking_clear) Ranking ranking = {0};
    assert_ok(ranking_init(&(RankTable){values, shifts, 3, 4}, &ranking));
    assert_int_equal(ranking.ranked_count, 2);
    assert_int_equal(ranking.counting_count, 3);
    assert_true(ranking.counts[0] && ranking.counts[1] && !ranking.counts[2] && ranking.counts[3]);
    assert_near(ranking.scores[0], 1.0, 1e-12);
    assert_near(ranking.scores[1], cbrt(2.0), 1e-12);
    assert_true(isnan(ranking.scores[2]));
    assert_near(ranking.ratios[8], 0.5, 1e-12); /* the ratio is shown, although the method is not ranked */
}

/* On three of four data sets, only one method has a value. These data sets give the method no advantage and
 * do not exclude the other method. */
TEST(one_method_is_no_comparison)
{
    const double values[] = {1, 1, 1, 4, /* */ NAN, NAN, NAN, 2}, shifts[] = {0, 0, 0, 0};
    CLEANUP(ranking_clear) Ranking ranking = {0};
    assert_ok(ranking_init(&(RankTable){values, shifts, 2, 4}, &ranking));
    assert_int_equal(ranking.ranked_count, 2);
    assert_int_equal(ranking.counting_count, 1);
    assert_near(ranking.scores[0], 2.0, 1e-12);
    assert_near(ranking.scores[1], 1.0, 1e-12);
}

TEST(a_best_of_nothing_makes_no_ratio)
{
    const double values[] = {0, /* */ 1}, unshifted[] = {0}, shifted[] = {1};
    CLEANUP(ranking_clear) Ranking ranking = {0};
    assert_ok(ranking_init(&(RankTable){values, unshifted, 2, 1}, &ranking));
    assert_int_equal(ranking.ranked_count, 0);
    ranking_clear(&ranking);
    assert_ok(ranking_init(&(RankTable){values, shifted, 2, 1}, &ranking));
    assert_near(ranking.scores[1], 2.0, 1e-12);
    ranking_clear(&ranking);
    assert_ok(ranking_init(&(RankTable){values, shifted, 0, 0}, &ranking));
    assert_int_equal(ranking.ranked_count, 0);
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

TEST(means_leave_out_what_is_not_there)
{
    const double values[] = {2, NAN, 8};
    assert_near(geometric_mean(values, 3), 4.0, 1e-12);
    assert_true(isnan(geometric_mean(values + 1, 1)));
}
