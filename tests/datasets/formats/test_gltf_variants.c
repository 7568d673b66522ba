/* Tests glTF files with features that other programs write, one feature per file. Each file is compared
 * with gltf_evaluate.h or with the same beam in plain form. */
#include "tests/gltf_files.h"

#include <ctype.h>

/* Replaces the first occurrence of `from` in the JSON under construction. */
static void rest_replace(Builder *builder, const char *from, const char *replacement)
{
    char *match = strstr(builder->rest, quoted(from));
    OWNED_BY(free) char *tail = strdup(match ? match + strlen(from) : "");
    fail_if(!match, "there is no %s", from);
    *match = '\0';
    rest_add(builder, "%s", replacement);
    strcat(builder->rest, tail);
}

/* Adds an accessor without a bufferView, whose values are all zero. */
static int zeros_add(Builder *builder, int component, const char *type, int count)
{
    json_array_append_new(builder->accessors, json_pack("{s:i, s:s, s:i}", "componentType", component, "type",
                                                        type, "count", count));
    return (int)json_array_size(builder->accessors) - 1;
}

/* Accessors without bytes are read as zeros. The test uses such accessors for JOINTS_1 and WEIGHTS_1 of the
 * vertices (as floats, or as normalised bytes if kind is 4), and for the keys of a clip. */
TEST(accessors_without_bytes_are_zeros)
{
    for (int kind = 0; kind < 5; kind++) {
        BUILDER(builder);
        chain_add(&builder, 3, true);
        const int joints = zeros_add(&builder, 5121, "VEC4", BEAM_VERTICES),
                  weights = zeros_add(&builder, kind == 4 ? 5121 : 5126, "VEC4", BEAM_VERTICES),
                  keys = zeros_add(&builder, 5126, "VEC3", KEYS);
        if (kind == 4)
            json_object_set_new(json_array_get(builder.accessors, (size_t)weights), "normalized",
                                json_true());
        if (kind < 2 || kind == 4) /* if kind is 1, the set of zeros comes first */
            rest_replace(&builder, "'JOINTS_0'",
                         text_of("'JOINTS_1':%d,'WEIGHTS_1':%d,'JOINTS_0'", joints, weights));
        if (kind == 1) {
            rest_replace(&builder, "'JOINTS_1'", "'JOINTS_x'");
            rest_replace(&builder, "'WEIGHTS_1'", "'WEIGHTS_x'");
            rest_replace(&builder, "'JOINTS_0'", "'JOINTS_1'");
            rest_replace(&builder, "'WEIGHTS_0'", "'WEIGHTS_1'");
            rest_replace(&builder, "'JOINTS_x'", "'JOINTS_0'");
            rest_replace(&builder, "'WEIGHTS_x'", "'WEIGHTS_0'");
        }
        if (kind == 3) { /* sparse values replace some of the zeros: only key 1 is 7 8 9 */
            const uint8_t index = 1;
            const float value[] = {7.0f, 8.0f, 9.0f};
            json_object_set_new(json_array_get(builder.accessors, (size_t)keys), "sparse",
                                json_pack("{s:i, s:{s:i, s:i}, s:{s:i}}", "count", 1, "indices", "bufferView",
                                          view_add(&builder, &index, 1, 0), "componentType", 5121, "values",
                                          "bufferView", view_add(&builder, value, sizeof value, 0)));
        }
        (void)clip_add(&builder, "translation", keys, NODES(2));
        dataset_free(beam_expect(&builder, NULL));
    }
}

/* Primitives that use the same accessors share their vertices. This holds for consecutive primitives, for
 * primitives with a different one between them, with morph targets, and with separate textures. */
