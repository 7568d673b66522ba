/* Tests sequences of mesh files: folders, patterns and archives are read, damaged input is refused, and
 * exported sequences are read back. */
#include "tests/imports.h"
#include "tests/rigs.h"

#include "datasets/formats/mesh_file.h"
#include "datasets/io/sha256.h"
#include "datasets/io/temporary_folder.h"

#include <locale.h>
#include <sys/stat.h>

enum { FRAMES = 12 };

/* Returns the OBJ text of frame f, whose vertex 1 is at x = f. */
static const char *frame_text(int f)
{
    return text_of("v 0 0 0\nv %d 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 4 3\n", f);
}

/* OBJ text of a rest pose that differs from the frames: other triangles, and vertex 1 at x = 77. */
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

/* Imports a sequence, and checks that its frames are in order and that vertex 1 of the rest pose is at
 * rest_x. */
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

/* Writes an archive whose members are in alphabetical order (1, 10, 11, 12, 2, ...), as tar writes them. */
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

/* The rest file is not a frame, however its path is spelled. A member called rest.obj is not a frame even if
 * another file is the rest file. A hard link to the rest file is a frame of its own. */
TEST(rest_poses_are_never_frames)
{
    static const struct {
        const char *input, *rest; /* %s stands for the test's folder */
        int frames;
        float rest_x;
    } rows[] = {{"%s/d", "%s/d/rest.obj", 3, 77.0f},
                {"%s/d", "%s/./d/rest.obj", 3, 77.0f},
                {"%s/./d", "%s/d/rest.obj", 3, 77.0f},
                {"%s/d/*.obj", "%s/d/../d/rest.obj", 3, 77.0f},
                {"%s/d/*.obj", "%s/d/./2.obj", 2, 2.0f},
                {"%s/d", "%s/link.obj", 3, 77.0f},
                {"%s/d", "%s/other.obj", 3, 9.0f},
                {"%s/d", "1.obj", 2, 1.0f},
                {"%s/d", NULL, 3, 77.0f},
                {"%s/x.zip", "1.obj", 1, 1.0f},
                {"%s/x.zip", "./m/1.obj", 1, 1.0f},
                {"%s/x.zip", "%s/other.obj", 2, 9.0f}};
    assert_int_equal(mkdir(path_of("d"), 0777), 0);
    text_write("d/1.obj", frame_text(1));
    text_write("d/2.obj", frame_text(2));
    text_write("d/rest.obj", frame_text(77));
    text_write("other.obj", frame_text(9));
    assert_int_equal(link(path_of("d/rest.obj"), path_of("d/3.obj")), 0);
    assert_int_equal(symlink("d/rest.obj", path_of("link.obj")), 0);
    struct archive *archive = archive_start(path_of("x.zip"), archive_write_set_format_zip, NULL);
    archive_add(archive, "m/1.obj", frame_text(1), strlen(frame_text(1)), 1);
    archive_add(archive, "m/rest.obj", frame_text(77), strlen(frame_text(77)), 1);
    archive_add(archive, "m/3.obj", frame_text(3), strlen(frame_text(3)), 1);
    archive_finish(archive);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char input[PATH_MAX], rest[PATH_MAX];
        const bool is_path = rows[i].rest && rows[i].rest[0] == '%';
        snprintf(input, sizeof input, "%s%s", path_of(""), rows[i].input + 2);
        snprintf(rest, sizeof rest, "%s%s", is_path ? path_of("") : "",
                 rows[i].rest ? rows[i].rest + (is_path ? 2 : 0) : "");
        OWNED_BY(dataset_free) Dataset *dataset = NULL;
        assert_ok(import_from(input, rows[i].rest ? rest : NULL));
        assert_ok(dataset_read(path_of("out.h5"), NULL, &dataset));
        assert_int_equal(dataset->animation.frame_count, rows[i].frames);
        assert_true(dataset->mesh.rest[3] == rows[i].rest_x);
    }
    assert_int_equal(unlink(path_of("d/1.obj")) + unlink(path_of("d/2.obj")) + unlink(path_of("d/3.obj")), 0);
    assert_bad_input("holds no frames besides the rest pose",
                     import_from(path_of("d"), path_of("other.obj")));
}

