/* HDF5 as the store needs it: every array is checked for type, shape and storage before it is read, and
 * the library's own error text ends up in a Status. */
#include "datasets/io/hdf5_access.h"

#include "datasets/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEXT_BYTES_MAX = 1 << 16 };

static hid_t memory_type(Hdf5Element element)
{
    return element == HDF5_FLOAT32   ? H5T_NATIVE_FLOAT
           : element == HDF5_FLOAT64 ? H5T_NATIVE_DOUBLE
                                     : H5T_NATIVE_INT32;
}

/* In the file the byte order is fixed, so that the same data give the same bytes on every machine. */
static hid_t file_type(Hdf5Element element)
{
    return element == HDF5_FLOAT32   ? H5T_IEEE_F32LE
           : element == HDF5_FLOAT64 ? H5T_IEEE_F64LE
                                     : H5T_STD_I32LE;
}

static herr_t keep_first_description(unsigned level, const H5E_error2_t *error, void *context)
{
    (void)level;
    const char **description = context;
    if (error->desc && !*description)
        *description = error->desc;
    return 0;
}

static Status hdf5_failure(StatusCode code, const Hdf5File *file, const char *object, const char *what)
{
    const char *description = NULL;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first_description, (void *)&description);
    return status_make(code, "%s: %s%s%s (HDF5: %s)", file->path, object, object[0] ? " " : "", what,
                       description ? description : "no reason given");
}

Status hdf5_error(const Hdf5File *file, const char *object, const char *what)
{
    return hdf5_failure(STATUS_BAD_INPUT, file, object, what);
}

/* HDF5 prints its errors on stderr unless asked not to; ours travel as Status. */
static void silence(void)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

Status hdf5_open(const char *path, Hdf5File *out)
{
    *out = (Hdf5File){.id = H5I_INVALID_HID, .path = path};
    silence();
    struct stat found;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        return status_make(STATUS_BAD_INPUT, "%s: cannot be opened: %s", path, strerror(errno));
    int answer = fstat(descriptor, &found);
    close(descriptor);
    if (answer != 0 || !S_ISREG(found.st_mode))
        return status_make(STATUS_BAD_INPUT, "%s: is no plain file", path);
    if (H5Fis_hdf5(path) <= 0)
        return status_make(STATUS_BAD_INPUT, "%s: is no HDF5 file (%lld bytes)", path,
                           (long long)found.st_size);
    out->size_bytes = (double)found.st_size;
    out->id = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (out->id < 0)
        return hdf5_error(out, "", "is damaged or cut short");
    return status_ok();
}

Status hdf5_create(const char *path, Hdf5File *out)
{
    *out = (Hdf5File){.id = H5I_INVALID_HID, .path = path};
    silence();
    /* No times of creation: the same data give the same bytes. The format of HDF5 1.10 has checksums on all
     * metadata but variable-length strings, so that the library notices damage instead of following it. */
    hid_t creation = H5Pcreate(H5P_FILE_CREATE), access_list = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_obj_track_times(creation, false);
    H5Pset_libver_bounds(access_list, H5F_LIBVER_V110, H5F_LIBVER_V110);
    out->id = H5Fcreate(path, H5F_ACC_EXCL, creation, access_list);
    H5Pclose(access_list);
    H5Pclose(creation);
    if (out->id < 0)
        return hdf5_failure(STATUS_MACHINE, out, "", "cannot be created");
    return status_ok();
}

Status hdf5_close(Hdf5File *file)
{
    herr_t answer = file->id > 0 ? H5Fclose(file->id) : 0;
    file->id = H5I_INVALID_HID;
    if (answer < 0)
        return hdf5_failure(STATUS_MACHINE, file, "", "cannot be written");
    return status_ok();
}

bool hdf5_has(const Hdf5File *file, const char *object)
{
    char part[128];
    for (const char *end = object; end; end = end[0] ? end + 1 : NULL) {
        end = strchr(end, '/') ? strchr(end, '/') : end + strlen(end);
        snprintf(part, sizeof part, "%.*s", (int)(end - object), object);
        if (H5Lexists(file->id, part, H5P_DEFAULT) <= 0)
            return false;
    }
    return true;
}

