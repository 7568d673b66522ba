/* Tests the import of FBX and Collada through assimp. The test files contain a beam with known frames.
 * Every vertex has weights of six joints in a chain, and the fourth joint rotates by 0, 45 and 90 degrees
 * about x. Also tests the welding of vertices, which both formats need. */
#define _GNU_SOURCE /* memmem */
#include "tests/imports.h"

#include "datasets/formats/collada_text.h"
#include "datasets/formats/scene.h"
#include "datasets/model/evaluate.h"

#include <assert.h>

enum { VERTICES = 12, JOINTS = 6, FRAMES = 3 };

static const double RIGHT_ANGLE = 1.57079632679489662;

static const char *corpus_path(const char *name)
{
    return text_of("%s/%s", CORPUS, name);
}

/* Returns the format of a file in the corpus, or skips the test if the format cannot be imported. */
static const Format *format_ready(const char *name)
{
    const Format *format = NULL;
    assert_ok(format_detect(corpus_path(name), &format));
    if (!format->import) {
        assert_string_equal(format->package, "libassimp-dev");
        assert_holds(format->lacking, format->package);
        test_skip("skinbench was built without assimp (libassimp-dev)");
    }
    return format;
}

/* Returns the rest position of vertex v. Rings of four vertices are at heights 0, 100 and 200, with z
 * up. */
static Vec3 beam_vertex(int v)
{
    const int ring = v / 4;
    return vec3_make(v % 4 == 0 || v % 4 == 3 ? -20.0 : 20.0, v % 4 < 2 ? -15.0 : 15.0, 100.0 * ring);
}

/* Returns the position of a vertex in a frame. Joints 3 to 5 rotate about (0, 0, 120), so the rotation
 * moves a vertex in proportion to the sum of its weights for these joints. In the file, joint j has the
 * weight 1 + (7j + 3v) mod 5, divided by the sum of these numbers over all joints. */
static Vec3 beam_posed(int v, int frame)
{
    double sum = 0.0, moved = 0.0;
    for (int j = 0; j < JOINTS; j++) {
        const double weight = 1.0 + (7 * j + 3 * v) % 5;
        sum += weight;
        moved += j >= 3 ? weight : 0.0;
    }
    const double angle = 0.5 * RIGHT_ANGLE * frame, share = moved / sum;
    const Vec3 rest = beam_vertex(v);
    const double z = rest.z - 120.0;
    const Vec3 turned = {rest.x, cos(angle) * rest.y - sin(angle) * z,
                         sin(angle) * rest.y + cos(angle) * z + 120.0};
    return vec3_add(vec3_scale(rest, 1.0 - share), vec3_scale(turned, share));
}

/* Checks the beam imported from a file. If `turned` is set, the file is Collada, for which assimp converts
 * the beam to y up and to metres. */
static void beam_expect(const char *name, bool turned)
{
    const double scale = turned ? 0.01 : 1.0,
                 tolerance = 2e-4 * scale; /* one millionth of the diagonal, whose length is 206 */
    const Format *format = format_ready(name);
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    bool seen[VERTICES] = {false};
    assert_ok(imported(format->name, corpus_path(name), (ImportOptions){0}, &dataset));
    const Rig *rig = &dataset->rig;
    assert_int_equal(dataset->mesh.vertex_count, VERTICES); /* welded from 40 corners */
    assert_int_equal(dataset->mesh.triangle_count, 20);
    assert_int_equal(rig->joint_count, JOINTS);
    assert_int_equal(rig->influence_count, JOINTS); /* no influence is dropped */
    assert_int_equal(rig->frame_count, FRAMES);
    assert_null(rig->scale);
    assert_true(dataset->fps == 2.0);
    for (int j = 0; j < JOINTS; j++) {
        assert_string_equal(rig->joint_names[j], text_of("joint%d", j));
        assert_int_equal(rig->parents[j], j - 1);
    }
    for (int i = 0; i < VERTICES; i++) {
        const Vec3 rest = point_at(dataset->mesh.rest, i);
        int v = 0;
        while (v < VERTICES && vec3_length(vec3_sub(vec3_scale(beam_vertex(v), scale), rest)) > tolerance)
            v++;
        assert_true(v < VERTICES && !seen[v]);
        seen[v] = true;
        for (int f = 0; f < FRAMES; f++) {
            const Vec3 posed = vec3_scale(beam_posed(v, f), scale);
            const Vec3 wanted = turned ? vec3_make(posed.x, posed.z, -posed.y) : posed;
            const Vec3 got = rig_skin_point(rig, f, i, rest, vec3_make(0.0, 0.0, 0.0));
            assert_true(vec3_length(vec3_sub(wanted, got)) < tolerance);
        }
    }
}

