/* Reads HDF5 files that may be damaged or hostile. HDF5 1.10 crashes or hangs on some such files, so these
 * functions run in a confined process (hdf5_reader.h), which opens one file and ends without closing it.
 *
 * Nothing outside the file is read: external links, soft links to external links, external storage and
 * virtual data sets give STATUS_BAD_INPUT with the target of the link. STATUS_SYSTEM means that HDF5 ran
 * out of memory. */
#pragma once

#include "datasets/io/hdf5_access.h"

enum {
    HDF5_OBJECT_BYTES = 64, /* large enough for the path of any object of schema 1 */
    HDF5_DATA_BYTES = 16 << 20
};

typedef struct Hdf5Input {
    Hdf5File file;
    double size_bytes;
    hid_t array; /* the array used last, which stays open, and its name */
    char array_name[HDF5_OBJECT_BYTES];
} Hdf5Input;

/* An array as it is stored. */
typedef struct Hdf5Array {
    Hdf5Shape shape; /* extents: 0 if the rank exceeds HDF5_RANK_MAX */
    H5T_class_t class;
    double value_bytes,
        stored_bytes;   /* size of one value, and size in the file of all values, which may be compressed */
    double lost_chunks; /* number of chunks that were never written, which HDF5 would read as zeros */
    double
        byte; /* offset of the first value if the values are contiguous in the file and have the same format
                    as in memory, otherwise -1 */
} Hdf5Array;

/* A request and its answer, in memory shared with the confined process. */
typedef struct Hdf5Request Hdf5Request;
typedef Status Hdf5Answer(Hdf5Input *input, Hdf5Request *request);
struct Hdf5Request {
    Hdf5Answer *answer; /* function that the confined process calls, or NULL to open the file */
    char object[HDF5_OBJECT_BYTES];
    ArrayElement element;
    Hdf5Shape first, extents;
    /* the answer, which is initially 0 */
    bool found;
    double number;
    Hdf5Array array;
    int count;
    _Alignas(64) char data[HDF5_DATA_BYTES];
};

/* Opens the file at `place`, the path that the system uses. Messages name it `path`, which the caller owns.
 * If this fails, the message tells a damaged file from a file in another format. */
Status hdf5_open(const char *place, const char *path, double size_bytes, Hdf5Input *out);

/* Finds out whether an object exists. */
Hdf5Answer hdf5_find;

/* Packs the names of the objects in a group (empty: the root) into `data`, in alphabetical order and each
 * followed by a NUL. `count` is the number of names that fit. Names of HDF5_OBJECT_BYTES or more are left out
 * of the root, and give STATUS_BAD_INPUT in other groups. */
Hdf5Answer hdf5_names;

/* Read attributes of the root into `number`, or into HDF5_TEXT_BYTES_MAX bytes of `data`, including the NUL.
 * `found` tells whether the attribute exists. */
Hdf5Answer hdf5_attribute_text, hdf5_attribute_number;

/* Describes an array whose values will be read as `element`. */
Hdf5Answer hdf5_array;

/* Reads a block of `extents` values, beginning at `first`, into `data`, and converts them to the element's
 * type in memory. */
Hdf5Answer hdf5_read_block;

/* Packs extents.extents[0] strings, beginning with string first.extents[0], into `data`, each followed by a
 * NUL. The strings of the file may have fixed or variable length. `count` is the number of strings that fit,
 * at least one. */
Hdf5Answer hdf5_read_texts;
