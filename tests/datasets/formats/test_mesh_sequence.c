/* Sequences of mesh files: folders, patterns, archives; what is refused; export and import again. */
#include "tests/imports.h"
#include "tests/rigs.h"

#include "datasets/io/sha256.h"
#include "datasets/io/temporary_folder.h"

#include <sys/stat.h>

enum { FRAMES = 12 };

/* Frame f of the test's animation: vertex 1 stands at x = f. */
static const char *frame_text(int f)
{
    return text_of("v 0 0 0\nv %d 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 4 3\n", f);
}

/* The same but for vertex 1 at x = 77, with other triangles. */
static const char other_rest[] = "v 0 0 0\nv 77 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 4\nf 1 4 3\n";

static void frames_write(const char *folder)
{
    for (int f = 1; f <= FRAMES; f++)
        text_write(text_of("%s/%d.obj", folder, f), frame_text(f));
}

static Status import_from(const char *input, const char *rest)
{
    ImportOptions options = {.inputs = &input, .input_count = 1, .rest = rest, .scale = 1.0, .fps = 25.0};
    return obj_sequence_import(&options, path_of("out.h5"));
}

/* The frames in their order; vertex 1 of the rest pose at rest_x. */
static void assert_imported(const char *input, const char *rest, float rest_x)
{
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    assert_ok(import_from(input, rest));
    assert_ok(dataset_read(path_of("out.h5"), NULL, &dataset));
    assert_int_equal(dataset->mesh.vertex_count, 4);
    assert_int_equal(dataset->mesh.triangle_count, 2);
    assert_int_equal(dataset->animation.frame_count, FRAMES);
    assert_true(dataset->fps == 25.0);
    for (int f = 0; f < FRAMES; f++)
        assert_true(dataset->animation.positions[12 * f + 3] == (float)(f + 1));
    assert_true(dataset->mesh.rest[3] == rest_x);
}

TEST(folders_patterns_and_files)
{
    const char *input = path_of("horse");
    assert_int_equal(mkdir(input, 0777), 0);
    frames_write(input);
    text_write("horse/.hidden.obj", "not read");
    text_write("horse/notes.txt", "not read");
    assert_imported(input, NULL, 1.0f);
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    assert_ok(dataset_read(path_of("out.h5"), NULL, &dataset));
    assert_string_equal(dataset->name, "horse");
    dataset_free(dataset);

    text_write("horse/rest.obj", other_rest);
    assert_imported(input, NULL, 77.0f);
    assert_imported(path_of("horse/[0-9r]*.obj"), NULL, 77.0f);
    text_write("other.obj", "v 0 0 0\nv 88 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 4\nf 1 4 3\n");
    assert_imported(path_of("horse/[0-9]*.obj"), path_of("other.obj"), 88.0f);

    const char *inputs[3] = {path_of("horse/10.obj"), path_of("horse/9.obj"), path_of("horse/2.obj")};
    ImportOptions options = {.inputs = inputs, .input_count = 3, .scale = 2.0, .fps = 1.0, .name = "three"};
    assert_ok(obj_sequence_import(&options, path_of("out.h5")));
    assert_ok(dataset_read(path_of("out.h5"), NULL, &dataset));
    assert_string_equal(dataset->name, "three");
    assert_int_equal(dataset->animation.frame_count, 3);
    assert_true(dataset->animation.positions[3] == 4.0f && dataset->animation.positions[27] == 20.0f);
}

/* Members stand in alphabetical order (1, 10, 11, 12, 2, ...), as tar makes them. */
static void archive_make(const char *path, int zip, int (*filter)(struct archive *), const char *rest)
{
    static const int order[FRAMES] = {1, 10, 11, 12, 2, 3, 4, 5, 6, 7, 8, 9};
    struct archive *archive = archive_start(
        path, zip ? archive_write_set_format_zip : archive_write_set_format_pax_restricted, filter);
    for (int i = 0; i < FRAMES; i++) {
        const char *text = frame_text(order[i]);
        archive_add(archive, text_of("anim/%d.obj", order[i]), text, strlen(text), 1);
    }
    if (rest)
        archive_add(archive, rest, other_rest, strlen(other_rest), 1);
    archive_add(archive, "anim/README", "not read", 8, 1);
    archive_finish(archive);
}

TEST(archives)
{
    static const struct {
        const char *name;
        int zip, (*filter)(struct archive *);
        const char *member, *rest;
        float rest_x;
    } rows[] = {{"a.tar.xz", 0, archive_write_add_filter_xz, NULL, NULL, 1.0f},
                {"a.tar.gz", 0, archive_write_add_filter_gzip, "anim/rest.obj", NULL, 77.0f},
                {"a.zip", 1, NULL, "anim/pose.obj", "pose", 77.0f},
                {"a.tar", 0, NULL, "anim/pose.obj", "anim/pose.obj", 77.0f}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *input = path_of(rows[i].name);
        archive_make(input, rows[i].zip, rows[i].filter, rows[i].member);
        assert_imported(input, rows[i].rest, rows[i].rest_x);
    }
}

