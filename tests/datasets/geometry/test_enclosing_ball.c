/* Compares the smallest enclosing ball with closed forms and with the conditions for an optimum. */
#include "tests/support.h"

#include "datasets/base/random.h"
#include "datasets/geometry/enclosing_ball.h"

static Ball ball_of(const float *points, int count)
{
    Ball ball;
    assert_ok(enclosing_ball(points, count, &ball));
    return ball;
}

static void assert_ball(Ball ball, double x, double y, double z, double radius, double tolerance)
{
    assert_true(fabs(ball.center[0] - x) <= tolerance);
    assert_true(fabs(ball.center[1] - y) <= tolerance);
    assert_true(fabs(ball.center[2] - z) <= tolerance);
    assert_true(fabs(ball.radius - radius) <= tolerance);
}

TEST(simple_shapes)
{
    const float point[] = {1, 2, 3, 1, 2, 3, 1, 2, 3};
    assert_ball(ball_of(point, 1), 1, 2, 3, 0, 0);
    assert_ball(ball_of(point, 3), 1, 2, 3, 0, 0);
    const float line[] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 4, 0, 0, 3, 0, 0};
    assert_ball(ball_of(line, 5), 2, 0, 0, 2, 1e-14);
    /* An equilateral triangle with sides of length 2 has the circumradius 2 / sqrt 3. */
    const float triangle[] = {-1, 0, 0, 1, 0, 0, 0, sqrtf(3.0f), 0};
    assert_ball(ball_of(triangle, 3), 0, 1 / sqrt(3), 0, 2 / sqrt(3), 1e-7);
    /* The longest side of an obtuse triangle is a diameter of the ball. */
    const float obtuse[] = {-2, 0, 0, 0.5f, 0.5f, 0, 2, 0, 0};
    assert_ball(ball_of(obtuse, 3), 0, 0, 0, 2, 1e-14);
    /* Alternate corners of a cube form a regular tetrahedron with circumradius sqrt 3. */
    const float tetrahedron[] = {1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1};
    assert_ball(ball_of(tetrahedron, 4), 0, 0, 0, sqrt(3), 1e-14);
    /* All eight corners lie on one sphere, and the four corners of each face are coplanar. Every corner
     * occurs twice. */
    float cube[2 * 8 * 3];
    for (int i = 0; i < 2 * 8 * 3; i++)
        cube[i] = (float)((i / 3) >> (i % 3) & 1);
    assert_ball(ball_of(cube, 16), 0.5, 0.5, 0.5, sqrt(0.75), 1e-14);
}

TEST(many_points_on_a_sphere)
{
    enum { COUNT = 100000 };
    OWNED float *points = memory_table(COUNT, 3, sizeof *points);
    Random random = {7};
    double farthest = 0.0;
    for (int i = 0; i < COUNT; i++) {
        double z = 2 * random_unit(&random) - 1, angle = 6.283185307179586 * random_unit(&random);
        double ring = sqrt(1 - z * z);
        points[3 * i] = (float)(5 + 3 * ring * cos(angle));
        points[3 * i + 1] = (float)(-2 + 3 * ring * sin(angle));
        points[3 * i + 2] = (float)(1 + 3 * z);
    }
    /* The points lie on a sphere, except for rounding to float, which moves a point by at most 3e-7. Their
     * smallest ball must therefore equal this sphere to 1e-6. */
    Ball ball = ball_of(points, COUNT);
    assert_ball(ball, 5, -2, 1, 3, 1e-6);
    for (int i = 0; i < COUNT; i++)
        farthest =
            fmax(farthest, hypot(hypot(points[3 * i] - ball.center[0], points[3 * i + 1] - ball.center[1]),
                                 points[3 * i + 2] - ball.center[2]));
    assert_true(farthest <= ball.radius * (1 + 1e-15));
}

/* A ball is smallest if and only if its centre is in the convex hull of the points on its boundary. That is
 * the case if in every direction some boundary point is not beyond the plane through the centre. */
TEST(random_clouds_are_optimal)
{
    enum { COUNT = 300, DIRECTIONS = 200, CLOUDS = 40 };
    float points[3 * COUNT];
    Random random = {11};
    for (int cloud = 0; cloud < CLOUDS; cloud++) {
        for (int i = 0; i < 3 * COUNT; i++)
            points[i] = (float)((i % 3 == 2 ? 1e-3 : 1.0) * (random_unit(&random) + cloud));
        Ball ball = ball_of(points, COUNT);
        for (int d = 0; d < DIRECTIONS; d++) {
            double direction[3], lowest = INFINITY;
            for (int axis = 0; axis < 3; axis++)
                direction[axis] = 2 * random_unit(&random) - 1;
            for (int i = 0; i < COUNT; i++) {
                double offset[3], height = 0.0;
                for (int axis = 0; axis < 3; axis++) {
                    offset[axis] = points[3 * i + axis] - ball.center[axis];
                    height += direction[axis] * offset[axis];
                }
                double distance = hypot(hypot(offset[0], offset[1]), offset[2]);
                assert_true(distance <= ball.radius * (1 + 1e-14));
                if (distance >= ball.radius * (1 - 1e-9))
                    lowest = fmin(lowest, height);
            }
            assert_true(lowest <= 1e-7 * ball.radius);
        }
    }
}

TEST(bad_points_are_refused)
{
    Ball ball;
    const float points[] = {0, 0, 0, 0, NAN, 0};
    assert_bad_input("vertex 1", enclosing_ball(points, 2, &ball));
    assert_refused(STATUS_USAGE, "0 points", enclosing_ball(points, 0, &ball));
}
