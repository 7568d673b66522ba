/* Tests the import of rigs from CraGL/Hyperspectral-Inverse-Skinning: a small hand-written rig with known
 * transforms, and the messages for damaged rigs. */
#include "tests/imports.h"

#include <sys/stat.h>

/* A skeleton with two consecutive bones along x, and a separate bone along -z. */
static const char skeleton[] = "  1 0 0 0 \n  2 1.0 0 0\n3 2 0\t0\n 4 0 0 -2\n#\n 1 2\n 2\t 3\n1 4\n#\n";
/* Weights of four vertices, listed bone by bone. The second vertex has a tiny weight for the third bone,
 * which joins points 1 and 4. The third vertex blends several bones. The weights of the fourth vertex sum
 * to 0.5. */
static const char weights[] = "3 4\n1\n0\n0.25\n0\n0\n1\n0.75\n0\n0\n5e-8\n0\n0.5\n";
#define FACES "f 1 2 3\nf 1 3 4\n"
static const char rest[] = "v 0.5 0 0\nv 1.5 0 0\nv 1 0 0\nv 0 0 -1\n" FACES;
/* In the turned pose, both consecutive bones rotate by 90 degrees about z. */
#define HALF "0.70710678118654757"
static const char turns[] = "{\"Camera\": {}, \"dQ-0\": [0, 0, " HALF ", " HALF "], \"dQ-1\": [0, 0, " HALF
                            ", " HALF "], \"dQ-2\": [0, 0, 0, 1]}";
static const char turned[] = "v 0 0.5 0\nv -0.5 1 0\nv 0 1 0\nv 0 0 -1\n" FACES;
static const char printed[] = "0 1 0\n-1 0 0\n0 0 1\n0 0 0\n"
                              "-1 0 0\n0 -1 0\n0 0 1\n1 1 0\n"
                              "1 0 0\n0 1 0\n0 0 1\n0 0 0\n";
static const char still[] = "{\"dQ-0\": [0, 0, 0, 1], \"dQ-1\": [0, 0, 0, 1], \"dQ-2\": [0, 0, 0, 1]}";

static const char *const files[][2] = {{"r.tgf", skeleton},
                                       {"r.DMAT", weights},
                                       {"r.obj", rest},
                                       {"poses-1/r-2.obj", turned},
                                       {"poses-1/r-2.json", turns},
                                       {"poses-1/r-2.Tmat", printed},
                                       {"poses-1/r-10.obj", rest},
                                       {"poses-1/r-10.json", still},
                                       {"poses-2/r-1.obj", turned},
                                       {"poses-2/r-1.json", turns},
                                       {"poses-2/else-1.obj", "no pose"},
                                       {"r_old.DMAT", "1 1\n1\n"}};

/* Returns the path of a file in a folder whose name contains the special characters of file patterns. */
static const char *odd_name(const char *name)
{
    return text_of("a [*]/%s", name);
}

static void files_write(void)
{
    static const char *const parts[] = {"a [*]", "a [*]/poses-1", "a [*]/poses-2"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        (void)mkdir(path_of(parts[i]), 0777);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        text_write(odd_name(files[i][0]), files[i][1]);
}

static void note_keep(void *context, const char *text)
{
    snprintf(context, 128, "%s", text);
}

static Status rig_import(const char *rest_path, char note[128], Dataset **out)
{
    const FormatNotes notes = {note_keep, note};
    return imported(NULL, path_of(odd_name("r.tgf")), (ImportOptions){.rest = rest_path, .notes = &notes},
                    out);
}

TEST(rig_is_as_its_files_say)
{
    static const double bent[3][12] = {{0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0},
                                       {-1, 0, 0, 1, 0, -1, 0, 1, 0, 0, 1, 0},
                                       {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
    static const double frames[3][12] = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0},
                                         {1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0},
                                         {0, 1, 0, 0, 0, 0, -1, 0, -1, 0, 0, 0}};
    static const int joints[4][2] = {{0, 0}, {1, 0}, {1, 0}, {2, 0}};
    static const double values[4][2] = {{1, 0}, {1, 0}, {0.75, 0.25}, {1, 0}};
    char note[128] = "";
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    const Format *format = NULL;
    files_write();
    assert_ok(format_detect(path_of(odd_name("r.tgf")), &format));
    assert_string_equal(format->name, "cragl-rig");
    assert_ok(rig_import(NULL, note, &dataset));
    const Rig *rig = &dataset->rig;
    assert_string_equal(dataset->name, "r");
    assert_true(dataset->fps == 1.0);
    assert_int_equal(rig->joint_count, 3);
    assert_int_equal(rig->frame_count, 3);
    assert_int_equal(rig->influence_count, 2);
    assert_int_equal(dataset->animation.frame_count, 3);
    assert_int_equal(dataset->mesh.triangle_count, 2);
    assert_string_equal(rig->joint_names[0], "bone 1-2");
    assert_string_equal(rig->joint_names[2], "bone 1-4");
    const int parents[] = {-1, 0, -1};
    assert_memory_equal(rig->parents, parents, sizeof parents);
    /* Frames are sorted by the natural order of their file names, r-2 before r-10. The bones are rotated in
     * the first and the last frame, and at rest in the second. Unit quaternions in double precision cause
     * an error of about 1e-15. */
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 12; i++) {
            const double identity = i % 5 == 0;
            assert_true(fabs((&rig->rest[j].m00)[i] - frames[j][i]) <= 1e-15);
            assert_true(fabs((&rig->transforms[j].m00)[i] - bent[j][i]) <= 1e-15);
            assert_true(fabs((&rig->transforms[3 + j].m00)[i] - identity) <= 1e-15);
            assert_true(fabs((&rig->transforms[6 + j].m00)[i] - bent[j][i]) <= 1e-15);
        }
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 2; k++) {
            assert_int_equal(rig->weight_joints[2 * i + k], joints[i][k]);
            assert_true(fabs((double)rig->weight_values[2 * i + k] - values[i][k]) <= 1e-7);
        }
    assert_true((double)dataset->animation.positions[3] == -0.5);
    assert_true((double)dataset->animation.positions[12 + 3] == 1.5);
    /* The imported rig reproduces the poses in the files, and the note says how accurately. */
    const char *within = strstr(note, "within ");
    assert_non_null(within);
    assert_true(strtod(within + 7, NULL) < 1e-6);
}

