/* Reads HDF5 files that may be damaged or hostile. HDF5 1.10 itself crashes and hangs on some of them, so
 * these functions run in a confined process (hdf5_reader.h), which opens one file and ends without closing
 * it. Nothing outside the file is read: external links, soft links that lead to one, external storage and
 * virtual data sets are STATUS_BAD_INPUT with the link's target. STATUS_SYSTEM: HDF5 ran out of memory. */
#pragma once

#include "datasets/io/hdf5_access.h"

enum { HDF5_OBJECT_BYTES = 64 /* of the names that schema 1 gives to objects */ };

typedef struct Hdf5Input {
    Hdf5File file;
    double size_bytes;
    hid_t array; /* the one that was used last, called: */
    char array_name[HDF5_OBJECT_BYTES];
} Hdf5Input;

/* Opens `place` (how the system knows the file); messages call it `path`, which the caller keeps. Says
 * whether it is no HDF5 file, or a damaged one. */
Status hdf5_open(const char *place, const char *path, double size_bytes, Hdf5Input *out);

/* Whether there is an object. */
Status hdf5_find(const Hdf5Input *input, const char *object, bool *found);

/* The names of the root's objects in alphabetical order, one after the other with their NULs, as many as
 * `size` bytes hold: *delivered. Names of HDF5_OBJECT_BYTES or more are left out. */
Status hdf5_names(const Hdf5Input *input, char *packed, size_t size, int *delivered);

/* Root attributes. `text` has space for HDF5_TEXT_BYTES_MAX bytes, its NUL included. */
Status hdf5_attribute_text(const Hdf5Input *input, const char *name, bool *found, char *text);
Status hdf5_attribute_number(const Hdf5Input *input, const char *name, bool *found, double *number);

/* Finds the shape of an array and checks it: class, rank, extents that are wanted (-1 in `wanted`: free, up
 * to `limit`), and that the file is large enough to hold what it announces. */
Status hdf5_shape(Hdf5Input *input, const char *object, ArrayElement element, const Hdf5Shape *wanted,
                  int64_t limit, Hdf5Shape *shape);

/* Whether the values of an array lie one after the other in the file, as the element has them in memory, from
 * which byte on, and the array's shape. */
Status hdf5_place(Hdf5Input *input, const char *object, ArrayElement element, bool *plain, double *byte,
                  Hdf5Shape *shape);

/* Part of an array: `extents` values from `first` on, converted to the element's type in memory. */
Status hdf5_read_block(Hdf5Input *input, const char *object, ArrayElement element, const Hdf5Shape *first,
                       const Hdf5Shape *extents, void *values);

/* Strings `first` to `first + count - 1`, fixed or variable in length, one after the other with their NULs,
 * as many as `size` bytes hold and at least one: *delivered. */
Status hdf5_read_texts(Hdf5Input *input, const char *object, int first, int count, char *packed, size_t size,
                       int *delivered);