TEST(primitives_share_their_vertices)
{
    static const struct {
        const char *primitives; /* A: the beam, B: the beam with a texture, C: another beam, T: the beam with
                                   a morph target */
        int vertices;
    } rows[] = {{"AA", 36}, {"ACA", 72}, {"AB", 36}, {"TT", 36}, {"CABAC", 72}, {"AAAA", 36}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int positions = 0, indices = 0, others = 0, corners = 0;
        char weights[256], more[256];
        const size_t count = strlen(rows[i].primitives);
        BUILDER(builder);
        beam_add(&builder, &positions, &indices);
        beam_add(&builder, &others, &corners);
        weights_add(&builder, 2, weights, sizeof weights);
        const int uv = zeros_add(&builder, 5126, "VEC2", BEAM_VERTICES);
        rest_add(&builder, "'scene':0,'scenes':[{'nodes':[0,1,2]}],'meshes':[{'primitives':[");
        for (size_t p = 0; p < count; p++) {
            const char kind = rows[i].primitives[p];
            snprintf(more, sizeof more, ",'TEXCOORD_0':%d", uv);
            rest_add(&builder, "%s{'attributes':{'POSITION':%d%s%s},'indices':%d,'material':%zu%s}",
                     p > 0 ? "," : "", kind == 'C' ? others : positions, weights, kind == 'B' ? more : "",
                     kind == 'C' ? corners : indices, p,
                     kind == 'T' ? text_of(",'targets':[{'POSITION':%d}]", others) : "");
        }
        rest_add(&builder, "]}],'materials':[{},{},{},{},{}],'skins':[{'joints':[1,2]}],"
                           "'nodes':[{'mesh':0,'skin':0},{'name':'a'},{'name':'b'}],");
        (void)clip_add(&builder, "rotation", turns_add(&builder, 0.5), NODES(2));
        glb_write(&builder);
        OWNED_BY(dataset_free) Dataset *dataset = import_read(builder.path, builder.output, NULL, 0.0, NULL);
        assert_int_equal(dataset->mesh.vertex_count, rows[i].vertices);
        assert_int_equal(dataset->mesh.triangle_count, (int)count * 2 * (RINGS - 1) * AROUND);
        /* After the rig is exported into its file, each primitive keeps its texture and its material, and
         * the primitives still share vertices. */
        assert_ok(into_file(builder.output, builder.path, NULL));
        CLEANUP(gltf_release) TestGltf after = {0};
        gltf_load(path_of("into.glb"), &after);
        const json_t *list = json_object_get(gltf_at(&after, "meshes", 0), "primitives");
        for (size_t p = 0; p < count; p++) {
            const json_t *primitive = json_array_get(list, p);
            assert_int_equal(gltf_int(primitive, "material", -1), (int)p);
            assert_int_equal(json_object_get(json_object_get(primitive, "attributes"), "TEXCOORD_0") != NULL,
                             rows[i].primitives[p] == 'B');
        }
        OWNED_BY(dataset_free)
        Dataset *again = import_read(path_of("into.glb"), builder.output, NULL, 0.0, NULL);
        assert_int_equal(again->mesh.vertex_count, rows[i].vertices);
    }
}

/* Weights are normalised whatever their sum. Only weights with a sum of exactly 0 count as none. */
TEST(weights_of_any_sum_are_scaled)
{
    static const float factors[] = {1e-6f, 1e-20f, 250.0f, 0.3f};
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        BUILDER(builder);
        TestNotes notes;
        chain_add(&builder, 3, true);
        glb_write(&builder);
        OWNED_BY(dataset_free) Dataset *plain = import_read(builder.path, builder.output, NULL, 0.0, NULL);
        const char *at = strstr(builder.rest, quoted("'WEIGHTS_0':"));
        const json_t *view = json_array_get(builder.views, (size_t)atoi(at + strlen("'WEIGHTS_0':")));
        unsigned char *values = builder.bytes + gltf_int(view, "byteOffset", 0);
        for (int k = 0; k < 4 * BEAM_VERTICES; k++) {
            float value;
            memcpy(&value, values + 4 * k, 4);
            value *= k < 4 ? 0.0f : factors[i];
            memcpy(values + 4 * k, &value, 4);
        }
        glb_write(&builder);
        OWNED_BY(dataset_free) Dataset *scaled = import_read(builder.path, builder.output, NULL, 0.0, &notes);
        assert_non_null(strstr(notes.text, "1 vertices have no weights above 0"));
        assert_non_null(strstr(notes.text, "the weights of 35 vertices sum to"));
        for (int k = plain->rig.influence_count; k < BEAM_VERTICES * plain->rig.influence_count; k++) {
            assert_int_equal(scaled->rig.weight_joints[k], plain->rig.weight_joints[k]);
            assert_true(fabsf(scaled->rig.weight_values[k] - plain->rig.weight_values[k]) < 1e-6f);
        }
    }
}

/* The key times are the frame times of a common frame rate, rounded to float, or a neighbouring float.
 * Frame i must still show key i. */
