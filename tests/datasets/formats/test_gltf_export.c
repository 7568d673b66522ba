/* Exported glTF files, read by a small reader of the test's own: skins against linear blending written out
 * here, baked positions, what a joint's shear costs, and what is refused. */
#include "tests/rigs.h"

#include "datasets/formats/formats.h"
#include "datasets/io/store.h"

#include <jansson.h>

/* ---- a reader of what glTF 2.0 says, for files with one buffer ---- */

typedef struct Gltf {
    char *text;
    json_t *root;
    unsigned char *data;
} Gltf;

static uint32_t number_at(const char *bytes)
{
    uint32_t number;
    memcpy(&number, bytes, 4);
    return number;
}

static int base64_digit(char c)
{
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+'             ? 62
                                  : 63;
}

static Gltf gltf_open(const char *path)
{
    Gltf gltf = {0};
    size_t size = 0;
    gltf.text = file_read(path, &size);
    if (memcmp(gltf.text, "glTF", 4) == 0) {
        const uint32_t length = number_at(gltf.text + 12), bytes = number_at(gltf.text + 20 + length);
        assert_int_equal(number_at(gltf.text + 8), size);
        assert_int_equal(28 + length + bytes, size);
        gltf.root = json_loadb(gltf.text + 20, length, 0, NULL);
        gltf.data = malloc(bytes);
        memcpy(gltf.data, gltf.text + 28 + length, bytes);
    } else {
        gltf.root = json_loadb(gltf.text, size, 0, NULL);
        const json_t *buffer = json_array_get(json_object_get(gltf.root, "buffers"), 0);
        const char *text = strchr(json_string_value(json_object_get(buffer, "uri")), ',') + 1;
        const size_t count = strlen(text) / 4;
        gltf.data = malloc(3 * count);
        for (size_t i = 0; i < count; i++) {
            int group = 0;
            for (int k = 0; k < 4; k++)
                group =
                    group << 6 | (text[4 * i + (size_t)k] == '=' ? 0 : base64_digit(text[4 * i + (size_t)k]));
            for (int k = 0; k < 3; k++)
                gltf.data[3 * i + (size_t)k] = (unsigned char)(group >> (16 - 8 * k));
        }
    }
    assert_non_null(gltf.root);
    return gltf;
}

static void gltf_close(Gltf *gltf)
{
    json_decref(gltf->root);
    memory_free(gltf->text);
    free(gltf->data);
}

static json_t *item(const json_t *object, const char *list, size_t index)
{
    return json_array_get(json_object_get(object, list), index);
}

static int integer(const json_t *object, const char *name)
{
    return (int)json_integer_value(json_object_get(object, name));
}

/* Number `at` of an accessor, whatever it is made of; *count: numbers in all. */
static double accessor_number(const Gltf *gltf, int accessor, int at, int *count)
{
    const json_t *described = item(gltf->root, "accessors", (size_t)accessor);
    const json_t *view = item(gltf->root, "bufferViews", (size_t)integer(described, "bufferView"));
    const unsigned char *bytes = gltf->data + integer(view, "byteOffset");
    const char *type = json_string_value(json_object_get(described, "type"));
    const int width = strcmp(type, "SCALAR") == 0 ? 1 : strcmp(type, "MAT4") == 0 ? 16 : type[3] - '0';
    if (count)
        *count = width * integer(described, "count");
    switch (integer(described, "componentType")) {
    case 5121:
        return bytes[at];
    case 5123:
        return (double)(bytes[2 * at] | bytes[2 * at + 1] << 8);
    case 5125:
        return number_at((const char *)bytes + 4 * (size_t)at);
    default:
        break;
    }
    float value;
    memcpy(&value, bytes + 4 * (size_t)at, 4);
    return (double)value;
}

/* A node's matrix in its parent in frame f of the clip, row by row: T R S of its channels, else of its
 * own. */
