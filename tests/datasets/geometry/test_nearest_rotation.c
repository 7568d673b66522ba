/* Compares the nearest rotation with known rotations and with its definition. */
#include "datasets/geometry/nearest_rotation.h"

#include "tests/sequences.h"

static void random_rotation(Random *random, double r[3][3])
{
    double q[4], square = 0.0;
    for (int i = 0; i < 4; i++) {
        q[i] = random_signed(random);
        square += q[i] * q[i];
    }
    double s = 2.0 / square;
    r[0][0] = 1 - s * (q[2] * q[2] + q[3] * q[3]);
    r[0][1] = s * (q[1] * q[2] - q[0] * q[3]);
    r[0][2] = s * (q[1] * q[3] + q[0] * q[2]);
    r[1][0] = s * (q[1] * q[2] + q[0] * q[3]);
    r[1][1] = 1 - s * (q[1] * q[1] + q[3] * q[3]);
    r[1][2] = s * (q[2] * q[3] - q[0] * q[1]);
    r[2][0] = s * (q[1] * q[3] - q[0] * q[2]);
    r[2][1] = s * (q[2] * q[3] + q[0] * q[1]);
    r[2][2] = 1 - s * (q[1] * q[1] + q[2] * q[2]);
}

static void multiply(double a[3][3], double b[3][3], double out[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
}

static void assert_matrices(double a[3][3], double b[3][3], double tolerance)
{
    for (int i = 0; i < 9; i++)
        if (!(fabs(a[i / 3][i % 3] - b[i / 3][i % 3]) <= tolerance))
            fail_msg("entry %d: %g, expected %g", i, a[i / 3][i % 3], b[i / 3][i % 3]);
}

/* If the sum of any two elements of s is positive, the nearest rotation of R V diag(s) V^T is R, at any
 * scale. One element may be 0 (the matrix is flat) or negative (it mirrors). Both nearest_rotation and
 * nearest_rotations must find R. */
TEST(rotation_of_a_stretch)
{
    enum { STRETCHES = 9 };
    Random random = {3};
    const double stretches[STRETCHES][3] = {{1, 1, 1},    {5, 0.2, 1},     {1, 1e-4, 1},
                                            {1, 2, 0},    {3, 1e-9, 1},    {3, 2, -1},
                                            {1, -0.9, 2}, {1e3, 1, -1e-7}, {0.5, 1, -0.4999}};
    double side[9][ROTATION_LANES], turns[ROTATION_LANES][3][3];
    for (int trial = 0; trial < 25 * STRETCHES * ROTATION_LANES; trial++) {
        const int lane = trial % ROTATION_LANES;
        double v[3][3], stretch[3][3] = {{0}}, matrix[3][3], found[3][3], (*r)[3] = turns[lane];
        random_rotation(&random, r);
        random_rotation(&random, v);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                for (int k = 0; k < 3; k++)
                    stretch[i][j] += v[i][k] * stretches[trial % STRETCHES][k] * v[j][k];
        multiply(r, stretch, matrix);
        double unit = pow(10.0, trial % 7 * 20 - 60);
        for (int i = 0; i < 9; i++)
            side[i][lane] = matrix[i / 3][i % 3] *= unit;
        nearest_rotation((const double(*)[3])matrix, found);
        assert_matrices(found, r, 1e-9);
        if (lane + 1 == ROTATION_LANES)
            nearest_rotations(side);
        for (int i = 0; i < 9 * ROTATION_LANES && lane + 1 == ROTATION_LANES; i++)
            assert_true(fabs(side[i % 9][i / 9] - turns[i / 9][i % 9 / 3][i % 3]) <= 1e-9);
    }
}

/* Matrices side by side have the rotations that each has on its own, whether they are easy, mirrored, of rank
 * 1 or zero. */
TEST(rotations_side_by_side)
{
    Random random = {5};
    double side[9][ROTATION_LANES], alone[ROTATION_LANES][3][3];
    for (int i = 0; i < ROTATION_LANES; i++) {
        random_rotation(&random, alone[i]);
        for (int k = 0; k < 9; k++) {
            double *value = &alone[i][k / 3][k % 3];
            *value *= i == 1 ? 0.0 : i == 2 ? -1e9 : i == 3 && k < 6 ? 0.0 : 1.0 + 0.3 * k;
            side[k][i] = *value;
        }
        nearest_rotation((const double(*)[3])alone[i], alone[i]);
    }
    nearest_rotations(side);
    for (int i = 0; i < ROTATION_LANES; i++)
        for (int k = 0; k < 9; k++)
            assert_true(fabs(side[k][i] - alone[i][k / 3][k % 3]) < 1e-12);
}

/* For matrices that are zero, mirrored or of rank 1, the result R is a proper rotation that maximises the
 * trace of R^T M. The maximum is the sum of the singular values. If the determinant is negative, the
 * smallest value is subtracted. */
TEST(degenerate_matrices)
{
    double found[3][3], square[3][3], identity[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double matrices[][3][3] = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
                               {{0, 0, 0}, {2, 0, 0}, {0, 0, 0}},
                               {{-3, 0, 0}, {0, 2, 0}, {0, 0, 1}},
                               {{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}}};
    const double traces[] = {0.0, 2.0, 3.0 + 2.0 - 1.0, 1.0};
    for (int i = 0; i < 4; i++) {
        double trace = 0.0, transposed[3][3];
        nearest_rotation((const double(*)[3])matrices[i], found);
        for (int j = 0; j < 9; j++) {
            trace += found[j / 3][j % 3] * matrices[i][j / 3][j % 3];
            transposed[j / 3][j % 3] = found[j % 3][j / 3];
        }
        assert_true(fabs(trace - traces[i]) < 1e-12);
        multiply(found, transposed, square);
        assert_matrices(square, identity, 1e-12);
        double determinant = found[0][0] * (found[1][1] * found[2][2] - found[1][2] * found[2][1]) -
                             found[0][1] * (found[1][0] * found[2][2] - found[1][2] * found[2][0]) +
                             found[0][2] * (found[1][0] * found[2][1] - found[1][1] * found[2][0]);
        assert_true(determinant > 0.0);
    }
    nearest_rotation((const double(*)[3])matrices[0], found);
    assert_matrices(found, identity, 0.0);
}
