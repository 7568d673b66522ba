/* Reads Stanford PLY: text, little-endian or big-endian, with vertices and faces in any order and of any
 * numeric types. All other properties and elements are skipped. Reference: Greg Turk, "The PLY Polygon File
 * Format", 1994. No library is used: Debian 12 has none, and librply, which came later, reads only from
 * files and does not check counts or values. */
#include "datasets/formats/mesh_file.h"
#include "datasets/formats/number_bytes.h"
#include "datasets/formats/number_text.h"

enum { ELEMENTS_MAX = 32, PROPERTIES_MAX = 256 };

typedef enum Role { ROLE_SKIPPED, ROLE_X, ROLE_Y, ROLE_Z, ROLE_CORNERS } Role;

typedef struct Property {
    NumberType type, count_type;
    bool is_list;
    Role role;
} Property;

typedef struct Element {
    char name[WORD_BYTES];
    int64_t count;
    int first_property, property_count;
} Element;

typedef struct Ply {
    LineText text;
    const char *header_line; /* current line of the header */
    const Element *element;  /* the current record, to be named in messages: its element and its number */
    int64_t record;
    bool is_binary, big_endian;
    int element_count, property_count;
    Element elements[ELEMENTS_MAX];
    Property properties[PROPERTIES_MAX];
    FileMesh *mesh;
} Ply;

/* ---- the header ---- */

/* Refuses the file with a message that quotes the current line of the header, truncated. */
static Status header_refuse(const Ply *ply, const char *why)
{
    const char *line = ply->header_line;
    size_t length = 0;
    while (length < 60 && line + length < ply->text.end && line[length] != '\n' && line[length] != '\r')
        length++;
    return bad_input("%s:%" PRId32 ": '%.*s' in a PLY header: %s", ply->text.place, ply->text.line,
                     (int)length, line, why);
}

/* Reads the next word of the line, truncated to fit `word`. Returns an empty word at the end of the
 * line. */
static const char *word_read(Ply *ply, char word[WORD_BYTES])
{
    word[0] = '\0';
    if (!line_text_ends(&ply->text)) {
        word_for_message(ply->text.next, ply->text.end, word);
        line_text_skip(&ply->text);
    }
    return word;
}

static bool number_type_read(Ply *ply, NumberType *type)
{
    static const struct {
        const char *name;
        NumberType type;
    } rows[] = {{"char", NUMBER_INT8},      {"int8", NUMBER_INT8},       {"uchar", NUMBER_UINT8},
                {"uint8", NUMBER_UINT8},    {"short", NUMBER_INT16},     {"int16", NUMBER_INT16},
                {"ushort", NUMBER_UINT16},  {"uint16", NUMBER_UINT16},   {"int", NUMBER_INT32},
                {"int32", NUMBER_INT32},    {"uint", NUMBER_UINT32},     {"uint32", NUMBER_UINT32},
                {"float", NUMBER_FLOAT32},  {"float32", NUMBER_FLOAT32}, {"double", NUMBER_FLOAT64},
                {"float64", NUMBER_FLOAT64}};
    char word[WORD_BYTES];
    word_read(ply, word);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(word, rows[i].name) == 0) {
            *type = rows[i].type;
            return true;
        }
    return false;
}

static Role role_of(const Element *element, const Property *property, const char *name)
{
    static const struct {
        const char *element, *name;
        Role role;
    } rows[] = {{"vertex", "x", ROLE_X},
                {"vertex", "y", ROLE_Y},
                {"vertex", "z", ROLE_Z},
                {"face", "vertex_indices", ROLE_CORNERS},
                {"face", "vertex_index", ROLE_CORNERS}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(element->name, rows[i].element) == 0 && strcmp(name, rows[i].name) == 0 &&
            property->is_list == (rows[i].role == ROLE_CORNERS))
            return rows[i].role;
    return ROLE_SKIPPED;
}

