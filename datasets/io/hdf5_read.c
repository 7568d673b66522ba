/* Reads HDF5. Before an object is read, the links on its path are checked. For an array, its type, shape
 * and storage are checked as well. The Status contains HDF5's own error text. */
#include "datasets/io/hdf5_read.h"

Status hdf5_open(const char *place, const char *path, double size_bytes, Hdf5Input *out)
{
    *out = (Hdf5Input){.file = {H5I_INVALID_HID, path}, .size_bytes = size_bytes, .array = H5I_INVALID_HID};
    hdf5_prepare();
    htri_t answer = H5Fis_hdf5(place);
    if (answer < 0)
        return hdf5_error(&out->file, "", "is not an HDF5 file that can be read");
    if (answer == 0)
        return bad_input("%s: is not an HDF5 file (%.0f bytes)", path, size_bytes);
    out->file.id = H5Fopen(place, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (out->file.id < 0)
        return hdf5_error(&out->file, "", "is damaged or truncated");
    return status_ok();
}

/* ---- links ---- */

enum { LINK_BYTES = 1024, LINKS_MAX = 16 };

static Status links_follow(const Hdf5File *file, const char *object, int depth, bool *found);

/* Checks that the target of a soft link is inside the file. */
static Status soft_link_follow(const Hdf5File *file, const char *link, int depth)
{
    char target[LINK_BYTES] = "", whole[2 * LINK_BYTES];
    const char *slash = strrchr(link, '/');
    bool found = false;
    if (H5Lget_val(file->id, link, target, sizeof target - 1, H5P_DEFAULT) < 0)
        return hdf5_error(file, link, "is a link that cannot be read");
    if (depth == LINKS_MAX)
        return bad_input("%s: %s is a soft link to '%.200s', which is part of a long or endless chain",
                         file->path, link, target);
    if (target[0] == '/' || !slash)
        snprintf(whole, sizeof whole, "%s", target + (target[0] == '/'));
    else
        snprintf(whole, sizeof whole, "%.*s/%s", (int)(slash - link), link, target);
    STATUS_TRY(links_follow(file, whole, depth + 1, &found));
    if (!found)
        return bad_input("%s: %s is a soft link to '%.200s', which does not exist", file->path, link, target);
    return status_ok();
}

static Status foreign_link_refuse(const Hdf5File *file, const char *link, H5L_type_t type)
{
    char value[LINK_BYTES] = "";
    const char *other = NULL, *object = NULL;
    if (type == H5L_TYPE_EXTERNAL && H5Lget_val(file->id, link, value, sizeof value - 1, H5P_DEFAULT) >= 0 &&
        H5Lunpack_elink_val(value, sizeof value, NULL, &other, &object) >= 0)
        return bad_input("%s: %s is an external link to '%.100s' in the file '%.200s'; links out of a file "
                         "are not followed",
                         file->path, link, object, other);
    return bad_input("%s: %s is a link of an unknown kind (%d)", file->path, link, (int)type);
}

/* Checks every link on the path to an object. */
static Status links_follow(const Hdf5File *file, const char *object, int depth, bool *found)
{
    char part[2 * LINK_BYTES];
    *found = false;
    for (const char *end = object; end; end = end[0] ? end + 1 : NULL) {
        end = strchr(end, '/') ? strchr(end, '/') : end + strlen(end);
        snprintf(part, sizeof part, "%.*s", (int)(end - object), object);
        H5L_info_t link;
        htri_t there = H5Lexists(file->id, part, H5P_DEFAULT);
        if (there == 0)
            return status_ok();
        if (there < 0 || H5Lget_info(file->id, part, &link, H5P_DEFAULT) < 0)
            return hdf5_error(file, part, "cannot be looked up");
        if (link.type == H5L_TYPE_SOFT) {
            STATUS_TRY(soft_link_follow(file, part, depth));
        } else if (link.type != H5L_TYPE_HARD) {
            return foreign_link_refuse(file, part, link.type);
        }
    }
    *found = true;
    return status_ok();
}

Status hdf5_find(Hdf5Input *input, Hdf5Request *request)
{
    return links_follow(&input->file, request->object, 0, &request->found);
}

Status hdf5_names(Hdf5Input *input, Hdf5Request *request)
{
    const Hdf5File *file = &input->file;
    const char *group = request->object, *place = group[0] ? group : ".";
    H5G_info_t info;
    size_t used = 0;
    bool found = true;
    request->count = 0;
    if (group[0])
        STATUS_TRY(links_follow(file, group, 0, &found));
    if (!found || H5Gget_info_by_name(file->id, place, &info, H5P_DEFAULT) < 0)
        return hdf5_error(file, group, "has objects that cannot be listed");
    for (hsize_t i = 0; i < info.nlinks && used + HDF5_OBJECT_BYTES <= HDF5_DATA_BYTES; i++) {
        ssize_t length = H5Lget_name_by_idx(file->id, place, H5_INDEX_NAME, H5_ITER_INC, i,
                                            request->data + used, HDF5_OBJECT_BYTES, H5P_DEFAULT);
        if (length < 0)
            return hdf5_error(file, group, "contains an object whose name cannot be read");
        if (length >= HDF5_OBJECT_BYTES && group[0])
            return bad_input("%s: an object in %s has a name of %lld bytes, expected at most %d", file->path,
                             group, (long long)length, HDF5_OBJECT_BYTES - 1);
        if (length > 0 && length < HDF5_OBJECT_BYTES) {
            used += strlen(request->data + used) + 1;
            request->count++;
        }
    }
    return status_ok();
}

/* ---- strings and attributes ---- */

/* Copies one string from HDF5's buffer and adds a NUL. A string of fixed length is stored in the buffer
 * itself, a string of variable length behind a pointer. A string ends at its NUL, or before its trailing
 * blanks if the file pads with blanks. Returns the number of bytes used, or 0 if they exceed `size`. */
static size_t text_copy(const char *delivered, hid_t type, size_t width, char *text, size_t size)
{
    size_t length = 0;
    const char *bytes = delivered;
    if (H5Tis_variable_str(type) > 0) {
        memcpy((void *)&bytes, delivered, sizeof bytes);
        width = bytes ? size : 0;
    }
    while (length < width && bytes[length] != '\0')
        length++;
    while (H5Tget_strpad(type) == H5T_STR_SPACEPAD && length > 0 && bytes[length - 1] == ' ')
        length--;
    if (length >= size || length >= HDF5_TEXT_BYTES_MAX)
        return 0;
    if (length > 0)
        memcpy(text, bytes, length);
    text[length] = '\0';
    return length + 1;
}

/* An open attribute of the root. */
typedef struct Attribute {
    hid_t id, type, space;
} Attribute;

static const Attribute no_attribute = {H5I_INVALID_HID, H5I_INVALID_HID, H5I_INVALID_HID};

static void attribute_close(Attribute *attribute)
{
    H5Aclose(attribute->id);
    H5Tclose(attribute->type);
    H5Sclose(attribute->space);
}

static Status attribute_open(const Hdf5File *file, Hdf5Request *request, Attribute *out)
{
    const char *name = request->object;
    const htri_t there = H5Aexists(file->id, name);
    request->found = there > 0;
    if (there < 0)
        return hdf5_error(file, name, "cannot be looked up");
    if (there == 0)
        return status_ok();
    out->id = H5Aopen(file->id, name, H5P_DEFAULT);
    out->type = H5Aget_type(out->id);
    out->space = H5Aget_space(out->id);
    if (out->id < 0 || out->type < 0 || out->space < 0)
        return hdf5_error(file, name, "cannot be opened");
    return status_ok();
}

Status hdf5_attribute_text(Hdf5Input *input, Hdf5Request *request)
{
    const char *path = input->file.path, *name = request->object;
    CLEANUP(attribute_close) Attribute attribute = no_attribute;
    STATUS_TRY(attribute_open(&input->file, request, &attribute));
    if (!request->found)
        return status_ok();
    if (H5Tget_class(attribute.type) != H5T_STRING || H5Sget_simple_extent_npoints(attribute.space) != 1)
        return bad_input("%s: attribute %s is not a single string", path, name);
    const size_t size = H5Tget_size(attribute.type);
    if (size > HDF5_TEXT_BYTES_MAX)
        return bad_input("%s: attribute %s has %zu bytes, expected at most %d", path, name, size,
                         HDF5_TEXT_BYTES_MAX);
    LOCAL_ARRAY(char, delivered, size, "the strings of a file");
    if (H5Aread(attribute.id, attribute.type, delivered) < 0)
        return hdf5_error(&input->file, name, "cannot be read");
    if (text_copy(delivered, attribute.type, size, request->data, HDF5_TEXT_BYTES_MAX) == 0)
        return bad_input("%s: attribute %s has %d bytes or more", path, name, HDF5_TEXT_BYTES_MAX);
    return status_ok();
}

Status hdf5_attribute_number(Hdf5Input *input, Hdf5Request *request)
{
    const char *name = request->object;
    CLEANUP(attribute_close) Attribute attribute = no_attribute;
    STATUS_TRY(attribute_open(&input->file, request, &attribute));
    if (!request->found)
        return status_ok();
    const H5T_class_t class = H5Tget_class(attribute.type);
    if ((class != H5T_FLOAT && class != H5T_INTEGER) || H5Sget_simple_extent_npoints(attribute.space) != 1)
        return bad_input("%s: attribute %s is not a single number", input->file.path, name);
    if (H5Aread(attribute.id, H5T_NATIVE_DOUBLE, &request->number) < 0)
        return hdf5_error(&input->file, name, "cannot be read");
    return status_ok();
}

/* ---- arrays ---- */

/* Checks that the values of an array are stored in the file itself. */
static Status storage_place_check(const Hdf5File *file, const char *object, hid_t creation)
{
    char other[LINK_BYTES] = "";
    const char *kind = NULL;
    if (H5Pget_layout(creation) == H5D_VIRTUAL) {
        kind = "is a virtual data set of";
        (void)H5Pget_virtual_filename(creation, 0, other, sizeof other - 1);
    } else if (H5Pget_external_count(creation) > 0) {
        kind = "is stored in";
        (void)H5Pget_external(creation, 0, sizeof other - 1, other, NULL, NULL);
    }
    if (!kind)
        return status_ok();
    return bad_input("%s: %s %s the file '%.200s'; other files are not read", file->path, object, kind,
                     other);
}

/* Returns a size for HDF5's chunk cache that holds a row or a column of chunks, whichever is larger. Each
 * chunk is then unpacked only once if an array is read frame by frame or by blocks of vertices. Returns 0
 * if such a cache would be too large. */
static size_t chunk_cache_bytes(hid_t array, hid_t creation)
{
    const double CACHE_BYTES_MAX = 64e6;
    hsize_t chunk[HDF5_RANK_MAX] = {0}, extents[HDF5_RANK_MAX] = {0};
    hid_t space = H5Dget_space(array), type = H5Dget_type(array);
    int rank = H5Sget_simple_extent_ndims(space);
    double row = (double)H5Tget_size(type), column = row;
    if (rank >= 1 && rank <= HDF5_RANK_MAX && H5Pget_chunk(creation, rank, chunk) == rank) {
        H5Sget_simple_extent_dims(space, extents, NULL);
        for (int i = 0; i < rank; i++) {
            double whole = (double)extents[i] + (double)chunk[i];
            row *= i == 0 ? (double)chunk[i] : whole;
            column *= i == 0 ? whole : (double)chunk[i];
        }
    }
    H5Tclose(type);
    H5Sclose(space);
    double bytes = row > column ? row : column;
    return bytes < CACHE_BYTES_MAX ? (size_t)bytes : 0;
}

/* Opens an array after checking its links and storage, unless it is already open. */
static Status array_open(Hdf5Input *input, const char *object)
{
    const Hdf5File *file = &input->file;
    bool found = false;
    if (input->array >= 0 && strcmp(input->array_name, object) == 0)
        return status_ok();
    if (input->array >= 0)
        H5Dclose(input->array);
    input->array = H5I_INVALID_HID;
    STATUS_TRY(links_follow(file, object, 0, &found));
    if (!found)
        return bad_input("%s: %s is missing", file->path, object);
    hid_t array = H5Dopen2(file->id, object, H5P_DEFAULT);
    if (array < 0)
        return hdf5_error(file, object, "is not an array that can be opened");
    hid_t creation = H5Dget_create_plist(array), access_list = H5Pcreate(H5P_DATASET_ACCESS);
    Status status = storage_place_check(file, object, creation);
    if (status.code == STATUS_OK && H5Pget_layout(creation) == H5D_CHUNKED) {
        H5Pset_chunk_cache(access_list, 12421, chunk_cache_bytes(array, creation), 0.0);
        H5Dclose(array);
        array = H5Dopen2(file->id, object, access_list);
        if (array < 0)
            status = hdf5_error(file, object, "cannot be opened");
    }
    H5Pclose(access_list);
    H5Pclose(creation);
    if (status.code != STATUS_OK) {
        if (array >= 0)
            H5Dclose(array);
        return status;
    }
    input->array = array;
    snprintf(input->array_name, sizeof input->array_name, "%s", object);
    return status;
}

/* Returns how many chunks of an open array the file lacks. An array without chunks lacks none. */
static double chunks_lost(hid_t array, hid_t creation, hid_t space, int rank, const hsize_t *extents)
{
    hsize_t chunk[HDF5_RANK_MAX] = {0}, stored = 0;
    double chunks = 1.0;
    if (rank < 1 || rank > HDF5_RANK_MAX || H5Pget_layout(creation) != H5D_CHUNKED ||
        H5Pget_chunk(creation, rank, chunk) != rank || H5Dget_num_chunks(array, space, &stored) < 0)
        return 0.0;
    for (int i = 0; i < rank; i++)
        chunks *= ceil((double)extents[i] / (double)chunk[i]);
    return chunks - (double)stored;
}

Status hdf5_array(Hdf5Input *input, Hdf5Request *request)
{
    Hdf5Array *out = &request->array;
    STATUS_TRY(array_open(input, request->object));
    CLEANUP(hdf5_type_close) hid_t type = H5Dget_type(input->array);
    CLEANUP(hdf5_space_close) hid_t space = H5Dget_space(input->array);
    const int rank = H5Sget_simple_extent_ndims(space);
    if (type < 0 || rank < 0)
        return hdf5_error(&input->file, request->object, "cannot be opened");
    hsize_t extents[HDF5_RANK_MAX] = {0};
    if (rank <= HDF5_RANK_MAX)
        H5Sget_simple_extent_dims(space, extents, NULL);
    const hid_t creation = H5Dget_create_plist(input->array);
    const bool contiguous = H5Pget_layout(creation) == H5D_CONTIGUOUS;
    const haddr_t address = H5Dget_offset(input->array);
    const double lost = chunks_lost(input->array, creation, space, rank, extents);
    H5Pclose(creation);
    *out = (Hdf5Array){.class = H5Tget_class(type),
                       .value_bytes = (double)H5Tget_size(type),
                       .stored_bytes = (double)H5Dget_storage_size(input->array),
                       .lost_chunks = lost,
                       .byte = -1.0,
                       .shape.rank = rank};
    for (int i = 0; i < HDF5_RANK_MAX; i++)
        out->shape.extents[i] = (int64_t)extents[i];
    if (contiguous && address != HADDR_UNDEF && request->element != ARRAY_TEXT &&
        H5Tequal(type, hdf5_memory_type(request->element)) > 0)
        out->byte = (double)address;
    return status_ok();
}

/* Explains why an array cannot be read: either the library lacks a filter, or HDF5 gives the reason. */
static Status read_failure(const Hdf5Input *input, const char *object)
{
    const Status status =
        hdf5_error(&input->file, object,
                   "cannot be read"); /* asked first, because other calls to HDF5 discard the reason */
    const hid_t creation = H5Dget_create_plist(input->array);
    char name[64] = "";
    H5Z_filter_t lacking = H5Z_FILTER_NONE;
    for (unsigned i = 0; creation >= 0 && (int)i < H5Pget_nfilters(creation); i++) {
        unsigned flags = 0, configuration = 0;
        size_t values = 0;
        lacking = H5Pget_filter2(creation, i, &flags, &values, NULL, sizeof name, name, &configuration);
        if (lacking >= 0 && H5Zfilter_avail(lacking) <= 0)
            break;
        lacking = H5Z_FILTER_NONE;
    }
    H5Pclose(creation);
    if (lacking == H5Z_FILTER_NONE)
        return status;
    return bad_input(
        "%s: %s is packed by the filter %d (%.60s), which HDF5 lacks on this machine. Where it can be read, "
        "save it with gzip: with h5py's create_dataset(..., compression='gzip'), or with `h5repack "
        "-f GZIP=4 OLD.h5 NEW.h5`",
        input->file.path, object, (int)lacking, name);
}

/* Reads a block and converts its values to the type `type` in memory. */
static Status block_read(Hdf5Input *input, const char *object, hid_t type, const Hdf5Shape *first,
                         const Hdf5Shape *extents, void *values)
{
    CLEANUP(hdf5_space_close) hid_t file_space = H5I_INVALID_HID, memory_space = H5I_INVALID_HID;
    STATUS_TRY(
        hdf5_block_select(&input->file, object, input->array, first, extents, &file_space, &memory_space));
    if (H5Dread(input->array, type, memory_space, file_space, H5P_DEFAULT, values) < 0)
        return read_failure(input, object);
    return status_ok();
}

Status hdf5_read_block(Hdf5Input *input, Hdf5Request *request)
{
    STATUS_TRY(array_open(input, request->object));
    return block_read(input, request->object, hdf5_memory_type(request->element), &request->first,
                      &request->extents, request->data);
}

Status hdf5_read_texts(Hdf5Input *input, Hdf5Request *request)
{
    enum { TEXTS_MAX = 1024 };
    const char *object = request->object;
    const int first = (int)request->first.extents[0];
    STATUS_TRY(array_open(input, object));
    CLEANUP(hdf5_type_close) hid_t type = H5Dget_type(input->array);
    size_t width = H5Tget_size(type), used = 0;
    const int64_t wanted = int64_min(request->extents.extents[0], TEXTS_MAX);
    if (type < 0 || width > HDF5_DATA_BYTES / TEXTS_MAX)
        return bad_input("%s: %s has strings of %zu bytes, expected at most %d", input->file.path, object,
                         width, HDF5_DATA_BYTES / TEXTS_MAX);
    LOCAL_TABLE(char, read, wanted, width, "the strings of a file");
    STATUS_TRY(block_read(input, object, type, &(Hdf5Shape){1, {first}}, &(Hdf5Shape){1, {wanted}}, read));
    for (request->count = 0; request->count < wanted; request->count++) {
        size_t taken = text_copy(read + (size_t)request->count * width, type, width, request->data + used,
                                 HDF5_DATA_BYTES - used);
        if (taken == 0)
            break;
        used += taken;
    }
    if (request->count == 0)
        return bad_input("%s: %s[%d] has %d bytes or more", input->file.path, object, first,
                         HDF5_TEXT_BYTES_MAX);
    return status_ok();
}