/* Adds a link to an archive. */
static void link_add(struct archive *archive, const char *name, const char *target, bool hard)
{
    struct archive_entry *entry = archive_entry_new();
    archive_entry_set_pathname(entry, name);
    archive_entry_set_perm(entry, 0644);
    if (hard) {
        archive_entry_set_hardlink(entry, target);
    } else {
        archive_entry_set_filetype(entry, AE_IFLNK);
        archive_entry_set_symlink(entry, target);
    }
    assert_int_equal(archive_write_header(archive, entry), ARCHIVE_OK);
    archive_entry_free(entry);
}

/* Archives may contain links. A frame that is a link is read from its target; if that is impossible, the
 * import is refused. In the table, "NAME" is a file with a frame whose vertex 1 is at x = the last digit of
 * NAME. "NAME>TARGET" is a symbolic link and "NAME=TARGET" a hard link. */
TEST(links_in_archives_are_read_or_refused)
{
    static const struct {
        const char *members[6];
        const char *frames; /* the digit of each frame read, or NULL if the archive is refused */
        const char *message;
    } rows[] = {
        {{"a/1.obj", "a/2.obj", "a/3.obj>1.obj", "a/4.obj=a/2.obj"}, "1212", NULL},
        {{"a/1.obj>../b/7.obj", "a/2.obj>./3.obj", "a/3.obj>1.obj", "b/7.obj"}, "7777", NULL},
        {{"1.obj=2.obj", "2.obj=3.obj", "3.obj", "./4.obj", "5.obj>.//x/../4.obj"}, "43334", NULL},
        {{"1.obj>x5", "2.obj>x5", "3.obj", "x5"}, "553", NULL},
        {{"1.obj", "2.obj", "README>/etc/passwd", ".3.obj>4.obj", "c>c"}, "12", NULL},
        {{"1.obj", "2.obj>3.obj", "3.obj>2.obj"},
         NULL,
         "2.obj: is a link to '3.obj', which leads out of the archive or in"},
        {{"1.obj", "2.obj>2.obj"},
         NULL,
         "2.obj: is a link to '2.obj', which leads out of the archive or in a circle"},
        {{"1.obj", "2.obj>../3.obj", "3.obj"},
         NULL,
         "is a link to '../3.obj', which leads out of the archive"},
        {{"1.obj", "2.obj>/3.obj", "3.obj"}, NULL, "is a link to '/3.obj', which leads out of the archive"},
        {{"1.obj", "2.obj=4.obj"}, NULL, "2.obj: is a link to '4.obj', which is not in the archive"},
        {{"1.obj", "2.obj>a"}, NULL, "2.obj: is a link to 'a', which is not in the archive"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *input = path_of("links.tar");
        struct archive *archive = archive_start(input, archive_write_set_format_pax_restricted, NULL);
        for (int m = 0; m < 6 && rows[i].members[m]; m++) {
            char name[64];
            const char *member = rows[i].members[m], *mark = strpbrk(member, ">=");
            snprintf(name, sizeof name, "%.*s", mark ? (int)(mark - member) : 63, member);
            const char *digit = strpbrk(name, "0123456789"), *text = frame_text(digit ? *digit - '0' : 0);
            if (mark)
                link_add(archive, name, mark + 1, *mark == '=');
            else
                archive_add(archive, name, text, strlen(text), 1);
        }
        archive_finish(archive);
        if (!rows[i].frames) {
            assert_bad_input(rows[i].message, import_from(input, NULL));
            continue;
        }
        OWNED_BY(dataset_free) Dataset *dataset = NULL;
        assert_ok(import_from(input, NULL));
        assert_ok(dataset_read(path_of("out.h5"), NULL, &dataset));
        assert_int_equal(dataset->animation.frame_count, (int)strlen(rows[i].frames));
        for (int f = 0; f < dataset->animation.frame_count; f++)
            assert_true(dataset->animation.positions[12 * f + 3] == (float)(rows[i].frames[f] - '0'));
        assert_int_equal(unlink(path_of("out.h5")), 0);
    }
}

/* A chain of links that is longer than operating systems would follow is refused. So are links that repeat
 * one member until the limit for archives is exceeded. */
TEST(links_in_archives_are_bounded)
{
    enum { LINES = 200000, LINKS = 70 };
    const char *input = path_of("links.tar.gz"), *text = frame_text(1);
    OWNED_BY(free) char *large = malloc(6 * LINES + 200);
    for (int i = 0; i < LINES; i++)
        memcpy(large + 6 * i, "#abcd\n", 6);
    memcpy(large + 6 * LINES, text, strlen(text) + 1);
    for (int chain = 0; chain < 2; chain++) {
        struct archive *archive =
            archive_start(input, archive_write_set_format_pax_restricted, archive_write_add_filter_gzip);
        archive_add(archive, "0.obj", chain ? text : large, strlen(chain ? text : large), 1);
        for (int i = 1; i <= LINKS; i++)
            link_add(archive, text_of("%d.obj", i), text_of("%d.obj", chain ? i - 1 : 0), i % 2);
        archive_finish(archive);
        assert_bad_input(chain ? "is a link to" : "unpacks to more than 64 MB", import_from(input, NULL));
    }
}

/* Names may have characters beyond ASCII, stored as Unicode or as bytes, even in the test's locale (C).
 * Irrelevant members that cannot be read are ignored. */
TEST(names_in_archives_may_be_of_any_alphabet)
{
    static const struct {
        int (*format)(struct archive *);
        const char *folder, *other, *locale; /* the locale in which the archive is written */
    } rows[] = {{archive_write_set_format_zip, "l\xc3\xa4ufer", "__MACOSX/._1.obj", "C.UTF-8"},
                {archive_write_set_format_zip, "\xe8\xb5\xb0", ".DS_Store", "C.UTF-8"},
                {archive_write_set_format_zip, "l\xe4ufer", "\xff.txt", "C"},
                {archive_write_set_format_7zip, "gr\xc3\xb6\xc3\x9f", "\xc3\xa4.txt", "C.UTF-8"},
                {archive_write_set_format_pax, "\xc3\xa9", "README", "C.UTF-8"},
                {archive_write_set_format_gnutar, "\xe9", "\xe9.txt", "C"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *input = path_of("names");
        assert_non_null(setlocale(LC_CTYPE, rows[i].locale));
        struct archive *archive = archive_start(input, rows[i].format, NULL);
        archive_add(archive, rows[i].other, "junk", 4, 1);
        for (int f = 1; f <= 3; f++)
            archive_add(archive, text_of("%s/%d.obj", rows[i].folder, 4 * f), frame_text(f),
                        strlen(frame_text(f)), 1);
        archive_finish(archive);
        setlocale(LC_CTYPE, "C");
        OWNED_BY(dataset_free) Dataset *dataset = NULL;
        assert_ok(import_from(input, NULL));
        assert_ok(dataset_read(path_of("out.h5"), NULL, &dataset));
        assert_int_equal(dataset->animation.frame_count, 3);
        for (int f = 0; f < 3; f++)
            assert_true(dataset->animation.positions[12 * f + 3] == (float)(f + 1));
    }
}

/* Files with a byte-order mark, or with lines ended by CR or CR LF, give the same meshes. In a binary PLY,
 * the first value may begin with the byte of LF. */
TEST(texts_of_other_systems_are_read)
{
    static const char *const texts[][2] = {
        {"obj", "v 0 0 0\nv 1 0 0\n# v 7 7 7\nv 0 1 \\\n0\n\nf 1 2 3\n"},
        {"off", "OFF\n3 1 0\n0 0 0\n# a\n1 0 0\n0 1 0\n3 0 1 2\n"},
        {"ply",
         "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float "
         "z\nelement face 1\nproperty list uchar int vertex_index\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 "
         "2\n"},
        {"ply", "ply\nformat binary_big_endian 1.0\nelement vertex 1\nproperty short a\nproperty float "
                "x\nproperty float y\nproperty float z\nend_header\n\n\r@\r\r\r?\r\n\rA\n\n\r"}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const bool binary = i == 3;
        const char *path = path_of(text_of("a.%s", texts[i][0])), *text = texts[i][1];
        const size_t head = binary ? (size_t)(strstr(text, "end_header\n") - text) + 11 : strlen(text);
        CLEANUP(file_mesh_clear) FileMesh plain = {0};
        text_write(text_of("a.%s", texts[i][0]), text);
        assert_ok(file_mesh_read(path, &plain));
        assert_int_equal(plain.vertex_count, binary ? 1 : 3);
        for (int kind = 0; kind < 6;
             kind++) { /* kinds: with or without a byte-order mark, and LF, CR or CR LF */
            char bytes[1024];
            size_t used = 0;
            if (kind % 2)
                used += (size_t)sprintf(bytes, "\xef\xbb\xbf");
            for (size_t k = 0; k < strlen(text); k++) {
                if (k < head && text[k] == '\n' && kind >= 2)
                    bytes[used++] = '\r';
                if (k >= head || text[k] != '\n' || kind < 2 || kind >= 4)
                    bytes[used++] = text[k];
            }
            bytes_write(path, bytes, used);
            CLEANUP(file_mesh_clear) FileMesh mesh = {0};
            assert_ok(file_mesh_read(path, &mesh));
            assert_ok(file_mesh_same_topology(&plain, "plain", &mesh, path));
            assert_memory_equal(mesh.positions, plain.positions, 12 * (size_t)plain.vertex_count);
        }
    }
    /* ModelNet40 writes the counts directly after the keyword */
    static const char *const joined[] = {"OFF3 1 0", "OFF 3 1 0", "COFF3 1 0", "OFF3 1 0 # x"};
    for (size_t i = 0; i < sizeof joined / sizeof *joined; i++) {
        CLEANUP(file_mesh_clear) FileMesh mesh = {0};
        text_write("a.off", text_of("%s\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", joined[i]));
        assert_ok(file_mesh_read(path_of("a.off"), &mesh));
        assert_int_equal(mesh.vertex_count, 3);
        assert_int_equal(mesh.triangle_count, 1);
    }
    /* sparse files are refused before reading: 64 GB would not fit into memory */
    static const char *const sparse[][3] = {{"a.obj", "v 0 0 0\n", "byte 8 is NUL"},
                                            {"a.obj", "", "byte 0 is NUL"},
                                            {"a.off", "OFF\n", "byte 4 is NUL"},
                                            {"a.ply", "ply\nformat ascii 1.0\n", "byte 21 is NUL"},
                                            {"a.ply", "", "byte 0 is NUL"}};
    for (size_t i = 0; i < sizeof sparse / sizeof *sparse; i++) {
        FileMesh mesh = {0};
        text_write(sparse[i][0], sparse[i][1]);
        assert_int_equal(truncate(path_of(sparse[i][0]), (off_t)64 << 30), 0);
        assert_bad_input(sparse[i][2], file_mesh_read(path_of(sparse[i][0]), &mesh));
    }
}

/* Damaged input is refused, and neither output nor temporary files are left. */
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
    assert_bad_input("anim/7.obj:6: has 1 triangles, expected 2 as in", import_from(input, NULL));
    text_write("anim/7.obj", "v 0 0 0\nv 7 nan 0\nv 0 1 0\nv 1 1 0\nf 1 2 4 3\n");
    assert_bad_input("anim/7.obj:2: vertex 1 has 'nan'", import_from(input, NULL));
    text_write("anim/7.obj", "");
    assert_bad_input("anim/7.obj:1: has 0 vertices", import_from(input, NULL));
    text_write("anim/7.obj", "v 0 0 0\nv 7 0 0\nv 0 2e9 0\nv 1 1 0\nf 1 2 4 3\n");
    assert_bad_input("anim/7.obj:3: vertex 2 has the coordinate 2e+09 times the scale 1",
                     import_from(input, NULL));
    const ImportOptions large = {.inputs = &input, .input_count = 1, .scale = 1e10};
    assert_bad_input("anim/1.obj:2: vertex 1 has the coordinate 1 times the scale 1e+10",
                     obj_sequence_import(&large, path_of("out.h5")));
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
        uint32_t bits = (uint32_t)random_next(&random) &
                        0xbfffffff; /* the mask leaves finite numbers with magnitudes below 2 */
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
        assert_refused(
            STATUS_STOPPED,
            "stopped", /* stops after frame 1, or earlier if a slow machine reports progress while reading */
            format->export(
                &(ExportOptions){.input = path_of("out.h5"), .output = folder, .progress = &stop}));
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

/* The imported sequences have the counts given in the README of the data sets. */
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
        /* In natural order, elasticCow/10.obj is the tenth frame; its vertex 2904 is compared. */
        if (strcmp(rows[i].file, "elasticCow.tar.xz") == 0) {
            const float *vertex = dataset->animation.positions + 3 * (9 * 2904 + 2903);
            assert_true(vertex[0] == -0.83467192649999999f && vertex[1] == 0.0013483435000000001f &&
                        vertex[2] == -0.013530745f);
        }
    }
}
