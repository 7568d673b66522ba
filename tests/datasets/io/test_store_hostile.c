/* Tests hostile data set files. They contain variable-length strings as h5py writes them, with every byte
 * damaged in turn, and links, external storage and virtual data sets that lead out of the file. No file may
 * cause a crash, a hang or the reading of another file. */
#include "tests/hdf5_files.h"
#include "tests/support.h"

#include "datasets/base/random.h"
#include "datasets/io/store.h"

enum { VERTICES = 3 };

static void text_attribute(hid_t file, const char *name, const char *value)
{
    HDF5 type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    assert_true(hdf5_attribute(file, name, type, type, (const void *)&value));
}

static void array_write(hid_t file, const char *name, hid_t type, int rank, const hsize_t *extents,
                        const void *values, hid_t creation)
{
    assert_true(hdf5_array(file, name, type, rank, extents, creation, type, values));
}

/* Begins a small animation in HDF5's oldest format, whose metadata has no checksums. The file has mesh/rest
 * only if `rest` is set. */
static hid_t file_begin(const char *path, bool rest)
{
    const float positions[2 * VERTICES * 3] = {0.0f, 1.0f, 2.0f, 3.0f};
    const double version = 1.0;
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    text_attribute(file, "format", "skinbench");
    text_attribute(file, "name", "hostile");
    text_attribute(file, "title", "as h5py writes it");
    assert_true(hdf5_attribute(file, "schema_version", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &version));
    H5Gclose(H5Gcreate2(file, "mesh", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    if (rest)
        array_write(file, "mesh/rest", H5T_NATIVE_FLOAT, 2, (hsize_t[]){VERTICES, 3}, positions, H5P_DEFAULT);
    array_write(file, "animation/positions", H5T_NATIVE_FLOAT, 3, (hsize_t[]){2, VERTICES, 3}, positions,
                H5P_DEFAULT);
    return file;
}

static Status read_status(const char *path)
{
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    Status status = dataset_read(path, NULL, &dataset);
    assert_true((status.code == STATUS_OK) == (dataset != NULL));
    return status;
}

/* Every byte of the file is set to values that break lengths, counts and addresses. */
TEST(damaged_strings_are_survived)
{
    static const unsigned char values[] = {0x00, 0x01, 0xff};
    const char *path = path_of("a.h5");
    int read = 0, refused = 0;
    H5Fclose(file_begin(path, true));
    assert_ok(read_status(path));
    size_t size = 0;
    OWNED unsigned char *bytes = (unsigned char *)file_read(path, &size);
    Random random = {9};
    for (size_t at = 0; at < size; at++) {
        unsigned char kept = bytes[at], value = values[random_below(&random, 3)];
        if (kept == value || (kept == 0 && random_below(&random, 8) > 0)) /* most zeros are padding */
            continue;
        bytes[at] = value;
        bytes_write(path, bytes, size);
        Status status = read_status(path);
        bytes[at] = kept;
#if defined(__SANITIZE_ADDRESS__) /* the sanitizer ends the process when HDF5 reads out of bounds */
        if (status.code == STATUS_SYSTEM && strstr(status.text, "could not continue"))
            status.code = STATUS_BAD_INPUT;
#endif
        if (status.code != STATUS_OK && status.code != STATUS_BAD_INPUT)
            fail_msg("byte %zu set to %d: code %d, %s", at, value, (int)status.code, status.text);
        *(status.code == STATUS_OK ? &read : &refused) += 1;
    }
    print_message("%d damaged files read, %d refused\n", read, refused);
    assert_true(read > 0 && refused > 0);
    assert_int_equal(files_in(path_of("")), 1);
}

TEST(links_out_of_the_file_are_refused)
{
    const char *path = path_of("a.h5"), *other = path_of("other");
    H5Fclose(file_begin(other, true)); /* the file that the links point to */
    hid_t file = file_begin(path, false);
    H5Lcreate_external(other, "mesh/rest", file, "mesh/rest", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
    assert_bad_input("mesh/rest is an external link to", read_status(path));
    assert_bad_input(other, read_status(path));

    file = file_begin(path, false);
    H5Lcreate_external(other, "mesh", file, "elsewhere", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/elsewhere/rest", file, "mesh/rest", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
    assert_bad_input("elsewhere is an external link to", read_status(path));

    file = file_begin(path, false);
    H5Lcreate_soft("rest", file, "mesh/rest", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
    assert_bad_input("endless chain", read_status(path));

    file = file_begin(path, false);
    H5Lcreate_soft("/nothing", file, "mesh/rest", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
    assert_bad_input("soft link to '/nothing', which does not exist", read_status(path));
}

TEST(links_in_the_file_are_followed)
{
    const char *path = path_of("a.h5");
    const float rest[3 * VERTICES] = {0.0f};
    hid_t file = file_begin(path, false);
    array_write(file, "mesh/kept", H5T_NATIVE_FLOAT, 2, (hsize_t[]){VERTICES, 3}, rest, H5P_DEFAULT);
    H5Lcreate_soft("kept", file, "mesh/rest", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
    assert_ok(read_status(path));
}

TEST(storage_in_other_files_is_refused)
{
    const hsize_t extents[] = {VERTICES, 3};
    const float rest[3 * VERTICES] = {0.0f};
    const char *path = path_of("a.h5"), *other = path_of("other");
    HDF5 external = H5Pcreate(H5P_DATASET_CREATE), virtual = H5Pcreate(H5P_DATASET_CREATE);
    hid_t file = file_begin(path, false);
    H5Pset_external(external, other, 0, sizeof rest);
    array_write(file, "mesh/rest", H5T_NATIVE_FLOAT, 2, extents, rest, external);
    H5Fclose(file);
    assert_bad_input("mesh/rest is stored in the file", read_status(path));

    H5Fclose(file_begin(other, true));
    file = file_begin(path, false);
    HDF5 space = H5Screate_simple(2, extents, NULL);
    H5Pset_virtual(virtual, space, other, "mesh/rest", space);
    array_write(file, "mesh/rest", H5T_NATIVE_FLOAT, 2, extents, NULL, virtual);
    H5Fclose(file);
    assert_bad_input("mesh/rest is a virtual data set of the file", read_status(path));
}

/* A file may have more variable-length names than fit in one transfer between the processes. */
TEST(many_names_are_read)
{
    enum { JOINTS = 3000, NAME_BYTES = 40 };
    const hsize_t count = JOINTS;
    const char *path = path_of("a.h5");
    char(*texts)[NAME_BYTES] = memory_array(JOINTS, NAME_BYTES);
    const char **names = memory_array(JOINTS, sizeof *names);
    int32_t *parents = memory_array(JOINTS, sizeof *parents), slots[VERTICES] = {0};
    double *matrices = memory_array(JOINTS, 12 * sizeof *matrices);
    const float weights[VERTICES] = {1.0f, 1.0f, 1.0f};
    for (int j = 0; j < JOINTS; j++) {
        snprintf(texts[j], NAME_BYTES, "%*d", j % 30, j);
        names[j] = texts[j];
        parents[j] = j - 1;
    }
    HDF5 type = H5Tcopy(H5T_C_S1);
    hid_t file = file_begin(path, true);
    H5Tset_size(type, H5T_VARIABLE);
    array_write(file, "rig/joint_names", type, 1, &count, (const void *)names, H5P_DEFAULT);
    array_write(file, "rig/parents", H5T_NATIVE_INT32, 1, &count, parents, H5P_DEFAULT);
    array_write(file, "rig/rest", H5T_NATIVE_DOUBLE, 3, (hsize_t[]){JOINTS, 3, 4}, matrices, H5P_DEFAULT);
    array_write(file, "rig/transforms", H5T_NATIVE_DOUBLE, 4, (hsize_t[]){1, JOINTS, 3, 4}, matrices,
                H5P_DEFAULT);
    array_write(file, "rig/weights/joints", H5T_NATIVE_INT32, 2, (hsize_t[]){VERTICES, 1}, slots,
                H5P_DEFAULT);
    array_write(file, "rig/weights/values", H5T_NATIVE_FLOAT, 2, (hsize_t[]){VERTICES, 1}, weights,
                H5P_DEFAULT);
    H5Fclose(file);
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    assert_ok(dataset_read(path, NULL, &dataset));
    for (int j = 0; j < JOINTS; j++)
        assert_string_equal(dataset->rig.joint_names[j], texts[j]);
    FREE_ALL(matrices, parents, (void *)names, texts);
}
