/* Divides vertices into blocks of lanes at minimum cost. The cost of a block is the number of its lanes,
 * used or not, times the number of influences in the union of its joints. best[i] is the minimum cost of
 * the first i vertices. It is the minimum of best[start] + cost over all blocks from start to i, as in
 * optimal line breaking. */
#include "methods/runtime/backends/lane_blocks.h"

/* Cost of one influence in a block, and fixed cost of a block, in arbitrary units. The fixed cost equals
 * that of 2 influences; the measured values are 1.2 influences for lbs, 2 for cor and 5 for dqs. */
enum { INFLUENCE_COST = 6, BLOCK_COST = 12 };

int lane_blocks_unite(const int32_t *one, int one_count, const int32_t *other, int other_count, int32_t *out)
{
    int count = 0;
    for (int i = 0, j = 0; i < one_count || j < other_count; count++) {
        if (count == BLOCK_JOINTS_MAX)
            return BLOCK_JOINTS_MAX + 1;
        const bool first = j == other_count || (i < one_count && one[i] <= other[j]);
        const int32_t joint = first ? one[i] : other[j];
        i += i < one_count && one[i] == joint;
        j += j < other_count && other[j] == joint;
        out[count] = joint;
    }
    return count;
}

const int32_t *lane_blocks_joints(const JointSets *sets, int first_set, int set_count,
                                  int32_t united[BLOCK_JOINTS_MAX], int *count)
{
    const int32_t *all = sets->joints + sets->first_slot[first_set];
    *count = joint_set_size(sets, first_set);
    for (int set = first_set + 1; set < first_set + set_count; set++) {
        int32_t before[BLOCK_JOINTS_MAX];
        memcpy(before, all, (size_t)*count * sizeof *before);
        *count = lane_blocks_unite(before, *count, sets->joints + sets->first_slot[set],
                                   joint_set_size(sets, set), united);
        all = united;
    }
    return all;
}

/* Tries all blocks that start at vertex `start`, one for each vertex at which a block can end. */
static void starts_add_candidates(const JointSets *sets, const LaneBlocks *blocks, int start, int64_t *best,
                                  uint8_t *length)
{
    int32_t joints[2][BLOCK_JOINTS_MAX];
    const int max = int_min(blocks->joints_max, BLOCK_JOINTS_MAX);
    int set = sets->set_of_vertex[start], row = 0, count = joint_set_size(sets, set);
    if (count <= max)
        memcpy(joints[row], sets->joints + sets->first_slot[set], (size_t)count * sizeof **joints);
    for (int end = start + 1; end <= sets->vertex_count && end - start <= blocks->lanes; end++) {
        if (sets->set_of_vertex[end - 1] != set) {
            const int before = joint_set_size(sets, set);
            set = sets->set_of_vertex[end - 1];
            if (!blocks->mix || count > max ||
                int_min(before, joint_set_size(sets, set)) < blocks->mixed_set_joints)
                return;
            count = lane_blocks_unite(joints[row], count, sets->joints + sets->first_slot[set],
                                      joint_set_size(sets, set), joints[1 - row]);
            row = 1 - row;
            if (count > max)
                return;
        }
        const int64_t cost = best[start] + BLOCK_COST + INFLUENCE_COST * count;
        if (cost <=
            best[end]) { /* on a tie, prefer the shortest last block, so that full blocks come first */
            best[end] = cost;
            length[end] = (uint8_t)(end - start);
        }
    }
}

Status lane_blocks_cut(const JointSets *sets, LaneBlocks *blocks)
{
    const size_t vertices = (size_t)sets->vertex_count;
    blocks->count = 0;
    blocks->vertices = NULL;
    LOCAL_ARRAY(int64_t, best, vertices + 1, "the blocks of the joint sets");
    LOCAL_ARRAY(uint8_t, length, vertices + 1, "the blocks of the joint sets");
    for (size_t i = 1; i <= vertices; i++)
        best[i] = INT64_MAX;
    for (int start = 0; start < sets->vertex_count; start++)
        starts_add_candidates(sets, blocks, start, best, length);
    for (size_t end = vertices; end > 0; end -= length[end])
        blocks->count++;
    LOCAL_ARRAY(uint8_t, counts, blocks->count, "the blocks of the joint sets");
    for (size_t end = vertices, block = (size_t)blocks->count; end > 0; end -= length[end])
        counts[--block] = length[end];
    blocks->vertices = TAKE(counts);
    return status_ok();
}
