/* What the triangles of a mesh say about one frame of it: vertex normals, enclosed volume, edge lengths.
 * All in double, one thread, fixed order; frames are measured in parallel by the caller. */
#pragma once

#include "datasets/geometry/points.h"
#include "datasets/geometry/topology.h"
#include "datasets/model/dataset.h"

/* Topology, found once per mesh. N vertices, T triangles, E edges, H edges on a boundary. */
typedef struct Surface {
    int vertex_count, triangle_count, edge_count, boundary_count, hole_count;
    const int32_t *triangles; /* [T][3] borrowed from the mesh */
    MeshEdge *edges; /* [E] every undirected edge once, ascending; NULL once surface_drop_edges was called */
    int32_t *boundary;         /* [H][2] boundary edges in the direction of their triangle */
    int32_t *hole_of_boundary; /* [H] which hole (connected run of boundary edges) each closes */
} Surface;

/* STATUS_BAD_INPUT for a vertex number out of range. The mesh must outlive the surface. */
Status surface_init(const Mesh *mesh, Surface *out);
void surface_clear(Surface *surface);

/* Releases the edges alone, which nothing below needs. */
void surface_drop_edges(Surface *surface);

/* Signed volume inside the surface; each hole is closed by a fan around the mean of its rim. NAN where the
 * surface encloses next to nothing for its area (a flag has no volume). holes [hole_count][4] is scratch. */
double surface_volume(const Surface *surface, const float *positions, double *holes);

/* Where tetrahedra under the triangles are spanned from, of which there is one at least: a point of the mesh,
 * so that far from the origin nothing cancels. */
static inline Vec3 surface_origin(const Surface *surface, const float *positions)
{
    return point_at(positions, surface->triangles[0]);
}

/* The same volume where six times that of these tetrahedra is known, and `span`, the sum of |x| + |y| + |z|
 * of twice the triangles' areas along their normals. */
double surface_volume_closed(const Surface *surface, const float *positions, double six_volumes, double span,
                             double *holes);

/* How the area around each vertex changes against the rest pose: `unit` times its share, to changes [N]; 0 at
 * a vertex without triangles. */
Status area_changes(const Mesh *mesh, const float *positions, double unit, float *changes);
