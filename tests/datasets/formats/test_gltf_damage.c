/* Tests glTF files in different containers, and damaged files. The messages for damaged files must name the
 * place of the damage. */
#include "tests/gltf_files.h"

/* A .glb, a .gltf with a separate file and a .gltf with embedded bytes give the same data set. */
TEST(test_buffers)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    static char uri[2 * BUFFER_BYTES] = "data:application/octet-stream;base64,";
    BUILDER(builder);
    const char *gltf = path_of("in.gltf"), *bin = path_of("in put.bin");
    size_t used = strlen(uri);
    chain_add(&builder, 3, false);
    glb_write(&builder);
    OWNED_BY(dataset_free) Dataset *glb = import_read(builder.path, builder.output, NULL, 0.0, NULL);
    assert_int_equal(glb->rig.frame_count, 1); /* without clips, the only frame is the pose of the nodes */
    for (size_t i = 0; i < builder.size; i += 3) { /* base64 */
        const unsigned bits =
            (unsigned)builder.bytes[i] << 16 | (unsigned)builder.bytes[i + 1] << 8 | builder.bytes[i + 2];
        for (int k = 0; k < 4; k++)
            uri[used++] = i + (size_t)k > builder.size ? '=' : digits[bits >> (18 - 6 * k) & 63];
    }
    const char *uris[] = {"in%20put.bin", uri};
    for (int i = 0; i < 2; i++) {
        OWNED_BY(free) char *json = builder_json(&builder, uris[i]);
        bytes_write(gltf, json, strlen(json));
        bytes_write(bin, builder.bytes, builder.size);
        OWNED_BY(dataset_free) Dataset *dataset = import_read(gltf, builder.output, NULL, 0.0, NULL);
        assert_memory_equal(dataset->mesh.rest, glb->mesh.rest, sizeof(float) * 3 * BEAM_VERTICES);
        assert_memory_equal(dataset->rig.transforms, glb->rig.transforms, sizeof(Transform) * 3);
    }
    const char *const refused[][2] = {
        {"../in.bin", "expected a file in the folder"},
        {"/etc/passwd", "expected a file in the folder"},
        {"a/%2e%2e/b.bin", "expected a file in the"},
        {"http://x/y.bin", "expected a file in the folder"},
        {"missing.bin", "missing.bin: cannot be opened"},
        {"data:,abc", "has 3 bytes, but its byteLength"},
        {"data:abc", "has a data: URI without a comma"},
        {"data:;base64,*", "contains the byte 42, which is not a base64 character"},
        {"data:;base64,AAAA", "has 3 bytes, but its byteLength"},
        {"in%20put.bin", "buffers[0] has 100 bytes"}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        OWNED_BY(free) char *json = builder_json(&builder, refused[i][0]);
        bytes_write(gltf, json, strlen(json));
        bytes_write(bin, builder.bytes, 100);
        assert_bad_input(refused[i][1], import_file(gltf, builder.output, NULL, 0.0, NULL));
    }
}

/* One place of a valid file is damaged. Each row has the original text, its replacement, and the expected
 * message. */
