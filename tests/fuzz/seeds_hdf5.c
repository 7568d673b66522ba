/* Writes data sets of one triangle in every storage form of HDF5, and files with objects that a data set
 * does not need. Uses HDF5 directly, because the program's writer knows only one form. */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/seeds.h"
#include "tests/hdf5_files.h"

#include <string.h>

enum { VERTICES = 3, JOINTS = 2, FRAMES = 2, SLOTS = 2, EXTENT_MAX = 4 };

typedef enum Layout { COMPACT, CONTIGUOUS, CHUNKED, EXTENSIBLE, EXTERNAL, VIRTUAL } Layout;
typedef enum Text { FIXED, VARIABLE, PADDED } Text;
enum { DEFLATE = 1, SHUFFLE = 2, FLETCHER = 4, NBIT = 8, SCALE_OFFSET = 16 };

/* The options of HDF5 with which a file is stored. */
typedef struct Storage {
    const char *name;
    Layout layout;
    int filters;
    Text text;
    hsize_t user_block;
    int unwritten, big_endian, committed, linked, paged, shared, many, zero_frames, ascii, extra;
    H5F_libver_t oldest;
} Storage;

/* ---- groups and arrays of a file ---- */

static hid_t text_type(const Storage *storage, const char *text)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type,
                storage->text == VARIABLE ? H5T_VARIABLE : strlen(text) + (storage->text == PADDED ? 5 : 1));
    if (storage->text == PADDED)
        H5Tset_strpad(type, H5T_STR_SPACEPAD);
    if (!storage->ascii)
        H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

static void attribute_text(hid_t object, const Storage *storage, const char *name, const char *text)
{
    char padded[64];
    HDF5 type = text_type(storage, text);
    snprintf(padded, sizeof padded, "%s     ", text);
    hdf5_attribute(object, name, type, type,
                   storage->text == VARIABLE ? (const void *)&text
                   : storage->text == PADDED ? padded
                                             : text);
}

static void attribute_number(hid_t object, const char *name, hid_t type, double number)
{
    hdf5_attribute(object, name, type, H5T_NATIVE_DOUBLE, &number);
}

static hid_t creation_list(const Storage *storage, int rank, const hsize_t *extents)
{
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    hsize_t chunk[EXTENT_MAX];
    for (int i = 0; i < rank; i++)
        chunk[i] = extents[i] > 1 ? extents[i] - 1 : 1;
    const double filling = 0.25;
    if (storage->layout == COMPACT)
        H5Pset_layout(list, H5D_COMPACT);
    if (storage->layout == CHUNKED || storage->layout == EXTENSIBLE)
        H5Pset_chunk(list, rank, chunk);
    if (storage->layout == EXTERNAL)
        H5Pset_external(list, "external.raw", 0, H5F_UNLIMITED);
    if (storage->filters & SHUFFLE)
        H5Pset_shuffle(list);
    if (storage->filters & NBIT)
        H5Pset_nbit(list);
    if (storage->filters & SCALE_OFFSET)
        H5Pset_scaleoffset(list, H5Z_SO_INT, 0);
    if (storage->filters & DEFLATE)
        H5Pset_deflate(list, 6);
    if (storage->filters & FLETCHER)
        H5Pset_fletcher32(list);
    if (storage->unwritten)
        H5Pset_fill_value(list, H5T_NATIVE_DOUBLE, &filling);
    return list;
}

