/* Files that hold the positions of all frames as one array, imported and exported frame by frame: point
 * caches (PC2, MDD), NumPy arrays, HDF5 layouts. Where the faces are not in the file, a base mesh brings
 * them. */
#pragma once

#include "datasets/formats/format_task.h"
#include "datasets/formats/number_bytes.h"

/* What an importer has found: F frames of N vertices, and where they are. */
typedef struct FrameArray {
    const char *place;  /* the file, for messages; the caller's */
    int frame_count;    /* F */
    int vertex_count;   /* N */
    double fps;         /* 0: not known */
    int32_t *triangles; /* [triangle_count][3] vertex numbers from 0, of any value; NULL: the file has none */
    int triangle_count;
    /* Frames first to first + count - 1 into positions [count][N][3]. */
    Status (*read)(void *context, int first, int count, float *positions);
    void *context;
} FrameArray;

/* Takes counts from a file. STATUS_BAD_INPUT unless there is a frame and a vertex, and no more than a data
 * set may have. */
Status frame_array_counts(FrameArray *array, int64_t frame_count, int64_t vertex_count);

/* Writes the data set. The rest pose and the faces are those of the mesh file that options->rest names (its
 * faces where it has some), else the first frame and the array's own faces. STATUS_BAD_INPUT where the base
 * mesh has another number of vertices, a face names none, or a value is not finite. */
Status frame_array_import(const FrameArray *array, const ImportOptions *options, const char *output);

/* Values in a file or in memory, one after the other: [F][N][3], or [3][N][F] where the frames come last
 * (NumPy's Fortran order). */
typedef struct StoredFrames {
    const char *place;           /* for messages */
    int file;                    /* to read from; -1: `memory` */
    const unsigned char *memory; /* [size_bytes] */
    int64_t size_bytes;
    int64_t offset; /* of the first value */
    NumberType type;
    bool big_endian, frames_last;
    int frame_count, vertex_count;
    unsigned char *buffer; /* of the last read; for memory_free */
    size_t buffer_bytes;
} StoredFrames;

void stored_frames_close(StoredFrames *stored);

/* Frees what the array owns, its triangles. */
void frame_array_clear(FrameArray *array);

/* `size` bytes from `offset` on. STATUS_BAD_INPUT where there are fewer. */
Status stored_bytes_read(const StoredFrames *stored, int64_t offset, size_t size, void *bytes);

/* STATUS_BAD_INPUT unless the file ends exactly where the last frame does. */
Status stored_frames_check(const StoredFrames *stored);

/* The `read` of a FrameArray whose context is a StoredFrames. */
Status stored_frames_read(void *context, int first, int count, float *positions);

/* Takes out of values [rows][frames] those of each frame: positions [frames][rows]. */
void frames_transpose(const float *values, size_t rows, int frames, float *positions);

/* Writes one file: what `begin` writes for the data set (without its animation's positions), then float
 * positions [F][N][3]. STATUS_BAD_INPUT where there is no animation. */
Status frame_array_export(const ExportOptions *options, void (*begin)(FILE *file, const Dataset *header),
                          bool big_endian);
