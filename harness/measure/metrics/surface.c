/* Computes edges, holes, normals and volume of a triangle mesh. */
#include "harness/measure/metrics/surface.h"

/* A surface counts as enclosing a volume if its volume divided by area^1.5 exceeds this value. For
 * comparison, this ratio is 0.094 for a sphere, and 0.006 for a rod that is a thousand times as long as it
 * is thick. */
static const double FLAT_SHARE = 1e-3;

static bool edge_is_open(const MeshEdge *edge)
{
    return edge->forwards + edge->backwards == 1;
}

Status surface_init(const Mesh *mesh, Surface *out)
{
    *out = (Surface){.vertex_count = mesh->vertex_count,
                     .triangle_count = mesh->triangle_count,
                     .triangles = mesh->triangles};
    int64_t bad = corner_out_of_range(mesh->triangles, mesh->triangle_count, mesh->vertex_count);
    if (bad >= 0)
        return bad_input("triangle %lld refers to vertex %d, but there are only %d vertices",
                         (long long)bad / 3, mesh->triangles[bad], mesh->vertex_count);
    STATUS_TRY(mesh_edges_make(mesh->triangles, mesh->triangle_count, mesh->vertex_count, &out->edges,
                               &out->edge_count));
    size_t open = 0;
    for (int i = 0; i < out->edge_count; i++)
        open += edge_is_open(&out->edges[i]);
    LOCAL_ARRAY(int32_t, parents, mesh->vertex_count, "the edges of a mesh");
    ALLOCATE_TABLE(out->boundary, open, 2, "the edges of a mesh");
    ALLOCATE(out->hole_of_boundary, open, "the edges of a mesh");
    /* list the edges with one triangle */
    for (int i = 0; i < out->edge_count; i++) {
        const MeshEdge *edge = &out->edges[i];
        if (!edge_is_open(edge))
            continue;
        int32_t *rim = out->boundary + 2 * (size_t)out->boundary_count++;
        rim[0] = edge->forwards ? edge->low : edge->high;
        rim[1] = edge->forwards ? edge->high : edge->low;
    }
    /* find the holes, which are connected sets of edges with one triangle */
    union_find_init(parents, out->vertex_count);
    for (int i = 0; i < out->boundary_count; i++)
        union_find_union(parents, out->boundary[2 * (size_t)i], out->boundary[2 * (size_t)i + 1]);
    /* number the holes; the root of each hole in the union-find structure stores -1 minus the hole's
     * number */
    for (int i = 0; i < out->boundary_count; i++)
        out->hole_of_boundary[i] = union_find_root(parents, out->boundary[2 * (size_t)i]);
    for (int i = 0; i < out->boundary_count; i++) {
        int32_t root = out->hole_of_boundary[i];
        if (parents[root] >= 0)
            parents[root] = -1 - out->hole_count++;
        out->hole_of_boundary[i] = -1 - parents[root];
    }
    return status_ok();
}

void surface_clear(Surface *surface)
{
    FREE_ALL(surface->edges, surface->boundary, surface->hole_of_boundary);
    *surface = (Surface){0};
}

void surface_drop_edges(Surface *surface)
{
    memory_free(surface->edges);
    surface->edges = NULL;
}

/* Each hole is closed by a fan of triangles around the mean of its rim. Returns six times the volume of the
 * tetrahedra between these triangles and `origin`. */
static double caps_six_volumes(const Surface *surface, const float *positions, Vec3 origin, double *holes)
{
    double six_volumes = 0.0;
    memset(holes, 0, 4 * (size_t)surface->hole_count * sizeof *holes);
    for (int i = 0; i < surface->boundary_count; i++) {
        double *hole = holes + 4 * (size_t)surface->hole_of_boundary[i];
        Vec3 p = point_at(positions, surface->boundary[2 * (size_t)i]);
        hole[0] += p.x;
        hole[1] += p.y;
        hole[2] += p.z;
        hole[3] += 1.0;
    }
    for (int i = 0; i < surface->boundary_count; i++) {
        const double *hole = holes + 4 * (size_t)surface->hole_of_boundary[i];
        Vec3 middle = vec3_make(hole[0] / hole[3], hole[1] / hole[3], hole[2] / hole[3]);
        /* traverse the rim backwards, so that the normals of the fan point outwards */
        Vec3 a = vec3_sub(point_at(positions, surface->boundary[2 * (size_t)i + 1]), origin);
        Vec3 b = vec3_sub(point_at(positions, surface->boundary[2 * (size_t)i]), origin);
        six_volumes += vec3_dot(vec3_cross(a, b), vec3_sub(middle, origin));
    }
    return six_volumes;
}

/* Returns the volume that a surface with this area must exceed to count as enclosing a volume. */
static double least_volume(double area)
{
    return FLAT_SHARE * area * sqrt(area);
}

void surface_edge_lengths(const Surface *surface, const float *positions, double *lengths)
{
    for (int e = 0; e < surface->edge_count; e++)
        lengths[e] = vec3_length(edge_vector(&surface->edges[e], positions));
}

double surface_volume(const Surface *surface, const float *positions, double *holes)
{
    if (surface->triangle_count == 0)
        return NAN;
    const Vec3 origin = surface_origin(surface, positions);
    double six_volumes = 0.0, two_areas = 0.0;
    for (int t = 0; t < surface->triangle_count; t++) {
        const int32_t *corner = surface->triangles + 3 * (size_t)t;
        Vec3 cross = triangle_cross(positions, corner);
        two_areas += vec3_length(cross);
        six_volumes += vec3_dot(cross, vec3_sub(point_at(positions, corner[0]), origin));
    }
    const double volume = (six_volumes + caps_six_volumes(surface, positions, origin, holes)) / 6.0;
    return fabs(volume) > least_volume(two_areas / 2.0) ? volume : NAN;
}

double surface_volume_closed(const Surface *surface, const float *positions, double six_volumes, double span,
                             double *holes)
{
    if (surface->triangle_count == 0)
        return NAN;
    const Vec3 origin = surface_origin(surface, positions);
    const double volume = (six_volumes + caps_six_volumes(surface, positions, origin, holes)) / 6.0;
    /* `span`, the sum of |x| + |y| + |z| over the normals, gives a bound of the area. The length of a
     * vector is at most its |x| + |y| + |z|, and at least that sum divided by sqrt(3). */
    if (fabs(volume) > least_volume(span / 2.0))
        return volume;
    if (fabs(volume) <= least_volume(span / 2.0 / sqrt(3.0)))
        return NAN;
    return surface_volume(surface, positions, holes);
}

Status area_changes(const Mesh *mesh, const float *positions, double unit, float *changes)
{
    LOCAL_ARRAY(double, rest, mesh->vertex_count, "the triangle areas of a surface");
    LOCAL_ARRAY(double, posed, mesh->vertex_count, "the triangle areas of a surface");
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int32_t *corners = mesh->triangles + 3 * (size_t)t;
        const double before = vec3_length(triangle_cross(mesh->rest, corners)),
                     after = vec3_length(triangle_cross(positions, corners));
        for (int i = 0; i < 3; i++) {
            rest[corners[i]] += before;
            posed[corners[i]] += after;
        }
    }
    for (int v = 0; v < mesh->vertex_count; v++)
        changes[v] = rest[v] > 0.0 ? (float)(unit * (posed[v] / rest[v] - 1.0)) : 0.0f;
    return status_ok();
}
