/* The catalogue is complete, names no path of a machine, and describes the files that are here correctly. */
#include "tests/support.h"

#include "datasets/io/catalogue.h"
#include "datasets/io/sha256.h"
#include "datasets/io/store.h"
#include "harness/environment/environment.h"

#include <sys/stat.h>

static void catalogue_load(Catalogue *catalogue)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/datasets/catalogue.json", environment_home());
    assert_ok(catalogue_read(path, catalogue));
}

static void entries_are_complete(void **state)
{
    (void)state;
    Catalogue catalogue;
    catalogue_load(&catalogue);
    assert_int_equal(catalogue.count, 10);
    for (int i = 0; i < catalogue.count; i++) {
        const CatalogueEntry *entry = &catalogue.entries[i];
        const char *texts[] = {entry->name,   entry->title,   entry->file, entry->kind,
                               entry->source, entry->license, entry->note};
        for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++)
            assert_true(texts[k][0] != '\0' && texts[k][0] != '/');
        assert_non_null(strchr(entry->source, '@'));
        assert_true(entry->vertices > 0 && entry->size_bytes > 0);
        assert_int_equal(strspn(entry->sha256, "0123456789abcdef"), 64);
        assert_int_equal(strlen(entry->sha256), 64);
    }
    catalogue_clear(&catalogue);
}

/* Counts of the data set files, which are read here; those of the archives are asserted by obj_sequence. */
static void assert_counts(const CatalogueEntry *entry, const char *path)
{
    Dataset *dataset = NULL;
    assert_ok(dataset_read(path, NULL, &dataset));
    int frames =
        dataset->animation.frame_count > 0 ? dataset->animation.frame_count : dataset->rig.frame_count;
    assert_string_equal(dataset->name, entry->name);
    assert_int_equal(dataset->mesh.vertex_count, entry->vertices);
    assert_int_equal(dataset->mesh.triangle_count, entry->triangles);
    assert_int_equal(dataset->rig.joint_count, entry->joints);
    assert_int_equal(dataset->rig.influence_count, entry->influences);
    assert_int_equal(frames, entry->frames);
    dataset_free(dataset);
}

static void data_files_are_described(void **state)
{
    (void)state;
    Catalogue catalogue;
    int found = 0;
    catalogue_load(&catalogue);
    for (int i = 0; i < catalogue.count; i++) {
        const CatalogueEntry *entry = &catalogue.entries[i];
        char path[1024], digest[65];
        struct stat file;
        if (!test_data(entry->file, path))
            continue;
        found++;
        assert_int_equal(stat(path, &file), 0);
        assert_int_equal(file.st_size, entry->size_bytes);
        assert_ok(file_sha256(path, digest));
        assert_string_equal(digest, entry->sha256);
        if (strcmp(entry->kind, "skinbench") == 0)
            assert_counts(entry, path);
    }
    catalogue_clear(&catalogue);
    if (found == 0)
        skip();
}

#define ENTRY_START                                                                                          \
    "{\"name\": \"a\", \"title\": \"A\", \"file\": \"a.h5\", \"kind\": \"skinbench\", \"sha256\": \"0\", "   \
    "\"source\": "                                                                                           \
    "\"b\", \"license\": \"c\", \"note\": \"d\", \"redistributable\": true, \"triangles\": 0, \"frames\": "  \
    "0, "                                                                                                    \
    "\"joints\": 0, \"influences\": 0, \"bytes\": 5000000000, \"paper\": []"

static void damage_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message; /* message NULL: is read */
    } rows[] = {
        {"{\"about\": \"\", \"datasets\": [" ENTRY_START ", \"vertices\": 3}]}", NULL},
        {"{\"about\": \"\", \"datasets\": [", ":1: "},
        {"{\"about\": \"\"}", "datasets"},
        {"{\"about\": \"\", \"datasets\": [" ENTRY_START "}]}",
         "data set 'a': Object item not found: vertices"},
        {"{\"about\": \"\", \"datasets\": [" ENTRY_START ", \"vertices\": \"3\"}]}", "Expected integer"},
        {"{\"about\": \"\", \"datasets\": [" ENTRY_START ", \"vertices\": 3, \"vertex\": 3}]}",
         "1 object item(s) left unpacked: vertex"},
    };
    char folder[64], path[128];
    Catalogue catalogue;
    test_folder(folder);
    snprintf(path, sizeof path, "%s/catalogue.json", folder);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fputs(rows[i].text, file);
        assert_int_equal(fclose(file), 0);
        if (rows[i].message) {
            assert_refused(STATUS_BAD_INPUT, rows[i].message, catalogue_read(path, &catalogue));
            assert_null(catalogue.json);
            continue;
        }
        assert_ok(catalogue_read(path, &catalogue));
        assert_true(catalogue.count == 1 && catalogue.entries[0].size_bytes == 5000000000);
        assert_string_equal(catalogue.entries[0].file, "a.h5");
        assert_null(catalogue.entries[0].rest);
        catalogue_clear(&catalogue);
    }
    unlink(path);
    rmdir(folder);
    assert_refused(STATUS_BAD_INPUT, "No such file", catalogue_read(path, &catalogue));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_are_complete),
        cmocka_unit_test(damage_is_named),
        cmocka_unit_test(data_files_are_described),
    };
    return unit_run(argc, argv, tests);
}
