/* Fills meshes vertex by vertex and corner by corner, and compares them. */
#include "datasets/formats/mesh_file.h"

void file_mesh_begin(FileMesh *mesh, int first_number)
{
    mesh->vertex_count = mesh->triangle_count = 0;
    mesh->line_count = 0;
    mesh->first_number = first_number;
}

Status file_mesh_repeats(FileMesh *mesh, const MeshText *text, bool *repeats, int32_t *line)
{
    MeshTail *tail = &mesh->tail;
    const size_t size = text->head_length + text->length;
    *repeats = tail->line_after != 0 && mesh->vertex_count == tail->vertices &&
               text->line == tail->line_before && text->head_length == tail->head_length &&
               text->length == tail->length && memcmp(text->head, tail->text, text->head_length) == 0 &&
               memcmp(text->rest, tail->text + tail->head_length, text->length) == 0;
    if (*repeats) {
        mesh->triangle_count = tail->triangles;
        *line = tail->line_after;
        return status_ok();
    }
    tail->line_after = 0;
    if (size > tail->capacity) {
        memory_free(tail->text);
        tail->text = memory_array(size, 1);
        tail->capacity = tail->text ? size : 0;
    }
    ALLOCATED(tail->text, "faces");
    memcpy(tail->text, text->head, text->head_length);
    memcpy(tail->text + text->head_length, text->rest, text->length);
    tail->head_length = text->head_length;
    tail->length = text->length;
    tail->line_before = text->line;
    tail->vertices = mesh->vertex_count;
    return status_ok();
}

void file_mesh_kept(FileMesh *mesh, int32_t line)
{
    if (mesh->vertex_count != mesh->tail.vertices)
        return; /* the saved text also contains vertices, so later files cannot reuse it */
    mesh->tail.triangles = mesh->triangle_count;
    mesh->tail.line_after = line;
}

void file_mesh_clear(FileMesh *mesh)
{
    FREE_ALL(mesh->positions, mesh->triangles, mesh->vertex_lines, mesh->triangle_lines, mesh->tail.text);
    *mesh = (FileMesh){0};
}

const char *mesh_place(char text[MESH_PLACE_BYTES], const char *place, int32_t line)
{
    const size_t length = strlen(place), digits = sizeof ":2147483648";
    if (length + digits > MESH_PLACE_BYTES)
        place += length + digits -
                 MESH_PLACE_BYTES; /* cut off the beginning, because the end of a path is more informative */
    if (line > 0)
        snprintf(text, MESH_PLACE_BYTES, "%s:%d", place, line);
    else
        snprintf(text, MESH_PLACE_BYTES, "%s", place);
    return text;
}

/* Appends a row of three numbers and its line. Both lists grow by half when they are full. */
static Status row_append(const void *row, int32_t line, const char *place, const char *what, void **rows,
                         int32_t **lines, int *count, int *capacity)
{
    enum { ROW_BYTES = 3 * sizeof(float), CAPACITY_MIN = 1024 };
    _Static_assert(sizeof(int32_t) == sizeof(float), "vertices and triangles have rows of one size");
    char text[MESH_PLACE_BYTES];
    if (*count == FILE_MESH_COUNT_MAX)
        return bad_input("%s: has more than %d %s", mesh_place(text, place, line), FILE_MESH_COUNT_MAX, what);
    if (*count == *capacity) {
        const int larger = *capacity < CAPACITY_MIN ? CAPACITY_MIN : *capacity + *capacity / 2;
        OWNED char *new_rows = memory_array((size_t)larger, ROW_BYTES);
        OWNED int32_t *new_lines = memory_array((size_t)larger, sizeof *new_lines);
        ALLOCATED(new_rows && new_lines, what);
        if (*count > 0) {
            memcpy(new_rows, *rows, (size_t)*count * ROW_BYTES);
            memcpy(new_lines, *lines, (size_t)*count * sizeof *new_lines);
        }
        FREE_ALL(*rows, *lines);
        *rows = TAKE(new_rows);
        *lines = TAKE(new_lines);
        *capacity = larger;
    }
    memcpy((char *)*rows + (size_t)*count * ROW_BYTES, row, ROW_BYTES);
    (*lines)[(*count)++] = line;
    return status_ok();
}

