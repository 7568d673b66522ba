/* The import of glTF: what the data set evaluates to is what gltf_evaluate.h makes of the file, for real rigs and for small
 * files written here; damaged files are refused, each with its message. */
#include "tests/support.h"

#include "datasets/base/memory.h"
#include "datasets/formats/formats.h"
#include "datasets/io/store.h"
#include "datasets/model/evaluate.h"
#include "datasets/model/two_phase.h"
#include "methods/registry.h"
#include "methods/runtime/skinner.h"
#include "tests/gltf_evaluate.h"

#include <stdbool.h>

/* ---- small files ---- */

enum { RINGS = 9, AROUND = 4, BEAM_VERTICES = RINGS * AROUND, BUFFER_BYTES = 1 << 15, KEYS = 4 };

/* A .glb under construction: accessors with a buffer view each, and the rest of the JSON as text. */
typedef struct Builder {
    char folder[64], path[128], output[128];
    unsigned char bytes[BUFFER_BYTES];
    size_t size;
    json_t *views, *accessors;
    char rest[8192]; /* members of the root, with a comma behind each */
} Builder;

static void builder_start(Builder *builder)
{
    *builder = (Builder){.views = json_array(), .accessors = json_array()};
    test_folder(builder->folder);
    snprintf(builder->path, sizeof builder->path, "%s/in.glb", builder->folder);
    snprintf(builder->output, sizeof builder->output, "%s/out.h5", builder->folder);
}

static void builder_end(Builder *builder)
{
    json_decref(builder->views);
    json_decref(builder->accessors);
    unlink(builder->path);
    unlink(builder->output);
    assert_int_equal(rmdir(builder->folder), 0);
}

static int view_add(Builder *builder, const void *data, size_t bytes, int stride)
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

static int accessor_add(Builder *builder, int component, const char *type, int count, const void *data,
                        size_t bytes)
{
    json_t *accessor = json_pack("{s:i, s:s, s:i, s:i}", "componentType", component, "type", type, "count",
                                 count, "bufferView", view_add(builder, data, bytes, 0));
    json_array_append_new(builder->accessors, accessor);
    return (int)json_array_size(builder->accessors) - 1;
}

static int floats_add(Builder *builder, const char *type, int width, int count, const float *values)
{
    return accessor_add(builder, 5126, type, count, values, (size_t)(count * width) * sizeof *values);
}

static void rest_add(Builder *builder, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void rest_add(Builder *builder, const char *format, ...)
{
    const size_t used = strlen(builder->rest);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(builder->rest + used, sizeof builder->rest - used, format, arguments);
    va_end(arguments);
}

/* The JSON; `uri` goes into the buffer, NULL: none. Release with free. */
static char *builder_json(const Builder *builder, const char *uri)
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

static void bytes_write(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void glb_write_text(const char *path, const char *json, const unsigned char *bytes, size_t size)
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

static void glb_write(const Builder *builder)
{
    char *json = builder_json(builder, NULL);
    glb_write_text(builder->path, json, builder->bytes, builder->size);
    free(json);
}

/* The height of a vertex of the beam, as a share of all. */
static double beam_height(int v)
{
    const int ring = v / AROUND;
    return ring / (RINGS - 1.0);
}

/* A square beam along y, 2 high: positions and the triangles of its sides. */
static void beam_add(Builder *builder, int *positions, int *indices)
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

/* Smooth weights of `count` joints along the beam, in sets of four; float weights, joints of a byte or a short. Returns the
 * attributes as text. */
static void weights_add(Builder *builder, int count, char *attributes, size_t size)
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
        used += (size_t)snprintf(attributes + used, size - used, ",\"WEIGHTS_%d\":%d,\"JOINTS_%d\":%d", set,
                                 weight, set, joint);
    }
}

/* Translations by -height of joints up the beam, as inverse bind matrices. */
static int binds_add(Builder *builder, int count, double x)
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

static int times_add(Builder *builder)
{
    const float times[KEYS] = {0.0f, 0.5f, 1.0f, 1.5f};
    return floats_add(builder, "SCALAR", 1, KEYS, times);
}

/* Keys that turn about z by multiples of `angle`. */
static int turns_add(Builder *builder, double angle)
{
    float keys[KEYS][4] = {{0.0f}};
    for (int k = 0; k < KEYS; k++) {
        keys[k][2] = (float)sin(0.5 * angle * k);
        keys[k][3] = (float)cos(0.5 * angle * k);
    }
    return floats_add(builder, "VEC4", 4, KEYS, &keys[0][0]);
}

/* ---- comparing ---- */

typedef struct TestNotes {
    char text[4096];
} TestNotes;

