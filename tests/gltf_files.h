/* Writes small glTF files for tests, mostly a beam with joints, and compares their import with
 * gltf_evaluate.h. */
#pragma once

#include "datasets/formats/formats.h"
#include "datasets/io/store.h"
#include "datasets/model/evaluate.h"
#include "datasets/model/two_phase.h"
#include "tests/gltf_evaluate.h"

/* ---- writing small files ---- */

enum { RINGS = 9, AROUND = 4, BEAM_VERTICES = RINGS * AROUND, BUFFER_BYTES = 1 << 15, KEYS = 4 };

/* A .glb under construction: accessors with one buffer view each, and the other JSON members as text. */
typedef struct Builder {
    const char *path, *output;
    unsigned char bytes[BUFFER_BYTES];
    size_t size;
    json_t *views, *accessors;
    char rest[8192]; /* other members of the root, each followed by a comma */
} Builder;

static inline void builder_start(Builder *builder)
{
    *builder = (Builder){.path = path_of("in.glb"),
                         .output = path_of("out.h5"),
                         .views = json_array(),
                         .accessors = json_array()};
}

static inline void builder_end(Builder *builder)
{
    json_decref(builder->views);
    json_decref(builder->accessors);
    assert_no_temporary_files();
}

#define BUILDER(name)                                                                                        \
    CLEANUP(builder_end) Builder name;                                                                       \
    builder_start(&name)

static inline int view_add(Builder *builder, const void *data, size_t bytes, int stride)
{
    assert_true(builder->size + bytes <= BUFFER_BYTES);
    memcpy(builder->bytes + builder->size, data, bytes);
    json_t *view =
        json_pack("{s:i, s:i, s:i}", "buffer", 0, "byteOffset", (int)builder->size, "byteLength", (int)bytes);
    if (stride > 0)
        json_object_set_new(view, "byteStride", json_integer(stride));
    json_array_append_new(builder->views, view);
    builder->size = (builder->size + bytes + 3) / 4 * 4;
    return (int)json_array_size(builder->views) - 1;
}

static inline int accessor_add(Builder *builder, int component, const char *type, int count, const void *data,
                               size_t bytes)
{
    json_t *accessor = json_pack("{s:i, s:s, s:i, s:i}", "componentType", component, "type", type, "count",
                                 count, "bufferView", view_add(builder, data, bytes, 0));
    json_array_append_new(builder->accessors, accessor);
    return (int)json_array_size(builder->accessors) - 1;
}

static inline int floats_add(Builder *builder, const char *type, int width, int count, const float *values)
{
    return accessor_add(builder, 5126, type, count, values, (size_t)(count * width) * sizeof *values);
}

static inline void rest_add(Builder *builder, const char *format, ...) __attribute__((format(printf, 2, 3)));
static inline void rest_add(Builder *builder, const char *format, ...)
{
    const size_t used = strlen(builder->rest);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(builder->rest + used, sizeof builder->rest - used, format, arguments);
    va_end(arguments);
    for (char *c = builder->rest + used; (c = strchr(c, '\'')) != NULL;)
        *c = '"';
}

/* Returns the JSON; release with free. `uri` becomes the address of the buffer unless it is NULL. */
static inline char *builder_json(const Builder *builder, const char *uri)
{
    char *accessors = json_dumps(builder->accessors, 0), *views = json_dumps(builder->views, 0);
    const size_t size =
        strlen(accessors) + strlen(views) + strlen(builder->rest) + (uri ? strlen(uri) : 0) + 256;
    char *text = malloc(size);
    snprintf(text, size,
             "{\"asset\":{\"version\":\"2.0\"},%s\"accessors\":%s,\"bufferViews\":%s,\"buffers\":[{"
             "\"byteLength\":%zu%s%s%s}]}",
             builder->rest, accessors, views, builder->size, uri ? ",\"uri\":\"" : "", uri ? uri : "",
             uri ? "\"" : "");
    free(accessors);
    free(views);
    return text;
}

