/* Delta Mush in floats, on sixteen frames, eight or one. */
#define LANE_REAL float
#define LANE_SQRT sqrtf
#define LANE_SMOOTHED SmoothedFloats
#define LANE_SMOOTH laplacian_filter_smooth_floats
enum { LANES = 16 };
#include "methods/skinning/delta-mush/mush_block.h"

WIDEST_VECTORS
static void block_of_sixteen(const FrameBlock *frames)
{
    lanes_block(frames, 16, FILTER_WIDEST);
}

void mush_block_floats(const FrameBlock *frames, int lanes)
{
    (lanes == 1 ? block_of_one : lanes == 8 ? block_of_eight : block_of_sixteen)(frames);
}
