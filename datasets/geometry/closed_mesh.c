/* Stores three half-edges for each triangle. Each half-edge has a twin, which is the half-edge in the
 * opposite direction. */
#include "datasets/geometry/closed_mesh.h"

#include "datasets/base/grouping.h"

#include <assert.h>

static void twins_set(ClosedMesh *mesh, int32_t one, int32_t other)
{
    mesh->twins[one] = other;
    mesh->twins[other] = one;
}

static Status twins_find(ClosedMesh *mesh)
{
    CLEANUP(grouping_clear) Grouping leaving = {0};
    STATUS_TRY(grouping_init(mesh->corners, 3 * (size_t)mesh->triangle_count, mesh->vertex_count,
                             "the edges of a surface", &leaving));
    for (int32_t edge = 0; edge < 3 * mesh->triangle_count; edge++) {
        const int32_t start = edge_start(mesh, edge), end = edge_end(mesh, edge);
        int count = 0;
        mesh->edge_of[start] = edge;
        for (int64_t i = leaving.first[end]; i < leaving.first[end + 1]; i++)
            if (edge_end(mesh, leaving.members[i]) == start) {
                mesh->twins[edge] = leaving.members[i];
                count++;
            }
        if (count != 1)
            return bad_input(
                "the surface is not closed: %d triangles lie across the edge from vertex %d to vertex %d",
                count, start, end);
    }
    return status_ok();
}

Status closed_mesh_init(const Vec3 *points, int vertex_count, const int32_t *triangles, int triangle_count,
                        int more, ClosedMesh *out)
{
    const size_t vertices = (size_t)vertex_count + (size_t)more,
                 faces = (size_t)triangle_count + 2 * (size_t)more;
    *out = (ClosedMesh){.vertex_count = vertex_count,
                        .vertex_capacity = (int)vertices,
                        .vertices_alive = vertex_count,
                        .triangle_count = triangle_count,
                        .triangle_capacity = (int)faces,
                        .points = memory_array(vertices, sizeof *out->points),
                        .edge_of = memory_array(vertices, sizeof *out->edge_of),
                        .corners = memory_array(faces, 3 * sizeof *out->corners),
                        .twins = memory_array(faces, 3 * sizeof *out->twins)};
    ALLOCATED(out->points && out->edge_of && out->corners && out->twins, "a surface");
    memcpy(out->points, points, (size_t)vertex_count * sizeof *points);
    memcpy(out->corners, triangles, 3 * (size_t)triangle_count * sizeof *triangles);
    for (int v = 0; v < vertex_count; v++)
        out->edge_of[v] = -1;
    return twins_find(out);
}

void closed_mesh_clear(ClosedMesh *mesh)
{
    FREE_ALL(mesh->points, mesh->edge_of, mesh->corners, mesh->twins);
    *mesh = (ClosedMesh){0};
}

static int edges_at(const ClosedMesh *mesh, int32_t vertex)
{
    int count = 0;
    FOR_EDGES_AT (mesh, vertex, edge)
        count++;
    return count;
}

static bool vertices_joined(const ClosedMesh *mesh, int32_t one, int32_t other)
{
    FOR_EDGES_AT (mesh, one, edge) {
        if (edge_end(mesh, edge) == other)
            return true;
    }
    return false;
}

static Vec3 corner_cross(Vec3 a, Vec3 b, Vec3 c)
{
    return vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
}

/* Whether a triangle turns by less than the angle with the given cosine. `before` and `after` are the cross
 * products of its edges before and after the change. */
static bool turned_little(Vec3 before, Vec3 after, double cosine)
{
    return vec3_dot(before, after) > cosine * vec3_length(before) * vec3_length(after);
}

/* Whether no triangle around a vertex flips when the vertex moves to `point`. Triangles that contain the
 * vertex `other` are ignored. */
static bool fan_keeps_side(const ClosedMesh *mesh, int32_t vertex, int32_t other, Vec3 point)
{
    const double COSINE = 0.17;
    FOR_EDGES_AT (mesh, vertex, edge) {
        const int32_t b = edge_end(mesh, edge), c = edge_apex(mesh, edge);
        if (b != other && c != other &&
            !turned_little(corner_cross(mesh->points[vertex], mesh->points[b], mesh->points[c]),
                           corner_cross(point, mesh->points[b], mesh->points[c]), COSINE))
            return false;
    }
    return true;
}

static int neighbours_in_common(const ClosedMesh *mesh, int32_t one, int32_t other)
{
    int count = 0;
    FOR_EDGES_AT (mesh, one, edge) {
        const int32_t neighbour = edge_end(mesh, edge);
        count += neighbour != other && vertices_joined(mesh, neighbour, other);
    }
    return count;
}

