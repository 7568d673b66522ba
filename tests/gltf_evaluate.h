/* Evaluates glTF files for tests. It is written from the specification and shares no code with the
 * importer. It reads numbers singly, trusts its input, and multiplies 4 x 4 matrices column by column. */
#pragma once

#include "tests/support.h"

#include <jansson.h>
#include <openssl/evp.h>

typedef struct TestGltf {
    json_t *root;
    unsigned char *bytes; /* contents of the first buffer */
    unsigned char *file;  /* text or bytes of the whole file, which must be released */
} TestGltf;

static inline void gltf_release(TestGltf *gltf)
{
    json_decref(gltf->root);
    memory_free(gltf->file);
}

static inline json_t *gltf_at(const TestGltf *gltf, const char *array, int index)
{
    return json_array_get(json_object_get(gltf->root, array), (size_t)index);
}

static inline int gltf_int(const json_t *object, const char *key, int missing)
{
    const json_t *value = json_object_get(object, key);
    return value ? (int)json_integer_value(value) : missing;
}

/* Loads a .glb, whose second chunk is the buffer, or a .gltf whose buffer is in base64. Releases the
 * previous contents of *out, which must be {0} before the first call. */
static inline void gltf_load(const char *path, TestGltf *out)
{
    size_t size = 0;
    gltf_release(out);
    out->bytes = out->file = (unsigned char *)file_read(path, &size);
    if (memcmp(out->file, "glTF", 4) == 0) {
        uint32_t whole, json_bytes;
        memcpy(&whole, out->file + 8, 4);
        memcpy(&json_bytes, out->file + 12, 4);
        assert_int_equal(whole, size);
        out->root = json_loadb((const char *)out->file + 20, json_bytes, 0, NULL);
        assert_non_null(out->root);
        out->bytes += 20 + json_bytes + 8;
        assert_true((size_t)(out->file + size - out->bytes) >=
                    (size_t)gltf_int(gltf_at(out, "buffers", 0), "byteLength", -1));
    } else {
        out->root = json_loadb((const char *)out->file, size, 0, NULL);
        assert_non_null(out->root);
        const char *uri = json_string_value(json_object_get(gltf_at(out, "buffers", 0), "uri"));
        const char *text = strchr(uri, ',') + 1;
        assert_true(EVP_DecodeBlock(out->bytes, (const unsigned char *)text, (int)strlen(text)) > 0);
    }
}

static inline int gltf_size(int type)
{
    return type <= 5121 ? 1 : type <= 5123 ? 2 : 4;
}

static inline double gltf_component(const unsigned char *from, int type, bool normalized)
{
    static const double max[] = {127.0, 255.0, 32767.0, 65535.0};
    union {
        int8_t i8;
        uint8_t u8;
        int16_t i16;
        uint16_t u16;
        uint32_t u32;
        float f32;
    } bits;
    memcpy(&bits, from, (size_t)gltf_size(type));
    if (type > 5123)
        return type == 5125 ? (double)bits.u32 : (double)bits.f32;
    const int value = type == 5120 ? bits.i8 : type == 5121 ? bits.u8 : type == 5122 ? bits.i16 : bits.u16;
    return normalized ? fmax(value / max[type & 3], -1.0) : value;
}

static inline int gltf_count(const TestGltf *gltf, int accessor)
{
    return gltf_int(gltf_at(gltf, "accessors", accessor), "count", 0);
}

/* Returns component k of element i of an accessor. */
static inline double gltf_number(const TestGltf *gltf, int accessor, int i, int k)
{
    const json_t *object = gltf_at(gltf, "accessors", accessor), *sparse = json_object_get(object, "sparse");
    const char *type = json_string_value(json_object_get(object, "type"));
    const int component = gltf_int(object, "componentType", 0), size = gltf_size(component);
    const int width = type[0] == 'S' ? 1 : type[0] == 'M' ? 16 : type[3] - '0';
    const bool normalized = json_is_true(json_object_get(object, "normalized"));
    const json_t *view = gltf_at(gltf, "bufferViews", gltf_int(object, "bufferView", -1));
    const json_t *indices = json_object_get(sparse, "indices"), *values = json_object_get(sparse, "values");
    for (int s = 0; s < gltf_int(sparse, "count", 0); s++) {
        const json_t *sparse_view = gltf_at(gltf, "bufferViews", gltf_int(indices, "bufferView", -1));
        const int kind = gltf_int(indices, "componentType", 0);
        if (i != (int)gltf_component(
                     gltf->bytes + gltf_int(sparse_view, "byteOffset", 0) + s * gltf_size(kind), kind, false))
            continue;
        sparse_view = gltf_at(gltf, "bufferViews", gltf_int(values, "bufferView", -1));
        return gltf_component(gltf->bytes + gltf_int(sparse_view, "byteOffset", 0) + (s * width + k) * size,
                              component, normalized);
    }
    if (!view)
        return 0.0;
    const int stride = gltf_int(view, "byteStride", width * size);
    return gltf_component(gltf->bytes + gltf_int(view, "byteOffset", 0) + gltf_int(object, "byteOffset", 0) +
                              i * stride + k * size,
                          component, normalized);
}

