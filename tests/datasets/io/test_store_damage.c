/* Tests damaged data set files. Each kind of damage gives STATUS_BAD_INPUT (exit code 3), with one line
 * that names the file, the object and the value. No memory of the size that a damaged file declares is
 * allocated, and no files are left. */
#include "tests/hdf5_files.h"
#include "tests/rigs.h"

#include <sys/resource.h>

enum { VERTICES = 4, TRIANGLES = 2, JOINTS = 2, FRAMES = 3, SLOTS = 2 };

/* Returns the path of the file that a test damages. */
static const char *file_path(void)
{
    return path_of("a.h5");
}

static Dataset *dataset_small(void)
{
    Dataset *dataset = dataset_made("small", 0.0, VERTICES, TRIANGLES, JOINTS, FRAMES, SLOTS);
    assert_ok(animation_allocate(&dataset->animation, FRAMES, VERTICES, 1));
    const int32_t triangles[] = {0, 1, 2, 0, 2, 3};
    memcpy(dataset->mesh.triangles, triangles, sizeof triangles);
    dataset->mesh.original_vertices = memory_array(VERTICES, sizeof(int32_t));
    for (int v = 0; v < VERTICES; v++)
        dataset->mesh.original_vertices[v] = VERTICES - 1 - v;
    float *stiffness = NULL;
    assert_ok(mesh_attribute_add(&dataset->mesh, "stiffness", &stiffness));
    dataset->rig.scale = memory_table(FRAMES, JOINTS, sizeof *dataset->rig.scale);
    dataset->rig.parents[0] = -1;
    for (int j = 0; j < JOINTS; j++)
        dataset->rig.joint_names[j] = memory_text("joint");
    for (int v = 0; v < VERTICES; v++)
        dataset->rig.weight_values[SLOTS * v] = 1.0f;
    dataset->low_rank = (LowRank){.rank = 1,
                                  .row_count = 3 * FRAMES,
                                  .basis = memory_table(3 * FRAMES, 1, sizeof(double)),
                                  .coefficients = memory_table(1, VERTICES, sizeof(float))};
    return dataset;
}

static void file_make(void)
{
    OWNED_BY(dataset_free) Dataset *dataset = dataset_small();
    assert_ok(dataset_write(dataset, file_path()));
}

/* Opens a valid file so that a test can damage it. */
static hid_t file_open(void)
{
    file_make();
    return H5Fopen(file_path(), H5F_ACC_RDWR, H5P_DEFAULT);
}

/* Makes a valid file and replaces an array by one of another shape or type. If `written`, the new array
 * contains zeros. Otherwise it is declared but never written, so that a few bytes on disk can declare a
 * large array. */
static void array_replace(const char *object, hid_t type, int rank, const hsize_t *extents, bool written,
                          const hsize_t *chunk)
{
    static const double zeros[4 * 5000]; /* as many zeros as the largest array in this test needs */
    HDF5 file = file_open(), creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Ldelete(file, object, H5P_DEFAULT);
    if (chunk) {
        H5Pset_chunk(creation, rank, chunk);
        H5Pset_deflate(creation, 9);
    }
    assert_true(hdf5_array(file, object, type, rank, extents, creation, type, written ? zeros : NULL));
}

/* Makes a valid file and replaces one value. */
static void value_replace(const char *object, const hsize_t *index, double value)
{
    HDF5 file = file_open(), array = H5Dopen2(file, object, H5P_DEFAULT);
    HDF5 space = H5Dget_space(array), one = H5Screate(H5S_SCALAR);
    H5Sselect_elements(space, H5S_SELECT_SET, 1, index);
    assert_true(H5Dwrite(array, H5T_NATIVE_DOUBLE, one, space, H5P_DEFAULT, &value) >= 0);
}

