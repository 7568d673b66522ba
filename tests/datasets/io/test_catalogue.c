/* The catalogue is complete, contains no absolute paths, and describes the available files correctly. */
#include "tests/support.h"

#include "datasets/io/catalogue.h"
#include "datasets/io/sha256.h"
#include "datasets/io/store.h"
#include "harness/measure/environment/environment.h"

#include <sys/stat.h>

static void catalogue_load(Catalogue *catalogue)
{
    assert_ok(catalogue_read(text_of("%s/datasets/catalogue.json", environment_home()), catalogue));
}

static bool is_digest(const char *text)
{
    return text && strlen(text) == 64 && strspn(text, "0123456789abcdef") == 64;
}

/* Checks an entry of the catalogue. The address must contain the commit that `source` names. Every file
 * must have a relative path, a size and a digest, and no path may be repeated. There must be as many .obj
 * files as frames, and a rest pose if the entry names one. An entry with only a rig (ssd) must list its
 * mesh. */
static void assert_upstream(const CatalogueEntry *entry)
{
    char line[512], last[512] = "";
    int files = 0, meshes = 0;
    const char *commit = strchr(entry->source, '@') + 1, *slash = strchr(entry->upstream.address, '\0') - 1;
    assert_true(strncmp(entry->upstream.address, "https://", 8) == 0 && *slash == '/');
    assert_memory_equal(slash - 40, commit, 40);
    assert_true(entry->upstream.citation[0] != '\0');
    assert_true(!entry->upstream.sha256 || is_digest(entry->upstream.sha256));
    FILE *file = fopen(text_of("%s/datasets/upstream/%s.tsv", environment_home(), entry->name), "r");
    assert_non_null(file);
    for (; fgets(line, sizeof line, file); files++) {
        const size_t end = strcspn(line, "\t");
        char *digest = line;
        const long long size_bytes = strtoll(line + end, &digest, 10);
        assert_true(*digest == '\t' && size_bytes > 0);
        digest[1 + strcspn(digest + 1, "\n")] = '\0';
        line[end] = '\0';
        assert_true(line[0] != '/' && !strstr(line, "..") && is_digest(digest + 1));
        assert_string_not_equal(line, last);
        snprintf(last, sizeof last, "%s", line);
        meshes += strstr(line, ".obj") != NULL;
    }
    assert_int_equal(fclose(file), 0);
    bool rest = entry->joints > 0 || (entry->rest && strstr(entry->rest, ".obj"));
    const bool alone = strncmp(entry->name, "ssd-", 4) == 0;
    assert_int_equal(meshes > 0 ? meshes : files, alone ? 1 : meshes > 0 ? entry->frames + rest : 1);
}

TEST(entries_are_complete)
{
    CLEANUP(catalogue_clear) Catalogue catalogue = {0};
    catalogue_load(&catalogue);
    assert_int_equal(catalogue.count, 35);
    int fetched = 0;
    for (int i = 0; i < catalogue.count; i++) {
        const CatalogueEntry *entry = &catalogue.entries[i];
        const char *texts[] = {entry->name,   entry->title,   entry->kind,
                               entry->source, entry->license, entry->note};
        for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++)
            assert_true(texts[k][0] != '\0' && texts[k][0] != '/');
        assert_non_null(strchr(entry->source, '@'));
        assert_true(entry->file || entry->upstream.address);
        if (entry->file) {
            assert_true(entry->file[0] != '/' && entry->vertices > 0 && entry->size_bytes > 0);
            assert_true(is_digest(entry->sha256));
        }
        if (entry->upstream.address) {
            fetched++;
            assert_upstream(entry);
        }
    }
    assert_int_equal(fetched, 34);
    for (int i = 0; i < catalogue.missing_count; i++)
        assert_true(strncmp(catalogue.missing[i].visit, "http", 4) == 0);
}

/* Checks the counts in an entry against its data set file. Archives are checked by test_mesh_sequence.c. */
static void assert_counts(const CatalogueEntry *entry, const char *path)
{
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    assert_ok(dataset_read(path, NULL, &dataset));
    int frames =
        dataset->animation.frame_count > 0 ? dataset->animation.frame_count : dataset->rig.frame_count;
    assert_string_equal(dataset->name, entry->name);
    assert_true(entry->vertices == 0 || dataset->mesh.vertex_count == entry->vertices);
    assert_true(entry->triangles == 0 || dataset->mesh.triangle_count == entry->triangles);
    assert_int_equal(dataset->rig.joint_count, entry->joints);
    assert_true(entry->influences == 0 || dataset->rig.influence_count == entry->influences);
    assert_int_equal(frames, entry->frames);
}

