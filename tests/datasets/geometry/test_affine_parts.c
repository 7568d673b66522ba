/* Tests the decomposition of known transformations into translation, rotation and scale, and the search for
 * the common axes of several stretches. */
#include "tests/support.h"

#include "datasets/base/random.h"
#include "datasets/geometry/affine_parts.h"

static Quat random_rotation(Random *random)
{
    Quat q =
        quat_make(random_signed(random), random_signed(random), random_signed(random), random_signed(random));
    return quat_scale(q, 1.0 / sqrt(quat_dot(q, q)));
}

static void assert_close(double value, double expected, double tolerance)
{
    fail_if(!(fabs(value - expected) <= tolerance), "%.17g, expected %.17g", value, expected);
}

TEST(scaled_rotations_come_back)
{
    Random random = {7};
    for (int i = 0; i < 500; i++) {
        /* Include mirrored transformations and very unequal scales. */
        const AffineParts made = {.translation = vec3_make(random_signed(&random), 5.0, -100.0),
                                  .rotation = random_rotation(&random),
                                  .scale = vec3_make(i % 3 == 0 ? -0.3 : 2.0, 0.01 + random_unit(&random),
                                                     i % 5 == 0 ? -7.0 : 1.0)};
        const Transform t = affine_parts_join(made);
        const AffineParts found = affine_parts(t);
        assert_close(affine_parts_loss(t, found), 0.0, 1e-12);
        assert_close(quat_dot(found.rotation, found.rotation), 1.0, 1e-14);
        assert_close(fabs(found.scale.x * found.scale.y * found.scale.z),
                     fabs(made.scale.x * made.scale.y * made.scale.z), 1e-12);
        assert_close(found.translation.z, -100.0, 0.0);
        if (made.scale.x > 0.0 && made.scale.z > 0.0)
            assert_close(fabs(quat_dot(found.rotation, made.rotation)), 1.0, 1e-12);
    }
}

TEST(a_join_is_the_turn_of_the_scaled_point)
{
    const double half = sqrt(0.5); /* a rotation by 90 degrees about z */
    const AffineParts parts = {vec3_make(1, 2, 3), quat_make(half, 0, 0, half), vec3_make(2, 3, 4)};
    const Vec3 moved = transform_point(affine_parts_join(parts), vec3_make(1, 1, 1));
    assert_close(moved.x, 1.0 - 3.0, 1e-15);
    assert_close(moved.y, 2.0 + 2.0, 1e-15);
    assert_close(moved.z, 3.0 + 4.0, 1e-15);
}

/* Shear cannot be represented as translation, rotation and scale. The polar factor of [1 k; 0 1] is the
 * rotation by -atan(k / 2). It leaves the symmetric matrix [c s; s c + k s] with s = k / 2 c. The diagonal
 * is kept as scale, and the two entries s are lost. */
TEST(shear_is_what_is_lost)
{
    const double k = 0.1, angle = atan(k / 2.0), c = cos(angle), s = sin(angle);
    const Transform sheared = {1, k, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    const AffineParts parts = affine_parts(sheared);
    assert_close(parts.rotation.z, -sin(0.5 * angle), 1e-12);
    assert_close(parts.scale.x, c, 1e-12);
    assert_close(parts.scale.y, c + k * s, 1e-12);
    assert_close(parts.scale.z, 1.0, 1e-12);
    assert_close(affine_parts_loss(sheared, parts), sqrt(2.0 * s * s / (3.0 + k * k)), 1e-12);
}

TEST(shared_axes_are_found)
{
    Random random = {3};
    const Transform axes = affine_parts_join((AffineParts){{0, 0, 0}, random_rotation(&random), {1, 1, 1}});
    Mat3 metrics[20];
    Transform maps[20];
    for (int i = 0; i < 20; i++) {
        /* Each map is M = R (axes S axes^T), with a random rotation R and a diagonal S. The columns of M
         * axes are therefore orthogonal. */
        const AffineParts stretch = {{0, 0, 0},
                                     random_rotation(&random),
                                     {0.5 + random_unit(&random), 1.5 + random_unit(&random), 1.0}};
        const Transform back = {axes.m00, axes.m10, axes.m20, 0,        axes.m01, axes.m11,
                                axes.m21, 0,        axes.m02, axes.m12, axes.m22, 0};
        maps[i] = transform_product(affine_parts_join(stretch), back);
        const double *m = &maps[i].m00;
        double *metric = &metrics[i].m00;
        for (int row = 0; row < 3; row++)
            for (int column = 0; column < 3; column++)
                metric[3 * row + column] =
                    m[row] * m[column] + m[4 + row] * m[4 + column] + m[8 + row] * m[8 + column];
    }
    const Mat3 q = metrics_diagonalize(metrics, 20);
    const Transform turn = {q.m00, q.m01, q.m02, 0, q.m10, q.m11, q.m12, 0, q.m20, q.m21, q.m22, 0};
    for (int i = 0; i < 20; i++) {
        const Transform turned = transform_product(maps[i], turn);
        assert_close(affine_parts_loss(turned, affine_parts(turned)), 0.0, 1e-9);
        if (i == 0)
            assert_true(affine_parts_loss(maps[i], affine_parts(maps[i])) > 1e-3);
    }
}
