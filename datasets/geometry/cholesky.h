/* Cholesky factorisation L L^T = A of small dense matrices. Works in place in the lower triangle of a
 * matrix [n][stride], row by row. */
#pragma once

#include <stddef.h>

/* Replaces a row of A by the row of L, except for the diagonal element. Returns the square of the diagonal
 * element; the caller checks that it is positive and stores its root. Earlier rows must already be rows of
 * L. */
static inline double cholesky_row(double *matrix, ptrdiff_t stride, int row)
{
    double *entries = matrix + row * stride;
    for (int j = 0; j <= row; j++) {
        double sum = entries[j];
        for (int k = 0; k < j; k++)
            sum -= entries[k] * matrix[j * stride + k];
        entries[j] = j < row ? sum / matrix[j * stride + j] : sum;
    }
    return entries[row];
}

/* Solves L L^T y = x and stores y in x. */
static inline void cholesky_solve(const double *factor, ptrdiff_t stride, int n, double *x)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            x[i] -= factor[i * stride + k] * x[k];
        x[i] /= factor[i * stride + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            x[i] -= factor[k * stride + i] * x[k];
        x[i] /= factor[i * stride + i];
    }
}
