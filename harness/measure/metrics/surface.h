/* Computes vertex normals, enclosed volume and edge lengths of one frame from the triangles of a mesh. Uses
 * double, one thread and a fixed order; the caller measures frames in parallel. */
#pragma once

#include "datasets/geometry/points.h"
#include "datasets/geometry/topology.h"
#include "datasets/model/dataset.h"

/* Topology, computed once per mesh. N vertices, T triangles, E edges, H boundary edges. */
typedef struct Surface {
    int vertex_count, triangle_count, edge_count, boundary_count, hole_count;
    const int32_t *triangles;  /* [T][3] borrowed from the mesh */
    MeshEdge *edges;           /* [E] every undirected edge once, ascending; NULL after surface_drop_edges */
    int32_t *boundary;         /* [H][2] boundary edges in the direction of their triangle */
    int32_t *hole_of_boundary; /* [H] the hole (connected set of boundary edges) of each */
} Surface;

/* STATUS_BAD_INPUT if a vertex number is out of range. The mesh must outlive the surface. */
Status surface_init(const Mesh *mesh, Surface *out);
void surface_clear(Surface *surface);

/* Releases only the edges, which none of the functions below needs. */
void surface_drop_edges(Surface *surface);

/* Signed volume enclosed by the surface, with each hole closed by a fan around the mean of its rim. NAN if
 * the surface encloses almost nothing for its area, like a flag. holes [hole_count][4] is scratch. */
double surface_volume(const Surface *surface, const float *positions, double *holes);

/* Common vertex of the tetrahedra under the triangles: a point of the mesh, so that nothing cancels far
 * from zero. The surface must have at least one triangle. */
static inline Vec3 surface_origin(const Surface *surface, const float *positions)
{
    return point_at(positions, surface->triangles[0]);
}

/* Computes the volume from six times the volume of those tetrahedra and `span`, the sum of |x| + |y| + |z|
 * of the triangles' normals with twice their areas as length. */
double surface_volume_closed(const Surface *surface, const float *positions, double six_volumes, double span,
                             double *holes);

/* Writes to changes [N] the relative change of the area around each vertex against the rest pose, times
 * `unit`; 0 at a vertex without triangles. */
Status area_changes(const Mesh *mesh, const float *positions, double unit, float *changes);
