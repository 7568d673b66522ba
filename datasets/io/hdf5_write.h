/* What the store needs to write HDF5 files, with HDF5's errors as Status. */
#pragma once

#include "datasets/io/hdf5_access.h"

/* Makes a new file; one of that name must not be there. */
Status hdf5_create(const char *path, Hdf5File *out);
/* Legal on a file that was not opened. */
Status hdf5_close(Hdf5File *file);

/* Root attributes. */
Status hdf5_write_attribute_text(const Hdf5File *file, const char *name, const char *text);
Status hdf5_write_attribute_number(const Hdf5File *file, const char *name, ArrayElement element,
                                   double number);
/* Makes an array, groups on the way included. chunk.rank 0: not chunked. cache_bytes 0: the default. */
Status hdf5_create_array(const Hdf5File *file, const char *object, ArrayElement element, Hdf5Shape shape,
                         Hdf5Shape chunk, size_t cache_bytes, hid_t *array);
/* Part of an open array: `extents` values from `first` on. */
Status hdf5_write_block(const Hdf5File *file, const char *object, hid_t array, ArrayElement element,
                        Hdf5Shape first, Hdf5Shape extents, const void *values);
/* Makes and fills an array. */
Status hdf5_write(const Hdf5File *file, const char *object, ArrayElement element, Hdf5Shape shape,
                  const void *values);
/* texts: count pointers to NUL-terminated strings (NULL: empty), stored as UTF-8 of the longest one's
 * length. Variable-length strings would be handier elsewhere, but HDF5 keeps them without checksums. */
Status hdf5_write_texts(const Hdf5File *file, const char *object, int count, char *const *texts);
