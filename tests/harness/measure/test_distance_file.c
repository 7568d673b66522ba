/* Writes the distance of every vertex in every frame to each file format, reads it back, and compares it
 * with the known displacement of the candidate animation. */
#include "tests/metrics.h"

#include "datasets/io/hdf5_reader.h"
#include "harness/measure/metrics/distance_file.h"

enum { FRAMES = 3 };

/* Returns the displacement along x of the candidate's vertex in a frame. */
static float moved(int frame, int vertex)
{
    return 0.1f * (float)(frame * CORNERS + vertex);
}

/* Measures the displaced tetrahedron and writes its distances to a file. */
static Status distances_write(const char *path)
{
    float positions[2][FRAMES * CORNERS * 3];
    for (int i = 0; i < FRAMES * CORNERS * 3; i++) {
        const int axis = i % 3, vertex = i / 3 % CORNERS, frame = i / (3 * CORNERS);
        positions[0][i] = axis == 0 ? 0.0f : four_points[i % (3 * CORNERS)];
        positions[1][i] = positions[0][i] + (axis == 0 ? moved(frame, vertex) : 0.0f);
    }
    const Animation animations[] = {{FRAMES, positions[0], NULL, NULL}, {FRAMES, positions[1], NULL, NULL}};
    OWNED_BY(frame_source_close) FrameSource *target = NULL, *candidate = NULL;
    OWNED_BY(distance_file_close) DistanceFile *file = NULL;
    CLEANUP(metrics_clear) Metrics metrics = {0};
    STATUS_TRY(distance_file_open(path, "one", "other", &file));
    STATUS_TRY(frame_source_of_parts("one", &tetrahedron, &animations[0], NULL, NULL, 1, &target));
    STATUS_TRY(frame_source_of_parts("other", &tetrahedron, &animations[1], NULL, NULL, 1, &candidate));
    STATUS_TRY(frame_sources_measure_each(target, candidate, NULL, distance_file_sink(file), &metrics));
    return distance_file_commit(file);
}

static void assert_moved(const float distances[FRAMES * CORNERS])
{
    for (int i = 0; i < FRAMES * CORNERS; i++)
        assert_memory_equal(&distances[i], &(float){moved(i / CORNERS, i % CORNERS)}, sizeof(float));
}

TEST(every_format_gives_the_same_floats_back)
{
    float distances[FRAMES * CORNERS] = {0};
    size_t size = 0;
    assert_ok(distances_write(path_of("d.npy")));
    OWNED char *bytes = file_read("d.npy", &size);
    assert_int_equal(size, 128 + sizeof distances);
    assert_memory_equal(bytes + 10, "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }", 59);
    memcpy(distances, bytes + 128, sizeof distances);
    assert_moved(distances);

    assert_ok(distances_write(path_of("d.csv")));
    OWNED char *text = file_read("d.csv", NULL);
    char *end = strchr(text, '\n');
    assert_memory_equal(text, "frame,vertex,distance\n", 22);
    for (int i = 0; i < FRAMES * CORNERS; i++) {
        const long frame = strtol(end + 1, &end, 10);
        assert_int_equal(*end, ',');
        assert_int_equal(frame * CORNERS + strtol(end + 1, &end, 10), i);
        assert_int_equal(*end, ',');
        distances[i] = strtof(end + 1, &end);
        assert_int_equal(*end, '\n');
    }
    assert_string_equal(end, "\n");
    assert_moved(distances);

    assert_ok(distances_write(path_of("d.h5")));
    Hdf5Reader *reader = NULL;
    const Hdf5Shape shape = {2, {FRAMES, CORNERS}};
    Hdf5Shape found = {0};
    assert_ok(hdf5_reader_open(path_of("d.h5"), NULL, &reader));
    assert_ok(hdf5_reader_shape(reader, "distance", ARRAY_FLOAT32, shape, 10, &found));
    assert_ok(hdf5_reader_block(reader, "distance", ARRAY_FLOAT32, (Hdf5Shape){0}, shape, distances));
    hdf5_reader_close(reader);
    assert_moved(distances);
    assert_int_equal(files_in(path_of("")), 3); /* no temporary folder is left */
}

TEST(other_endings_are_refused)
{
    assert_refused(STATUS_USAGE, "d.txt: the name of a file for distances must end in .npy",
                   distances_write("d.txt"));
    assert_refused(STATUS_USAGE, ".npy: the name of a file for distances", distances_write(".npy"));
    assert_bad_input("/nowhere/d.npy", distances_write("/nowhere/d.npy"));
}
