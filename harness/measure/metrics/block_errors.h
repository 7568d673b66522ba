/* What one block of a mesh's vertices (surface_blocks.h) contributes to the metrics of LANES frames. Lanes
 * are frames, so vectors are full for any order of vertices, triangles and edges. Computed in double. Every
 * lane is summed in the order of the block, independently of other lanes. */
#pragma once

#include "datasets/base/lanes.h"
#include "harness/measure/metrics/surface_blocks.h"

enum { TARGET, CANDIDATE, SIDE_COUNT };

/* Sums over LANES frames, for one block or for the blocks so far. They cover the block's own vertices, the
 * triangles whose first corner is one of these, and the edges whose lower vertex is one of these. */
typedef struct BlockErrors {
    double squared[LANES];  /* ||A - B||^2 */
    double distance[LANES]; /* largest distance, rounded like those that are written */
    double distance_sum[LANES];
    double mean[3][LANES];     /* mean of the target's vertices */
    double deviation[LANES];   /* ||A - mean||^2 */
    double angle_sum[LANES];   /* sum of the angles between normals, degrees */
    double angle_max[LANES];   /* */
    double angle_count[LANES]; /* number of vertices with both normals */
    double stretch[LANES];     /* largest squared ratio of an edge's length to that in the target; -1 without
                                  edges */
    double collapse[LANES];    /* smallest such ratio; INFINITY without edges */
    double six_volumes[SIDE_COUNT]
                      [LANES];       /* six times the volume of the tetrahedra between triangles and origin */
    double spans[SIDE_COUNT][LANES]; /* sums of |x| + |y| + |z| of the triangles' normals with twice their
                                        areas as length */
    double vertex_count;
} BlockErrors;

/* LANES frames of both sides. The last ones may repeat a frame. */
typedef struct LaneFrames {
    const float *rows[SIDE_COUNT][LANES]; /* [N][3] each */
    double origins[SIDE_COUNT][3][LANES]; /* origin of the tetrahedra: a point of the mesh, so that nothing
                                             cancels far from zero */
    float *distances[LANES];              /* [N] each, for output */
} LaneFrames;

/* Number of doubles that block_errors_find needs as scratch. */
size_t block_errors_scratch(const SurfaceBlocks *blocks);

/* Computes the errors of one block. If a value is not finite, `squared` of its lane is not finite. */
void block_errors_find(const SurfaceBlocks *blocks, const SurfaceBlock *block, const LaneFrames *frames,
                       double *scratch, BlockErrors *out);

/* Start with no block, then add blocks, always in the same order. */
void block_errors_start(BlockErrors *sum);
void block_errors_add(BlockErrors *sum, const BlockErrors *block);

/* Computes only the distances, of points [count][3]. */
void distances_find(const float *target, const float *candidate, size_t count, float *distances);