TEST(test_collada)
{
    beam_expect("beam.dae", true);
}

TEST(test_fbx)
{
    beam_expect("beam.fbx", false);
}

/* Imports a corpus file with one text replaced by another of the same length. The caller frees the data
 * set. */
static Status changed_import(const char *name, const char *from, const char *replacement, Dataset **out)
{
    size_t size = 0;
    const Format *format = format_ready(name);
    OWNED char *text = file_read(corpus_path(name), &size);
    char *match = memmem(text, size, from, strlen(from));
    assert_non_null(match);
    for (const char *letter = replacement; *letter; letter++)
        *match++ = *letter;
    bytes_write(name, text, size);
    return imported(format->name, path_of(name), (ImportOptions){0}, out);
}

/* Two armatures may have bones of the same name. In FBX such bones are distinct, and move as if their names
 * were unique. In Collada, where skins refer to joints by name, such a file is refused. */
TEST(test_shared_names)
{
    OWNED_BY(dataset_free) Dataset *apart = NULL, *shared = NULL;
    assert_ok(changed_import("beam.fbx", "Model::joint4", "Model::joint4", &apart));
    assert_ok(changed_import("beam.fbx", "Model::joint4", "Model::joint0", &shared));
    assert(apart && shared);
    assert_int_equal(shared->rig.joint_count, JOINTS);
    assert_string_equal(shared->rig.joint_names[0], "joint0");
    assert_holds(shared->rig.joint_names[4], "joint0 (");
    assert_memory_equal(shared->rig.weight_joints, apart->rig.weight_joints,
                        sizeof(int32_t) * VERTICES * JOINTS);
    assert_memory_equal(shared->rig.transforms, apart->rig.transforms, sizeof(Transform) * JOINTS * FRAMES);
}

TEST(test_joints_of_several_nodes)
{
    static const char two[] = "<Name_array count=\"2\">hip knee</Name_array>"
                              "<node id=\"a_hip\" sid=\"hip\"><node id=\"a_knee\" sid=\"knee\"/></node>"
                              "<node id=\"b_hip\" sid='%s'/><node id=\"%s\" sid=\"foot\"/>";
    const char *rows[][2] = {{"hop", "c"}, {"hip", "c"}, {"foot", "c"}, {"hip", "hip"}}; /* ids are unique */
    for (int i = 0; i < 4; i++) {
        const char *text = text_of(two, rows[i][0], rows[i][1]);
        if (i == 1)
            assert_bad_input("several nodes have the sid 'hip'", collada_joints_check(text, strlen(text)));
        else
            assert_ok(collada_joints_check(text, strlen(text)));
    }
}

/* Imports a tube in Collada. Vertex 0 belongs to joint A, vertex 1 half to A and half to B, and vertex 3 to
 * B; B moves up by 1. Vertex 2 has no weights. `shape` and `other` are the bind_shape_matrix of the two
 * skins, or empty. `weights` and `indices` replace those of the file. */
