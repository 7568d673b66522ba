/* Tests the eigenvalues of small symmetric matrices. */
#include "datasets/geometry/jacobi.h"

#include "tests/sequences.h"

/* The Laplacian of the path of n points has the eigenvalues 2 - 2 cos(k pi / n), k = 0 to n - 1. */
TEST(eigenvalues_of_a_path)
{
    for (int n = 1; n <= 4; n++) {
        double matrix[16] = {0.0}, vectors[16];
        for (int i = 0; i + 1 < n; i++) {
            matrix[i * n + i] += 1.0;
            matrix[(i + 1) * n + i + 1] += 1.0;
            matrix[i * n + i + 1] = matrix[(i + 1) * n + i] = -1.0;
        }
        jacobi_eigen(matrix, n, vectors);
        for (int k = 0; k < n; k++) {
            double nearest = INFINITY, exact = 2.0 - 2.0 * cos(k * acos(-1.0) / n);
            for (int i = 0; i < n; i++)
                nearest = fmin(nearest, fabs(matrix[i * n + i] - exact));
            assert_true(nearest < 1e-14);
        }
    }
}

/* The eigenvectors are orthonormal and reproduce the matrix, even for equal eigenvalues. */
TEST(matrices_are_put_together_again)
{
    Random random = {2};
    for (int trial = 0; trial < 200; trial++) {
        int n = 3 + trial % 2;
        double matrix[16] = {0.0}, left[16], vectors[16];
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= i; j++)
                matrix[i * n + j] = matrix[j * n + i] =
                    trial < 4 ? (trial < 2 ? 0.0 : i == j) : random_signed(&random) * (i == 2 ? 1e-6 : 1.0);
        memcpy(left, matrix, sizeof left);
        jacobi_eigen(left, n, vectors);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double sum = -matrix[i * n + j], product = i == j ? -1.0 : 0.0;
                for (int k = 0; k < n; k++) {
                    sum += vectors[i * n + k] * left[k * n + k] * vectors[j * n + k];
                    product += vectors[k * n + i] * vectors[k * n + j];
                }
                assert_true(fabs(sum) < 1e-14 && fabs(product) < 1e-14);
            }
    }
}
