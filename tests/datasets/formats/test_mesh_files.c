/* Tests PLY and OFF files given as bytes: all supported kinds are read, each kind of damage has its
 * message, and written files are read back. */
#include "tests/bytes.h"
#include "tests/support.h"

#include "datasets/base/random.h"
#include "datasets/formats/mesh_file.h"

static void put_string(Bytes *bytes, const char *text)
{
    put_text(bytes, text, strlen(text));
}

/* Parses from memory that ends with the text, so that the address sanitizer detects reads beyond it. */
static Status parse(const MeshFileFormat *format, const char *bytes, size_t length, FileMesh *mesh)
{
    OWNED_BY(free) char *text = malloc(length + 1);
    assert_non_null(text);
    memcpy(text, bytes, length);
    text[length] = '\0';
    Status status = format->parse(text, length, "a", mesh);
    return status;
}

/* Returns a coordinate of the test's mesh. Vertex i is at (i, -i / 4, 2^-i). The faces are the quad 0 1 2
 * 3, split into a fan, and the triangle 0 2 4. */
static float coordinate(int vertex, int axis)
{
    return axis == 0 ? (float)vertex : axis == 1 ? -0.25f * (float)vertex : ldexpf(1.0f, -vertex);
}

enum { VERTICES = 5, TRIANGLES = 3 };
static const int32_t triangles[3 * TRIANGLES] = {0, 1, 2, 0, 2, 3, 0, 2, 4};

static void assert_mesh(const FileMesh *mesh)
{
    assert_int_equal(mesh->vertex_count, VERTICES);
    assert_int_equal(mesh->triangle_count, TRIANGLES);
    for (int i = 0; i < 3 * VERTICES; i++)
        assert_true(mesh->positions[i] == coordinate(i / 3, i % 3));
    assert_memory_equal(mesh->triangles, triangles, sizeof triangles);
}

/* Writes the mesh as PLY with doubles and bytes in unusual places, and with irrelevant elements. The file
 * is text if `kind` is 0. */
