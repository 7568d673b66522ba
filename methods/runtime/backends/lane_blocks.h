/* Cutting the bound order of vertices into blocks that are skinned side by side. */
#pragma once

#include "datasets/model/joint_sets.h"

/* Joints of a block of several joint sets, at most: of any kernel, and of those whose loops want few. */
enum { BLOCK_JOINTS_MAX = 64, BLOCK_JOINTS_FEW = 16 };

typedef struct LaneBlocks {
    int lanes; /* of a block, at most 127 */
    bool mix;  /* a block may hold vertices of several joint sets, whose joints ascend; else each set has its
                  own */
    int joints_max;       /* of a block of several joint sets, up to BLOCK_JOINTS_MAX */
    int mixed_set_joints; /* of each of these, at least */
    int64_t count;
    uint8_t *vertices; /* [count] in each block, 1 to lanes; consecutive ones in bound order */
} LaneBlocks;

/* Cuts into `lanes` and `mix` as given: as few lanes and influences as the order of the sets allows, by
 * dynamic programming over the vertices. Release `vertices` with memory_free. */
Status lane_blocks_cut(const JointSets *sets, LaneBlocks *blocks);

/* The union of two ascending lists of joints to out [BLOCK_JOINTS_MAX]; its length, or BLOCK_JOINTS_MAX + 1
 * when there are more. out may be none of the lists. */
int lane_blocks_unite(const int32_t *one, int one_count, const int32_t *other, int other_count, int32_t *out);
