#include "datasets/rigging/cotangents.h"

#include "datasets/geometry/points.h"

/* A cotangent is a dot product divided by the length of a cross product. */
double cotangent_weight(const Mesh *mesh, const Grouping *corners, const MeshEdge *edge)
{
    const double EDGE_MIN = 1e-3, EDGE_MAX = 1e3;
    const Vec3 a = point_at(mesh->rest, edge->low), b = point_at(mesh->rest, edge->high);
    double weight = 0.0;
    for (int64_t i = corners->first[edge->low]; i < corners->first[edge->low + 1]; i++) {
        const int32_t corner = corners->members[i], *triangle = mesh->triangles + corner / 3 * 3;
        const int32_t next = triangle[(corner + 1) % 3], last = triangle[(corner + 2) % 3];
        if (next != edge->high && last != edge->high)
            continue;
        const Vec3 c = point_at(mesh->rest, next == edge->high ? last : next);
        const double area = vec3_length(triangle_cross(mesh->rest, triangle));
        weight += area > 0.0 ? 0.5 * vec3_dot(vec3_sub(a, c), vec3_sub(b, c)) / area : 0.0;
    }
    return fmin(fmax(weight, EDGE_MIN), EDGE_MAX);
}

void vertex_areas(const Mesh *mesh, double *areas)
{
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int32_t *corners = mesh->triangles + 3 * (size_t)t;
        for (int i = 0; i < 3; i++)
            areas[corners[i]] += vec3_length(triangle_cross(mesh->rest, corners)) / 6.0;
    }
    for (int v = 0; v < mesh->vertex_count; v++)
        areas[v] = areas[v] > 0.0 ? areas[v] : 1.0;
}