static void note_keep(void *context, const char *text)
{
    TestNotes *notes = context;
    const size_t used = strlen(notes->text);
    snprintf(notes->text + used, sizeof notes->text - used, "%s\n", text);
}

static Status import_file(const char *input, const char *output, const char *clip, double fps,
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

/* All vertices of a frame of a data set, from its positions or else from its rig, both phases of it. */
static void frame_evaluate(const Dataset *dataset, int frame, double *out)
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

/* A frame is what the file gives at that time, to 1e-5 of the diagonal of what it shows. */
static void frame_expect(const TestGltf *gltf, int animation, double time, const Dataset *dataset, int frame)
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

static Dataset *import_read(const char *input, const char *output, const char *clip, double fps,
                            TestNotes *notes)
{
    Dataset *dataset = NULL;
    if (notes)
        notes->text[0] = '\0';
    assert_ok(import_file(input, output, clip, fps, notes));
    assert_ok(dataset_read(output, NULL, &dataset));
    return dataset;
}

static int frames_of(const Dataset *dataset)
{
    return dataset->animation.frame_count > 0 ? dataset->animation.frame_count : dataset->rig.frame_count;
}

/* Writes the file, imports it and compares it: at the keys of clip 0 (0, 0.5, 1, 1.5 s), and at 10 frames per second.
 * Returns the data set at the keys. */
static Dataset *beam_expect(Builder *builder, TestNotes *notes)
{
    TestGltf gltf;
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
    gltf_release(&gltf);
    return dataset;
}

/* ---- the tests ---- */

/* A skin of `count` joints in a chain, a node of which each is turned; `skin` is added to the skin. */
static void chain_add(Builder *builder, int count, const char *skin)
{
    int positions = 0, indices = 0;
    char attributes[256];
    beam_add(builder, &positions, &indices);
    weights_add(builder, count, attributes, sizeof attributes);
    rest_add(builder, "\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],");
    rest_add(builder, "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":%d%s},\"indices\":%d}]}],",
             positions, attributes, indices);
    rest_add(builder, "\"nodes\":[{\"mesh\":0,\"skin\":0,\"translation\":[5,6,7]}");
    for (int j = 0; j < count; j++)
        rest_add(builder, ",{\"name\":\"bone %d\",\"translation\":[0,%g,0]%s%.0d%s}", j,
                 j > 0 ? 2.0 / count : 0.0, j + 1 < count ? ",\"children\":[" : "", j + 1 < count ? j + 2 : 0,
                 j + 1 < count ? "]" : "");
    rest_add(builder, "],\"skins\":[{%s\"joints\":[", skin);
    for (int j = 0; j < count; j++)
        rest_add(builder, "%s%d", j > 0 ? "," : "", j + 1);
    rest_add(builder, "]}],");
}

static void test_eight_influences(void **state)
{
    (void)state;
    Builder builder;
    TestNotes notes;
    char skin[64];
    builder_start(&builder);
    snprintf(skin, sizeof skin, "\"inverseBindMatrices\":%d,", binds_add(&builder, 8, 0.0));
    chain_add(&builder, 8, skin);
    const int times = times_add(&builder), turns = turns_add(&builder, 0.3);
    rest_add(&builder, "\"animations\":[{\"name\":\"bend\",\"channels\":[");
    for (int j = 0; j < 8; j++)
        rest_add(&builder, "%s{\"sampler\":0,\"target\":{\"node\":%d,\"path\":\"rotation\"}}",
                 j > 0 ? "," : "", j + 1);
    rest_add(&builder, "],\"samplers\":[{\"input\":%d,\"output\":%d}]}],", times, turns);
    Dataset *dataset = beam_expect(&builder, &notes);
    assert_int_equal(dataset->rig.influence_count, 8);
    assert_int_equal(dataset->rig.joint_count, 8);
    assert_string_equal(dataset->rig.joint_names[7], "bone 7");
    assert_null(dataset->rig.scale);
    for (int j = 0; j < 8; j++) {
        assert_int_equal(dataset->rig.parents[j], j - 1);
        assert_true(fabs(dataset->rig.rest[j].m13 - 0.25 * j) < 1e-6); /* from the inverse bind matrices */
    }
    for (int v = 0; v < BEAM_VERTICES; v++)
        assert_true(fabsf(dataset->mesh.rest[3 * v + 1] - (float)(2.0 * beam_height(v))) <
                    1e-6f); /* file order */
    assert_int_equal(dataset->mesh.triangle_count, 64);
    assert_non_null(strstr(notes.text, "y is up"));
    assert_non_null(strstr(notes.text, "clip 'bend': frames 0 to 3"));
    dataset_free(dataset);
    assert_refused(STATUS_BAD_INPUT, "has no clip 'jump'; there are: 'bend'",
                   import_file(builder.path, builder.output, "jump", 0.0, NULL));
    builder_end(&builder);
}

