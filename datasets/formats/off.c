/* Reads the Object File Format (Geomview) as text: OFF and its variants COFF, NOFF, STOFF, ..., which add
 * colours, normals or texture coordinates to the vertices. The rest of a line after a vertex's coordinates
 * or a face's corners is skipped. The keyword may be missing, and the counts may be on its line. # begins a
 * comment. */
#include "datasets/formats/mesh_file.h"
#include "datasets/formats/number_text.h"

/* Skips the keyword. Refuses binary files and dimensions other than three. */
static Status keyword_parse(LineText *text)
{
    char word[WORD_BYTES];
    while (line_text_ends(text))
        if (!line_text_step(text))
            return bad_input("%s:%" PRId32 ": is empty", text->place, text->line);
    if (is_digit(*text->next))
        return status_ok();
    word_for_message(text->next, text->end, word);
    const char *kind = word;
    const char *const prefixes[] = {"ST", "C", "N"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(kind, prefixes[i], strlen(prefixes[i])) == 0)
            kind += strlen(prefixes[i]);
    /* in many files the counts follow the keyword without a space, as in OFF490 518 0 */
    if (strncmp(kind, "OFF", 3) != 0 || (kind[3] != '\0' && !is_digit(kind[3])))
        return bad_input("%s:%" PRId32 ": '%s' is not a keyword of a supported OFF file", text->place,
                         text->line, word);
    text->next += kind + 3 - word;
    if (line_text_ends(text))
        return status_ok();
    if (!is_digit(*text->next)) /* "OFF BINARY" */
        return bad_input("%s:%" PRId32 ": is '%s'; OFF files are read as text", text->place, text->line,
                         word_for_message(text->next, text->end, word));
    return status_ok();
}

/* Parses a count of records, and checks that the rest of the text is long enough for that many records of
 * at least `bytes` bytes. */
static Status count_parse(LineText *text, const char *what, size_t bytes, int64_t *count)
{
    STATUS_TRY(line_text_integer(text, what, 0, count));
    const size_t left = (size_t)(text->end - text->next) + 1;
    if (*count < 0 || (uint64_t)*count > left / bytes)
        return bad_input("%s:%" PRId32 ": declares %" PRId64 " %s, but only %zu bytes follow", text->place,
                         text->line, *count, what, left - 1);
    return status_ok();
}

static Status off_parse(const char *bytes, size_t length, const char *place, FileMesh *mesh)
{
    LineText text = {.next = bytes, .end = bytes + length, .place = place, .line = 1, .comment = '#'};
    int64_t vertices = 0, faces = 0;
    bool repeats = false;
    file_mesh_begin(mesh, 0);
    STATUS_TRY(keyword_parse(&text));
    STATUS_TRY(line_text_find(&text, "count", 0, 2));
    STATUS_TRY(count_parse(&text, "vertices", sizeof "0 0 0", &vertices));
    STATUS_TRY(count_parse(&text, "faces", sizeof "3 0 0 0", &faces));
    const char *body = text.next;
    line_text_step(&text); /* also skips the count of edges, which is not needed */
    for (int64_t v = 0; v < vertices; v++) {
        float position[3];
        STATUS_TRY(line_text_find(&text, "vertex", v, vertices));
        for (int axis = 0; axis < 3; axis++)
            STATUS_TRY(line_text_float(&text, "vertex", v, position + axis));
        STATUS_TRY(file_mesh_vertex(mesh, position, place, text.line));
        line_text_step(&text);
    }
    const MeshText parts = {.head = bytes,
                            .head_length = (size_t)(body - bytes),
                            .rest = text.next,
                            .length = (size_t)(text.end - text.next),
                            .line = text.line};
    STATUS_TRY(file_mesh_repeats(mesh, &parts, &repeats, &text.line));
    if (!repeats) {
        for (int64_t f = 0; f < faces; f++) {
            STATUS_TRY(line_text_find(&text, "face", f, faces));
            FaceFan fan = {0};
            int64_t corners = 0, vertex = 0;
            STATUS_TRY(line_text_integer(&text, "face", f, &corners));
            if (corners < 3)
                return bad_input("%s:%" PRId32 ": face %" PRId64 " has %" PRId64
                                 " corners, expected at least 3",
                                 text.place, text.line, f, corners);
            for (int64_t i = 0; i < corners; i++) {
                STATUS_TRY(line_text_integer(&text, "face", f, &vertex));
                if (vertex < 0 || vertex >= mesh->vertex_count)
                    return bad_input("%s:%" PRId32 ": face %" PRId64 " names vertex %" PRId64
                                     ", but there are %d vertices",
                                     text.place, text.line, f, vertex, mesh->vertex_count);
                STATUS_TRY(file_mesh_corner(mesh, &fan, (int32_t)vertex, text.place, text.line));
            }
            line_text_step(&text);
        }
        while (line_text_ends(&text) && line_text_step(&text))
            ;
        if (!line_text_ends(&text))
            return bad_input("%s:%" PRId32 ": continues after the %d vertices and %" PRId64
                             " faces that it declares",
                             text.place, text.line, mesh->vertex_count, faces);
        file_mesh_kept(mesh, text.line);
    }
    mesh->line_count = text.line;
    return status_ok();
}

static void off_write(FILE *file, const float *positions, int vertex_count, const int32_t *triangles,
                      int triangle_count)
{
    fprintf(file, "OFF\n%d %d 0\n", vertex_count, triangle_count);
    for (int64_t v = 0; v < vertex_count; v++)
        fprintf(file, "%.9g %.9g %.9g\n", (double)positions[3 * v], (double)positions[3 * v + 1],
                (double)positions[3 * v + 2]);
    for (int64_t t = 0; t < triangle_count; t++)
        fprintf(file, "3 %" PRId32 " %" PRId32 " %" PRId32 "\n", triangles[3 * t], triangles[3 * t + 1],
                triangles[3 * t + 2]);
}

const MeshFileFormat off_format = {.name = "OFF", .suffix = ".off", .parse = off_parse, .write = off_write};
