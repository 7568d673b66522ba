/* Tests glTF files compressed by KHR_draco_mesh_compression. Meshes compressed by Draco's own encoder are
 * read back, damage is refused, and a message names the decoder if it is missing. */
#include "tests/gltf_files.h"

#include "datasets/base/random.h"
#include "datasets/formats/gltf_draco.h"

#ifdef SKINBENCH_DRACO
#include "tests/datasets/formats/draco_encode.h"

enum { PACKED_BYTES = 1 << 14 };

/* Values that a file declares, which may differ from its contents. */
typedef struct Saying {
    int vertices, corners; /* how many more vertices and corners the file declares than it contains */
    int id, mode, bytes;   /* id of WEIGHTS_0, mode of the primitive, and number of bytes cut from the end of
                              the compressed data */
    const char *type;      /* declared type of the positions */
    bool fallback, sequential;
} Saying;

/* Writes the beam with a chain of three joints and a compressed mesh. Inverts the compressed byte at
 * `flip`, unless that is -1. */
static void packed_write(Builder *builder, Saying saying, int flip)
{
    static unsigned char packed[PACKED_BYTES];
    TestGltf plain = {0};
    float positions[BEAM_VERTICES][3], weights[BEAM_VERTICES][4];
    uint16_t joints[BEAM_VERTICES][4];
    int32_t corners[6 * (RINGS - 1) * AROUND];
    enum { CORNERS = sizeof corners / sizeof *corners };
    chain_add(builder, 3, true);
    (void)clip_add(builder, "rotation", turns_add(builder, 0.5), NODES(2));
    glb_write(builder);
    gltf_load(builder->path, &plain);
    const json_t *primitive = json_array_get(json_object_get(gltf_at(&plain, "meshes", 0), "primitives"), 0);
    const json_t *attributes = json_object_get(primitive, "attributes");
    for (int v = 0; v < BEAM_VERTICES; v++)
        for (int k = 0; k < 4; k++) {
            if (k < 3)
                positions[v][k] = (float)gltf_number(&plain, gltf_int(attributes, "POSITION", -1), v, k);
            joints[v][k] = (uint16_t)gltf_number(&plain, gltf_int(attributes, "JOINTS_0", -1), v, k);
            weights[v][k] = (float)gltf_number(&plain, gltf_int(attributes, "WEIGHTS_0", -1), v, k);
        }
    for (int i = 0; i < CORNERS; i++)
        corners[i] = (int32_t)gltf_number(&plain, gltf_int(primitive, "indices", -1), i, 0);
    const size_t size = draco_encode(BEAM_VERTICES, positions[0], joints[0], weights[0], CORNERS / 3, corners,
                                     saying.sequential, packed, sizeof packed);
    assert_true(size > 0);
    if (flip >= 0)
        packed[(size_t)flip % size] ^= (unsigned char)(1 + flip % 251);
    const int view = view_add(builder, packed, size - (size_t)saying.bytes, 0);
    static const char *const names[] = {"POSITION", "JOINTS_0", "WEIGHTS_0", "indices"};
    for (int i = 0; i < 4; i++) {
        json_t *accessor = json_array_get(builder->accessors,
                                          (size_t)gltf_int(i < 3 ? attributes : primitive, names[i], -1));
        if (!saying.fallback)
            json_object_del(accessor, "bufferView");
        json_object_set_new(accessor, "count",
                            json_integer(i < 3 ? BEAM_VERTICES + saying.vertices : CORNERS + saying.corners));
        if (i == 0 && saying.type)
            json_object_set_new(accessor, "type", json_string(saying.type));
    }
    char *start = strstr(builder->rest, "\"primitives\":[{");
    OWNED_BY(free) char *tail = strdup(start + strlen("\"primitives\":[{"));
    *start = '\0';
    rest_add(
        builder,
        "'primitives':[{'mode':%d,'extensions':{'KHR_draco_mesh_compression':{'bufferView':%d,'attributes':{"
        "'POSITION':7,'JOINTS_0':3,'WEIGHTS_0':%d}}},",
        saying.mode ? saying.mode : 4, view, saying.id ? saying.id : 5);
    strcat(builder->rest, tail);
    if (!saying.fallback)
        rest_add(builder, "'extensionsUsed':['KHR_draco_mesh_compression'],"
                          "'extensionsRequired':['KHR_draco_mesh_compression'],");
    glb_write(builder);
    gltf_release(&plain);
}

/* In each frame, every vertex of the compressed beam is at the place of a vertex of the uncompressed beam.
 * Draco may reorder the vertices, but does not quantise here. */
