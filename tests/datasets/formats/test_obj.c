/* Tests the reading of OBJ text: all legal forms, the message for each kind of damage, and numbers rounded
 * to the nearest float. */
#include "tests/support.h"

#include "datasets/base/random.h"
#include "datasets/formats/mesh_file.h"
#include "datasets/formats/sequence.h"

static Status parse(const char *text, FileMesh *mesh)
{
    return obj_format.parse(text, strlen(text), "a.obj", mesh);
}

TEST(every_form_is_read)
{
    /* The same quad in nine forms. As a fan, 1 2 3 4 gives the triangles 1 2 3 and 1 3 4. */
    static const char *const faces[] = {"f 1 2 3 4\n",
                                        "f 1/1 2/2 3/3 4/4\n",
                                        "f 1//1 2//1 3//1 4//1\n",
                                        "f 1/1/1 2/2/1 3/3/1 4/4/1\n",
                                        "f -4 -3 -2 -1\n",
                                        "f -4/-1/-1 -3/-1/-1 -2/-1/-1 -1/-1/-1\n",
                                        "f 1 2 \\\n 3 4\n",
                                        "  f\t1 2\t3 4   # a comment\r\n",
                                        "g left\nusemtl skin\ns off\nf 1 2 3\nf 1 3 4"};
    CLEANUP(file_mesh_clear) FileMesh mesh = {0};
    for (size_t i = 0; i < sizeof faces / sizeof faces[0]; i++) {
        const char *text =
            text_of("# comment\r\nmtllib a.mtl\no quad\nv 0 0 0\r\nv 1 0 0 1.0\nv 1 1 0 0.5 0.5 0.5\nv 0 "
                    "\\\r\n1 0\nvt 0 0\nvn 0 0 1\n\n%s",
                    faces[i]);
        const int32_t expected[] = {0, 1, 2, 0, 2, 3};
        assert_ok(parse(text, &mesh));
        assert_int_equal(mesh.vertex_count, 4);
        assert_int_equal(mesh.triangle_count, 2);
        assert_memory_equal(mesh.triangles, expected, sizeof expected);
        assert_true(mesh.positions[7] == 1.0f && mesh.positions[9] == 0.0f && mesh.positions[10] == 1.0f);
        assert_int_equal(mesh.vertex_lines[3], 8);
    }
    /* Negative indices count back from the latest vertex. */
    assert_ok(parse("v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 0 0 1\nf -3 -2 -1\n", &mesh));
    const int32_t relative[] = {0, 1, 2, 1, 2, 3};
    assert_memory_equal(mesh.triangles, relative, sizeof relative);
    /* Positive indices may refer to later vertices. A pentagon is a fan of three triangles. */
    assert_ok(parse("f 1 2 3 4 5\nv 0 0 0\nv 0 0 0\nv 0 0 0\nv 0 0 0\nv 0 0 0", &mesh));
    const int32_t fan[] = {0, 1, 2, 0, 2, 3, 0, 3, 4};
    assert_int_equal(mesh.triangle_count, 3);
    assert_memory_equal(mesh.triangles, fan, sizeof fan);
    assert_ok(parse("", &mesh));
    assert_int_equal(mesh.vertex_count, 0);
}

