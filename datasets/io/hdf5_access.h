/* What the store needs of HDF5, with HDF5's errors as Status. Objects are named by their path from the root
 * of the file, without a leading slash. */
#ifndef SKINBENCH_IO_HDF5_ACCESS_H
#define SKINBENCH_IO_HDF5_ACCESS_H

#include "datasets/base/status.h"

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HDF5_RANK_MAX = 4 };

typedef struct Hdf5File {
    hid_t id;
    const char *path; /* for messages; the caller keeps it */
    double size_bytes;
} Hdf5File;

/* The element types of schema 1. Files may hold the same class in another width or byte order. */
typedef enum Hdf5Element { HDF5_FLOAT32, HDF5_FLOAT64, HDF5_INT32, HDF5_TEXT } Hdf5Element;

typedef struct Hdf5Shape {
    int rank;
    int64_t extents[HDF5_RANK_MAX];
} Hdf5Shape;

/* STATUS_BAD_INPUT with what HDF5 says about its last failure. */
Status hdf5_error(const Hdf5File *file, const char *object, const char *what);

/* Opens for reading; says whether the file is missing, a folder, no HDF5 file, or a damaged one. */
Status hdf5_open(const char *path, Hdf5File *out);
/* Makes a new file; one of that name must not be there. */
Status hdf5_create(const char *path, Hdf5File *out);
/* Legal on a file that was not opened. */
Status hdf5_close(Hdf5File *file);

bool hdf5_has(const Hdf5File *file, const char *object);

/* Root attributes. A text that is not there is left NULL, a number untouched; *found may be NULL, then it is
 * an error that names the attribute. Release a text with memory_free. */
Status hdf5_attribute_text(const Hdf5File *file, const char *name, bool *found, char **text);
Status hdf5_attribute_number(const Hdf5File *file, const char *name, bool *found, double *number);

/* Finds the shape of an array and checks it before any memory is allocated for it: class, rank, extents that are
 * wanted (-1 in `wanted`: free, up to `limit`), and that the file is large enough to hold what it announces.
 * On success *shape is filled. */
Status hdf5_shape(const Hdf5File *file, const char *object, Hdf5Element element, Hdf5Shape wanted,
                  int64_t limit, Hdf5Shape *shape);

/* Reads a whole array of the shape found; converts to the element's type in memory. */
Status hdf5_read(const Hdf5File *file, const char *object, Hdf5Element element, void *values);
/* Reads `count` strings, fixed or variable in length, as copies to be released with memory_free. */
Status hdf5_read_texts(const Hdf5File *file, const char *object, int count, char **texts);

/* Part of an open array: `extents` values from `first` on. */
Status hdf5_read_block(const Hdf5File *file, const char *object, hid_t array, Hdf5Element element,
                       Hdf5Shape first, Hdf5Shape extents, void *values);
Status hdf5_write_block(const Hdf5File *file, const char *object, hid_t array, Hdf5Element element,
                        Hdf5Shape first, Hdf5Shape extents, const void *values);

Status hdf5_write_attribute_text(const Hdf5File *file, const char *name, const char *text);
Status hdf5_write_attribute_number(const Hdf5File *file, const char *name, Hdf5Element element,
                                   double number);
/* Makes an array, groups on the way included. chunk.rank 0: not chunked. cache_bytes 0: the default. */
Status hdf5_create_array(const Hdf5File *file, const char *object, Hdf5Element element, Hdf5Shape shape,
                         Hdf5Shape chunk, size_t cache_bytes, hid_t *array);
/* Makes and fills an array. */
Status hdf5_write(const Hdf5File *file, const char *object, Hdf5Element element, Hdf5Shape shape,
                  const void *values);
/* texts: count pointers to NUL-terminated strings (NULL: empty), stored as UTF-8 of the longest one's
 * length. Variable-length strings would be handier elsewhere, but HDF5 keeps them without checksums and
 * crashes on damaged ones. */
Status hdf5_write_texts(const Hdf5File *file, const char *object, int count, char *const *texts);

#endif
