/* Divides the bound order of vertices into blocks that are skinned side by side. */
#pragma once

#include "datasets/model/joint_sets.h"

/* Maximum number of joints in a block of several joint sets. Kernels whose loops should have few joints use
 * BLOCK_JOINTS_FEW. */
enum { BLOCK_JOINTS_MAX = 64, BLOCK_JOINTS_FEW = 16 };

typedef struct LaneBlocks {
    int lanes; /* lanes per block, at most 127 */
    bool mix;  /* whether a block may have vertices of several joint sets, if their joints ascend; otherwise
                  the sets have separate blocks */
    int joints_max; /* maximum number of joints in a block of several joint sets, up to BLOCK_JOINTS_MAX */
    int mixed_set_joints; /* minimum number of joints of a joint set that may share a block with other sets */
    int64_t count;
    uint8_t *vertices; /* [count] number of used lanes of each block, 1 to `lanes`; blocks are consecutive in
                          bound order */
} LaneBlocks;

/* Divides the vertices, in the order of the sets, into blocks for the given `lanes` and `mix`. Minimises
 * the total cost, which grows with the number of blocks and with their influences, by dynamic programming.
 * Release `vertices` with memory_free. */
Status lane_blocks_cut(const JointSets *sets, LaneBlocks *blocks);

/* Writes the union of two ascending lists of joints to a third array, out [BLOCK_JOINTS_MAX]. Returns its
 * length, or BLOCK_JOINTS_MAX + 1 if it does not fit. */
int lane_blocks_unite(const int32_t *one, int one_count, const int32_t *other, int other_count, int32_t *out);

/* Returns the joints of a block's consecutive sets: those of its set or, if it has several, the union of
 * their joints, which is written to `united`. *count receives their number. */
const int32_t *lane_blocks_joints(const JointSets *sets, int first_set, int set_count,
                                  int32_t united[BLOCK_JOINTS_MAX], int *count);
