/* Imports and exports files that contain the positions of all frames as one array: point caches (PC2, MDD),
 * NumPy arrays and HDF5 layouts. A base mesh supplies the faces if the file has none. */
#pragma once

#include "datasets/formats/format_task.h"
#include "datasets/formats/number_bytes.h"

/* The array that an importer has found: F frames of N vertices. */
typedef struct FrameArray FrameArray;
struct FrameArray {
    const char *place; /* file name for messages; owned by the caller */
    int frame_count;
    int vertex_count; /* N */
    double fps;       /* frames per second; 0: not known */
    int32_t
        *triangles; /* [triangle_count][3] vertex numbers from 0, not yet checked; NULL: the file has none */
    int triangle_count;
    const char *triangles_place; /* name of the file with the triangles, for messages; NULL: as `place` */
    /* Reads frames first to first + count - 1 into positions [count][N][3]. */
    Status (*read)(const FrameArray *array, int first, int count, float *positions);
    void *context;
};

/* Sets both counts. STATUS_BAD_INPUT unless they are at least 1 and within the limits of a data set. */
Status frame_array_counts(FrameArray *array, int64_t frame_count, int64_t vertex_count);

/* Imports the array as a data set. The rest pose and the faces come from the mesh file options->rest.
 * Without a mesh file, the first frame is the rest pose. The faces in the array's own file are used if no
 * mesh file provides faces. STATUS_BAD_INPUT if the mesh file has another vertex count, a face is invalid,
 * or a value is not finite. */
Status frame_array_import(const FrameArray *array, const ImportOptions *options, const char *output);

/* Values in a file or in memory, stored without gaps. The shape is [F][N][3], or [3][N][F] if the frames
 * come last (NumPy's Fortran order). */
typedef struct StoredFrames {
    const char *place;           /* for messages */
    int file;                    /* file descriptor, or -1 to read from `memory` */
    const unsigned char *memory; /* [size_bytes] */
    int64_t size_bytes;
    int64_t offset; /* offset of the first value */
    NumberType type;
    bool big_endian, frames_last;
    unsigned char *buffer; /* bytes of the last read; release with memory_free */
    size_t buffer_bytes;
} StoredFrames;

void stored_frames_close(StoredFrames *stored);

/* Frees the triangles, which the array owns. */
void frame_array_clear(FrameArray *array);

/* Reads `size` bytes from offset `offset`. STATUS_BAD_INPUT if the file or the memory ends before that. */
Status stored_bytes_read(const StoredFrames *stored, int64_t offset, size_t size, void *bytes);

/* Returns STATUS_BAD_INPUT if the file does not end exactly after the last frame of the array. */
Status stored_frames_check(const StoredFrames *stored, const FrameArray *array);

/* Implements the function `read` of a FrameArray. Its context is a StoredFrames. */
Status stored_frames_read(const FrameArray *array, int first, int count, float *positions);

/* Transposes values [rows][frames] into positions [frames][rows]. */
void frames_transpose(const float *values, size_t rows, int frames, float *positions);

/* Writes one file: first the header, by calling `begin`, then float positions [F][N][3]. `begin` gets the
 * data set without the animation's positions as `header`. STATUS_BAD_INPUT if there is no animation. */
Status frame_array_export(const ExportOptions *options, void (*begin)(FILE *file, const Dataset *header),
                          bool big_endian);
