/* Delta Mush in doubles, on eight frames or one. */
#define LANE_REAL double
#define LANE_SQRT sqrt
#define LANE_SMOOTH laplacian_filter_smooth
enum { LANES = 8 };
#include "methods/skinning/delta-mush/mush_block.h"

WIDEST_VECTORS
static void block_of_eight(const FrameBlock *frames)
{
    lanes_block(frames, 8, FILTER_WIDE);
}

WIDEST_VECTORS
static void block_of_one(const FrameBlock *frames)
{
    lanes_block(frames, 1, FILTER_NARROW);
}

void mush_block_doubles(const FrameBlock *frames, int lanes)
{
    (lanes == 1 ? block_of_one : block_of_eight)(frames);
}