bool closed_mesh_collapse(ClosedMesh *mesh, int32_t edge, Vec3 point)
{
    const int32_t twin = mesh->twins[edge], kept = edge_start(mesh, edge), gone = edge_end(mesh, edge);
    const int32_t left = edge_apex(mesh, edge), right = edge_apex(mesh, twin);
    if (edges_at(mesh, left) < 4 || edges_at(mesh, right) < 4 ||
        neighbours_in_common(mesh, kept, gone) != 2 || !fan_keeps_side(mesh, kept, gone, point) ||
        !fan_keeps_side(mesh, gone, kept, point))
        return false;
    /* Connect the triangles around the removed vertex to the remaining vertex. */
    int32_t around = mesh->edge_of[gone];
    do {
        const int32_t next = edge_around(mesh, around);
        mesh->corners[around] = kept;
        around = next;
    } while (around != mesh->edge_of[gone]);
    const int32_t pairs[2][2] = {{mesh->twins[edge_next(edge)], mesh->twins[edge_previous(edge)]},
                                 {mesh->twins[edge_next(twin)], mesh->twins[edge_previous(twin)]}};
    for (int side = 0; side < 2; side++) {
        const int32_t first = (side == 0 ? edge : twin) / 3 * 3;
        twins_set(mesh, pairs[side][0], pairs[side][1]);
        for (int i = 0; i < 3; i++)
            mesh->corners[first + i] = -1;
    }
    /* Update the half-edges that leave the two opposite corners and the remaining vertex. */
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 2; i++)
            mesh->edge_of[mesh->corners[pairs[side][i]]] = pairs[side][i];
    mesh->edge_of[gone] = -1;
    mesh->points[kept] = point;
    mesh->vertices_alive--;
    return true;
}

int32_t closed_mesh_split(ClosedMesh *mesh, int32_t edge, Vec3 point)
{
    assert(mesh->vertex_count < mesh->vertex_capacity && mesh->triangle_count + 2 <= mesh->triangle_capacity);
    const int32_t twin = mesh->twins[edge], start = edge_start(mesh, edge), end = edge_end(mesh, edge);
    const int32_t middle = mesh->vertex_count++, first = 3 * mesh->triangle_count, second = first + 3;
    mesh->triangle_count += 2;
    mesh->vertices_alive++;
    mesh->points[middle] = point;
    /* Halve each of the two triangles. The half at `end` (for the twin, at `start`) becomes a new triangle:
     * (middle, end, apex). */
    const int32_t halves[2][2] = {{edge, first}, {twin, second}};
    const int32_t far[2] = {end, start};
    for (int side = 0; side < 2; side++) {
        const int32_t old = halves[side][0], made = halves[side][1];
        mesh->corners[made] = middle;
        mesh->corners[made + 1] = far[side];
        mesh->corners[made + 2] = edge_apex(mesh, old);
        twins_set(mesh, made + 1, mesh->twins[edge_next(old)]);
        twins_set(mesh, made + 2, edge_next(old));
        mesh->corners[edge_next(old)] = middle;
        mesh->edge_of[far[side]] = made + 1;
    }
    twins_set(mesh, edge, second);
    twins_set(mesh, twin, first);
    mesh->edge_of[middle] = first;
    return middle;
}

bool closed_mesh_flip(ClosedMesh *mesh, int32_t edge)
{
    const double FLAT = 0.8;
    const int32_t twin = mesh->twins[edge], a = edge_start(mesh, edge), b = edge_end(mesh, edge);
    const int32_t left = edge_apex(mesh, edge), right = edge_apex(mesh, twin);
    const Vec3 *p = mesh->points;
    if (edges_at(mesh, a) < 4 || edges_at(mesh, b) < 4 || left == right || vertices_joined(mesh, left, right))
        return false;
    const Vec3 before = corner_cross(p[a], p[b], p[left]), beside = corner_cross(p[b], p[a], p[right]);
    const Vec3 one = corner_cross(p[right], p[left], p[a]), other = corner_cross(p[left], p[right], p[b]);
    if (!turned_little(before, beside, FLAT) || !turned_little(one, other, FLAT) ||
        !turned_little(before, one, FLAT))
        return false;
    /* The triangles (a, b, left) and (b, a, right) become (right, left, a) and (left, right, b). */
    const int32_t outer[4] = {mesh->twins[edge_next(edge)], mesh->twins[edge_previous(edge)],
                              mesh->twins[edge_next(twin)], mesh->twins[edge_previous(twin)]};
    const int32_t corners[2][3] = {{right, left, a}, {left, right, b}};
    const int32_t starts[2] = {edge, twin};
    for (int side = 0; side < 2; side++) {
        int32_t half_edge = starts[side];
        for (int i = 0; i < 3; i++, half_edge = edge_next(half_edge)) {
            mesh->corners[half_edge] = corners[side][i];
            mesh->edge_of[corners[side][i]] = half_edge;
        }
    }
    twins_set(mesh, edge_next(edge), outer[1]);     /* half-edge from left to a */
    twins_set(mesh, edge_previous(edge), outer[2]); /* half-edge from a to right */
    twins_set(mesh, edge_next(twin), outer[3]);     /* half-edge from right to b */
    twins_set(mesh, edge_previous(twin), outer[0]); /* half-edge from b to left */
    return true;
}

Status closed_mesh_compact(ClosedMesh *mesh)
{
    LOCAL_ARRAY(int32_t, place, mesh->vertex_count, "a surface");
    int vertices = 0, triangles = 0;
    for (int v = 0; v < mesh->vertex_count; v++)
        if (mesh->edge_of[v] >= 0) {
            place[v] = vertices;
            mesh->points[vertices++] = mesh->points[v];
        }
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int32_t *corners = mesh->corners + 3 * (size_t)t;
        if (corners[0] < 0)
            continue;
        for (int i = 0; i < 3; i++)
            mesh->corners[3 * triangles + i] = place[corners[i]];
        triangles++;
    }
    mesh->vertex_count = vertices;
    mesh->triangle_count = triangles;
    return twins_find(mesh);
}
