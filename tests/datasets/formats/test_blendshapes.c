/* Tests the import of blendshapes, and of rigs that compressed skinning fitted to them. The .npz files
 * contain known numbers. */
#include "tests/imports.h"

#include "datasets/io/npy.h"

#include <assert.h>

typedef struct NpzMember {
    const char *name;
    NpyElement element;
    int64_t extents[3];
    const void *values;
} NpzMember;

static void npz_write(const char *name, const NpzMember *members, int count)
{
    struct archive *archive = archive_start(path_of(name), archive_write_set_format_zip, NULL);
    for (int i = 0; i < count; i++) {
        const int64_t *extents = members[i].extents;
        const int rank = extents[2] > 0 ? 3 : 2;
        char *bytes = NULL;
        size_t length = 0;
        FILE *file = open_memstream(&bytes, &length);
        npy_write_header(file, members[i].element, extents, rank);
        fwrite(members[i].values, members[i].element == NPY_FLOAT64 ? 8 : 4,
               (size_t)(extents[0] * extents[1] * (rank == 3 ? extents[2] : 1)), file);
        fclose(file);
        archive_add(archive, members[i].name, bytes, length, 1);
        free(bytes);
    }
    archive_finish(archive);
}

static const double rest[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
static const int32_t quads[1][4] = {{0, 1, 2, 3}}, broken[1][4] = {{0, 1, 2, 4}};
static const double weights[4][3] = {{1, 0, 0}, {0.5, 0, 0.5}, {0, 0, 1}, {0.25, 0, 0.75}};
/* The only shape: joint 0 moves by (1, 2, 3), joint 1 stays, and joint 2 rotates by r = (0, 0, 1). */
static const float shape[3][12] = {{0, 0, 0, 1, 0, 0, 0, 0, 0, -1, 0, 0},
                                   {0, 0, 0, 2, 0, 0, 0, 0, 1, 0, 0, 0},
                                   {0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0}};

TEST(fitted_shapes_are_a_rig)
{
    const NpzMember members[] = {{"rest.npy", NPY_FLOAT64, {4, 3}, rest},
                                 {"quads.npy", NPY_INT32, {1, 4}, quads},
                                 {"weights.npy", NPY_FLOAT64, {4, 3}, weights},
                                 {"shapeXform.npy", NPY_FLOAT32, {3, 12}, shape}};
    static const int32_t triangles[6] = {0, 1, 2, 0, 2, 3};
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    npz_write("fit.npz", members, 4);
    assert_ok(imported("npz", path_of("fit.npz"), (ImportOptions){.scale = 10.0}, &dataset));
    assert(dataset);
    assert_int_equal(dataset->mesh.triangle_count, 2);
    assert_memory_equal(dataset->mesh.triangles, triangles, sizeof triangles);
    assert_true(dataset->mesh.rest[3] == 10.0f);
    const Rig *rig = &dataset->rig;
    assert_int_equal(rig->joint_count, 3);
    assert_int_equal(rig->influence_count, 2);
    assert_int_equal(rig->weight_joints[3], 2);
    assert_true(rig->weight_values[2] == 0.5f && rig->weight_values[3] == 0.5f);
    const Transform expected[3] = {{1, 0, 0, 10, 0, 1, 0, 20, 0, 0, 1, 30},
                                   {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0},
                                   {1, -1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0}};
    assert_memory_equal(rig->transforms, expected, sizeof expected);
    /* Vertex 1 has the weight 1/2 for joint 0 and for joint 2. Joint 0 moves it by (10, 20, 30), and joint
     * 2 rotates it from (10, 0) to (10, 10). */
    assert_int_equal(dataset->animation.frame_count, 1);
    for (int i = 0; i < 3; i++)
        assert_true(dataset->animation.positions[3 + i] == 15.0f);
}

TEST(blendshapes_are_frames)
{
    float deltas[2][4][3] = {{{0}}};
    deltas[1][2][1] = 0.5f;
    const NpzMember members[] = {{"deltas.npy", NPY_FLOAT32, {2, 4, 3}, deltas},
                                 {"rest_verts.npy", NPY_FLOAT64, {4, 3}, rest},
                                 {"rest_faces.npy", NPY_INT32, {1, 4}, quads}};
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    npz_write("shapes.npz", members, 3);
    assert_ok(imported("npz", path_of("shapes.npz"), (ImportOptions){0}, &dataset));
    assert(dataset);
    assert_int_equal(dataset->animation.frame_count, 2);
    for (int i = 0; i < 24; i++)
        assert_true((double)dataset->animation.positions[i] ==
                    rest[i / 3 % 4][i % 3] + (i == 19 ? 0.5 : 0.0));
}

TEST(damaged_shapes_are_refused)
{
    static const double negative[4][3] = {{1, 0, 0}, {-0.5, 0, 1.5}, {0, 0, 1}, {0, 0, 1}};
    const NpzMember good[] = {{"rest.npy", NPY_FLOAT64, {4, 3}, rest},
                              {"quads.npy", NPY_INT32, {1, 4}, quads},
                              {"weights.npy", NPY_FLOAT64, {4, 3}, weights},
                              {"shapeXform.npy", NPY_FLOAT32, {3, 12}, shape}};
    const struct {
        NpzMember member;
        int at;
        const char *message;
    } cases[] = {
        {{"quads.npy", NPY_INT32, {1, 4}, broken}, 1, "face 0 refers to vertex 4, but there are 4 vertices"},
        {{"weights.npy", NPY_FLOAT64, {4, 3}, negative}, 2, "vertex 1 has the weight -0.5"},
        {{"weights.npy", NPY_FLOAT64, {3, 3}, weights}, 2, "expected the arrays weights [4, P]"},
        {{"shapeXform.npy", NPY_FLOAT32, {3, 4, 3}, shape}, 3, "has 3 dimensions, expected 2"},
        {{"faces.npy", NPY_INT32, {1, 4}, quads}, 1, "expected the arrays rest [N, 3] and quads"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        NpzMember members[4];
        Dataset *dataset = NULL;
        memcpy(members, good, sizeof good);
        members[cases[i].at] = cases[i].member;
        npz_write("bad.npz", members, 4);
        assert_bad_input(cases[i].message, imported("npz", path_of("bad.npz"), (ImportOptions){0}, &dataset));
    }
}
