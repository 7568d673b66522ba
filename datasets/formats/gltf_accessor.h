/* The arrays that accessors of a glTF file describe (glTF 2.0 section 3.6.2): strides, normalised integers,
 * sparse replacements, and accessors without bytes, which are all zero. */
#pragma once

#include "datasets/formats/gltf_file.h"

typedef struct GltfAccessor {
    GltfPlace place; /* "accessors[7]" */
    int component;   /* kind of number: a row of a table of the .c */
    int width;       /* 1, 2, 3, 4 or 16 numbers per element */
    bool normalized;
    int64_t count;
    const unsigned char *bytes; /* the first element; NULL: all are 0 */
    size_t stride;
    int64_t sparse_count;
    int sparse_component;
    const unsigned char *sparse_indices, *sparse_values;
} GltfAccessor;

/* Opens accessor `index` that `used_by` refers to: `width` numbers per element, `count` elements (-1: any
 * number, though no more than the file has bytes where the accessor has none). */
Status gltf_accessor_open(const GltfFile *file, int64_t index, const char *used_by, int width, int64_t count,
                          GltfAccessor *out);

/* All numbers, to values [count][width]; integers that are normalised become -1 to 1 or 0 to 1, others
 * themselves. STATUS_BAD_INPUT names the first that is not finite. */
Status gltf_accessor_floats(const GltfFile *file, const GltfAccessor *accessor, float *values);

/* Unsigned integers (indices, joints), to values [count][width]; those beyond INT32_MAX become -1. */
Status gltf_accessor_integers(const GltfFile *file, const GltfAccessor *accessor, int32_t *values);
