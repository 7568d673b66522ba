/* Tests the sparse solver of normal equations: a closed form, singular systems, and the choice between
 * sparse and dense solvers, which must not change a fit. */
#include "methods/reduction/sparse.h"

#include "tests/trials.h"

/* Returns the matrix of second differences, [n][n], with its upper triangle left zero. */
static double *second_difference(int n)
{
    double *matrix = memory_table((size_t)n, (size_t)n, sizeof(double));
    assert_non_null(matrix);
    for (int i = 0; i < n; i++) {
        matrix[i * n + i] = 2.0;
        if (i > 0)
            matrix[i * n + i - 1] = -1.0;
    }
    return matrix;
}

/* The inverse of the matrix of second differences has the entries (i + 1) (n - j) / (n + 1) for i <= j. */
TEST(second_difference_is_inverted)
{
    enum { N = 320, K = 5 };
    OWNED double *matrix = second_difference(N);
    double right[N * K] = {0.0};
    bool singular = true;
    for (int k = 0; k < K; k++)
        right[(60 * k + 7) * K + k] = 1.0;
    assert_ok(sparse_solve(matrix, N, right, K, &singular));
    assert_false(singular);
    for (int k = 0; k < K; k++)
        for (int i = 0; i < N; i++) {
            int low = i < 60 * k + 7 ? i : 60 * k + 7, high = i < 60 * k + 7 ? 60 * k + 7 : i;
            double exact = (low + 1.0) * (N - high) / (N + 1.0);
            /* the condition number of the matrix is about 4e4 */
            assert_true(fabs(right[i * K + k] - exact) < 1e-10 * N);
        }
}

TEST(singular_systems_are_reported)
{
    enum { N = 40 };
    double *matrix = second_difference(N), right[N];
    bool singular = false;
    matrix[0] = matrix[N * N - 1] = 1.0; /* without fixed ends, constant vectors are in the kernel */
    for (int i = 0; i < N; i++)
        right[i] = i;
    assert_ok(sparse_solve(matrix, N, right, 1, &singular));
    assert_true(singular);
    for (int i = 0; i < N; i++)
        assert_true(right[i] == i);
    memset(matrix, 0, sizeof(double) * N * N);
    assert_ok(sparse_solve(matrix, N, right, 1, &singular));
    assert_true(singular);
    memory_free(matrix);
}

TEST(few_non_zeros_pay)
{
    OWNED double *matrix = second_difference(400);
    assert_true(sparse_pays(matrix, 400));
    for (int i = 0; i < 400 * 400; i += 3)
        matrix[i] = 0.1;
    assert_false(sparse_pays(matrix, 400));
    memory_free(matrix);
    matrix = second_difference(20);
    assert_false(sparse_pays(matrix, 20));
}

TEST(fits_do_not_depend_on_the_solver)
{
    static const char *const solvers[] = {"solver=dense", "solver=cholmod", "solver=auto"};
    CLEANUP(sequence_clear) Sequence sequence = sequence_skinned(40, 30, 12, 6, 0.4, 17);
    double errors[3];
    for (int i = 0; i < 3; i++) {
        const Trial trial = TRIAL("coordinate-descent", 12, 4, 4, 1, solvers[i], "search=no");
        errors[i] = trial_check(&trial, &sequence, NULL, NULL);
        assert_near(errors[i], errors[0], 1e-6 * errors[0]);
    }
}