/* Checks that both ways of reading refuse the file with the same message. */
static void assert_read_refused(const char *message)
{
    Dataset *dataset = NULL;
    DatasetReader *reader = NULL;
    const Dataset *header = NULL;
    assert_int_equal(files_in(path_of("")), 1);
    assert_bad_input(message, dataset_read(file_path(), NULL, &dataset));
    assert_null(dataset);
    if (strncmp(message, "animation/", 10) == 0)
        return; /* values of frames are checked only when the frames are read */
    assert_bad_input(message, dataset_reader_open(file_path(), NULL, &reader, &header));
    assert_null(reader);
    assert_null(header);
}

TEST(wrong_shapes_are_named)
{
    static const struct {
        const char *object;
        int rank;
        hsize_t extents[4];
        const char *message;
    } rows[] = {
        {"mesh/rest", 1, {12}, "a.h5: mesh/rest has 1 dimensions, expected 2"},
        {"mesh/rest", 2, {4, 4}, "mesh/rest is 4 x 4, expected any x 3"},
        {"mesh/triangles", 2, {2, 4}, "mesh/triangles is 2 x 4, expected any x 3"},
        {"mesh/original_vertices", 1, {3}, "mesh/original_vertices is 3, expected 4"},
        {"mesh/original_vertices", 2, {4, 1}, "mesh/original_vertices has 2 dimensions, expected 1"},
        {"mesh/attributes/stiffness", 1, {3}, "mesh/attributes/stiffness is 3, expected 4"},
        {"mesh/attributes/stiffness", 2, {4, 3}, "mesh/attributes/stiffness has 2 dimensions, expected 1"},
        {"mesh/attributes", 1, {4}, "mesh/attributes has objects that cannot be listed"},
        {"rig/parents", 1, {3}, "rig/parents is 3, expected 2"},
        {"rig/rest", 3, {2, 5, 4}, "rig/rest is 2 x 5 x 4, expected 2 x 3 x 4"},
        {"rig/rest", 3, {2, 4, 4}, "rig/rest has 0 in the last row of matrix 0, expected 0 0 0 1"},
        {"rig/transforms",
         4,
         {3, 2, 4, 4},
         "rig/transforms has 0 in the last row of matrix 0, expected 0 0 0 1"},
        {"rig/transforms", 4, {3, 3, 3, 4}, "rig/transforms is 3 x 3 x 3 x 4, expected any x 2 x 3 x 4"},
        {"rig/scale", 4, {2, 2, 3, 3}, "rig/scale is 2 x 2 x 3 x 3, expected 3 x 2 x 3 x 3"},
        {"rig/weights/joints", 2, {5, 2}, "rig/weights/joints is 5 x 2, expected 4 x any"},
        {"rig/weights/values", 2, {4, 3}, "rig/weights/values is 4 x 3, expected 4 x 2"},
        {"animation/positions", 3, {3, 5, 3}, "animation/positions is 3 x 5 x 3, expected any x 4 x 3"},
        {"animation/positions", 2, {3, 12}, "animation/positions has 2 dimensions, expected 3"},
        {"animation/normals", 3, {2, 4, 3}, "animation/normals is 2 x 4 x 3, expected 3 x 4 x 3"},
        {"model/basis", 2, {8, 1}, "model/basis has 8 rows, expected 3 for each frame"},
        {"model/coefficients", 2, {2, 4}, "model/coefficients is 2 x 4, expected 1 x 4"},
        {"rig/weights/joints", 2, {4, 5000}, "declares 5000 rows, but at most 4096"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bool whole = strstr(rows[i].object, "parents") || strstr(rows[i].object, "joints");
        bool wide = strcmp(rows[i].object, "rig/rest") == 0 || strstr(rows[i].object, "trans") ||
                    strstr(rows[i].object, "scale") || strstr(rows[i].object, "basis");
        hid_t type = whole || strstr(rows[i].object, "triangles") || strstr(rows[i].object, "original")
                         ? H5T_STD_I32LE
                     : wide ? H5T_IEEE_F64LE
                            : H5T_IEEE_F32LE;
        array_replace(rows[i].object, type, rows[i].rank, rows[i].extents, true, NULL);
        assert_read_refused(rows[i].message);
    }
}

TEST(wrong_types_are_named)
{
    const hsize_t rest[] = {4, 3}, names[] = {2}, frames[] = {3, 4, 3};
    array_replace("rig/parents", H5T_IEEE_F32LE, 1, names, true, NULL);
    assert_read_refused("rig/parents holds floating-point numbers, expected integers");
    array_replace("rig/joint_names", H5T_STD_I32LE, 1, names, true, NULL);
    assert_read_refused("rig/joint_names holds integers, expected strings");
    hid_t bytes = H5Tcreate(H5T_OPAQUE, 4);
    array_replace("animation/positions", bytes, 3, frames, true, NULL);
    H5Tclose(bytes);
    assert_read_refused("animation/positions holds something else, expected floating");
    /* Numbers of other widths and byte orders are accepted, and integers in place of real numbers. */
    const hid_t half = H5Tcopy(H5T_IEEE_F32LE);
    H5Tset_fields(half, 15, 10, 5, 0, 10);
    H5Tset_size(half, 2);
    H5Tset_ebias(half, 15);
    const hid_t types[] = {H5T_IEEE_F64BE, H5T_IEEE_F32BE, H5T_STD_I32LE, H5T_STD_U8LE, H5T_STD_I64BE, half};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        array_replace("mesh/rest", types[i], 2, rest, true, NULL);
        OWNED_BY(dataset_free) Dataset *dataset = NULL;
        assert_ok(dataset_read(file_path(), NULL, &dataset));
    }
    H5Tclose(half);
}

