/* A glTF 2.0 file (.gltf with its buffers beside it or in data: URIs, or .glb), its JSON values and the
 * arrays that its accessors describe. All of it is foreign: every count and offset is compared with the bytes
 * that are there before anything is allocated for it or read. Messages name file, place and value (`fox.glb:
 * accessors[7].count is 12000000, ...`).
 *
 * Why not assimp, which reads FBX and Collada here: 5.2.5, Debian's, drops the tangents of cubic splines,
 * takes steps for lines and crashes over a skin without inverse bind matrices. */
#pragma once

#include "datasets/base/memory.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

typedef struct GltfBuffer {
    const unsigned char *bytes; /* [size] NULL until it is first needed */
    size_t size;                /* its byteLength; 0: a placeholder for views that are packed elsewhere */
    unsigned char *owned;       /* what to release */
    char *path;                 /* the file that holds it; NULL: the chunk of a .glb, or a data: URI */
    int first;                  /* the first buffer in that file, which reads it for all of them */
    size_t read_bytes;          /* what that buffer reads: the largest byteLength of them */
    dev_t device;               /* of the file */
    ino_t inode;
    int other; /* of a first buffer: the first buffer in another file; -1: none before it */
} GltfBuffer;

typedef struct GltfFile {
    const char *path; /* the caller's */
    FILE *stream;
    off_t chunk_start; /* of the binary chunk of a .glb */
    json_t *root;
    int buffer_count;
    GltfBuffer *buffers;
    int last_first;     /* the last buffer that is the first one in its file; -1: none */
    double total_bytes; /* of the file and of all files that its buffers name */
} GltfFile;

/* Reads the JSON of a file and looks for its buffers. A buffer's URI may name a file in the folder of the
 * .gltf or below it, nothing else. Release with gltf_file_close. */
Status gltf_file_open(const char *path, GltfFile *out);
void gltf_file_close(GltfFile *file);

/* Buffer `index`, which `used_by` refers to, with its bytes: they are read when they are first asked for,
 * and those of one file once. */
Status gltf_buffer_read(const GltfFile *file, int64_t index, const char *used_by, const GltfBuffer **out);

/* Appends a buffer of `size` zeroed bytes for views that are unpacked. */
Status gltf_buffer_append(GltfFile *file, size_t size, GltfBuffer **out);

/* Where a value stands, for messages: gltf_place("nodes[%d]", 7).text. */
typedef struct GltfPlace {
    char text[96];
} GltfPlace;
GltfPlace gltf_place(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A failure at a place of the file. */
#define gltf_failure(file, place, ...) gltf_failure_at(file, place, status_text(__VA_ARGS__))
Status gltf_failure_at(const GltfFile *file, const char *place, Status text);

/* Array `key` of an object: NULL with *count 0 when it is not there. STATUS_BAD_INPUT when it is no array. */
Status gltf_array(const GltfFile *file, const json_t *object, const char *place, const char *key,
                  json_t **out, int *count);

/* Element `index` of a root array as an object. */
Status gltf_element(const GltfFile *file, const char *array, int64_t index, const char *used_by,
                    json_t **out);

/* A whole number from 0 to `max`; `missing` when it is not there, GLTF_NEEDED: then it is an error. */
enum { GLTF_NEEDED = -2 };
Status gltf_integer(const GltfFile *file, const json_t *object, const char *place, const char *key,
                    int64_t missing, int64_t max, int64_t *out);

/* Array `key` of `count` numbers; without it `values` stays as it is and *there is false. */
Status gltf_numbers(const GltfFile *file, const json_t *object, const char *place, const char *key, int count,
                    double *values, bool *there);

/* The text of `key`, NULL: there is none. */
const char *gltf_text(const json_t *object, const char *key);