static inline void glb_write_text(const char *path, const char *json, const unsigned char *bytes, size_t size)
{
    const size_t length = strlen(json);
    const uint32_t text = (uint32_t)((length + 3) / 4 * 4), whole = 12 + 8 + text + 8 + (uint32_t)size;
    const uint32_t head[] = {0x46546C67, 2, whole, text, 0x4E4F534A}, second[] = {(uint32_t)size, 0x004E4942};
    unsigned char *out = malloc(whole);
    memset(out, ' ', whole);
    memcpy(out, head, sizeof head);
    for (size_t i = 0; i < length; i++)
        out[sizeof head + i] = (unsigned char)json[i];
    memcpy(out + sizeof head + text, second, sizeof second);
    memcpy(out + sizeof head + text + sizeof second, bytes, size);
    bytes_write(path, out, whole);
    free(out);
}

static inline void glb_write(const Builder *builder)
{
    char *json = builder_json(builder, NULL);
    glb_write_text(builder->path, json, builder->bytes, builder->size);
    free(json);
}

/* Returns the height of a vertex of the beam, as a fraction of the beam's height. */
static inline double beam_height(int v)
{
    const int ring = v / AROUND;
    return ring / (RINGS - 1.0);
}

/* Adds a square beam along y with height 2: its positions and the triangles of its sides. */
static inline void beam_add(Builder *builder, int *positions, int *indices)
{
    float points[BEAM_VERTICES][3];
    uint16_t corners[(RINGS - 1) * AROUND][2][3];
    for (int v = 0; v < BEAM_VERTICES; v++) {
        points[v][0] = v % 4 == 0 || v % 4 == 3 ? -0.2f : 0.2f;
        points[v][1] = (float)(2.0 * beam_height(v));
        points[v][2] = v % 4 < 2 ? -0.15f : 0.15f;
    }
    for (int q = 0; q < (RINGS - 1) * AROUND; q++) {
        const uint16_t a = (uint16_t)q, b = (uint16_t)(q % 4 == 3 ? q - 3 : q + 1);
        const uint16_t quad[2][3] = {{a, b, (uint16_t)(b + 4)}, {a, (uint16_t)(b + 4), (uint16_t)(a + 4)}};
        memcpy(corners[q], quad, sizeof quad);
    }
    *positions = floats_add(builder, "VEC3", 3, BEAM_VERTICES, &points[0][0]);
    *indices = accessor_add(builder, 5123, "SCALAR", 6 * (RINGS - 1) * AROUND, corners, sizeof corners);
}

/* Adds weights of `count` joints that vary smoothly along the beam. They are stored in sets of four float
 * weights and four 16-bit joint indices. The attributes are written as JSON members. */
static inline void weights_add(Builder *builder, int count, char *attributes, size_t size)
{
    const int sets = (count + 3) / 4;
    size_t used = 0;
    for (int set = 0; set < sets; set++) {
        float values[BEAM_VERTICES][4];
        uint16_t joints[BEAM_VERTICES][4];
        for (int v = 0; v < BEAM_VERTICES; v++) {
            double all[64], sum = 0.0;
            for (int j = 0; j < count; j++) {
                const double off = beam_height(v) - j / fmax(count - 1, 1);
                sum += all[j] = exp(-8.0 * off * off);
            }
            for (int k = 0; k < 4; k++) {
                const int j = 4 * set + k;
                values[v][k] = j < count ? (float)(all[j] / sum) : 0.0f;
                joints[v][k] = (uint16_t)(j < count ? j : 0);
            }
        }
        const int weight = floats_add(builder, "VEC4", 4, BEAM_VERTICES, &values[0][0]);
        const int joint = accessor_add(builder, 5123, "VEC4", BEAM_VERTICES, joints, sizeof joints);
        used += (size_t)snprintf(attributes + used, size - used, ",'WEIGHTS_%d':%d,'JOINTS_%d':%d", set,
                                 weight, set, joint);
    }
}