TEST(damage_is_named)
{
    static const char *const rows[][2] = {
        {"v 0 0 0\nv 1 2\n", "a.obj:2: vertex 1 has 2 coordinates, expected 3"},
        {"v\n", "a.obj:1: vertex 0 has 0 coordinates"},
        {"v 1 x 2\n", "a.obj:1: vertex 0 has 'x' as value 1, expected a finite number"},
        {"v 1 2 3x\n", "a.obj:1: vertex 0 has '3x' as value 2"},
        {"v 1 2 1.5.5\n", "'1.5.5' as value 2"},
        {"v 1 nan 2\n", "'nan' as value 1"},
        {"v 1 -inf 2\n", "'-inf' as value 1"},
        {"v 1 1e99 2\n", "'1e99' as value 1"},
        {"v 1 2 3 4 5 6 7 8 9\n", "'9' as value 8, expected 3 coordinates"},
        {"v1 2 3\n", "a.obj:1: 'v1' does not begin a statement"},
        {"v 0 0 0\nf 1 1\n", "a.obj:2: face has 2 corners"},
        {"v 0 0 0\nf 1 1 0\n",
         "a.obj:2: face corner '0' is not v, v/vt, v//vn or v/vt/vn (vertices so far: 1)"},
        {"v 0 0 0\nf 1 1 -2\n", "face corner '-2' is not v, v/vt"},
        {"v 0 0 0\n\nf 1 1 2\n", "a.obj:3: a face refers to vertex 2, but there are 1"},
        {"v 0 0 0\nf 1 1 1/-\n", "face corner '1/-' is not v, v/vt"},
        {"v 0 0 0\nf 1 1 1/1/x\n", "face corner '1/1/x' is not v, v/vt"},
        {"v 0 0 0\nf 1 1 1/1/1/1\n", "face corner '1/1/1/1' is not v, v/vt"},
        {"v 0 0 0\nf 1 1 /1\n", "face corner '/1' is not v, v/vt"},
        {"v 0 0 0\nf 1 1 1/0\n", "face corner '1/0' is not v, v/vt"},
        {"v 0 0 0\nf 1 1 a\n", "face corner 'a' is not v, v/vt"},
        {"v 0 0 0\nf 1 1 99999999999999999999\n", "'99999999999999999999' is not v, v/vt"},
        {"v 0 0 0\n{\"json\": 1}\n", "a.obj:2: '{\"json\":' does not begin a statement"}};
    CLEANUP(file_mesh_clear) FileMesh mesh = {0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_bad_input(rows[i][1], parse(rows[i][0], &mesh));
    assert_bad_input("a.obj:1:", obj_format.parse("v 1\0 2 3", 8, "a.obj", &mesh));
}

/* The corners of a face may lack texture or normal indices. */
TEST(corners_without_all_their_parts_are_read)
{
    static const char *const faces[] = {"f 1 2 3",          "f 1/ 2/ 3/",          "f 1// 2// 3//",
                                        "f 1/1/ 2/2/ 3/3/", "f -3/1/ -2//5 -1/-1", "f 1//1 2/1/ 3/"};
    CLEANUP(file_mesh_clear) FileMesh mesh = {0};
    for (size_t i = 0; i < sizeof faces / sizeof *faces; i++) {
        assert_ok(parse(text_of("v 0 0 0\nv 1 0 0\nv 0 1 0\n%s\n", faces[i]), &mesh));
        assert_int_equal(mesh.triangle_count, 1);
        for (int k = 0; k < 3; k++)
            assert_int_equal(mesh.triangles[k], k);
    }
}

TEST(numbers_are_nearest_floats)
{
    /* Numbers to read: a number halfway between two floats, and its neighbours; subnormal numbers; the
     * largest float; and long and unusual spellings. */
    static const char *const numbers[] = {"0",
                                          "-0",
                                          "+1.5",
                                          "0.1",
                                          "-.5",
                                          "5.",
                                          "1e3",
                                          "1E-3",
                                          "16777217",
                                          "16777217.0000000001",
                                          "16777216.9999999999",
                                          "16777219",
                                          "1.00000005960464477539062500",
                                          "1.00000005960464477539062501",
                                          "1.00000005960464477539062499",
                                          "0.26256031800000001",
                                          "0.000000000000000000000000000000000000000000001",
                                          "1.17549435e-38",
                                          "1e-45",
                                          "3.40282346e38",
                                          "123456789012345678901234567890",
                                          "0.0000000000000000000000000000000000001234567890123456789",
                                          "00000000000000000000000000000000000001.25",
                                          "8.5899345920000000000000000000000e9"};
    CLEANUP(file_mesh_clear) FileMesh mesh = {0};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        float expected = strtof(numbers[i], NULL);
        assert_ok(parse(text_of("v %s 0 0\n", numbers[i]), &mesh));
        assert_memory_equal(&mesh.positions[0], &expected, sizeof expected);
    }
    /* Every float is read back exactly, whether it is printed with %.9g or as a double with 17 digits. */
    Random random = {3};
    for (int i = 0; i < 20000; i++) {
        uint32_t bits = (uint32_t)random_next(&random);
        float value, between;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        double middle = (double)value + 0.5 * ((double)nextafterf(value, INFINITY) - (double)value);
        if (!isfinite((float)middle))
            continue;
        assert_ok(parse(text_of("v %.9g %.17g %.17f\n", (double)value, middle, 1e-3 * i), &mesh));
        between = strtof(text_of("%.17g", middle), NULL);
        assert_memory_equal(&mesh.positions[0], &value, sizeof value);
        assert_memory_equal(&mesh.positions[1], &between, sizeof between);
        assert_true(mesh.positions[2] == (float)(1e-3 * i));
    }
}

TEST(topologies_are_compared)
{
    const char *first_text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n";
    static const char *const rows[][2] = {
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\n", "b.obj:6: has 1 triangles, expected 2 as in a.obj"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\nf 1 3 4\n", "b.obj:7: has 3 triangles"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 2 3 3", "b.obj:5: has 3 vertices, expected 4 as in a.obj"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 5 5 5\nf 1 2 3", "b.obj:5: has 5 vertices, expected 4"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 4 2 3",
         "b.obj:6: triangle 1 is 4 2 3, expected 2 4 3 as in a.obj:6"}};
    CLEANUP(file_mesh_clear) FileMesh first = {0}, mesh = {0};
    assert_ok(parse(first_text, &first));
    assert_ok(parse(first_text, &mesh));
    assert_ok(file_mesh_same_topology(&first, "a.obj", &mesh, "b.obj"));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_ok(parse(rows[i][0], &mesh));
        assert_bad_input(rows[i][1], file_mesh_same_topology(&first, "a.obj", &mesh, "b.obj"));
    }
}

TEST(no_memory_is_a_status)
{
    CLEANUP(file_mesh_clear) FileMesh mesh = {0};
    assert_allocations_may_fail(4, parse("v 0 0 0\nf 1 1 1\n", &mesh), file_mesh_clear(&mesh));
}

TEST(names_sort_as_people_number)
{
    static const char *const sorted[] = {"",
                                         "1.obj",
                                         "2.obj",
                                         "10.obj",
                                         "a/9/1.obj",
                                         "a/10/1.obj",
                                         "mesh",
                                         "mesh_0.obj",
                                         "mesh_7.obj",
                                         "mesh_007.obj2",
                                         "mesh_8.obj",
                                         "mesh_99999999999999999999999.obj",
                                         "mesh_100000000000000000000000.obj",
                                         "meshes"};
    const int count = (int)(sizeof sorted / sizeof sorted[0]);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            int order = natural_compare(sorted[i], sorted[j]);
            assert_int_equal((order > 0) - (order < 0), (i > j) - (i < j));
        }
    assert_true(natural_compare("007", "7") < 0 && natural_compare("7", "007") > 0);
    assert_true(natural_compare("007b", "7a") > 0);
}
