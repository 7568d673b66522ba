/* Tests the store. Written data is read back, whole and in parts, and files of other programs are read. The
 * linear blends of known rigs equal their animations. */
#define H5_USE_110_API /* makes H5O_info_t match H5Oget_info_by_name2 in later versions of HDF5, too */
#include "tests/hdf5_files.h"
#include "tests/rigs.h"

#include "datasets/io/sha256.h"
#include "datasets/model/evaluate.h"

#include <sys/wait.h>

enum { VERTICES = 5, JOINTS = 2, FRAMES = 4, INFLUENCES = 3 };

static void assert_bytes(const void *a, const void *b, size_t size)
{
    assert_true(size == 0 || (a && b && memcmp(a, b, size) == 0));
}

/* Makes a data set with every part and every text. */
static Dataset *dataset_named(void)
{
    Dataset *dataset = dataset_full((RigPlan){VERTICES, JOINTS, INFLUENCES, FRAMES, 0.8, 3});
    char **const texts[] = {&dataset->title, &dataset->source, &dataset->license,
                            &dataset->rig.joint_names[1]};
    static const char *const values[] = {"A title, \xc3\xa9", " blanks at both ends ", "MIT",
                                         "a joint with a longer name"};
    for (int i = 0; i < 4; i++) {
        memory_free(*texts[i]);
        *texts[i] = memory_text(values[i]);
    }
    return dataset;
}

static void assert_round_trip(const Dataset *dataset, const char *path)
{
    OWNED_BY(dataset_free) Dataset *back = NULL;
    assert_ok(dataset_write(dataset, path));
    assert_ok(dataset_read(path, NULL, &back));
    assert_same_data(dataset, back);
}

TEST(round_trip)
{
    const char *path = path_of("a.h5");
    OWNED_BY(dataset_free) Dataset *dataset = dataset_named();
    assert_round_trip(dataset, path);
    low_rank_clear(&dataset->low_rank);
    assert_round_trip(dataset, path);
    FREE_ALL(dataset->rig.scale, dataset->mesh.original_vertices, dataset->rig.centers,
             dataset->animation.normals);
    dataset->rig.scale = NULL;
    dataset->mesh.original_vertices = NULL;
    dataset->rig.centers = dataset->animation.normals = NULL;
    assert_round_trip(dataset, path);
    animation_clear(&dataset->animation);
    assert_round_trip(dataset, path);
    rig_clear(&dataset->rig);
    assert_round_trip(dataset, path);
    mesh_clear(&dataset->mesh);
    assert_ok(mesh_allocate(&dataset->mesh, 0, 0));
    assert_round_trip(dataset, path);
    /* Write and read a rig without vertices or frames, and an empty animation. */
    assert_ok(rig_allocate(&dataset->rig, 0, 1, 0, 4));
    dataset->rig.joint_names[0] = memory_text("");
    dataset->rig.parents[0] = -1;
    assert_ok(animation_allocate(&dataset->animation, 3, 0, 1));
    assert_round_trip(dataset, path);
    assert_int_equal(files_in(path_of("")), 1);
}

TEST(bad_centers_are_refused)
{
    const char *path = path_of("a.h5");
    OWNED_BY(dataset_free) Dataset *dataset = dataset_named();
    dataset->rig.centers[3 * 2 + 1] = NAN;
    assert_bad_input("rig/centers[2,1] is nan", dataset_write(dataset, path));
    assert_int_equal(files_in(path_of("")), 0);
}

