/* Tests kernels cached on disk. A lookup returns exactly what was stored, or nothing. */
#include "tests/skinned.h"

#include "methods/runtime/kernel_cache.h"

static const char *const parts[] = {"compiler 1.0", "text", NULL}, *const other_parts[] = {"compiler 1.0t",
                                                                                           "ext", NULL};
static const char code[] = "the code of a kernel";

/* Makes an empty cache folder and uses it for the rest of the test. Returns its path. */
static const char *folder_enter(void)
{
    const char *folder = test_folder();
    assert_int_equal(setenv("SKINBENCH_CACHE", folder, 1), 0);
    return folder;
}

/* Deletes the folder and its files. Returns the number of files that it contained. */
static int folder_empty(const char *folder)
{
    int count = 0;
    for (const char *name; (name = name_in(folder, 0)) != NULL; count++) {
        assert_int_not_equal(name[0], '.'); /* no temporary file is left */
        assert_int_equal(unlink(text_of("%s/%s", folder, name)), 0);
    }
    assert_int_equal(rmdir(folder), 0);
    return count;
}

static bool holds(const char *key, const char *expected, size_t expected_size)
{
    OWNED void *loaded = NULL;
    size_t size = 0;
    assert_ok(kernel_cache_load(key, &loaded, &size));
    const bool same = loaded && size == expected_size && memcmp(loaded, expected, size) == 0;
    assert_true(same || !loaded);
    return same;
}

TEST(what_is_torn_or_foreign_is_not_there)
{
    char key[SHA256_TEXT_BYTES], other[SHA256_TEXT_BYTES];
    size_t size = 0;
    const char *folder = folder_enter();
    kernel_cache_key(parts, key);
    kernel_cache_key(other_parts, other);
    assert_string_not_equal(key, other); /* the same text, divided differently into parts */
    assert_false(holds(key, code, sizeof code));
    assert_ok(kernel_cache_store(key, code, sizeof code));
    assert_true(holds(key, code, sizeof code));
    assert_false(holds(other, code, sizeof code));
    const char *path = text_of("%s/%s.kernel", folder, key);
    OWNED char *whole = file_read(path, &size);
    assert_int_equal(size, strlen("skinbench kernel, version 1\n") + 2 * 65 + sizeof code);
    for (size_t cut = 0; cut < size; cut++) {
        bytes_write(path, whole, cut);
        assert_false(holds(key, code, sizeof code));
    }
    for (size_t at = 0; at < size; at++) {
        whole[at] ^= 1;
        bytes_write(path, whole, size);
        assert_false(holds(key, code, sizeof code));
        whole[at] ^= 1;
    }
    /* A kernel with another key, stored under this key's name, is refused. */
    assert_ok(kernel_cache_store(other, code, sizeof code));
    assert_int_equal(rename(text_of("%s/%s.kernel", folder, other), path), 0);
    assert_false(holds(key, code, sizeof code));
    /* Storing a kernel under this key replaces the wrong file. */
    assert_ok(kernel_cache_store(key, code, sizeof code));
    assert_true(holds(key, code, sizeof code));
    assert_int_equal(folder_empty(folder), 1);
}

TEST(the_folder_is_the_users)
{
    char path[KERNEL_CACHE_PATH_BYTES], key[SHA256_TEXT_BYTES];
    const char *folder = test_folder(), *inner = text_of("%s/a", folder), *nowhere = text_of("%s/b", inner);
    kernel_cache_key(parts, key);
    setenv("SKINBENCH_CACHE", "", 1);
    assert_false(kernel_cache_folder(path));
    assert_ok(kernel_cache_store(key, code, sizeof code));
    assert_false(holds(key, code, sizeof code));
    setenv("SKINBENCH_CACHE", nowhere, 1);
    assert_ok(kernel_cache_store(key, code, sizeof code)); /* creates the folders */
    assert_true(holds(key, code, sizeof code));
    assert_int_equal(folder_empty(nowhere), 1);
    assert_int_equal(rmdir(inner), 0);
    bytes_write(inner, "", 0); /* a file blocks a parent folder, so nothing can be stored */
    assert_ok(kernel_cache_store(key, code, sizeof code));
    assert_false(holds(key, code, sizeof code));
    folder_empty(folder);
    unsetenv("SKINBENCH_CACHE");
    setenv("XDG_CACHE_HOME", "/somewhere", 1);
    assert_true(kernel_cache_folder(path));
    assert_string_equal(path, "/somewhere/skinbench/kernels");
    setenv("XDG_CACHE_HOME", "relative", 1); /* the XDG specification says that relative paths are ignored */
    setenv("HOME", "/home/someone", 1);
    assert_true(kernel_cache_folder(path));
    assert_string_equal(path, "/home/someone/.cache/skinbench/kernels");
    setenv("SKINBENCH_CACHE", "/elsewhere", 1);
    assert_true(kernel_cache_folder(path));
    assert_string_equal(path, "/elsewhere");
}

TEST(memory_that_is_out_is_reported)
{
    char key[SHA256_TEXT_BYTES];
    void *loaded = NULL;
    size_t size = 0;
    const char *folder = folder_enter();
    kernel_cache_key(parts, key);
    assert_ok(kernel_cache_store(key, code, sizeof code));
    memory_fail_after(0);
    assert_int_equal(kernel_cache_load(key, &loaded, &size).code, STATUS_SYSTEM);
    assert_null(loaded);
    memory_fail_after(0);
    assert_int_equal(kernel_cache_store(key, code, sizeof code).code, STATUS_SYSTEM);
    memory_fail_after(-1);
    assert_true(holds(key, code, sizeof code));
    folder_empty(folder);
}

/* Replaces each cached file by a valid file whose code no driver accepts. Returns the number of files. */
static int codes_replace(const char *folder)
{
    int count = 0;
    for (const char *name; (name = name_in(folder, count)) != NULL; count++)
        assert_ok(kernel_cache_store(text_of("%.64s", name), code, sizeof code));
    return count;
}

/* Results are bit-identical in three cases: compiled from source, loaded from the cache, and compiled again
 * because the driver refused the cached program. */
TEST(opencl_keeps_its_programs)
{
    float made[300], kept[300], again[300];
    test_needs(backend_opencl);
    setenv("POCL_KERNEL_CACHE", "0", 1); /* otherwise the OpenCL driver PoCL would cache programs as well */
    const char *folder = folder_enter();
    Dataset *dataset =
        rig_make(PLAN(.vertices = 50, .joints = 3, .influences = 3, .frames = 2, .angle = 0.3, .seed = 4));
    skin_lbs(&backend_opencl, dataset, made);
    skin_lbs(&backend_opencl, dataset, kept);
    assert_memory_equal(kept, made, sizeof made);
    assert_int_equal(codes_replace(folder), 1);
    skin_lbs(&backend_opencl, dataset, again);
    assert_memory_equal(again, made, sizeof made);
    skin_lbs(&backend_opencl, dataset, again);
    assert_memory_equal(again, made, sizeof made);
    dataset_free(dataset);
    assert_int_equal(folder_empty(folder), 1);
}
