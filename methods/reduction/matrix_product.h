/* Products of matrices in double, by BLAS. */
#pragma once

#include <stddef.h>

/* Entry (i, k) of a matrix is values[i * row_step + k * column_step]; one of the steps is 1. A view: owns
 * nothing. */
typedef struct MatrixView {
    const double *values;
    ptrdiff_t row_step, column_step;
} MatrixView;

/* A matrix whose rows lie together, `width` numbers from one to the next; the transpose of such a one. */
static inline MatrixView matrix_by_rows(const double *values, ptrdiff_t width)
{
    return (MatrixView){values, width, 1};
}

static inline MatrixView matrix_transposed(const double *values, ptrdiff_t width)
{
    return (MatrixView){values, 1, width};
}

/* result = keep * result + factor * left right: left [rows][inner], right [inner][columns], result
 * [rows][columns] with `width` numbers from one row to the next. keep 0 reads nothing of result. */
void matrix_multiply(int rows, int columns, int inner, double factor, MatrixView left, MatrixView right,
                     double keep, double *result, ptrdiff_t width);