TEST(same_data_same_bytes)
{
    char sums[2][65];
    const char *first = path_of("first.h5"), *second = path_of("second.h5");
    OWNED_BY(dataset_free) Dataset *dataset = dataset_named();
    assert_ok(dataset_write(dataset, first));
    OWNED_BY(dataset_free) Dataset *again = NULL;
    assert_ok(dataset_read(first, NULL, &again));
    assert_ok(dataset_write(again, second));
    assert_ok(file_sha256(first, sums[0]));
    assert_ok(file_sha256(second, sums[1]));
    assert_string_equal(sums[0], sums[1]);
    /* Check that no object has a timestamp, which would make later files differ. */
    static const char *const objects[] = {"/",           "mesh",      "mesh/rest", "rig",
                                          "rig/weights", "animation", "model"};
    HDF5 file = H5Fopen(first, H5F_ACC_RDONLY, H5P_DEFAULT);
    for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++) {
        H5O_info_t info;
        assert_true(H5Oget_info_by_name2(file, objects[i], &info, H5O_INFO_TIME, H5P_DEFAULT) >= 0);
        assert_true(info.ctime == 0 && info.mtime == 0);
    }
}

TEST(streaming_equals_whole)
{
    enum { MANY_FRAMES = 37, MANY_VERTICES = 5003 };
    const char *path = path_of("a.h5");
    OWNED_BY(dataset_free) Dataset *dataset = dataset_made("stream", 0.0, MANY_VERTICES, 0, 0, 0, 0);
    dataset->animation.frame_count = MANY_FRAMES;
    const size_t frame_values = 3 * MANY_VERTICES;
    OWNED float *frames = memory_table(MANY_FRAMES, frame_values, sizeof *frames);
    OWNED float *part = memory_table(MANY_FRAMES, frame_values, sizeof *part);
    for (size_t i = 0; i < MANY_FRAMES * frame_values; i++)
        frames[i] = (float)i;
    DatasetWriter *writer = NULL;
    assert_ok(dataset_writer_open(path, dataset, 0, &writer));
    for (int f = 0, count = 1; f < MANY_FRAMES; f += count, count++) {
        count = count < MANY_FRAMES - f ? count : MANY_FRAMES - f;
        assert_ok(dataset_write_frames(writer, count, frames + (size_t)f * frame_values, NULL));
    }
    assert_refused(STATUS_USAGE, "37 were declared", dataset_write_frames(writer, 1, frames, NULL));
    assert_int_not_equal(access(path, F_OK), 0);
    assert_ok(dataset_writer_commit(writer));

    OWNED_BY(dataset_free) Dataset *whole = NULL;
    assert_ok(dataset_read(path, NULL, &whole));
    assert_bytes(whole->animation.positions, frames, MANY_FRAMES * frame_values * sizeof *frames);
    OWNED_BY(dataset_reader_close) DatasetReader *reader = NULL;
    const Dataset *header = NULL;
    assert_ok(dataset_reader_open(path, NULL, &reader, &header));
    assert_int_equal(header->animation.frame_count, MANY_FRAMES);
    assert_null(header->animation.positions);
    for (int f = 0; f < MANY_FRAMES; f++) {
        assert_ok(dataset_read_frames(reader, f, 1, part));
        assert_bytes(part, frames + (size_t)f * frame_values, frame_values * sizeof *part);
    }
    for (int v = 0; v < MANY_VERTICES; v += 1001) {
        int count = MANY_VERTICES - v < 1001 ? MANY_VERTICES - v : 1001;
        assert_ok(dataset_read_vertices(reader, v, count, part));
        for (int f = 0; f < MANY_FRAMES; f++)
            assert_bytes(part + 3 * (size_t)count * (size_t)f,
                         frames + (size_t)f * frame_values + 3 * (size_t)v, 3 * (size_t)count * sizeof *part);
    }
    assert_refused(STATUS_USAGE, "there are only 37", dataset_read_frames(reader, 36, 2, part));
    assert_refused(STATUS_USAGE, "there are only 5003", dataset_read_vertices(reader, -1, 2, part));
}

static float layout_value(int frame, int vertex, int axis)
{
    return (float)(frame + 0.125 * vertex - 0.5 * axis);
}

/* Positions are stored directly with HDF5, as other programs may do: in native or foreign byte order, in
 * double, chunked, or compressed. Reading blocks of frames or blocks of vertices gives the same values.
 * Values that are not finite are named. */
