/* Writes the HDF5 files of the store. The same data always give the same bytes. */
#include "datasets/io/hdf5_write.h"

/* Returns the type in the file, whose byte order is fixed so that the same data give the same bytes on
 * every machine. */
static hid_t file_type(ArrayElement element)
{
    return element == ARRAY_FLOAT32   ? H5T_IEEE_F32LE
           : element == ARRAY_FLOAT64 ? H5T_IEEE_F64LE
                                      : H5T_STD_I32LE;
}

Status hdf5_create(const char *path, Hdf5File *out)
{
    *out = (Hdf5File){.id = H5I_INVALID_HID, .path = path};
    hdf5_prepare();
    /* Creation times are left out, so that the same data give the same bytes. In the file format of HDF5
     * 1.10, all metadata except variable-length strings have checksums, which reveal damage. */
    hid_t creation = H5Pcreate(H5P_FILE_CREATE), access_list = H5Pcreate(H5P_FILE_ACCESS);
    if (H5Pset_obj_track_times(creation, false) >= 0 &&
        H5Pset_libver_bounds(access_list, H5F_LIBVER_V110, H5F_LIBVER_V110) >= 0)
        out->id = H5Fcreate(path, H5F_ACC_EXCL, creation, access_list);
    H5Pclose(access_list);
    H5Pclose(creation);
    if (out->id < 0)
        return hdf5_failure(STATUS_SYSTEM, out, "", "cannot be created");
    return status_ok();
}

Status hdf5_close(Hdf5File *file)
{
    herr_t answer = file->id > 0 ? H5Fclose(file->id) : 0;
    file->id = H5I_INVALID_HID;
    if (answer < 0)
        return hdf5_failure(STATUS_SYSTEM, file, "", "cannot be written");
    return status_ok();
}

Status hdf5_write_block(const Hdf5File *file, const char *object, hid_t array, ArrayElement element,
                        Hdf5Shape first, Hdf5Shape extents, const void *values)
{
    hid_t file_space = H5I_INVALID_HID, memory_space = H5I_INVALID_HID;
    Status status = hdf5_block_select(file, object, array, &first, &extents, &file_space, &memory_space);
    if (status.code == STATUS_OK &&
        H5Dwrite(array, hdf5_memory_type(element), memory_space, file_space, H5P_DEFAULT, values) < 0)
        status = hdf5_failure(STATUS_SYSTEM, file, object, "cannot be written");
    H5Sclose(memory_space);
    H5Sclose(file_space);
    return status.code == STATUS_OK ? status : status_with_code(STATUS_SYSTEM, status);
}

/* Returns the type of UTF-8 text of fixed length with a final NUL, or H5I_INVALID_HID on failure. */
static hid_t text_type(size_t size)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    if (H5Tset_size(type, size) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0)
        return type;
    H5Tclose(type);
    return H5I_INVALID_HID;
}

static Status attribute_write(const Hdf5File *file, const char *name, hid_t stored, hid_t given,
                              const void *value)
{
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(file->id, name, stored, space, H5P_DEFAULT, H5P_DEFAULT);
    Status status = status_ok();
    if (attribute < 0 || H5Awrite(attribute, given, value) < 0)
        status = hdf5_failure(STATUS_SYSTEM, file, name, "cannot be written");
    if (H5Aclose(attribute) < 0 && status.code == STATUS_OK)
        status = hdf5_failure(STATUS_SYSTEM, file, name, "cannot be written");
    H5Sclose(space);
    return status;
}

Status hdf5_write_attribute_text(const Hdf5File *file, const char *name, const char *text)
{
    if (strlen(text) >= HDF5_TEXT_BYTES_MAX)
        return bad_input("%s: attribute %s has %zu bytes, expected fewer than %d", file->path, name,
                         strlen(text), HDF5_TEXT_BYTES_MAX);
    hid_t type = text_type(strlen(text) + 1);
    Status status = attribute_write(file, name, type, type, text);
    H5Tclose(type);
    return status;
}

