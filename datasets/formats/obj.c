/* Reads Wavefront OBJ line by line, with a number reader of its own, and writes it. */
#include "datasets/formats/obj.h"

#include "datasets/base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT_MAX = (1 << 29) - 1, LINES_MAX = INT32_MAX - 1 };

typedef struct Parser {
    const char *next, *end; /* *end is NUL */
    const char *place;
    int32_t line;
    ObjMesh *mesh;
} Parser;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A backslash at the end of a line joins the next one. */
static size_t continuation_at(const char *text)
{
    if (text[0] != '\\')
        return 0;
    size_t length = text[1] == '\r' ? 2 : 1;
    return text[length] == '\n' ? length + 1 : 0;
}

static void skip_blanks(Parser *parser)
{
    for (;;) {
        size_t joint = continuation_at(parser->next);
        if (joint > 0) {
            parser->next += joint;
            parser->line++;
        } else if (is_blank(*parser->next)) {
            parser->next++;
        } else {
            return;
        }
    }
}

static bool at_line_end(const Parser *parser)
{
    return parser->next >= parser->end || *parser->next == '\n' || *parser->next == '#';
}

static void skip_line(Parser *parser)
{
    while (parser->next < parser->end && *parser->next != '\n') {
        size_t joint = continuation_at(parser->next);
        if (joint > 0)
            parser->line++;
        parser->next += joint > 0 ? joint : 1;
    }
}

/* The word at the cursor, cut to fit a message. */
static const char *word_for_message(const Parser *parser, char word[32])
{
    size_t length = 0;
    while (length < 31 && parser->next + length < parser->end && !is_blank(parser->next[length]) &&
           parser->next[length] != '\n')
        length++;
    memcpy(word, parser->next, length);
    word[length] = '\0';
    return word;
}

/* 10^exponent times a whole number, when rounding it to float by way of double is provably the nearest float:
 * the double is off by at most two units in its last place, so it decides unless it lies that close to the
 * middle between two floats. */
static bool decimal_to_float(uint64_t digits, int exponent, float *value)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (digits == 0) {
        *value = 0.0f;
        return true;
    }
    if (exponent < -22 || exponent > 22)
        return false;
    double number = exponent < 0 ? (double)digits / powers[-exponent] : (double)digits * powers[exponent];
    if (number < 1.2e-38 || number > 3.4e38)
        return false;
    uint64_t bits = 0;
    memcpy(&bits, &number, sizeof bits);
    int64_t from_middle = (int64_t)(bits & 0x1fffffff) - 0x10000000;
    *value = (float)number;
    return from_middle < -4 || from_middle > 4;
}

/* Reads the usual forms of a number by hand, everything else by strtof. False when there is none.
 * With strtof alone, the last five lines, obj_parse takes 2.0 to 2.3 times as long: both in turn on each of the 428
 * files of crane, horse-gallop and elasticCow in memory, 15 rounds, medians of the ratios (gcc 12 -O3; 125 to 146
 * MB/s by hand), the same floats. `time skinbench import obj-sequence crane.tar.xz -o x.h5` goes from 3.0 to 3.9 s
 * of processor time, archive and data set file included. */
