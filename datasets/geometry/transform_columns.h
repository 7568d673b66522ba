/* Transposed transformations, in which the values of one matrix element for many joints are contiguous.
 * They are meant for loops whose vector lanes are joints. */
#pragma once

#include "datasets/geometry/transform.h"

#include <stddef.h>

enum { COLUMN_LANES = 64, TRANSFORM_ELEMENTS = 12 };

/* The elements of a Transform, each for COLUMN_LANES joints. */
typedef union TransformColumns {
    _Alignas(64) double elements[TRANSFORM_ELEMENTS][COLUMN_LANES];
    struct {
        double m00[COLUMN_LANES], m01[COLUMN_LANES], m02[COLUMN_LANES], m03[COLUMN_LANES];
        double m10[COLUMN_LANES], m11[COLUMN_LANES], m12[COLUMN_LANES], m13[COLUMN_LANES];
        double m20[COLUMN_LANES], m21[COLUMN_LANES], m22[COLUMN_LANES], m23[COLUMN_LANES];
    };
} TransformColumns;

/* A row of four elements. TransformRowInMemory is the same type, but need not be aligned. */
typedef double TransformRow __attribute__((vector_size(4 * sizeof(double))));
typedef double TransformRowInMemory
    __attribute__((vector_size(4 * sizeof(double)), aligned(sizeof(double)), may_alias));

/* Transposes four rows, `step` doubles apart, into four columns, `stride` doubles apart. Call this function
 * and transform_columns_of only from functions declared WIDEST_VECTORS. */
static inline __attribute__((always_inline, unused)) void
transform_row_transpose(const double *rows, ptrdiff_t step, double *columns, ptrdiff_t stride)
{
    const TransformRow a = *(const TransformRowInMemory *)rows,
                       b = *(const TransformRowInMemory *)(rows + step),
                       c = *(const TransformRowInMemory *)(rows + 2 * step),
                       d = *(const TransformRowInMemory *)(rows + 3 * step);
    const TransformRow even_ab = __builtin_shufflevector(a, b, 0, 4, 2, 6),
                       odd_ab = __builtin_shufflevector(a, b, 1, 5, 3, 7),
                       even_cd = __builtin_shufflevector(c, d, 0, 4, 2, 6),
                       odd_cd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    *(TransformRowInMemory *)columns = __builtin_shufflevector(even_ab, even_cd, 0, 1, 4, 5);
    *(TransformRowInMemory *)(columns + stride) = __builtin_shufflevector(odd_ab, odd_cd, 0, 1, 4, 5);
    *(TransformRowInMemory *)(columns + 2 * stride) = __builtin_shufflevector(even_ab, even_cd, 2, 3, 6, 7);
    *(TransformRowInMemory *)(columns + 3 * stride) = __builtin_shufflevector(odd_ab, odd_cd, 2, 3, 6, 7);
}

/* Transposes `count` transformations, at most COLUMN_LANES. Lanes beyond `count` do not change. */
static inline __attribute__((always_inline, unused)) void
transform_columns_of(const Transform *transforms, int count, TransformColumns *out)
{
    int i = 0;
    for (; i + 4 <= count; i += 4)
        for (int row = 0; row < 3; row++)
            transform_row_transpose(&transforms[i].m00 + 4 * row, TRANSFORM_ELEMENTS,
                                    out->elements[4 * row] + i, COLUMN_LANES);
    for (; i < count; i++)
        for (int element = 0; element < TRANSFORM_ELEMENTS; element++)
            out->elements[element][i] = (&transforms[i].m00)[element];
}