static void node_matrix(const Gltf *gltf, int node, int frame, double m[16])
{
    double t[3], q[4], s[3];
    const json_t *described = item(gltf->root, "nodes", (size_t)node);
    const struct {
        const char *name;
        double *values;
        int width;
        double initial;
    } parts[] = {{"translation", t, 3, 0.0}, {"rotation", q, 4, 0.0}, {"scale", s, 3, 1.0}};
    const json_t *clip = item(gltf->root, "animations", 0);
    for (int p = 0; p < 3; p++) {
        for (int k = 0; k < parts[p].width; k++) {
            const json_t *value = json_array_get(json_object_get(described, parts[p].name), (size_t)k);
            parts[p].values[k] = value ? json_number_value(value) : k == 3 ? 1.0 : parts[p].initial;
        }
        for (size_t c = 0; c < json_array_size(json_object_get(clip, "channels")); c++) {
            const json_t *channel = item(clip, "channels", c), *target = json_object_get(channel, "target");
            if (integer(target, "node") != node ||
                strcmp(json_string_value(json_object_get(target, "path")), parts[p].name) != 0)
                continue;
            const json_t *sampler = item(clip, "samplers", (size_t)integer(channel, "sampler"));
            int keys;
            (void)accessor_number(gltf, integer(sampler, "input"), 0, &keys);
            for (int k = 0; k < parts[p].width; k++)
                parts[p].values[k] =
                    accessor_number(gltf, integer(sampler, "output"),
                                    parts[p].width * (frame < keys ? frame : keys - 1) + k, NULL);
        }
    }
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double r[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                         2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                         2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            m[4 * i + k] = r[3 * i + k] * s[k];
        m[4 * i + 3] = t[i];
    }
    m[12] = m[13] = m[14] = 0.0;
    m[15] = 1.0;
}

static void multiply(const double a[16], const double b[16], double out[16])
{
    double product[16] = {0};
    for (int i = 0; i < 64; i++)
        product[i / 4 % 4 * 4 + i % 4] += a[i / 4 % 4 * 4 + i / 16] * b[i / 16 * 4 + i % 4];
    memcpy(out, product, sizeof product);
}

static void global_matrix(const Gltf *gltf, int node, int frame, double m[16])
{
    node_matrix(gltf, node, frame, m);
    for (size_t parent = 0; parent < json_array_size(json_object_get(gltf->root, "nodes")); parent++) {
        const json_t *children = json_object_get(item(gltf->root, "nodes", parent), "children");
        for (size_t i = 0; i < json_array_size(children); i++)
            if (json_integer_value(json_array_get(children, i)) == node) {
                double above[16];
                global_matrix(gltf, (int)parent, frame, above);
                multiply(above, m, m);
                return;
            }
    }
}

static const json_t *primitive_of(const Gltf *gltf)
{
    return item(item(gltf->root, "meshes", 0), "primitives", 0);
}

static int attribute(const Gltf *gltf, const char *name)
{
    const json_t *number = json_object_get(json_object_get(primitive_of(gltf), "attributes"), name);
    return number ? (int)json_integer_value(number) : -1;
}

/* A vertex of the skinned mesh in a frame (glTF 2.0 section 3.7.3). */
static void skinned(const Gltf *gltf, int vertex, int frame, double out[3])
{
    const json_t *skin = item(gltf->root, "skins", 0);
    out[0] = out[1] = out[2] = 0.0;
    for (int set = 0;; set++) {
        char name[32];
        snprintf(name, sizeof name, "JOINTS_%d", set);
        const int joints = attribute(gltf, name);
        if (joints < 0)
            return;
        snprintf(name, sizeof name, "WEIGHTS_%d", set);
        for (int k = 0; k < 4; k++) {
            const double weight = accessor_number(gltf, attribute(gltf, name), 4 * vertex + k, NULL);
            const int joint = (int)accessor_number(gltf, joints, 4 * vertex + k, NULL);
            double place[16], back[16];
            if (weight == 0.0)
                continue;
            global_matrix(gltf, (int)json_integer_value(item(skin, "joints", (size_t)joint)), frame, place);
            for (int i = 0; i < 16; i++) /* columns to rows */
                back[i] = accessor_number(gltf, integer(skin, "inverseBindMatrices"),
                                          16 * joint + 4 * (i % 4) + i / 4, NULL);
            multiply(place, back, place);
            for (int i = 0; i < 3; i++) {
                out[i] += weight * place[4 * i + 3];
                for (int axis = 0; axis < 3; axis++)
                    out[i] += weight * place[4 * i + axis] *
                              accessor_number(gltf, attribute(gltf, "POSITION"), 3 * vertex + axis, NULL);
            }
        }
    }
}