/* Without inverse bind matrices the mesh is bound where its joints are at the origin. */
static void test_no_binds(void **state)
{
    (void)state;
    Builder builder;
    builder_start(&builder);
    chain_add(&builder, 3, "");
    const int times = times_add(&builder), turns = turns_add(&builder, 0.7);
    rest_add(&builder,
             "\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":2,\"path\":\"rotation\"}}],"
             "\"samplers\":[{\"input\":%d,\"output\":%d}]}],",
             times, turns);
    Dataset *dataset = beam_expect(&builder, NULL);
    for (int j = 0; j < 3; j++)
        assert_true(fabs(dataset->rig.rest[j].m13) < 1e-9);
    dataset_free(dataset);
    builder_end(&builder);
}

/* A cubic spline of translations and of turns, steps, and a scale that differs by axis on a joint with children. */
static void test_interpolations(void **state)
{
    (void)state;
    Builder builder;
    TestNotes notes;
    char skin[64];
    float moves[KEYS][3][3], turns[KEYS][3][4], steps[KEYS][4] = {{0.0f}}, scales[KEYS][3];
    builder_start(&builder);
    snprintf(skin, sizeof skin, "\"inverseBindMatrices\":%d,", binds_add(&builder, 4, 0.0));
    chain_add(&builder, 4, skin);
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
    rest_add(
        &builder,
        "\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"translation\"}},"
        "{\"sampler\":1,\"target\":{\"node\":2,\"path\":\"rotation\"}},"
        "{\"sampler\":2,\"target\":{\"node\":4,\"path\":\"rotation\"}},"
        "{\"sampler\":3,\"target\":{\"node\":3,\"path\":\"scale\"}},"
        "{\"sampler\":0,\"target\":{\"path\":\"translation\"}}],"
        "\"samplers\":[{\"input\":%d,\"output\":%d,\"interpolation\":\"CUBICSPLINE\"},"
        "{\"input\":%d,\"output\":%d,\"interpolation\":\"CUBICSPLINE\"},"
        "{\"input\":%d,\"output\":%d,\"interpolation\":\"STEP\"},"
        "{\"input\":%d,\"output\":%d,\"interpolation\":\"LINEAR\"}]}],",
        times, moved, times, turned, times, stepped, times, scaled);
    Dataset *dataset = beam_expect(&builder, &notes);
    assert_non_null(dataset->rig.scale);
    assert_non_null(strstr(notes.text, "rig/scale"));
    for (int i = 0; i < KEYS * dataset->rig.joint_count; i++) { /* the motion without scale is rigid */
        const Transform *t = &dataset->rig.transforms[i];
        const Vec3 x = {t->m00, t->m10, t->m20}, y = {t->m01, t->m11, t->m21};
        assert_true(fabs(vec3_dot(x, x) - 1.0) < 1e-9 && fabs(vec3_dot(x, y)) < 1e-9);
    }
    dataset_free(dataset);
    builder_end(&builder);
}

/* Joints in the wrong order, under no common root, with a node between them that is none; two skins, the second of which
 * is bound beside the first (moved there), and a third at odds with both (its joints are their own). */
