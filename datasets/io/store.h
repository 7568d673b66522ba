/* The HDF5 store of data sets, schema version 1 (datasets/README.md describes the layout). Every reader
 * checks what it finds before it allocates: ranks, types, counts that agree with each other and with the
 * file's size. Errors are STATUS_BAD_INPUT with file, object and value (`wolf.h5: rig/weights/joints[17,2] is
 * 40, expected 0 to 20`). Writers write to a temporary name in the same folder, flush, then rename; whatever
 * happens before leaves nothing under the final name.
 * Files are read in a confined process (datasets/io/hdf5_reader.h), which ends with the reader; links out of
 * a file are refused. While reading, `progress` (may be NULL) is asked whether to stop: STATUS_STOPPED. */
#pragma once

#include "datasets/model/dataset.h"

enum {
    STORE_SCHEMA_VERSION = 1,
    /* What a file may announce. Three times a count of vertices or frames still fits an int. */
    STORE_VERTICES_MAX = (1 << 29) - 1, /* and triangles */
    STORE_FRAMES_MAX = (1 << 29) - 1,
    STORE_JOINTS_MAX = 1 << 20,
    STORE_INFLUENCES_MAX = 1 << 12
};

/* Reads a whole data set. Structure is checked (ranks, counts, indices in range, finite values, weights of
 * every vertex with a positive sum); finer doubts are for dataset_check. Release with dataset_free. */
Status dataset_read(const char *path, const Progress *progress, Dataset **out);

/* The same without a look at the values: for dataset_check, which lists every fault. Ranks and counts agree;
 * indices may be out of range and numbers not finite. */
Status dataset_read_unchecked(const char *path, const Progress *progress, Dataset **out);

/* Writes a whole data set; the file at `path` is replaced in one step. */
Status dataset_write(const Dataset *dataset, const char *path);

/* A file read in parts: everything but animation/positions and animation/normals is in memory. */
typedef struct DatasetReader DatasetReader;

/* Opens a file. `*header` is the data set without its animation's positions and normals (its counts are set);
 * it belongs to the reader. Release with dataset_reader_close (NULL is allowed). */
Status dataset_reader_open(const char *path, const Progress *progress, DatasetReader **out,
                           const Dataset **header);
void dataset_reader_close(DatasetReader *reader);
DEFINE_OWNED_BY(DatasetReader, dataset_reader_close)

/* Brings the header into the original order of its vertices (datasets/model/vertex_order.h), and from here on
 * the frames that are read: for measuring and exporting. */
Status dataset_reader_restore_order(DatasetReader *reader);

/* Frames first to first + count - 1 into positions [count][N][3]. */
Status dataset_read_frames(DatasetReader *reader, int first, int count, float *positions);

/* Positions [frames][vertices][3] of a block; STATUS_USAGE in a restored order. */
Status dataset_read_block(DatasetReader *reader, PositionBlock block, float *positions);

/* The positions of vertices from first_vertex on, as those of an animation that has no others, for as long as
 * the reader lives. */
PositionSource dataset_reader_positions(DatasetReader *reader, int first_vertex);

/* All frames of vertices first to first + count - 1 into positions [F][count][3]; STATUS_USAGE in a restored
 * order. */
Status dataset_read_vertices(DatasetReader *reader, int first, int count, float *positions);

/* A file written in parts. `header` gives everything but the positions, and the number of frames to come
 * (header->animation.frame_count; its positions may be NULL). with_normals: animation/normals are written
 * too. What a reader would refuse (NaN, an index out of range) is refused here already. */
typedef struct DatasetWriter DatasetWriter;
Status dataset_writer_open(const char *path, const Dataset *header, int with_normals, DatasetWriter **out);

/* Appends count frames: positions [count][N][3], normals likewise or NULL. They are written while the caller
 * goes about the next ones, so a failure may be that of frames before. */
Status dataset_write_frames(DatasetWriter *writer, int count, const float *positions, const float *normals);

/* Flushes and renames into place; refuses when frames are missing. The writer is gone either way. */
Status dataset_writer_commit(DatasetWriter *writer);

/* Abandons the file: the temporary file is removed. NULL is allowed. */
void dataset_writer_abandon(DatasetWriter *writer);
DEFINE_OWNED_BY(DatasetWriter, dataset_writer_abandon)