/* Writes an array. `values` are doubles or ints, depending on the class of `type`. */
static void array_write(hid_t file, const Storage *storage, const char *name, hid_t type, int rank,
                        const hsize_t *extents, const void *values)
{
    hsize_t max[EXTENT_MAX];
    HDF5 list = creation_list(storage, rank, extents), links = H5Pcreate(H5P_LINK_CREATE);
    const int whole = H5Tget_class(type) == H5T_INTEGER;
    if (storage->layout == VIRTUAL) {
        HDF5 all = H5Screate_simple(rank, extents, NULL);
        H5Pset_virtual(list, all, "other.h5", name, all);
    }
    for (int i = 0; i < rank; i++)
        max[i] = storage->layout == EXTENSIBLE && (i == 0 || rank == 3) ? H5S_UNLIMITED : extents[i];
    HDF5 space = H5Screate_simple(rank, extents, max);
    H5Pset_create_intermediate_group(links, 1);
    HDF5 array = H5Dcreate2(file, name, type, space, links, list, H5P_DEFAULT);
    if (array >= 0 && !storage->unwritten && storage->layout != VIRTUAL && storage->layout != EXTERNAL)
        H5Dwrite(array, whole ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
}

static void names_write(hid_t file, const Storage *storage)
{
    static const char *const names[JOINTS] = {"hip", "knee"};
    char fixed[JOINTS][9] = {"hip     ", "knee    "};
    const hsize_t extent = JOINTS;
    Storage of_names = *storage;
    of_names.text = storage->text == PADDED ? FIXED : storage->text;
    HDF5 type = text_type(&of_names, "12345678");
    hdf5_array(file, "rig/joint_names", type, 1, &extent, H5P_DEFAULT, type,
               storage->text == VARIABLE ? (const void *)names : (const void *)fixed);
}

/* ---- a whole data set ---- */

static void arrays_write(hid_t file, const Storage *storage)
{
    static const double rest[VERTICES][3] = {{0}, {1}, {0, 1}},
                        weights[VERTICES][SLOTS] = {{1}, {0.5, 0.5}, {0.25, 0.75}},
                        frames[FRAMES][VERTICES][3] = {{{0}, {1}, {0, 1}}, {{0, 0, 1}, {1, 0, 1}, {0, 1, 1}}};
    static const int triangles[1][3] = {{0, 1, 2}}, parents[JOINTS] = {-1, 0},
                     joints[VERTICES][SLOTS] = {{0}, {0, 1}};
    double frame[JOINTS][3][4] = {{{0}}}, transforms[FRAMES][JOINTS][3][4] = {{{{0}}}},
           scale[FRAMES][JOINTS][3][3];
    memset(scale, 0, sizeof scale);
    for (int j = 0; j < JOINTS; j++)
        for (int i = 0; i < 3; i++) {
            frame[j][i][i] = 1.0;
            for (int f = 0; f < FRAMES; f++)
                transforms[f][j][i][i] = scale[f][j][i][i] = 1.0;
        }
    const hsize_t posed = storage->zero_frames ? 0 : FRAMES;
    hid_t single = storage->big_endian ? H5T_IEEE_F64BE : H5T_IEEE_F32LE;
    hid_t real = storage->big_endian ? H5T_IEEE_F32BE : H5T_IEEE_F64LE;
    hid_t whole = storage->big_endian ? H5T_STD_I16BE : H5T_STD_I32LE;
    if (storage->committed) {
        single = H5Tcopy(single);
        H5Tcommit2(file, "single", single, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    }
    array_write(file, storage, "mesh/rest", single, 2, (const hsize_t[]){VERTICES, 3}, rest);
    array_write(file, storage, "mesh/triangles", whole, 2, (const hsize_t[]){1, 3}, triangles);
    array_write(file, storage, "animation/positions", single, 3, (const hsize_t[]){posed, VERTICES, 3},
                frames);
    array_write(file, storage, "animation/normals", single, 3, (const hsize_t[]){posed, VERTICES, 3}, frames);
    array_write(file, storage, "rig/parents", whole, 1, (const hsize_t[]){JOINTS}, parents);
    names_write(file, storage);
    array_write(file, storage, "rig/rest", real, 3, (const hsize_t[]){JOINTS, 3, 4}, frame);
    array_write(file, storage, "rig/transforms", real, 4, (const hsize_t[]){posed, JOINTS, 3, 4}, transforms);
    array_write(file, storage, "rig/scale", real, 4, (const hsize_t[]){posed, JOINTS, 3, 3}, scale);
    array_write(file, storage, "rig/weights/joints", whole, 2, (const hsize_t[]){VERTICES, SLOTS}, joints);
    array_write(file, storage, "rig/weights/values", single, 2, (const hsize_t[]){VERTICES, SLOTS}, weights);
    array_write(file, storage, "rig/centers", single, 2, (const hsize_t[]){VERTICES, 3}, rest);
    if (storage->extra) {
        array_write(file, storage, "model/basis", real, 2, (const hsize_t[]){3 * posed, 1}, transforms);
        array_write(file, storage, "model/coefficients", single, 2, (const hsize_t[]){1, VERTICES}, rest);
    }
    if (storage->committed)
        H5Tclose(single);
}

/* Writes objects and attributes that a data set does not need, but a file may contain. */
static void oddities_write(hid_t file)
{
    static const char text[] = "text";
    const hsize_t extent = 2, extents[2] = {2, 2};
    HDF5 space = H5Screate_simple(1, &extent, NULL), compound = H5Tcreate(H5T_COMPOUND, 16);
    HDF5 list = H5Tvlen_create(H5T_NATIVE_INT), block = H5Tarray_create2(H5T_NATIVE_INT, 2, extents);
    HDF5 word = H5Tenum_create(H5T_NATIVE_INT), opaque = H5Tcreate(H5T_OPAQUE, 5);
    const int value = 1;
    H5Tinsert(compound, "a", 0, H5T_NATIVE_DOUBLE);
    H5Tinsert(compound, "b", 8, H5T_NATIVE_INT);
    H5Tenum_insert(word, "one", &value);
    H5Tset_tag(opaque, text);
    const hid_t types[] = {
        compound,     list,          block, word, opaque, H5T_STD_REF_OBJ, H5T_STD_REF_DSETREG,
        H5T_STD_B8LE, H5T_UNIX_D32LE};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        char name[16];
        snprintf(name, sizeof name, "odd%zu", i);
        H5Dclose(H5Dcreate2(file, name, types[i], space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        H5Aclose(H5Acreate2(file, name, types[i], space, H5P_DEFAULT, H5P_DEFAULT));
    }
    HDF5 array = H5Dopen2(file, "odd5", H5P_DEFAULT);
    hobj_ref_t references[2];
    H5Rcreate(&references[0], file, "mesh/rest", H5R_OBJECT, -1);
    H5Rcreate(&references[1], file, "rig", H5R_OBJECT, -1);
    H5Dwrite(array, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, H5P_DEFAULT, references);
}

/* Writes enough links and attributes that HDF5 indexes them. */
static void many_write(hid_t file)
{
    for (int i = 0; i < 12; i++) {
        char name[16];
        snprintf(name, sizeof name, "link%d", i);
        H5Lcreate_soft("/mesh/rest", file, name, H5P_DEFAULT, H5P_DEFAULT);
        attribute_number(file, name, H5T_IEEE_F64LE, i);
    }
}

static void file_write(const Storage *storage)
{
    HDF5 access = H5Pcreate(H5P_FILE_ACCESS), creation = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_libver_bounds(access, storage->oldest, H5F_LIBVER_LATEST);
    if (storage->user_block > 0)
        H5Pset_userblock(creation, storage->user_block);
    if (storage->paged) {
        H5Pset_file_space_strategy(creation, H5F_FSPACE_STRATEGY_PAGE, 1, 1);
        H5Pset_file_space_page_size(creation, 512);
    }
    if (storage->shared) {
        H5Pset_shared_mesg_nindexes(creation, 1);
        H5Pset_shared_mesg_index(creation, 0, H5O_SHMESG_ALL_FLAG, 20);
    }
    if (storage->many)
        H5Pset_attr_phase_change(creation, 2, 1);
    hid_t file = H5Fcreate(storage->name, H5F_ACC_TRUNC, creation, access);
    attribute_text(file, storage, "format", "skinbench");
    attribute_number(file, "schema_version", H5T_STD_I32LE, 1.0);
    attribute_text(file, storage, "name", "seed");
    attribute_text(file, storage, "title", "a triangle");
    attribute_text(file, storage, "source", "");
    attribute_text(file, storage, "license", "CC0");
    attribute_number(file, "fps", H5T_IEEE_F32LE, 30.0);
    arrays_write(file, storage);
    if (storage->linked) {
        H5Lmove(file, "mesh/rest", file, "elsewhere", H5P_DEFAULT, H5P_DEFAULT);
        if (storage->linked == 1)
            H5Lcreate_soft("/elsewhere", file, "mesh/rest", H5P_DEFAULT, H5P_DEFAULT);
        else if (storage->linked == 2)
            H5Lcreate_external("other.h5", "/elsewhere", file, "mesh/rest", H5P_DEFAULT, H5P_DEFAULT);
        else
            H5Lcreate_hard(file, "/", file, "mesh/rest", H5P_DEFAULT, H5P_DEFAULT);
    }
    if (storage->extra)
        oddities_write(file);
    if (storage->many)
        many_write(file);
    fuzz_require(H5Fclose(file) >= 0);
}

void hdf5_files_make(void)
{
    enum { OLD = H5F_LIBVER_EARLIEST, NEW = H5F_LIBVER_LATEST };
    static const Storage rows[] = {
        {.name = "old.h5", .layout = CONTIGUOUS, .oldest = OLD},
        {.name = "new.h5", .layout = CONTIGUOUS, .oldest = NEW},
        {.name = "old_variable.h5", .layout = COMPACT, .text = VARIABLE, .oldest = OLD},
        {.name = "new_variable.h5", .layout = COMPACT, .text = VARIABLE, .oldest = NEW},
        {.name = "padded_ascii.h5", .layout = COMPACT, .text = PADDED, .ascii = 1, .oldest = NEW},
        {.name = "old_chunked.h5", .layout = CHUNKED, .filters = DEFLATE | SHUFFLE | FLETCHER, .oldest = OLD},
        {.name = "new_chunked.h5", .layout = CHUNKED, .filters = DEFLATE | SHUFFLE, .oldest = NEW},
        {.name = "old_extensible.h5", .layout = EXTENSIBLE, .filters = FLETCHER, .oldest = OLD},
        {.name = "new_extensible.h5", .layout = EXTENSIBLE, .oldest = NEW},
        {.name = "new_extensible_packed.h5", .layout = EXTENSIBLE, .filters = DEFLATE, .oldest = NEW},
        {.name = "nbit.h5", .layout = CHUNKED, .filters = NBIT, .oldest = NEW},
        {.name = "scale_offset.h5", .layout = CHUNKED, .filters = SCALE_OFFSET, .oldest = NEW},
        {.name = "external.h5", .layout = EXTERNAL, .oldest = NEW},
        {.name = "virtual.h5", .layout = VIRTUAL, .oldest = NEW},
        {.name = "unwritten.h5", .layout = CHUNKED, .unwritten = 1, .oldest = NEW},
        {.name = "big_endian.h5", .layout = COMPACT, .big_endian = 1, .oldest = OLD},
        {.name = "committed.h5", .layout = COMPACT, .committed = 1, .oldest = NEW},
        {.name = "soft.h5", .layout = COMPACT, .linked = 1, .oldest = NEW},
        {.name = "elsewhere.h5", .layout = COMPACT, .linked = 2, .oldest = NEW},
        {.name = "circle.h5", .layout = COMPACT, .linked = 3, .oldest = OLD},
        {.name = "user_block.h5", .layout = COMPACT, .user_block = 512, .oldest = NEW},
        {.name = "paged.h5", .layout = COMPACT, .paged = 1, .oldest = NEW},
        {.name = "shared.h5", .layout = COMPACT, .shared = 1, .oldest = NEW},
        {.name = "many_old.h5", .layout = COMPACT, .many = 1, .oldest = OLD},
        {.name = "many_new.h5", .layout = COMPACT, .many = 1, .oldest = NEW},
        {.name = "zero_frames.h5", .layout = CONTIGUOUS, .zero_frames = 1, .oldest = OLD},
        {.name = "odd_old.h5", .layout = COMPACT, .extra = 1, .text = VARIABLE, .oldest = OLD},
        {.name = "odd_new.h5", .layout = COMPACT, .extra = 1, .oldest = NEW}};
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        file_write(&rows[i]);
}