TEST(data_files_are_described)
{
    Catalogue catalogue;
    int found = 0;
    catalogue_load(&catalogue);
    for (int i = 0; i < catalogue.count; i++) {
        const CatalogueEntry *entry = &catalogue.entries[i];
        const CatalogueUpstream *upstream = &entry->upstream;
        char digest[65];
        struct stat file;
        const char *data = getenv("SKINBENCH_TEST_DATA");
        const char *path = text_of("%s/%s.h5", data ? data : "", entry->name);
        if (access(path, R_OK) != 0)
            path = entry->file ? test_data(entry->file) : NULL;
        if (!path)
            continue;
        found++;
        assert_int_equal(stat(path, &file), 0);
        assert_ok(file_sha256(path, digest));
        /* In a folder made by scripts/fetch-datasets, the file is the result of `import`. */
        if (entry->file && strcmp(digest, entry->sha256) == 0)
            assert_int_equal(file.st_size, entry->size_bytes);
        else if (upstream->sha256)
            assert_string_equal(digest, upstream->sha256);
        else
            assert_non_null(upstream->address);
        if (strstr(path, ".h5"))
            assert_counts(entry, path);
    }
    catalogue_clear(&catalogue);
    if (found == 0)
        skip();
}

#define ENTRY_START                                                                                          \
    "{'name': 'a', 'title': 'A', 'file': 'a.h5', 'kind': 'skinbench', 'sha256': '" DIGEST_OF(                \
        "0") "', "                                                                                           \
             "'source': "                                                                                    \
             "'b', 'license': 'c', 'note': 'd', 'redistributable': true, 'triangles': 0, 'frames': "         \
             "0, "                                                                                           \
             "'joints': 0, 'influences': 0, 'bytes': 5000000000, 'paper': []"

TEST(damage_is_named)
{
    static const char *const rows[][2] = {
        /* The second text is the expected message. It is NULL if the catalogue is valid. */
        {"{'about': '', 'datasets': [" ENTRY_START ", 'vertices': 3}]}", NULL},
        {"{'about': '', 'datasets': [", ":1: "},
        {"{'about': ''}", "datasets"},
        {"{'about': '', 'datasets': [" ENTRY_START "}]}", "data set 'a': Object item not found: vertices"},
        {"{'about': '', 'datasets': [" ENTRY_START ", 'vertices': '3'}]}", "Expected integer"},
        {"{'about': '', 'datasets': [" ENTRY_START ", 'vertices': 3, 'vertex': 3}]}",
         "1 object item(s) left unpacked: vertex"},
        {"{'about': '', 'datasets': [" ENTRY_START
         ", 'vertices': 3, 'upstream': {'address': 'b', 'citation': 'c'}}]}",
         "data set 'a': upstream: Object item not found: import"},
        {"{'about': '', 'datasets': [" ENTRY_START
         ", 'vertices': 3, 'upstream': {'address': 'b', 'citation': 'c', 'import': ['obj', 3]}}]}",
         "data set 'a': upstream.import is not a list of texts"},
        {"{'about': '', 'datasets': [], 'missing': [{'name': 'm'}]}",
         "missing data set 'm': Object item not found: title"}};
    Catalogue catalogue;
    const char *path = path_of("catalogue.json");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        text_write(path, quoted(rows[i][0]));
        if (rows[i][1]) {
            assert_bad_input(rows[i][1], catalogue_read(path, &catalogue));
            catalogue_clear(&catalogue);
            continue;
        }
        assert_ok(catalogue_read(path, &catalogue));
        assert_true(catalogue.count == 1 && catalogue.entries[0].size_bytes == 5000000000);
        assert_string_equal(catalogue.entries[0].file, "a.h5");
        assert_null(catalogue.entries[0].rest);
        catalogue_clear(&catalogue);
    }
    unlink(path);
    assert_bad_input("No such file", catalogue_read(path, &catalogue));
    assert_null(catalogue.json);
}
