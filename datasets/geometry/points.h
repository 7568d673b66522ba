/* Arrays of points [N][3] of floats, as a mesh and an animation hold them; sums over them are in double. Not
 * for kernels. */
#ifndef SKINBENCH_GEOMETRY_POINTS_H
#define SKINBENCH_GEOMETRY_POINTS_H

#include "datasets/geometry/vec3.h"
#include <stddef.h>
#include <stdint.h>

static inline Vec3 point_at(const float *points, ptrdiff_t index)
{
    const float *p = points + 3 * index;
    return vec3_make((double)p[0], (double)p[1], (double)p[2]);
}

static inline void point_set(float *points, ptrdiff_t index, Vec3 point)
{
    float *p = points + 3 * index;
    p[0] = (float)point.x;
    p[1] = (float)point.y;
    p[2] = (float)point.z;
}

/* Twice the area of a triangle along its normal. */
static inline Vec3 triangle_cross(const float *points, const int32_t corners[3])
{
    Vec3 a = point_at(points, corners[0]);
    return vec3_cross(vec3_sub(point_at(points, corners[1]), a), vec3_sub(point_at(points, corners[2]), a));
}

typedef struct Bounds {
    double low[3], high[3];
    double diagonal;
} Bounds;

/* The box around points [count][3]; all zero for count 0. */
Bounds bounds_of(const float *points, int count);

/* From a point to the nearest of the segment between two. */
double segment_distance(Vec3 point, Vec3 from, Vec3 to);

/* Area-weighted normals of the vertices, not normalised, to normals [vertex_count][3]: zero at a vertex of no
 * triangle. The vertex numbers of triangles [triangle_count][3] must be in range. */
void vertex_normals(const int32_t *triangles, int triangle_count, int vertex_count, const float *points,
                    double *normals);

#endif
