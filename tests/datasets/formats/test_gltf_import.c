/* Tests the import of glTF. Each data set must evaluate to the same vertices that gltf_evaluate.h finds for
 * the file, both for real rigs and for small files written here. */
#include "tests/gltf_files.h"

#include "tests/skinned.h"

TEST(test_eight_influences)
{
    BUILDER(builder);
    TestNotes notes;
    chain_add(&builder, 8, true);
    (void)clip_add(&builder, "rotation", turns_add(&builder, 0.3), NODES(1, 2, 3, 4, 5, 6, 7, 8));
    Dataset *dataset = beam_expect(&builder, &notes);
    assert_int_equal(dataset->rig.influence_count, 8);
    assert_int_equal(dataset->rig.joint_count, 8);
    assert_string_equal(dataset->rig.joint_names[7], "bone 7");
    assert_null(dataset->rig.scale);
    for (int j = 0; j < 8; j++) {
        assert_int_equal(dataset->rig.parents[j], j - 1);
        assert_true(fabs(dataset->rig.rest[j].m13 - 0.25 * j) <
                    1e-6); /* computed from the inverse bind matrices */
    }
    for (int v = 0; v < BEAM_VERTICES; v++)
        assert_true(fabsf(dataset->mesh.rest[3 * v + 1] - (float)(2.0 * beam_height(v))) <
                    1e-6f); /* vertices are in the order of the file */
    assert_int_equal(dataset->mesh.triangle_count, 64);
    assert_holds(notes.text, "y is up");
    assert_holds(notes.text, "clip 'bend': frames 0 to 3");
    dataset_free(dataset);
    assert_bad_input("has no clip 'jump'; its clips are: 'bend'",
                     import_file(builder.path, builder.output, "jump", 0.0, NULL));
}

/* Without inverse bind matrices, the bind pose has all joints at the origin. */
TEST(test_no_binds)
{
    BUILDER(builder);
    chain_add(&builder, 3, false);
    (void)clip_add(&builder, "rotation", turns_add(&builder, 0.7), NODES(2));
    OWNED_BY(dataset_free) Dataset *dataset = beam_expect(&builder, NULL);
    for (int j = 0; j < 3; j++)
        assert_true(fabs(dataset->rig.rest[j].m13) < 1e-9);
}

/* Channels interpolate translations and rotations by cubic splines, or in steps. A joint with children has
 * a non-uniform scale. */
TEST(test_interpolations)
{
    BUILDER(builder);
    TestNotes notes;
    float moves[KEYS][3][3], turns[KEYS][3][4], steps[KEYS][4] = {{0.0f}}, scales[KEYS][3];
    chain_add(&builder, 4, true);
    for (int k = 0; k < KEYS; k++) {
        for (int part = 0; part < 3; part++)
            for (int i = 0; i < 4; i++) {
                if (i < 3)
                    moves[k][part][i] = (float)sin(1.0 + 3.0 * k + 5.0 * part + 7.0 * i);
                turns[k][part][i] =
                    (float)((part == 1 && i == 3) + 0.4 * sin(2.0 + 2.0 * k + 3.0 * part + i));
            }
        steps[k][k % 3] = 0.5f;
        steps[k][3] = sqrtf(0.75f);
        for (int i = 0; i < 3; i++)
            scales[k][i] = (float)(1.0 + 0.4 * sin(k + 2.0 * i));
    }
    const int times = times_add(&builder), moved = floats_add(&builder, "VEC3", 3, 3 * KEYS, &moves[0][0][0]);
    const int turned = floats_add(&builder, "VEC4", 4, 3 * KEYS, &turns[0][0][0]);
    const int stepped = floats_add(&builder, "VEC4", 4, KEYS, &steps[0][0]);
    const int scaled = floats_add(&builder, "VEC3", 3, KEYS, &scales[0][0]);
    rest_add(&builder,
             "'animations':[{'channels':[{'sampler':0,'target':{'node':1,'path':'translation'}},"
             "{'sampler':1,'target':{'node':2,'path':'rotation'}},"
             "{'sampler':2,'target':{'node':4,'path':'rotation'}},"
             "{'sampler':3,'target':{'node':3,'path':'scale'}},"
             "{'sampler':0,'target':{'path':'translation'}}],"
             "'samplers':[{'input':%d,'output':%d,'interpolation':'CUBICSPLINE'},"
             "{'input':%d,'output':%d,'interpolation':'CUBICSPLINE'},"
             "{'input':%d,'output':%d,'interpolation':'STEP'},"
             "{'input':%d,'output':%d,'interpolation':'LINEAR'}]}],",
             times, moved, times, turned, times, stepped, times, scaled);
    OWNED_BY(dataset_free) Dataset *dataset = beam_expect(&builder, &notes);
    assert_non_null(dataset->rig.scale);
    assert_holds(notes.text, "rig/scale");
    for (int i = 0; i < KEYS * dataset->rig.joint_count;
         i++) { /* the scale is stored separately, so the transformations are rigid */
        const Transform *t = &dataset->rig.transforms[i];
        const Vec3 x = {t->m00, t->m10, t->m20}, y = {t->m01, t->m11, t->m21};
        assert_true(fabs(vec3_dot(x, x) - 1.0) < 1e-9 && fabs(vec3_dot(x, y)) < 1e-9);
    }
}

