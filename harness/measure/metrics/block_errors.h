/* Computes the contribution of one block of a mesh's vertices (surface_blocks.h) to the metrics of LANES
 * frames. Lanes are frames, so vectors are full for any order of vertices, triangles and edges. Every lane
 * is summed in double, in the order of the block and independently of other lanes. */
#pragma once

#include "datasets/base/lanes.h"
#include "harness/measure/metrics/surface_blocks.h"

enum { TARGET, CANDIDATE, SIDE_COUNT };

/* A normal that is off by more than this angle is visible in the shading. */
#define NORMAL_OFF_DEGREES 30.0

/* Sums over a block, or over several blocks, for LANES frames. They cover the block's own vertices, the
 * triangles whose first corner is one of these vertices, and the edges whose lower vertex is one of
 * them. */
typedef struct BlockErrors {
    double squared[LANES];  /* ||A - B||^2 for target A and candidate B */
    double distance[LANES]; /* largest distance, rounded to float like the distances in the output */
    double distance_sum[LANES];
    double mean[3][LANES];     /* mean of the target's vertices in each frame */
    double deviation[LANES];   /* ||A - mean||^2 for target A */
    double angle_sum[LANES];   /* sum of the angles between normals of target and candidate, in degrees */
    double angle_max[LANES];   /* largest of these angles, in degrees */
    double angle_over[LANES];  /* number of these angles above NORMAL_OFF_DEGREES */
    double angle_count[LANES]; /* number of vertices that have a normal both in the target and in the
                                  candidate */
    double stretch[LANES];     /* largest squared ratio of an edge's length to its length in the target; -1
                                  without edges */
    double collapse[LANES];    /* smallest squared ratio of an edge's length to its length in the target;
                                  INFINITY without edges */
    double six_volumes[SIDE_COUNT][LANES]; /* six times the volume of the tetrahedra between triangles and
                                              origin, for each side */
    double spans[SIDE_COUNT][LANES]; /* sums of |x| + |y| + |z| over the triangles' normals, whose lengths are
                                        twice their areas */
    double vertex_count;
} BlockErrors;

/* Up to LANES frames of target and candidate. If there are fewer frames, the last one fills the remaining
 * lanes. */
typedef struct LaneFrames {
    const float *rows[SIDE_COUNT][LANES]; /* [N][3] each */
    double origins[SIDE_COUNT][3][LANES]; /* common vertex of the tetrahedra: a point of the mesh, because
                                             volumes relative to a far point would cancel */
    float *distances[LANES];              /* [N] distances in each frame, for output */
} LaneFrames;

/* Returns the number of doubles that block_errors_find needs as scratch. */
size_t block_errors_scratch(const SurfaceBlocks *blocks);

/* Computes the errors of one block. If a value is not finite, `squared` of its lane is not finite. */
void block_errors_find(const SurfaceBlocks *blocks, const SurfaceBlock *block, const LaneFrames *frames,
                       double *scratch, BlockErrors *out);

/* The first function sets all sums to their values for no vertices. The second adds the sums of a block;
 * blocks must always be added in the same order. */
void block_errors_start(BlockErrors *sum);
void block_errors_add(BlockErrors *sum, const BlockErrors *block);

/* Computes only the distances between points [count][3] of target and candidate. */
void distances_find(const float *target, const float *candidate, size_t count, float *distances);
