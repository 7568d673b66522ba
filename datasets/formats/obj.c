/* Reads Wavefront OBJ text. Only vertices and faces are read. Corners may be written v, v/vt, v//vn or
 * v/vt/vn; negative numbers count back from the last vertex. Texture coordinates, normals, groups,
 * materials and the like are skipped. Lines may end in CR LF and continue after a backslash. */
#include "datasets/formats/mesh_file.h"
#include "datasets/formats/number_text.h"

enum { LINES_MAX = INT32_MAX - 1 };

typedef struct Parser {
    const char *next, *end; /* next: current position; end: end of the text, where there is a NUL */
    const char *place;
    int32_t line;
    FileMesh *mesh;
} Parser;

/* Returns the length of a line continuation (a backslash and the line end after it), or 0. */
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

/* Parses "v x y z", which may be followed by a weight or a colour. */
static Status vertex_parse(Parser *parser)
{
    enum { NUMBERS_MAX = 8 };
    FileMesh *mesh = parser->mesh;
    int count = 0, number = mesh->vertex_count;
    float numbers[NUMBERS_MAX];
    char word[WORD_BYTES];
    for (skip_blanks(parser); !at_line_end(parser); skip_blanks(parser)) {
        const char *start = parser->next;
        bool found = count < NUMBERS_MAX && float_read(&parser->next, &numbers[count]);
        bool separate = at_line_end(parser) || is_blank(*parser->next) || continuation_at(parser->next) > 0;
        if (!found || !separate || !isfinite(numbers[count])) {
            parser->next = start;
            return bad_input("%s:%d: vertex %d has '%s' as value %d, expected %s", parser->place,
                             parser->line, number, word_for_message(parser->next, parser->end, word), count,
                             count < NUMBERS_MAX ? "a finite number" : "3 coordinates");
        }
        count++;
    }
    if (count < 3)
        return bad_input("%s:%d: vertex %d has %d coordinates, expected 3", parser->place, parser->line,
                         number, count);
    return file_mesh_vertex(mesh, numbers, parser->place, parser->line);
}

static Status face_parse(Parser *parser)
{
    FaceFan fan = {0};
    for (skip_blanks(parser); !at_line_end(parser); skip_blanks(parser)) {
        int32_t corner = 0;
        /* Parses one corner: v, v/vt, v//vn or v/vt/vn. Every number after v may be missing, and negative
         * numbers count back from the latest vertex. The corner may refer to a later vertex; this is
         * checked once all vertices are known. */
        int64_t vertex = 0, unused = 0;
        const char *start = parser->next;
        bool sound = integer_read(&parser->next, &vertex) && vertex != 0;
        for (int part = 0; sound && part < 2 && *parser->next == '/'; part++) {
            const char *number = ++parser->next;
            sound = !integer_read(&parser->next, &unused) ? parser->next == number : unused != 0;
        }
        sound =
            sound && (at_line_end(parser) || is_blank(*parser->next) || continuation_at(parser->next) > 0);
        if (vertex < 0)
            vertex += parser->mesh->vertex_count + 1;
        if (!sound || vertex < 1 || vertex > FILE_MESH_COUNT_MAX) {
            char word[WORD_BYTES];
            parser->next = start;
            return bad_input("%s:%d: face corner '%s' is not v, v/vt, v//vn or v/vt/vn (vertices so far: %d)",
                             parser->place, parser->line, word_for_message(parser->next, parser->end, word),
                             parser->mesh->vertex_count);
        }
        corner = (int32_t)(vertex - 1);
        STATUS_TRY(file_mesh_corner(parser->mesh, &fan, corner, parser->place, parser->line));
    }
    if (fan.corner_count < 3)
        return bad_input("%s:%d: face has %d corners, expected at least 3", parser->place, parser->line,
                         fan.corner_count);
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
    /* All other statements begin with a letter: texture coordinates, normals, groups, materials and
     * extensions. The caller skips the rest of the line. */
    if (length > 0 && !read)
        return status_ok();
    char shown[WORD_BYTES];
    return bad_input("%s:%d: '%s' does not begin a statement of an OBJ file", parser->place, parser->line,
                     word_for_message(parser->next, parser->end, shown));
}

/* Parses statements up to the first face, or up to the end of the text if `with_faces` is set. */
static Status statements_parse(Parser *parser, bool with_faces)
{
    while (parser->next < parser->end) {
        skip_blanks(parser);
        if (*parser->next == 'f' && !with_faces)
            break;
        STATUS_TRY(at_line_end(parser) ? status_ok() : statement_parse(parser));
        while (parser->next < parser->end && *parser->next != '\n') {
            size_t joint = continuation_at(parser->next);
            if (joint > 0)
                parser->line++;
            parser->next += joint > 0 ? joint : 1;
        }
        if (parser->line >= LINES_MAX)
            return bad_input("%s: has more than %d lines", parser->place, LINES_MAX);
        if (parser->next < parser->end) {
            parser->next++;
            parser->line++;
        }
    }
    return status_ok();
}

static Status obj_parse(const char *text, size_t length, const char *place, FileMesh *mesh)
{
    Parser parser = {.next = text, .end = text + length, .place = place, .line = 1, .mesh = mesh};
    bool repeats = false;
    file_mesh_begin(mesh, 1);
    STATUS_TRY(statements_parse(&parser, false));
    if (parser.next < parser.end) {
        const MeshText parts = {.head = text,
                                .rest = parser.next,
                                .length = (size_t)(parser.end - parser.next),
                                .line = parser.line};
        STATUS_TRY(file_mesh_repeats(mesh, &parts, &repeats, &parser.line));
        if (!repeats) {
            STATUS_TRY(statements_parse(&parser, true));
            STATUS_TRY(file_mesh_check(mesh, place));
            file_mesh_kept(mesh, parser.line);
        }
    }
    mesh->line_count = parser.line;
    return status_ok();
}

static void obj_write(FILE *file, const float *positions, int vertex_count, const int32_t *triangles,
                      int triangle_count)
{
    for (int64_t v = 0; v < vertex_count; v++)
        fprintf(file, "v %.9g %.9g %.9g\n", (double)positions[3 * v], (double)positions[3 * v + 1],
                (double)positions[3 * v + 2]);
    for (int64_t t = 0; t < triangle_count; t++)
        fprintf(file, "f %" PRId32 " %" PRId32 " %" PRId32 "\n", triangles[3 * t] + 1,
                triangles[3 * t + 1] + 1, triangles[3 * t + 2] + 1);
}

const MeshFileFormat obj_format = {.name = "OBJ", .suffix = ".obj", .parse = obj_parse, .write = obj_write};