/* The joints are listed in the wrong order and have no common root, and a node between them is not a joint.
 * There are three skins. The bind pose of the second skin lies beside that of the first and is moved onto
 * it. The third skin conflicts with both, so its joints stay separate. */
TEST(test_skins)
{
    BUILDER(builder);
    TestNotes notes;
    int positions = 0, indices = 0;
    char attributes[256];
    float odd[2][16] = {{0.0f}};
    beam_add(&builder, &positions, &indices);
    weights_add(&builder, 3, attributes, sizeof attributes);
    for (int i = 0; i < 4; i++)
        odd[0][5 * i] = odd[1][5 * i] = 1.0f;
    odd[0][13] = 0.5f;
    odd[1][12] = -0.5f;
    const int first = binds_add(&builder, 3, 0.0), second = binds_add(&builder, 3, -3.0);
    char pair[256];
    weights_add(&builder, 2, pair, sizeof pair);
    const int third = floats_add(&builder, "MAT4", 16, 2, &odd[0][0]), turns = turns_add(&builder, 0.4);
    rest_add(&builder,
             "'meshes':[{'primitives':[{'attributes':{'POSITION':%d%s},'indices':%d}]},"
             "{'primitives':[{'attributes':{'POSITION':%d%s},'indices':%d}]}],",
             positions, attributes, indices, positions, pair, indices);
    rest_add(&builder, "'nodes':[{'name':'tip','translation':[0,0.5,0]},"
                       "{'name':'between','rotation':[0,0.6,0,0.8],'children':[0]},"
                       "{'name':'base','children':[1]},{'name':'apart','translation':[0.5,1,0]},"
                       "{'mesh':0,'skin':0},{'mesh':0,'skin':1},{'mesh':1,'skin':2}],");
    rest_add(&builder,
             "'skins':[{'inverseBindMatrices':%d,'joints':[0,3,2]},"
             "{'inverseBindMatrices':%d,'joints':[0,3,2]},"
             "{'name':'odd','inverseBindMatrices':%d,'joints':[2,0]}],",
             first, second, third);
    (void)clip_add(&builder, "rotation", turns, NODES(1, 3));
    OWNED_BY(dataset_free) Dataset *dataset = beam_expect(&builder, &notes);
    const Rig *rig = &dataset->rig;
    assert_int_equal(rig->joint_count, 5);
    assert_string_equal(
        rig->joint_names[0],
        "base"); /* the parent comes before its child, although the skin lists the child first */
    assert_string_equal(rig->joint_names[1], "tip");
    assert_string_equal(rig->joint_names[2], "apart");
    assert_string_equal(rig->joint_names[3], "base (odd)");
    assert_string_equal(rig->joint_names[4], "tip (odd)");
    const int parents[] = {-1, 0, -1, -1, 3};
    assert_memory_equal(rig->parents, parents, sizeof parents);
    assert_holds(notes.text, "moved to the space of the first skin");
    assert_holds(notes.text, "the node 'tip' is bound in two ways");
    for (int i = 0; i < 3 * BEAM_VERTICES;
         i++) /* the import moves the second mesh by 3 along x, onto the first */
        assert_true(fabsf(dataset->mesh.rest[3 * BEAM_VERTICES + i] + (i % 3 == 0 ? 3.0f : 0.0f) -
                          dataset->mesh.rest[i]) < 1e-5f);
}