/* A copy of a string of fixed length: up to its NUL, or, where the file pads with them, its last blanks. */
static char *text_copy(const char *bytes, size_t size, bool padded)
{
    size_t length = 0;
    while (length < size && bytes[length] != '\0')
        length++;
    while (padded && length > 0 && bytes[length - 1] == ' ')
        length--;
    char *copy = memory_array(length + 1, 1);
    if (copy)
        memcpy(copy, bytes, length);
    return copy;
}

/* Turns `count` strings of one type as HDF5 delivers them (in place, or behind pointers where the length is
 * variable) into copies. */
static Status texts_copy(const char *delivered, hid_t type, int count, char **texts)
{
    size_t size = H5Tget_size(type);
    bool variable = H5Tis_variable_str(type) > 0, padded = H5Tget_strpad(type) == H5T_STR_SPACEPAD;
    for (int i = 0; i < count; i++) {
        const char *bytes = delivered + (size_t)i * size;
        const char *pointed = NULL;
        if (variable)
            memcpy((void *)&pointed, bytes, sizeof pointed);
        texts[i] = variable ? memory_text(pointed) : text_copy(bytes, size, padded);
        if (!texts[i])
            return status_out_of_memory("strings of a file");
    }
    return status_ok();
}

Status hdf5_attribute_text(const Hdf5File *file, const char *name, bool *found, char **text)
{
    Status status = status_ok();
    hid_t attribute = H5I_INVALID_HID, type = H5I_INVALID_HID, space = H5I_INVALID_HID;
    char *delivered = NULL;
    bool there = H5Aexists(file->id, name) > 0, variable = false;
    if (found)
        *found = there;
    if (!there)
        return found ? status
                     : status_make(STATUS_BAD_INPUT, "%s: attribute %s is missing", file->path, name);
    attribute = H5Aopen(file->id, name, H5P_DEFAULT);
    type = H5Aget_type(attribute);
    space = H5Aget_space(attribute);
    if (type < 0 || space < 0 || H5Tget_class(type) != H5T_STRING ||
        H5Sget_simple_extent_npoints(space) != 1) {
        status = status_make(STATUS_BAD_INPUT, "%s: attribute %s is no single string", file->path, name);
        goto done;
    }
    variable = H5Tis_variable_str(type) > 0;
    size_t size = H5Tget_size(type);
    if (size > TEXT_BYTES_MAX) {
        status = status_make(STATUS_BAD_INPUT, "%s: attribute %s has %zu bytes, expected at most %d",
                             file->path, name, size, TEXT_BYTES_MAX);
        goto done;
    }
    delivered = memory_array(1, size);
    if (!delivered)
        status = status_out_of_memory("strings of a file");
    else if (H5Aread(attribute, type, delivered) < 0)
        status = hdf5_error(file, name, "cannot be read");
    else
        status = texts_copy(delivered, type, 1, text);
    if (delivered && variable)
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, delivered);
done:
    memory_free(delivered);
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return status;
}

Status hdf5_attribute_number(const Hdf5File *file, const char *name, bool *found, double *number)
{
    Status status = status_ok();
    bool there = H5Aexists(file->id, name) > 0;
    if (found)
        *found = there;
    if (!there)
        return found ? status
                     : status_make(STATUS_BAD_INPUT, "%s: attribute %s is missing", file->path, name);
    hid_t attribute = H5Aopen(file->id, name, H5P_DEFAULT);
    hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    H5T_class_t class = H5Tget_class(type);
    if ((class != H5T_FLOAT && class != H5T_INTEGER) || H5Sget_simple_extent_npoints(space) != 1)
        status = status_make(STATUS_BAD_INPUT, "%s: attribute %s is no single number", file->path, name);
    else if (H5Aread(attribute, H5T_NATIVE_DOUBLE, number) < 0)
        status = hdf5_error(file, name, "cannot be read");
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return status;
}

static const char *class_name(H5T_class_t class)
{
    static const char *const names[] = {
        [H5T_INTEGER] = "integers", [H5T_FLOAT] = "floating-point numbers", [H5T_STRING] = "strings"};
    return class >= 0 && (size_t) class < sizeof names / sizeof names[0] && names[class] ? names[class]
                                                                                         : "something else";
}

