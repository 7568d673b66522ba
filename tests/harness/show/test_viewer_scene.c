/* Tests scenes of the 3D viewer: errors of a known displacement, the common colour scale, and the written
 * file. The script end_to_end/scenes.sh tests that the data can be unpacked. */
#include "tests/support.h"

#include "datasets/base/base64.h"
#include "harness/show/scenes/viewer_scene.h"

enum { VERTICES = 4, FRAMES = 3, VALUES = 3 * VERTICES * FRAMES };

static float rest[3 * VERTICES] = {0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 0};
static int32_t triangles[] = {0, 1, 2, 0, 2, 3};
static const Mesh mesh = {
    .vertex_count = VERTICES, .triangle_count = 2, .rest = rest, .triangles = triangles};

/* Makes a scene with two shapes: a triangle that does not move, and a triangle whose vertex 2 moves farther
 * away in each frame. */
static void scene_make(ViewerScene *scene)
{
    *scene = (ViewerScene){.name = "a-scene",
                           .title = "</script> \"quoted\"",
                           .kind = "skinning",
                           .mesh = &mesh,
                           .frame_count = FRAMES,
                           .frame_step = 2,
                           .fps = 15.0,
                           .error_title = "distance from the first",
                           .shapes = {{.name = "one", .label = "one"}, {.name = "two", .label = "two"}},
                           .shape_count = 2};
    for (int i = 0; i < 2; i++) {
        scene->shapes[i].positions = memory_array(VALUES, sizeof(float));
        assert_non_null(scene->shapes[i].positions);
        for (int f = 0; f < FRAMES; f++)
            for (int k = 0; k < 3 * VERTICES; k++)
                scene->shapes[i].positions[3 * VERTICES * f + k] =
                    rest[k] + (i == 1 && k == 8 ? (float)f : 0.0f);
    }
    assert_ok(viewer_shape_measure(scene, &scene->shapes[1], scene->shapes[0].positions, 5.0));
}

TEST(errors_are_distances_in_per_cent)
{
    CLEANUP(viewer_scene_clear) ViewerScene scene = {0};
    scene_make(&scene);
    for (int f = 0; f < FRAMES; f++)
        for (int v = 0; v < VERTICES; v++)
            assert_float_equal(scene.shapes[1].errors[VERTICES * f + v], v == 2 ? 20.0f * (float)f : 0.0f,
                               1e-5f);
    viewer_scene_survey(&scene);
    assert_int_equal(scene.worst_frame, 2);
    assert_float_equal((float)scene.error_maximum, 40.0f, 1e-5f);
    const ViewerWorst worst = viewer_shape_worst(&scene, &scene.shapes[1]);
    assert_int_equal(worst.frame, 2);
    assert_int_equal(worst.vertex, 2);
    assert_float_equal((float)worst.value, 40.0f, 1e-5f);
}

/* Checks the gzip header in the base64 text that follows "name": ". Returns the unpacked length, which is
 * stored in the last four bytes of the gzip data. */
static unsigned packed_length(const char *script, const char *name)
{
    const char *text = strstr(script, name);
    unsigned char bytes[4096] = {0};
    size_t count = 0;
    uint32_t bits = 0;
    assert_non_null(text);
    text += strlen(name);
    for (size_t i = 0; text[i] != '"' && text[i] != '='; i++) {
        assert_true(base64_value(text[i]) >= 0);
        bits = bits << 6 | (uint32_t)base64_value(text[i]);
        if (i % 4 != 0)
            bytes[count++] = (unsigned char)(bits >> (6 - 2 * (i % 4)));
    }
    assert_true(count >= 18); /* the header and trailer of gzip take 18 bytes */
    assert_int_equal(bytes[0], 0x1f);
    assert_int_equal(bytes[1], 0x8b);
    return count < 4 ? 0 : bytes[count - 4] | (unsigned)bytes[count - 3] << 8;
}

TEST(what_is_written_has_its_lengths)
{
    const char *path = path_of("a-scene.js");
    CLEANUP(viewer_scene_clear) ViewerScene scene = {0};
    size_t size = 0, written = 0;
    scene_make(&scene);
    viewer_scene_survey(&scene);
    assert_ok(viewer_scene_write(&scene, path, NULL, &size));
    OWNED char *script = file_read(path, &written);
    assert_int_equal(written, size);
    assert_int_equal(strncmp(script, "skinbenchScene({", 16), 0);
    assert_string_equal(script + size - 4, "});\n");
    assert_int_equal(packed_length(script, "\"faces\": \""), sizeof triangles);
    assert_int_equal(packed_length(script, "\"positions\": \""), 2 * VALUES);
    assert_int_equal(packed_length(script, "\"errors\": \""), VERTICES * FRAMES);
    assert_holds(script, "\\\"quoted\\\"");
    assert_refused(STATUS_SYSTEM, "a-scene.js", viewer_scene_write(&scene, path, NULL, &size));
    for (long k = 0; k < 8; k++) { /* a failing allocation is reported, wherever it occurs */
        unlink(path);
        memory_fail_after(k);
        const Status status = viewer_scene_write(&scene, path, NULL, &size);
        memory_fail_after(-1);
        assert_true(status.code == STATUS_SYSTEM || status.code == STATUS_OK);
    }
}

/* Uses the test vectors of RFC 4648, section 10. */
TEST(base64_of_known_texts)
{
    static const char *const pairs[][2] = {{"", ""},
                                           {"f", "Zg=="},
                                           {"fo", "Zm8="},
                                           {"foo", "Zm9v"},
                                           {"foob", "Zm9vYg=="},
                                           {"fooba", "Zm9vYmE="},
                                           {"foobar", "Zm9vYmFy"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char text[32] = "";
        FILE *file = fmemopen(text, sizeof text, "w");
        assert_non_null(file);
        base64_write(file, (const unsigned char *)pairs[i][0], strlen(pairs[i][0]));
        fclose(file);
        assert_string_equal(text, pairs[i][1]);
    }
    assert_int_equal(base64_value('/'), 63);
    assert_int_equal(base64_value('='), -1);
    assert_int_equal(base64_value('\0'), -1);
}
