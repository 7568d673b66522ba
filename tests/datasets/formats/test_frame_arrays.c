/* Tests files that store all frames as one array. Files written byte by byte are read exactly, and exported
 * files are read back unchanged. Damaged files are refused, or read without a crash. The tests are in one
 * file because they share their input files. */
#include "tests/bytes.h"
#include "tests/hdf5_files.h"
#include "tests/imports.h"

#include "datasets/base/random.h"

enum { FRAMES = 4, VERTICES = 5, VALUES = 3 * FRAMES * VERTICES };

/* Returns a coordinate that every number type represents exactly, even half precision. */
static float value_at(int frame, int vertex, int axis)
{
    return (float)(100 * frame + 10 * vertex + axis) + 0.5f;
}

static const int32_t faces[2][3] = {{0, 1, 2}, {2, 3, 4}};

/* Returns the number at index i in the array of all frames. */
static float value_of(int i)
{
    return value_at(i / (3 * VERTICES), i / 3 % VERTICES, i % 3);
}

static Status import_as(const char *format, const char *name, const char *rest, Dataset **out)
{
    return imported(format, path_of(name), (ImportOptions){.rest = rest ? path_of(rest) : NULL}, out);
}

static void assert_animation(const Dataset *dataset, int frames, int triangles)
{
    assert_int_equal(dataset->mesh.vertex_count, VERTICES);
    assert_int_equal(dataset->animation.frame_count, frames);
    assert_int_equal(dataset->mesh.triangle_count, triangles);
    for (int i = 0; i < 3 * VERTICES * frames; i++)
        assert_true(dataset->animation.positions[i] == value_of(i));
    if (triangles > 0)
        assert_memory_equal(dataset->mesh.triangles, faces, sizeof faces);
}

/* Imports a file and checks its animation and frame rate; `fps` 0 accepts any rate. */
static void assert_imported(const char *format, const char *name, int frames, int triangles, double fps)
{
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    assert_ok(import_as(format, name, NULL, &dataset));
    assert_animation(dataset, frames, triangles);
    assert_true(fps == 0.0 || dataset->fps == fps);
}

/* ---- writing files byte by byte ---- */

static void frames_put(Bytes *bytes, bool big_endian)
{
    for (int i = 0; i < VALUES; i++)
        put_float(bytes, value_of(i), big_endian);
}

static void bytes_put(const char *name, const Bytes *bytes)
{
    bytes_write(name, bytes->bytes, bytes->length);
}

static void pc2_make(Bytes *out)
{
    *out = (Bytes){0};
    put_text(out, "POINTCACHE2", 12);
    put_bits(out, 1, 4, false);
    put_bits(out, VERTICES, 4, false);
    put_float(out, 1.0f, false);
    put_float(out, 0.5f, false);
    put_bits(out, FRAMES, 4, false);
    frames_put(out, false);
}

static void mdd_make(Bytes *out)
{
    *out = (Bytes){0};
    put_bits(out, FRAMES, 4, true);
    put_bits(out, VERTICES, 4, true);
    for (int f = 0; f < FRAMES; f++)
        put_float(out, 2.0f + (float)f / 24.0f, true);
    frames_put(out, true);
}

/* Appends a number in the type that `descr` names. */
static void put_number(Bytes *out, const char *descr, double value)
{
    const bool big = descr[0] == '>';
    uint64_t bits = (uint64_t)(int64_t)value;
    const float single = (float)value;
    if (strcmp(descr + 1, "f8") == 0)
        memcpy(&bits, &value, sizeof bits);
    else if (strcmp(descr + 1, "f4") == 0)
        memcpy(&bits, &single, sizeof single);
    else if (strcmp(descr + 1, "f2") == 0 && value != 0.0) {
        const int exponent = (int)floor(log2(value));
        bits = (uint64_t)(exponent + 15) << 10 | (uint64_t)(ldexp(value, 10 - exponent) - 1024.0);
    }
    put_bits(out, bits, descr[2] - '0', big);
}

static void npy_begin(Bytes *out, int version, const char *header)
{
    *out = (Bytes){0};
    put_text(out, "\x93NUMPY", 6);
    put_bits(out, (uint64_t)version, 1, false);
    put_bits(out, 0, 1, false);
    put_bits(out, strlen(header), version == 1 ? 2 : 4, false);
    put_text(out, header, strlen(header));
}