Status file_mesh_vertex(FileMesh *mesh, const float position[3], const char *place, int32_t line)
{
    return row_append(position, line, place, "vertices", (void **)&mesh->positions, &mesh->vertex_lines,
                      &mesh->vertex_count, &mesh->vertex_capacity);
}

Status file_mesh_corner(FileMesh *mesh, FaceFan *fan, int32_t corner, const char *place, int32_t line)
{
    fan->corners[fan->corner_count < 2 ? fan->corner_count : 2] = corner;
    fan->corner_count += fan->corner_count < 3;
    if (fan->corner_count < 3)
        return status_ok();
    STATUS_TRY(row_append(fan->corners, line, place, "triangles", (void **)&mesh->triangles,
                          &mesh->triangle_lines, &mesh->triangle_count, &mesh->triangle_capacity));
    fan->corners[1] = corner;
    return status_ok();
}

Status file_mesh_copy(const FileMesh *from, Mesh *out)
{
    return mesh_copy(&(Mesh){.vertex_count = from->vertex_count,
                             .triangle_count = from->triangle_count,
                             .rest = from->positions,
                             .triangles = from->triangles},
                     out);
}

Status file_mesh_check(const FileMesh *mesh, const char *place)
{
    char text[MESH_PLACE_BYTES];
    for (int64_t i = 0; i < 3 * (int64_t)mesh->triangle_count; i++)
        if (mesh->triangles[i] < 0 || mesh->triangles[i] >= mesh->vertex_count)
            return bad_input("%s: a face refers to vertex %lld, but there are %d vertices (triangle %lld)",
                             mesh_place(text, place, mesh->triangle_lines[i / 3]),
                             (long long)mesh->triangles[i] + mesh->first_number, mesh->vertex_count,
                             (long long)i / 3);
    return status_ok();
}

Status file_mesh_same_topology(const FileMesh *first, const char *first_place, const FileMesh *mesh,
                               const char *place)
{
    char here[MESH_PLACE_BYTES], there[MESH_PLACE_BYTES];
    const int base = mesh->first_number, vertices = first->vertex_count;
    if (mesh->vertex_count != vertices)
        return bad_input(
            "%s: has %d vertices, expected %d as in %s",
            mesh_place(here, place,
                       mesh->vertex_count > vertices ? mesh->vertex_lines[vertices] : mesh->line_count),
            mesh->vertex_count, vertices, first_place);
    const int common = int_min(mesh->triangle_count, first->triangle_count);
    if (common == 0 || memcmp(mesh->triangles, first->triangles, 3 * (size_t)common * sizeof(int32_t)) == 0) {
        if (mesh->triangle_count == first->triangle_count)
            return status_ok();
        return bad_input(
            "%s: has %d triangles, expected %d as in %s",
            mesh_place(here, place,
                       mesh->triangle_count > common ? mesh->triangle_lines[common] : mesh->line_count),
            mesh->triangle_count, first->triangle_count, first_place);
    }
    int t = 0;
    while (memcmp(mesh->triangles + 3 * (size_t)t, first->triangles + 3 * (size_t)t, 3 * sizeof(int32_t)) ==
           0)
        t++;
    const int32_t *a = mesh->triangles + 3 * (size_t)t, *b = first->triangles + 3 * (size_t)t;
    return bad_input("%s: triangle %d is %d %d %d, expected %d %d %d as in %s",
                     mesh_place(here, place, mesh->triangle_lines[t]), t, a[0] + base, a[1] + base,
                     a[2] + base, b[0] + base, b[1] + base, b[2] + base,
                     mesh_place(there, first_place, first->triangle_lines[t]));
}