/* ---- data sets ---- */

enum { VERTICES = 60, FRAMES = 5, JOINTS = 7, SLOTS = 9 };

/* A chain of joints that turn in their parents, stretched along themselves by `stretch` per frame. Nine
 * slots, of which some name a joint twice. */
static Dataset *chain(double stretch)
{
    Random random = {11};
    Dataset *dataset = NULL;
    assert_ok(dataset_create("chain", "A chain", "a test", "none", &dataset));
    dataset->fps = 24.0;
    assert_ok(mesh_allocate(&dataset->mesh, VERTICES, VERTICES - 2));
    assert_ok(rig_allocate(&dataset->rig, VERTICES, JOINTS, FRAMES, SLOTS));
    Rig *rig = &dataset->rig;
    for (int i = 0; i < 3 * VERTICES; i++)
        dataset->mesh.rest[i] = (float)(i % 3 == 0 ? 0.1 * i / 3.0 : random_signed(&random));
    for (int t = 0; t < 3 * (VERTICES - 2); t++)
        dataset->mesh.triangles[t] = t / 3 + t % 3;
    Transform posed[JOINTS];
    for (int j = 0; j < JOINTS; j++) {
        rig->joint_names[j] = memory_text("a joint");
        rig->parents[j] = j - 1;
        rig->rest[j] =
            transform_about(quat_about(random_axis(&random), 0.4), vec3_make(0, 0, 0), vec3_make(j, 0, 0));
    }
    for (int f = 0; f < FRAMES; f++)
        for (int j = 0; j < JOINTS; j++) {
            const Transform turn = transform_about(quat_about(random_axis(&random), 0.3 * f),
                                                   vec3_make(j, 0, 0), vec3_make(0, 0.1 * f, 0));
            Transform scaled = transform_identity();
            scaled.m00 += stretch * f;
            posed[j] = transform_product(j > 0 ? posed[j - 1] : transform_identity(),
                                         transform_product(turn, scaled));
            rig->transforms[f * JOINTS + j] = posed[j];
        }
    for (int v = 0; v < VERTICES; v++) {
        double sum = 0.0, values[SLOTS];
        for (int k = 0; k < SLOTS; k++)
            sum += values[k] = k < 1 + v % SLOTS ? 0.1 + random_unit(&random) : 0.0;
        for (int k = 0; k < SLOTS; k++) {
            rig->weight_joints[v * SLOTS + k] = values[k] > 0.0 ? (int32_t)random_below(&random, JOINTS) : 0;
            rig->weight_values[v * SLOTS + k] = (float)(values[k] / sum);
        }
    }
    return dataset;
}

static void blended(const Dataset *dataset, int vertex, int frame, double out[3])
{
    const Rig *rig = &dataset->rig;
    out[0] = out[1] = out[2] = 0.0;
    for (int k = 0; k < rig->influence_count; k++) {
        const int slot = vertex * rig->influence_count + k;
        const double *m = &rig->transforms[frame * rig->joint_count + rig->weight_joints[slot]].m00;
        for (int i = 0; i < 3; i++)
            for (int axis = 0; axis < 4; axis++)
                out[i] += (double)rig->weight_values[slot] * m[4 * i + axis] *
                          (axis < 3 ? (double)dataset->mesh.rest[3 * vertex + axis] : 1.0);
    }
}

/* The greatest distance between the file's skin and the data set's linear blend; *rms over all. */
static double skin_distance(const Gltf *gltf, const Dataset *dataset, double *rms)
{
    double max = 0.0, squared = 0.0;
    for (int f = 0; f < dataset->rig.frame_count; f++)
        for (int v = 0; v < dataset->mesh.vertex_count; v++) {
            double a[3], b[3], distance = 0.0;
            skinned(gltf, v, f, a);
            blended(dataset, v, f, b);
            for (int i = 0; i < 3; i++)
                distance += (a[i] - b[i]) * (a[i] - b[i]);
            max = fmax(max, sqrt(distance));
            squared += distance;
        }
    *rms = sqrt(squared / (dataset->rig.frame_count * dataset->mesh.vertex_count));
    return max;
}

typedef struct ExportPlace {
    const char *input, *output;
    char notes[4096];
} ExportPlace;

