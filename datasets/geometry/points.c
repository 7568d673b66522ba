#include "datasets/geometry/points.h"

#include <string.h>

Bounds bounds_of(const float *points, int count)
{
    Bounds bounds = {{0.0}, {0.0}, 0.0};
    double squared = 0.0;
    for (int i = 0; i < count; i++)
        for (int axis = 0; axis < 3; axis++) {
            double x = (double)points[3 * (size_t)i + (size_t)axis];
            bounds.low[axis] = i == 0 ? x : fmin(bounds.low[axis], x);
            bounds.high[axis] = i == 0 ? x : fmax(bounds.high[axis], x);
        }
    for (int axis = 0; axis < 3; axis++)
        squared += (bounds.high[axis] - bounds.low[axis]) * (bounds.high[axis] - bounds.low[axis]);
    bounds.diagonal = sqrt(squared);
    return bounds;
}

double segment_distance(Vec3 point, Vec3 from, Vec3 to)
{
    const Vec3 along = vec3_sub(to, from), arm = vec3_sub(point, from);
    const double length2 = vec3_dot(along, along);
    const double share = length2 > 0.0 ? fmin(1.0, fmax(0.0, vec3_dot(arm, along) / length2)) : 0.0;
    return vec3_length(vec3_add_scaled(arm, along, -share));
}

void vertex_normals(const int32_t *triangles, int triangle_count, int vertex_count, const float *points,
                    double *normals)
{
    memset(normals, 0, 3 * (size_t)vertex_count * sizeof *normals);
    for (int t = 0; t < triangle_count; t++) {
        const int32_t *corners = triangles + 3 * (size_t)t;
        Vec3 cross = triangle_cross(points, corners);
        for (int i = 0; i < 3; i++) {
            double *normal = normals + 3 * (size_t)corners[i];
            normal[0] += cross.x;
            normal[1] += cross.y;
            normal[2] += cross.z;
        }
    }
}
