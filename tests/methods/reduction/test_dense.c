/* Compares dense factorisations with closed forms. For singular matrices, the solutions are compared with
 * the pseudoinverse. */
#include "tests/support.h"

#include "datasets/geometry/angles.h"
#include "methods/reduction/dense.h"

enum { N = 7 };
static int choose_three(UNUSED const double *values, int n, UNUSED const void *context)
{
    return n < 3 ? n : 3;
}

/* Makes the matrix of second differences with fixed ends. Its eigenvalues are 2 - 2 cos(k pi / (n + 1)),
 * and its eigenvectors are sines. */
static void second_difference(double matrix[N * N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            matrix[i * N + j] = i == j ? 2.0 : abs(i - j) == 1 ? -1.0 : 0.0;
}

/* Checks that two unit vectors agree up to their sign. The bound of 1e-13 allows for the rounding of n
 * products. */
static void assert_direction(const double *vector, const double *expected)
{
    double sum = 0.0;
    for (int i = 0; i < N; i++)
        sum += vector[i] * expected[i];
    assert_true(fabs(fabs(sum) - 1.0) < 1e-13);
}

TEST(eigenvalues_of_the_second_difference)
{
    double matrix[N * N], values[N];
    OWNED double *vectors = NULL;
    int count = 0;
    second_difference(matrix);
    assert_ok(dense_eigen(matrix, N, values, choose_three, NULL, &count, &vectors));
    assert_int_equal(count, 3);
    for (int k = 0; k < N; k++)
        assert_true(fabs(values[k] - (2.0 - 2.0 * cos((N - k) * PI / (N + 1)))) < 1e-13);
    for (int k = 0; k < count; k++) {
        double expected[N];
        for (int i = 0; i < N; i++)
            expected[i] = sqrt(2.0 / (N + 1)) * sin((i + 1) * (N - k) * PI / (N + 1));
        assert_direction(vectors + k * N, expected);
    }
}

/* The matrix is sum_k s_k u_k v_k^T with s = 5, 3, 1, sines u_k and unit vectors v_k. */
TEST(singular_vectors_of_a_known_sum)
{
    double columns[4 * N], *vectors = NULL, u[3][N];
    int count = 0;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < N; i++)
            u[k][i] = sqrt(2.0 / (N + 1)) * sin((i + 1) * (k + 1) * PI / (N + 1));
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < N; i++)
            columns[j * N + i] = j < 3 ? (5.0 - 2.0 * j) * u[j][i] : 0.0;
    assert_ok(dense_singular(columns, 4, N, choose_three, NULL, &count, &vectors));
    assert_int_equal(count, 3);
    for (int k = 0; k < 3; k++)
        assert_direction(vectors + k * N, u[k]);
    memory_free(vectors);
}

TEST(dependent_rows_are_replaced)
{
    double rows[3 * N] = {0.0};
    rows[0] = rows[N] = 2.0; /* the second row equals the first */
    rows[2 * N + 1] = 1.0;
    rows[2 * N] = 1.0;
    assert_ok(dense_orthonormalize(rows, 3, N));
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            double sum = 0.0;
            for (int i = 0; i < N; i++)
                sum += rows[a * N + i] * rows[b * N + i];
            assert_true(fabs(sum - (a == b)) < 1e-14);
        }
    assert_true(fabs(fabs(rows[0]) - 1.0) < 1e-14);
}

TEST(systems_are_solved)
{
    double matrix[N * N], right[N * 2] = {0.0};
    bool singular = true;
    second_difference(matrix);
    /* For a right-hand side of ones, the solution is (i + 1)(n - i) / 2. For a right-hand side with ones at
     * both ends and zeros between them, the solution is the constant 1. */
    for (int i = 0; i < N; i++)
        right[2 * i] = 1.0;
    right[1] = right[2 * (N - 1) + 1] = 1.0;
    assert_ok(dense_solve(matrix, N, right, 2, &singular));
    assert_false(singular);
    for (int i = 0; i < N; i++) {
        assert_true(fabs(right[2 * i] - 0.5 * (i + 1) * (N - i)) < 1e-12);
        assert_true(fabs(right[2 * i + 1] - 1.0) < 1e-13);
    }
}

/* The pseudoinverse of v v^T with a unit vector v is v v^T. */
TEST(singular_systems_give_the_least_solution)
{
    const double v[3] = {2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0};
    double matrix[9], right[3] = {3.0, 0.0, 0.0};
    bool singular = false;
    for (int i = 0; i < 9; i++)
        matrix[i] = v[i / 3] * v[i % 3];
    assert_ok(dense_solve(matrix, 3, right, 1, &singular));
    assert_true(singular);
    for (int i = 0; i < 3; i++)
        assert_true(fabs(right[i] - 2.0 * v[i]) < 1e-14);
}