/* Adds inverse bind matrices. Each is a translation by minus the height of its joint on the beam. */
static inline int binds_add(Builder *builder, int count, double x)
{
    float binds[16][16] = {{0.0f}};
    for (int j = 0; j < count; j++) {
        for (int i = 0; i < 4; i++)
            binds[j][5 * i] = 1.0f;
        binds[j][12] = (float)x;
        binds[j][13] = (float)(-2.0 * j / fmax(count, 1));
    }
    return floats_add(builder, "MAT4", 16, count, &binds[0][0]);
}

static inline int times_add(Builder *builder)
{
    const float times[KEYS] = {0.0f, 0.5f, 1.0f, 1.5f};
    return floats_add(builder, "SCALAR", 1, KEYS, times);
}

/* Adds a clip 'bend' in which one sampler animates this path of the nodes NODES(1, 2). Returns the accessor
 * of its times. */
#define NODES(...)                                                                                           \
    sizeof((int[]){__VA_ARGS__}) / sizeof(int), (const int[])                                                \
    {                                                                                                        \
        __VA_ARGS__                                                                                          \
    }
static inline int clip_add(Builder *builder, const char *path, int output, size_t count, const int *nodes)
{
    rest_add(builder, "'animations':[{'name':'bend','channels':[");
    for (size_t i = 0; i < count; i++)
        rest_add(builder, "%s{'sampler':0,'target':{'node':%d,'path':'%s'}}", i > 0 ? "," : "", nodes[i],
                 path);
    const int times = times_add(builder);
    rest_add(builder, "],'samplers':[{'input':%d,'output':%d,'interpolation':'LINEAR'}]}],", times, output);
    return times;
}

/* Adds keys that rotate about z by multiples of `angle`. */
static inline int turns_add(Builder *builder, double angle)
{
    float keys[KEYS][4] = {{0.0f}};
    for (int k = 0; k < KEYS; k++) {
        keys[k][2] = (float)sin(0.5 * angle * k);
        keys[k][3] = (float)cos(0.5 * angle * k);
    }
    return floats_add(builder, "VEC4", 4, KEYS, &keys[0][0]);
}

/* ---- comparing imported frames ---- */

typedef struct TestNotes {
    char text[4096];
} TestNotes;

static inline void note_keep(void *context, const char *text)
{
    TestNotes *notes = context;
    const size_t used = strlen(notes->text);
    snprintf(notes->text + used, sizeof notes->text - used, "%s\n", text);
}

static inline Status import_file(const char *input, const char *output, const char *clip, double fps,
                                 TestNotes *notes)
{
    const FormatNotes sink = {note_keep, notes};
    const ImportOptions options = {.inputs = &input,
                                   .input_count = 1,
                                   .scale = 1.0,
                                   .fps = fps,
                                   .clip = clip,
                                   .notes = notes ? &sink : NULL};
    const Format *format = NULL;
    Status status = format_detect(input, &format);
    if (status.code == STATUS_OK) {
        assert_string_equal(format->name, "gltf");
        status = format->import(&options, output);
    }
    return status;
}

/* Computes all vertices of a frame, from the positions of the data set if it has them, otherwise from its
 * rig by two-phase skinning. */
