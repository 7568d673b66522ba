#include "methods/reduction/matrix_product.h"

#include <cblas.h>
#include <stdbool.h>

/* A factor of this many rows and columns, as BLAS has it. */
typedef struct Factor {
    CBLAS_TRANSPOSE transposition;
    int width;
} Factor;

static Factor factor_of(MatrixView view, int rows, int columns)
{
    const bool by_rows = view.column_step == 1;
    const int width = (int)(by_rows ? view.row_step : view.column_step), min = by_rows ? columns : rows;
    return (Factor){by_rows ? CblasNoTrans : CblasTrans, width > min ? width : min > 1 ? min : 1};
}

void matrix_multiply(int rows, int columns, int inner, double factor, MatrixView left, MatrixView right,
                     double keep, double *result, ptrdiff_t width)
{
    const Factor one = factor_of(left, rows, inner), other = factor_of(right, inner, columns);
    cblas_dgemm(CblasRowMajor, one.transposition, other.transposition, rows, columns, inner, factor,
                left.values, one.width, right.values, other.width, keep, result, (int)width);
}
