/* Exports a rig into the glTF file of its mesh, and checks the result with gltf_evaluate.h. Covers joints
 * with and without a node in the file, a different rest pose, and meshes that were children of nodes or had
 * morph targets. */
#include "tests/gltf_files.h"

#include "datasets/model/twist_joint.h"

/* Builds a file with a chain of three joints, a clip, and data that skinbench does not read: a material
 * with a texture, texture coordinates, a camera, and a node with extras. Imports it at the keys as
 * *dataset. */
static void chain_start(Builder *builder, TestGltf *before, Dataset **dataset)
{
    builder_start(builder);
    chain_add(builder, 3, true);
    const int turns = turns_add(builder, 0.5);
    float places[BEAM_VERTICES][2];
    for (int i = 0; i < 2 * BEAM_VERTICES; i++)
        (&places[0][0])[i] = (float)i / BEAM_VERTICES;
    const int coordinates = floats_add(builder, "VEC2", 2, BEAM_VERTICES, &places[0][0]);
    const int image = view_add(builder, "not a picture", 13, 0);
    char *cursor = strstr(builder->rest, "\"indices\"");
    const char *tail = text_of("%s", cursor);
    *cursor = '\0';
    rest_add(builder, "'material':0,%s", tail);
    cursor = strstr(builder->rest, "\"POSITION\"");
    tail = text_of("%s", cursor);
    *cursor = '\0';
    rest_add(builder, "'TEXCOORD_0':%d,%s", coordinates, tail);
    rest_add(builder,
             "'materials':[{'name':'fur','pbrMetallicRoughness':{'baseColorTexture':{'index':0}}}],"
             "'textures':[{'source':0}],'images':[{'bufferView':%d,'mimeType':'image/png'}],"
             "'cameras':[{'type':'perspective','perspective':{'yfov':0.7853981633974483,'znear':0.1}}],",
             image);
    (void)clip_add(builder, "rotation", turns, NODES(2));
    *dataset = beam_expect(builder, NULL);
    gltf_load(builder->path, before);
}

/* Exports the changed data set into its file, and compares every frame of the last clip. */
static void changed_expect(const Builder *builder, Dataset *dataset, TestNotes *notes, TestGltf *after)
{
    notes->text[0] = '\0';
    assert_ok(dataset_write(dataset, builder->output));
    assert_ok(into_file(builder->output, builder->path, notes));
    gltf_load(path_of("into.glb"), after);
    const int clip = (int)json_array_size(json_object_get(after->root, "animations")) - 1;
    for (int f = 0; f < KEYS; f++)
        frame_expect(after, clip, 0.5 * f, dataset, f);
}

static void part_expect(const TestGltf *before, const TestGltf *after, const char *name)
{
    if (!json_equal(json_object_get(before->root, name), json_object_get(after->root, name)))
        fail_msg("%s are others", name);
}

/* The old joints keep their nodes. The twist joint becomes a new node below its parent, with keys in the
 * existing clip. */
TEST(test_twist_joint)
{
    CLEANUP(builder_end) Builder builder = {0};
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    CLEANUP(gltf_release) TestGltf before = {0}, after = {0};
    TestNotes notes;
    chain_start(&builder, &before, &dataset);
    assert_ok(rig_add_twist_joint(&dataset->rig, &dataset->mesh, &(TwistJointPlan){1, 2, false, 1.0}));
    changed_expect(&builder, dataset, &notes, &after);
    assert_holds(notes.text, "3 of 4 joints are nodes of");
    static const char *const kept[] = {"materials", "textures", "images", "cameras", "scenes"};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        part_expect(&before, &after, kept[i]);
    assert_int_equal(json_array_size(json_object_get(after.root, "animations")), 1);
    assert_int_equal(json_array_size(json_object_get(after.root, "nodes")), 5);
    assert_int_equal(json_array_size(json_object_get(after.root, "skins")), 1);
    assert_string_equal(json_string_value(json_object_get(gltf_at(&after, "nodes", 4), "name")),
                        "bone 1-twist");
    assert_int_equal(
        json_integer_value(json_array_get(json_object_get(gltf_at(&after, "nodes", 2), "children"), 1)), 4);
    /* compare the texture coordinates number by number, and the bytes of the image */
    const json_t *attributes = json_object_get(
        json_array_get(json_object_get(gltf_at(&after, "meshes", 0), "primitives"), 0), "attributes");
    for (int i = 0; i < 2 * BEAM_VERTICES; i++)
        assert_true(gltf_number(&after, gltf_int(attributes, "TEXCOORD_0", -1), i / 2, i % 2) ==
                    (double)((float)i / BEAM_VERTICES));
    const json_t *view =
        gltf_at(&after, "bufferViews", gltf_int(gltf_at(&after, "images", 0), "bufferView", -1));
    assert_memory_equal(after.bytes + gltf_int(view, "byteOffset", -1), "not a picture", 13);
}

/* The rest pose was changed by a fit, and joints were renamed. The joints become new nodes, with or without
 * a clip of their own. */
