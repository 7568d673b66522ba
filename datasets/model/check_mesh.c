#include "datasets/model/check_rows.h"

#include "datasets/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool check_triangle_sound(const Mesh *mesh, int triangle)
{
    const int32_t *corners = mesh->triangles + 3 * (size_t)triangle;
    for (int i = 0; i < 3; i++)
        if (corners[i] < 0 || corners[i] >= mesh->vertex_count)
            return false;
    return true;
}

Status check_rest_finite(const Dataset *dataset, CheckFinding *finding)
{
    for (int64_t i = 0; i < 3 * (int64_t)dataset->mesh.vertex_count; i++)
        if (!isfinite(dataset->mesh.rest[i]))
            check_fault(finding, "mesh/rest[%lld,%lld] is %g", (long long)i / 3, (long long)i % 3,
                        (double)dataset->mesh.rest[i]);
    return status_ok();
}

Status check_triangle_range(const Dataset *dataset, CheckFinding *finding)
{
    const Mesh *mesh = &dataset->mesh;
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int32_t *corners = mesh->triangles + 3 * (size_t)t;
        if (!check_triangle_sound(mesh, t))
            check_fault(finding, "mesh/triangles[%d] is %d %d %d, expected 0 to %d", t, corners[0],
                        corners[1], corners[2], mesh->vertex_count - 1);
    }
    return status_ok();
}

static Vec3 vertex_at(const Mesh *mesh, int32_t vertex)
{
    const float *p = mesh->rest + 3 * (size_t)vertex;
    return vec3_make(p[0], p[1], p[2]);
}

Status check_triangle_degenerate(const Dataset *dataset, CheckFinding *finding)
{
    const Mesh *mesh = &dataset->mesh;
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int32_t *corners = mesh->triangles + 3 * (size_t)t;
        if (!check_triangle_sound(mesh, t))
            continue;
        Vec3 a = vertex_at(mesh, corners[0]), b = vec3_sub(vertex_at(mesh, corners[1]), a);
        Vec3 normal = vec3_cross(b, vec3_sub(vertex_at(mesh, corners[2]), a));
        if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0])
            check_fault(finding, "mesh/triangles[%d] is %d %d %d, a vertex twice", t, corners[0], corners[1],
                        corners[2]);
        else if (vec3_length(normal) == 0.0)
            check_fault(finding, "mesh/triangles[%d] (%d %d %d) has no area in the rest pose", t, corners[0],
                        corners[1], corners[2]);
    }
    return status_ok();
}

/* A triangle with its corners in ascending order, and where it stands. */
typedef struct Face {
    int32_t corners[3];
    int32_t triangle;
} Face;

static int faces_compare(const void *a, const void *b)
{
    const Face *first = a, *second = b;
    for (int i = 0; i < 3; i++)
        if (first->corners[i] != second->corners[i])
            return first->corners[i] < second->corners[i] ? -1 : 1;
    return first->triangle < second->triangle ? -1 : 1;
}

static void swap_if_greater(int32_t *a, int32_t *b)
{
    if (*a > *b) {
        int32_t kept = *a;
        *a = *b;
        *b = kept;
    }
}

Status check_triangle_duplicate(const Dataset *dataset, CheckFinding *finding)
{
    const Mesh *mesh = &dataset->mesh;
    Face *faces = memory_array((size_t)mesh->triangle_count, sizeof *faces);
    if (!faces)
        return status_out_of_memory("the faces");
    for (int t = 0; t < mesh->triangle_count; t++) {
        memcpy(faces[t].corners, mesh->triangles + 3 * (size_t)t, sizeof faces[t].corners);
        swap_if_greater(&faces[t].corners[0], &faces[t].corners[1]);
        swap_if_greater(&faces[t].corners[1], &faces[t].corners[2]);
        swap_if_greater(&faces[t].corners[0], &faces[t].corners[1]);
        faces[t].triangle = t;
    }
    if (mesh->triangle_count > 0)
        qsort(faces, (size_t)mesh->triangle_count, sizeof *faces, faces_compare);
    for (int t = 1; t < mesh->triangle_count; t++)
        if (memcmp(faces[t].corners, faces[t - 1].corners, sizeof faces[t].corners) == 0)
            check_fault(finding, "mesh/triangles[%d] joins the same vertices as [%d]: %d %d %d",
                        faces[t].triangle, faces[t - 1].triangle, faces[t].corners[0], faces[t].corners[1],
                        faces[t].corners[2]);
    memory_free(faces);
    return status_ok();
}