static H5T_class_t element_class(Hdf5Element element)
{
    static const H5T_class_t classes[] = {[HDF5_FLOAT32] = H5T_FLOAT,
                                          [HDF5_FLOAT64] = H5T_FLOAT,
                                          [HDF5_INT32] = H5T_INTEGER,
                                          [HDF5_TEXT] = H5T_STRING};
    return classes[element];
}

/* "5075 x 13" */
static void shape_format(const Hdf5Shape *shape, char *text, size_t size)
{
    text[0] = '\0';
    for (int i = 0; i < shape->rank; i++) {
        size_t used = strlen(text);
        if (shape->extents[i] < 0)
            snprintf(text + used, size - used, "%sany", i ? " x " : "");
        else
            snprintf(text + used, size - used, "%s%lld", i ? " x " : "", (long long)shape->extents[i]);
    }
}

static Status extents_check(const Hdf5File *file, const char *object, const Hdf5Shape *wanted, int64_t limit,
                            hid_t space, Hdf5Shape *shape)
{
    hsize_t extents[HDF5_RANK_MAX] = {0};
    int rank = H5Sget_simple_extent_ndims(space);
    if (rank != wanted->rank)
        return status_make(STATUS_BAD_INPUT, "%s: %s has %d dimensions, expected %d", file->path, object,
                           rank, wanted->rank);
    H5Sget_simple_extent_dims(space, extents, NULL);
    bool fits = true;
    shape->rank = rank;
    for (int i = 0; i < rank; i++) {
        shape->extents[i] = (int64_t)extents[i];
        if (wanted->extents[i] >= 0)
            fits = fits && shape->extents[i] == wanted->extents[i];
        else if (extents[i] > (hsize_t)limit)
            return status_make(STATUS_BAD_INPUT, "%s: %s announces %llu rows, at most %lld can be read",
                               file->path, object, (unsigned long long)extents[i], (long long)limit);
    }
    if (fits)
        return status_ok();
    char have[96], want[96];
    shape_format(shape, have, sizeof have);
    shape_format(wanted, want, sizeof want);
    return status_make(STATUS_BAD_INPUT, "%s: %s is %s, expected %s", file->path, object, have, want);
}

/* Whether the file can hold what it announces: deflate reaches 1032 to 1 at best, and an array that was never
 * written takes no space at all. */
static Status storage_check(const Hdf5File *file, const char *object, const Hdf5Shape *shape, hid_t array,
                            hid_t type)
{
    const double COMPRESSION_MAX = 1100.0;
    double announced = (double)H5Tget_size(type), stored = (double)H5Dget_storage_size(array);
    for (int i = 0; i < shape->rank; i++)
        announced *= (double)shape->extents[i];
    if (announced <= stored * COMPRESSION_MAX && stored <= file->size_bytes)
        return status_ok();
    char have[96];
    shape_format(shape, have, sizeof have);
    return status_make(STATUS_BAD_INPUT, "%s: %s announces %s values (%.0f bytes), the file holds %.0f bytes",
                       file->path, object, have, announced, stored);
}

Status hdf5_shape(const Hdf5File *file, const char *object, Hdf5Element element, Hdf5Shape wanted,
                  int64_t limit, Hdf5Shape *shape)
{
    if (!hdf5_has(file, object))
        return status_make(STATUS_BAD_INPUT, "%s: %s is missing", file->path, object);
    hid_t array = H5Dopen2(file->id, object, H5P_DEFAULT);
    if (array < 0)
        return hdf5_error(file, object, "is no array that can be opened");
    hid_t type = H5Dget_type(array), space = H5Dget_space(array);
    H5T_class_t class = H5Tget_class(type), expected = element_class(element);
    Status status = status_ok();
    if (class != expected)
        status = status_make(STATUS_BAD_INPUT, "%s: %s holds %s, expected %s", file->path, object,
                             class_name(class), class_name(expected));
    if (status.code == STATUS_OK)
        status = extents_check(file, object, &wanted, limit, space, shape);
    if (status.code == STATUS_OK)
        status = storage_check(file, object, shape, array, type);
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(array);
    return status;
}