static void test_skins(void **state)
{
    (void)state;
    Builder builder;
    TestNotes notes;
    int positions = 0, indices = 0;
    char attributes[256];
    float odd[2][16] = {{0.0f}};
    builder_start(&builder);
    beam_add(&builder, &positions, &indices);
    weights_add(&builder, 3, attributes, sizeof attributes);
    for (int i = 0; i < 4; i++)
        odd[0][5 * i] = odd[1][5 * i] = 1.0f;
    odd[0][13] = 0.5f;
    odd[1][12] = -0.5f;
    const int first = binds_add(&builder, 3, 0.0), second = binds_add(&builder, 3, -3.0);
    char pair[256];
    weights_add(&builder, 2, pair, sizeof pair);
    const int third = floats_add(&builder, "MAT4", 16, 2, &odd[0][0]);
    const int times = times_add(&builder), turns = turns_add(&builder, 0.4);
    rest_add(&builder,
             "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":%d%s},\"indices\":%d}]},"
             "{\"primitives\":[{\"attributes\":{\"POSITION\":%d%s},\"indices\":%d}]}],",
             positions, attributes, indices, positions, pair, indices);
    rest_add(&builder, "\"nodes\":[{\"name\":\"tip\",\"translation\":[0,0.5,0]},"
                       "{\"name\":\"between\",\"rotation\":[0,0.6,0,0.8],\"children\":[0]},"
                       "{\"name\":\"base\",\"children\":[1]},{\"name\":\"apart\",\"translation\":[0.5,1,0]},"
                       "{\"mesh\":0,\"skin\":0},{\"mesh\":0,\"skin\":1},{\"mesh\":1,\"skin\":2}],");
    rest_add(&builder,
             "\"skins\":[{\"inverseBindMatrices\":%d,\"joints\":[0,3,2]},"
             "{\"inverseBindMatrices\":%d,\"joints\":[0,3,2]},"
             "{\"name\":\"odd\",\"inverseBindMatrices\":%d,\"joints\":[2,0]}],",
             first, second, third);
    rest_add(&builder,
             "\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"rotation\"}},"
             "{\"sampler\":0,\"target\":{\"node\":3,\"path\":\"rotation\"}}],"
             "\"samplers\":[{\"input\":%d,\"output\":%d}]}],",
             times, turns);
    Dataset *dataset = beam_expect(&builder, &notes);
    const Rig *rig = &dataset->rig;
    assert_int_equal(rig->joint_count, 5);
    assert_string_equal(rig->joint_names[0], "base"); /* before its child, which the skin lists first */
    assert_string_equal(rig->joint_names[1], "tip");
    assert_string_equal(rig->joint_names[2], "apart");
    assert_string_equal(rig->joint_names[3], "base (odd)");
    assert_string_equal(rig->joint_names[4], "tip (odd)");
    const int parents[] = {-1, 0, -1, -1, 3};
    assert_memory_equal(rig->parents, parents, sizeof parents);
    assert_non_null(strstr(notes.text, "moved to that of the first"));
    assert_non_null(strstr(notes.text, "the node 'tip' is bound in two ways"));
    for (int i = 0; i < 3 * BEAM_VERTICES;
         i++) /* the second mesh stands where the first does, but for its own space */
        assert_true(fabsf(dataset->mesh.rest[3 * BEAM_VERTICES + i] + (i % 3 == 0 ? 3.0f : 0.0f) -
                          dataset->mesh.rest[i]) < 1e-5f);
    dataset_free(dataset);
    builder_end(&builder);
}

/* Morph targets, one of them sparse and without a buffer view, moved by a clip; and those that a skinned mesh stands
 * under. */
static void test_morph_targets(void **state)
{
    (void)state;
    Builder builder;
    TestNotes notes;
    int positions = 0, indices = 0;
    float offsets[BEAM_VERTICES][3],
        few[3][3] = {{1.0f, 0.0f, 0.5f}, {0.0f, -1.0f, 0.0f}, {0.3f, 0.3f, 0.3f}};
    const uint8_t places[3] = {2, 3, 30};
    const float weights[KEYS][2] = {{0.0f, 0.5f}, {1.0f, 0.25f}, {0.5f, -1.0f}, {0.0f, 2.0f}};
    builder_start(&builder);
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
    const int sparse = dense + 1, times = times_add(&builder);
    const int moved = floats_add(&builder, "SCALAR", 1, 2 * KEYS, &weights[0][0]);
    rest_add(
        &builder,
        "\"meshes\":[{\"weights\":[0.5,0.25],\"primitives\":[{\"attributes\":{\"POSITION\":%d},\"indices\":%"
        "d,"
        "\"targets\":[{\"POSITION\":%d},{\"POSITION\":%d}]}]}],\"nodes\":[{\"mesh\":0,\"scale\":[2,2,2]}],",
        positions, indices, dense, sparse);
    rest_add(&builder,
             "\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"weights\"}}],"
             "\"samplers\":[{\"input\":%d,\"output\":%d}]}],",
             times, moved);
    Dataset *dataset = beam_expect(&builder, &notes);
    assert_int_equal(dataset->rig.joint_count, 0);
    assert_int_equal(dataset->animation.frame_count, KEYS);
    assert_non_null(strstr(notes.text, "morph targets move"));
    /* The rest pose is under the weights that the mesh has: vertex 2 is 2 (position + 0.5 dense + 0.25 sparse). */
    assert_true(fabs((double)dataset->mesh.rest[6] - 2.0 * (0.2 + 0.5 * 0.2 * sin(6.0) + 0.25)) < 1e-6);
    dataset_free(dataset);
    builder_end(&builder);
}