TEST(keys_within_rounding_of_a_frame_are_that_frame)
{
    enum { FRAMES = 300 };
    static const char *const methods[] = {"STEP", "LINEAR", "CUBICSPLINE"};
    static const int rates[] = {24, 25, 30, 60};
    for (int method = 0; method < 3; method++)
        for (int rate = 0; rate < 4; rate++)
            for (int off = -1; off <= 1; off++) {
                int positions = 0, indices = 0;
                float times[FRAMES], values[3 * FRAMES][3] = {{0.0f}};
                BUILDER(builder);
                beam_add(&builder, &positions, &indices);
                for (int f = 0; f < FRAMES; f++) {
                    times[f] = (float)((f + 7) / (double)rates[rate]);
                    times[f] = off == 0 ? times[f] : nextafterf(times[f], (float)off * INFINITY);
                    values[method == 2 ? 3 * f + 1 : f][0] = (float)(f * f % 101);
                }
                const int input = floats_add(&builder, "SCALAR", 1, FRAMES, times),
                          output = floats_add(&builder, "VEC3", 3, FRAMES * (method == 2 ? 3 : 1), values[0]);
                rest_add(
                    &builder,
                    "'meshes':[{'primitives':[{'attributes':{'POSITION':%d},'indices':%d}]}],"
                    "'nodes':[{'mesh':0}],'animations':[{'channels':[{'sampler':0,'target':{'node':0,"
                    "'path':'translation'}}],'samplers':[{'input':%d,'output':%d,'interpolation':'%s'}]}],",
                    positions, indices, input, output, methods[method]);
                glb_write(&builder);
                OWNED_BY(dataset_free)
                Dataset *dataset = import_read(builder.path, builder.output, NULL, rates[rate], NULL);
                assert_int_equal(frames_of(dataset), FRAMES);
                for (int f = 0; f < FRAMES; f++) {
                    const float x = dataset->animation.positions[(ptrdiff_t)3 * BEAM_VERTICES * f];
                    if (fabsf(x - ((float)(f * f % 101) - 0.2f)) > 1e-4f)
                        fail_msg("%s at %d fps, %d: frame %d is at %g", methods[method], rates[rate], off, f,
                                 (double)x);
                }
            }
}

/* Two skins have different bind matrices for some of their nodes. After the rig is exported into its file,
 * no skin lists a node twice. A shared node is one joint if a shift of the second mesh makes its two binds
 * equal. */
TEST(skins_that_bind_a_node_differently_go_into_their_file)
{
    static const struct {
        const char *first, *second; /* joints of the two skins */
        int joints;                 /* number of imported joints */
    } rows[] = {{"2,3", "3,2", 4}, {"2,3", "2,3", 2}, {"3,2", "2,4", 3}, {"4,3", "3,4", 4}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int positions = 0, indices = 0;
        char weights[256];
        BUILDER(builder);
        beam_add(&builder, &positions, &indices);
        weights_add(&builder, 2, weights, sizeof weights);
        const int first = binds_add(&builder, 2, 0.0), second = binds_add(&builder, 2, 0.7);
        rest_add(
            &builder,
            "'scene':0,'scenes':[{'nodes':[0,1,2]}],'meshes':[{'primitives':[{'attributes':{'POSITION':%d%s},"
            "'indices':%d}]},{'primitives':[{'attributes':{'POSITION':%d%s},'indices':%d}]}],"
            "'skins':[{'joints':[%s],'inverseBindMatrices':%d},{'joints':[%s],'inverseBindMatrices':%d}],"
            "'nodes':[{'mesh':0,'skin':0},{'mesh':1,'skin':1},{'name':'a','children':[3,4]},{'name':'b',"
            "'translation':[0,1,0]},{'name':'c','translation':[0,2,0]}],",
            positions, weights, indices, positions, weights, indices, rows[i].first, first, rows[i].second,
            second);
        (void)clip_add(&builder, "rotation", turns_add(&builder, 0.5), NODES(3));
        glb_write(&builder);
        OWNED_BY(dataset_free) Dataset *dataset = import_read(builder.path, builder.output, NULL, 0.0, NULL);
        assert_int_equal(dataset->rig.joint_count, rows[i].joints);
        assert_ok(into_file(builder.output, builder.path, NULL));
        CLEANUP(gltf_release) TestGltf after = {0};
        gltf_load(path_of("into.glb"), &after);
        for (int s = 0; s < 2; s++) {
            const json_t *joints = json_object_get(gltf_at(&after, "skins", s), "joints");
            for (size_t j = 0; j < json_array_size(joints); j++)
                for (size_t k = 0; k < j; k++)
                    assert_false(json_equal(json_array_get(joints, j), json_array_get(joints, k)));
        }
        for (int f = 0; f < KEYS; f++)
            frame_expect(&after, 0, 0.5 * f, dataset, f);
        OWNED_BY(dataset_free)
        Dataset *again = import_read(path_of("into.glb"), builder.output, NULL, 0.0, NULL);
        for (int f = 0; f < KEYS; f++)
            frame_expect(&after, 0, 0.5 * f, again, f);
    }
}