/* Every refusal leaves neither output nor temporary file. */
TEST(damage_is_refused)
{
    const char *input = path_of("anim");
    assert_bad_input("cannot be opened", import_from(input, NULL));
    assert_bad_input("no file matches", import_from(path_of("*.obj"), NULL));
    assert_int_equal(mkdir(input, 0777), 0);
    assert_bad_input("holds no file", import_from(input, NULL));
    frames_write(input);
    assert_bad_input("stand: cannot be opened", import_from(input, "stand"));
    text_write("anim/7.obj", "v 0 0 0\nv 7 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 4\n");
    assert_bad_input("anim/7.obj:6: 1 triangles, expected 2 as in", import_from(input, NULL));
    text_write("anim/7.obj", "v 0 0 0\nv 7 nan 0\nv 0 1 0\nv 1 1 0\nf 1 2 4 3\n");
    assert_bad_input("anim/7.obj:2: vertex 1 has 'nan'", import_from(input, NULL));
    text_write("anim/7.obj", "");
    assert_bad_input("anim/7.obj:1: 0 vertices", import_from(input, NULL));
    assert_int_equal(files_in(path_of("")), 1);

    const char *path = path_of("a.tar.xz");
    archive_make(path, 0, archive_write_add_filter_xz, NULL);
    struct stat whole;
    assert_int_equal(stat(path, &whole), 0);
    for (off_t length = 0; length < whole.st_size; length += 16) {
        archive_make(path, 0, archive_write_add_filter_xz, NULL);
        assert_int_equal(truncate(path, length), 0);
        assert_bad_input("a.tar.xz", import_from(path, NULL));
    }
    text_write(path, "this is no archive\n");
    assert_bad_input("cannot be read", import_from(path, NULL));
    assert_int_equal(files_in(path_of("")), 2);
}

TEST(no_memory_is_a_status)
{
    const char *input = path_of("a.tar.gz");
    archive_make(input, 0, archive_write_add_filter_gzip, "rest.obj");
    assert_allocations_may_fail(50, import_from(input, NULL), assert_int_equal(files_in(path_of("")), 1));
}

TEST(export_gives_the_same_floats)
{
    enum { VERTICES = 500 };
    static const char *const formats[] = {"obj-sequence", "ply-sequence", "off-sequence"};
    const char *folder = path_of("frames"), *again = path_of("again.h5");
    char first[65], second[65];
    OWNED_BY(dataset_free) Dataset *dataset = dataset_made("frames", 25.0, VERTICES, 1, 0, 0, 0);
    dataset->mesh.triangles[1] = 1;
    dataset->mesh.triangles[2] = VERTICES - 1;
    assert_ok(animation_allocate(&dataset->animation, FRAMES, VERTICES, 0));
    Random random = {5};
    for (int i = 0; i < 3 * VERTICES * FRAMES; i++) {
        uint32_t bits = (uint32_t)random_next(&random) & 0xbfffffff; /* finite, of every size below 2 */
        memcpy(&dataset->animation.positions[i], &bits, sizeof bits);
        memcpy(&dataset->mesh.rest[i % (3 * VERTICES)], &bits, sizeof bits);
    }
    assert_ok(dataset_write(dataset, path_of("out.h5")));
    assert_ok(file_sha256(path_of("out.h5"), first));
    const Progress stop = {stop_at_once, NULL};
    for (int i = 0; i < 3; i++) {
        const Format *format = format_find(formats[i]);
        const ExportOptions export = {.input = path_of("out.h5"), .output = folder};
        const char *input = folder;
        const ImportOptions import = {.inputs = &input, .input_count = 1, .scale = 1.0, .fps = 25.0};
        assert_refused(STATUS_STOPPED, "stopped", /* after 1, or where a slow machine reports its reading */
                       format->export(&(ExportOptions){
                           .input = path_of("out.h5"), .output = folder, .progress = &stop}));
        assert_int_equal(files_in(path_of("")), 1);
        assert_ok(format->export(&export));
        assert_int_equal(files_in(folder), FRAMES + 1);
        assert_ok(format->import(&import, again));
        assert_ok(file_sha256(again, second));
        assert_string_equal(first, second);
        assert_bad_input("already exists", format->export(&export));
        folder_remove(folder);
        assert_int_equal(unlink(again), 0);
    }
    animation_clear(&dataset->animation);
    assert_ok(dataset_write(dataset, path_of("out.h5")));
    assert_bad_input("has no animation",
                     obj_sequence_export(&(ExportOptions){.input = path_of("out.h5"), .output = again}));
}

/* The counts are those of the sets' README. */
TEST(data_sequences)
{
    static const struct {
        const char *file;
        int frames, vertices, triangles;
        bool own_rest;
    } rows[] = {{"horse-gallop.tar.xz", 48, 8431, 16843, true},
                {"horse-collapse.tar.xz", 53, 8431, 16843, false},
                {"elasticCow.tar.xz", 204, 2904, 5804, false},
                {"crane.tar.xz", 175, 10002, 20000, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *path = test_data(rows[i].file);
        if (!path)
            skip();
        assert_ok(import_from(path, NULL));
        OWNED_BY(dataset_free) Dataset *dataset = NULL;
        assert_ok(dataset_read(path_of("out.h5"), NULL, &dataset));
        assert_int_equal(dataset->animation.frame_count, rows[i].frames);
        assert_int_equal(dataset->mesh.vertex_count, rows[i].vertices);
        assert_int_equal(dataset->mesh.triangle_count, rows[i].triangles);
        int same = memcmp(dataset->mesh.rest, dataset->animation.positions,
                          12 * (size_t)dataset->mesh.vertex_count) == 0;
        assert_int_equal(same, !rows[i].own_rest);
        /* Natural order: vertex 2904 of elasticCow/10.obj, the tenth frame. */
        if (strcmp(rows[i].file, "elasticCow.tar.xz") == 0) {
            const float *vertex = dataset->animation.positions + 3 * (9 * 2904 + 2903);
            assert_true(vertex[0] == -0.83467192649999999f && vertex[1] == 0.0013483435000000001f &&
                        vertex[2] == -0.013530745f);
        }
    }
}