/* Meshes that nodes move, one of them shown twice and one under a matrix: one mesh, a joint for each, and positions. */
static void test_moved_meshes(void **state)
{
    (void)state;
    Builder builder;
    int positions = 0, indices = 0;
    builder_start(&builder);
    beam_add(&builder, &positions, &indices);
    const int times = times_add(&builder), turns = turns_add(&builder, 1.0);
    rest_add(&builder, "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":%d},\"indices\":%d}]}],",
             positions, indices);
    rest_add(&builder, "\"nodes\":[{\"name\":\"top\",\"mesh\":0,\"children\":[1,2]},"
                       "{\"name\":\"arm\",\"mesh\":0,\"translation\":[1,1,0]},"
                       "{\"matrix\":[0,2,0,0,-2,0,0,0,0,0,2,0,3,0,0,1],\"children\":[3]},"
                       "{\"name\":\"leg\",\"mesh\":0}],");
    rest_add(&builder,
             "\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"rotation\"}},"
             "{\"sampler\":0,\"target\":{\"node\":3,\"path\":\"rotation\"}}],"
             "\"samplers\":[{\"input\":%d,\"output\":%d}]}],",
             times, turns);
    Dataset *dataset = beam_expect(&builder, NULL);
    assert_int_equal(dataset->rig.joint_count, 3);
    assert_int_equal(dataset->rig.parents[2], 0);
    assert_int_equal(dataset->animation.frame_count, KEYS);
    animation_clear(&dataset->animation); /* the rig says the same */
    TestGltf gltf;
    gltf_load(builder.path, &gltf);
    for (int f = 0; f < KEYS; f++)
        frame_expect(&gltf, 0, 0.5 * f, dataset, f);
    gltf_release(&gltf);
    dataset_free(dataset);
    /* Without the clip they stand still: a mesh alone, in its place. */
    double wanted[3 * 3 * BEAM_VERTICES];
    *strstr(builder.rest, "\"animations\"") = '\0';
    glb_write(&builder);
    gltf_load(builder.path, &gltf);
    assert_int_equal(gltf_vertices(&gltf, -1, 0.0, wanted), 3 * BEAM_VERTICES);
    dataset = import_read(builder.path, builder.output, NULL, 0.0, NULL);
    assert_int_equal(dataset->rig.joint_count + dataset->animation.frame_count, 0);
    for (int i = 0; i < 3 * 3 * BEAM_VERTICES; i++)
        assert_true(fabs((double)dataset->mesh.rest[i] - wanted[i]) < 1e-6);
    gltf_release(&gltf);
    dataset_free(dataset);
    builder_end(&builder);
}

/* Normalised weights beside positions in one buffer view, all joints scaled alike, and an unskinned mesh that hangs on a
 * joint. */
static void test_interleaved(void **state)
{
    (void)state;
    enum { COUNT = 5 };
    struct {
        float position[3];
        uint8_t joints[4], weights[4];
        int16_t spare[2];
    } vertices[COUNT] = {{{0.0f}, {0}, {0}, {0}}};
    Builder builder;
    TestNotes notes;
    builder_start(&builder);
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
    const int times = times_add(&builder), turns = turns_add(&builder, 1.0);
    rest_add(&builder,
             "\"meshes\":[{\"primitives\":[{\"mode\":5,\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,"
             "\"WEIGHTS_0\":2}},{\"mode\":1,\"attributes\":{\"POSITION\":0}}]},"
             "{\"primitives\":[{\"mode\":6,\"attributes\":{\"POSITION\":0}}]}],");
    rest_add(&builder,
             "\"nodes\":[{\"scale\":[0.1,0.1,0.1],\"children\":[1,2]},{\"name\":\"a\",\"children\":[4]},"
             "{\"name\":\"b\",\"translation\":[0,3,0]},{\"mesh\":0,\"skin\":0},{\"mesh\":1}],"
             "\"skins\":[{\"joints\":[1,2]}],");
    rest_add(&builder,
             "\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"rotation\"}}],"
             "\"samplers\":[{\"input\":%d,\"output\":%d}]}],",
             times, turns);
    /* The evaluation reads no lines: take that primitive away for it. */
    glb_write(&builder);
    Dataset *dataset = import_read(builder.path, builder.output, NULL, 0.0, &notes);
    assert_non_null(strstr(notes.text, "meshes[0].primitives[1] is dropped: it has lines"));
    assert_non_null(strstr(notes.text, "scaled by 0.1"));
    assert_int_equal(dataset->mesh.triangle_count, 6);
    const int32_t triangles[] = {0, 1, 2, 1, 3, 2, 2, 3, 4, 6, 7, 5, 7, 8, 5, 8, 9, 5};
    assert_memory_equal(dataset->mesh.triangles, triangles, sizeof triangles);
    dataset_free(dataset);
    *strstr(builder.rest, ",{\"mode\":1") = '\0';
    rest_add(&builder,
             "]},{\"primitives\":[{\"mode\":6,\"attributes\":{\"POSITION\":0}}]}],"
             "\"nodes\":[{\"scale\":[0.1,0.1,0.1],\"children\":[1,2]},{\"name\":\"a\",\"children\":[4]},"
             "{\"name\":\"b\",\"translation\":[0,3,0]},{\"mesh\":0,\"skin\":0},{\"mesh\":1}],"
             "\"skins\":[{\"joints\":[1,2]}],");
    rest_add(&builder,
             "\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"rotation\"}}],"
             "\"samplers\":[{\"input\":%d,\"output\":%d}]}],",
             times, turns);
    dataset = beam_expect(&builder, &notes);
    assert_null(dataset->rig.scale);
    assert_int_equal(dataset->rig.joint_count, 3);
    assert_int_equal(dataset->rig.parents[2], 0);
    dataset_free(dataset);
    builder_end(&builder);
}