static bool number_read(Parser *parser, float *value)
{
    const char *c = parser->next;
    bool negative = *c == '-';
    if (*c == '-' || *c == '+')
        c++;
    uint64_t digits = 0;
    int count = 0, exponent = 0;
    const char *first = c;
    for (; is_digit(*c); c++, count += digits != 0)
        digits = digits * 10 + (uint64_t)(*c - '0');
    bool any = c > first;
    if (*c == '.') {
        const char *fraction = ++c;
        for (; is_digit(*c); c++, count += digits != 0)
            digits = digits * 10 + (uint64_t)(*c - '0');
        any = any || c > fraction;
        /* A longer run of digits has overflowed and goes to strtof below. */
        exponent = count <= 19 && c - fraction < 1000 ? -(int)(c - fraction) : -1000;
    }
    if (any && (*c == 'e' || *c == 'E')) {
        const char *mark = c++;
        int sign = *c == '-' ? -1 : 1, power = 0;
        if (*c == '-' || *c == '+')
            c++;
        const char *digit = c;
        for (; is_digit(*c); c++)
            power = power < 1000 ? power * 10 + (*c - '0') : power;
        if (c == digit)
            c = mark;
        else
            exponent += sign * power;
    }
    if (any && count <= 19 && decimal_to_float(digits, exponent, value)) {
        *value = negative ? -*value : *value;
        parser->next = c;
        return true;
    }
    char *end = NULL;
    *value = strtof(parser->next, &end);
    bool found = end > parser->next;
    parser->next = end;
    return found;
}

/* Makes space for one more row in arrays that grow by half. */
static Status capacity_grow(int count, int *capacity, const char *what, void **values, size_t value_bytes,
                            int32_t **lines)
{
    if (count < *capacity)
        return status_ok();
    int larger = *capacity < 1024 ? 1024 : *capacity + *capacity / 2;
    char *new_values = memory_array((size_t)larger, value_bytes);
    int32_t *new_lines = memory_array((size_t)larger, sizeof *new_lines);
    if (!new_values || !new_lines) {
        memory_free(new_values);
        memory_free(new_lines);
        return status_out_of_memory(what);
    }
    if (count > 0) {
        memcpy(new_values, *values, (size_t)count * value_bytes);
        memcpy(new_lines, *lines, (size_t)count * sizeof *new_lines);
    }
    memory_free(*values);
    memory_free(*lines);
    *values = new_values;
    *lines = new_lines;
    *capacity = larger;
    return status_ok();
}

/* "v x y z", followed by a weight or a colour in some dialects. */
static Status vertex_parse(Parser *parser)
{
    enum { NUMBERS_MAX = 8 };
    ObjMesh *mesh = parser->mesh;
    int count = 0, number = mesh->vertex_count;
    float numbers[NUMBERS_MAX];
    char word[32];
    for (skip_blanks(parser); !at_line_end(parser); skip_blanks(parser)) {
        const char *start = parser->next;
        bool found = count < NUMBERS_MAX && number_read(parser, &numbers[count]);
        bool separate = at_line_end(parser) || is_blank(*parser->next) || continuation_at(parser->next) > 0;
        if (!found || !separate || !isfinite(numbers[count])) {
            parser->next = start;
            return status_make(STATUS_BAD_INPUT, "%s:%d: vertex %d has '%s' as value %d, expected %s",
                               parser->place, parser->line, number, word_for_message(parser, word), count,
                               count < NUMBERS_MAX ? "a finite number" : "3 coordinates");
        }
        count++;
    }
    if (count < 3)
        return status_make(STATUS_BAD_INPUT, "%s:%d: vertex %d has %d coordinates, expected 3", parser->place,
                           parser->line, number, count);
    if (number == COUNT_MAX)
        return status_make(STATUS_BAD_INPUT, "%s:%d: more than %d vertices", parser->place, parser->line,
                           COUNT_MAX);
    void *values = mesh->positions;
    Status status = capacity_grow(number, &mesh->vertex_capacity, "vertices", &values, 3 * sizeof(float),
                                  &mesh->vertex_lines);
    mesh->positions = values;
    if (status.code != STATUS_OK)
        return status;
    memcpy(mesh->positions + 3 * (size_t)number, numbers, 3 * sizeof(float));
    mesh->vertex_lines[number] = parser->line;
    mesh->vertex_count++;
    return status;
}

static bool integer_read(Parser *parser, int64_t *value)
{
    bool negative = *parser->next == '-';
    const char *c = parser->next + (negative || *parser->next == '+');
    const char *first = c;
    int64_t number = 0;
    for (; is_digit(*c); c++)
        number = number < INT64_C(1) << 40 ? number * 10 + (*c - '0') : number;
    parser->next = c;
    *value = negative ? -number : number;
    return c > first;
}

