/* Compares products of transformations with results worked out by hand. */
#include "tests/support.h"

#include "datasets/geometry/transform.h"

/* The products of a rotation by 90 degrees about z and a translation along x, in both orders. */
TEST(products_apply_the_second_first)
{
    const Transform turn = {.m01 = -1.0, .m10 = 1.0, .m22 = 1.0};
    const Transform step = {.m00 = 1.0, .m11 = 1.0, .m22 = 1.0, .m03 = 5.0};
    const Vec3 v = {1.0, 2.0, 3.0};
    Vec3 turned_first = transform_point(transform_product(step, turn), v);
    Vec3 stepped_first = transform_point(transform_product(turn, step), v);
    assert_true(turned_first.x == 3.0 && turned_first.y == 1.0 && turned_first.z == 3.0);
    assert_true(stepped_first.x == -2.0 && stepped_first.y == 6.0 && stepped_first.z == 3.0);
}

/* (a b) v = a (b v) for matrices of small integers, which are exact. */
TEST(products_are_associative)
{
    const Transform a = {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3}, b = {-3, 2, 1, 7, 4, -4, 2, 9, 1, 6, -5, 2};
    for (int i = 0; i < 8; i++) {
        const Vec3 v = {i & 1, i & 2, i & 4};
        Vec3 once = transform_point(transform_product(a, b), v);
        Vec3 twice = transform_point(a, transform_point(b, v));
        assert_true(once.x == twice.x && once.y == twice.y && once.z == twice.z);
    }
}