TEST(test_damage)
{
    static const char *const rows[][3] = {
        {"'version':'2.0'", "'version':'1.0'", "version 1.0, expected 2.0"},
        {"'version':'2.0'", "'version':'2.5','minVersion':'2.5'",
         "asset needs glTF 2.5 (minVersion), but only glTF 2.0 can be read"},
        {"'nodes':[0,1]", "'nodes':[0,9]", "scenes[0] has the node 9, but there are 4 nodes"},
        {"'scene':0", "'scene':7", "refers to scenes[7], but the file has only 1"},
        {"'children':[2]", "'children':[9]", "nodes[1] has the child 9, expected 0 to 3"},
        {"'children':[2]", "'children':[1]", "is its own ancestor"},
        {"'children':[3]", "'children':[2]", "nodes[2] has two parents, nodes[1] and nodes[2]"},
        {"'translation':[5,6,7]", "'translation':[5,6]",
         "nodes[0] has a translation of 2 numbers, expected 3"},
        {"'translation':[5,6,7]", "'scale':[5,6,1e300]",
         "nodes[0] (node 0): its transformation is not finite"},
        {"'joints':[1,2,3]", "'joints':[1,2,8]", "skins[0].joints[2] is none of the 4 nodes"},
        {"'joints':[1,2,3]", "'joints':[1,2,2]",
         "skins[0].joints[2] is nodes[2] (bone 1), which the same skin lists twice"},
        {"'joints':[1,2,3]", "'joints':[1,2]", "names joint 2, expected 0 to 1"},
        {"'joints':[1,2,3]", "'joints':[]", "skins[0] has no joints"},
        {"'mesh':0,'skin':0", "'mesh':0,'skin':4", "nodes[0] has the mesh 0 and the skin 4"},
        {"'mesh':0,'skin':0", "'mesh':3,'skin':0", "nodes[0] refers to meshes[3], but the file has only 1"},
        {"'mesh':0,'skin':0", "'mesh':0.5", "nodes[0] has the mesh 0.5, expected a whole number"},
        {"'mesh':0,'skin':0", "'camera':0", "has 0 vertices"},
        {"'POSITION':1", "'POSITION':99", "meshes[0].primitives[0] refers to accessors[99]"},
        {"'POSITION':1", "'NORMAL':1", "has no 'POSITION'"},
        {"'JOINTS_0'", "'JOINTS_7'", "has no 'JOINTS_0'"},
        {"'count':36", "'count':2000000000", "accessors[1] has the count 2000000000"},
        {"'count':36", "'count':500000000", "up to byte 6000000000 of bufferViews[1], which has 432"},
        {"'count':36", "'count':35", "has the index 35 at 182, expected 0 to 34"},
        {"'count':36", "'count':0", "meshes[0].primitives[0] has indices, but no vertices"},
        {"'count':36", "'count':-1", "accessors[1] has the count -1"},
        {"'type':'VEC3'", "'type':'VEC2'", "accessors[1] has the type VEC2"},
        {"'componentType':5123", "'componentType':5122",
         "accessors[2] has the componentType 5122, expected uns"},
        {"'componentType':5123", "'componentType':77", "has the componentType 77"},
        {"'byteOffset':192", "'byteOffset':100000", "bufferViews[1] ends at byte"},
        {"'buffer':0", "'buffer':3", "bufferViews[0] refers to buffers[3], but the file has only 1"},
        {"'indices':2", "'indices':0",
         "accessors[0] has the type MAT4, but meshes[0].primitives[0] needs 1 numbers"},
        {"'scenes':[", "'extensionsRequired':['EXT_odd'],'scenes':[",
         "requires the extension 'EXT_odd', which is not supported; export the file without it"},
        {"'nodes':[{'mesh'", "'nodes':7,'other':[{'mesh'", "has a 'nodes' that is not an array"},
        {"'interpolation':'LINEAR'", "'interpolation':'WAVY'",
         "animations[0].channels[0] has the interpolation"},
        {"'sampler':0", "'sampler':5", "refers to samplers[5], but the animation has only 1"},
        {"'path':'rotation'", "'path':'scale'", "has the type VEC4, but animations[0].channels[0] needs 3"},
        {"'path':'rotation'", "'path':'weights'", "animations[0].channels[0]: nodes[2] has no 'mesh'"},
        {"]}", "]", "in.glb"}};
    BUILDER(builder);
    chain_add(&builder, 3, true);
    const int turns = turns_add(&builder, 0.7), times = clip_add(&builder, "rotation", turns, NODES(2));
    OWNED_BY(free) char *json = builder_json(&builder, NULL), *compact = NULL;
    json_auto_t *root = json_loads(json, 0, NULL);
    compact = json_dumps(root, JSON_COMPACT | JSON_PRESERVE_ORDER);
    glb_write_text(builder.path, compact, builder.bytes, builder.size);
    dataset_free(import_read(builder.path, builder.output, NULL, 0.0, NULL));
    unlink(builder.output);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        OWNED_BY(free) char *damaged = calloc(strlen(compact) + 128, 1);
        const char *at = strstr(compact, quoted(rows[i][0]));
        fail_if(!at, "row %zu: there is no %s", i, rows[i][0]);
        snprintf(damaged, strlen(compact) + 128, "%.*s%s%s", (int)(at - compact), compact, quoted(rows[i][1]),
                 at + strlen(rows[i][0]));
        glb_write_text(builder.path, damaged, builder.bytes, builder.size);
        assert_bad_input(rows[i][2], import_file(builder.path, builder.output, NULL, 0.0, NULL));
        assert_int_not_equal(access(builder.output, F_OK), 0);
    }
    /* Damage numbers: a NaN in a position, an index out of range, decreasing times, and a bind matrix that
     * is not affine. */
    const float nan_value = NAN, late = 9.0f;
    const uint16_t beyond = 999;
    const json_t *views = builder.views;
    const struct {
        int view, at;
        const void *bytes;
        size_t size;
        const char *said;
    } numbers[] = {{1, 8, &nan_value, 4, "accessors[1] has the number nan in element 0"},
                   {2, 4, &beyond, 2, "has the index 999 at 2, expected 0 to 35"},
                   {times, 4, &late, 4, "animations[0].channels[0]: key 2 is at 1 s, after one at 9 s"},
                   {0, 12, &late, 4, "has the last row 0 0 0 9 in element 0"}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        Builder damaged = builder;
        const int offset = gltf_int(json_array_get(views, (size_t)numbers[i].view), "byteOffset", 0);
        const int at = offset + numbers[i].at + (i == 3 ? 48 : 0);
        memcpy(damaged.bytes + at, numbers[i].bytes, numbers[i].size);
        glb_write_text(builder.path, compact, damaged.bytes, damaged.size);
        assert_bad_input(numbers[i].said, import_file(builder.path, builder.output, NULL, 0.0, NULL));
    }
    /* Truncate the file at every place. */
    glb_write_text(builder.path, compact, builder.bytes, builder.size);
    const size_t whole = 28 + (strlen(compact) + 3) / 4 * 4 + builder.size;
    for (size_t size = 4; size < whole; size += whole / 13) {
        assert_int_equal(truncate(builder.path, (off_t)size), 0);
        assert_int_equal(import_file(builder.path, builder.output, NULL, 0.0, NULL).code, STATUS_BAD_INPUT);
        assert_int_not_equal(access(builder.output, F_OK), 0);
        glb_write_text(builder.path, compact, builder.bytes, builder.size);
    }
}
