/* Reads and writes the HDF5 files of data sets, schema version 1 (datasets/README.md describes the layout).
 * Before allocating, readers check ranks, types, and the consistency of counts with each other and with the
 * file size. Errors are STATUS_BAD_INPUT with file, object and value (`wolf.h5: rig/weights/joints[17,2] is
 * 40, expected 0 to 20`). Writers use a temporary name in the same folder, flush, then rename, so that an
 * incomplete file never has the final name.
 *
 * Files are read in a confined process (datasets/io/hdf5_reader.h), which ends with the reader. Links out
 * of a file are refused. If `progress` (may be NULL) asks to stop reading, the functions return
 * STATUS_STOPPED. */
#pragma once

#include "datasets/model/dataset.h"

enum {
    STORE_SCHEMA_VERSION = 1,
    /* Limits on the counts in a file. They ensure that three times the number of vertices or frames fits
     * into an int. */
    STORE_VERTICES_MAX = (1 << 29) - 1, /* limit for vertices and for triangles */
    STORE_FRAMES_MAX = (1 << 29) - 1,
    STORE_JOINTS_MAX = 1 << 20,
    STORE_INFLUENCES_MAX = 1 << 12
};

/* Reads a whole data set and checks its structure: ranks, counts, index ranges, finite values, and for
 * every vertex a positive sum of weights. dataset_check finds subtler faults. Release with dataset_free. */
Status dataset_read(const char *path, const Progress *progress, Dataset **out);

/* Reads a whole data set without checking values, for dataset_check, which lists every fault. Ranks and
 * counts are consistent, but indices may be out of range, and numbers may not be finite. */
Status dataset_read_unchecked(const char *path, const Progress *progress, Dataset **out);

/* Writes a whole data set and replaces the file at `path` in one step. */
Status dataset_write(const Dataset *dataset, const char *path);

/* A file that is read in parts. Everything except animation/positions and animation/normals is in
 * memory. */
typedef struct DatasetReader DatasetReader;

/* Opens a file for reading in parts. *header is the data set without the positions and normals of its
 * animation, but with their counts. The reader owns *header. Release the reader with dataset_reader_close
 * (NULL is allowed). */
Status dataset_reader_open(const char *path, const Progress *progress, DatasetReader **out,
                           const Dataset **header);
void dataset_reader_close(DatasetReader *reader);
DEFINE_OWNED_BY(DatasetReader, dataset_reader_close)

/* Restores the original order of the vertices (datasets/model/vertex_order.h) in the header and in all
 * frames read afterwards. Measuring and exporting use this. */
Status dataset_reader_restore_order(DatasetReader *reader);

/* Reads frames first to first + count - 1 into positions [count][N][3]. */
Status dataset_read_frames(DatasetReader *reader, int first, int count, float *positions);

/* Reads the positions [frames][vertices][3] of a block. STATUS_USAGE if the original order was restored. */
Status dataset_read_block(DatasetReader *reader, PositionBlock block, float *positions);

/* Returns a PositionSource for an animation that is not in memory. It supplies the positions of the
 * vertices from first_vertex on. Valid until the reader is closed. */
PositionSource dataset_reader_positions(DatasetReader *reader, int first_vertex);

/* Reads all frames of vertices first to first + count - 1 into positions [F][count][3]. STATUS_USAGE if the
 * original order was restored. */
Status dataset_read_vertices(DatasetReader *reader, int first, int count, float *positions);

/* Opens a file for writing in parts. `header` supplies everything except the positions, whose pointer may
 * be NULL. header->animation.frame_count is the number of frames to come. If with_normals is set,
 * animation/normals are written as well. Values that a reader would refuse, such as NaN or an index out of
 * range, are refused here, too. */
typedef struct DatasetWriter DatasetWriter;
Status dataset_writer_open(const char *path, const Dataset *header, int with_normals, DatasetWriter **out);

/* Appends `count` frames with positions [count][N][3], and normals of the same shape or NULL. The frames
 * are written while the caller prepares the next ones, so a failure may concern earlier frames. */
Status dataset_write_frames(DatasetWriter *writer, int count, const float *positions, const float *normals);

/* Flushes and renames the file. STATUS_USAGE if frames are missing. Always releases the writer. */
Status dataset_writer_commit(DatasetWriter *writer);

/* Discards the file: removes its temporary version. NULL is allowed. */
void dataset_writer_abandon(DatasetWriter *writer);
DEFINE_OWNED_BY(DatasetWriter, dataset_writer_abandon)