Status hdf5_read(const Hdf5File *file, const char *object, Hdf5Element element, void *values)
{
    hid_t array = H5Dopen2(file->id, object, H5P_DEFAULT);
    herr_t answer = H5Dread(array, memory_type(element), H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    Status status = answer < 0 ? hdf5_error(file, object, "cannot be read") : status_ok();
    H5Dclose(array);
    return status;
}

Status hdf5_read_texts(const Hdf5File *file, const char *object, int count, char **texts)
{
    Status status = status_ok();
    hid_t array = H5Dopen2(file->id, object, H5P_DEFAULT);
    hid_t type = H5Dget_type(array), space = H5Dget_space(array);
    size_t size = H5Tget_size(type);
    bool variable = H5Tis_variable_str(type) > 0;
    char *delivered = memory_array((size_t)count, size);
    if (!delivered)
        status = status_out_of_memory("strings of a file");
    else if (H5Dread(array, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, delivered) < 0)
        status = hdf5_error(file, object, "cannot be read");
    else
        status = texts_copy(delivered, type, count, texts);
    if (delivered && variable)
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, delivered);
    memory_free(delivered);
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(array);
    return status;
}

/* Reads a block of an array to `destination`, or, where that is NULL, writes it from `source`. */
static Status block_transfer(const Hdf5File *file, const char *object, hid_t array, Hdf5Element element,
                             const Hdf5Shape *first, const Hdf5Shape *extents, void *destination,
                             const void *source)
{
    hsize_t start[HDF5_RANK_MAX] = {0}, size[HDF5_RANK_MAX] = {0};
    for (int i = 0; i < extents->rank; i++) {
        start[i] = (hsize_t)first->extents[i];
        size[i] = (hsize_t)extents->extents[i];
    }
    hid_t file_space = H5Dget_space(array), memory_space = H5Screate_simple(extents->rank, size, NULL);
    hid_t type = memory_type(element);
    Status status = status_ok();
    if (H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start, NULL, size, NULL) < 0)
        status = hdf5_error(file, object, "has no such block");
    else if (destination && H5Dread(array, type, memory_space, file_space, H5P_DEFAULT, destination) < 0)
        status = hdf5_error(file, object, "cannot be read");
    else if (!destination && H5Dwrite(array, type, memory_space, file_space, H5P_DEFAULT, source) < 0)
        status = hdf5_failure(STATUS_MACHINE, file, object, "cannot be written");
    H5Sclose(memory_space);
    H5Sclose(file_space);
    return status;
}

Status hdf5_read_block(const Hdf5File *file, const char *object, hid_t array, Hdf5Element element,
                       Hdf5Shape first, Hdf5Shape extents, void *values)
{
    return block_transfer(file, object, array, element, &first, &extents, values, NULL);
}

Status hdf5_write_block(const Hdf5File *file, const char *object, hid_t array, Hdf5Element element,
                        Hdf5Shape first, Hdf5Shape extents, const void *values)
{
    return block_transfer(file, object, array, element, &first, &extents, NULL, values);
}

/* UTF-8 of fixed length with a NUL at the end. */
static hid_t text_type(size_t size)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, size);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

static Status attribute_write(const Hdf5File *file, const char *name, hid_t stored, hid_t given,
                              const void *value)
{
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(file->id, name, stored, space, H5P_DEFAULT, H5P_DEFAULT);
    Status status = status_ok();
    if (attribute < 0 || H5Awrite(attribute, given, value) < 0)
        status = hdf5_failure(STATUS_MACHINE, file, name, "cannot be written");
    H5Aclose(attribute);
    H5Sclose(space);
    return status;
}

Status hdf5_write_attribute_text(const Hdf5File *file, const char *name, const char *text)
{
    if (strlen(text) >= TEXT_BYTES_MAX)
        return status_make(STATUS_BAD_INPUT, "%s: attribute %s has %zu bytes, expected fewer than %d",
                           file->path, name, strlen(text), TEXT_BYTES_MAX);
    hid_t type = text_type(strlen(text) + 1);
    Status status = attribute_write(file, name, type, type, text);
    H5Tclose(type);
    return status;
}

