/* Writes files for tests with the HDF5 library directly. */
#pragma once

#include "datasets/base/memory.h"

#include <hdf5.h>

/* HDF5 file = H5Fopen(...) declares an HDF5 object of any kind that is closed at the end of its scope. */
#define HDF5 CLEANUP(hdf5_close) hid_t
static inline void hdf5_close(hid_t *object)
{
    if (*object >= 0)
        H5Idec_ref(*object);
}

/* Creates an array, with its parent groups, and writes `values`, whose type in memory is `memory`. If
 * `values` is NULL, the array stays unwritten. Returns whether everything succeeded. */
static inline bool hdf5_array(hid_t file, const char *name, hid_t type, int rank, const hsize_t *extents,
                              hid_t creation, hid_t memory, const void *values)
{
    HDF5 space = H5Screate_simple(rank, extents, NULL);
    HDF5 links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    HDF5 array = H5Dcreate2(file, name, type, space, links, creation, H5P_DEFAULT);
    return array >= 0 && (!values || H5Dwrite(array, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
}

/* Creates a scalar attribute. The type of `value` in memory is `memory`. */
static inline bool hdf5_attribute(hid_t object, const char *name, hid_t type, hid_t memory, const void *value)
{
    HDF5 space = H5Screate(H5S_SCALAR);
    HDF5 attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    return attribute >= 0 && H5Awrite(attribute, memory, value) >= 0;
}
