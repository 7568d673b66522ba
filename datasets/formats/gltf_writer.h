/* Writes a glTF 2.0 file, either .glb or .gltf with an embedded buffer. The caller first writes the arrays,
 * each of which gets an accessor with its own view. Then it passes the JSON that refers to them. Until then
 * the arrays are in a nameless file beside the output. They may therefore be larger than memory, and their
 * bounds, which are part of the JSON, need not be known in advance. */
#pragma once

#include "datasets/formats/gltf_file.h"
#include "datasets/io/atomic_path.h"

/* Kinds of arrays. An array has the same layout in memory and in the file (little-endian). */
typedef enum GltfArray {
    GLTF_POSITIONS,     /* float [3] */
    GLTF_NORMALS,       /* float [3] */
    GLTF_COLORS,        /* uint16_t [4], in which 65535 stands for 1 */
    GLTF_JOINTS_8,      /* uint8_t [4] */
    GLTF_JOINTS_16,     /* uint16_t [4] */
    GLTF_WEIGHTS,       /* float [4] */
    GLTF_WEIGHTS_8,     /* uint8_t [4], in which 255 stands for 1 */
    GLTF_WEIGHTS_16,    /* uint16_t [4], in which 65535 stands for 1 */
    GLTF_INDICES_16,    /* uint16_t */
    GLTF_INDICES_32,    /* uint32_t */
    GLTF_INVERSE_BINDS, /* float [16] */
    GLTF_TIMES,         /* float */
    GLTF_VECTORS,       /* float [3], values of an animation */
    GLTF_ROTATIONS,     /* float [4] */
    GLTF_NUMBERS        /* float, values of an animation */
} GltfArray;

typedef struct GltfWriter {
    const AtomicPath *path;
    FILE *data;
    int64_t size, array_start; /* number of bytes in `data`; offset of the current array */
    GltfArray array;
    int64_t count;
    float low[3], high[3];
    json_t *accessors, *views;
    long failures; /* number of allocations that had failed before the writer was opened */
} GltfWriter;

/* Opens a writer. `path` must outlive it. Release with gltf_writer_close, which also accepts {0}. */
Status gltf_writer_open(const AtomicPath *path, GltfWriter *out);
void gltf_writer_close(GltfWriter *writer);

/* Copies the accessors and views of another file with their bytes; they keep their numbers. Must be called
 * before any array is written. The views in the JSON of `file` are changed, too. */
Status gltf_writer_copy(GltfWriter *writer, const GltfFile *file);

/* Begin an array, add `count` elements to it, and end it. gltf_array_end returns the number of its
 * accessor. Errors are reported by gltf_writer_finish. */
void gltf_array_begin(GltfWriter *writer, GltfArray array);
void gltf_array_add(GltfWriter *writer, const void *elements, int count);
int gltf_array_end(GltfWriter *writer);

/* Writes an array that is in memory. Returns the number of its accessor. */
int gltf_array_write(GltfWriter *writer, GltfArray array, const void *elements, int count);

/* Writes the file. Takes ownership of `root`, the JSON without accessors, bufferViews and buffers.
 * STATUS_SYSTEM if any allocation has failed since the writer was opened, because a member of the JSON may
 * then be missing. STATUS_BAD_INPUT if the file exceeds 4 GiB, the limit of a .glb. */
Status gltf_writer_finish(GltfWriter *writer, json_t *root, bool binary);