TEST(missing_objects_are_named)
{
    static const char *const objects[] = {"mesh/rest",
                                          "rig/parents",
                                          "rig/rest",
                                          "rig/transforms",
                                          "rig/weights/joints",
                                          "rig/weights",
                                          "rig/weights/values",
                                          "animation/positions",
                                          "model/basis",
                                          "model/coefficients",
                                          "mesh"};
    for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++) {
        const char *missing = strcmp(objects[i], "mesh") == 0          ? "mesh/rest"
                              : strcmp(objects[i], "rig/weights") == 0 ? "rig/weights/joints"
                                                                       : objects[i];
        hid_t file = file_open();
        H5Ldelete(file, objects[i], H5P_DEFAULT);
        H5Fclose(file);
        assert_read_refused(text_of("a.h5: %s is missing", missing));
    }
    /* A group in place of an array is refused. */
    hid_t file = file_open();
    H5Ldelete(file, "mesh/rest", H5P_DEFAULT);
    H5Gclose(H5Gcreate2(file, "mesh/rest", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Fclose(file);
    assert_read_refused("mesh/rest is not an array");
}

/* Rigs may be stored as other programs write them: with 4 x 4 matrices, in single precision, and without
 * joint names. */
TEST(matrices_with_their_last_rows_and_unnamed_joints_are_read)
{
    const hsize_t rest[] = {JOINTS, 4, 4}, transforms[] = {FRAMES, JOINTS, 4, 4};
    double matrices[FRAMES * JOINTS][4][4] = {{{0.0}}};
    for (int i = 0; i < FRAMES * JOINTS; i++)
        for (int k = 0; k < 4; k++) {
            matrices[i][k][k] = k < 3 || i != 1 ? 1.0 : 0.99999994;
            matrices[i][k][3] = k < 3 ? i + 0.25 * k : matrices[i][k][3];
        }
    for (int single = 0; single < 2; single++) {
        const hid_t file = file_open();
        const hid_t type = single ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
        H5Ldelete(file, "rig/rest", H5P_DEFAULT);
        H5Ldelete(file, "rig/transforms", H5P_DEFAULT);
        H5Ldelete(file, "rig/joint_names", H5P_DEFAULT);
        assert_true(hdf5_array(file, "rig/rest", type, 3, rest, H5P_DEFAULT, H5T_NATIVE_DOUBLE, matrices) &&
                    hdf5_array(file, "rig/transforms", type, 4, transforms, H5P_DEFAULT, H5T_NATIVE_DOUBLE,
                               matrices));
        H5Fclose(file);
        OWNED_BY(dataset_free) Dataset *dataset = NULL;
        assert_ok(dataset_read(file_path(), NULL, &dataset));
        assert_int_equal(dataset->rig.frame_count, FRAMES);
        for (int i = 0; i < FRAMES * JOINTS; i++) {
            const Transform *t = &dataset->rig.transforms[i];
            assert_true(t->m00 == 1.0 && t->m11 == 1.0 && t->m22 == 1.0 && t->m01 == 0.0 && t->m20 == 0.0);
            assert_true(t->m03 == i && t->m13 == i + 0.25 && t->m23 == i + 0.5);
        }
        assert_true(dataset->rig.rest[1].m13 == 1.25);
        assert_string_equal(dataset->rig.joint_names[1], "unnamed joint 1");
    }
}

static size_t bytes_turn(unsigned flags, size_t count, const unsigned values[], size_t size, size_t *capacity,
                         void **buffer)
{
    (void)flags, (void)count, (void)values, (void)capacity, (void)buffer;
    return size;
}

/* A file may use a filter that only the program that wrote it has, such as h5py's lzf. The message names
 * the filter. */
TEST(a_filter_that_lacks_is_named)
{
    const H5Z_class2_t filter = {.version = H5Z_CLASS_T_VERS,
                                 .id = 32000,
                                 .encoder_present = 1,
                                 .decoder_present = 1,
                                 .name = "lzf",
                                 .filter = bytes_turn};
    const hsize_t rest[] = {VERTICES, 3};
    const float zeros[3 * VERTICES] = {0.0f};
    HDF5 creation = H5Pcreate(H5P_DATASET_CREATE);
    const hid_t file = file_open();
    assert_true(H5Zregister(&filter) >= 0);
    H5Ldelete(file, "mesh/rest", H5P_DEFAULT);
    H5Pset_chunk(creation, 2, rest);
    H5Pset_filter(creation, 32000, 0, 0, NULL);
    assert_true(hdf5_array(file, "mesh/rest", H5T_IEEE_F32LE, 2, rest, creation, H5T_NATIVE_FLOAT, zeros));
    H5Fclose(file);
    assert_true(H5Zunregister(32000) >= 0);
    assert_read_refused(
        "mesh/rest is packed by the filter 32000 (lzf), which HDF5 lacks on this machine. Where it can be "
        "read, save it with gzip");
}

/* Moves the attribute of a valid file to another name. */
static void attribute_rename(const char *name)
{
    HDF5 file = file_open();
    const char *const path = text_of("mesh/attributes/%s", name);
    assert_true(H5Lmove(file, "mesh/attributes/stiffness", file, path, H5P_DEFAULT, H5P_DEFAULT) >= 0);
}

/* Adds attributes with zeros to the file. `format` makes the path of each attribute from its number. */
static void attributes_add(const char *format, int count)
{
    const hsize_t extent = VERTICES;
    const float zeros[VERTICES] = {0.0f};
    HDF5 file = H5Fopen(file_path(), H5F_ACC_RDWR, H5P_DEFAULT);
    for (int i = 0; i < count; i++)
        assert_true(hdf5_array(file, text_of(format, i), H5T_IEEE_F32LE, 1, &extent, H5P_DEFAULT,
                               H5T_NATIVE_FLOAT, zeros));
}

TEST(wrong_names_of_attributes_are_refused)
{
    attribute_rename("two words");
    assert_read_refused(
        "a.h5: mesh/attributes/two words: this name is not allowed, expected 1 to 47 letters, digits, "
        "underscores, hyphens or points");
    attribute_rename("a234567890123456789012345678901234567890123456789");
    assert_read_refused("mesh/attributes/a2345678901234567890");
    attribute_rename("a23456789012345678901234567890123456789012345678901234567890123456789");
    assert_read_refused("a.h5: an object in mesh/attributes has a name of 69 bytes, expected at most 63");
    file_make();
    attributes_add("mesh/attributes/in/%d", 1);
    assert_read_refused("mesh/attributes/in is not an array");
    file_make();
    attributes_add("mesh/attributes/n%d", MESH_ATTRIBUTES_MAX);
    assert_read_refused("a.h5: the mesh has more than 64 attributes");
}

TEST(wrong_values_are_named)
{
    static const struct {
        const char *object;
        hsize_t at[4];
        double value;
        const char *message;
    } rows[] = {
        {"mesh/rest", {3, 1}, NAN, "a.h5: mesh/rest[3,1] is nan"},
        {"mesh/rest", {0, 0}, INFINITY, "mesh/rest[0,0] is inf"},
        {"mesh/rest", {2, 0}, 1e300, "mesh/rest[2,0] is inf"},
        {"mesh/triangles", {1, 2}, 4, "mesh/triangles[1,2] is 4, expected 0 to 3"},
        {"mesh/triangles", {0, 0}, -1, "mesh/triangles[0,0] is -1, expected 0 to 3"},
        {"mesh/original_vertices", {1}, 4, "mesh/original_vertices[1] is 4, expected 0 to 3"},
        {"mesh/original_vertices", {0}, -1, "mesh/original_vertices[0] is -1, expected 0 to 3"},
        {"mesh/original_vertices", {2}, 3, "mesh/original_vertices[2] is 3, the same as that of vertex 0"},
        {"mesh/attributes/stiffness", {3}, NAN, "mesh/attributes/stiffness[3] is nan"},
        {"mesh/attributes/stiffness", {1}, -2e9, "mesh/attributes/stiffness[1] is -2e+09, expected no more"},
        {"rig/parents", {0}, 1, "rig/parents[0] is 1, expected -1 or a joint before it"},
        {"rig/parents", {1}, -2, "rig/parents[1] is -2"},
        {"rig/rest", {1, 2, 3}, NAN, "rig/rest[1,2,3] is nan"},
        {"rig/transforms", {2, 1, 0, 3}, -INFINITY, "rig/transforms[2,1,0,3] is -inf"},
        {"rig/scale", {2, 0, 1, 2}, NAN, "rig/scale[2,0,1,2] is nan"},
        {"rig/weights/joints", {3, 1}, 2, "rig/weights/joints[3,1] is 2, expected 0 to 1"},
        {"rig/weights/values", {3, 1}, NAN, "rig/weights/values[3,1] is nan"},
        {"rig/weights/values", {2, 0}, 0, "rig/weights/values of vertex 2 have the sum 0, expected 1"},
        {"animation/positions", {2, 1, 0}, NAN, "animation/positions[2,1,0] is nan"},
        {"animation/normals", {0, 3, 2}, INFINITY, "animation/normals[0,3,2] is inf"},
        {"model/basis", {8, 0}, NAN, "model/basis[8,0] is nan"},
        {"model/coefficients", {0, 3}, NAN, "model/coefficients[0,3] is nan"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        OWNED_BY(dataset_free) Dataset *dataset = NULL;
        value_replace(rows[i].object, rows[i].at, rows[i].value);
        assert_read_refused(rows[i].message);
        assert_ok(dataset_read_unchecked(file_path(), NULL, &dataset));
    }
    /* When only some frames or vertices of a file are read, an invalid value is reported by the read that
     * covers it, and by no other. */
    const hsize_t at[] = {1, 2, 1};
    float positions[FRAMES * VERTICES * 3];
    OWNED_BY(dataset_reader_close) DatasetReader *reader = NULL;
    const Dataset *header = NULL;
    value_replace("animation/positions", at, NAN);
    assert_ok(dataset_reader_open(file_path(), NULL, &reader, &header));
    assert_ok(dataset_read_frames(reader, 0, 1, positions));
    assert_bad_input("animation/positions[1,2,1] is nan", dataset_read_frames(reader, 1, 2, positions));
    assert_ok(dataset_read_vertices(reader, 0, 2, positions));
    assert_bad_input("animation/positions[1,2,1] is nan", dataset_read_vertices(reader, 1, 3, positions));
}

static void attribute_replace(const char *name, const char *text, double number)
{
    HDF5 file = file_open(), type = H5Tcopy(text ? H5T_C_S1 : H5T_NATIVE_DOUBLE);
    if (text)
        H5Tset_size(type, strlen(text) + 1);
    H5Adelete(file, name);
    assert_true(hdf5_attribute(file, name, type, type, text ? (const void *)text : (const void *)&number));
}

TEST(attributes_are_checked)
{
    attribute_replace("format", "other", 0);
    assert_read_refused("attribute format is 'other', expected 'skinbench'");
    attribute_replace("schema_version", NULL, 2);
    assert_read_refused("attribute schema_version is 2, expected 1");
    attribute_replace("schema_version", "one", 0);
    assert_read_refused("attribute schema_version is not a single number");
    attribute_replace("title", NULL, 5);
    assert_read_refused("attribute title is not a single string");
    attribute_replace("fps", NULL, -1);
    assert_read_refused("attribute fps is -1");
    /* Strings of fixed length can be read, and missing strings are read as empty. */
    attribute_replace("title", "fixed", 0);
    hid_t file = H5Fopen(file_path(), H5F_ACC_RDWR, H5P_DEFAULT);
    H5Adelete(file, "license");
    H5Fclose(file);
    Dataset *dataset = NULL;
    assert_ok(dataset_read(file_path(), NULL, &dataset));
    assert_string_equal(dataset->title, "fixed");
    assert_string_equal(dataset->license, "");
    dataset_free(dataset);
    file = H5Fopen(file_path(), H5F_ACC_RDWR, H5P_DEFAULT);
    H5Adelete(file, "format");
    H5Fclose(file);
    assert_read_refused("attribute format is missing");
}

TEST(announced_sizes_are_not_believed)
{
    const hsize_t vertices[] = {1000000000000, 3}, many[] = {500000000, 3}, chunk[] = {1024, 3};
    const hsize_t frames[] = {500000000, VERTICES, 3}, frames_chunk[] = {1024, VERTICES, 3},
                  joints[] = {1000000};
    /* If the reader trusted any of these sizes, it would exceed the memory limit and the test would end. */
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_DATA, &before), 0);
#if !defined(__SANITIZE_ADDRESS__)
    struct rlimit limit = {.rlim_cur = 1ul << 30, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_DATA, &limit), 0);
