/* Fills meshes vertex by vertex and corner by corner, and compares them. */
#include "datasets/formats/file_mesh.h"

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

/* Makes space for one more row in both the values and the line numbers. The capacity grows by half. */
static Status capacity_grow(int count, int *capacity, const char *what, void **values, size_t value_bytes,
                            int32_t **lines)
{
    if (count < *capacity)
        return status_ok();
    int larger = *capacity < 1024 ? 1024 : *capacity + *capacity / 2;
    char *new_values = memory_array((size_t)larger, value_bytes);
    int32_t *new_lines = memory_array((size_t)larger, sizeof *new_lines);
    if (!new_values || !new_lines) {
        FREE_ALL(new_values, new_lines);
        return status_out_of_memory(what);
    }
    if (count > 0) {
        memcpy(new_values, *values, (size_t)count * value_bytes);
        memcpy(new_lines, *lines, (size_t)count * sizeof *new_lines);
    }
    FREE_ALL(*values, *lines);
    *values = new_values;
    *lines = new_lines;
    *capacity = larger;
    return status_ok();
}

static Status count_refuse(const char *place, int32_t line, const char *what)
{
    char text[MESH_PLACE_BYTES];
    return bad_input("%s: has more than %d %s", mesh_place(text, place, line), FILE_MESH_COUNT_MAX, what);
}

Status file_mesh_vertex(FileMesh *mesh, const float position[3], const char *place, int32_t line)
{
    const int number = mesh->vertex_count;
    if (number == FILE_MESH_COUNT_MAX)
        return count_refuse(place, line, "vertices");
    void *values = mesh->positions;
    Status status = capacity_grow(number, &mesh->vertex_capacity, "vertices", &values, 3 * sizeof(float),
                                  &mesh->vertex_lines);
    mesh->positions = values;
    if (status.code != STATUS_OK)
        return status;
    memcpy(mesh->positions + 3 * (size_t)number, position, 3 * sizeof(float));
    mesh->vertex_lines[number] = line;
    mesh->vertex_count++;
    return status;
}

static Status triangle_append(FileMesh *mesh, const int32_t corners[3], const char *place, int32_t line)
{
    const int count = mesh->triangle_count;
    if (count == FILE_MESH_COUNT_MAX)
        return count_refuse(place, line, "triangles");
    void *values = mesh->triangles;
    Status status = capacity_grow(count, &mesh->triangle_capacity, "triangles", &values, 3 * sizeof(int32_t),
                                  &mesh->triangle_lines);
    mesh->triangles = values;
    if (status.code != STATUS_OK)
        return status;
    memcpy(mesh->triangles + 3 * (size_t)count, corners, 3 * sizeof(int32_t));
    mesh->triangle_lines[count] = line;
    mesh->triangle_count++;
    return status;
}

Status file_mesh_corner(FileMesh *mesh, FaceFan *fan, int32_t corner, const char *place, int32_t line)
{
    fan->corners[fan->corner_count < 2 ? fan->corner_count : 2] = corner;
    fan->corner_count += fan->corner_count < 3;
    if (fan->corner_count < 3)
        return status_ok();
    Status status = triangle_append(mesh, fan->corners, place, line);
    fan->corners[1] = corner;
    return status;
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
    int common = mesh->triangle_count < first->triangle_count ? mesh->triangle_count : first->triangle_count;
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
