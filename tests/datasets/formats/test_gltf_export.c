/* Exports glTF files and reads them with the test's own small reader. Compares skins with linear blending,
 * and tests baked positions, the error caused by a joint's shear, and refused exports. */
#include "tests/gltf_files.h"
#include "tests/rigs.h"

#include "datasets/geometry/transform_parts.h"

static const json_t *primitive_of(const TestGltf *gltf)
{
    return json_array_get(json_object_get(gltf_at(gltf, "meshes", 0), "primitives"), 0);
}

static int attribute(const TestGltf *gltf, const char *name)
{
    return gltf_int(json_object_get(primitive_of(gltf), "attributes"), name, -1);
}

static size_t children_of(const TestGltf *gltf, int node)
{
    return json_array_size(json_object_get(gltf_at(gltf, "nodes", node), "children"));
}

enum { VERTICES = 60, FRAMES = 5, JOINTS = 7, SLOTS = 9 };

/* Makes a chain whose joints are stretched lengthwise by `stretch` per frame. Each vertex has nine slots,
 * some of which repeat a joint. */
static Dataset *chain(double stretch)
{
    Random random = {11};
    Dataset *dataset = rig_make(PLAN(.vertices = VERTICES, .joints = JOINTS, .influences = SLOTS,
                                     .frames = FRAMES, .angle = 1.2, .seed = 11));
    Rig *rig = &dataset->rig;
    dataset->fps = 24.0;
    for (int j = 0; j < JOINTS; j++) {
        rig->joint_names[j] = memory_text("a joint");
        rig->rest[j] = transform_about(quat_about(random_axis(&random), 0.4), ORIGIN, vec3_make(j, 0, 0));
    }
    for (int f = 0; f < FRAMES; f++) {
        Transform parent = transform_identity(), inverse = parent, scaled = parent;
        scaled.m00 += stretch * f;
        for (int j = 0; j < JOINTS; j++) {
            Transform *pose = &rig->transforms[f * JOINTS + j];
            const Transform local = transform_product(inverse, *pose);
            assert_true(transform_inverse(*pose, &inverse));
            parent = *pose = transform_product(parent, transform_product(local, scaled));
        }
    }
    for (int slot = 0; slot < VERTICES * SLOTS; slot += 4 * SLOTS) {
        rig->weight_joints[slot + SLOTS - 1] = rig->weight_joints[slot];
        rig->weight_values[slot + SLOTS - 1] = rig->weight_values[slot] *= 0.5f;
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

/* Returns the largest distance between the skin in the file and the linear blend of the data set. *rms
 * receives the root mean square distance. */
static double skin_distance(const TestGltf *gltf, const Dataset *dataset, double *rms)
{
    double max = 0.0, squared = 0.0, positions[VERTICES][3], expected[3];
    for (int f = 0; f < FRAMES; f++) {
        assert_int_equal(gltf_vertices(gltf, 0, (double)((float)f / 24.0f), positions[0]), VERTICES);
        for (int v = 0; v < VERTICES; v++) {
            double distance = 0.0;
            blended(dataset, v, f, expected);
            for (int i = 0; i < 3; i++)
                distance += (positions[v][i] - expected[i]) * (positions[v][i] - expected[i]);
            max = fmax(max, sqrt(distance));
            squared += distance;
        }
    }
    *rms = sqrt(squared / (FRAMES * VERTICES));
    return max;
}

/* Writes the data set to in.h5 and exports it to out.FORMAT. */
static Status exported(const Dataset *dataset, const char *format, ExportOptions options, TestNotes *notes)
{
    const FormatNotes sink = {note_keep, notes};
    assert_ok(dataset_write(dataset, path_of("in.h5")));
    options.input = path_of("in.h5");
    options.output = path_of(text_of("out.%s", format));
    options.notes = &sink;
    notes->text[0] = '\0';
    const Status status = format_find(format)->export(&options);
    assert_no_temporary_files();
    return status;
}

/* Exports a rig as glb and loads the file. */
static TestGltf glb_of(const Dataset *dataset, TestNotes *notes)
{
    TestGltf gltf = {0};
    assert_ok(exported(dataset, "glb", (ExportOptions){0}, notes));
    gltf_load(path_of("out.glb"), &gltf);
    return gltf;
}

TEST(a_rigid_rig_keeps_its_hierarchy_and_all_influences)
{
    static const char *const formats[] = {"glb", "gltf"};
    OWNED_BY(dataset_free) Dataset *dataset = chain(0.0);
    for (int i = 0; i < 2; i++) {
        TestNotes notes;
        double rms;
        CLEANUP(gltf_release) TestGltf gltf = {0};
        assert_ok(exported(dataset, formats[i], (ExportOptions){0}, &notes));
        gltf_load(path_of(i == 0 ? "out.glb" : "out.gltf"), &gltf);
        /* The tolerance allows for float matrices, and for vertices with coordinates up to 10. */
        assert_true(skin_distance(&gltf, dataset, &rms) < 1e-5);
        assert_holds(notes.text, "9 influences are in JOINTS_0 to JOINTS_2");
        assert_lacks(notes.text, "shear");
        /* Each joint is a child of the previous one. */
        for (int j = 0; j + 1 < JOINTS; j++)
            assert_int_equal(children_of(&gltf, 2 + j), 1);
        for (int v = 0; v < VERTICES; v++) {
            double sum = 0.0, last = 2.0;
            for (int k = 0; k < 12; k++) {
                const double weight =
                    gltf_number(&gltf, attribute(&gltf, text_of("WEIGHTS_%d", k / 4)), v, k % 4);
                assert_true(weight <= last && weight >= 0.0);
                sum += last = weight;
            }
            assert_near(sum, 1.0, 1e-6);
        }
    }
}

TEST(stretched_joints_stand_beside_each_other)
{
    TestNotes notes;
    double rms, said = -1.0, said_rms = -1.0;
    OWNED_BY(dataset_free) Dataset *dataset = chain(0.1);
    CLEANUP(gltf_release) TestGltf gltf = glb_of(dataset, &notes);
    assert_int_equal(children_of(&gltf, 1), JOINTS);
    const double max = skin_distance(&gltf, dataset, &rms);
    /* The note gives the error with three digits, which must equal the error measured here. */
    const char *said_at = strstr(notes.text, "within "),
               *said_rms_at = strstr(notes.text, "mean square distance of ");
    assert_non_null(said_at);
    assert_non_null(said_rms_at);
    said = strtod(said_at + strlen("within "), NULL);
    said_rms = strtod(said_rms_at + strlen("mean square distance of "), NULL);
    assert_true(max > 1e-3);
    assert_near(said / max, 1.0, 0.006);
    assert_near(said_rms / rms, 1.0, 0.006);
}

/* Bones have a constant shear in all frames. The bind pose represents it exactly, by scales along other
 * axes. */
TEST(constant_shear_is_kept_by_the_axes_of_the_bind_pose)
{
    TestNotes notes;
    double rms;
    OWNED_BY(dataset_free) Dataset *dataset = chain(0.0);
    Rig *rig = &dataset->rig;
    for (int f = 0; f < FRAMES; f++)
        for (int j = 0; j < JOINTS; j++) {
            rig->parents[j] = -1;
            rig->rest[j] = transform_identity();
            rig->transforms[f * JOINTS + j] = (Transform){1, 0.4, 0, 3.0 * f, 0, 1, 0, j, 0, 0, 2, 0};
        }
    CLEANUP(gltf_release) TestGltf gltf = glb_of(dataset, &notes);
    assert_true(skin_distance(&gltf, dataset, &rms) < 1e-5);
    assert_lacks(notes.text, "shear");
}

TEST(two_phases_become_one)
{
    TestNotes notes;
    double rms;
    OWNED_BY(dataset_free) Dataset *dataset = chain(0.0);
    Rig *rig = &dataset->rig;
    /* All joints are roots, with the transformation C_j A_j S_j inv(A_j). A_j is a translation, so a vertex
     * is scaled about the joint and then moved. */
    rig->scale = memory_array(FRAMES * JOINTS, sizeof *rig->scale);
    for (int j = 0; j < JOINTS; j++) {
        rig->parents[j] = -1;
        rig->rest[j] = transform_identity();
        rig->rest[j].m03 = j;
    }
    for (int i = 0; i < FRAMES * JOINTS; i++)
        rig->scale[i] = (Mat3){2.0, 0, 0, 0, 0.5, 0, 0, 0, 1.0 + i};
    CLEANUP(gltf_release) TestGltf gltf = glb_of(dataset, &notes);
    for (int i = 0; i < FRAMES * JOINTS; i++) {
        const Transform about = {2.0, 0, 0, -(i % JOINTS), 0, 0.5, 0, 0, 0, 0, 1.0 + i, 0};
        rig->transforms[i] = transform_product(rig->transforms[i], about);
    }
    memory_free(rig->scale);
    rig->scale = NULL;
    assert_true(skin_distance(&gltf, dataset, &rms) < 1e-4);
}

/* Three clips of different lengths, rates and start times keep their names and key times through export and
 * import. */
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
    for (int f = 0; f < frames;
         f++) /* times are binary fractions, exact as floats; the clip Survey starts late */
        dataset->clips.times_s[f] = f < 2 ? 0.5 + f / 32.0 : f < 3 ? 0.25 : (f - 3) * (f - 2) / 64.0;
    for (int baked = 0; baked < 2; baked++) {
        TestNotes notes;
        CLEANUP(gltf_release) TestGltf gltf = {0};
        assert_ok(exported(dataset, "glb", (ExportOptions){.baked = baked}, &notes));
        gltf_load(path_of("out.glb"), &gltf);
        assert_int_equal(json_array_size(json_object_get(gltf.root, "animations")), 3);
        dataset_free(back);
        back = import_read(path_of("out.glb"), path_of("back.h5"), NULL, 0.0, NULL);
        assert_int_equal(back->clips.count, 3);
        assert_int_equal(back->clips.frame_count, frames);
        for (int c = 0; c < 3; c++) {
            assert_string_equal(back->clips.names[c], names[c]);
            assert_int_equal(back->clips.first[c], first[c]);
        }
        for (int f = 0; f < frames; f++)
            assert_true(back->clips.times_s[f] == dataset->clips.times_s[f]);
    }
    dataset->clips.times_s[0] = -0.5; /* glTF has no negative times */
    TestNotes notes;
    assert_ok(exported(dataset, "glb", (ExportOptions){0}, &notes));
    assert_holds(notes.text, "clip 'Survey' begins at -0.5 s");
    dataset_free(back);
    back = import_read(path_of("out.glb"), path_of("back.h5"), NULL, 0.0, NULL);
    assert_true(back->clips.times_s[0] == 0.0 && back->clips.times_s[1] == 0.5 + 17.0 / 32.0);
    assert_true(back->clips.times_s[2] == 0.25);
    dataset->clips.first[1] = 0; /* a clip without frames is refused by name */
    assert_bad_input("clips/first_frames[1] is 0", dataset_write(dataset, path_of("in.h5")));
}

TEST(baked_frames_are_morph_targets)
{
    TestNotes notes;
    unsigned char colors[3 * VERTICES] = {255, 0, 188};
    OWNED_BY(dataset_free) Dataset *dataset = chain(0.1);
    CLEANUP(gltf_release) TestGltf gltf = {0};
    assert_ok(exported(dataset, "gltf", (ExportOptions){.baked = true, .colors = colors}, &notes));
    gltf_load(path_of("out.gltf"), &gltf);
    const json_t *samplers = json_object_get(gltf_at(&gltf, "animations", 0), "samplers");
    assert_null(json_object_get(gltf.root, "skins"));
    assert_int_equal(json_array_size(json_object_get(primitive_of(&gltf), "targets")), FRAMES);
    for (int f = 0; f < FRAMES; f++) {
        const double time = gltf_number(&gltf, gltf_int(json_array_get(samplers, 0), "input", -1), f, 0);
        double found[VERTICES][3] = {{0.0}}, expected[3];
        assert_near(time, f / 24.0, 1e-7);
        assert_int_equal(gltf_vertices(&gltf, 0, time, found[0]), VERTICES);
        for (int i = 0; i < 3 * VERTICES; i++) {
            blended(dataset, i / 3, f, expected);
            assert_near(found[i / 3][i % 3], expected[i % 3], 2e-6);
        }
    }
    /* The sRGB value 188 corresponds to about half of the full linear intensity (0.503 by IEC
     * 61966-2-1). */
    assert_near(gltf_number(&gltf, attribute(&gltf, "COLOR_0"), 0, 0), 1.0, 0.0);
    assert_near(gltf_number(&gltf, attribute(&gltf, "COLOR_0"), 0, 1), 0.0, 0.0);
    assert_near(gltf_number(&gltf, attribute(&gltf, "COLOR_0"), 0, 2), 0.503, 0.001);
}

TEST(what_gltf_cannot_hold_is_refused_unless_baked)
{
    TestNotes notes;
    OWNED_BY(dataset_free) Dataset *dataset = chain(0.0);
    dataset->rig.weight_values[SLOTS * 8 + 2] = -0.01f;
    assert_bad_input("a weight of vertex 8 is -0.01", exported(dataset, "glb", (ExportOptions){0}, &notes));
    assert_ok(exported(dataset, "glb", (ExportOptions){.baked = true}, &notes));
    dataset->rig.weight_values[SLOTS * 8 + 2] = 0.01f;
    dataset->low_rank = (LowRank){1, 3 * FRAMES, memory_array(3 * FRAMES, sizeof(double)),
                                  memory_array(VERTICES, sizeof(float))};
    assert_bad_input("corrects its rest pose", exported(dataset, "glb", (ExportOptions){0}, &notes));
    assert_ok(exported(dataset, "glb", (ExportOptions){.baked = true}, &notes));
}

static bool frames_are_stopped(UNUSED void *context, const char *what, UNUSED double share)
{
    return !what || strcmp(what, "exporting frames") != 0;
}

/* Replaces the only float of this value in a file by NaN. */
static void float_damage(const char *path, float value)
{
    const float damaged = NAN;
    char pattern[sizeof value];
    size_t size = 0, offset = 0;
    memcpy(pattern, &value, sizeof value);
    OWNED char *bytes = file_read(path, &size);
    while (offset + sizeof value <= size && memcmp(bytes + offset, pattern, sizeof pattern) != 0)
        offset++;
    assert_true(offset + sizeof value <= size);
    memcpy(bytes + offset, &damaged, sizeof damaged);
    bytes_write(path, bytes, size);
}

TEST(a_frame_that_cannot_be_read_is_named_although_the_export_is_stopped)
{
    const float marked = 1234.5678f;
    const Progress stopping = {frames_are_stopped, NULL};
    TestNotes notes;
    OWNED_BY(dataset_free) Dataset *dataset = chain(0.0);
    assert_ok(animation_allocate(&dataset->animation, FRAMES, VERTICES, false));
    dataset->animation.positions[4] = marked;
    assert_refused(STATUS_STOPPED, "stopped after 1 of",
                   exported(dataset, "glb", (ExportOptions){.baked = true, .progress = &stopping}, &notes));
    float_damage(path_of("in.h5"), marked);
    assert_bad_input(
        "animation/positions[0,1,1] is nan",
        format_find("glb")->export(&(ExportOptions){
            .input = path_of("in.h5"), .output = path_of("out.glb"), .baked = true, .progress = &stopping}));
}
