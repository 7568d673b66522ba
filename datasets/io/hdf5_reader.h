/* Reads HDF5 files that may be damaged or hostile, through a confined process (confined.h) that runs the
 * functions of hdf5_read.h: what crashes or hangs HDF5 is STATUS_BAD_INPUT here. Objects are named by their
 * path from the root of the file, without a leading slash. STATUS_SYSTEM: out of memory, there as here.
 * STATUS_STOPPED: the progress asked to stop. */
#pragma once

#include "datasets/io/hdf5_access.h"

typedef struct Hdf5Reader Hdf5Reader;

/* Says whether the file is missing, no plain file, no HDF5 file, or a damaged one. The caller keeps `path`
 * and `progress` (may be NULL), which is asked whether to stop. Release with hdf5_reader_close. */
Status hdf5_reader_open(const char *path, const Progress *progress, Hdf5Reader **out);
void hdf5_reader_close(Hdf5Reader *reader); /* NULL is allowed */
DEFINE_OWNED_BY(Hdf5Reader, hdf5_reader_close)

/* Whether there is an object. A link that leaves the file is STATUS_BAD_INPUT. */
Status hdf5_reader_find(Hdf5Reader *reader, const char *object, bool *found);

typedef struct Hdf5Names {
    char **names;
    int count;
} Hdf5Names;

/* Copies the names of the objects in the root, in alphabetical order. At most HDF5_NAMES_MAX are listed;
 * names too long for the functions below are left out. Release with hdf5_names_clear, on failure too. */
enum { HDF5_NAMES_MAX = 4096 };
Status hdf5_reader_names(Hdf5Reader *reader, Hdf5Names *out);
void hdf5_names_clear(Hdf5Names *names);

/* Root attributes. A text that is not there is left NULL, a number untouched; *found may be NULL, then it is
 * an error that names the attribute. Release a text with memory_free. */
Status hdf5_reader_text(Hdf5Reader *reader, const char *name, bool *found, char **text);
Status hdf5_reader_number(Hdf5Reader *reader, const char *name, bool *found, double *number);

/* Finds the shape of an array and checks it before any memory is allocated for it: class, rank, extents that
 * are wanted (-1 in `wanted`: free, up to `limit`), and that the file is large enough to hold what it
 * announces. On success *shape is filled. */
Status hdf5_reader_shape(Hdf5Reader *reader, const char *object, ArrayElement element, Hdf5Shape wanted,
                         int64_t limit, Hdf5Shape *shape);

/* Part of an array of a shape that was found: `extents` values from `first` on; a `first` of rank 0 is the
 * start. Converts to the element's type in memory. */
Status hdf5_reader_block(Hdf5Reader *reader, const char *object, ArrayElement element, Hdf5Shape first,
                         Hdf5Shape extents, void *values);
/* The `count` strings of an array, fixed or variable in length, as copies to be released with memory_free. */
Status hdf5_reader_texts(Hdf5Reader *reader, const char *object, int count, char **texts);