/* Computes c = a b, column by column. c must not alias a or b. */
static inline void gltf_multiply(const double *a, const double *b, double *c)
{
    for (int column = 0; column < 4; column++)
        for (int row = 0; row < 4; row++) {
            c[4 * column + row] = 0.0;
            for (int k = 0; k < 4; k++)
                c[4 * column + row] += a[4 * k + row] * b[4 * column + k];
        }
}

/* Evaluates a sampler at `time`. Rotations are interpolated spherically if `rotation` is set. */
static inline void gltf_sample(const TestGltf *gltf, const json_t *sampler, double time, int width,
                               bool rotation, double *value)
{
    const int input = gltf_int(sampler, "input", -1), output = gltf_int(sampler, "output", -1);
    const int keys = gltf_count(gltf, input);
    const char *method = json_string_value(json_object_get(sampler, "interpolation"));
    const bool cubic = method && method[0] == 'C', step = method && method[0] == 'S',
               scalar = width != 3 && !rotation;
    int key = 0;
    assert_true(width <= 64);
    while (key + 1 < keys && gltf_number(gltf, input, key + 1, 0) <= time)
        key++;
    const double here = gltf_number(gltf, input, key, 0);
    const double length = key + 1 < keys ? gltf_number(gltf, input, key + 1, 0) - here : 1.0;
    const double u = key + 1 < keys && time > here && !step ? (time - here) / length : 0.0;
    double p[3][64] = {{0.0}}, q[3][64] = {{0.0}},
           dot = 0.0; /* p and q are the in-tangent, value and out-tangent of this key and of the next one */
    for (int part = 0; part < 3; part++)
        for (int k = 0; k < width; k++) {
            const int next = key + 1 < keys ? key + 1 : key;
            const int a = cubic ? 3 * key + part : key, b = cubic ? 3 * next + part : next;
            p[part][k] =
                scalar ? gltf_number(gltf, output, a * width + k, 0) : gltf_number(gltf, output, a, k);
            q[part][k] =
                scalar ? gltf_number(gltf, output, b * width + k, 0) : gltf_number(gltf, output, b, k);
            dot += part == 1 ? p[1][k] * q[1][k] : 0.0;
        }
    const double angle = rotation && !cubic ? acos(fmin(fabs(dot), 1.0)) : 0.0;
    for (int k = 0; k < width; k++) {
        const double end = rotation && !cubic && dot < 0.0 ? -q[1][k] : q[1][k];
        value[k] = angle > 1e-4 ? (sin((1.0 - u) * angle) * p[1][k] + sin(u * angle) * end) / sin(angle)
                                : (1.0 - u) * p[1][k] + u * end;
        if (cubic && u > 0.0)
            value[k] = (2 * u * u * u - 3 * u * u + 1) * p[1][k] +
                       length * (u * u * u - 2 * u * u + u) * p[2][k] +
                       (-2 * u * u * u + 3 * u * u) * q[1][k] + length * (u * u * u - u * u) * q[0][k];
    }
}

/* Returns the sampler that animates a path ("rotation", ...) of a node, or NULL. */
static inline const json_t *gltf_sampler(const TestGltf *gltf, int animation, int node, const char *path)
{
    const json_t *clip = animation < 0 ? NULL : gltf_at(gltf, "animations", animation);
    const json_t *channels = json_object_get(clip, "channels");
    for (size_t c = 0; c < json_array_size(channels); c++) {
        const json_t *channel = json_array_get(channels, c), *target = json_object_get(channel, "target");
        if (gltf_int(target, "node", -1) == node &&
            strcmp(json_string_value(json_object_get(target, "path")), path) == 0)
            return json_array_get(json_object_get(clip, "samplers"),
                                  (size_t)gltf_int(channel, "sampler", -1));
    }
    return NULL;
}

static inline void gltf_numbers_of(const json_t *array, int count, double *out)
{
    for (int i = 0; array && i < count; i++)
        out[i] = json_number_value(json_array_get(array, (size_t)i));
}