Status hdf5_write_attribute_number(const Hdf5File *file, const char *name, ArrayElement element,
                                   double number)
{
    return attribute_write(file, name, file_type(element), H5T_NATIVE_DOUBLE, &number);
}

/* Creates the groups on the path to an object. HDF5 can create them automatically, but then stores time
 * stamps. */
static bool groups_create(const Hdf5File *file, const char *object)
{
    char group[128];
    hid_t creation = H5Pcreate(H5P_GROUP_CREATE);
    bool made = H5Pset_obj_track_times(creation, false) >= 0;
    for (const char *slash = strchr(object, '/'); slash && made; slash = strchr(slash + 1, '/')) {
        snprintf(group, sizeof group, "%.*s", (int)(slash - object), object);
        const htri_t there = H5Lexists(file->id, group, H5P_DEFAULT);
        made = there > 0 ||
               (there == 0 && H5Gclose(H5Gcreate2(file->id, group, H5P_DEFAULT, creation, H5P_DEFAULT)) >= 0);
    }
    H5Pclose(creation);
    return made;
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
    bool made = groups_create(file, object) && H5Pset_obj_track_times(creation, false) >= 0;
    /* Allocate all chunks at the start. The bytes of a file then do not depend on the order of writing, and
     * a full disk is detected before the work begins. */
    if (chunk.rank > 0)
        made = made && H5Pset_chunk(creation, chunk.rank, chunks) >= 0 &&
               H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY) >= 0;
    if (cache_bytes > 0)
        made = made && H5Pset_chunk_cache(access_list, 12421, cache_bytes, 1.0) >= 0;
    *array = made ? H5Dcreate2(file->id, object, type, space, H5P_DEFAULT, creation, access_list)
                  : H5I_INVALID_HID;
    Status status = status_ok();
    if (*array < 0)
        status = hdf5_failure(STATUS_SYSTEM, file, object, "cannot be written");
    H5Sclose(space);
    H5Pclose(access_list);
    H5Pclose(creation);
    return status;
}

Status hdf5_create_array(const Hdf5File *file, const char *object, ArrayElement element, Hdf5Shape shape,
                         Hdf5Shape chunk, size_t cache_bytes, hid_t *array)
{
    return array_create(file, object, file_type(element), shape, chunk, cache_bytes, array);
}

static Status array_write(const Hdf5File *file, const char *object, hid_t stored, Hdf5Shape shape,
                          hid_t given, const void *values)
{
    hid_t array = H5I_INVALID_HID;
    STATUS_TRY(array_create(file, object, stored, shape, (Hdf5Shape){0}, 0, &array));
    if (H5Dwrite(array, given, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
        STATUS_TRY(hdf5_failure(STATUS_SYSTEM, file, object, "cannot be written"));
    if (array >= 0 && H5Dclose(array) < 0) /* writes out the data that HDF5 has buffered */
        STATUS_TRY(hdf5_failure(STATUS_SYSTEM, file, object, "cannot be written"));
    return status_ok();
}

Status hdf5_write(const Hdf5File *file, const char *object, ArrayElement element, Hdf5Shape shape,
                  const void *values)
{
    return array_write(file, object, file_type(element), shape, hdf5_memory_type(element), values);
}

Status hdf5_write_texts(const Hdf5File *file, const char *object, int count, char *const *texts)
{
    size_t longest = 0;
    for (int i = 0; i < count; i++)
        longest = texts[i] && strlen(texts[i]) > longest ? strlen(texts[i]) : longest;
    LOCAL_TABLE(char, packed, count, longest + 1, "the names");
    for (int i = 0; i < count; i++)
        if (texts[i])
            memcpy(packed + (size_t)i * (longest + 1), texts[i], strlen(texts[i]));
    hid_t type = text_type(longest + 1);
    Status status = array_write(file, object, type, (Hdf5Shape){1, {count}}, type, packed);
    H5Tclose(type);
    return status;
}
