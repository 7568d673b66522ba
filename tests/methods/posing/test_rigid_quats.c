/* Tests the conversion of transformations to columns, quaternions and products of quaternions, for every
 * number of joints up to the size of a block. */
#include "tests/rigs.h"

#include "methods/posing/rigid_quats.h"

TEST(columns_of_transforms)
{
    Transform transforms[COLUMN_LANES];
    for (int i = 0; i < COLUMN_LANES; i++)
        for (int element = 0; element < TRANSFORM_ELEMENTS; element++)
            (&transforms[i].m00)[element] = 100.0 * i + element;
    for (int count = 1; count <= COLUMN_LANES; count++) {
        TransformColumns columns;
        for (int element = 0; element < TRANSFORM_ELEMENTS; element++)
            for (int i = 0; i < COLUMN_LANES; i++)
                columns.elements[element][i] = -1.0;
        transform_columns_of(transforms, count, &columns);
        for (int element = 0; element < TRANSFORM_ELEMENTS; element++)
            for (int i = 0; i < COLUMN_LANES; i++)
                assert_true(columns.elements[element][i] == (i < count ? 100.0 * i + element : -1.0));
    }
}

/* Tests rotations with known axis and angle, including half turns about the axes and the identity. */
TEST(quats_of_rotations)
{
    Random random = {5};
    Transform transforms[COLUMN_LANES];
    Quat expected[COLUMN_LANES];
    Vec3 moves[COLUMN_LANES];
    for (int i = 0; i < COLUMN_LANES; i++) {
        expected[i] = i < 3    ? quat_about(AXES[i], acos(-1.0))
                      : i == 3 ? quat_make(1.0, 0.0, 0.0, 0.0)
                               : quat_about(random_axis(&random), random_between(&random, -3.1, 3.1));
        moves[i] = random_axis(&random);
        transforms[i] = transform_about(expected[i], ORIGIN, moves[i]);
    }
    for (int count = 1; count <= COLUMN_LANES; count++) {
        QuatColumns found;
        rigid_quats_find(transforms, count, true, &found);
        for (int i = 0; i < count; i++) {
            const Quat q =
                quat_make(found.values[0][i], found.values[1][i], found.values[2][i], found.values[3][i]);
            const DualQuat own = {
                q, quat_make(found.values[4][i], found.values[5][i], found.values[6][i], found.values[7][i])};
            assert_near(fabs(quat_dot(q, expected[i])), 1.0, 1e-14);
            assert_near(quat_dot(q, q), 1.0, 1e-15);
            assert_near(quat_dot(q, own.dual), 0.0, 1e-15);
            assert_vec3(dual_quat_translation(own), moves[i], 1e-14);
        }
    }
}

TEST(products_of_pairs)
{
    enum { JOINTS = 20, STRIDE = 7 };
    Random random = {8};
    double values[JOINTS * STRIDE];
    int32_t pairs[2 * DOTS_BLOCK];
    for (int i = 0; i < JOINTS * STRIDE; i++)
        values[i] = random_between(&random, -1.0, 1.0);
    for (int i = 0; i < 2 * DOTS_BLOCK; i++)
        pairs[i] = (int32_t)random_between(&random, 0.0, JOINTS - 0.01);
    for (int count = 1; count <= DOTS_BLOCK; count++) {
        double dots[DOTS_BLOCK], min = 1.0;
        const double found = rigid_quats_dots(values, STRIDE, pairs, count, dots);
        for (int i = 0; i < count; i++) {
            double expected = 0.0;
            for (int k = 0; k < 4; k++)
                expected += values[pairs[2 * i] * STRIDE + k] * values[pairs[2 * i + 1] * STRIDE + k];
            assert_near(dots[i], expected, 1e-15);
            min = fmin(min, dots[i]);
        }
        assert_true(found == min);
    }
}
