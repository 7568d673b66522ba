/* Tests that RigNet's text keeps the joints of a rig apart, and that contradictions in it are refused. */
#include "tests/imports.h"
#include "tests/rigs.h"

/* Joints whose names are equal as words of a text, or which an import would join, remain different joints. */
TEST(joints_stay_apart)
{
    static const struct {
        const char *names[6], *written[6];
    } rows[] = {
        {{"a b", "a_b", "a\tb", "a_b", "c"}, {"joint_0", "a_b", "joint_2", "joint_3", "c"}},
        {{"x", "joint_2", "", "joint_1", NULL}, {"x", "joint_2", "joint_2_1", "joint_1", "joint_4"}},
        {{"a_dup_1", "a", "a_dup_2", "b_dup_7", "a_dup_1_dup_3"},
         {"joint_0", "a", "joint_2", "b_dup_7", "joint_4"}},
        {{"a b_dup_1", "a_b", "joint_2_dup_1", "", "_dup_1"},
         {"joint_0", "a_b", "joint_2_dup_1", "joint_3", "_dup_1"}},
        {{"joint_1_dup_2", NULL, "a", "a", "a"}, {"joint_1_dup_2", "joint_1_1", "a", "joint_3", "joint_4"}},
    };
    enum { JOINTS = 5 };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        OWNED_BY(dataset_free) Dataset *back = NULL;
        OWNED_BY(dataset_free) Dataset *dataset = dataset_made("names", 0.0, JOINTS, 1, JOINTS, 0, 1);
        Rig *rig = &dataset->rig;
        dataset->mesh.triangles[1] = 1;
        dataset->mesh.triangles[2] = 2;
        for (int j = 0; j < JOINTS; j++) {
            if (rows[i].names[j])
                rig->joint_names[j] = memory_text(rows[i].names[j]);
            rig->parents[j] = j - 1;
            /* small coordinates keep 9 digits, as those of the mesh do */
            rig->rest[j] = transform_translate(vec3_make(1.23456789e-6 * (j + 1), 0.0, 0.0));
            dataset->mesh.rest[3 * j] = (float)j;
            rig->weight_joints[j] = j;
            rig->weight_values[j] = 1.0f;
        }
        const char *input = path_of("rig.h5"), *text = path_of("n_rig.txt");
        assert_ok(dataset_write(dataset, input));
        assert_ok(rignet_export(&(ExportOptions){.input = input, .output = text}));
        assert_ok(imported("rignet", text, (ImportOptions){0}, &back));
        assert_int_equal(back->rig.joint_count, JOINTS);
        for (int j = 0; j < JOINTS; j++) {
            assert_string_equal(back->rig.joint_names[j], rows[i].written[j]);
            assert_int_equal(back->rig.parents[j], j - 1);
            assert_int_equal(back->rig.weight_joints[j], j);
            assert_true(fabs(back->rig.rest[j].m03 / rig->rest[j].m03 - 1.0) < 1e-8);
        }
        assert_int_equal(unlink(text) + unlink(path_of("n.obj")), 0);
    }
}

TEST(contradictions_are_refused)
{
    static const struct {
        const char *text, *message; /* NULL: the text is read */
    } rows[] = {
        {"joints a 0 0 0\njoints b 0 0 1\nroot a\njoints a 0 1 0\n",
         "n_rig.txt:4: the joint 'a' is given already in line 1"},
        {"joints a 0 0 0\njoints b 0 0 1\nhier a b\nhier b b\n",
         "n_rig.txt:4: the joint 'b' is its own parent"},
        {"joints a 0 0 0\njoints b 0 0 1\nroot b\nhier a b\n",
         "n_rig.txt:3: the joint 'b' is a root, but has a parent"},
        {"joints a 0 0 0\njoints b 0 0 1\njoints c 0 0 1\nhier a c\nhier b c\n",
         "n_rig.txt:5: the joint 'c' has another parent already"},
        {"joints a 0 0 0\njoints a_dup_0 0 0 1\njoints b 0 0 1\nroot a_dup_0\nhier a a_dup_0\nhier a_dup_0 "
         "b\n",
         NULL},
        {"joints a 0 0 0\njoints b 0 0 1\nroot a\nroot b\n", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        OWNED_BY(dataset_free) Dataset *back = NULL;
        text_write("n_rig.txt", rows[i].text);
        const Status status = imported("rignet", path_of("n_rig.txt"), (ImportOptions){0}, &back);
        if (rows[i].message)
            assert_bad_input(rows[i].message, status);
        else
            assert_ok(status);
    }
}
