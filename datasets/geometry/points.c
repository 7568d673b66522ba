/* Boxes, nearest points and normals of points and triangles. */
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

void triangle_nearest(Vec3 p, const Vec3 corner[3], double weights[3])
{
    const Vec3 ab = vec3_sub(corner[1], corner[0]), ac = vec3_sub(corner[2], corner[0]);
    const Vec3 ap = vec3_sub(p, corner[0]), bp = vec3_sub(p, corner[1]), cp = vec3_sub(p, corner[2]);
    const double d1 = vec3_dot(ab, ap), d2 = vec3_dot(ac, ap), d3 = vec3_dot(ab, bp), d4 = vec3_dot(ac, bp);
    const double d5 = vec3_dot(ab, cp), d6 = vec3_dot(ac, cp);
    const double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
    double v = 0.0, w = 0.0;
    if (d1 <= 0.0 && d2 <= 0.0) {
        v = w = 0.0;
    } else if (d3 >= 0.0 && d4 <= d3) {
        v = 1.0;
    } else if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) {
        v = d1 / (d1 - d3);
    } else if (d6 >= 0.0 && d5 <= d6) {
        w = 1.0;
    } else if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) {
        w = d2 / (d2 - d6);
    } else if (va <= 0.0 && d4 >= d3 && d5 >= d6) {
        w = (d4 - d3) / (d4 - d3 + d5 - d6);
        v = 1.0 - w;
    } else if (va + vb + vc > 0.0) {
        v = vb / (va + vb + vc);
        w = vc / (va + vb + vc);
    }
    weights[0] = 1.0 - v - w;
    weights[1] = v;
    weights[2] = w;
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
