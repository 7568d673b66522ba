/* Arrays of points [N][3] of floats, as in a mesh or an animation. Sums over points are computed in double.
 * Kernels must not include this header. */
#pragma once

#include "datasets/base/numbers.h"
#include "datasets/geometry/vec3.h"

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

/* Return vector `index` of an array of doubles [N][3], and store a vector in out [3]. */
static inline Vec3 vector_at(const double *vectors, size_t index)
{
    return vec3_make(vectors[3 * index], vectors[3 * index + 1], vectors[3 * index + 2]);
}

static inline void vector_store(Vec3 v, double *out)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

/* Returns the normal vector of a triangle. The length of the vector is twice the area. */
static inline Vec3 triangle_cross(const float *points, const int32_t corners[3])
{
    Vec3 a = point_at(points, corners[0]);
    return vec3_cross(vec3_sub(point_at(points, corners[1]), a), vec3_sub(point_at(points, corners[2]), a));
}

typedef struct Bounds {
    double low[3], high[3];
    double diagonal;
} Bounds;

/* Returns the bounding box of points [count][3]; all zero if count is 0. */
Bounds bounds_of(const float *points, int count);

/* Returns the position of the point of a segment that is closest to `point`, from 0 at `from` to 1 at
 * `to`. */
static inline double segment_share(Vec3 point, Vec3 from, Vec3 to)
{
    const Vec3 along = vec3_sub(to, from);
    const double square = vec3_dot(along, along);
    return square > 0.0 ? double_clamp(vec3_dot(vec3_sub(point, from), along) / square, 0.0, 1.0) : 0.0;
}

/* Returns the distance from a point to the segment between two other points. */
static inline double segment_distance(Vec3 point, Vec3 from, Vec3 to)
{
    const double share = segment_share(point, from, to);
    return vec3_length(vec3_add_scaled(vec3_sub(point, from), vec3_sub(to, from), -share));
}

/* Returns the cell of a row of `count` cells that is at a coordinate, given in sides of a cell, or the one
 * nearest to it. */
static inline int cell_clamp(double coordinate, int count)
{
    return (int)double_clamp(floor(coordinate), 0.0, count - 1.0);
}

/* Computes the weights of the point of a triangle closest to p (Ericson 2004, section 5.1.5). */
void triangle_nearest(Vec3 p, const Vec3 corner[3], double weights[3]);

/* Computes area-weighted vertex normals without normalising them, as normals [vertex_count][3]. A vertex
 * without triangles gets zero. All indices in triangles [triangle_count][3] must be in range. */
void vertex_normals(const int32_t *triangles, int triangle_count, int vertex_count, const float *points,
                    double *normals);