static void note_keep(void *context, const char *text)
{
    ExportPlace *place = context;
    const size_t used = strlen(place->notes);
    snprintf(place->notes + used, sizeof place->notes - used, "%s\n", text);
}

/* Writes the data set and exports it. */
static Status exported(ExportPlace *place, const Dataset *dataset, const char *format, ExportOptions options)
{
    char output[32];
    snprintf(output, sizeof output, "out.%s", format);
    *place = (ExportPlace){.input = path_of("in.h5"), .output = path_of(output)};
    assert_ok(dataset_write(dataset, place->input));
    const FormatNotes notes = {note_keep, place};
    options.input = place->input;
    options.output = place->output;
    options.notes = &notes;
    const Status status = format_find(format)->export(&options);
    assert_no_temporary_files();
    return status;
}

/* ---- tests ---- */

TEST(a_rigid_rig_keeps_its_hierarchy_and_all_influences)
{
    static const char *const formats[] = {"glb", "gltf"};
    OWNED_BY(dataset_free) Dataset *dataset = chain(0.0);
    for (int i = 0; i < 2; i++) {
        ExportPlace place;
        double rms;
        assert_ok(exported(&place, dataset, formats[i], (ExportOptions){0}));
        Gltf gltf = gltf_open(place.output);
        /* Coordinates up to 10: floats of joints and vertices. */
        assert_true(skin_distance(&gltf, dataset, &rms) < 1e-5);
        assert_non_null(strstr(place.notes, "9 influences are in JOINTS_0 to JOINTS_2"));
        assert_null(strstr(place.notes, "shear"));
        /* Each joint is a child of the one before. */
        for (size_t j = 0; j + 1 < JOINTS; j++)
            assert_int_equal(json_array_size(json_object_get(item(gltf.root, "nodes", 2 + j), "children")),
                             1);
        for (int v = 0; v < VERTICES; v++) {
            double sum = 0.0, last = 2.0;
            for (int k = 0; k < 12; k++) {
                char name[32];
                snprintf(name, sizeof name, "WEIGHTS_%d", k / 4);
                const double weight = accessor_number(&gltf, attribute(&gltf, name), 4 * v + k % 4, NULL);
                assert_true(weight <= last && weight >= 0.0);
                sum += last = weight;
            }
            assert_near(sum, 1.0, 1e-6);
        }
        gltf_close(&gltf);
    }
}

TEST(stretched_joints_stand_beside_each_other)
{
    ExportPlace place;
    double rms, said = -1.0, said_rms = -1.0;
    OWNED_BY(dataset_free) Dataset *dataset = chain(0.1);
    assert_ok(exported(&place, dataset, "glb", (ExportOptions){0}));
    CLEANUP(gltf_close) Gltf gltf = gltf_open(place.output);
    assert_int_equal(json_array_size(json_object_get(item(gltf.root, "nodes", 1), "children")), JOINTS);
    const double max = skin_distance(&gltf, dataset, &rms);
    /* The note states what the reader finds, to its three digits. */
    const char *said_at = strstr(place.notes, "within "), *said_rms_at = strstr(place.notes, "blend, ");
    assert_non_null(said_at);
    assert_non_null(said_rms_at);
    said = strtod(said_at + strlen("within "), NULL);
    said_rms = strtod(said_rms_at + strlen("blend, "), NULL);
    assert_true(max > 1e-3);
    assert_near(said / max, 1.0, 0.006);
    assert_near(said_rms / rms, 1.0, 0.006);
}

/* Bones of one shear in all frames: scales along other axes, which the bind pose has. */
TEST(constant_shear_is_kept_by_the_axes_of_the_bind_pose)
{
    ExportPlace place;
    double rms;
    OWNED_BY(dataset_free) Dataset *dataset = chain(0.0);
    Rig *rig = &dataset->rig;
    for (int f = 0; f < FRAMES; f++)
        for (int j = 0; j < JOINTS; j++) {
            rig->parents[j] = -1;
            rig->rest[j] = transform_identity();
            rig->transforms[f * JOINTS + j] = (Transform){1, 0.4, 0, 3.0 * f, 0, 1, 0, j, 0, 0, 2, 0};
        }
    assert_ok(exported(&place, dataset, "glb", (ExportOptions){0}));
    CLEANUP(gltf_close) Gltf gltf = gltf_open(place.output);
    assert_true(skin_distance(&gltf, dataset, &rms) < 1e-5);
    assert_null(strstr(place.notes, "shear"));
}