/* One corner: v, v/vt, v//vn or v/vt/vn. Counts back from the vertices so far when negative; a number past
 * them is legal here and checked once all vertices are known. */
static Status corner_parse(Parser *parser, int32_t *corner)
{
    int64_t vertex = 0, unused = 0;
    const char *start = parser->next;
    bool sound = integer_read(parser, &vertex) && vertex != 0;
    for (int part = 0; sound && part < 2 && *parser->next == '/'; part++) {
        parser->next++;
        bool left_out = part == 0 && *parser->next == '/';
        sound = left_out || (integer_read(parser, &unused) && unused != 0);
    }
    sound = sound && (at_line_end(parser) || is_blank(*parser->next) || continuation_at(parser->next) > 0);
    if (vertex < 0)
        vertex += parser->mesh->vertex_count + 1;
    if (!sound || vertex < 1 || vertex > COUNT_MAX) {
        char word[32];
        parser->next = start;
        return status_make(STATUS_BAD_INPUT, "%s:%d: face corner '%s' names no vertex (there are %d so far)",
                           parser->place, parser->line, word_for_message(parser, word),
                           parser->mesh->vertex_count);
    }
    *corner = (int32_t)(vertex - 1);
    return status_ok();
}

static Status triangle_add(Parser *parser, int32_t a, int32_t b, int32_t c)
{
    ObjMesh *mesh = parser->mesh;
    int count = mesh->triangle_count;
    if (count == COUNT_MAX)
        return status_make(STATUS_BAD_INPUT, "%s:%d: more than %d triangles", parser->place, parser->line,
                           COUNT_MAX);
    void *values = mesh->triangles;
    Status status = capacity_grow(count, &mesh->triangle_capacity, "triangles", &values, 3 * sizeof(int32_t),
                                  &mesh->triangle_lines);
    mesh->triangles = values;
    if (status.code != STATUS_OK)
        return status;
    int32_t *triangle = mesh->triangles + 3 * (size_t)count;
    triangle[0] = a;
    triangle[1] = b;
    triangle[2] = c;
    mesh->triangle_lines[count] = parser->line;
    mesh->triangle_count++;
    return status;
}

static Status face_parse(Parser *parser)
{
    int32_t first = 0, previous = 0;
    int count = 0;
    for (skip_blanks(parser); !at_line_end(parser); skip_blanks(parser)) {
        int32_t corner = 0;
        Status status = corner_parse(parser, &corner);
        if (status.code == STATUS_OK && count >= 2)
            status = triangle_add(parser, first, previous, corner);
        if (status.code != STATUS_OK)
            return status;
        if (count == 0)
            first = corner;
        previous = corner;
        count += count < 3;
    }
    if (count < 3)
        return status_make(STATUS_BAD_INPUT, "%s:%d: face has %d corners, expected at least 3", parser->place,
                           parser->line, count);
    return status_ok();
}

static Status statement_parse(Parser *parser)
{
    const char *word = parser->next;
    size_t length = 0;
    while ((word[length] | 32) >= 'a' && (word[length] | 32) <= 'z')
        length++;
    bool separate = is_blank(word[length]) || word[length] == '\n' || word[length] == '\0' ||
                    continuation_at(word + length) > 0;
    bool read = length == 1 && (word[0] == 'v' || word[0] == 'f');
    if (read && separate) {
        parser->next++;
        return word[0] == 'v' ? vertex_parse(parser) : face_parse(parser);
    }
    /* Texture coordinates, normals, groups, materials and whatever dialects add begin with a letter; the
     * caller skips what is left of a line. */
    if (length > 0 && !read)
        return status_ok();
    char shown[32];
    return status_make(STATUS_BAD_INPUT, "%s:%d: '%s' begins no statement of an OBJ file", parser->place,
                       parser->line, word_for_message(parser, shown));
}