TEST(packed_meshes_come_back)
{
    char decoder[PATH_MAX];
    assert_true(gltf_draco_find(decoder));
    for (int kind = 0; kind < 3; kind++) {
        double wanted[KEYS][3 * BEAM_VERTICES], got[3 * BEAM_VERTICES];
        BUILDER(plain);
        BUILDER(builder);
        CLEANUP(gltf_release) TestGltf gltf = {0};
        chain_add(&plain, 3, true);
        (void)clip_add(&plain, "rotation", turns_add(&plain, 0.5), NODES(2));
        glb_write(&plain);
        gltf_load(plain.path, &gltf);
        for (int f = 0; f < KEYS; f++)
            gltf_vertices(&gltf, 0, 0.5 * f, wanted[f]);
        packed_write(&builder, (Saying){.sequential = kind == 1, .fallback = kind == 2}, -1);
        OWNED_BY(dataset_free) Dataset *dataset = import_read(builder.path, builder.output, NULL, 0.0, NULL);
        assert_int_equal(dataset->mesh.vertex_count, BEAM_VERTICES);
        assert_int_equal(dataset->mesh.triangle_count, 2 * (RINGS - 1) * AROUND);
        for (int again = 0; again < 2; again++) {
            OWNED_BY(dataset_free) Dataset *into = NULL;
            if (again) { /* after the export into its own file, the mesh is uncompressed */
                CLEANUP(gltf_release) TestGltf after = {0};
                assert_ok(into_file(builder.output, builder.path, NULL));
                gltf_load(path_of("into.glb"), &after);
                assert_null(json_object_get(after.root, "extensionsRequired"));
                into = import_read(path_of("into.glb"), builder.output, NULL, 0.0, NULL);
            }
            int twin[BEAM_VERTICES];
            for (int f = 0; f < KEYS; f++) {
                frame_evaluate(into ? into : dataset, f, got);
                for (int v = 0; v < BEAM_VERTICES; v++) {
                    double nearest = INFINITY;
                    for (int w = 0; w < BEAM_VERTICES; w++) {
                        double off = 0.0;
                        for (int k = 0; k < 3; k++)
                            off = fmax(off, fabs(got[3 * v + k] - wanted[f][3 * w + k]));
                        if (f == 0 ? off < nearest : w == twin[v]) {
                            nearest = off;
                            twin[v] = w;
                        }
                    }
                    assert_true(nearest < 1e-5);
                    assert_true(kind == 0 || twin[v] == v);
                }
            }
        }
    }
}

TEST(damage_of_packed_meshes_is_named)
{
    static const struct {
        Saying saying;
        const char *message;
    } rows[] = {{{.vertices = 1}, "unpacks to 36 vertices and 64 triangles, its accessors have 37 and 64"},
                {{.corners = 3}, "unpacks to 36 vertices and 64 triangles, its accessors have 36 and 65"},
                {{.corners = 1}, "has 193 corners in mode 4, expected triangles"},
                {{.mode = 5}, "has 192 corners in mode 5, expected triangles (KHR_draco_mesh_compression)"},
                {{.id = 9}, "has no attribute with the unique id 9, 4 numbers a vertex"},
                {{.id = 7}, "has no attribute with the unique id 7, 4 numbers a vertex"},
                {{.type = "MAT4"}, "has a packed POSITION of type MAT4 and componentType 5126"},
                {{.bytes = 200}, "meshes[0].primitives[0] is damaged"},
                {{.vertices = 400000000}, "1 packed meshes take"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        BUILDER(builder);
        packed_write(&builder, rows[i].saying, -1);
        assert_bad_input(rows[i].message, import_file(builder.path, builder.output, NULL, 0.0, NULL));
    }
    /* Change one byte of the compressed data, at 100 places. The file is read, or refused with a message
     * that names it. */
    int refused = 0;
    for (int flip = 0; flip < 100; flip++) {
        BUILDER(builder);
        packed_write(&builder, (Saying){.sequential = flip % 2}, flip * 21 + flip % 2);
        const Status status = import_file(builder.path, builder.output, NULL, 0.0, NULL);
        assert_true(status.code == STATUS_OK || status.code == STATUS_BAD_INPUT);
        refused += status.code != STATUS_OK;
        assert_true(status.code == STATUS_OK || strstr(status.text, "in.glb: "));
        unlink(builder.output);
    }
    assert_true(refused > 6);
}

#else

TEST(packed_meshes_say_what_lacks)
{
    char decoder[PATH_MAX];
    if (gltf_draco_find(decoder))
        skip();
    BUILDER(builder);
    chain_add(&builder, 3, true);
    json_object_del(json_array_get(builder.accessors, 1), "bufferView");
    char *at = strstr(builder.rest, "\"primitives\":[{");
    OWNED_BY(free) char *tail = strdup(at + strlen("\"primitives\":[{"));
    *at = '\0';
    rest_add(&builder, "'primitives':[{'extensions':{'KHR_draco_mesh_compression':{'bufferView':0}},");
    strcat(builder.rest, tail);
    glb_write(&builder);
    const Status status = import_file(builder.path, builder.output, NULL, 0.0, NULL);
    assert_int_equal(status.code, STATUS_UNAVAILABLE);
    assert_non_null(strstr(status.text, "libdraco-dev"));
}

#endif
