/* What one block of a mesh's vertices (surface_blocks.h) adds to the metrics of LANES frames at once: lanes
 * are frames, so that whatever order vertices, triangles and edges are in, vectors are full. In double; every
 * lane is summed in one order, that of the block, whatever the other lanes hold. */
#pragma once

#include "datasets/base/lanes.h"
#include "harness/measure/metrics/surface_blocks.h"

enum { TARGET, CANDIDATE, SIDE_COUNT };

/* Of LANES frames; those of a block, or of the blocks so far. Sums are over the block's own vertices, and
 * over triangles whose first corner, and edges whose lower vertex, is among them. */
typedef struct BlockErrors {
    double squared[LANES];  /* ||A - B||^2 */
    double distance[LANES]; /* greatest, rounded as those written */
    double distance_sum[LANES];
    double mean[3][LANES];     /* of the target's vertices, */
    double deviation[LANES];   /* and ||A - mean||^2 */
    double angle_sum[LANES];   /* between normals, degrees */
    double angle_max[LANES];   /* */
    double angle_count[LANES]; /* of vertices that have both */
    double stretch[LANES];     /* greatest squared ratio of an edge to its target; -1: there is no edge */
    double collapse[LANES];    /* least; INFINITY: there is none */
    double six_volumes[SIDE_COUNT][LANES]; /* of the tetrahedra that triangles span with the origin */
    double spans[SIDE_COUNT]
                [LANES]; /* sums of |x| + |y| + |z| of twice the triangles' areas along their normals */
    double vertex_count;
} BlockErrors;

/* LANES frames of both sides, of which the last ones may be one frame again. */
typedef struct LaneFrames {
    const float *rows[SIDE_COUNT][LANES]; /* [N][3] each */
    double origins[SIDE_COUNT][3][LANES]; /* of the tetrahedra: a point of the mesh, so that far from the
                                             origin nothing cancels */
    float *distances[LANES];              /* [N] each: written */
} LaneFrames;

/* Doubles that block_errors_add needs as scratch. */
size_t block_errors_scratch(const SurfaceBlocks *blocks);

/* The errors of one block to *out. Values that are not finite leave `squared` of their lane not finite. */
void block_errors_find(const SurfaceBlocks *blocks, const SurfaceBlock *block, const LaneFrames *frames,
                       double *scratch, BlockErrors *out);

/* Of no block yet; then those of one more block, in whatever order is always the same. */
void block_errors_start(BlockErrors *sum);
void block_errors_add(BlockErrors *sum, const BlockErrors *block);

/* The same distances alone, of points [count][3]. */
void distances_find(const float *target, const float *candidate, size_t count, float *distances);
