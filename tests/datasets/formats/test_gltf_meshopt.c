/* Tests glTF files compressed by EXT_meshopt_compression. Data compressed by meshoptimizer's own encoder is
 * read back unchanged, and damage is refused. */
#include "tests/gltf_files.h"
#include "tests/sequences.h"

#if __has_include(<meshoptimizer.h>)
#include <meshoptimizer.h>

enum { SIDE = 9, VERTICES = SIDE * SIDE, TRIANGLES = 2 * (SIDE - 1) * (SIDE - 1) };

/* Writes a sheet of SIDE x SIDE vertices as a .glb with two compressed buffer views. Returns the sheet.
 * points_said is the number of vertices that the first view declares. */
static Sequence sheet_write(const char *path, int points_said, const char *filter, bool damaged)
{
    static unsigned char bytes[1 << 15];
    const Sequence sheet = sequence_sheet(SIDE, SIDE, 1, false);
    const size_t points_bytes = 12 * VERTICES, corners_bytes = 6 * TRIANGLES;
    const size_t first = meshopt_encodeVertexBuffer(bytes, sizeof bytes, sheet.mesh.rest, VERTICES, 12);
    const size_t from = (first + 3) / 4 * 4;
    const size_t second = meshopt_encodeIndexBuffer(bytes + from, sizeof bytes - from,
                                                    (const unsigned *)sheet.mesh.triangles, 3 * TRIANGLES);
    assert_true(first > 0 && second > 0);
    if (damaged)
        memset(bytes + from + 4, 0xff, 16);
    const char *json = text_of(
        "{'asset':{'version':'2.0'},'extensionsRequired':['EXT_meshopt_compression'],"
        "'nodes':[{'mesh':0}],'meshes':[{'primitives':[{'attributes':{'POSITION':0},'indices':1}]}],"
        "'accessors':[{'bufferView':0,'componentType':5126,'type':'VEC3','count':%d},"
        "{'bufferView':1,'componentType':5123,'type':'SCALAR','count':%d}],"
        "'buffers':[{'byteLength':%zu},"
        "{'byteLength':4096,'extensions':{'EXT_meshopt_compression':{'fallback':true}}}],"
        "'bufferViews':[{'buffer':1,'byteLength':%zu,'byteStride':12,'extensions':{"
        "'EXT_meshopt_compression':{'buffer':0,'byteLength':%zu,'byteStride':12,'count':%d,"
        "'mode':'ATTRIBUTES','filter':'%s'}}},"
        "{'buffer':1,'byteOffset':2048,'byteLength':%zu,'extensions':{'EXT_meshopt_compression':{"
        "'buffer':0,'byteOffset':%zu,'byteLength':%zu,'byteStride':2,'count':%d,'mode':'TRIANGLES'}}}]}",
        VERTICES, 3 * TRIANGLES, from + second, points_bytes, first, points_said, filter, corners_bytes, from,
        second, 3 * TRIANGLES);
    glb_write_text(path, quoted(json), bytes, from + second);
    return sheet;
}

static Status sheet_import(const char *path, const char *output)
{
    const ImportOptions options = {.inputs = &path, .input_count = 1, .scale = 1.0};
    return format_find("gltf")->import(&options, output);
}

TEST(packed_views_come_back)
{
    BUILDER(builder);
    CLEANUP(sequence_clear) Sequence sheet = sheet_write(builder.path, VERTICES, "NONE", false);
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    assert_ok(sheet_import(builder.path, builder.output));
    assert_ok(dataset_read(builder.output, NULL, &dataset));
    assert_int_equal(dataset->mesh.vertex_count, VERTICES);
    assert_memory_equal(dataset->mesh.rest, sheet.mesh.rest, 12 * VERTICES);
    assert_int_equal(dataset->mesh.triangle_count, TRIANGLES);
    /* the encoder may rotate the corners of a triangle but keeps their orientation, so sums over the
     * corners are unchanged */
    for (int t = 0; t < TRIANGLES; t++)
        for (int k = 0; k < 3; k++) {
            const int32_t *own = dataset->mesh.triangles + 3 * t, *packed = sheet.mesh.triangles + 3 * t;
            if (own[k] == packed[0] && own[(k + 1) % 3] == packed[1] && own[(k + 2) % 3] == packed[2])
                break;
            assert_int_not_equal(k, 2);
        }
}

TEST(damage_of_packed_views_is_named)
{
    BUILDER(builder);
    CLEANUP(sequence_clear) Sequence damaged = sheet_write(builder.path, VERTICES, "NONE", true);
    assert_bad_input("bufferViews[1] is damaged", sheet_import(builder.path, builder.output));
    CLEANUP(sequence_clear) Sequence large = sheet_write(builder.path, 1 << 20, "NONE", false);
    assert_bad_input("bufferViews[0] unpacks to 1048576 elements",
                     sheet_import(builder.path, builder.output));
    CLEANUP(sequence_clear) Sequence odd = sheet_write(builder.path, VERTICES, "QUATERNION", false);
    /* this filter requires elements of 8 bytes */
    assert_bad_input("bufferViews[0] is packed as ATTRIBUTES with the filter QUATERNION",
                     sheet_import(builder.path, builder.output));
}

#else

TEST(packed_views_come_back)
{
    test_skip("libmeshoptimizer-dev is not installed");
}

#endif
