/* L-BFGS preconditioned by sweeps, on a quadratic function whose minimum is known. */
#include "methods/decomposition/coordinate-descent/alternation.h"

#include "tests/rigs.h"

enum { SIZE = 40, WINDOW = 5 };

/* Curvature i of x^T A x / 2, A diagonal, and what a sweep preconditions by: at least as much. */
static double curvature_of(int i)
{
    return pow(0.8, i);
}

static double metric_of(int i)
{
    return i % 2 ? 1.0 : 2.0;
}

/* Steps from (1, .., 1) towards the minimum at 0; returns how far it is left, as the function counts. */
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

/* Without pairs every step is the sweep's own: (1 - a / m)^steps of every coordinate is left. */
TEST(plain_steps_are_sweeps)
{
    double expected = 0.0;
    for (int i = 0; i < SIZE; i++)
        expected += 0.5 * curvature_of(i) * pow(1.0 - curvature_of(i) / metric_of(i), 2.0 * 30);
    assert_near(minimize(0, 30, true), expected, 1e-12);
}

/* Curvatures are spread over four decades: accelerated steps come in 30 to where plain ones come in 90 at the
 * earliest. */
TEST(pairs_shorten_the_way)
{
    assert_true(minimize(WINDOW, 30, true) < minimize(0, 90, true));
    assert_true(minimize(WINDOW, 30, false) < minimize(0, 90, false));
}

/* The inverse Hessian takes the last pair's gradient to its move (secant condition): from a point and a
 * gradient that are further by just that pair, the next point is where the move ends. */
TEST(last_pair_is_reproduced)
{
    CLEANUP(acceleration_clear) Acceleration acceleration = {0};
    double first[2] = {1.0, 2.0}, image[2] = {0.5, 1.0}, gradient[2] = {0.5, 1.0};
    double second[2] = {0.5, 1.0}, after[2] = {1.0, 2.0}, twice[2];
    assert_ok(acceleration_make(&acceleration, WINDOW, 2));
    acceleration_next(&acceleration, first, image, gradient);
    assert_near(first[0], 0.5, 0.0);
    assert_near(first[1], 1.0, 0.0);
    /* The gradient has turned round on the way: the minimum lies in the middle. */
    for (int i = 0; i < 2; i++)
        twice[i] = -gradient[i];
    acceleration_next(&acceleration, second, after, twice);
    assert_near(second[0], 0.75, 1e-15);
    assert_near(second[1], 1.5, 1e-15);
}

/* A pair along which the function curves down is not remembered. */
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