TEST(test_other_joints)
{
    CLEANUP(builder_end) Builder builder = {0};
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    CLEANUP(gltf_release) TestGltf before = {0}, after = {0};
    TestNotes notes;
    chain_start(&builder, &before, &dataset);
    for (int i = 0; i < 3 * BEAM_VERTICES; i++)
        dataset->mesh.rest[i] += (float)(0.01 * sin(i));
    changed_expect(&builder, dataset, &notes, &after);
    assert_holds(notes.text, "its rest pose is up to");
    part_expect(&before, &after, "nodes");
    dataset->rig.joint_names[1][0] = 'B';
    changed_expect(&builder, dataset, &notes, &after);
    assert_holds(notes.text, "2 of 3 joints are nodes of");
    /* The joint keeps its name but gets a different motion, and there are no clips: the first joint stands
     * still. */
    for (int f = 0; f < KEYS; f++)
        dataset->rig.transforms[3 * f + 2].m03 += 0.1;
    clips_clear(&dataset->clips);
    dataset->fps = 2.0;
    changed_expect(&builder, dataset, &notes, &after);
    assert_holds(notes.text, "1 of 3 joints are nodes of");
    assert_int_equal(json_array_size(json_object_get(after.root, "animations")), 2);
}

/* Two nodes that shared a mesh get a mesh and a skin each. A third node, which still moves all of its
 * vertices, is unchanged. */
TEST(test_moved_meshes)
{
    BUILDER(builder);
    CLEANUP(gltf_release) TestGltf before = {0}, after = {0};
    TestNotes notes;
    moved_add(&builder);
    OWNED_BY(dataset_free) Dataset *dataset = beam_expect(&builder, NULL);
    animation_clear(&dataset->animation);
    gltf_load(builder.path, &before);
    changed_expect(&builder, dataset, &notes, &after);
    assert_true(json_equal(json_object_get(before.root, "nodes"), json_object_get(after.root, "nodes")));
    /* Every third vertex of the arm and of the leg now belongs to joint 0, which is at the top. */
    for (int v = BEAM_VERTICES; v < dataset->mesh.vertex_count; v++)
        dataset->rig.weight_joints[v] = v % 3 == 0 ? 0 : dataset->rig.weight_joints[v];
    changed_expect(&builder, dataset, &notes, &after);
    assert_int_equal(json_array_size(json_object_get(after.root, "meshes")), 3);
    assert_int_equal(json_array_size(json_object_get(after.root, "skins")), 2);
    assert_null(json_object_get(gltf_at(&after, "nodes", 0), "skin"));
}

TEST(test_refused)
{
    CLEANUP(builder_end) Builder builder = {0};
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    CLEANUP(gltf_release) TestGltf before = {0};
    chain_start(&builder, &before, &dataset);
    dataset->mesh.triangles[4] = 7;
    assert_ok(dataset_write(dataset, builder.output));
    assert_bad_input("triangle 1 has vertex 7 where", into_file(builder.output, builder.path, NULL));
    rig_clear(&dataset->rig);
    clips_clear(&dataset->clips);
    assert_ok(dataset_write(dataset, builder.output));
    assert_bad_input("has no rig to put into", into_file(builder.output, builder.path, NULL));
    dataset_free(dataset);
    assert_ok(dataset_create("one", NULL, NULL, NULL, &dataset));
    assert_ok(mesh_allocate(&dataset->mesh, 1, 0));
    assert_ok(rig_allocate(&dataset->rig, 1, 1, 1, 1));
    dataset->rig.joint_names[0] = memory_text("a");
    dataset->rig.parents[0] = -1;
    dataset->rig.weight_values[0] = 1.0f;
    dataset->rig.rest[0] = dataset->rig.transforms[0] = (Transform){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    assert_ok(dataset_write(dataset, builder.output));
    assert_bad_input("has 1 vertices and 0 triangles, but", into_file(builder.output, builder.path, NULL));
    assert_true(access(path_of("into.glb"), F_OK) ==
                0); /* the file is left from the earlier successful export */
}

/* The Khronos fox keeps three clips with their durations, its material and its texture coordinates. */
TEST(data_fox)
{
    const char *path = test_data("gltf/Fox.glb");
    CLEANUP(gltf_release) TestGltf before = {0}, after = {0};
    if (!path)
        return;
    OWNED_BY(dataset_free) Dataset *dataset = import_read(path, path_of("fox.h5"), NULL, 0.0, NULL);
    assert_ok(into_file(path_of("fox.h5"), path, NULL));
    gltf_load(path, &before);
    gltf_load(path_of("into.glb"), &after);
    static const char *const kept[] = {"asset", "nodes", "scenes", "animations", "materials", "textures"};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        part_expect(&before, &after, kept[i]);
    const double lengths_s[] = {3.41667, 0.70833, 1.15833}; /* the largest `max` of the times in the file */
    for (int clip = 0, first = 0; clip < 3; first += clip_frame_count(&dataset->clips, clip++)) {
        const json_t *samplers = json_object_get(gltf_at(&after, "animations", clip), "samplers");
        double end = 0.0;
        for (size_t s = 0; s < json_array_size(samplers); s++) {
            const int input = gltf_int(json_array_get(samplers, s), "input", -1);
            end = fmax(end, gltf_number(&after, input, gltf_count(&after, input) - 1, 0));
        }
        const int last = first + clip_frame_count(&dataset->clips, clip) - 1;
        assert_true(fabs(end - lengths_s[clip]) < 1e-4);
        assert_true(fabs(dataset->clips.times_s[last] - lengths_s[clip]) < 1e-4);
        frame_expect(&after, clip, end, dataset, last);
    }
    for (int v = 0; v < 1728; v++)
        for (int k = 0; k < 2; k++) /* accessor 1 is TEXCOORD_0 in both files */
            assert_true(gltf_number(&after, 1, v, k) == gltf_number(&before, 1, v, k));
}