static Status corners_check(const ObjMesh *mesh, const char *place)
{
    for (int t = 0; t < mesh->triangle_count; t++)
        for (int i = 0; i < 3; i++)
            if (mesh->triangles[3 * (size_t)t + (size_t)i] >= mesh->vertex_count)
                return status_make(STATUS_BAD_INPUT, "%s:%d: face names vertex %d, there are %d", place,
                                   mesh->triangle_lines[t], mesh->triangles[3 * (size_t)t + (size_t)i] + 1,
                                   mesh->vertex_count);
    return status_ok();
}

Status obj_parse(const char *text, size_t length, const char *place, ObjMesh *mesh)
{
    Parser parser = {.next = text, .end = text + length, .place = place, .line = 1, .mesh = mesh};
    mesh->vertex_count = mesh->triangle_count = 0;
    while (parser.next < parser.end) {
        skip_blanks(&parser);
        Status status = status_ok();
        if (!at_line_end(&parser))
            status = statement_parse(&parser);
        if (status.code != STATUS_OK)
            return status;
        skip_line(&parser);
        if (parser.line >= LINES_MAX)
            return status_make(STATUS_BAD_INPUT, "%s: more than %d lines", place, LINES_MAX);
        if (parser.next < parser.end) {
            parser.next++;
            parser.line++;
        }
    }
    mesh->line_count = parser.line;
    return corners_check(mesh, place);
}

void obj_mesh_clear(ObjMesh *mesh)
{
    memory_free(mesh->positions);
    memory_free(mesh->triangles);
    memory_free(mesh->vertex_lines);
    memory_free(mesh->triangle_lines);
    *mesh = (ObjMesh){0};
}

Status obj_same_topology(const ObjMesh *first, const char *first_place, const ObjMesh *mesh,
                         const char *place)
{
    if (mesh->vertex_count != first->vertex_count)
        return status_make(STATUS_BAD_INPUT, "%s:%d: %d vertices, expected %d as in %s", place,
                           mesh->vertex_count > first->vertex_count ? mesh->vertex_lines[first->vertex_count]
                                                                    : mesh->line_count,
                           mesh->vertex_count, first->vertex_count, first_place);
    int common = mesh->triangle_count < first->triangle_count ? mesh->triangle_count : first->triangle_count;
    for (int t = 0; t < common; t++) {
        const int32_t *a = mesh->triangles + 3 * (size_t)t, *b = first->triangles + 3 * (size_t)t;
        if (memcmp(a, b, 3 * sizeof *a) != 0)
            return status_make(STATUS_BAD_INPUT,
                               "%s:%d: triangle %d is %d %d %d, expected %d %d %d as in %s:%d", place,
                               mesh->triangle_lines[t], t, a[0] + 1, a[1] + 1, a[2] + 1, b[0] + 1, b[1] + 1,
                               b[2] + 1, first_place, first->triangle_lines[t]);
    }
    if (mesh->triangle_count != first->triangle_count)
        return status_make(STATUS_BAD_INPUT, "%s:%d: %d triangles, expected %d as in %s", place,
                           mesh->triangle_count > common ? mesh->triangle_lines[common] : mesh->line_count,
                           mesh->triangle_count, first->triangle_count, first_place);
    return status_ok();
}

void obj_write(FILE *file, const float *positions, int vertex_count, const int32_t *triangles,
               int triangle_count)
{
    for (int64_t v = 0; v < vertex_count; v++)
        fprintf(file, "v %.9g %.9g %.9g\n", (double)positions[3 * v], (double)positions[3 * v + 1],
                (double)positions[3 * v + 2]);
    for (int64_t t = 0; t < triangle_count; t++)
        fprintf(file, "f %" PRId32 " %" PRId32 " %" PRId32 "\n", triangles[3 * t] + 1,
                triangles[3 * t + 1] + 1, triangles[3 * t + 2] + 1);
}