/* Computes the global transformation of a node, a column-major matrix [16]. */
static inline void gltf_global(const TestGltf *gltf, int animation, double time, int node, double *out)
{
    const json_t *object = gltf_at(gltf, "nodes", node);
    double t[3] = {0.0}, r[4] = {0.0, 0.0, 0.0, 1.0}, s[3] = {1.0, 1.0, 1.0}, local[16] = {0.0}, above[16];
    const char *const paths[] = {"translation", "rotation", "scale"};
    double *const parts[] = {t, r, s};
    for (int i = 0; i < 3; i++) {
        const json_t *sampler = gltf_sampler(gltf, animation, node, paths[i]);
        gltf_numbers_of(json_object_get(object, paths[i]), i == 1 ? 4 : 3, parts[i]);
        if (sampler)
            gltf_sample(gltf, sampler, time, i == 1 ? 4 : 3, i == 1, parts[i]);
    }
    const double n = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
    const double x = r[0] / n, y = r[1] / n, z = r[2] / n, w = r[3] / n;
    const double turn[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                               {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                               {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++)
            local[4 * column + row] = turn[row][column] * s[column];
        local[12 + row] = t[row];
    }
    local[15] = 1.0;
    gltf_numbers_of(json_object_get(object, "matrix"), 16, local);
    memcpy(out, local, sizeof local);
    const json_t *nodes = json_object_get(gltf->root, "nodes");
    for (size_t parent = 0; parent < json_array_size(nodes); parent++) {
        const json_t *children = json_object_get(json_array_get(nodes, parent), "children");
        for (size_t c = 0; c < json_array_size(children); c++)
            if (json_integer_value(json_array_get(children, c)) == node) {
                gltf_global(gltf, animation, time, (int)parent, above);
                gltf_multiply(above, local, out);
            }
    }
}

static inline void gltf_apply(const double *m, const double *v, double *out)
{
    for (int row = 0; row < 3; row++)
        out[row] = m[row] * v[0] + m[4 + row] * v[1] + m[8 + row] * v[2] + m[12 + row];
}

/* Writes the vertices of the meshes of all nodes, primitive by primitive, to out [count][3]; only counts
 * them if `out` is NULL. Returns the number of vertices. */
static inline int gltf_vertices(const TestGltf *gltf, int animation, double time, double *out)
{
    int count = 0;
    for (int node = 0; gltf_at(gltf, "nodes", node); node++) {
        const json_t *object = gltf_at(gltf, "nodes", node);
        const json_t *mesh = gltf_at(gltf, "meshes", gltf_int(object, "mesh", -1));
        const json_t *skin = gltf_at(gltf, "skins", gltf_int(object, "skin", -1)),
                     *joints = json_object_get(skin, "joints");
        const int binds = gltf_int(skin, "inverseBindMatrices", -1);
        const size_t joint_count = out && skin ? json_array_size(joints) : 0;
        double(*palette)[16] = calloc(joint_count + 1, sizeof *palette);
        gltf_global(gltf, animation, time, node, palette[joint_count]);
        for (size_t j = 0; j < joint_count; j++) {
            double posed[16], bind[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
            gltf_global(gltf, animation, time, (int)json_integer_value(json_array_get(joints, j)), posed);
            for (int i = 0; binds >= 0 && i < 16; i++)
                bind[i] = gltf_number(gltf, binds, (int)j, i);
            gltf_multiply(posed, bind, palette[j]);
        }
        double weights[64] = {0.0};
        const json_t *list = json_object_get(mesh, "primitives");
        const int targets = (int)json_array_size(json_object_get(json_array_get(list, 0), "targets"));
        gltf_numbers_of(json_object_get(mesh, "weights"), targets, weights);
        gltf_numbers_of(json_object_get(object, "weights"), targets, weights);
        const json_t *sampler = gltf_sampler(gltf, animation, node, "weights");
        if (sampler)
            gltf_sample(gltf, sampler, time, targets, false, weights);
        for (size_t p = 0; p < json_array_size(list); p++) {
            const json_t *primitive = json_array_get(list, p),
                         *attributes = json_object_get(primitive, "attributes");
            const int position = gltf_int(attributes, "POSITION", -1);
            for (int v = 0; v < gltf_count(gltf, position); v++, count++) {
                double rest[3], sum[3] = {0.0}, moved[3];
                for (int k = 0; out && k < 3; k++) {
                    rest[k] = gltf_number(gltf, position, v, k);
                    for (int t = 0; t < targets; t++)
                        rest[k] += weights[t] *
                                   gltf_number(gltf,
                                               gltf_int(json_array_get(json_object_get(primitive, "targets"),
                                                                       (size_t)t),
                                                        "POSITION", -1),
                                               v, k);
                }
                if (out && !skin)
                    gltf_apply(palette[0], rest, sum);
                for (int set = 0; out && skin && set < 4; set++) {
                    char names[2][16];
                    snprintf(names[0], sizeof names[0], "JOINTS_%d", set);
                    snprintf(names[1], sizeof names[1], "WEIGHTS_%d", set);
                    const int joint = gltf_int(attributes, names[0], -1),
                              weight = gltf_int(attributes, names[1], -1);
                    for (int k = 0; joint >= 0 && k < 4; k++) {
                        const double share = gltf_number(gltf, weight, v, k);
                        gltf_apply(palette[(int)gltf_number(gltf, joint, v, k)], rest, moved);
                        for (int i = 0; i < 3; i++)
                            sum[i] += share * moved[i];
                    }
                }
                if (out)
                    memcpy(out + 3 * (ptrdiff_t)count, sum, sizeof sum);
            }
        }
        free(palette);
    }
    return count;
}