static void npy_make(Bytes *out, int version, const char *descr, bool fortran, int frames)
{
    const char *shape = text_of(frames == 0 ? "%.0d%d, 3" : "%d, %d, 3", frames, VERTICES);
    npy_begin(out, version,
              text_of("{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }    \n", descr,
                      fortran ? "True" : "False", shape));
    const int count = frames == 0 ? 1 : frames;
    for (int i = 0; i < 3 * VERTICES * count; i++)
        put_number(out, descr,
                   (double)(fortran ? value_at(i % count, i / count % VERTICES, i / count / VERTICES)
                                    : value_of(i)));
}

static void faces_make(Bytes *out, const char *descr, bool fortran)
{
    npy_begin(out, 2,
              text_of("{\"shape\": (2,3), \"descr\": \"%s\", \"fortran_order\": %s}\n", descr,
                      fortran ? "True" : "False"));
    for (int i = 0; i < 6; i++)
        put_number(out, descr, fortran ? faces[i % 2][i / 2] : faces[i / 3][i % 3]);
}

/* Writes an .npz. Each member is given by its name and by the kind of its content. */
static void npz_write(const char *name, const char *const members[][2], size_t count)
{
    struct archive *archive = archive_start(path_of(name), archive_write_set_format_zip, NULL);
    for (size_t i = 0; i < count; i++) {
        Bytes bytes = {0};
        if (strcmp(members[i][1], "frames") == 0)
            npy_make(&bytes, 1, "<f8", false, FRAMES);
        else if (strcmp(members[i][1], "other frames") == 0)
            npy_make(&bytes, 1, ">f4", false, 2);
        else if (strstr(members[i][1], "faces"))
            faces_make(&bytes, "<u4", false);
        else if (strcmp(members[i][1], "objects") == 0)
            npy_begin(&bytes, 1, "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }\n");
        else
            put_text(&bytes, "a text\n", 7);
        if (strcmp(members[i][1], "wrong faces") == 0)
            bytes.bytes[bytes.length - 4] = 99; /* the last corner */
        archive_add(archive, members[i][0], bytes.bytes, bytes.length, 1);
    }
    archive_finish(archive);
}

static void array_add(hid_t file, const char *name, int rank, const hsize_t *extents, hid_t type,
                      const void *values)
{
    assert_true(hdf5_array(file, name, type, rank, extents, H5P_DEFAULT, type, values));
}