TEST(two_phases_become_one)
{
    ExportPlace place;
    double rms;
    OWNED_BY(dataset_free) Dataset *dataset = chain(0.0);
    Rig *rig = &dataset->rig;
    /* Roots: C_j A_j S_j inv(A_j), with A_j a translation: scaled about the joint, then moved. */
    rig->scale = memory_array(FRAMES * JOINTS, sizeof *rig->scale);
    for (int j = 0; j < JOINTS; j++) {
        rig->parents[j] = -1;
        rig->rest[j] = transform_identity();
        rig->rest[j].m03 = j;
    }
    for (int i = 0; i < FRAMES * JOINTS; i++)
        rig->scale[i] = (Mat3){2.0, 0, 0, 0, 0.5, 0, 0, 0, 1.0 + i};
    assert_ok(exported(&place, dataset, "glb", (ExportOptions){0}));
    for (int i = 0; i < FRAMES * JOINTS; i++) {
        const Transform about = {2.0, 0, 0, -(i % JOINTS), 0, 0.5, 0, 0, 0, 0, 1.0 + i, 0};
        rig->transforms[i] = transform_product(rig->transforms[i], about);
    }
    memory_free(rig->scale);
    rig->scale = NULL;
    CLEANUP(gltf_close) Gltf gltf = gltf_open(place.output);
    assert_true(skin_distance(&gltf, dataset, &rms) < 1e-4);
}

/* Three clips of different lengths, rates and starts keep names and key times through the file and back. */
TEST(clips_keep_their_names_and_times)
{
    static const char *const names[] = {"Survey", "Walk", "Run"};
    static const int32_t first[] = {0, 2, 3};
    OWNED_BY(dataset_free) Dataset *dataset = chain(0.0), *back = NULL;
    const int frames = dataset->rig.frame_count;
    assert_true(frames > 4);
    assert_ok(clips_allocate(&dataset->clips, 3, frames));
    for (int c = 0; c < 3; c++) {
        dataset->clips.first[c] = first[c];
        dataset->clips.names[c] = memory_text(names[c]);
    }
    for (int f = 0; f < frames; f++) /* binary fractions: exact as floats; Survey starts late */
        dataset->clips.times_s[f] = f < 2 ? 0.5 + f / 32.0 : f < 3 ? 0.25 : (f - 3) * (f - 2) / 64.0;
    for (int baked = 0; baked < 2; baked++) {
        ExportPlace place;
        assert_ok(exported(&place, dataset, "glb", (ExportOptions){.baked = baked}));
        Gltf gltf = gltf_open(place.output);
        assert_int_equal(json_array_size(json_object_get(gltf.root, "animations")), 3);
        gltf_close(&gltf);
        const char *const inputs[] = {place.output};
        const char *copy = path_of("back.h5");
        assert_ok(format_find("glb")->import(
            &(ImportOptions){.inputs = inputs, .input_count = 1, .scale = 1.0}, copy));
        dataset_free(back);
        assert_ok(dataset_read(copy, NULL, &back));
        assert_int_equal(back->clips.count, 3);
        assert_int_equal(back->clips.frame_count, frames);
        for (int c = 0; c < 3; c++) {
            assert_string_equal(back->clips.names[c], names[c]);
            assert_int_equal(back->clips.first[c], first[c]);
        }
        for (int f = 0; f < frames; f++)
            assert_true(back->clips.times_s[f] == dataset->clips.times_s[f]);
    }
    dataset->clips.first[1] = 0; /* a clip without a frame is refused by name */
    assert_refused(STATUS_BAD_INPUT, "clips/first_frames[1] is 0", dataset_write(dataset, path_of("in.h5")));
}

