/* Divides a mesh into blocks of vertices that are consecutive in the file. A block also has the triangles
 * and edges at its vertices, and the other vertices of these. The data of a block fit into the cache of a
 * core, and blocks can be measured in parallel. Computed once per mesh. */
#pragma once

#include "harness/measure/metrics/surface.h"

enum { SURFACE_BLOCK_VERTICES = 256 };

/* A block of consecutive vertices. Its points are all vertices that it uses; triangles and edges of the
 * block refer to them by their index in `points`. */
typedef struct SurfaceBlock {
    int first_vertex, own_count; /* the vertices of the block, which are also its first points */
    int point_count; /* number of vertices that the block uses: its own vertices and the other corners of its
                        triangles */
    int triangle_count, edge_count; /* The block has every triangle with a corner among its vertices, so a
                                       triangle may be in several blocks. Each edge is in one block. */
    int64_t points, triangles,
        edges; /* index at which this block's data begin in the lists of points, triangles and edges */
} SurfaceBlock;

typedef struct SurfaceBlocks {
    SurfaceBlock *blocks; /* [block_count] */
    int block_count;
    int points_max;     /* largest point_count of a block */
    int32_t *points;    /* vertex number of every point */
    int32_t *triangles; /* [][3] points */
    int32_t *edges;     /* [][2] points; every edge of the mesh is in exactly one block */
} SurfaceBlocks;

/* Makes the blocks of a surface that still has its edges. Takes some 70 bytes per vertex if triangles have
 * nearby vertex numbers, more otherwise. STATUS_SYSTEM if out of memory. Release with
 * surface_blocks_clear. */
Status surface_blocks_init(const Surface *surface, SurfaceBlocks *out);
void surface_blocks_clear(SurfaceBlocks *blocks);