#endif
    array_replace("mesh/rest", H5T_IEEE_F32LE, 2, vertices, false, chunk);
    assert_read_refused("a.h5: mesh/rest declares 1000000000000 rows, but at most 536870911 can be read");
    array_replace("mesh/rest", H5T_IEEE_F32LE, 2, vertices, false, NULL);
    assert_read_refused("mesh/rest declares 1000000000000 rows");
    array_replace("mesh/rest", H5T_IEEE_F32LE, 2, many, false, chunk);
    assert_read_refused("mesh/rest declares 500000000 x 3 values (6000000000 bytes), but the file stores 0");
    array_replace("mesh/rest", H5T_IEEE_F32LE, 2, many, false, NULL);
    assert_read_refused("mesh/rest declares 500000000 x 3 values");
    array_replace("animation/positions", H5T_IEEE_F32LE, 3, frames, false, frames_chunk);
    assert_read_refused("animation/positions declares 500000000 x 4 x 3 values");
    array_replace("rig/joint_names", H5T_C_S1, 1, joints, false, NULL);
    assert_read_refused("rig/joint_names declares 1000000 values");
    assert_int_equal(setrlimit(RLIMIT_DATA, &before), 0);
}

/* HDF5 reads chunks that were never written as zeros, such as those of an interrupted program. */
TEST(chunks_that_were_never_written_are_refused)
{
    const hsize_t extents[] = {VERTICES, 3}, chunk[] = {1, 3}, at[] = {2, 1};
    array_replace("mesh/rest", H5T_IEEE_F32LE, 2, extents, false, chunk);
    {
        HDF5 file = H5Fopen(file_path(), H5F_ACC_RDWR, H5P_DEFAULT);
        HDF5 array = H5Dopen2(file, "mesh/rest", H5P_DEFAULT), space = H5Dget_space(array);
        HDF5 one = H5Screate(H5S_SCALAR);
        H5Sselect_elements(space, H5S_SELECT_SET, 1, at);
        assert_true(H5Dwrite(array, H5T_NATIVE_FLOAT, one, space, H5P_DEFAULT, &(float){1.0f}) >= 0);
    }
    assert_read_refused("mesh/rest has 3 chunks that were never written");
    array_replace("mesh/rest", H5T_IEEE_F32LE, 2, extents, true,
                  (hsize_t[]){3, 2}); /* chunks beyond the end */
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    assert_ok(dataset_read(file_path(), NULL, &dataset));
}