static inline void frame_evaluate(const Dataset *dataset, int frame, double *out)
{
    const int vertices = dataset->mesh.vertex_count;
    const Rig *rig = &dataset->rig;
    if (dataset->animation.frame_count > 0) {
        for (int i = 0; i < 3 * vertices; i++)
            out[i] = (double)dataset->animation.positions[(ptrdiff_t)3 * vertices * frame + i];
        return;
    }
    Rig posed = *rig;
    Transform *first = calloc(3 * (size_t)rig->joint_count + 1, sizeof *first),
              *joined = first + rig->joint_count;
    posed.transforms = joined;
    posed.frame_count = 1;
    const Transform *transforms = rig->transforms + (ptrdiff_t)frame * rig->joint_count;
    memcpy(joined, transforms, (size_t)rig->joint_count * sizeof *joined);
    if (rig->scale) {
        assert_ok(two_phase_split(rig, transforms, rig->scale + (ptrdiff_t)frame * rig->joint_count, first,
                                  joined, joined + rig->joint_count));
        two_phase_join(rig->joint_count, first, joined);
    }
    for (int v = 0; v < vertices; v++) {
        const Vec3 point =
            rig_skin_point(&posed, 0, v, point_at(dataset->mesh.rest, v), vec3_make(0.0, 0.0, 0.0));
        out[3 * v] = point.x;
        out[3 * v + 1] = point.y;
        out[3 * v + 2] = point.z;
    }
    free(first);
}

/* Checks that a frame equals the file's scene at this time, to 1e-5 of the diagonal of the scene's bounding
 * box. */
static inline void frame_expect(const TestGltf *gltf, int animation, double time, const Dataset *dataset,
                                int frame)
{
    const int count = gltf_vertices(gltf, animation, time, NULL);
    assert_int_equal(dataset->mesh.vertex_count, count);
    double *wanted = calloc((size_t)count * 6 + 1, sizeof *wanted), *got = wanted + 3 * (ptrdiff_t)count;
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY},
           diagonal = 0.0, worst = 0.0;
    gltf_vertices(gltf, animation, time, wanted);
    frame_evaluate(dataset, frame, got);
    for (int i = 0; i < 3 * count; i++) {
        low[i % 3] = fmin(low[i % 3], wanted[i]);
        high[i % 3] = fmax(high[i % 3], wanted[i]);
        worst = fmax(worst, fabs(wanted[i] - got[i]));
    }
    for (int k = 0; k < 3; k++)
        diagonal += (high[k] - low[k]) * (high[k] - low[k]);
    if (!(worst <= 1e-5 * sqrt(diagonal)))
        fail_msg("frame %d, %g s: off by %g of the diagonal", frame, time, worst / sqrt(diagonal));
    free(wanted);
}

static inline Dataset *import_read(const char *input, const char *output, const char *clip, double fps,
                                   TestNotes *notes)
{
    Dataset *dataset = NULL;
    if (notes)
        notes->text[0] = '\0';
    assert_ok(import_file(input, output, clip, fps, notes));
    assert_ok(dataset_read(output, NULL, &dataset));
    return dataset;
}

static inline int frames_of(const Dataset *dataset)
{
    return dataset->animation.frame_count > 0 ? dataset->animation.frame_count : dataset->rig.frame_count;
}

/* Exports the rig of a data set file into the .glb it came from, and writes path_of("into.glb"). */
static inline Status into_file(const char *input, const char *into, TestNotes *notes)
{
    const FormatNotes sink = {note_keep, notes};
    const ExportOptions options = {
        .input = input, .output = path_of("into.glb"), .into = into, .notes = notes ? &sink : NULL};
    return glb_export(&options);
}

/* Exports the imported rig back into its file. Checks that every frame is unchanged. Checks that everything
 * in the file is unchanged, except for meshes, skins and arrays. Nodes that shared a mesh have separate
 * meshes afterwards. */
static inline void into_expect(const Builder *builder, const TestGltf *before, const Dataset *dataset)
{
    static const char *const kept[] = {"nodes", "asset", "scenes", "animations", "materials", "images"};
    CLEANUP(gltf_release) TestGltf after = {0};
    assert_ok(into_file(builder->output, builder->path, NULL));
    gltf_load(path_of("into.glb"), &after);
    for (int f = 0; f < KEYS; f++)
        frame_expect(&after, 0, 0.5 * f, dataset, f);
    const bool shared = json_array_size(json_object_get(before->root, "meshes")) !=
                        json_array_size(json_object_get(after.root, "meshes"));
    for (size_t i = shared; i < sizeof kept / sizeof *kept; i++)
        if (!json_equal(json_object_get(before->root, kept[i]), json_object_get(after.root, kept[i])) &&
            json_object_get(before->root, kept[i]))
            fail_msg("%s are others", kept[i]);
}