/* The same data set from a .glb, a .gltf with a file beside it and one with its bytes inside. */
static void test_buffers(void **state)
{
    (void)state;
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    static char uri[2 * BUFFER_BYTES] = "data:application/octet-stream;base64,";
    Builder builder;
    char gltf[160], bin[160];
    size_t used = strlen(uri);
    builder_start(&builder);
    snprintf(gltf, sizeof gltf, "%s/in.gltf", builder.folder);
    snprintf(bin, sizeof bin, "%s/in put.bin", builder.folder);
    chain_add(&builder, 3, "");
    glb_write(&builder);
    Dataset *glb = import_read(builder.path, builder.output, NULL, 0.0, NULL);
    assert_int_equal(glb->rig.frame_count, 1);     /* as the nodes stand */
    for (size_t i = 0; i < builder.size; i += 3) { /* base64 */
        const unsigned bits =
            (unsigned)builder.bytes[i] << 16 | (unsigned)builder.bytes[i + 1] << 8 | builder.bytes[i + 2];
        for (int k = 0; k < 4; k++)
            uri[used++] = i + (size_t)k > builder.size ? '=' : digits[bits >> (18 - 6 * k) & 63];
    }
    const char *uris[] = {"in%20put.bin", uri};
    for (int i = 0; i < 2; i++) {
        char *json = builder_json(&builder, uris[i]);
        bytes_write(gltf, json, strlen(json));
        bytes_write(bin, builder.bytes, builder.size);
        Dataset *dataset = import_read(gltf, builder.output, NULL, 0.0, NULL);
        assert_memory_equal(dataset->mesh.rest, glb->mesh.rest, sizeof(float) * 3 * BEAM_VERTICES);
        assert_memory_equal(dataset->rig.transforms, glb->rig.transforms, sizeof(Transform) * 3);
        dataset_free(dataset);
        free(json);
    }
    const struct {
        const char *uri, *said;
    } refused[] = {{"../in.bin", "expected a file in the folder"},
                   {"/etc/passwd", "expected a file in the folder"},
                   {"a/%2e%2e/b.bin", "expected a file in the"},
                   {"http://x/y.bin", "expected a file in the folder"},
                   {"missing.bin", "missing.bin: cannot be opened"},
                   {"data:,abc", "data: URI without base64"},
                   {"data:;base64,*", "has the byte 42"},
                   {"data:;base64,AAAA", "has 3 bytes, but its byteLength"},
                   {"in%20put.bin", "buffers[0] has 100 bytes"}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        char *json = builder_json(&builder, refused[i].uri);
        bytes_write(gltf, json, strlen(json));
        bytes_write(bin, builder.bytes, 100);
        assert_refused(STATUS_BAD_INPUT, refused[i].said, import_file(gltf, builder.output, NULL, 0.0, NULL));
        free(json);
    }
    dataset_free(glb);
    unlink(gltf);
    unlink(bin);
    builder_end(&builder);
}

