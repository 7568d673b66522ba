/* A glTF 2.0 file: a .glb, or a .gltf with its buffers in data: URIs or in files beside it. Gives access to
 * its JSON values and to the arrays that its accessors describe. The file is untrusted: every count and
 * offset is checked against the bytes present before anything is allocated or read. Messages name the file,
 * the place and the value (`fox.glb: accessors[7].count is 12000000, ...`).
 *
 * assimp, which reads Collada here, is not used for glTF: Debian's version 5.2.5 drops the tangents of
 * cubic splines, reads steps as linear segments, and crashes on a skin without inverse bind matrices. */
#pragma once

#include "datasets/io/input_file.h"

#include <jansson.h>

typedef struct GltfBuffer {
    const unsigned char *bytes; /* [size]; NULL until first needed */
    size_t size; /* byteLength; 0: a placeholder whose views are stored compressed in another buffer */
    unsigned char *owned; /* bytes to release, or NULL */
    char *path;           /* file that contains the buffer; NULL: .glb chunk or data: URI */
    int first;            /* first buffer in the same file, through which the file is read */
    size_t read_bytes; /* for the first buffer of a file: number of bytes to read, the largest byteLength of
                          the file's buffers */
    FileIdentity identity; /* identity of the file at `path` */
    int other; /* for the first buffer of a file: first buffer of the next file in the list, or -1 */
} GltfBuffer;

typedef struct GltfFile {
    const char *path; /* owned by the caller */
    FILE *stream;
    off_t chunk_start; /* offset of the binary chunk of a .glb */
    json_t *root;
    int buffer_count;
    GltfBuffer *buffers;
    int last_first;     /* head of the list of the files' first buffers; -1: empty */
    double total_bytes; /* total size of the glTF file and of all files that its buffers use */
} GltfFile;

/* Reads the JSON of a file and finds its buffers. A buffer's URI may only name a file in the folder of the
 * .gltf or below it. Release with gltf_file_close. */
Status gltf_file_open(const char *path, GltfFile *out);
void gltf_file_close(GltfFile *file);

/* Returns buffer number `index`, to which `used_by` refers, with its bytes. The bytes are read on first
 * use, once for all buffers in the same file. */
Status gltf_buffer_read(const GltfFile *file, int64_t index, const char *used_by, const GltfBuffer **out);

/* The bytes [length] that an object names by its members buffer, byteOffset and byteLength; NULL if there are
 * none. */
typedef struct GltfRange {
    const unsigned char *bytes;
    int64_t length;
} GltfRange;
Status gltf_range_read(const GltfFile *file, const json_t *object, const char *place, GltfRange *out);

/* Largest accepted offset, so small that sums of offsets do not overflow. */
#define GLTF_BYTES_MAX ((int64_t)1 << 50)

/* Appends a buffer of `size` zero bytes, into which views will be unpacked. */
Status gltf_buffer_append(GltfFile *file, size_t size, GltfBuffer **out);

/* Formats a place in the file for messages: gltf_place("nodes[%d]", 7).text. */
typedef struct GltfPlace {
    char text[96];
} GltfPlace;
GltfPlace gltf_place(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Returns STATUS_BAD_INPUT with a message that names the file and the place. */
#define gltf_failure(file, place, ...) gltf_failure_at(file, place, status_text(__VA_ARGS__))
Status gltf_failure_at(const GltfFile *file, const char *place, Status text);

/* Returns the array `key` of an object. If the object has none, returns NULL and sets *count to 0.
 * STATUS_BAD_INPUT if the value is not an array. */
Status gltf_array(const GltfFile *file, const json_t *object, const char *place, const char *key,
                  json_t **out, int *count);

/* Returns element `index` of a top-level array as an object. */
Status gltf_element(const GltfFile *file, const char *array, int64_t index, const char *used_by,
                    json_t **out);

/* Reads an integer from 0 to `max`. A missing key gives the value `missing`; if that is GLTF_NEEDED, it is
 * an error. */
enum { GLTF_NEEDED = -2 };
Status gltf_integer(const GltfFile *file, const json_t *object, const char *place, const char *key,
                    int64_t missing, int64_t max, int64_t *out);

/* Reads the array `key`, which must have `count` numbers. If the key is missing, sets *there to false and
 * leaves `values` unchanged. */
Status gltf_numbers(const GltfFile *file, const json_t *object, const char *place, const char *key, int count,
                    double *values, bool *there);

/* Returns the text of `key`, or NULL if the key is missing. */
const char *gltf_text(const json_t *object, const char *key);