TEST(every_layout_reads_alike)
{
    enum { LONG = 23, WIDE = 307, VALUES = 3 * LONG * WIDE };
    const hsize_t extents[] = {LONG, WIDE, 3}, chunk[] = {4, 100, 3};
    const struct {
        hid_t type;
        bool chunked, compressed;
    } layouts[] = {{H5T_IEEE_F32LE, false, false}, {H5T_IEEE_F32BE, false, false},
                   {H5T_IEEE_F64LE, false, false}, {H5T_IEEE_F32LE, true, false},
                   {H5T_IEEE_F32LE, true, true},   {H5T_IEEE_F64BE, true, true}};
    const char *path = path_of("a.h5");
    OWNED float *values = memory_array(VALUES, sizeof *values), *part = memory_array(VALUES, sizeof *part);
    for (int i = 0; i < VALUES; i++)
        values[i] = layout_value(i / 3 / WIDE, i / 3 % WIDE, i % 3);
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++)
        for (int bad = 0; bad < 2; bad++) {
            OWNED_BY(dataset_free) Dataset *dataset = dataset_made("layouts", 0.0, WIDE, 0, 0, 0, 0);
            assert_ok(dataset_write(dataset, path));
            values[3 * (7 * WIDE + 205) + 1] = bad ? INFINITY : layout_value(7, 205, 1);
            HDF5 creation = H5Pcreate(H5P_DATASET_CREATE);
            hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
            if (layouts[i].chunked)
                H5Pset_chunk(creation, 3, chunk);
            if (layouts[i].compressed)
                H5Pset_deflate(creation, 4);
            assert_true(hdf5_array(file, "animation/positions", layouts[i].type, 3, extents, creation,
                                   H5T_NATIVE_FLOAT, values));
            H5Fclose(file);
            OWNED_BY(dataset_reader_close) DatasetReader *reader = NULL;
            const Dataset *header = NULL;
            assert_ok(dataset_reader_open(path, NULL, &reader, &header));
            if (bad) {
                assert_bad_input("positions[7,205,1] is inf", dataset_read_vertices(reader, 200, 50, part));
                assert_bad_input("positions[7,205,1] is inf", dataset_read_frames(reader, 5, 3, part));
            }
            assert_ok(dataset_read_frames(reader, 8, 14, part));
            for (int j = 0; j < 14 * 3 * WIDE; j++)
                assert_true(part[j] == layout_value(8 + j / 3 / WIDE, j / 3 % WIDE, j % 3));
            assert_ok(dataset_read_vertices(reader, 206, 101, part));
            for (int j = 0; j < LONG * 3 * 101; j++)
                assert_true(part[j] == layout_value(j / 3 / 101, 206 + j / 3 % 101, j % 3));
            unlink(path);
        }
}

/* Two processes exchange data in pieces of limited size. Here the data have more vertices and more frames
 * than fit into one piece. */
TEST(more_than_a_part_at_once)
{
    static const int sizes[][2] = {{2, 1600007}, {301, 7001}};
    const char *path = path_of("a.h5");
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const int frames = sizes[i][0], vertices = sizes[i][1];
        OWNED_BY(dataset_free) Dataset *dataset = dataset_made("large", 0.0, vertices, 0, 0, 0, 0);
        assert_ok(animation_allocate(&dataset->animation, frames, vertices, 0));
        for (size_t k = 0; k < 3 * (size_t)frames * (size_t)vertices; k++)
            dataset->animation.positions[k] = (float)k;
        assert_round_trip(dataset, path);
    }
}