/* Damage to one place of a sound file: what stands there, what takes its place, and what is said. */
static void test_damage(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *said;
    } rows[] = {
        {"\"version\":\"2.0\"", "\"version\":\"1.0\"", "version 1.0, expected 2.0"},
        {"\"scene\":0", "\"scene\":7", "refers to scenes[7]; there are 1"},
        {"\"children\":[2]", "\"children\":[9]", "nodes[1] has the child 9, expected 0 to 3"},
        {"\"children\":[2]", "\"children\":[1]", "is its own ancestor"},
        {"\"children\":[3]", "\"children\":[2]", "nodes[2] has two parents, nodes[1] and nodes[2]"},
        {"\"translation\":[5,6,7]", "\"translation\":[5,6]",
         "nodes[0] has a translation of 2 numbers, expected 3"},
        {"\"translation\":[5,6,7]", "\"scale\":[5,6,1e300]", "nodes[0] (node 0): its place is not finite"},
        {"\"joints\":[1,2,3]", "\"joints\":[1,2,8]", "skins[0].joints[2] is none of the 4 nodes"},
        {"\"joints\":[1,2,3]", "\"joints\":[1,2,2]",
         "skins[0].joints[2] is nodes[2] (bone 1), which it lists before"},
        {"\"joints\":[1,2,3]", "\"joints\":[1,2]", "names joint 2, expected 0 to 1"},
        {"\"joints\":[1,2,3]", "\"joints\":[]", "skins[0] has no joints"},
        {"\"mesh\":0,\"skin\":0", "\"mesh\":0,\"skin\":4", "nodes[0] has the mesh 0 and the skin 4"},
        {"\"mesh\":0,\"skin\":0", "\"mesh\":3,\"skin\":0", "nodes[0] refers to meshes[3]; there are 1"},
        {"\"mesh\":0,\"skin\":0", "\"mesh\":0.5", "nodes[0] has the mesh 0.5, expected a whole number"},
        {"\"mesh\":0,\"skin\":0", "\"camera\":0", "has 0 vertices"},
        {"\"POSITION\":1", "\"POSITION\":99", "meshes[0].primitives[0] refers to accessors[99]"},
        {"\"POSITION\":1", "\"NORMAL\":1", "has no 'POSITION'"},
        {"\"JOINTS_0\"", "\"JOINTS_7\"", "has no 'JOINTS_0'"},
        {"\"count\":36", "\"count\":2000000000", "accessors[1] has the count 2000000000"},
        {"\"count\":36", "\"count\":500000000", "up to byte 6000000000 of bufferViews[1], which has 432"},
        {"\"count\":36", "\"count\":35", "has the index 35 at 182, expected 0 to 34"},
        {"\"count\":36", "\"count\":-1", "accessors[1] has the count -1"},
        {"\"type\":\"VEC3\"", "\"type\":\"VEC2\"", "accessors[1] has the type VEC2"},
        {"\"componentType\":5123", "\"componentType\":5122",
         "accessors[2] has the componentType 5122, expected uns"},
        {"\"componentType\":5123", "\"componentType\":77", "has the componentType 77"},
        {"\"byteOffset\":192", "\"byteOffset\":100000", "bufferViews[1] ends at byte"},
        {"\"buffer\":0", "\"buffer\":3", "bufferViews[0] refers to buffers[3]; there are 1"},
        {"\"indices\":2", "\"indices\":0",
         "accessors[0] has the type MAT4, meshes[0].primitives[0] needs 1 numbers"},
        {"\"scenes\":[", "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"],\"scenes\":[",
         "requires the extension 'KHR_draco_mesh_compression'"},
        {"\"nodes\":[{\"mesh\"", "\"nodes\":7,\"other\":[{\"mesh\"", "has a 'nodes' that is no array"},
        {"\"interpolation\":\"LINEAR\"", "\"interpolation\":\"WAVY\"",
         "animations[0].channels[0] has the interpolation"},
        {"\"sampler\":0", "\"sampler\":5", "refers to samplers[5]; there are 1"},
        {"\"path\":\"rotation\"", "\"path\":\"scale\"",
         "has the type VEC4, animations[0].channels[0] needs 3"},
        {"\"path\":\"rotation\"", "\"path\":\"weights\"", "has no 'mesh'"},
        {"]}", "]", "in.glb"},
    };
    Builder builder;
    char skin[64];
    builder_start(&builder);
    snprintf(skin, sizeof skin, "\"inverseBindMatrices\":%d,", binds_add(&builder, 3, 0.0));
    chain_add(&builder, 3, skin);
    const int times = times_add(&builder), turns = turns_add(&builder, 0.7);
    rest_add(&builder,
             "\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":2,\"path\":\"rotation\"}}],"
             "\"samplers\":[{\"input\":%d,\"output\":%d,\"interpolation\":\"LINEAR\"}]}],",
             times, turns);
    char *json = builder_json(&builder, NULL), *compact = NULL;
    json_t *root = json_loads(json, 0, NULL);
    compact = json_dumps(root, JSON_COMPACT | JSON_PRESERVE_ORDER);
    glb_write_text(builder.path, compact, builder.bytes, builder.size);
    dataset_free(import_read(builder.path, builder.output, NULL, 0.0, NULL));
    unlink(builder.output);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *damaged = calloc(strlen(compact) + 128, 1);
        const char *at = strstr(compact, rows[i].from);
        if (!at)
            fail_msg("row %zu: there is no %s", i, rows[i].from);
        snprintf(damaged, strlen(compact) + 128, "%.*s%s%s", (int)(at - compact), compact, rows[i].to,
                 at + strlen(rows[i].from));
        glb_write_text(builder.path, damaged, builder.bytes, builder.size);
        assert_refused(STATUS_BAD_INPUT, rows[i].said,
                       import_file(builder.path, builder.output, NULL, 0.0, NULL));
        assert_int_not_equal(access(builder.output, F_OK), 0);
        free(damaged);
    }
    /* Numbers: NaN in a position, an index beyond, times that go back, a bind that is no affine matrix. */
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
        assert_refused(STATUS_BAD_INPUT, numbers[i].said,
                       import_file(builder.path, builder.output, NULL, 0.0, NULL));
    }
    /* Cut short anywhere. */
    glb_write_text(builder.path, compact, builder.bytes, builder.size);
    const size_t whole = 28 + (strlen(compact) + 3) / 4 * 4 + builder.size;
    for (size_t size = 4; size < whole; size += whole / 13) {
        assert_int_equal(truncate(builder.path, (off_t)size), 0);
        assert_int_equal(import_file(builder.path, builder.output, NULL, 0.0, NULL).code, STATUS_BAD_INPUT);
        assert_int_not_equal(access(builder.output, F_OK), 0);
        glb_write_text(builder.path, compact, builder.bytes, builder.size);
    }
    json_decref(root);
    free(json);
    free(compact);
    builder_end(&builder);
}

