/* Tests verdicts on planted times of two builds. On the simulated machine, processes differ by their memory
 * layout (1 % standard deviation), and visits scatter (0.7 %). Other load makes one visit in ten up to 50 %
 * slower. */
#include "tests/support.h"

#include "datasets/base/random.h"
#include "harness/run/binary/binary_verdict.h"

enum { VISITS = 3, STARTS_MAX = 96 };
static const double PLACE_DEVIATION = 0.010, VISIT_DEVIATION = 0.007, LOAD_SHARE = 0.1, LOAD_MAX = 0.5;

/* Returns a normal deviate by the method of Box and Muller. */
static double normal(Random *random)
{
    const double u = 1.0 - random_unit(random);
    return sqrt(-2.0 * log(u)) * cos(2.0 * 3.14159265358979 * random_unit(random));
}

static double visit_s(Random *random, double place)
{
    const double load = random_unit(random) < LOAD_SHARE ? LOAD_MAX * random_unit(random) : 0.0;
    return 1e-4 * exp(place + VISIT_DEVIATION * normal(random)) * (1.0 + load);
}

/* Plants visits [starts][VISITS]. Each visit has three times: of a build, of the same build again, and of a
 * build that is `ratio` times as slow. */
static void visits_plant(Random *random, double ratio, int starts, TimedVisit *visits)
{
    for (int s = 0; s < starts; s++) {
        double places[3];
        for (int b = 0; b < 3; b++)
            places[b] = PLACE_DEVIATION * normal(random);
        for (int v = 0; v < VISITS; v++)
            visits[s * VISITS + v] = (TimedVisit){visit_s(random, places[0]), visit_s(random, places[1]),
                                                  ratio * visit_s(random, places[2])};
    }
}

/* Returns how many of `cells` simulated cells get the verdict `verdict`. */
static int verdict_count(uint64_t seed, double ratio, int starts, int cells, TimeVerdict verdict)
{
    TimedVisit visits[STARTS_MAX * VISITS];
    TimeJudgement judgement;
    Random random = {seed};
    int count = 0;
    for (int i = 0; i < cells; i++) {
        visits_plant(&random, ratio, starts, visits);
        assert_ok(time_judge(visits, starts, VISITS, &judgement));
        count += judgement.verdict == verdict;
    }
    return count;
}

/* If each process start gives one value, the median is the median of the values. Equal values give an empty
 * interval. */
TEST(medians)
{
    const double odd[] = {5, 1, 4, 2, 3}, even[] = {4, 1, 3, 2}, equal[] = {7, 7, 7, 7, 7, 7};
    Interval interval;
    assert_ok(clustered_median(odd, 5, 1, &interval));
    assert_true(interval.median == 3.0 && interval.low >= 1.0 && interval.high <= 5.0);
    assert_ok(clustered_median(even, 2, 2, &interval));
    assert_true(interval.median == 2.5);
    assert_ok(clustered_median(equal, 3, 2, &interval));
    assert_true(interval.median == 7.0 && interval.low == 7.0 && interval.high == 7.0);
}

/* Returns how many 99 % intervals of simulated values contain the true median 0. The visits of one process
 * share an offset. If `clustered` is false, they are treated as independent. */
static int covered(int cells, bool clustered)
{
    enum { STARTS = 40 };
    double values[STARTS * VISITS];
    Interval interval;
    Random random = {7};
    int count = 0;
    for (int c = 0; c < cells; c++) {
        for (int s = 0; s < STARTS; s++) {
            const double place = normal(&random);
            for (int v = 0; v < VISITS; v++)
                values[s * VISITS + v] = place + 0.3 * normal(&random);
        }
        assert_ok(clustered_median(values, clustered ? STARTS : STARTS * VISITS, clustered ? VISITS : 1,
                                   &interval));
        count += interval.low <= 0.0 && interval.high >= 0.0;
    }
    return count;
}

/* Of 200 intervals of 99 %, about 198 should contain the true value. If the three visits of a process are
 * treated as independent, intervals are too narrow by a factor of nearly sqrt(3). 2.58 deviations become
 * 1.5, and one interval in seven misses. */
TEST(coverage)
{
    assert_in_range(covered(200, true), 193, 200);
    assert_in_range(covered(200, false), 130, 187);
}

/* Two equal builds are compared in twenty nightly runs of 60 cells, first with few process starts and then
 * with doubled numbers. There must be no alarm, and most cells must be found to be the same. */
