/* What reading (hdf5_read.h) and writing (hdf5_write.h) HDF5 files share. Objects are named by their path
 * from the root of the file, without a leading slash. */
#pragma once

#include "datasets/model/arrays.h"

#include <hdf5.h>

enum {
    HDF5_RANK_MAX = ARRAY_RANK_MAX,
    HDF5_TEXT_BYTES_MAX = 1 << 16 /* of one string */
};

typedef struct Hdf5File {
    hid_t id;
    const char *path; /* for messages; the caller keeps it */
} Hdf5File;

typedef struct Hdf5Shape {
    int rank;
    int64_t extents[HDF5_RANK_MAX];
} Hdf5Shape;

/* The type of an element in memory; texts have none. */
hid_t hdf5_memory_type(ArrayElement element);

/* A status with what HDF5 says about its last failure: `code`, or STATUS_SYSTEM where HDF5 ran out of
 * memory. */
Status hdf5_failure(StatusCode code, const Hdf5File *file, const char *object, const char *what);
/* The same with STATUS_BAD_INPUT. */
Status hdf5_error(const Hdf5File *file, const char *object, const char *what);

/* For CLEANUP; H5I_INVALID_HID may be closed. */
static inline void hdf5_type_close(hid_t *type)
{
    H5Tclose(*type);
}

static inline void hdf5_space_close(hid_t *space)
{
    H5Sclose(*space);
}

static inline void hdf5_attribute_close(hid_t *attribute)
{
    H5Aclose(*attribute);
}

/* Before anything else of HDF5: it prints its errors on stderr unless asked not to, and ours travel as
 * Status; and it closes what is open when the process ends, which after a failed write is a crash. */
void hdf5_prepare(void);

/* The block of `extents` values from `first` on, in the space of an open array and in memory. Both spaces are
 * the caller's to close, on failure too. */
Status hdf5_block_select(const Hdf5File *file, const char *object, hid_t array, const Hdf5Shape *first,
                         const Hdf5Shape *extents, hid_t *file_space, hid_t *memory_space);
