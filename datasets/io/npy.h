/* Writes NumPy's .npy files, format 1.0: a header line with the element type and the shape, then the values
 * row by row. */
#pragma once

#include "datasets/base/base.h"

typedef enum NpyElement { NPY_FLOAT32, NPY_FLOAT64, NPY_INT32 } NpyElement;

enum { NPY_RANK_MAX = 4 };

/* Writes the header of an array of `extents` [rank], with rank 1 to NPY_RANK_MAX. The header states the
 * machine's byte order. The caller then writes the values with fwrite, row by row. Errors remain in the
 * stream (datasets/io/stream.h). */
void npy_write_header(FILE *file, NpyElement element, const int64_t *extents, int rank);