static Status tube_import(const char *shape, const char *other, const char *weights, const char *indices,
                          Dataset **out)
{
    static const char skin[] =
        "<controller id='c%d'><skin source='#g'>%s<source id='j%d'><Name_array id='ja%d' count='2'>A "
        "B</Name_array><technique_common><accessor source='#ja%d' count='2' stride='1'><param name='JOINT' "
        "type='name'/></accessor></technique_common></source><source id='b%d'><float_array id='ba%d' "
        "count='32'>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 1 0 0 0 0 1 0 -1 0 0 1 0 0 0 0 1</float_array>"
        "<technique_common><accessor source='#ba%d' count='2' stride='16'><param name='TRANSFORM' "
        "type='float4x4'/></accessor></technique_common></source><source id='w%d'><float_array id='wa%d' "
        "count='2'>1 0.5</float_array><technique_common><accessor source='#wa%d' count='2' stride='1'><param "
        "name='WEIGHT' type='float'/></accessor></technique_common></source><joints><input semantic='JOINT' "
        "source='#j%d'/><input semantic='INV_BIND_MATRIX' source='#b%d'/></joints><vertex_weights "
        "count='4'><input semantic='JOINT' source='#j%d' offset='0'/><input semantic='WEIGHT' source='#w%d' "
        "offset='1'/><vcount>1 2 0 1</vcount><v>%s</v></vertex_weights></skin></controller>";
    char *first = text_of(skin, 0, shape, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, weights),
         *second = text_of(skin, 1, other, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, "0 0 0 1 1 1 1 0");
    text_write(
        path_of("tube.dae"),
        text_of(
            "<?xml version='1.0'?><COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' "
            "version='1.4.1'><asset><unit "
            "meter='1'/><up_axis>Y_UP</up_axis></asset><library_geometries><geometry "
            "id='g'><mesh><source id='p'><float_array id='pa' count='12'>0 0 0 1 0 0 0 1 0 1 1 "
            "1</float_array><technique_common><accessor source='#pa' count='4' stride='3'><param name='X' "
            "type='float'/><param name='Y' type='float'/><param name='Z' type='float'/></accessor>"
            "</technique_common></source><vertices id='v'><input semantic='POSITION' source='#p'/></vertices>"
            "<triangles count='2'><input semantic='VERTEX' source='#v' "
            "offset='0'/><p>%s</p></triangles></mesh>"
            "</geometry></library_geometries><library_controllers>%s%s</library_controllers>"
            "<library_visual_scenes><visual_scene id='s'><node id='A' sid='A' name='A' type='JOINT'><node "
            "id='B' "
            "sid='B' name='B' type='JOINT'><translate>0 2 0</translate></node></node><node "
            "id='m0'><instance_controller "
            "url='#c0'><skeleton>#A</skeleton></instance_controller></node><node "
            "id='m1'><instance_controller "
            "url='#c1'><skeleton>#A</skeleton></instance_controller></node></visual_scene></"
            "library_visual_scenes>"
            "<scene><instance_visual_scene url='#s'/></scene></COLLADA>",
            indices, first, second));
    return imported("collada", path_of("tube.dae"), (ImportOptions){0}, out);
}

/* A skin without bind_shape_matrix uses the identity, whether or not the other skin has one. Line breaks
 * between the numbers of a matrix are allowed. Vertices without weights stay with their mesh. */
TEST(test_bind_shapes)
{
    static const char *const shapes[] = {
        "", "<bind_shape_matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</bind_shape_matrix>",
        "<bind_shape_matrix>\n1 0 0 5\n0 1 0 0\r\n0 0 1 0\n0 0 0 1\n</bind_shape_matrix>"};
    (void)format_ready("beam.dae");
    for (int i = 0; i < 9; i++) {
        OWNED_BY(dataset_free) Dataset *dataset = NULL;
        assert_ok(tube_import(shapes[i % 3], shapes[i / 3], "0 0 0 1 1 1 1 0", "0 1 2 1 3 2", &dataset));
        assert_int_equal(dataset->mesh.vertex_count, 8);
        for (int k = 0; k < 2; k++) { /* both skins */
            const double moved = (k == 0 ? i % 3 : i / 3) == 2 ? 5.0 : 0.0;
            const Vec3 wanted[4] = {{moved, 0, 0}, {1 + moved, 0.5, 0}, {0, 1, 0}, {1 + moved, 2, 1}};
            for (int v = 0; v < 4; v++)
                assert_vec3(rig_skin_point(&dataset->rig, 0, 4 * k + v,
                                           point_at(dataset->mesh.rest, 4 * k + v), vec3_make(0.0, 0.0, 0.0)),
                            wanted[v], 1e-6);
        }
    }
}

TEST(test_indices)
{
    Dataset *none = NULL;
    (void)format_ready("beam.dae");
    static const char good[] = "0 0 0 1 1 1 1 0";
    assert_bad_input("<p> has the index 4, expected 0 to 3", tube_import("", "", good, "0 1 2 1 4 2", &none));
    assert_bad_input("<p> has the index -1", tube_import("", "", good, "0 1 -1 1 3 2", &none));
    assert_bad_input("<p> has the index 4294967297",
                     tube_import("", "", good, "0 1 4294967297 1 3 2", &none));
    assert_bad_input("<v> has the index 2, expected 0 to 1",
                     tube_import("", "", "0 0 2 1 1 1 1 0", "0 1 2 1 3 2", &none));
    assert_bad_input("<v> has the index 9", tube_import("", "", "0 0 0 1 1 1 1 9", "0 1 2 1 3 2", &none));
    assert_bad_input("has no inverse",
                     tube_import("<bind_shape_matrix>0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1</bind_shape_matrix>", "",
                                 good, "0 1 2 1 3 2", &none));
    static const char source[] =
        "<source id='x'><float_array count='5'/><accessor count='%d' stride='3'/></source>";
    assert_ok(collada_indices_check(text_of(source, 1), strlen(text_of(source, 1))));
    assert_bad_input("the source 'x' has 5 numbers",
                     collada_indices_check(text_of(source, 2), strlen(text_of(source, 2))));
}