static Status property_parse(Ply *ply)
{
    char name[WORD_BYTES];
    if (ply->element_count == 0)
        return header_refuse(ply, "a property before the first element");
    if (ply->property_count == PROPERTIES_MAX)
        return header_refuse(ply, "too many properties");
    Element *element = &ply->elements[ply->element_count - 1];
    Property *property = &ply->properties[ply->property_count];
    *property = (Property){0};
    (void)line_text_ends(&ply->text);
    property->is_list = strcmp(word_for_message(ply->text.next, ply->text.end, name), "list") == 0;
    if (property->is_list)
        line_text_skip(&ply->text);
    if (property->is_list && !number_type_read(ply, &property->count_type))
        return header_refuse(ply, "not a number type");
    if (!number_type_read(ply, &property->type))
        return header_refuse(ply, "not a number type");
    property->role = role_of(element, property, word_read(ply, name));
    if ((property->is_list && !number_is_whole(property->count_type)) ||
        (property->role == ROLE_CORNERS && !number_is_whole(property->type)))
        return header_refuse(ply, "not a list of whole numbers");
    for (int i = 0; i < element->property_count && property->role != ROLE_SKIPPED; i++)
        if (ply->properties[element->first_property + i].role == property->role)
            return header_refuse(ply, "a property occurs twice");
    element->property_count++;
    ply->property_count++;
    return status_ok();
}

static Status element_parse(Ply *ply)
{
    if (ply->element_count == ELEMENTS_MAX)
        return header_refuse(ply, "too many elements");
    Element *element = &ply->elements[ply->element_count];
    *element = (Element){.first_property = ply->property_count};
    word_read(ply, element->name);
    STATUS_TRY(line_text_integer(&ply->text, "the count of element", ply->element_count, &element->count));
    if (element->count < 0)
        return header_refuse(ply, "a negative count");
    if (strcmp(element->name, "tristrips") == 0 && element->count > 0)
        return header_refuse(ply, "triangle strips are not supported");
    for (int i = 0; i < ply->element_count; i++)
        if (strcmp(ply->elements[i].name, element->name) == 0)
            return header_refuse(ply, "an element occurs twice");
    ply->element_count++;
    return status_ok();
}

/* Parses the header up to and including the line end_header. */
static Status header_parse(Ply *ply)
{
    char word[WORD_BYTES];
    bool has_encoding = false;
    if (strcmp(word_read(ply, word), "ply") != 0)
        return bad_input("%s: does not begin with 'ply'", ply->text.place);
    for (;;) {
        if (!line_text_step(&ply->text))
            return bad_input("%s:%" PRId32 ": ends before the end of its header", ply->text.place,
                             ply->text.line);
        ply->header_line = ply->text.next;
        word_read(ply, word);
        if (strcmp(word, "end_header") == 0)
            break;
        if (strcmp(word, "format") == 0) {
            word_read(ply, word);
            ply->big_endian = strcmp(word, "binary_big_endian") == 0;
            ply->is_binary = ply->big_endian || strcmp(word, "binary_little_endian") == 0;
            if (!ply->is_binary && strcmp(word, "ascii") != 0)
                return header_refuse(ply, "an unknown format");
            has_encoding = true;
        } else if (strcmp(word, "element") == 0) {
            STATUS_TRY(element_parse(ply));
        } else if (strcmp(word, "property") == 0) {
            STATUS_TRY(property_parse(ply));
        } else if (word[0] != '\0' && strcmp(word, "comment") != 0 && strcmp(word, "obj_info") != 0) {
            return header_refuse(ply, "does not begin a known line");
        }
    }
    if (!has_encoding)
        return header_refuse(ply, "the format is missing");
    line_text_step(&ply->text);
    return status_ok();
}

/* ---- values ---- */

static Status record_ends(const Ply *ply)
{
    return bad_input("%s: ends within %s %" PRId64 " of %" PRId64, ply->text.place, ply->element->name,
                     ply->record, ply->element->count);
}

/* Reads a number of a binary file. */
static Status number_read(Ply *ply, NumberType type, double *value)
{
    const size_t bytes = number_bytes(type);
    if ((size_t)(ply->text.end - ply->text.next) < bytes)
        return record_ends(ply);
    *value = number_load((const unsigned char *)ply->text.next, type, ply->big_endian);
    ply->text.next += bytes;
    return status_ok();
}

static Status coordinate_read(Ply *ply, NumberType type, float *value)
{
    double number = 0.0;
    if (!ply->is_binary)
        return line_text_float(&ply->text, ply->element->name, ply->record, value);
    STATUS_TRY(number_read(ply, type, &number));
    *value = (float)number;
    return isfinite(*value) ? status_ok()
                            : bad_input("%s: %s %" PRId64 " has %g, expected a finite number",
                                        ply->text.place, ply->element->name, ply->record, (double)*value);
}

