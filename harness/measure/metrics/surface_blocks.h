/* A mesh cut into blocks of vertices that are consecutive in the file. Each block has its triangles and
 * edges, and the other vertices that these need. The data of a block thus fit into the cache of a core, and
 * blocks can be measured in parallel. Computed once per mesh. */
#pragma once

#include "harness/measure/metrics/surface.h"

enum { SURFACE_BLOCK_VERTICES = 256 };

/* A block. Vertices in it are numbered by their position in `points`. */
typedef struct SurfaceBlock {
    int first_vertex, own_count; /* vertices that belong to this block; they are its first points */
    int point_count; /* number of points: vertices of the block and other corners of its triangles */
    int triangle_count,
        edge_count; /* a triangle is in the block of each of its corners, an edge in one block */
    int64_t points, triangles, edges; /* index in each list at which the part of the block starts */
} SurfaceBlock;

typedef struct SurfaceBlocks {
    SurfaceBlock *blocks; /* [block_count] */
    int block_count;
    int points_max;     /* largest point_count of a block */
    int32_t *points;    /* vertex of every point */
    int32_t *triangles; /* [][3] points */
    int32_t *edges;     /* [][2] points; every edge of the mesh is in exactly one block */
} SurfaceBlocks;

/* Makes the blocks of a surface that still has its edges. Takes some 70 bytes per vertex if triangles have
 * nearby vertex numbers, more otherwise. STATUS_SYSTEM if out of memory. Release with
 * surface_blocks_clear. */
Status surface_blocks_init(const Surface *surface, SurfaceBlocks *out);
void surface_blocks_clear(SurfaceBlocks *blocks);