static Status bytes_read_back(const char *bytes, size_t size)
{
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    bytes_write(file_path(), bytes, size);
    Status status = dataset_read(file_path(), NULL, &dataset);
    assert_true((status.code == STATUS_OK) == (dataset != NULL));
    return status;
}

/* A file truncated at any length is refused. */
TEST(truncated_files_are_refused)
{
    size_t size = 0;
    file_make();
    OWNED char *bytes = file_read(file_path(), &size);
    for (size_t length = 0; length < size; length += length < 128 ? 1 : size / 200) {
        Status status = bytes_read_back(bytes, length);
        assert_int_equal(status.code, STATUS_BAD_INPUT);
        assert_holds(status.text, "a.h5: ");
        assert_null(strchr(status.text, '\n'));
    }
    Dataset *dataset = NULL;
    assert_bad_input("cannot be opened", dataset_read("/nowhere/a.h5", NULL, &dataset));
    assert_bad_input("not a plain file", dataset_read("/tmp", NULL, &dataset));
}

/* Some bytes are changed, anywhere in the file. The file must then be refused, or its values must be
 * legal. */
TEST(random_damage_never_crashes)
{
    enum { ROUNDS = 400 };
    size_t size = 0;
    file_make();
    OWNED char *sound = file_read(file_path(), &size), *damaged = memory_array(size, 1);
    Random random = {1};
    for (int round = 0; round < ROUNDS; round++) {
        memcpy(damaged, sound, size);
        for (int i = 0; i <= round % 4; i++)
            damaged[random_below(&random, size)] = (char)random_next(&random);
        Status status = bytes_read_back(damaged, size);
        assert_true(status.code == STATUS_OK || status.code == STATUS_BAD_INPUT);
    }
}

TEST(no_memory_is_a_status)
{
    OWNED_BY(dataset_free) Dataset *dataset = dataset_small();
    OWNED_BY(dataset_free) Dataset *back = NULL;
    assert_allocations_may_fail(0, dataset_write(dataset, file_path()),
                                assert_int_equal(files_in(path_of("")), 0));
    assert_allocations_may_fail(20, dataset_read(file_path(), NULL, &back), assert_null(back));
}

/* The writer refuses whatever the reader would refuse, before it writes anything to disk. */
TEST(damaged_data_are_not_written)
{
    OWNED_BY(dataset_free) Dataset *dataset = dataset_small();
    dataset->rig.weight_values[0] = 0.0f;
    assert_bad_input("of vertex 0 have the sum 0", dataset_write(dataset, file_path()));
    dataset->rig.weight_values[0] = 1.0f;
    dataset->mesh.triangles[0] = VERTICES;
    assert_bad_input("mesh/triangles[0,0] is 4", dataset_write(dataset, file_path()));
    dataset->mesh.triangles[0] = 0;
    dataset->animation.normals[1] = NAN;
    assert_bad_input("animation/normals[0,0,1]", dataset_write(dataset, file_path()));
    assert_int_equal(files_in(path_of("")), 0);
}
