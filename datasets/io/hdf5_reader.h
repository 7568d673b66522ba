/* Reads HDF5 files that may be damaged or hostile. The functions of hdf5_read.h run in a confined process
 * (confined.h). A file that makes HDF5 crash or hang gives STATUS_BAD_INPUT. STATUS_SYSTEM means that one
 * of the two processes ran out of memory, and STATUS_STOPPED that `progress` asked to stop. Objects are
 * named by their path from the root of the file, without a leading slash. */
#pragma once

#include "datasets/io/hdf5_access.h"

typedef struct Hdf5Reader Hdf5Reader;

/* Opens a file. The message of a failure says whether the file is missing, not a plain file, not HDF5, or
 * damaged. The caller owns `path` and `progress` (may be NULL), which must outlive the reader. Release with
 * hdf5_reader_close. */
Status hdf5_reader_open(const char *path, const Progress *progress, Hdf5Reader **out);
void hdf5_reader_close(Hdf5Reader *reader); /* NULL is allowed */
DEFINE_OWNED_BY(Hdf5Reader, hdf5_reader_close)

/* Finds out whether an object exists. A link out of the file gives STATUS_BAD_INPUT. */
Status hdf5_reader_find(Hdf5Reader *reader, const char *object, bool *found);

typedef struct Hdf5Names {
    char **names;
    int count;
} Hdf5Names;

/* Copies the names of the objects in a group (empty: the root), in alphabetical order and at most
 * HDF5_NAMES_MAX. Names that are too long for the other functions are left out of the root, and give
 * STATUS_BAD_INPUT in other groups. Release with hdf5_names_clear, even on failure. */
enum { HDF5_NAMES_MAX = 4096 };
Status hdf5_reader_names(Hdf5Reader *reader, const char *group, Hdf5Names *out);
void hdf5_names_clear(Hdf5Names *names);

/* Read attributes of the root. A missing text gives NULL, a missing number leaves the value unchanged. If
 * `found` is NULL, a missing attribute is an error that names it. Release a text with memory_free. */
Status hdf5_reader_text(Hdf5Reader *reader, const char *name, bool *found, char **text);
Status hdf5_reader_number(Hdf5Reader *reader, const char *name, bool *found, double *number);

/* Finds the shape of an array and checks its class, its rank and its extents before any memory is
 * allocated. Each extent must equal the one in `wanted` or, if that is -1, be at most `limit`. The file
 * must also be large enough for the announced size. *shape is set on success. */
Status hdf5_reader_shape(Hdf5Reader *reader, const char *object, ArrayElement element, Hdf5Shape wanted,
                         int64_t limit, Hdf5Shape *shape);

/* Reads a block of `extents` values, beginning at `first`, from an array whose shape is known. Converts the
 * values to the element's type in memory. If `first` has rank 0, the block begins at the start of the
 * array. */
Status hdf5_reader_block(Hdf5Reader *reader, const char *object, ArrayElement element, Hdf5Shape first,
                         Hdf5Shape extents, void *values);
/* Copies the `count` strings of an array. Their length in the file may be fixed or variable. Release each
 * copy with memory_free. */
Status hdf5_reader_texts(Hdf5Reader *reader, const char *object, int count, char **texts);