/* Writes the file and imports it. Compares the frames at the keys of clip 0 (0, 0.5, 1 and 1.5 s) and at 10
 * frames per second. Repeats the comparison after the rig is exported back into the file. Returns the data
 * set sampled at the keys. */
static inline Dataset *beam_expect(Builder *builder, TestNotes *notes)
{
    CLEANUP(gltf_release) TestGltf gltf = {0};
    glb_write(builder);
    gltf_load(builder->path, &gltf);
    Dataset *dataset = import_read(builder->path, builder->output, NULL, 10.0, notes);
    assert_int_equal(frames_of(dataset), 16);
    assert_true(dataset->fps == 10.0);
    for (int f = 0; f < 16; f++)
        frame_expect(&gltf, 0, 0.1 * f, dataset, f);
    dataset_free(dataset);
    dataset = import_read(builder->path, builder->output, NULL, 0.0, notes);
    assert_int_equal(frames_of(dataset), KEYS);
    assert_true(dataset->fps == 2.0);
    for (int f = 0; f < KEYS; f++)
        frame_expect(&gltf, 0, 0.5 * f, dataset, f);
    if (dataset->rig.joint_count > 0 && dataset->animation.frame_count == 0)
        into_expect(builder, &gltf, dataset);
    return dataset;
}

/* Adds a skin with a chain of `count` joints, each rotated by its node. The skin has inverse bind matrices
 * if `bound` is set. */
static inline void chain_add(Builder *builder, int count, bool bound)
{
    int positions = 0, indices = 0;
    char attributes[256], skin[64] = "";
    if (bound)
        snprintf(skin, sizeof skin, "'inverseBindMatrices':%d,", binds_add(builder, count, 0.0));
    beam_add(builder, &positions, &indices);
    weights_add(builder, count, attributes, sizeof attributes);
    rest_add(builder, "'scene':0,'scenes':[{'nodes':[0,1]}],");
    rest_add(builder, "'meshes':[{'primitives':[{'attributes':{'POSITION':%d%s},'indices':%d}]}],", positions,
             attributes, indices);
    rest_add(builder, "'nodes':[{'mesh':0,'skin':0,'translation':[5,6,7]}");
    for (int j = 0; j < count; j++)
        rest_add(builder, ",{'name':'bone %d','translation':[0,%g,0]%s%.0d%s}", j, j > 0 ? 2.0 / count : 0.0,
                 j + 1 < count ? ",'children':[" : "", j + 1 < count ? j + 2 : 0, j + 1 < count ? "]" : "");
    rest_add(builder, "],'skins':[{%s'joints':[", skin);
    for (int j = 0; j < count; j++)
        rest_add(builder, "%s%d", j > 0 ? "," : "", j + 1);
    rest_add(builder, "]}],");
}

/* Adds a beam that is the mesh of three nodes, two of which are moved by a clip. */
static inline void moved_add(Builder *builder)
{
    int positions = 0, indices = 0;
    beam_add(builder, &positions, &indices);
    rest_add(builder, "'meshes':[{'primitives':[{'attributes':{'POSITION':%d},'indices':%d}]}],", positions,
             indices);
    rest_add(builder, "'nodes':[{'name':'top','mesh':0,'children':[1,2]},"
                      "{'name':'arm','mesh':0,'translation':[1,1,0]},"
                      "{'matrix':[0,2,0,0,-2,0,0,0,0,0,2,0,3,0,0,1],'children':[3]},"
                      "{'name':'leg','mesh':0}],");
    (void)clip_add(builder, "rotation", turns_add(builder, 1.0), NODES(0, 3));
}