static void splocs_write(const char *name)
{
    double verts[VALUES];
    for (int i = 0; i < VALUES; i++)
        verts[i] = (double)value_of(i);
    HDF5 file = H5Fcreate(path_of(name), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    array_add(file, "verts", 3, (const hsize_t[]){FRAMES, VERTICES, 3}, H5T_NATIVE_DOUBLE, verts);
    array_add(file, "tris", 2, (const hsize_t[]){2, 3}, H5T_NATIVE_INT, faces);
}

/* Writes two sequences of 1 and 3 frames, which together have all frames of the test. */
static void dfaust_write(const char *name)
{
    float one[3 * VERTICES], three[9 * VERTICES];
    uint32_t corners[6];
    for (int i = 0; i < 3 * VERTICES; i++) {
        one[i] = value_at(0, i / 3, i % 3);
        for (int f = 0; f < 3; f++)
            three[3 * i + f] = value_at(f + 1, i / 3, i % 3);
    }
    memcpy(corners, faces, sizeof corners);
    HDF5 file = H5Fcreate(path_of(name), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    array_add(file, "faces", 2, (const hsize_t[]){2, 3}, H5T_NATIVE_UINT32, corners);
    array_add(file, "50002_hips", 3, (const hsize_t[]){VERTICES, 3, 1}, H5T_NATIVE_FLOAT, one);
    array_add(file, "50004_jumping_jacks", 3, (const hsize_t[]){VERTICES, 3, 3}, H5T_NATIVE_FLOAT, three);
}

static void base_write(const char *name, const char *extra)
{
    Bytes text = {0};
    for (int v = 0; v < VERTICES; v++) {
        const char *line = text_of("v %d 7 7\n", v);
        put_text(&text, line, strlen(line));
    }
    put_text(&text, extra, strlen(extra));
    put_text(&text, "f 1 2 3\nf 3 4 5\n", 16);
    bytes_put(name, &text);
}

/* ---- tests ---- */

TEST(point_caches_are_read)
{
    Bytes bytes;
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    base_write("base.obj", "");
    pc2_make(&bytes);
    bytes_put("a.pc2", &bytes);
    assert_ok(import_as("pc2", "a.pc2", NULL, &dataset));
    assert_animation(dataset, FRAMES, 0);
    assert_true(dataset->fps == 60.0); /* the file has two samples per frame of 1/30 s */
    assert_memory_equal(dataset->mesh.rest, dataset->animation.positions, 12 * VERTICES);
    dataset_free(dataset);
    mdd_make(&bytes);
    bytes_put("a.mdd", &bytes);
    assert_ok(import_as("mdd", "a.mdd", "base.obj", &dataset));
    assert_animation(dataset, FRAMES, 2);
    assert_true(dataset->fps == 24.0);
    assert_true(dataset->mesh.rest[9] == 3.0f && dataset->mesh.rest[10] == 7.0f);
    assert_string_equal(dataset->name, "a");
}

TEST(arrays_of_every_type_are_read)
{
    static const char *const types[] = {"<f2", ">f2", "<f4", ">f4", "<f8", ">f8"};
    static const char *const whole[] = {"|u1", "|i1", "<i2", ">u2", ">i4", "<u4", "<i8", ">u8"};
    Bytes bytes;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        for (int kind = 0; kind < 4; kind++) {
            npy_make(&bytes, 1 + (int)i % 3, types[i], kind % 2 == 1, kind < 2 ? FRAMES : 0);
            bytes_put("a.npy", &bytes);
            assert_imported("npy", "a.npy", kind < 2 ? FRAMES : 1, 0, 0.0);
        }
    for (size_t i = 0; i < 2 * sizeof whole / sizeof *whole; i++) {
        const char *inputs[] = {path_of("a.npy"), path_of("faces.npy")};
        const ImportOptions options = {.inputs = inputs, .input_count = 2, .scale = 1.0, .fps = 12.0};
        npy_make(&bytes, 1, "<f4", false, FRAMES);
        bytes_put("a.npy", &bytes);
        faces_make(&bytes, whole[i / 2], i % 2 == 1);
        bytes_put("faces.npy", &bytes);
        OWNED_BY(dataset_free) Dataset *dataset = NULL;
        assert_ok(npy_import(&options, path_of("out.h5")));
        assert_ok(dataset_read(path_of("out.h5"), NULL, &dataset));
        assert_animation(dataset, FRAMES, 2);
        assert_true(dataset->fps == 12.0);
        unlink(path_of("out.h5"));
    }
}

TEST(archives_of_arrays_are_searched)
{
    static const struct {
        const char *members[6][2], *message; /* if the message is NULL, the file must be readable */
    } rows[] = {
        {{{"notes.txt", "text"},
          {"labels.npy", "objects"},
          {"more.npy", "other frames"},
          {"faces.npy", "faces"},
          {"verts.npy", "frames"},
          {"late.npy", "other frames"}},
         NULL},
        {{{"anything.npy", "frames"}, {"triangles.npy", "faces"}}, NULL},
        {{{"one.npy", "frames"}, {"other.npy", "other frames"}}, "more than one array of frames"},
        {{{"verts.npy", "frames"}, {"positions.npy", "frames"}}, "the array positions.npy also holds frames"},
        {{{"faces.npy", "faces"}}, "no array of frames"},
        {{{"verts.npy", "frames"}, {"faces.npy", "wrong faces"}, {"notes.txt", "text"}},
         "a.npz:faces.npy: triangle 1 names vertex 99, but there are 5 vertices"},
        {{{"faces.npy", "frames"}}, "a.npz:faces.npy: holds floating-point numbers of shape [4, 5, 3]"}};
    Dataset *dataset = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t count = 0;
        while (count < 6 && rows[i].members[count][0])
            count++;
        npz_write("a.npz", rows[i].members, count);
        if (rows[i].message)
            assert_bad_input(rows[i].message, import_as("npz", "a.npz", NULL, &dataset));
        else
            assert_imported("npz", "a.npz", FRAMES, 2, 0.0);
    }
}

TEST(hdf5_layouts_are_read)
{
    Dataset *dataset = NULL;
    const Format *format = NULL;
    splocs_write("splocs.hdf5");
    dfaust_write("dfaust.hdf5");
    assert_imported("splocs", "splocs.hdf5", FRAMES, 2, 0.0);
    assert_imported("dfaust", "dfaust.hdf5", FRAMES, 2, 60.0);
    assert_ok(format_detect(path_of("splocs.hdf5"), &format));
    assert_string_equal(format->name, "splocs");
    assert_ok(format_detect(path_of("dfaust.hdf5"), &format));
    assert_string_equal(format->name, "dfaust");

    const char *input = path_of("dfaust.hdf5");
    ImportOptions options = {.inputs = &input, .input_count = 1, .scale = 2.0, .clip = "50004_jumping_jacks"};
    assert_ok(dfaust_import(&options, path_of("out.h5")));
    assert_ok(dataset_read(path_of("out.h5"), NULL, &dataset));
    assert_int_equal(dataset->animation.frame_count, 3);
    assert_true(dataset->animation.positions[1] == 2.0f * value_at(1, 0, 1));
    dataset_free(dataset);
    unlink(path_of("out.h5"));
    options.clip = "50009_dance";
    assert_bad_input("has no sequence 50009_dance; it has 2 sequences, the first is 50002_hips",
                     dfaust_import(&options, path_of("out.h5")));
    assert_bad_input("dfaust.hdf5: verts is missing", import_as("splocs", "dfaust.hdf5", NULL, &dataset));
}

/* Messages name the file with the fault: that of the faces, or that of the rest pose. */
TEST(the_file_at_fault_is_named)
{
    Bytes bytes;
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    const char *inputs[] = {path_of("a.npy"), path_of("wrong.npy")}, *output = path_of("out.h5");
    npy_make(&bytes, 1, "<f4", false, FRAMES);
    bytes_put("a.npy", &bytes);
    faces_make(&bytes, "<u4", false);
    bytes.bytes[bytes.length - 4] = 99;
    bytes_put("wrong.npy", &bytes);
    ImportOptions options = {.inputs = inputs, .input_count = 2, .scale = 1.0};
    assert_bad_input("/wrong.npy: triangle 1 names vertex 99", npy_import(&options, output));
    base_write("far.obj", "");
    options = (ImportOptions){.inputs = inputs, .input_count = 1, .scale = 1e9, .rest = path_of("far.obj")};
    assert_bad_input("/far.obj: frames[0,0,1] is 7e+09", npy_import(&options, output));
    options.scale = 1.0;
    options.rest = IMPORT_REST_FIRST;
    assert_refused(STATUS_USAGE, "--rest must name a mesh file", npy_import(&options, output));
    text_write("n_rig.txt", "joints a 0 0 2e11\n");
    assert_bad_input("n_rig.txt: rig/rest[0,2,3] is 2e+11",
                     imported("rignet", path_of("n_rig.txt"), (ImportOptions){0}, &dataset));
    assert_int_equal(access(output, F_OK), -1);
}

TEST(damage_is_named)
{
    static const struct {
        const char *format, *rest;
        size_t at; /* offset at which `size` bytes are replaced by `bits`; 0: nothing is replaced */
        int size;
        uint64_t bits;
        long longer; /* change of the file's length in bytes */
        const char *message;
    } rows[] = {
        {"pc2", NULL, 0, 0, 0, -1, "has 271 bytes, expected 272 for 4 frames of 5 vertices; it is truncated"},
        {"pc2", NULL, 0, 0, 0, 1, "has 273 bytes, expected 272 for 4 frames of 5 vertices"},
        {"pc2", NULL, 0, 0, 0, -260, "a.pc2: ends after 12 bytes, expected 32 or more"},
        {"pc2", NULL, 12, 4, 2, 0, "a.pc2: is not a PC2 point cache of version 1"},
        {"pc2", NULL, 1, 1, 'o', 0, "a.pc2: is not a PC2 point cache of version 1"},
        {"pc2", NULL, 16, 4, 0, 0, "a.pc2: declares 4 frames of 0 vertices"},
        {"pc2", NULL, 28, 4, 0x80000000, 0, "a.pc2: declares -2147483648 frames of 5 vertices"},
        {"pc2", NULL, 28, 4, 0x1fffffff, 0,
         "expected 32212254692 for 536870911 frames of 5 vertices; it is truncated"},
        {"pc2", NULL, 16, 4, 0x20000000, 0, "declares 4 frames of 536870912 vertices"},
        {"pc2", NULL, 24, 4, 0x7fc00000, 0, "a.pc2: begins at frame 1 with nan frames per sample"},
        {"pc2", NULL, 32 + 4 * (15 * 2 + 3 * 1 + 2), 4, 0x7f800000, 0, "a.pc2: frames[2,1,2] is inf"},
        {"pc2", "more.obj", 0, 0, 0, 0, "more.obj: has 6 vertices, expected 5 as in"},
        {"pc2", "missing.obj", 0, 0, 0, 0, "missing.obj: cannot be opened"},
        {"pc2", "a.pc2", 0, 0, 0, 0, "a.pc2: is not a mesh file"},
        {"mdd", NULL, 0, 0, 0, -1, "a.mdd: has 263 bytes, expected 264"},
        {"mdd", NULL, 0, 0, 0, -260, "a.mdd: ends after 4 bytes"},
        {"mdd", NULL, 4, 4, 0xffffffff, 0,
         "a.mdd: declares -1 frames"}, /* written at offset 0 by the loop below */
        {"mdd", NULL, 12, 4, 0, 0, "a.mdd: frame 1 is at 0 s, expected a time after 2 s"},
        {"mdd", NULL, 16, 4, 0x7fc00000, 0, "a.mdd: frame 2 is at nan s"},
        {"mdd", NULL, 24, 4, 0x7fc00000, 0, "a.mdd: frames[0,0,0] is nan"},
        {"npy", NULL, 0, 0, 0, -4, "a.npy: has 313 bytes, expected 317 for 4 frames"},
        {"npy", NULL, 6, 1, 4, 0, "a.npy: is not a NumPy array of version 1 to 3"},
        {"npy", NULL, 8, 2, 0xffff, 0, "a.npy: ends after 317 bytes, expected 65545 or more"},
        {"npy", NULL, 21, 1, 'O', 0, "a.npy: does not hold plain numbers"},
        {"npy", NULL, 22, 1, 'i', 0, "a.npy: holds whole numbers of shape [4, 5, 3], expected floating"},
        {"npy", NULL, 23, 1, '8', 0, "a.npy: has 317 bytes, expected 557"},
        {"npy", NULL, 44, 1, 'f', 0, "a.npy: has a damaged header"},
        {"npy", NULL, 61, 1, '9', 0, "a.npy: has 317 bytes, expected 617 for 9 frames"},
        {"npy", NULL, 67, 1, '4', 0, "a.npy: holds floating-point numbers of shape [4, 5, 4], expected"}};
    base_write("more.obj", "v 0 0 0\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Bytes bytes;
        Dataset *dataset = NULL;
        const bool big = strcmp(rows[i].format, "mdd") == 0;
        if (big)
            mdd_make(&bytes);
        else if (strcmp(rows[i].format, "pc2") == 0)
            pc2_make(&bytes);
        else
            npy_make(&bytes, 1, "<f4", false, FRAMES);
        const size_t length = bytes.length, at = strstr(rows[i].message, "-1 frames") ? 0 : rows[i].at;
        if (rows[i].size > 0) {
            bytes.length = at;
            put_bits(&bytes, rows[i].bits, rows[i].size, big);
            bytes.length = length;
        }
        const char *name = text_of("a.%s", rows[i].format);
        bytes_write(name, bytes.bytes, (size_t)((long)length + rows[i].longer));
        assert_bad_input(rows[i].message, import_as(rows[i].format, name, rows[i].rest, &dataset));
    }
}

/* Each file of a single-file format is truncated at many lengths, and many of its bytes are changed, one at
 * a time. Every damaged file is either imported or refused, and no files are left. */
TEST(no_damage_breaks_an_importer)
{
    static const char *const frames_and_faces[][2] = {{"verts.npy", "frames"}, {"faces.npy", "faces"}};
    static const struct {
        const char *format, *name;
        int cut_step, change_step; /* number of bytes from one tested position to the next; larger for formats
                                      whose import starts a process, which is slow */
    } rows[] = {{"pc2", "b.pc2", 1, 7},   {"mdd", "b.mdd", 1, 7},         {"npy", "b.npy", 1, 7},
                {"npz", "b.npz", 67, 67}, {"splocs", "b.hdf5", 401, 401}, {"dfaust", "c.hdf5", 401, 401}};
    Bytes bytes;
    pc2_make(&bytes);
    bytes_put("b.pc2", &bytes);
    mdd_make(&bytes);
    bytes_put("b.mdd", &bytes);
    npy_make(&bytes, 1, "<f4", true, FRAMES);
    bytes_put("b.npy", &bytes);
    npz_write("b.npz", frames_and_faces, 2);
    splocs_write("b.hdf5");
    dfaust_write("c.hdf5");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t length = 0;
        OWNED char *whole = file_read(rows[i].name, &length);
        assert_true(length >= 100);
        bytes_write("damaged", whole, 0);
        const int files = files_in(path_of(""));
        Dataset *dataset = NULL;
        for (size_t cut = 0; cut < length; cut += (size_t)rows[i].cut_step) {
            bytes_write("damaged", whole, cut);
            Status status = import_as(rows[i].format, "damaged", NULL, &dataset);
            /* An .npz may be read without the directory at its end. */
            if (status.code != STATUS_BAD_INPUT && strcmp(rows[i].format, "npz") != 0)
                fail_msg("%s cut after %zu bytes: %s", rows[i].name, cut, status.text);
            dataset_free(dataset);
        }
        for (size_t at = 0; at < length; at += (size_t)rows[i].change_step) {
            whole[at] = (char)(whole[at] ^ (char)(1 << at % 8));
            bytes_write("damaged", whole, length);
            whole[at] = (char)(whole[at] ^ (char)(1 << at % 8));
            Status status = import_as(rows[i].format, "damaged", NULL, &dataset);
            assert_true(status.code == STATUS_OK || status.code == STATUS_BAD_INPUT);
            dataset_free(dataset);
        }
        assert_int_equal(files_in(path_of("")), files);
    }
}

