/* Tests the reading of rigs of smooth skinning decomposition: a small hand-written rig, and the messages
 * for damaged rigs. */
#include "tests/imports.h"
#include "tests/rigs.h"

#include <assert.h>

static const char bones[] = "# a comment\n*OBJFILENAME\n..\\Data\\r.obj\n"
                            "*BONEANIMATION, BONEINDEX=0, NFRAMES=2\n"
                            "0 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1\n1 1 0 0 5 0 1 0 0 0 0 1 0 0 0 0 1\n"
                            "*BONEANIMATION, BONEINDEX=1, NFRAMES=2\n"
                            "0 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1\n1 2 0 0 0 0 2 0 0 0 0 2 7 0 0 0 1\n";
static const char weights[] = "*VERTEXWEIGHTS, NVERTICES=2  #(vtx0Based bone0 w0 ...)\n"
                              "0  1 0.75 0 0.25\n1  0 0.5\n";

/* Writes a mesh of two vertices at (1, 0, 0) and (0, 1, 0). */
static const char *mesh_write(void)
{
    const char *path = path_of("mesh.h5");
    OWNED_BY(dataset_free) Dataset *dataset = dataset_made("r", 24.0, 2, 0, 0, 0, 0);
    dataset->mesh.rest[0] = dataset->mesh.rest[4] = 1.0f;
    assert_ok(dataset_write(dataset, path));
    return path;
}

static Status ssd_read(const char *text, const char *mesh, Dataset **out)
{
    text_write("r.txt", text);
    return imported("ssd", path_of("r.txt"), (ImportOptions){.mesh = mesh}, out);
}

TEST(bones_and_weights_are_read)
{
    const char *mesh = mesh_write();
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    assert_ok(ssd_read(text_of("%s%s", bones, weights), mesh, &dataset));
    assert(dataset);
    const Rig *rig = &dataset->rig;
    assert_int_equal(rig->joint_count, 2);
    assert_int_equal(rig->frame_count, 2);
    assert_int_equal(rig->influence_count, 2);
    assert_true(rig->transforms[2].m03 == 5.0 && rig->transforms[3].m11 == 2.0 &&
                rig->transforms[3].m23 == 7.0);
    assert_int_equal(rig->weight_joints[0], 1);
    assert_true(rig->weight_values[0] == 0.75f && rig->weight_values[1] == 0.25f);
    assert_true(rig->weight_values[2] == 1.0f); /* scaled so that the sum is 1 */
    assert_true(dataset->mesh.rest[0] == 1.0f && dataset->fps == 24.0);
}

/* The text knows nothing of a mesh whose vertices skinbench sorted. */
TEST(weights_belong_to_vertices_in_their_original_order)
{
    OWNED_BY(dataset_free) Dataset *mesh = NULL, *dataset = NULL;
    assert_ok(dataset_read(mesh_write(), NULL, &mesh));
    mesh->mesh.original_vertices = memory_array(2, sizeof(int32_t));
    mesh->mesh.original_vertices[0] = 1;
    assert_ok(dataset_write(mesh, path_of("sorted.h5")));
    assert_ok(ssd_read(text_of("%s%s", bones, weights), path_of("sorted.h5"), &dataset));
    assert(dataset);
    assert_true(dataset->mesh.rest[1] == 1.0f && dataset->rig.weight_values[0] == 0.75f);
    assert_null(dataset->mesh.original_vertices);
}

TEST(damage_is_named)
{
    static const char *const faults[][3] = {
        {"", "*VERTEXWEIGHTS, NVERTICES=2\n", "expected *BONEANIMATION or *VERTEXWEIGHTS"},
        {"*BONEANIMATION, BONEINDEX=1, NFRAMES=2\n", "", "expected bone 0"},
        {"*BONEANIMATION, BONEINDEX=0, NFRAMES=1\n1 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1\n", "",
         "frame 0 is numbered 1"},
        {"*BONEANIMATION, BONEINDEX=0, NFRAMES=1\n0 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 2\n", "",
         "the last row of the matrix"},
        {bones, "*VERTEXWEIGHTS, NVERTICES=3\n", "has 3 vertices"},
        {bones, "*VERTEXWEIGHTS, NVERTICES=2\n0 2 1\n1 0 1\n", "vertex 0 has weight 1 of bone 2"},
        {bones, "*VERTEXWEIGHTS, NVERTICES=2\n0 0 1\n1\n", "vertex 1 has no weights"},
        {bones, "*VERTEXWEIGHTS, NVERTICES=2\n0 0 1\n", "ends before vertex 2 of 2"},
        {bones, "*VERTEXWEIGHTS, NVERTICES=2\n0 0 1\n5 0 1\n", "vertex 1 is numbered 5"}};
    const char *mesh = mesh_write();
    Dataset *dataset = NULL;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        assert_bad_input(faults[i][2], ssd_read(text_of("%s%s", faults[i][0], faults[i][1]), mesh, &dataset));
    assert_refused(STATUS_USAGE, "and --mesh with the sequence", ssd_read(bones, NULL, &dataset));
}
