/* Cholesky factors of small dense matrices, L L^T = A: the lower triangle of [n][stride], row by row in
 * place. */
#pragma once

#include <stddef.h>

/* The row of A becomes that of L, but for its diagonal, of which the square is returned: the caller judges it
 * and takes its root. Rows before are those of L. */
static inline double cholesky_row(double *matrix, ptrdiff_t stride, int row)
{
    double *own = matrix + row * stride;
    for (int j = 0; j <= row; j++) {
        double sum = own[j];
        for (int k = 0; k < j; k++)
            sum -= own[k] * matrix[j * stride + k];
        own[j] = j < row ? sum / matrix[j * stride + j] : sum;
    }
    return own[row];
}

/* x becomes the solution of L L^T x = x. */
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