/* A clip animates morph targets, one of which is sparse and without a buffer view. A skinned mesh has
 * constant morph targets. */
TEST(test_morph_targets)
{
    BUILDER(builder);
    TestNotes notes;
    int positions = 0, indices = 0;
    float offsets[BEAM_VERTICES][3],
        few[3][3] = {{1.0f, 0.0f, 0.5f}, {0.0f, -1.0f, 0.0f}, {0.3f, 0.3f, 0.3f}};
    const uint8_t places[3] = {2, 3, 30};
    const float weights[KEYS][2] = {{0.0f, 0.5f}, {1.0f, 0.25f}, {0.5f, -1.0f}, {0.0f, 2.0f}};
    beam_add(&builder, &positions, &indices);
    for (int i = 0; i < 3 * BEAM_VERTICES; i++)
        (&offsets[0][0])[i] = (float)(0.2 * sin(i));
    const int dense = floats_add(&builder, "VEC3", 3, BEAM_VERTICES, &offsets[0][0]);
    const int at = view_add(&builder, places, sizeof places, 0),
              values = view_add(&builder, few, sizeof few, 0);
    json_array_append_new(builder.accessors,
                          json_pack("{s:i, s:s, s:i, s:{s:i, s:{s:i, s:i}, s:{s:i}}}", "componentType", 5126,
                                    "type", "VEC3", "count", BEAM_VERTICES, "sparse", "count", 3, "indices",
                                    "bufferView", at, "componentType", 5121, "values", "bufferView", values));
    const int sparse = dense + 1, moved = floats_add(&builder, "SCALAR", 1, 2 * KEYS, &weights[0][0]);
    rest_add(&builder,
             "'meshes':[{'weights':[0.5,0.25],'primitives':[{'attributes':{'POSITION':%d},'indices':%"
             "d,'targets':[{'POSITION':%d},{'POSITION':%d}]}]}],'nodes':[{'mesh':0,'scale':[2,2,2]}],",
             positions, indices, dense, sparse);
    (void)clip_add(&builder, "weights", moved, NODES(0));
    OWNED_BY(dataset_free) Dataset *dataset = beam_expect(&builder, &notes);
    assert_int_equal(dataset->rig.joint_count, 0);
    assert_int_equal(dataset->animation.frame_count, KEYS);
    assert_holds(notes.text, "morph targets are animated");
    /* The rest pose uses the mesh's default weights: vertex 2 is 2 (position + 0.5 dense + 0.25 sparse). */
    assert_true(fabs((double)dataset->mesh.rest[6] - 2.0 * (0.2 + 0.5 * 0.2 * sin(6.0) + 0.25)) < 1e-6);
}

/* Meshes that are moved by nodes become one mesh with a joint for each node, and with positions. One of the
 * meshes has two instances, and one is below a node with a matrix. */
TEST(test_moved_meshes)
{
    BUILDER(builder);
    moved_add(&builder);
    OWNED_BY(dataset_free) Dataset *dataset = beam_expect(&builder, NULL);
    assert_int_equal(dataset->rig.joint_count, 3);
    assert_int_equal(dataset->rig.parents[2], 0);
    assert_int_equal(dataset->animation.frame_count, KEYS);
    animation_clear(&dataset->animation); /* the rig gives the same frames */
    CLEANUP(gltf_release) TestGltf gltf = {0};
    gltf_load(builder.path, &gltf);
    for (int f = 0; f < KEYS; f++)
        frame_expect(&gltf, 0, 0.5 * f, dataset, f);
    dataset_free(dataset);
    /* Without the clip nothing moves, so the import gives only a mesh, at its place in the scene. */
    double wanted[3 * 3 * BEAM_VERTICES];
    *strstr(builder.rest, "\"animations\"") = '\0';
    glb_write(&builder);
    gltf_load(builder.path, &gltf);
    assert_int_equal(gltf_vertices(&gltf, -1, 0.0, wanted), 3 * BEAM_VERTICES);
    dataset = import_read(builder.path, builder.output, NULL, 0.0, NULL);
    assert_int_equal(dataset->rig.joint_count + dataset->animation.frame_count, 0);
    for (int i = 0; i < 3 * 3 * BEAM_VERTICES; i++)
        assert_true(fabs((double)dataset->mesh.rest[i] - wanted[i]) < 1e-6);
}

