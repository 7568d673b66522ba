/* Writes a glTF 2.0 file, .glb or .gltf with its buffer in it: arrays one after the other, each an accessor
 * with a view of its own, then the JSON that names them. Arrays wait in a file without a name beside the
 * output, so that they may be larger than memory, and their bounds, which the JSON has, need not be known
 * before. */
#pragma once

#include "datasets/formats/gltf_file.h"
#include "datasets/io/atomic_path.h"

/* What arrays hold; in memory as in the file (little-endian). */
typedef enum GltfArray {
    GLTF_POSITIONS,     /* float [3] */
    GLTF_NORMALS,       /* float [3] */
    GLTF_COLORS,        /* uint16_t [4], 65535: 1 */
    GLTF_JOINTS_8,      /* uint8_t [4] */
    GLTF_JOINTS_16,     /* uint16_t [4] */
    GLTF_WEIGHTS,       /* float [4] */
    GLTF_INDICES_16,    /* uint16_t */
    GLTF_INDICES_32,    /* uint32_t */
    GLTF_INVERSE_BINDS, /* float [16] */
    GLTF_TIMES,         /* float */
    GLTF_VECTORS,       /* float [3], of an animation */
    GLTF_ROTATIONS,     /* float [4] */
    GLTF_NUMBERS        /* float, of an animation */
} GltfArray;

typedef struct GltfWriter {
    const AtomicPath *path;
    FILE *data;
    int64_t size, array_start; /* bytes in data; where the array under way began */
    GltfArray array;
    int64_t count;
    float low[3], high[3];
    json_t *accessors, *views;
    long failures; /* of memory before the work began */
} GltfWriter;

/* Release with gltf_writer_close (legal on {0}). The path outlives the writer. */
Status gltf_writer_open(const AtomicPath *path, GltfWriter *out);
void gltf_writer_close(GltfWriter *writer);

/* Takes over the accessors of another file and the bytes of its views, under their numbers, before any array
 * is written. The file's own views change with it. */
Status gltf_writer_copy(GltfWriter *writer, const GltfFile *file);

/* Begins an array, adds `count` elements to it, ends it: its accessor's number. What fails is stated by
 * gltf_writer_finish. */
void gltf_array_begin(GltfWriter *writer, GltfArray array);
void gltf_array_add(GltfWriter *writer, const void *elements, int count);
int gltf_array_end(GltfWriter *writer);

/* All three of an array that is in memory. */
int gltf_array_write(GltfWriter *writer, GltfArray array, const void *elements, int count);

/* Writes the file: `root` is the JSON but for accessors, bufferViews and buffers; taken over. Where a member
 * of it, or of what it was made of, was not made because memory was out, STATUS_SYSTEM. STATUS_BAD_INPUT for
 * more than the 4 GiB that a .glb can say it has. */
Status gltf_writer_finish(GltfWriter *writer, json_t *root, bool binary);
