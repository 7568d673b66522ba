/* Reads HDF5 files that may be damaged or hostile. HDF5 1.10 crashes or hangs on some such files, so these
 * functions run in a confined process (hdf5_reader.h), which opens one file and ends without closing it.
 *
 * Nothing outside the file is read: external links, soft links to external links, external storage and
 * virtual data sets give STATUS_BAD_INPUT with the target of the link. STATUS_SYSTEM means that HDF5 ran
 * out of memory. */
#pragma once

#include "datasets/io/hdf5_access.h"

enum { HDF5_OBJECT_BYTES = 64 /* large enough for the path of any object of schema 1 */ };

typedef struct Hdf5Input {
    Hdf5File file;
    double size_bytes;
    hid_t array; /* the array used last, which stays open, and its name */
    char array_name[HDF5_OBJECT_BYTES];
} Hdf5Input;

/* Opens the file at `place`, the path that the system uses. Messages name it `path`, which the caller owns.
 * If this fails, the message tells a damaged file from a file in another format. */
Status hdf5_open(const char *place, const char *path, double size_bytes, Hdf5Input *out);

/* Finds out whether an object exists. */
Status hdf5_find(const Hdf5Input *input, const char *object, bool *found);

/* Packs the names of the objects in a group (empty: the root) into `size` bytes, in alphabetical order and
 * each followed by a NUL. *delivered is the number of names that fit. Names of HDF5_OBJECT_BYTES or more are
 * left out of the root, and give STATUS_BAD_INPUT in other groups. */
Status hdf5_names(const Hdf5Input *input, const char *group, char *packed, size_t size, int *delivered);

/* Read attributes of the root. `text` has HDF5_TEXT_BYTES_MAX bytes, including the NUL. */
Status hdf5_attribute_text(const Hdf5Input *input, const char *name, bool *found, char *text);
Status hdf5_attribute_number(const Hdf5Input *input, const char *name, bool *found, double *number);

/* Finds the shape of an array, and checks its class, its rank and its extents. Each extent must equal the
 * one in `wanted` or, if that is -1, be at most `limit`. The file must also be large enough for the
 * announced size. */
Status hdf5_shape(Hdf5Input *input, const char *object, ArrayElement element, const Hdf5Shape *wanted,
                  int64_t limit, Hdf5Shape *shape);

/* Finds the shape of an array and where its values are. If they are contiguous in the file and have the
 * same format as in memory, *byte is the offset of the first value. */
Status hdf5_place(Hdf5Input *input, const char *object, ArrayElement element, bool *plain, double *byte,
                  Hdf5Shape *shape);

/* Reads a block of `extents` values, beginning at `first`, and converts them to the element's type in
 * memory. */
Status hdf5_read_block(Hdf5Input *input, const char *object, ArrayElement element, const Hdf5Shape *first,
                       const Hdf5Shape *extents, void *values);

/* Packs strings `first` to `first + count - 1` into `size` bytes, each followed by a NUL. The strings of
 * the file may have fixed or variable length. *delivered is the number of strings that fit, at least
 * one. */
Status hdf5_read_texts(Hdf5Input *input, const char *object, int first, int count, char *packed, size_t size,
                       int *delivered);