TEST(unfinished_files_never_appear)
{
    const char *folder = path_of(""), *path = path_of("a.h5");
    OWNED_BY(dataset_free) Dataset *dataset = dataset_named();
    DatasetWriter *writer = NULL;
    assert_ok(dataset_writer_open(path, dataset, 0, &writer));
    assert_ok(dataset_write_frames(writer, 2, dataset->animation.positions, NULL));
    dataset_writer_abandon(writer);
    assert_int_equal(files_in(folder), 0);
    assert_ok(dataset_writer_open(path, dataset, 0, &writer));
    assert_refused(STATUS_USAGE, "only 0 of 4 frames", dataset_writer_commit(writer));
    assert_int_equal(files_in(folder), 0);
    dataset->animation.positions[3] = NAN;
    assert_bad_input("animation/positions[0,1,0] is nan", dataset_write(dataset, path));
    assert_int_equal(files_in(folder), 0);
    dataset->animation.positions[3] = 0.0f;
    assert_bad_input("no folder", dataset_write(dataset, "/nowhere/at/all.h5"));

    /* If a process is killed while writing, nothing appears under the final name, and the previous file
     * stays. */
    assert_ok(dataset_write(dataset, path));
    char before[65], after[65];
    assert_ok(file_sha256(path, before));
    pid_t child = fork();
    if (child == 0) {
        if (dataset_writer_open(path, dataset, 0, &writer).code == STATUS_OK &&
            dataset_write_frames(writer, 1, dataset->animation.positions, NULL).code == STATUS_OK)
            raise(SIGKILL);
        _exit(0);
    }
    int how = 0;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how));
    assert_ok(file_sha256(path, after));
    assert_string_equal(before, after);
}

/* Returns the largest distance between the rig's linear blend (SBS eq. 1), in double, and the animation. */
static double blend_error(const Dataset *dataset)
{
    const Rig *rig = &dataset->rig;
    double worst = 0.0;
    for (int f = 0; f < rig->frame_count; f++)
        for (int v = 0; v < dataset->mesh.vertex_count; v++) {
            ptrdiff_t slot = (ptrdiff_t)f * dataset->mesh.vertex_count + v;
            Vec3 target = point_at(dataset->animation.positions, slot);
            Vec3 sum = rig_skin_point(rig, f, v, point_at(dataset->mesh.rest, v), vec3_scale(target, -1.0));
            worst = fmax(worst, vec3_length(sum));
        }
    return worst;
}

/* The errors of known rigs, relative to the diagonal, equal those in the README of the data sets to two
 * digits. They are caused by the text files of the animations, in which numbers have 7 digits. */
TEST(data_known_rigs_give_their_animation)
{
    static const struct {
        const char *file;
        int vertices, triangles, joints, influences, frames;
        double error_share;
        const char *sha256;
    } rows[] = {{"wolf.h5", 5075, 10018, 21, 13, 27, 1.4e-7,
                 "5967a0901065a5641033caa64dc76bec06f7aa95fceba7f96e6292ac1e4a63c0"},
                {"cylinder.h5", 420, 800, 4, 4, 8, 1.8e-7,
                 "3674fbcbe7ec61d47db5935b65586c19e04e20a8bc334371d2229ca7ed59aae1"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char digest[65];
        OWNED_BY(dataset_free) Dataset *dataset = NULL;
        const char *path = test_data(rows[i].file);
        if (!path)
            skip();
        assert_ok(file_sha256(path, digest));
        assert_string_equal(digest, rows[i].sha256);
        assert_ok(dataset_read(path, NULL, &dataset));
        assert_int_equal(dataset->mesh.vertex_count, rows[i].vertices);
        assert_int_equal(dataset->mesh.triangle_count, rows[i].triangles);
        assert_int_equal(dataset->rig.joint_count, rows[i].joints);
        assert_int_equal(dataset->rig.influence_count, rows[i].influences);
        assert_int_equal(dataset->animation.frame_count, rows[i].frames);
        double share =
            blend_error(dataset) / bounds_of(dataset->mesh.rest, dataset->mesh.vertex_count).diagonal;
        assert_true(fabs(share - rows[i].error_share) <= 0.1e-7);
    }
}

TEST(data_rig_only_files_read)
{
    OWNED_DATA(dataset, "makehuman.h5");
    assert_int_equal(dataset->mesh.vertex_count, 13380);
    assert_int_equal(dataset->rig.joint_count, 163);
    assert_int_equal(dataset->rig.frame_count, 64);
    assert_int_equal(dataset->animation.frame_count, 0);
    assert_true(dataset->fps == 30.0);
}
