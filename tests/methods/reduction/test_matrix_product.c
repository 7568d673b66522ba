/* Tests products of integer matrices, which are exact in any order of summation. Each factor is tested
 * transposed and not transposed. */
#include "methods/reduction/dense.h"

#include "tests/support.h"

enum { MOST = 420, ROWS = 19, COLUMNS = 37 };

static double left_at(int i, int k)
{
    return (7 * i + 3 * k) % 11 - 5;
}

static double right_at(int k, int j)
{
    return (5 * k + 2 * j) % 13 - 6;
}

static void check_product(int rows, int columns, int inner, bool turn_left, bool turn_right)
{
    static double left[ROWS * MOST], right[MOST * COLUMNS], result[ROWS * COLUMNS];
    const double FACTOR = -2.0, KEEP = 3.0;
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < inner; k++)
            left[turn_left ? k * rows + i : i * inner + k] = left_at(i, k);
    for (int k = 0; k < inner; k++)
        for (int j = 0; j < columns; j++)
            right[turn_right ? j * inner + k : k * columns + j] = right_at(k, j);
    for (int i = 0; i < ROWS * COLUMNS; i++)
        result[i] = i;
    matrix_multiply(
        rows, columns, inner, FACTOR, turn_left ? matrix_transposed(left, rows) : matrix_by_rows(left, inner),
        turn_right ? matrix_transposed(right, inner) : matrix_by_rows(right, columns), KEEP, result, COLUMNS);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            double sum = 0.0, before = i * COLUMNS + j;
            for (int k = 0; k < inner; k++)
                sum += left_at(i, k) * right_at(k, j);
            bool inside = i < rows && j < columns;
            assert_true(result[i * COLUMNS + j] == (inside ? KEEP * before + FACTOR * sum : before));
        }
}

TEST(products_are_exact)
{
    static const int rows[] = {1, 7, 8, 9, ROWS}, columns[] = {1, 8, 15, 16, 17, COLUMNS};
    static const int inner[] = {0, 1, 191, 192, 193, MOST};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t j = 0; j < sizeof columns / sizeof *columns; j++)
            for (size_t k = 0; k < sizeof inner / sizeof *inner; k++)
                for (int turn = 0; turn < 4; turn++)
                    check_product(rows[i], columns[j], inner[k], turn & 1, turn & 2);
}

/* If the product replaces the previous result, the old contents do not matter, even if they are NaN. */
TEST(nothing_is_kept)
{
    const double left[2] = {2.0, 3.0}, right[2] = {5.0, 7.0};
    double result[1] = {(double)NAN};
    matrix_multiply(1, 1, 2, 1.0, matrix_by_rows(left, 2), matrix_by_rows(right, 1), 0.0, result, 1);
    assert_true(result[0] == 31.0);
}