/* KHR_node_visibility hides nodes and their descendants. Of three beams, only the visible ones are
 * imported. */
TEST(hidden_nodes_are_left_out)
{
    static const char hide[] = "'extensions':{'KHR_node_visibility':{'visible':false}},",
                      show[] = "'extensions':{'KHR_node_visibility':{'visible':true}},";
    static const struct {
        const char *top, *below, *beside, *list;
        int shown;
    } rows[] = {{hide, "", "", "extensionsRequired", 1}, {"", hide, "", "extensionsUsed", 2},
                {show, "", "", "extensionsRequired", 3}, {hide, show, "", "extensionsUsed", 1},
                {"", "", hide, "extensionsUsed", 2},     {hide, hide, hide, "extensionsRequired", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int positions = 0, indices = 0;
        BUILDER(builder);
        TestNotes notes = {""};
        beam_add(&builder, &positions, &indices);
        rest_add(&builder,
                 "'%s':['KHR_node_visibility'],'meshes':[{'primitives':[{'attributes':{'POSITION':%d},"
                 "'indices':%d}]}],'nodes':[{%s'mesh':0,'children':[1]},{%s'mesh':0},{%s'mesh':0}],",
                 rows[i].list, positions, indices, rows[i].top, rows[i].below, rows[i].beside);
        glb_write(&builder);
        if (rows[i].shown == 0) {
            assert_bad_input("has 0 vertices", import_file(builder.path, builder.output, NULL, 0.0, &notes));
        } else {
            OWNED_BY(dataset_free)
            Dataset *dataset = import_read(builder.path, builder.output, NULL, 0.0, &notes);
            assert_int_equal(dataset->mesh.vertex_count, rows[i].shown * BEAM_VERTICES);
        }
        const bool told =
            strstr(notes.text, text_of("KHR_node_visibility hides %d nodes", 3 - rows[i].shown));
        assert_int_equal(told, rows[i].shown < 3);
    }
}

/* Meshes of points or lines are dropped with a note, together with their skin and their morph targets. */
TEST(skinned_lines_are_left_out)
{
    for (int mode = 0; mode < 4; mode++) {
        BUILDER(builder);
        TestNotes notes = {""};
        chain_add(&builder, 3, true);
        char *primitive = strstr(builder.rest, "{\"attributes\""), lines[512];
        snprintf(lines, sizeof lines, "%.*s", (int)(strcspn(primitive, "]") - 1), primitive);
        const float weights[KEYS] = {0.0f, 1.0f, 0.0f, 1.0f};
        const int turns = turns_add(&builder, 0.7), times = times_add(&builder),
                  morphs = floats_add(&builder, "SCALAR", 1, KEYS, weights);
        rest_replace(
            &builder, "],'nodes':[",
            text_of(",{'primitives':[%s,'mode':%d,'targets':[{'POSITION':1}]}],'weights':[1]}],'nodes':[",
                    lines, mode));
        rest_replace(&builder, "],'skins':[", ",{'mesh':1,'skin':0,'weights':[0.5]}],'skins':[");
        rest_replace(&builder, "'nodes':[0,1]", "'nodes':[0,1,4]");
        rest_add(&builder,
                 "'animations':[{'channels':[{'sampler':0,'target':{'node':2,'path':'rotation'}},"
                 "{'sampler':1,'target':{'node':4,'path':'weights'}}],'samplers':["
                 "{'input':%d,'output':%d},{'input':%d,'output':%d}]}],",
                 times, turns, times, morphs);
        glb_write(&builder);
        OWNED_BY(dataset_free)
        Dataset *dataset = import_read(builder.path, builder.output, NULL, 0.0, &notes);
        assert_int_equal(dataset->mesh.vertex_count, BEAM_VERTICES);
        assert_int_equal(dataset->rig.joint_count, 3);
        assert_int_equal(dataset->rig.frame_count, KEYS);
        assert_int_equal(dataset->animation.frame_count, 0);
        assert_non_null(strstr(notes.text, text_of("meshes[1].primitives[0] is dropped: it has %s instead",
                                                   mode == 0 ? "points" : "lines")));
        /* the exported beam gets a new skin, and the lines keep the old one */
        CLEANUP(gltf_release) TestGltf into = {0};
        assert_ok(into_file(builder.output, builder.path, NULL));
        gltf_load(path_of("into.glb"), &into);
        const json_t *nodes = json_object_get(into.root, "nodes");
        assert_int_equal(gltf_int(json_array_get(nodes, 0), "skin", -1), 1);
        assert_int_equal(gltf_int(json_array_get(nodes, 4), "skin", -1), 0);
    }
}

/* The buffer is a data: URI in every form of RFC 2397, and the JSON is written in the style of other
 * programs. */
TEST(texts_of_every_form_are_read)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    static char uri[4 * BUFFER_BYTES], json[8 * BUFFER_BYTES];
    static const struct {
        const char *head;
        int escaped;        /* 0: base64; 1: base64 with escapes and line ends; 2: every byte escaped */
        const char *before; /* text before the JSON */
        const char *extras;
    } rows[] = {
        {"data:application/octet-stream;base64,", 0, "", "7"},
        {"data:;base64,", 1, "", "7"},
        {"DATA:application/gltf-buffer;a=b;c=%22d%22;BASE64,", 1, "", "7"},
        {"data:,", 2, "", "7"},
        {"data:application/octet-stream,", 2, "", "7"},
        {"data:text/plain;charset=latin1,", 2, "\xef\xbb\xbf", "7"},
        {"data:;base64,", 0, "\xef\xbb\xbf\n ", "7"},
        {"data:;base64,", 1, "\xef\xbb\xbf\r\n", "9223372036854775808"},
        {"data:;base64,", 0, "", "18446744073709551615"},
        {"data:;base64,", 0, "", "[-9223372036854775809,{'x':123456789012345678901234567890}]"},
        {"data:;base64,", 0, "", "['18446744073709551615\\\"9999999999999999999',9223372036854775807]"}};
    BUILDER(builder);
    chain_add(&builder, 3, true);
    glb_write(&builder);
    OWNED_BY(dataset_free) Dataset *plain = import_read(builder.path, builder.output, NULL, 0.0, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *out = uri + sprintf(uri, "%s", rows[i].head);
        for (size_t b = 0; b < builder.size && rows[i].escaped == 2; b++)
            out += sprintf(out, "%%%02x", builder.bytes[b]);
        for (size_t b = 0; b < builder.size && rows[i].escaped < 2; b += 3) {
            const unsigned bits =
                (unsigned)builder.bytes[b] << 16 | (unsigned)builder.bytes[b + 1] << 8 | builder.bytes[b + 2];
            for (int k = 0; k < 4; k++) {
                const char digit = b + (size_t)k > builder.size ? '=' : digits[bits >> (18 - 6 * k) & 63];
                out += sprintf(out, rows[i].escaped && !isalnum(digit) ? "%%%02X" : "%c", digit);
            }
            if (rows[i].escaped && b % 60 == 0)
                out += sprintf(out, "%%0A \\n");
        }
        OWNED_BY(free) char *text = builder_json(&builder, uri);
        const int length = snprintf(json, sizeof json, "%s{\"extras\":%s,%s", rows[i].before,
                                    quoted(rows[i].extras), text + 1);
        assert_in_range(length, 1, sizeof json - 1);
        bytes_write(path_of("in.gltf"), json, (size_t)length);
        OWNED_BY(dataset_free)
        Dataset *dataset = import_read(path_of("in.gltf"), builder.output, NULL, 0.0, NULL);
        assert_memory_equal(dataset->mesh.rest, plain->mesh.rest, sizeof(float) * 3 * BEAM_VERTICES);
        assert_memory_equal(dataset->rig.transforms, plain->rig.transforms, sizeof(Transform) * 3);
    }
    /* The chunk of a .glb may be padded with NUL bytes. A NUL byte within the JSON is refused, and so is an
     * escaped one. */
    OWNED_BY(free) char *text = builder_json(&builder, NULL);
    const size_t length = strlen(text);
    OWNED_BY(free) char *padded = calloc(length + 8, 1);
    static const char *const faults[][2] = {{"\\u0000", "\\u0000 is not allowed in a text"}, {"\n", "byte "}};
    memcpy(padded, text, length);
    for (size_t whole = length + 1; whole <= length + 4; whole++) {
        const uint32_t chunk = (uint32_t)(whole + 3) / 4 * 4, file = 28 + chunk + (uint32_t)builder.size;
        const uint32_t head[] = {0x46546C67, 2, file, chunk, 0x4E4F534A},
                       second[] = {(uint32_t)builder.size, 0x004E4942};
        FILE *stream = fopen(builder.path, "wb");
        fwrite(head, 1, sizeof head, stream);
        fwrite(padded, 1, chunk, stream);
        fwrite(second, 1, sizeof second, stream);
        fwrite(builder.bytes, 1, builder.size, stream);
        fclose(stream);
        dataset_free(import_read(builder.path, builder.output, NULL, 0.0, NULL));
    }
    for (int i = 0; i < 2; i++) {
        const int used = snprintf(json, sizeof json, "{\"extras\":\"%s\",%s", faults[i][0], text + 1);
        char *newline = memchr(json, '\n', 20);
        if (newline)
            *newline = '\0';
        bytes_write(path_of("in.gltf"), json, (size_t)used);
        const Status status = import_file(path_of("in.gltf"), builder.output, NULL, 0.0, NULL);
        assert_bad_input(faults[i][1], status);
        assert_null(strstr(status.text, "JSON_ALLOW_NUL"));
    }
}

