/* A mesh cut into blocks of vertices that lie together in the file, each with the triangles and edges at them
 * and the other vertices that these need, so that what is measured of a block stays in a core's cache and
 * blocks are measured in parallel. Topology, made once per mesh. */
#pragma once

#include "harness/measure/metrics/surface.h"

enum { SURFACE_BLOCK_VERTICES = 256 };

/* Vertices in a block are numbered by their place in `points`. */
typedef struct SurfaceBlock {
    int first_vertex, own_count;      /* its own vertices, which are its first points */
    int point_count;                  /* with those of others that its triangles have */
    int triangle_count, edge_count;   /* a triangle is in every block that one of its corners is of */
    int64_t points, triangles, edges; /* where its own begin in the lists of all */
} SurfaceBlock;

typedef struct SurfaceBlocks {
    SurfaceBlock *blocks; /* [block_count] */
    int block_count;
    int points_max;     /* of a block */
    int32_t *points;    /* the vertex of every point */
    int32_t *triangles; /* [][3] points */
    int32_t *edges;     /* [][2] points: every edge of the mesh in one block */
} SurfaceBlocks;

/* Of a surface whose edges are there still. Some 70 bytes a vertex where triangles name vertices that lie
 * together, more where they do not. STATUS_SYSTEM: out of memory. Release with surface_blocks_clear. */
Status surface_blocks_init(const Surface *surface, SurfaceBlocks *out);
void surface_blocks_clear(SurfaceBlocks *blocks);
