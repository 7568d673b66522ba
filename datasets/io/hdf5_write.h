/* Writes HDF5 files for the store and returns HDF5's errors as Status. */
#pragma once

#include "datasets/io/hdf5_access.h"

/* Creates a file, which must not exist yet. */
Status hdf5_create(const char *path, Hdf5File *out);
/* Closes a file. Allowed even if the file was not opened. */
Status hdf5_close(Hdf5File *file);

/* Write attributes of the root. */
Status hdf5_write_attribute_text(const Hdf5File *file, const char *name, const char *text);
Status hdf5_write_attribute_number(const Hdf5File *file, const char *name, ArrayElement element,
                                   double number);
/* Creates an array and the groups on its path. If chunk.rank is 0, the array is contiguous. If cache_bytes
 * is 0, the chunk cache has its default size. */
Status hdf5_create_array(const Hdf5File *file, const char *object, ArrayElement element, Hdf5Shape shape,
                         Hdf5Shape chunk, size_t cache_bytes, hid_t *array);
/* Writes a block of `extents` values, beginning at `first`, to an open array. */
Status hdf5_write_block(const Hdf5File *file, const char *object, hid_t array, ArrayElement element,
                        Hdf5Shape first, Hdf5Shape extents, const void *values);
/* Creates and fills an array. */
Status hdf5_write(const Hdf5File *file, const char *object, ArrayElement element, Hdf5Shape shape,
                  const void *values);
/* Writes `count` NUL-terminated strings as UTF-8; NULL stands for an empty string. All strings are stored
 * with the length of the longest string. Variable-length strings would be easier for other programs to
 * read, but HDF5 stores them without checksums. */
Status hdf5_write_texts(const Hdf5File *file, const char *object, int count, char *const *texts);
