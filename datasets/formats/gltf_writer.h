/* Writes a glTF 2.0 file, either .glb or .gltf with an embedded buffer. Arrays come first, each as an
 * accessor with its own view, then the JSON that refers to them. The arrays are kept in a nameless file
 * beside the output. They may therefore exceed memory, and their bounds, which are part of the JSON, need
 * not be known in advance. */
#pragma once

#include "datasets/formats/gltf_file.h"
#include "datasets/io/atomic_path.h"

/* Kinds of arrays. They have the same layout in memory and in the file (little-endian). */
typedef enum GltfArray {
    GLTF_POSITIONS,     /* float [3] */
    GLTF_NORMALS,       /* float [3] */
    GLTF_COLORS,        /* uint16_t [4], 65535 is 1 */
    GLTF_JOINTS_8,      /* uint8_t [4] */
    GLTF_JOINTS_16,     /* uint16_t [4] */
    GLTF_WEIGHTS,       /* float [4] */
    GLTF_INDICES_16,    /* uint16_t */
    GLTF_INDICES_32,    /* uint32_t */
    GLTF_INVERSE_BINDS, /* float [16] */
    GLTF_TIMES,         /* float */
    GLTF_VECTORS,       /* float [3], in an animation */
    GLTF_ROTATIONS,     /* float [4] */
    GLTF_NUMBERS        /* float, in an animation */
} GltfArray;

typedef struct GltfWriter {
    const AtomicPath *path;
    FILE *data;
    int64_t size, array_start; /* bytes in data; start of the current array */
    GltfArray array;
    int64_t count;
    float low[3], high[3];
    json_t *accessors, *views;
    long failures; /* allocation failures before the work began */
} GltfWriter;

/* Release with gltf_writer_close (legal on {0}). The path must outlive the writer. */
Status gltf_writer_open(const AtomicPath *path, GltfWriter *out);
void gltf_writer_close(GltfWriter *writer);

/* Copies the accessors of another file and the bytes of its views, which keep their numbers. Must be called
 * before any array is written. Also changes the views in the file's own JSON. */
Status gltf_writer_copy(GltfWriter *writer, const GltfFile *file);

/* Begin an array, add `count` elements to it, and end it. gltf_array_end returns the number of its
 * accessor. gltf_writer_finish reports failures. */
void gltf_array_begin(GltfWriter *writer, GltfArray array);
void gltf_array_add(GltfWriter *writer, const void *elements, int count);
int gltf_array_end(GltfWriter *writer);

/* Begins, fills and ends an array that is in memory. */
int gltf_array_write(GltfWriter *writer, GltfArray array, const void *elements, int count);

/* Writes the file and takes ownership of `root`, the JSON without accessors, bufferViews and buffers.
 * STATUS_SYSTEM if memory ran out since the writer was opened, since a member of the JSON may then be
 * missing. STATUS_BAD_INPUT if the file exceeds the 4 GiB that a .glb can declare. */
Status gltf_writer_finish(GltfWriter *writer, json_t *root, bool binary);