/* Normalised weights are interleaved with positions in one buffer view, all joints have the same scale, and
 * an unskinned mesh is the child of a joint. */
TEST(test_interleaved)
{
    enum { COUNT = 5 };
    struct {
        float position[3];
        uint8_t joints[4], weights[4];
        int16_t spare[2];
    } vertices[COUNT] = {{{0.0f}, {0}, {0}, {0}}};
    BUILDER(builder);
    TestNotes notes;
    for (int v = 0; v < COUNT; v++) {
        vertices[v].position[0] = (float)(v % 2);
        vertices[v].position[1] = (float)v;
        vertices[v].joints[0] = 1;
        vertices[v].weights[0] = (uint8_t)(255 - 50 * v);
        vertices[v].weights[1] = (uint8_t)(50 * v);
    }
    const int view = view_add(&builder, vertices, sizeof vertices, sizeof *vertices);
    const struct {
        int component, offset;
        const char *type;
    } parts[] = {{5126, 0, "VEC3"}, {5121, 12, "VEC4"}, {5121, 16, "VEC4"}};
    for (int i = 0; i < 3; i++)
        json_array_append_new(builder.accessors,
                              json_pack("{s:i, s:s, s:i, s:i, s:i, s:b}", "componentType", parts[i].component,
                                        "type", parts[i].type, "count", COUNT, "bufferView", view,
                                        "byteOffset", parts[i].offset, "normalized", i == 2));
    const int turns = turns_add(&builder, 1.0);
    rest_add(&builder, "'meshes':[{'primitives':[{'mode':5,'attributes':{'POSITION':0,'JOINTS_0':"
                       "1,'WEIGHTS_0':2}},{'mode':1,'attributes':{'POSITION':0}}]},"
                       "{'primitives':[{'mode':6,'attributes':{'POSITION':0}}]}],");
    rest_add(&builder, "'nodes':[{'scale':[0.1,0.1,0.1],'children':[1,2]},{'name':'a','children':[4]},"
                       "{'name':'b','translation':[0,3,0]},{'mesh':0,'skin':0},{'mesh':1}],"
                       "'skins':[{'joints':[1,2]}],");
    (void)clip_add(&builder, "rotation", turns, NODES(1));
    /* The evaluation does not support lines, so it reads the file without that primitive. */
    glb_write(&builder);
    OWNED_BY(dataset_free) Dataset *dataset = import_read(builder.path, builder.output, NULL, 0.0, &notes);
    assert_holds(notes.text, "meshes[0].primitives[1] is dropped: it has lines");
    assert_holds(notes.text, "scaled by 0.1");
    assert_int_equal(dataset->mesh.triangle_count, 6);
    const int32_t triangles[] = {0, 1, 2, 1, 3, 2, 2, 3, 4, 6, 7, 5, 7, 8, 5, 8, 9, 5};
    assert_memory_equal(dataset->mesh.triangles, triangles, sizeof triangles);
    dataset_free(dataset);
    *strstr(builder.rest, ",{\"mode\":1") = '\0';
    rest_add(&builder, "]},{'primitives':[{'mode':6,'attributes':{'POSITION':0}}]}],"
                       "'nodes':[{'scale':[0.1,0.1,0.1],'children':[1,2]},{'name':'a','children':[4]},"
                       "{'name':'b','translation':[0,3,0]},{'mesh':0,'skin':0},{'mesh':1}],"
                       "'skins':[{'joints':[1,2]}],");
    (void)clip_add(&builder, "rotation", turns, NODES(1));
    dataset = beam_expect(&builder, &notes);
    assert_null(dataset->rig.scale);
    assert_int_equal(dataset->rig.joint_count, 3);
    assert_int_equal(dataset->rig.parents[2], 0);
}

/* Compares the sample files of Khronos. Their counts must match their descriptions. In every fifth frame,
 * the rig skinned by lbs must match the evaluation of the file. */
