/* Computes vertex normals, enclosed volume and edge lengths of one frame from the triangles of a mesh. Uses
 * double, one thread and a fixed order; the caller measures frames in parallel. */
#pragma once

#include "datasets/geometry/points.h"
#include "datasets/geometry/topology.h"
#include "datasets/model/dataset.h"

/* Topology of a mesh, computed once. N vertices, T triangles, E edges, H boundary edges. */
typedef struct Surface {
    int vertex_count, triangle_count, edge_count, boundary_count, hole_count;
    const int32_t *triangles; /* [T][3] borrowed from the mesh */
    MeshEdge *edges;   /* [E] every undirected edge once, in ascending order; NULL after surface_drop_edges */
    int32_t *boundary; /* [H][2] boundary edges, in the direction of their triangle */
    int32_t *hole_of_boundary; /* [H] hole (connected set of boundary edges) of each boundary edge */
} Surface;

/* Finds the edges and holes of a mesh, which must outlive the surface. STATUS_BAD_INPUT if a vertex number
 * is out of range. */
Status surface_init(const Mesh *mesh, Surface *out);
void surface_clear(Surface *surface);

/* Frees the edges, which none of the functions below needs. */
void surface_drop_edges(Surface *surface);

/* Returns the signed volume enclosed by the surface, with each hole closed by a fan around the mean of its
 * rim. NAN if the volume is almost zero relative to the area, as for a flag. holes [hole_count][4] is
 * scratch. */
double surface_volume(const Surface *surface, const float *positions, double *holes);

/* Returns the change of volume from `rest_volume`, as a fraction. NAN if either volume is. */
static inline double surface_volume_change(const Surface *surface, double rest_volume, const float *positions,
                                           double *holes)
{
    return surface_volume(surface, positions, holes) / rest_volume - 1.0;
}

/* Returns the vector along an edge. */
static inline Vec3 edge_vector(const MeshEdge *edge, const float *positions)
{
    return vec3_sub(point_at(positions, edge->low), point_at(positions, edge->high));
}

/* Computes the lengths [E] of all edges. */
void surface_edge_lengths(const Surface *surface, const float *positions, double *lengths);

/* Returns the common vertex of the tetrahedra between triangles and origin: a point of the mesh, because
 * volumes relative to a far point would cancel. The surface must have at least one triangle. */
static inline Vec3 surface_origin(const Surface *surface, const float *positions)
{
    return point_at(positions, surface->triangles[0]);
}

/* Returns the enclosed volume, given six times the volume of the tetrahedra between triangles and
 * surface_origin. `span` is the sum of |x| + |y| + |z| over the triangles' normals, whose lengths are twice
 * their areas. */
double surface_volume_closed(const Surface *surface, const float *positions, double six_volumes, double span,
                             double *holes);

/* Writes to changes [N] the relative change of the area around each vertex with respect to the rest pose,
 * times `unit`; 0 at a vertex without triangles. */
Status area_changes(const Mesh *mesh, const float *positions, double unit, float *changes);
