/* Functions that both reading (hdf5_read.h) and writing (hdf5_write.h) of HDF5 files use. Objects are named
 * by their path from the root of the file, without a leading slash. */
#pragma once

#include "datasets/model/arrays.h"

#include <hdf5.h>

enum {
    HDF5_RANK_MAX = ARRAY_RANK_MAX,
    HDF5_TEXT_BYTES_MAX = 1 << 16 /* limit for one string */
};

typedef struct Hdf5File {
    hid_t id;
    const char *path; /* path for messages; owned by the caller */
} Hdf5File;

typedef struct Hdf5Shape {
    int rank;
    int64_t extents[HDF5_RANK_MAX];
} Hdf5Shape;

/* Returns the HDF5 type that an array element has in memory. Not for texts, which have no fixed type. */
hid_t hdf5_memory_type(ArrayElement element);

/* Returns a status with HDF5's description of its last failure. Its code is `code`, or STATUS_SYSTEM if
 * HDF5 ran out of memory. */
Status hdf5_failure(StatusCode code, const Hdf5File *file, const char *object, const char *what);
/* Returns hdf5_failure with the code STATUS_BAD_INPUT. */
Status hdf5_error(const Hdf5File *file, const char *object, const char *what);

/* Closes a type at the end of its scope (for CLEANUP). H5I_INVALID_HID is allowed. */
static inline void hdf5_type_close(hid_t *type)
{
    H5Tclose(*type);
}

static inline void hdf5_space_close(hid_t *space)
{
    H5Sclose(*space);
}

/* Prepares the HDF5 library; must be called before any other HDF5 function. Stops HDF5 from printing errors
 * on stderr, because they are returned as a Status. Also stops HDF5 from closing its objects at exit, which
 * crashes after a failed write. */
void hdf5_prepare(void);

/* Selects a block of `extents` values, beginning at `first`, both in an open array and in memory. The
 * caller closes both dataspaces, even on failure. */
Status hdf5_block_select(const Hdf5File *file, const char *object, hid_t array, const Hdf5Shape *first,
                         const Hdf5Shape *extents, hid_t *file_space, hid_t *memory_space);