static Status integer_take(Ply *ply, NumberType type, int64_t *value)
{
    double number = 0.0;
    if (!ply->is_binary)
        return line_text_integer(&ply->text, ply->element->name, ply->record, value);
    STATUS_TRY(number_read(ply, type, &number));
    *value = (int64_t)number;
    return status_ok();
}

static Status value_pass(Ply *ply, NumberType type)
{
    double number = 0.0;
    if (ply->is_binary)
        return number_read(ply, type, &number);
    return line_text_skip(&ply->text) ? status_ok() : record_ends(ply);
}

static Status record_parse(Ply *ply)
{
    float position[3] = {0};
    const Element *element = ply->element;
    const int32_t line = ply->is_binary ? 0 : ply->text.line;
    for (int i = 0; i < element->property_count; i++) {
        const Property *property = &ply->properties[element->first_property + i];
        if (property->is_list) {
            /* A list of corners becomes triangles. Any other list is skipped. */
            FaceFan fan = {0};
            char place[MESH_PLACE_BYTES];
            const bool corners = property->role == ROLE_CORNERS;
            int64_t count = 0, vertex = 0;
            STATUS_TRY(integer_take(ply, property->count_type, &count));
            if (count < (corners ? 3 : 0))
                return bad_input("%s: %s %" PRId64 " has %" PRId64 " %s",
                                 mesh_place(place, ply->text.place, line), element->name, ply->record, count,
                                 corners ? "corners, expected at least 3" : "values in a list");
            for (int64_t k = 0; k < count; k++) {
                if (!corners) {
                    STATUS_TRY(value_pass(ply, property->type));
                    continue;
                }
                STATUS_TRY(integer_take(ply, property->type, &vertex));
                if (vertex < 0 || vertex >= FILE_MESH_COUNT_MAX)
                    return bad_input("%s: %s %" PRId64 " names vertex %" PRId64,
                                     mesh_place(place, ply->text.place, line), element->name, ply->record,
                                     vertex);
                STATUS_TRY(file_mesh_corner(ply->mesh, &fan, (int32_t)vertex, ply->text.place, line));
            }
        } else if (property->role == ROLE_SKIPPED) {
            STATUS_TRY(value_pass(ply, property->type));
        } else {
            STATUS_TRY(coordinate_read(ply, property->type, &position[property->role - ROLE_X]));
        }
    }
    if (strcmp(element->name, "vertex") == 0)
        return file_mesh_vertex(ply->mesh, position, ply->text.place, line);
    return status_ok();
}

/* Reads binary vertices that have no lists, and hence rows of a fixed size. The caller has checked that all
 * bytes are present. */
static Status rows_read(Ply *ply, const Element *element)
{
    size_t offsets[3] = {0}, size = 0;
    NumberType types[3] = {NUMBER_FLOAT32, NUMBER_FLOAT32, NUMBER_FLOAT32};
    for (int i = 0; i < element->property_count; i++) {
        const Property *property = &ply->properties[element->first_property + i];
        if (property->role != ROLE_SKIPPED) {
            offsets[property->role - ROLE_X] = size;
            types[property->role - ROLE_X] = property->type;
        }
        size += number_bytes(property->type);
    }
    for (int64_t v = 0; v < element->count; v++, ply->text.next += size) {
        float position[3];
        for (int axis = 0; axis < 3; axis++) {
            const unsigned char *bytes = (const unsigned char *)ply->text.next + offsets[axis];
            numbers_load(bytes, types[axis], ply->big_endian, 1, position + axis);
            if (!isfinite(position[axis]))
                return bad_input("%s: vertex %" PRId64 " has %g, expected a finite number", ply->text.place,
                                 v, (double)position[axis]);
        }
        STATUS_TRY(file_mesh_vertex(ply->mesh, position, ply->text.place, 0));
    }
    return status_ok();
}