/* Keys with a curve, which assimp interpolates linearly, are found by the words of their source alone. */
TEST(test_curves)
{
    static const char source[] = "<source><Name_array count='2'>%s</Name_array><technique_common><accessor>"
                                 "<param name='%s' type='name'/></accessor></technique_common></source>";
    static const struct {
        const char *words, *name;
        bool found;
    } rows[] = {{"LINEAR LINEAR", "INTERPOLATION", false}, {"\nLINEAR\r\n\tLINEAR ", "INTERPOLATION", false},
                {"LINEAR STEP", "INTERPOLATION", true},    {"BEZIER LINEAR", "INTERPOLATION", true},
                {"STEP BEZIER", "JOINT", false},           {"", "INTERPOLATION", false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *text = text_of(source, rows[i].words, rows[i].name);
        assert_int_equal(collada_curves_found(text, strlen(text)), rows[i].found);
    }
}

TEST(test_channels)
{
    static const char file[] =
        "<node id='n' sid='n'><translate sid='t'/></node><camera id='c'/><!-- <node id='x'> "
        "--><channel target='%s'/>";
    static const struct {
        const char *target, *fault;
    } rows[] = {{"n/t", NULL},
                {"n/t.X", NULL},
                {"n/t(3)(0)", NULL},
                {"c/lens(1)", NULL},
                {"weights(1)", NULL},
                {"n/r.X", "the channel 'n/r.X' animates an element that the file lacks"},
                {"x/t.X", "the channel 'x/t.X' animates an element that the file lacks"},
                {"n/t(1)", "the channel 'n/t(1)' has a target that assimp cannot read"},
                {"n/n/t.X", "the channel 'n/n/t.X' has a target that assimp cannot read"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *text = text_of(file, rows[i].target);
        if (rows[i].fault)
            assert_bad_input(rows[i].fault, collada_channels_check(text, strlen(text)));
        else
            assert_ok(collada_channels_check(text, strlen(text)));
    }
}

/* The axis of a rotation gets length 1. The rest of the text stays, and so do axes of length 0 or 1. */
TEST(test_axes)
{
    static const char *const rows[][2] = {
        {"<rotate sid='r'>0 0 4 90</rotate><node/>", "<rotate sid='r'>0 0 1 90</rotate><node/>"},
        {"<rotate>\n3 0 -4e0\t90 </rotate>", "<rotate>0.6 0 -0.8\t90 </rotate>"},
        {"<rotate>0 0 0 90</rotate>", NULL},
        {"<rotate>0 0.6 0.8 90</rotate>", NULL},
        {"<rotate>0 1</rotate>", NULL},
        {"<rotate/><rotate>0 0 2 9", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t size = 0;
        OWNED_BY(free) char *text = NULL;
        assert_ok(collada_text_repair(rows[i][0], strlen(rows[i][0]), &text, &size));
        assert_string_equal(text, rows[i][1] ? rows[i][1] : rows[i][0]);
        assert_int_equal(size, strlen(text));
    }
}

/* Animations become one, unless two channels have the same target. */
TEST(test_joined_animations)
{
    static const char file[] =
        "<library_animations><animation id='a'><channel target='n/x'/></animation><!-- </animation> -->"
        "<animation><animation/><channel target='n/%s'/></animation></library_animations>"
        "<library_animation_clips><animation_clip/></library_animation_clips><node/>";
    static const char joined[] =
        "<library_animations><animation id='a'><channel target='n/x'/>            <!-- </animation> -->"
        "           <animation/><channel target='n/y'/></animation></library_animations>"
        "                                                                    <node/>";
    char *text = text_of(file, "x");
    assert_ok(collada_animations_join(text, strlen(text)));
    assert_string_equal(text, text_of(file, "x"));
    text = text_of(file, "y");
    assert_ok(collada_animations_join(text, strlen(text)));
    assert_string_equal(text, joined);
}

/* assimp would replace a mesh that it cannot read by one that shows the bones. */
TEST(test_without_mesh)
{
    static const char file[] =
        "<?xml version='1.0'?><COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' "
        "version='1.4.1'>%s"
        "<library_visual_scenes><visual_scene id='s'><node id='A' type='JOINT'><node id='B' type='JOINT'>"
        "<translate>0 2 0</translate></node></node></visual_scene></library_visual_scenes><scene>"
        "<instance_visual_scene url='#s'/></scene></COLLADA>";
    static const char morph[] =
        "<library_controllers><controller id='m'><morph source='#g' method='NORMALIZED'/></controller>"
        "</library_controllers>";
    Dataset *none = NULL;
    (void)format_ready("beam.dae");
    for (int i = 0; i < 2; i++) {
        text_write(path_of("bare.dae"), text_of(file, i == 0 ? "" : morph));
        assert_bad_input(i == 0 ? "bare.dae: has 0 vertices"
                                : "bare.dae: assimp cannot read its <morph> controllers",
                         imported("collada", path_of("bare.dae"), (ImportOptions){0}, &none));
    }
}

/* A file that is truncated or overwritten anywhere is either refused or imported completely. */
TEST(test_damage)
{
    static const char *const names[] = {"beam.dae", "beam.fbx"};
    for (size_t i = 0; i < 2; i++) {
        char broken[16384 + 8] = "";
        size_t size = 0;
        const Format *format = format_ready(names[i]);
        const char *input = path_of("in"), *output = path_of("out.h5");
        const ImportOptions options = {.inputs = &input, .input_count = 1, .scale = 1.0};
        int refused = 0;
        OWNED char *text = file_read(corpus_path(names[i]), &size);
        for (size_t at = 40; at < size; at += size / 17) {
            memcpy(broken, text, at);
            // NOLINTNEXTLINE(bugprone-not-null-terminated-result): the file goes on
            memcpy(broken + at, "-9e9999 ", 8);
            memcpy(broken + at + 8, text + at, size - at);
            for (int k = 0; k < 2; k++) {
                bytes_write(input, broken, k == 0 ? at : size + 8);
                const Status status = format->import(&options, output);
                assert_true(status.code == STATUS_OK || status.code == STATUS_BAD_INPUT);
                assert_int_equal(access(output, F_OK) == 0, status.code == STATUS_OK);
                assert_true(status.code == STATUS_OK || strstr(status.text, input));
                refused += status.code != STATUS_OK;
                unlink(output);
            }
        }
        assert_true(refused > 10);
        text_write(input, "");
        assert_bad_input("has 0 bytes", format->import(&options, output));
    }
}

/* Two vertices at one position stay separate if their weights or morph targets differ, as on lips. Welded
 * vertices are in the order of their first occurrence. */
TEST(test_weld)
{
    SceneMesh mesh = {.vertex_count = 6, .triangle_count = 2, .target_count = 1, .influence_count = 1};
    assert_ok(scene_mesh_allocate(&mesh));
    const float positions[6] = {1.0f, 0.0f, 1.0f, 1.0f, 0.0f, 1.0f},
                weights[6] = {1.0f, 1.0f, 1.0f, 0.5f, 1.0f, 1.0f};
    for (int v = 0; v < 6; v++) {
        mesh.positions[3 * v] = positions[v];
        mesh.weight_values[v] = weights[v];
        mesh.targets[3 * v + 1] = v == 5 ? 7.0f : 0.0f;
        mesh.triangles[v] = v;
    }
    assert_ok(scene_mesh_weld(&mesh));
    const int32_t triangles[] = {0, 1, 0, 2, 1, 3};
    assert_int_equal(mesh.vertex_count, 4);
    assert_memory_equal(mesh.triangles, triangles, sizeof triangles);
    assert_true(mesh.positions[3] == 0.0f && mesh.positions[9] == 1.0f);
    assert_true(mesh.weight_values[2] == 0.5f && mesh.targets[3 * 3 + 1] == 7.0f && mesh.targets[1] == 0.0f);
    FREE_ALL(mesh.positions, mesh.triangles, mesh.weight_joints, mesh.weight_values, mesh.targets);
}