static void odd_ply_make(int kind, Bytes *out)
{
    static const char *const encodings[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    const bool big = kind == 2;
    *out = (Bytes){0};
    put_string(out, "ply\r\nformat ");
    put_string(out, encodings[kind]);
    put_string(
        out,
        " 1.0\r\ncomment made by hand\nobj_info nothing\nelement material 1\nproperty list uint8 double "
        "numbers\nproperty uchar kind\nelement face 2\nproperty short group\nproperty list ushort uint "
        "vertex_index\nelement empty 7\nelement vertex 5\nproperty float z\nproperty list char int16 "
        "marks\nproperty int nx\nproperty double x\nproperty float32 y\nproperty uint8 red\nend_header\n");
    if (kind == 0) {
        put_string(out, "2 0.5 nonsense 7\n\n-1 4 0 1 2 3\n  1 3\t0 2 4 \r\n");
        for (int i = 0; i < VERTICES; i++)
            put_string(out, text_of("%.9g 1 17 -3 %.17g %.9g 255\n", (double)coordinate(i, 2),
                                    (double)coordinate(i, 0), (double)coordinate(i, 1)));
        return;
    }
    put_bits(out, 2, 1, big);
    put_double(out, 0.5, big);
    put_double(out, (double)NAN, big); /* belongs to a skipped property, so it does not matter */
    put_bits(out, 7, 1, big);
    put_bits(out, (uint64_t)-1, 2, big);
    put_bits(out, 4, 2, big);
    for (unsigned i = 0; i < 4; i++)
        put_bits(out, i, 4, big);
    put_bits(out, 1, 2, big);
    put_bits(out, 3, 2, big);
    for (int i = 6; i < 9; i++)
        put_bits(out, (uint64_t)triangles[i], 4, big);
    for (int i = 0; i < VERTICES; i++) {
        put_float(out, coordinate(i, 2), big);
        put_bits(out, 1, 1, big);
        put_bits(out, 17, 2, big);
        put_bits(out, (uint64_t)-3, 4, big);
        put_double(out, (double)coordinate(i, 0), big);
        put_float(out, coordinate(i, 1), big);
        put_bits(out, 255, 1, big);
    }
}

static const char *const off_texts[] = {
    "OFF\n5 3 0\n0 0 1\n1 -0.25 0.5\n2 -0.5 0.25\n3 -0.75 0.125\n4 -1 0.0625\n3 0 1 2\n3 0 2 3\n3 0 2 4\n",
    "COFF 5 2 9 # counts\n# a comment\n0 0 1 255 0 0 1\n1 -0.25 0.5 1 1 1 1\n\n2 -0.5 0.25 0 0 0 0\n"
    "3 -0.75 0.125 0 0 0 0\r\n4 -1 0.0625 0 0 0 0\n 4 0 1 2 3  0.1 0.2 0.3\n3 0 2 4 7",
    "STCNOFF\n5 2 0\n0 0 1 0 0 1 9 9\n1 -.25 .5 0 0 1 9 9\n2 -.5 .25\n3 -.75 1.25e-1\n4 -1 625e-4\n4 0 1 2 "
    "3\n3 0 2 4",
    "5 2\n0 0 1\n1 -0.25 0.5\n2 -0.5 0.25\n3 -0.75 0.125\n4 -1 0.0625\n4 0 1 2 3\n3 0 2 4\n"};

TEST(every_kind_is_read)
{
    CLEANUP(file_mesh_clear) FileMesh mesh = {0};
    for (int kind = 0; kind < 3; kind++) {
        Bytes ply;
        odd_ply_make(kind, &ply);
        assert_ok(parse(&ply_format, ply.bytes, ply.length, &mesh));
        assert_mesh(&mesh);
        /* Line numbers of vertices are known only for text files, and otherwise 0. Vertex 4 is on line 28,
         * after the header and other elements. */
        assert_int_equal(mesh.vertex_lines[4], kind == 0 ? 28 : 0);
    }
    for (size_t i = 0; i < sizeof off_texts / sizeof *off_texts; i++) {
        assert_ok(parse(&off_format, off_texts[i], strlen(off_texts[i]), &mesh));
        assert_mesh(&mesh);
    }
}

#define HEADER(encoding, vertices, faces)                                                                    \
    "ply\nformat " encoding " 1.0\nelement vertex " vertices                                                 \
    "\nproperty float x\nproperty float y\nproperty float z\nelement face " faces                            \
    "\nproperty list uchar int vertex_indices\nend_header\n"

TEST(damage_is_named)
{
    static const struct {
        const MeshFileFormat *format;
        const char *text, *message;
        size_t length; /* length 0: the text ends at its NUL */
    } rows[] = {
        {&ply_format, "", "a: does not begin with 'ply'", 0},
        {&ply_format, "ply\nformat ascii 1.0\n", "a:3: ends before the end of its header", 0},
        {&ply_format, "ply\nformat utf8 1.0\n", "a:2: 'format utf8 1.0' in a PLY header: an unknown format",
         0},
        {&ply_format, "ply\nend_header\n", "the format is missing", 0},
        {&ply_format, "ply\nproperty float x\n", "a:2: 'property float x' in a PLY header: a property before",
         0},
        {&ply_format, "ply\nelement vertex -1\n", "a negative count", 0},
        {&ply_format, "ply\nelement vertex many\n", "a:2: the count of element 0 has 'many'", 0},
        {&ply_format, "ply\nelement vertex 1\nelement vertex 1\n", "an element occurs twice", 0},
        {&ply_format, "ply\nelement tristrips 1\n", "triangle strips are not supported", 0},
        {&ply_format, "ply\nelement vertex 1\nproperty quad x\n",
         "a:3: 'property quad x' in a PLY header: not a number type", 0},
        {&ply_format, "ply\nelement vertex 1\nproperty float x\nproperty float x\n",
         "a property occurs twice", 0},
        {&ply_format, "ply\nelement face 1\nproperty list float int vertex_index\n",
         "not a list of whole numbers", 0},
        {&ply_format, "ply\nvertices 1\n", "'vertices 1' in a PLY header: does not begin a known line", 0},
        {&ply_format, "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n1\n",
         "a: vertices have no properties x, y and z", 0},
        {&ply_format, HEADER("ascii", "900000000", "0") "0 0 0\n",
         "a: declares 900000000 of element 'vertex'", 0},
        {&ply_format, HEADER("ascii", "99999999999999999999", "0") "0 0 0\n",
         "of element 'vertex', at least 6 bytes", 0},
        {&ply_format, HEADER("binary_little_endian", "2", "0") "0123456789ab",
         "a: declares 2 of element 'vertex', at least 12 bytes each; 12 bytes", 0},
        {&ply_format, HEADER("ascii", "2", "0") "0 0 0\n      \n", "a:12: ends before vertex 1 of 2", 0},
        {&ply_format, HEADER("ascii", "2", "0") "0 0\n0 1 2 3\n",
         "a:10: vertex 0 has '', expected a finite number", 0},
        {&ply_format, HEADER("ascii", "1", "0") "0 0 1 2\n", "a:10: vertex 0 has more values", 0},
        {&ply_format, HEADER("ascii", "1", "0") "0 inf 1\n", "a:10: vertex 0 has 'inf'", 0},
        {&ply_format, HEADER("ascii", "1", "1") "0 0 1\n2 0 0\n", "a:11: face 0 has 2 corners", 0},
        {&ply_format, HEADER("ascii", "1", "1") "0 0 1\n3 0 0 1\n",
         "a:11: a face refers to vertex 1, but there are 1", 0},
        {&ply_format, HEADER("ascii", "1", "1") "0 0 1\n3 0 0 -1\n", "a:11: face 0 names vertex -1", 0},
        {&ply_format, HEADER("ascii", "1", "1") "0 0 1\n4 0 0 0\n", "a:11: face 0 has ''", 0},
        {&ply_format, HEADER("ascii", "1", "0") "0 0 1\n0 0 1\n", "has 6 bytes more", 0},
        {&ply_format, HEADER("binary_little_endian", "1", "0") "01234567\0\0\x80\x7f",
         "a: vertex 0 has inf, expected a finite", sizeof HEADER("binary_little_endian", "1", "0") + 11},
        {&ply_format, HEADER("binary_big_endian", "1", "0") "\x7f\xc0\0\00001234567", "a: vertex 0 has nan",
         sizeof HEADER("binary_big_endian", "1", "0") + 11},
        {&ply_format, HEADER("binary_little_endian", "0", "1") "\3\0\0\0\0\0\0\0\0",
         "a: ends within face 0 of 1", sizeof HEADER("binary_little_endian", "0", "1") + 8},
        {&ply_format, HEADER("binary_little_endian", "0", "1") "\3\0\0\0\0\0\0\0\0\0\0\0\0",
         "a: a face refers to vertex 0, but there are 0 vertices (triangle 0)",
         sizeof HEADER("binary_little_endian", "0", "1") + 12},
        {&ply_format, HEADER("binary_little_endian", "0", "0") "xyz", "a: has 3 bytes more", 0},
        {&off_format, "", "a:1: is empty", 0},
        {&off_format, "4OFF\n1 0 0\n0 0 0 1\n", "a:1: vertices 0 has '4OFF', expected a whole number", 0},
        {&off_format, "OFX\n", "a:1: 'OFX' is not a keyword", 0},
        {&off_format, "OFF BINARY\n", "a:1: is 'BINARY'; OFF files are read as text", 0},
        {&off_format, "OFF\n", "a:2: ends before count 0", 0},
        {&off_format, "OFF\n1\n0 0 0\n", "faces 0 has ''", 0},
        {&off_format, "OFF\n-1 0 0\n", "a:2: declares -1 vertices", 0},
        {&off_format, "OFF\n900000000 0 0\n0 0 0\n", "a:2: declares 900000000 vertices, but only", 0},
        {&off_format, "OFF\n1 900000000 0\n0 0 0\n", "a:2: declares 900000000 faces, but only", 0},
        {&off_format, "OFF\n2 0 0\n0 0 0\n", "a:4: ends before vertex 1 of 2", 0},
        {&off_format, "OFF\n1 0 0\n0 0 x\n", "a:3: vertex 0 has 'x'", 0},
        {&off_format, "OFF\n1 0 0\n0 nan 0\n", "a:3: vertex 0 has 'nan'", 0},
        {&off_format, "OFF\n1 1 0\n0 0 0\n2 0 0 9\n", "a:4: face 0 has 2 corners", 0},
        {&off_format, "OFF\n1 1 0\n0 0 0\n3 0 0 1\n", "a:4: face 0 names vertex 1, but there are 1", 0},
        {&off_format, "OFF\n1 1 0\n0 0 0\n3 0 0\n    \n", "a:4: face 0 has ''", 0},
        {&off_format, "OFF\n1 0 0\n0 0 0\n0 0 0\n", "a:4: continues after the 1 vertices and 0 faces", 0}};
    CLEANUP(file_mesh_clear) FileMesh mesh = {0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_bad_input(rows[i].message,
                         parse(rows[i].format, rows[i].text,
                               rows[i].length > 0 ? rows[i].length : strlen(rows[i].text), &mesh));
}

/* The file is truncated at every length, and each byte is changed in turn. It is either read or refused,
 * without any crash. */
TEST(no_damage_breaks_a_reader)
{
    CLEANUP(file_mesh_clear) FileMesh mesh = {0};
    for (int kind = 0; kind < 4; kind++) {
        Bytes whole = {0};
        const MeshFileFormat *format = kind < 3 ? &ply_format : &off_format;
        if (kind < 3)
            odd_ply_make(kind, &whole);
        else
            put_string(&whole, off_texts[2]);
        for (size_t length = 0; length < whole.length; length++) {
            Status status = parse(format, whole.bytes, length, &mesh);
            /* A text that loses the end of its last number may still be read. */
            assert_true(status.code == STATUS_BAD_INPUT || (kind % 3 == 0 && length > whole.length - 4));
        }
        for (size_t at = 0; at < whole.length; at++)
            for (unsigned mask = 1; mask < 256; mask *= 2) {
                Bytes damaged = whole;
                damaged.bytes[at] = (char)(damaged.bytes[at] ^ (char)mask);
                Status status = parse(format, damaged.bytes, damaged.length, &mesh);
                assert_true(status.code == STATUS_OK || status.code == STATUS_BAD_INPUT);
            }
    }
}

/* Written files are read back. Their first bytes must agree with the descriptions of the formats. */
TEST(what_is_written_is_read)
{
    enum { MANY = 3000, FORMATS = 3 };
    static const MeshFileFormat *const formats[FORMATS] = {&obj_format, &ply_format, &off_format};
    static float positions[3 * MANY];
    static int32_t faces[3 * MANY];
    Random random = {7};
    for (int i = 0; i < 3 * MANY; i++) {
        uint32_t bits = (uint32_t)random_next(&random);
        memcpy(positions + i, &bits, sizeof bits);
        if (!isfinite(positions[i]))
            positions[i] = -0.0f;
        faces[i] = (int32_t)(random_next(&random) % MANY);
    }
    for (int i = 0; i < FORMATS; i++) {
        CLEANUP(file_mesh_clear) FileMesh mesh = {0};
        OWNED_BY(free) char *text = NULL;
        size_t length = 0;
        FILE *file = open_memstream(&text, &length);
        formats[i]->write(file, positions, MANY, faces, MANY);
        assert_int_equal(fclose(file), 0);
        assert_ok(parse(formats[i], text, length, &mesh));
        assert_int_equal(mesh.vertex_count, MANY);
        assert_int_equal(mesh.triangle_count, MANY);
        assert_memory_equal(mesh.positions, positions, sizeof positions);
        assert_memory_equal(mesh.triangles, faces, sizeof faces);
        /* Parse the same text into the same mesh again. */
        assert_ok(parse(formats[i], text, length, &mesh));
        assert_memory_equal(mesh.triangles, faces, sizeof faces);
        /* Parse a file with other faces, which come before its vertices. Then parse the first text
         * again. */
        Bytes odd;
        odd_ply_make(1, &odd);
        assert_ok(parse(&ply_format, odd.bytes, odd.length, &mesh));
        assert_mesh(&mesh);
        assert_ok(parse(formats[i], text, length, &mesh));
        assert_memory_equal(mesh.positions, positions, sizeof positions);
        assert_memory_equal(mesh.triangles, faces, sizeof faces);
        if (formats[i] == &ply_format) {
            const char *body = strstr(text, "end_header\n") + strlen("end_header\n");
            Bytes expected = {0};
            put_float(&expected, positions[0], false);
            assert_memory_equal(body, expected.bytes, 4);
            assert_int_equal(length, (size_t)(body - text) + MANY * (12 + 13));
        }
    }
}

/* Faces are reused if their text is the same as in the previous file. If anything in or before them
 * differs, they are parsed again. */
TEST(repeated_faces_are_the_same)
{
    static const struct {
        const char *text;
        int vertices;
        int32_t last[3];
    } rows[] = {{"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf -1 -2 -3\n", 3, {2, 1, 0}},
                {"v 5 0 0\nv 1 5 0\nv 0 1 5\nf 1 2 3\nf -1 -2 -3\n", 3, {2, 1, 0}},
                {"v 5 0 0\nv 1 5 0\nv 0 1 5\nv 9 9 9\nf 1 2 3\nf -1 -2 -3\n", 4, {3, 2, 1}},
                {"# a line\nv 5 0 0\nv 1 5 0\nv 0 1 5\nv 9 9 9\nf 1 2 3\nf -1 -2 -3\n", 4, {3, 2, 1}},
                {"v 5 0 0\nv 1 5 0\nv 0 1 5\nv 9 9 9\nf 1 2 3\nf -1 -2 -4\n", 4, {3, 2, 0}},
                {"v 0 0 0\nf 1 2 3\nv 1 0 0\nv 0 1 0\nf -1 -2 -3\n", 3, {2, 1, 0}},
                {"v 8 0 0\nf 1 2 3\nv 1 0 0\nv 0 1 0\nf -1 -2 -3\n", 3, {2, 1, 0}}};
    CLEANUP(file_mesh_clear) FileMesh mesh = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_ok(parse(&obj_format, rows[i].text, strlen(rows[i].text), &mesh));
        assert_int_equal(mesh.vertex_count, rows[i].vertices);
        assert_int_equal(mesh.triangle_count, 2);
        assert_memory_equal(mesh.triangles + 3, rows[i].last, sizeof rows[i].last);
        assert_true(mesh.positions[0] == strtof(strchr(strstr(rows[i].text, "v "), ' '), NULL));
    }
}
