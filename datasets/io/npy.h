/* NumPy's .npy files, format 1.0: a header line that gives element type and shape, then the values row by
 * row. */
#pragma once

#include "datasets/base/base.h"

typedef enum NpyElement { NPY_FLOAT32, NPY_FLOAT64, NPY_INT32 } NpyElement;

enum { NPY_RANK_MAX = 4 };

/* Writes what stands before an array of `extents` [rank], rank 1 to NPY_RANK_MAX; its values follow by
 * fwrite, row by row, as they stand in memory (the header names the machine's byte order). The stream keeps
 * what fails (datasets/io/stream.h). */
void npy_write_header(FILE *file, NpyElement element, const int64_t *extents, int rank);