Status hdf5_write_attribute_number(const Hdf5File *file, const char *name, Hdf5Element element, double number)
{
    return attribute_write(file, name, file_type(element), H5T_NATIVE_DOUBLE, &number);
}

/* Makes the groups on the way to an object. HDF5 would do so by itself, but note the time in them. */
static void groups_create(const Hdf5File *file, const char *object)
{
    char group[128];
    hid_t creation = H5Pcreate(H5P_GROUP_CREATE);
    H5Pset_obj_track_times(creation, false);
    for (const char *slash = strchr(object, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(group, sizeof group, "%.*s", (int)(slash - object), object);
        if (H5Lexists(file->id, group, H5P_DEFAULT) == 0)
            H5Gclose(H5Gcreate2(file->id, group, H5P_DEFAULT, creation, H5P_DEFAULT));
    }
    H5Pclose(creation);
}

static Status array_create(const Hdf5File *file, const char *object, hid_t type, Hdf5Shape shape,
                           Hdf5Shape chunk, size_t cache_bytes, hid_t *array)
{
    hsize_t extents[HDF5_RANK_MAX] = {0}, chunks[HDF5_RANK_MAX] = {0};
    for (int i = 0; i < shape.rank; i++) {
        extents[i] = (hsize_t)shape.extents[i];
        chunks[i] = (hsize_t)chunk.extents[i];
    }
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    hid_t access_list = H5Pcreate(H5P_DATASET_ACCESS);
    hid_t space = H5Screate_simple(shape.rank, extents, NULL);
    groups_create(file, object);
    H5Pset_obj_track_times(creation, false);
    /* Chunks are laid out at once, so that the bytes of a file do not depend on the order of writing, and a
     * full disk is noticed before the work. */
    if (chunk.rank > 0) {
        H5Pset_chunk(creation, chunk.rank, chunks);
        H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY);
    }
    if (cache_bytes > 0)
        H5Pset_chunk_cache(access_list, 12421, cache_bytes, 1.0);
    *array = H5Dcreate2(file->id, object, type, space, H5P_DEFAULT, creation, access_list);
    Status status = status_ok();
    if (*array < 0)
        status = hdf5_failure(STATUS_MACHINE, file, object, "cannot be written");
    H5Sclose(space);
    H5Pclose(access_list);
    H5Pclose(creation);
    return status;
}

Status hdf5_create_array(const Hdf5File *file, const char *object, Hdf5Element element, Hdf5Shape shape,
                         Hdf5Shape chunk, size_t cache_bytes, hid_t *array)
{
    return array_create(file, object, file_type(element), shape, chunk, cache_bytes, array);
}

static Status array_write(const Hdf5File *file, const char *object, hid_t stored, Hdf5Shape shape,
                          hid_t given, const void *values)
{
    hid_t array = H5I_INVALID_HID;
    Status status = array_create(file, object, stored, shape, (Hdf5Shape){0}, 0, &array);
    if (status.code == STATUS_OK && H5Dwrite(array, given, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
        status = hdf5_failure(STATUS_MACHINE, file, object, "cannot be written");
    if (array >= 0)
        H5Dclose(array);
    return status;
}

Status hdf5_write(const Hdf5File *file, const char *object, Hdf5Element element, Hdf5Shape shape,
                  const void *values)
{
    return array_write(file, object, file_type(element), shape, memory_type(element), values);
}

Status hdf5_write_texts(const Hdf5File *file, const char *object, int count, char *const *texts)
{
    size_t longest = 0;
    for (int i = 0; i < count; i++)
        longest = texts[i] && strlen(texts[i]) > longest ? strlen(texts[i]) : longest;
    char *packed = memory_table((size_t)count, longest + 1, 1);
    if (!packed)
        return status_out_of_memory("the names");
    for (int i = 0; i < count; i++)
        if (texts[i])
            memcpy(packed + (size_t)i * (longest + 1), texts[i], strlen(texts[i]));
    hid_t type = text_type(longest + 1);
    Status status = array_write(file, object, type, (Hdf5Shape){1, {count}}, type, packed);
    H5Tclose(type);
    memory_free(packed);
    return status;
}