/* The edges of all sound triangles, sorted: low end, high end, and whether it ran from high to low. */
typedef struct Edge {
    int32_t low, high;
    int32_t backwards;
} Edge;

static int edges_compare(const void *a, const void *b)
{
    const Edge *first = a, *second = b;
    if (first->low != second->low)
        return first->low < second->low ? -1 : 1;
    if (first->high != second->high)
        return first->high < second->high ? -1 : 1;
    return first->backwards - second->backwards;
}

static Status edges_make(const Mesh *mesh, Edge **edges, int64_t *count)
{
    *count = 0;
    *edges = memory_table((size_t)mesh->triangle_count, 3, sizeof **edges);
    if (!*edges)
        return status_out_of_memory("the edges");
    for (int t = 0; t < mesh->triangle_count; t++)
        for (int i = 0; i < 3 && check_triangle_sound(mesh, t); i++) {
            int32_t a = mesh->triangles[3 * (size_t)t + (size_t)i];
            int32_t b = mesh->triangles[3 * (size_t)t + (size_t)((i + 1) % 3)];
            if (a != b)
                (*edges)[(*count)++] = (Edge){a < b ? a : b, a < b ? b : a, a > b};
        }
    if (*count > 0)
        qsort(*edges, (size_t)*count, sizeof **edges, edges_compare);
    return status_ok();
}

/* What one undirected edge is told to a row as: how many triangles run along it each way. */
typedef void (*EdgeDoubt)(const Edge *edge, int forwards, int backwards, CheckFinding *finding);

static Status edges_visit(const Dataset *dataset, EdgeDoubt doubt, CheckFinding *finding)
{
    Edge *edges = NULL;
    int64_t count = 0;
    Status status = edges_make(&dataset->mesh, &edges, &count);
    for (int64_t i = 0; i < count;) {
        int uses[2] = {0, 0};
        int64_t first = i;
        for (; i < count && edges[i].low == edges[first].low && edges[i].high == edges[first].high; i++)
            uses[edges[i].backwards]++;
        doubt(&edges[first], uses[0], uses[1], finding);
    }
    memory_free(edges);
    return status;
}

static void doubt_manifold(const Edge *edge, int forwards, int backwards, CheckFinding *finding)
{
    if (forwards + backwards > 2)
        check_fault(finding, "%d triangles meet at the edge %d %d", forwards + backwards, edge->low,
                    edge->high);
}

static void doubt_orientation(const Edge *edge, int forwards, int backwards, CheckFinding *finding)
{
    if (forwards + backwards == 2 && forwards != backwards)
        check_fault(finding, "the two triangles at the edge %d %d turn opposite ways", edge->low, edge->high);
}

static void doubt_boundary(const Edge *edge, int forwards, int backwards, CheckFinding *finding)
{
    if (forwards + backwards == 1)
        check_fault(finding, "one triangle only at the edge %d %d", edge->low, edge->high);
}

Status check_edge_manifold(const Dataset *dataset, CheckFinding *finding)
{
    return edges_visit(dataset, doubt_manifold, finding);
}

Status check_edge_orientation(const Dataset *dataset, CheckFinding *finding)
{
    return edges_visit(dataset, doubt_orientation, finding);
}

Status check_edge_boundary(const Dataset *dataset, CheckFinding *finding)
{
    return edges_visit(dataset, doubt_boundary, finding);
}

Status check_vertex_unreferenced(const Dataset *dataset, CheckFinding *finding)
{
    const Mesh *mesh = &dataset->mesh;
    unsigned char *used = memory_array((size_t)mesh->vertex_count, 1);
    if (!used)
        return status_out_of_memory("the vertices");
    for (int t = 0; t < mesh->triangle_count; t++)
        for (int i = 0; i < 3 && check_triangle_sound(mesh, t); i++)
            used[mesh->triangles[3 * (size_t)t + (size_t)i]] = 1;
    for (int v = 0; v < mesh->vertex_count && mesh->triangle_count > 0; v++)
        if (!used[v])
            check_fault(finding, "vertex %d is in no triangle", v);
    memory_free(used);
    return status_ok();
}
