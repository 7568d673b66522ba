/* Reads the arrays described by the accessors of a glTF file (section 3.6.2 of the glTF 2.0 specification).
 * Handles strides, normalised integers, sparse replacements, and accessors without bytes, which are all
 * zero. */
#pragma once

#include "datasets/formats/gltf_file.h"

typedef struct GltfAccessor {
    GltfPlace place; /* "accessors[7]" */
    int component;   /* component type: index of a row of component_types */
    int width;       /* 1, 2, 3, 4 or 16 numbers per element */
    bool normalized;
    int64_t count;
    const unsigned char *bytes; /* first element; NULL: all elements are 0 */
    size_t stride;
    int64_t sparse_count;
    int sparse_component;
    const unsigned char *sparse_indices, *sparse_values;
} GltfAccessor;

/* Opens accessor number `index`, to which `used_by` refers. It must have `width` numbers per element and
 * `count` elements; -1 accepts any count. An accessor without bytes may not claim more elements than the
 * file has bytes. */
Status gltf_accessor_open(const GltfFile *file, int64_t index, const char *used_by, int width, int64_t count,
                          GltfAccessor *out);

/* Converts all numbers to values [count][width]. Normalised integers become numbers from -1 to 1 or from 0
 * to 1; other integers keep their value. The message of STATUS_BAD_INPUT names the first value that is not
 * finite. */
Status gltf_accessor_floats(const GltfFile *file, const GltfAccessor *accessor, float *values);

/* Reads unsigned integers, such as indices or joint numbers, into values [count][width]. Integers above
 * INT32_MAX become -1. */
Status gltf_accessor_integers(const GltfFile *file, const GltfAccessor *accessor, int32_t *values);