TEST(damage_is_named)
{
    static const struct {
        const char *file, *text, *message; /* `text` is the new content of the file; NULL removes the file */
    } rows[] = {
        {"r.tgf", "1 0 0 0\n3 1 0 0\n", "r.tgf:2: point 2 is numbered 3"},
        {"r.tgf", "1 0 x 0\n", "r.tgf:1: point 1 has 'x', expected a finite number"},
        {"r.tgf", "1 0 0 nan\n", "r.tgf:1: point 1 has 'nan'"},
        {"r.tgf", "1 0 0 0\n2 1 0 0\n#\n1 3\n", "r.tgf:4: bone 1 refers to point 3, but there are 2"},
        {"r.tgf", "1 0 0 0\n#\n", "a skeleton of 1 points and 0 bones cannot"},
        {"r.tgf", "1 0 0 0\n2 1 0 0\n3 1 0 0\n#\n1 2\n2 3\n1 3\n", "bone 2-3 has no length"},
        {"r.tgf", "1 0 0 0\n2 1 0 0\n3 2 0 0\n4 0 0 1\n#\n1 2\n2 3\n1 3\n",
         "bone 1-3 ends where another bone does"},
        {"r.tgf", "1 0 0 0\n2 1 0 0\n3 2 0 0\n4 0 0 1\n#\n2 3\n1 2\n1 4\n",
         "bone 2-3 is listed before its parent bone"},
        {"r.DMAT", NULL, "r.DMAT: cannot be opened"},
        {"r.DMAT", "2 4\n", "has 2 columns and 4 rows, but the rig has 3 bones and 4 vertices"},
        {"r.DMAT", "3 4\n1\n", "too few for 12 weights"},
        {"r.DMAT", "3 4\n1\n0\n0.25\n0\n0\n1\n0.75\n0\n0\n5e-8\n", "ends before weight 11 of 12"},
        {"r.DMAT", "3 4\n1\n0\n0.25\n0\n0\n1\n0.75\n0\n0\n5e-8\n0\ninf\n", "r.DMAT:13: weight 12 has 'inf'"},
        {"r.DMAT", "3 4\n1\n0\n0.25\n0\n0\n1\n0.75\n0\n0\n5e-8\n0\n0\n", "vertex 3"},
        {"r.obj", NULL, "r.obj: cannot be opened"},
        {"r.obj", "v 0 0 0\nv 0 0 1\nv 0 1 0\nv 1 0 0\nf 1 2 3\n", "expected 1 as in"},
        {"poses-1/r-2.obj", "v 0 0 0\n", "r-2.obj:2: has 1 vertices, expected 4 as in"},
        {"poses-1/r-2.json", NULL, "r-2.json: cannot be opened"},
        {"poses-1/r-2.json", "{\"dQ-0\": [0, 0, 0, 1], \"dQ-1\": [0, 0, 0, 2]}",
         "dQ-1 is not a unit quaternion of four numbers"},
        {"poses-1/r-2.json", "{\"dQ-0\": [0, 0, 1]}", "dQ-0 is not a unit quaternion of four numbers"},
        {"poses-1/r-10.json",
         "{\"dQ-0\": [0, 0, 0, 1], \"dQ-1\": [0, 0, 0, 1], \"dQ-2\": [0, 0, 0, 1], \"dQ-3\": [0, 0, 0, 1]}",
         "has dQ-3, but the rig has 3 bones"},
        {"poses-1/r-2.Tmat", "0 1 0\n-1 0 0\n0 0 1\n0 0 0\n0 1 0\n",
         "r-2.Tmat:5: bone 1 has 0 in its matrix, but its rotation and those of its parents give -1"},
        {"poses-1/r-2.Tmat", "0 1 0\n", "ends before row 2 of 12"}};
    char note[128];
    Dataset *dataset = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        files_write();
        if (rows[i].text)
            text_write(odd_name(rows[i].file), rows[i].text);
        else
            assert_int_equal(unlink(path_of(odd_name(rows[i].file))), 0);
        assert_bad_input(rows[i].message, rig_import(NULL, note, &dataset));
    }
    files_write();
    assert_bad_input("nowhere.obj: cannot be opened", rig_import("nowhere.obj", note, &dataset));
}