TEST(equal_builds)
{
    for (int starts = 12; starts <= STARTS_MAX; starts *= 2) {
        const uint64_t seed = (uint64_t)starts;
        const int cells = starts == 12 ? 1200 : 40;
        assert_int_equal(verdict_count(seed, 1.0, starts, cells, TIME_SLOWER), 0);
        assert_int_equal(verdict_count(seed, 1.0, starts, cells, TIME_FASTER), 0);
        if (starts >= 48)
            assert_in_range(verdict_count(seed, 1.0, starts, cells, TIME_SAME), 9 * cells / 10, cells);
    }
}

/* A slow-down of 5 % is found in nine of ten cells with 48 process starts, and in all cells with 96. The
 * same holds for a speed-up. A slow-down of 1 % gives no alarm, however many visits there are. */
TEST(power)
{
    assert_in_range(verdict_count(1, 1.05, 48, 50, TIME_SLOWER), 45, 50);
    assert_in_range(verdict_count(2, 1.0 / 1.05, 48, 50, TIME_FASTER), 45, 50);
    assert_int_equal(verdict_count(3, 1.01, STARTS_MAX, 50, TIME_SLOWER), 0);
    assert_in_range(verdict_count(4, 1.05, STARTS_MAX, 50, TIME_SLOWER), 50, 50);
}

/* A slow-down of 2.5 % is just above the bound. Finding it takes the largest number of starts that an
 * undecided cell may get. */
TEST(little_change)
{
    enum { STARTS = 384, CELLS = 10 };
    TimedVisit *visits = malloc(sizeof *visits * STARTS * VISITS);
    TimeJudgement judgement;
    Random random = {9};
    int slower = 0;
    assert_non_null(visits);
    for (int i = 0; i < CELLS; i++) {
        visits_plant(&random, 1.025, STARTS, visits);
        assert_ok(time_judge(visits, STARTS, VISITS, &judgement));
        assert_true(fabs(judgement.ratio.median - 1.025) < 0.004);
        slower += judgement.verdict == TIME_SLOWER;
    }
    assert_in_range(slower, 7 * CELLS / 10, CELLS);
    free(visits);
}

/* Checks the rule with numbers. If a build differs from itself by 3 %, the bound rises to at least 9 %, so
 * a change of 5 % is left undecided. Visits without scatter give exact ratios. Too few starts give no
 * verdict. */
TEST(rule)
{
    enum { STARTS = 20 };
    TimedVisit visits[STARTS];
    TimeJudgement judgement;
    for (int i = 0; i < STARTS; i++)
        visits[i] = (TimedVisit){2.0, 2.0, 2.05};
    assert_ok(time_judge(visits, STARTS, 1, &judgement));
    assert_int_equal(judgement.verdict, TIME_SLOWER);
    assert_true(fabs(judgement.ratio.low - 1.025) < 1e-12 && fabs(judgement.bound - 1.02) < 1e-12);
    assert_true(fabs(judgement.old_s - 2.0) < 1e-12 && fabs(judgement.new_s - 2.05) < 1e-12);
    assert_ok(time_judge(visits, STARTS_MIN - 1, 1, &judgement));
    assert_int_equal(judgement.verdict, TIME_UNSURE);
    for (int i = 0; i < STARTS; i++)
        visits[i].again_s = 2.06;
    assert_ok(time_judge(visits, STARTS, 1, &judgement));
    assert_true(fabs(judgement.noise - 0.03) < 1e-12 && fabs(judgement.bound - 1.09) < 1e-12);
    for (int i = 0; i < STARTS; i++)
        visits[i].new_s = 2.15;
    assert_ok(time_judge(visits, STARTS, 1, &judgement));
    assert_int_equal(judgement.verdict, TIME_UNSURE);
}

/* If all cells slow down alike, their ratios to LBS stay the same. If one cell slows down, its ratio
 * changes by the same factor. */
TEST(ratio_to_another)
{
    enum { STARTS = 12 };
    TimedVisit method[STARTS], lbs[STARTS];
    Interval interval;
    for (int i = 0; i < STARTS; i++) {
        method[i] = (TimedVisit){3.0, 3.0, 3.3};
        lbs[i] = (TimedVisit){1.0, 1.0, 1.1};
    }
    assert_ok(time_ratio_to(method, lbs, STARTS, 1, &interval));
    assert_true(fabs(interval.median - 1.0) < 1e-12);
    for (int i = 0; i < STARTS; i++)
        lbs[i].new_s = 1.0;
    assert_ok(time_ratio_to(method, lbs, STARTS, 1, &interval));
    assert_true(fabs(interval.low - 1.1) < 1e-12);
}