TEST(data_samples)
{
    static const struct {
        const char *name;
        int vertices, joints, clips, frames[3];
    } rows[] = {{"gltf/Fox.glb", 1728, 24, 3, {83, 18, 25}},
                {"gltf/CesiumMan.glb", 3273, 19, 1, {49}},
                {"gltf/RiggedSimple.glb", 960, 4, 1, {161}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CLEANUP(gltf_release) TestGltf gltf = {0};
        int first = 0;
        const char *path = test_data(rows[i].name);
        if (!path)
            return;
        const char *output = path_of("out.h5");
        gltf_load(path, &gltf);
        OWNED_BY(dataset_free) Dataset *dataset = import_read(path, output, NULL, 0.0, NULL);
        assert_int_equal(dataset->mesh.vertex_count, rows[i].vertices);
        assert_int_equal(dataset->rig.joint_count, rows[i].joints);
        assert_null(dataset->rig.scale);
        assert_ok(animation_allocate(&dataset->animation, dataset->rig.frame_count, rows[i].vertices, 0));
        skin_lbs(&backend_scalar, dataset, dataset->animation.positions);
        for (int clip = 0; clip < rows[i].clips; first += rows[i].frames[clip++]) {
            const json_t *samplers = json_object_get(gltf_at(&gltf, "animations", clip), "samplers");
            int input = -1; /* in these files, the longest list of times covers all frames */
            for (size_t s = 0; s < json_array_size(samplers); s++) {
                const int other = gltf_int(json_array_get(samplers, s), "input", -1);
                if (input < 0 || gltf_count(&gltf, other) > gltf_count(&gltf, input))
                    input = other;
            }
            assert_int_equal(gltf_count(&gltf, input), rows[i].frames[clip]);
            for (int f = 0; f < rows[i].frames[clip]; f += 5)
                frame_expect(&gltf, clip, gltf_number(&gltf, input, f, 0), dataset, first + f);
        }
        assert_int_equal(dataset->rig.frame_count, first);
        unlink(output);
    }
}

/* A clip is imported by its name, at a frame rate for which frames fall between the keys. */
TEST(data_clip)
{
    const char *path = test_data("gltf/Fox.glb");
    CLEANUP(gltf_release) TestGltf gltf = {0};
    if (!path)
        return;
    const char *output = path_of("out.h5");
    gltf_load(path, &gltf);
    OWNED_BY(dataset_free) Dataset *dataset = import_read(path, output, "Walk", 60.0, NULL);
    assert_int_equal(dataset->rig.frame_count, 43); /* the clip lasts 0.70833 s */
    for (int f = 0; f < 43; f += 7)
        frame_expect(&gltf, 1, f / 60.0, dataset, f);
}

/* Custom attributes with one number per vertex become attributes of the data set. Vertices of a mesh without
 * them have zeros, and attributes that are not numbers or have other names are left out. */
TEST(custom_scalars_become_attributes)
{
    BUILDER(builder);
    int positions = 0, indices = 0;
    float stiffness[BEAM_VERTICES], colors[BEAM_VERTICES][3] = {{0.0f}};
    beam_add(&builder, &positions, &indices);
    for (int v = 0; v < BEAM_VERTICES; v++)
        stiffness[v] = 0.5f * (float)v;
    const int stiff = floats_add(&builder, "SCALAR", 1, BEAM_VERTICES, stiffness),
              color = floats_add(&builder, "VEC3", 3, BEAM_VERTICES, &colors[0][0]),
              share = floats_add(&builder, "SCALAR", 1, BEAM_VERTICES, stiffness);
    rest_add(&builder, "'scene':0,'scenes':[{'nodes':[0,1]}],'nodes':[{'mesh':1},{'mesh':0}],");
    rest_add(
        &builder,
        "'meshes':[{'primitives':[{'attributes':{'POSITION':%d,'_STIFFNESS':%d,'_COLOR':%d,'_two words':%d,"
        "'_a.b':%d},'indices':%d}]},{'primitives':[{'attributes':{'POSITION':%d},'indices':%d}]}],",
        positions, stiff, color, share, share, indices, positions, indices);
    glb_write(&builder);
    OWNED_BY(dataset_free)
    Dataset *dataset = import_read(builder.path, builder.output, NULL, 0.0, NULL);
    const Mesh *mesh = &dataset->mesh;
    assert_int_equal(mesh->attribute_count, 2);
    assert_string_equal(mesh->attribute_names[0], "STIFFNESS");
    assert_string_equal(mesh->attribute_names[1], "a.b");
    for (int v = 0; v < 2 * BEAM_VERTICES; v++)
        for (int i = 0; i < 2; i++)
            assert_true(mesh->attributes[i * mesh->vertex_count + v] ==
                        (v < BEAM_VERTICES ? 0.0f : stiffness[v - BEAM_VERTICES]));
}
