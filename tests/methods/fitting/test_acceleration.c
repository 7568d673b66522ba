/* Tests L-BFGS preconditioned by sweeps, on a quadratic function with a known minimum. */
#include "methods/fitting/acceleration.h"

#include "tests/rigs.h"

enum { SIZE = 40, WINDOW = 5 };

/* Returns entry i of the diagonal matrix A of the minimised function x^T A x / 2. metric_of returns the
 * matching entry of a sweep's preconditioner, which is at least as large. */
static double curvature_of(int i)
{
    return pow(0.8, i);
}

static double metric_of(int i)
{
    return i % 2 ? 1.0 : 2.0;
}

/* Takes some steps from (1, .., 1) towards the minimum at 0. Returns the function value at the end. */
static double minimize(int window, int steps, bool with_gradient)
{
    Acceleration acceleration;
    double point[SIZE], image[SIZE], gradient[SIZE], value = 0.0;
    assert_ok(acceleration_make(&acceleration, window, SIZE));
    for (int i = 0; i < SIZE; i++)
        point[i] = 1.0;
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < SIZE; i++) {
            gradient[i] = curvature_of(i) * point[i];
            image[i] = point[i] - gradient[i] / (with_gradient ? metric_of(i) : 1.0);
        }
        acceleration_next(&acceleration, point, image, with_gradient ? gradient : NULL);
    }
    acceleration_clear(&acceleration);
    for (int i = 0; i < SIZE; i++)
        value += 0.5 * curvature_of(i) * point[i] * point[i];
    return value;
}

/* Without remembered pairs (changes of the point and of the gradient), every step equals a sweep. Each
 * coordinate is then multiplied by (1 - a / m)^steps, with a = curvature_of(i) and m = metric_of(i). */
TEST(plain_steps_are_sweeps)
{
    double expected = 0.0;
    for (int i = 0; i < SIZE; i++)
        expected += 0.5 * curvature_of(i) * pow(1.0 - curvature_of(i) / metric_of(i), 2.0 * 30);
    assert_near(minimize(0, 30, true), expected, 1e-12);
}

/* The curvatures span four decades. 30 accelerated steps must reach a lower value than 90 plain ones. */
TEST(pairs_shorten_the_way)
{
    assert_true(minimize(WINDOW, 30, true) < minimize(0, 90, true));
    assert_true(minimize(WINDOW, 30, false) < minimize(0, 90, false));
}

/* The inverse Hessian maps the last change of the gradient to the last move (the secant condition). The
 * gradient at the second point is half of that change, so the next step must go back by half of that
 * move. */
TEST(last_pair_is_reproduced)
{
    CLEANUP(acceleration_clear) Acceleration acceleration = {0};
    double first[2] = {1.0, 2.0}, image[2] = {0.5, 1.0}, gradient[2] = {0.5, 1.0};
    double second[2] = {0.5, 1.0}, after[2] = {1.0, 2.0}, twice[2];
    assert_ok(acceleration_make(&acceleration, WINDOW, 2));
    acceleration_next(&acceleration, first, image, gradient);
    assert_near(first[0], 0.5, 0.0);
    assert_near(first[1], 1.0, 0.0);
    /* The gradient has changed its sign between the two points, so the minimum lies in the middle. */
    for (int i = 0; i < 2; i++)
        twice[i] = -gradient[i];
    acceleration_next(&acceleration, second, after, twice);
    assert_near(second[0], 0.75, 1e-15);
    assert_near(second[1], 1.5, 1e-15);
}

/* A pair of a move and a gradient change is not remembered if its curvature is negative. */
TEST(negative_curvature_is_passed_over)
{
    CLEANUP(acceleration_clear) Acceleration acceleration = {0};
    double point[1] = {1.0}, image[1] = {2.0}, gradient[1] = {-1.0};
    assert_ok(acceleration_make(&acceleration, WINDOW, 1));
    acceleration_next(&acceleration, point, image, gradient);
    image[0] = 4.0;
    gradient[0] = -2.0;
    acceleration_next(&acceleration, point, image, gradient);
    assert_int_equal(acceleration.count, 0);
    assert_near(point[0], 4.0, 0.0);
}
