/* Compares SplitMix64 with its published outputs, and tests the statistics of numbers made from it. */
#include "tests/support.h"

#include "datasets/base/random.h"

/* The published outputs for seed 1234567 (Rosetta Code) and seed 0 (Vigna's splitmix64.c). */
TEST(published_outputs)
{
    Random random = {1234567}, zero = {0};
    const uint64_t expected[] = {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                 4593380528125082431u, 16408922859458223821u};
    for (int i = 0; i < 5; i++)
        assert_true(random_next(&random) == expected[i]);
    assert_true(random_next(&zero) == 0xe220a8397b1dcdafu);
}

/* Uniform numbers in [0, 1] have mean 1/2 and variance 1/12. Those in [-1, 1] have mean 0 and variance 1/3.
 * For 100,000 numbers, the tolerances are five standard deviations. Both kinds are made from the same bits
 * and must agree. */
TEST(uniform_numbers)
{
    enum { COUNT = 100000 };
    Random random = {5}, other = {5};
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < COUNT; i++) {
        double unit = random_unit(&random), wide = random_signed(&other);
        assert_true(unit >= 0.0 && unit < 1.0 && wide >= -1.0 && wide < 1.0);
        assert_true(wide == 2.0 * unit - 1.0);
        sum += unit;
        squares += wide * wide;
    }
    assert_true(fabs(sum / COUNT - 0.5) < 5.0 * sqrt(1.0 / 12.0 / COUNT));
    assert_true(fabs(squares / COUNT - 1.0 / 3.0) < 5.0 * sqrt(4.0 / 45.0 / COUNT));
}

/* Numbers below a bound are uniform. The bound is three quarters of the range. With this bound, a plain
 * remainder would draw the lower third twice as often as the other numbers. */
TEST(bounds_are_not_biased)
{
    enum { COUNT = 30000 };
    Random random = {1};
    size_t bound = (size_t)3 << 62;
    int low = 0;
    for (int i = 0; i < COUNT; i++) {
        size_t value = random_below(&random, bound);
        assert_true(value < bound);
        low += value < bound / 3;
    }
    assert_true(fabs((double)low / COUNT - 1.0 / 3.0) < 5.0 * sqrt(2.0 / 9.0 / COUNT));
    for (int i = 0; i < 100; i++)
        assert_int_equal(random_below(&random, 1), 0);
}

TEST(orders_are_permutations_and_seeded)
{
    int first[50] = {0}, second[50] = {0}, seen[50] = {0}, differs = 0;
    Random a = {42}, b = {42}, c = {43};
    random_order(&a, 50, first);
    random_order(&b, 50, second);
    assert_memory_equal(first, second, sizeof first);
    random_order(&c, 50, second);
    for (int i = 0; i < 50; i++) {
        seen[first[i]]++;
        differs += first[i] != second[i];
    }
    for (int i = 0; i < 50; i++)
        assert_int_equal(seen[i], 1);
    assert_true(differs > 30);
}
