/* The catalogue is complete, names no path of a machine, and describes the files that are here correctly. */
#include "tests/support.h"

#include "datasets/io/store.h"
#include "harness/environment/environment.h"

#include <jansson.h>
#include <stdbool.h>
#include <sys/stat.h>

static json_t *catalogue_load(void)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/datasets/catalogue.json", environment_home());
    json_error_t error;
    json_t *catalogue = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (!catalogue)
        fail_msg("%s:%d: %s", path, error.line, error.text);
    return catalogue;
}

static const char *text_of(const json_t *entry, const char *key)
{
    const char *text = json_string_value(json_object_get(entry, key));
    if (!text)
        fail_msg("an entry has no %s", key);
    return text;
}

static void entries_are_complete(void **state)
{
    (void)state;
    static const char *const texts[] = {"name", "title", "file", "kind", "source", "license", "note"};
    static const char *const numbers[] = {"vertices", "triangles", "frames", "joints", "influences", "bytes"};
    json_t *catalogue = catalogue_load();
    const json_t *entries = json_object_get(catalogue, "datasets");
    assert_int_equal(json_array_size(entries), 10);
    for (size_t i = 0; i < json_array_size(entries); i++) {
        const json_t *entry = json_array_get(entries, i);
        for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++)
            assert_true(text_of(entry, texts[k])[0] != '\0' && text_of(entry, texts[k])[0] != '/');
        for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++)
            assert_true(json_is_integer(json_object_get(entry, numbers[k])));
        assert_true(json_is_boolean(json_object_get(entry, "redistributable")));
        assert_true(json_is_array(json_object_get(entry, "paper")));
        assert_non_null(strchr(text_of(entry, "source"), '@'));
        assert_int_equal(strspn(text_of(entry, "sha256"), "0123456789abcdef"), 64);
        assert_int_equal(strlen(text_of(entry, "sha256")), 64);
    }
    json_decref(catalogue);
}

/* Counts of the data set files, which are read here; those of the archives are asserted by obj_sequence. */
static void assert_counts(const json_t *entry, const char *path)
{
    Dataset *dataset = NULL;
    assert_ok(dataset_read(path, &dataset));
    int frames =
        dataset->animation.frame_count > 0 ? dataset->animation.frame_count : dataset->rig.frame_count;
    assert_string_equal(dataset->name, text_of(entry, "name"));
    assert_int_equal(dataset->mesh.vertex_count, json_integer_value(json_object_get(entry, "vertices")));
    assert_int_equal(dataset->mesh.triangle_count, json_integer_value(json_object_get(entry, "triangles")));
    assert_int_equal(dataset->rig.joint_count, json_integer_value(json_object_get(entry, "joints")));
    assert_int_equal(dataset->rig.influence_count, json_integer_value(json_object_get(entry, "influences")));
    assert_int_equal(frames, json_integer_value(json_object_get(entry, "frames")));
    dataset_free(dataset);
}

static void data_files_are_described(void **state)
{
    (void)state;
    json_t *catalogue = catalogue_load();
    const json_t *entries = json_object_get(catalogue, "datasets");
    int found = 0;
    for (size_t i = 0; i < json_array_size(entries); i++) {
        const json_t *entry = json_array_get(entries, i);
        char path[1024], digest[65];
        struct stat file;
        if (!test_data(text_of(entry, "file"), path))
            continue;
        found++;
        assert_int_equal(stat(path, &file), 0);
        assert_int_equal(file.st_size, json_integer_value(json_object_get(entry, "bytes")));
        assert_ok(file_sha256(path, digest));
        assert_string_equal(digest, text_of(entry, "sha256"));
        if (strcmp(text_of(entry, "kind"), "skinbench") == 0)
            assert_counts(entry, path);
    }
    json_decref(catalogue);
    if (found == 0)
        skip();
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_are_complete),
        cmocka_unit_test(data_files_are_described),
    };
    return unit_run(argc, argv, tests);
}