static Status element_read(Ply *ply, const Element *element)
{
    /* the rest of the file must have room for `count` records of the smallest possible size */
    const size_t left = (size_t)(ply->text.end - ply->text.next) + !ply->is_binary;
    const bool vertices = strcmp(element->name, "vertex") == 0;
    size_t bytes = 0;
    int axes = 0;
    bool in_rows = ply->is_binary && vertices;
    for (int i = 0; i < element->property_count; i++) {
        const Property *property = &ply->properties[element->first_property + i];
        in_rows = in_rows && !property->is_list;
        axes += property->role != ROLE_SKIPPED;
        bytes +=
            !ply->is_binary ? 2 : number_bytes(property->is_list ? property->count_type : property->type);
    }
    if (bytes > 0 && (uint64_t)element->count > left / bytes)
        return bad_input("%s: declares %" PRId64 " of element '%s', at least %zu bytes each; %zu bytes are "
                         "to come",
                         ply->text.place, element->count, element->name, bytes, left);
    if (vertices && axes < 3)
        return bad_input("%s: vertices have no properties x, y and z", ply->text.place);
    if (in_rows)
        return rows_read(ply, element);
    for (int64_t i = 0; i < element->count && element->property_count > 0; i++) {
        if (!ply->is_binary)
            STATUS_TRY(line_text_find(&ply->text, element->name, i, element->count));
        ply->element = element;
        ply->record = i;
        STATUS_TRY(record_parse(ply));
        if (!ply->is_binary && !line_text_ends(&ply->text))
            return bad_input("%s:%" PRId32 ": %s %" PRId64 " has more values than its properties",
                             ply->text.place, ply->text.line, element->name, i);
        if (!ply->is_binary)
            line_text_step(&ply->text);
    }
    return status_ok();
}

static Status ply_parse(const char *bytes, size_t length, const char *place, FileMesh *mesh)
{
    Ply ply = {.text = {.next = bytes, .end = bytes + length, .place = place, .line = 1}, .mesh = mesh};
    bool repeats = false;
    int first = 0;
    file_mesh_begin(mesh, 0);
    STATUS_TRY(header_parse(&ply));
    const char *body = ply.text.next;
    while (first < ply.element_count && mesh->vertex_count == 0)
        STATUS_TRY(element_read(&ply, &ply.elements[first++]));
    const MeshText parts = {.head = bytes,
                            .head_length = (size_t)(body - bytes),
                            .rest = ply.text.next,
                            .length = (size_t)(ply.text.end - ply.text.next),
                            .line = ply.text.line};
    /* If faces precede the vertices, the text after the vertices does not contain all faces. The next file
     * must then be parsed even if it repeats that text. */
    const bool whole = mesh->triangle_count == 0;
    if (whole)
        STATUS_TRY(file_mesh_repeats(mesh, &parts, &repeats, &ply.text.line));
    else
        mesh->tail.line_after = 0;
    if (!repeats) {
        for (int i = first; i < ply.element_count; i++)
            STATUS_TRY(element_read(&ply, &ply.elements[i]));
        while (!ply.is_binary && line_text_ends(&ply.text) && line_text_step(&ply.text))
            ;
        if (ply.is_binary ? ply.text.next < ply.text.end : !line_text_ends(&ply.text))
            return bad_input("%s: has %zu bytes more than it declares", place,
                             (size_t)(ply.text.end - ply.text.next));
        STATUS_TRY(file_mesh_check(ply.mesh, ply.text.place));
    }
    if (!repeats && whole)
        file_mesh_kept(mesh, ply.text.line);
    mesh->line_count = ply.is_binary ? 0 : ply.text.line;
    return status_ok();
}

/* ---- writing ---- */

static void ply_write(FILE *file, const float *positions, int vertex_count, const int32_t *triangles,
                      int triangle_count)
{
    enum { VERTEX_BYTES = 12, FACE_BYTES = 13, ROWS = 1024 };
    unsigned char bytes[ROWS * FACE_BYTES];
    fprintf(file,
            "ply\nformat binary_little_endian 1.0\nelement vertex %d\nproperty float x\nproperty float "
            "y\nproperty float z\nelement face %d\nproperty list uchar int vertex_indices\nend_header\n",
            vertex_count, triangle_count);
    for (int64_t v = 0; v < vertex_count; v += ROWS) {
        const size_t rows = (size_t)(vertex_count - v < ROWS ? vertex_count - v : ROWS);
        floats_store(positions + 3 * v, 3 * rows, false, bytes);
        fwrite(bytes, VERTEX_BYTES, rows, file);
    }
    for (int64_t t = 0; t < triangle_count;) {
        unsigned char *end = bytes;
        for (int i = 0; i < ROWS && t < triangle_count; i++, t++) {
            *end++ = 3;
            end = int32s_store(triangles + 3 * t, 3, false, end);
        }
        fwrite(bytes, 1, (size_t)(end - bytes), file);
    }
}

const MeshFileFormat ply_format = {.name = "PLY", .suffix = ".ply", .parse = ply_parse, .write = ply_write};