/* Exported positions are read back bit for bit, and the bytes of the file follow the format's
 * description. */
TEST(exports_come_back_the_same)
{
    enum { MANY = 300 };
    static const char *const formats[] = {"pc2", "mdd", "npy"};
    Dataset *dataset = NULL, *again = NULL;
    assert_ok(dataset_create("many", "", "", "", &dataset));
    dataset->fps = 23.976;
    assert_ok(mesh_allocate(&dataset->mesh, MANY, 1));
    dataset->mesh.triangles[1] = 1;
    dataset->mesh.triangles[2] = 2;
    assert_ok(animation_allocate(&dataset->animation, 7, MANY, 0));
    Random random = {9};
    for (int i = 0; i < 3 * MANY * 7; i++) {
        const uint32_t bits = (uint32_t)random_next(&random) &
                              0xbfffffff; /* the mask leaves finite numbers with magnitudes below 2 */
        memcpy(&dataset->animation.positions[i], &bits, sizeof bits);
    }
    memcpy(dataset->mesh.rest, dataset->animation.positions + 30, 12 * MANY);
    assert_ok(dataset_write(dataset, path_of("many.h5")));
    const ExportOptions base = {.input = path_of("many.h5"), .output = path_of("many.obj")};
    assert_ok(obj_sequence_export(&base));
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        const char *name = text_of("many.%s", formats[i]);
        const char *input = path_of("many.h5");
        const ExportOptions options = {.input = input, .output = path_of(name)};
        assert_ok(format_find(formats[i])->export(&options));
        assert_ok(import_as(formats[i], name, "many.obj", &again));
        assert_memory_equal(again->animation.positions, dataset->animation.positions, 4 * 3 * MANY * 7);
        assert_memory_equal(again->mesh.rest, dataset->mesh.rest, 12 * MANY);
        assert_memory_equal(again->mesh.triangles, dataset->mesh.triangles, 12);
        assert_true(again->fps == (strcmp(name, "many.mdd") == 0 ? 23.976 : 30.0));
        dataset_free(again);
    }
    animation_clear(&dataset->animation);
    assert_ok(dataset_write(dataset, path_of("many.h5")));
    assert_bad_input("has no animation",
                     pc2_export(&(ExportOptions){.input = path_of("many.h5"), .output = path_of("x.pc2")}));
    dataset_free(dataset);
}

TEST(no_memory_is_a_status)
{
    static const char *const frames_and_faces[][2] = {{"verts.npy", "frames"}, {"faces.npy", "faces"}};
    static const char *const rows[][2] = {{"npz", "m.npz"}, {"dfaust", "m.hdf5"}};
    npz_write("m.npz", frames_and_faces, 2);
    dfaust_write("m.hdf5");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *input = path_of(rows[i][1]), *output = path_of("m.h5");
        const ImportOptions options = {.inputs = &input, .input_count = 1, .scale = 1.0};
        assert_allocations_may_fail(20, format_find(rows[i][0])->import(&options, output),
                                    assert_int_equal(access(output, F_OK), -1));
        assert_int_equal(unlink(output), 0);
    }
}