TEST(baked_frames_are_morph_targets)
{
    ExportPlace place;
    unsigned char colors[3 * VERTICES] = {255, 0, 188};
    OWNED_BY(dataset_free) Dataset *dataset = chain(0.1);
    assert_ok(exported(&place, dataset, "gltf", (ExportOptions){.baked = true, .colors = colors}));
    CLEANUP(gltf_close) Gltf gltf = gltf_open(place.output);
    const json_t *clip = item(gltf.root, "animations", 0), *sampler = item(clip, "samplers", 0);
    assert_null(json_object_get(gltf.root, "skins"));
    assert_int_equal(json_array_size(json_object_get(primitive_of(&gltf), "targets")), FRAMES);
    for (int f = 0; f < FRAMES; f++) {
        assert_near(accessor_number(&gltf, integer(sampler, "input"), f, NULL), f / 24.0, 1e-7);
        for (int i = 0; i < 3 * VERTICES; i++) {
            double value = accessor_number(&gltf, attribute(&gltf, "POSITION"), i, NULL), expected[3];
            for (int t = 0; t < FRAMES; t++)
                value += accessor_number(&gltf, integer(sampler, "output"), FRAMES * f + t, NULL) *
                         accessor_number(&gltf,
                                         integer(item(primitive_of(&gltf), "targets", (size_t)t), "POSITION"),
                                         i, NULL);
            blended(dataset, i / 3, f, expected);
            assert_near(value, expected[i % 3], 2e-6);
        }
    }
    /* sRGB 188 is half the light (IEC 61966-2-1: 0.503). */
    assert_near(accessor_number(&gltf, attribute(&gltf, "COLOR_0"), 0, NULL), 65535.0, 0.0);
    assert_near(accessor_number(&gltf, attribute(&gltf, "COLOR_0"), 1, NULL), 0.0, 0.0);
    assert_near(accessor_number(&gltf, attribute(&gltf, "COLOR_0"), 2, NULL) / 65535.0, 0.503, 0.001);
}

TEST(what_gltf_cannot_hold_is_refused_unless_baked)
{
    ExportPlace place;
    OWNED_BY(dataset_free) Dataset *dataset = chain(0.0);
    dataset->rig.weight_values[SLOTS * 8 + 2] = -0.01f;
    assert_refused(STATUS_BAD_INPUT, "a weight of vertex 8 is -0.01",
                   exported(&place, dataset, "glb", (ExportOptions){0}));
    assert_ok(exported(&place, dataset, "glb", (ExportOptions){.baked = true}));
    dataset->rig.weight_values[SLOTS * 8 + 2] = 0.01f;
    dataset->low_rank = (LowRank){1, 3 * FRAMES, memory_array(3 * FRAMES, sizeof(double)),
                                  memory_array(VERTICES, sizeof(float))};
    assert_refused(STATUS_BAD_INPUT, "corrects its rest pose",
                   exported(&place, dataset, "glb", (ExportOptions){0}));
    assert_ok(exported(&place, dataset, "glb", (ExportOptions){.baked = true}));
}

static bool frames_are_stopped(void *context, const char *what, double share)
{
    (void)context;
    (void)share;
    return !what || strcmp(what, "exporting frames") != 0;
}

/* Makes the only float of this value in a file no number. */
static void float_damage(const char *path, float value)
{
    const float damaged = NAN;
    size_t size = 0, at = 0;
    OWNED char *bytes = file_read(path, &size);
    while (at + sizeof value <= size && memcmp(bytes + at, &value, sizeof value) != 0)
        at++;
    assert_true(at + sizeof value <= size);
    memcpy(bytes + at, &damaged, sizeof damaged);
    bytes_write(path, bytes, size);
}

TEST(a_frame_that_cannot_be_read_is_named_although_the_export_is_stopped)
{
    const float marked = 1234.5678f;
    const Progress stopping = {frames_are_stopped, NULL};
    ExportPlace place;
    OWNED_BY(dataset_free) Dataset *dataset = chain(0.0);
    assert_ok(animation_allocate(&dataset->animation, FRAMES, VERTICES, false));
    dataset->animation.positions[4] = marked;
    assert_refused(STATUS_STOPPED, "stopped after 1 of",
                   exported(&place, dataset, "glb", (ExportOptions){.baked = true, .progress = &stopping}));
    float_damage(place.input, marked);
    assert_refused(STATUS_BAD_INPUT, "animation/positions[0,1,1] is nan",
                   format_find("glb")->export(&(ExportOptions){
                       .input = place.input, .output = place.output, .baked = true, .progress = &stopping}));
}