/* The frames of a rig by the method lbs, put into the data set in place of the rig. */
static void dataset_skin(Dataset *dataset)
{
    const Rig *rig = &dataset->rig;
    const SkinnerOptions options = {.entry = skinning_entry_find("lbs"), .backend = &backend_scalar};
    Skinner *skinner = NULL;
    assert_ok(animation_allocate(&dataset->animation, rig->frame_count, dataset->mesh.vertex_count, 0));
    assert_ok(skinner_create(&options, &dataset->mesh, rig, &skinner));
    assert_ok(skinner_pose(skinner, rig->transforms, NULL, rig->frame_count));
    assert_ok(skinner_skin(skinner));
    for (int f = 0; f < rig->frame_count; f++)
        assert_ok(skinner_read(
            skinner, f, dataset->animation.positions + (ptrdiff_t)3 * dataset->mesh.vertex_count * f, NULL));
    skinner_free(skinner);
}

/* The Khronos samples: counts as ../shared/datasets/README.md lists them, and every fifth frame, skinned by lbs, as the
 * evaluation has it. */
static void data_samples(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int vertices, joints, clips, frames[3];
    } rows[] = {{"gltf/Fox.glb", 1728, 24, 3, {83, 18, 25}},
                {"gltf/CesiumMan.glb", 3273, 19, 1, {49}},
                {"gltf/RiggedSimple.glb", 960, 4, 1, {161}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[1024], folder[64], output[128];
        TestGltf gltf;
        int first = 0;
        if (!test_data(rows[i].name, path))
            return;
        test_folder(folder);
        snprintf(output, sizeof output, "%s/out.h5", folder);
        gltf_load(path, &gltf);
        Dataset *dataset = import_read(path, output, NULL, 0.0, NULL);
        assert_int_equal(dataset->mesh.vertex_count, rows[i].vertices);
        assert_int_equal(dataset->rig.joint_count, rows[i].joints);
        assert_null(dataset->rig.scale);
        dataset_skin(dataset);
        for (int clip = 0; clip < rows[i].clips; first += rows[i].frames[clip++]) {
            const json_t *samplers = json_object_get(gltf_at(&gltf, "animations", clip), "samplers");
            int input = -1; /* the longest list of times is that of all frames in these files */
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
        dataset_free(dataset);
        gltf_release(&gltf);
        unlink(output);
        rmdir(folder);
    }
}

/* A clip by its name, and at a rate between the keys. */
static void data_clip(void **state)
{
    (void)state;
    char path[1024], folder[64], output[128];
    TestGltf gltf;
    if (!test_data("gltf/Fox.glb", path))
        return;
    test_folder(folder);
    snprintf(output, sizeof output, "%s/out.h5", folder);
    gltf_load(path, &gltf);
    Dataset *dataset = import_read(path, output, "Walk", 60.0, NULL);
    assert_int_equal(dataset->rig.frame_count, 43); /* 0.70833 s */
    for (int f = 0; f < 43; f += 7)
        frame_expect(&gltf, 1, f / 60.0, dataset, f);
    dataset_free(dataset);
    gltf_release(&gltf);
    unlink(output);
    rmdir(folder);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_eight_influences),
        cmocka_unit_test(test_no_binds),
        cmocka_unit_test(test_interpolations),
        cmocka_unit_test(test_skins),
        cmocka_unit_test(test_morph_targets),
        cmocka_unit_test(test_moved_meshes),
        cmocka_unit_test(test_interleaved),
        cmocka_unit_test(test_buffers),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(data_samples),
        cmocka_unit_test(data_clip),
    };
    return unit_run(argc, argv, tests);
}