/* If the last row of an inverse bind matrix is 0 0 0 1 up to rounding, it is accepted. Otherwise the
 * message shows its digits. */
TEST(last_rows_within_rounding_are_read)
{
    static const struct {
        int at;
        float value;
        const char *message;
    } rows[] = {{15, 0.99999994f, NULL},
                {15, 1.0000002f, NULL},
                {3, 5e-7f, NULL},
                {15, 0.99999f, "has the last row 0 0 0 0.999989986 in element 0, expected 0 0 0 1"},
                {7, 1e-3f, "has the last row 0 0.00100000005 0 1 in element 0"},
                {15, 0.0f, "has the last row 0 0 0 0 in element 0"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        BUILDER(builder);
        chain_add(&builder, 3, true);
        memcpy(builder.bytes + 4 * rows[i].at, &rows[i].value,
               4); /* the inverse bind matrices are at the start of the buffer */
        (void)clip_add(&builder, "rotation", turns_add(&builder, 0.5), NODES(2));
        if (!rows[i].message) {
            dataset_free(beam_expect(&builder, NULL));
            continue;
        }
        glb_write(&builder);
        assert_bad_input(rows[i].message, import_file(builder.path, builder.output, NULL, 0.0, NULL));
    }
}

/* Forty buffers refer to one file of 64 MB by two names, and two of the buffers are used. The file is read
 * once, up to the largest byteLength. Unused buffers are not read. */
TEST(a_file_of_buffers_is_read_once_and_when_it_is_needed)
{
    enum { BUFFERS = 40, LARGE = 64 << 20, LIMIT = 100 << 20 };
    static char json[8 * BUFFER_BYTES];
    BUILDER(builder);
    chain_add(&builder, 3, true);
    glb_write(&builder);
    OWNED_BY(dataset_free) Dataset *plain = import_read(builder.path, builder.output, NULL, 0.0, NULL);
    const char *bin = path_of("large.bin"), *gltf = path_of("in.gltf");
    bytes_write(bin, builder.bytes, builder.size);
    assert_int_equal(truncate(bin, LARGE), 0);
    assert_int_equal(link(bin, path_of("other.bin")), 0);
    for (int used = 0; used < 2; used++) { /* if 1, every second view is in the last buffer */
        size_t index = 0;
        json_t *view = NULL;
        json_array_foreach(builder.views, index, view)
            json_object_set_new(view, "buffer", json_integer(index % 2 ? used * (BUFFERS - 1) : 0));
        OWNED_BY(free) char *text = builder_json(&builder, "large.bin");
        const int length = (int)strlen(text) - 2; /* "]}" */
        char *out = json + sprintf(json, "%.*s", length, text);
        for (int b = 1; b < BUFFERS; b++)
            out +=
                sprintf(out, ",{\"byteLength\":%d,\"uri\":\"%s\"}", LARGE, b % 3 ? "other.bin" : "large.bin");
        sprintf(out, "]}");
        bytes_write(gltf, json, strlen(json));
        memory_limit_set(LIMIT);
        const Status status = import_file(gltf, builder.output, NULL, 0.0, NULL);
        memory_limit_set(0);
        assert_ok(status);
        OWNED_BY(dataset_free) Dataset *dataset = NULL;
        assert_ok(dataset_read(builder.output, NULL, &dataset));
        assert_memory_equal(dataset->mesh.rest, plain->mesh.rest, sizeof(float) * 3 * BEAM_VERTICES);
    }
}
