/* glTF packed by EXT_meshopt_compression: what meshoptimizer's own encoder packs comes back as it was, and
 * damage is refused. */
#include "tests/gltf_files.h"

#if __has_include(<meshoptimizer.h>)
#include <meshoptimizer.h>

enum { SIDE = 9, VERTICES = SIDE * SIDE, TRIANGLES = 2 * (SIDE - 1) * (SIDE - 1) };

/* A sheet of SIDE x SIDE vertices. */
static void sheet_make(float points[VERTICES][3], uint16_t corners[3 * TRIANGLES])
{
    int c = 0;
    for (int v = 0; v < VERTICES; v++) {
        points[v][0] = (float)(v % SIDE);
        points[v][1] = (float)(v / SIDE) * 0.3f;
        points[v][2] = 0.1f * sinf((float)v);
    }
    for (int y = 0; y + 1 < SIDE; y++)
        for (int x = 0; x + 1 < SIDE; x++) {
            const int a = y * SIDE + x, quad[] = {a, a + 1, a + SIDE, a + 1, a + SIDE + 1, a + SIDE};
            for (int i = 0; i < 6; i++)
                corners[c++] = (uint16_t)quad[i];
        }
}

/* The sheet as a .glb whose two views are packed; `points` says how many vertices the first one is said to
 * have. */
static void sheet_write(const char *path, int points_said, const char *filter, bool damaged)
{
    static float points[VERTICES][3];
    static uint16_t corners[3 * TRIANGLES];
    static unsigned char bytes[1 << 15];
    char json[2048];
    unsigned indices[3 * TRIANGLES];
    sheet_make(points, corners);
    for (int i = 0; i < 3 * TRIANGLES; i++)
        indices[i] = corners[i];
    const size_t first = meshopt_encodeVertexBuffer(bytes, sizeof bytes, points, VERTICES, sizeof points[0]);
    const size_t from = (first + 3) / 4 * 4;
    const size_t second =
        meshopt_encodeIndexBuffer(bytes + from, sizeof bytes - from, indices, 3 * TRIANGLES);
    assert_true(first > 0 && second > 0);
    if (damaged)
        memset(bytes + from + 4, 0xff, 16);
    snprintf(
        json, sizeof json,
        "{\"asset\":{\"version\":\"2.0\"},\"extensionsRequired\":[\"EXT_meshopt_compression\"],"
        "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":"
        "1}]}"
        "],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"type\":\"VEC3\",\"count\":%d},"
        "{\"bufferView\":1,\"componentType\":5123,\"type\":\"SCALAR\",\"count\":%d}],"
        "\"buffers\":[{\"byteLength\":%zu},{\"byteLength\":4096,\"extensions\":{\"EXT_meshopt_compression\":"
        "{\"fallback\":true}}}],"
        "\"bufferViews\":[{\"buffer\":1,\"byteLength\":%zu,\"byteStride\":12,\"extensions\":{"
        "\"EXT_meshopt_compression\":{\"buffer\":0,\"byteLength\":%zu,\"byteStride\":12,\"count\":%d,"
        "\"mode\":\"ATTRIBUTES\",\"filter\":\"%s\"}}},"
        "{\"buffer\":1,\"byteOffset\":2048,\"byteLength\":%zu,\"extensions\":{\"EXT_meshopt_compression\":{"
        "\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu,\"byteStride\":2,\"count\":%d,"
        "\"mode\":\"TRIANGLES\"}}}]}",
        VERTICES, 3 * TRIANGLES, from + second, sizeof points, first, points_said, filter, sizeof corners,
        from, second, 3 * TRIANGLES);
    glb_write_text(path, json, bytes, from + second);
}

static Status sheet_import(const char *path, const char *output)
{
    const ImportOptions options = {.inputs = &path, .input_count = 1, .scale = 1.0};
    return format_find("gltf")->import(&options, output);
}

TEST(packed_views_come_back)
{
    BUILDER(builder);
    static float points[VERTICES][3];
    static uint16_t corners[3 * TRIANGLES];
    sheet_make(points, corners);
    sheet_write(builder.path, VERTICES, "NONE", false);
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    assert_ok(sheet_import(builder.path, builder.output));
    assert_ok(dataset_read(builder.output, NULL, &dataset));
    assert_int_equal(dataset->mesh.vertex_count, VERTICES);
    assert_memory_equal(dataset->mesh.rest, points, sizeof points);
    assert_int_equal(dataset->mesh.triangle_count, TRIANGLES);
    /* the encoder may turn a triangle's corners, not its sense: the sums stay */
    for (int t = 0; t < TRIANGLES; t++)
        for (int k = 0; k < 3; k++) {
            const int32_t *own = dataset->mesh.triangles + 3 * t;
            const bool turned = own[k] == corners[3 * t] && own[(k + 1) % 3] == corners[3 * t + 1] &&
                                own[(k + 2) % 3] == corners[3 * t + 2];
            if (turned)
                break;
            assert_int_not_equal(k, 2);
        }
}

TEST(damage_of_packed_views_is_named)
{
    BUILDER(builder);
    sheet_write(builder.path, VERTICES, "NONE", true);
    assert_bad_input("bufferViews[1] is damaged", sheet_import(builder.path, builder.output));
    sheet_write(builder.path, 1 << 20, "NONE", false);
    assert_bad_input("bufferViews[0] unpacks to 1048576 elements",
                     sheet_import(builder.path, builder.output));
    sheet_write(builder.path, VERTICES, "QUATERNION", false); /* of 8 bytes alone */
    assert_bad_input("bufferViews[0] is packed as ATTRIBUTES with the filter QUATERNION",
                     sheet_import(builder.path, builder.output));
}

#else

TEST(packed_views_come_back)
{
    test_skip("libmeshoptimizer-dev is not installed");
}

#endif
