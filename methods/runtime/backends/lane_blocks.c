/* Blocks of lanes at least cost: a block takes the time of all its lanes, whether they hold vertices or not, and for
 * each influence of the union of its joints. best[i], the least cost of the first i vertices, is the minimum over the
 * blocks that can end there of best[where it starts] + its cost (the recurrence of optimal line breaking). */
#include "methods/runtime/backends/lane_blocks.h"

#include "datasets/base/memory.h"

#include <string.h>

/* What a block costs beside its influences, in influences: 1.2 for lbs, 2 for cor, 5 for dqs. */
enum { BLOCK_COST = 2 };

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

/* Offers the blocks that start at vertex `start` to the vertices they can end at. */
static void starts_offer(const JointSets *sets, const LaneBlocks *blocks, int start, int64_t *best,
                         uint8_t *length)
{
    int32_t joints[2][BLOCK_JOINTS_MAX];
    int set = sets->set_of_vertex[start], own = 0, count = joint_set_size(sets, set);
    if (count <= BLOCK_JOINTS_MAX)
        memcpy(joints[own], sets->joints + sets->first_slot[set], (size_t)count * sizeof **joints);
    for (int end = start + 1; end <= sets->vertex_count && end - start <= blocks->lanes; end++) {
        if (sets->set_of_vertex[end - 1] != set) {
            if (!blocks->mix || count > BLOCK_JOINTS_MAX)
                return;
            set = sets->set_of_vertex[end - 1];
            count = lane_blocks_unite(joints[own], count, sets->joints + sets->first_slot[set],
                                      joint_set_size(sets, set), joints[1 - own]);
            own = 1 - own;
            if (count > BLOCK_JOINTS_MAX)
                return;
        }
        const int64_t cost = best[start] + BLOCK_COST + count;
        if (cost <= best[end]) { /* of equals the shortest last: full blocks come first */
            best[end] = cost;
            length[end] = (uint8_t)(end - start);
        }
    }
}

Status lane_blocks_cut(const JointSets *sets, LaneBlocks *blocks)
{
    const size_t vertices = (size_t)sets->vertex_count;
    Status status = status_ok();
    int64_t *best = memory_array(vertices + 1, sizeof *best);
    uint8_t *length = memory_array(vertices + 1, sizeof *length);
    blocks->count = 0;
    blocks->vertices = NULL;
    if (!best || !length) {
        status = status_out_of_memory("the blocks of the joint sets");
        goto done;
    }
    for (size_t i = 1; i <= vertices; i++)
        best[i] = INT64_MAX;
    for (int start = 0; start < sets->vertex_count; start++)
        starts_offer(sets, blocks, start, best, length);
    for (size_t end = vertices; end > 0; end -= length[end])
        blocks->count++;
    blocks->vertices = memory_array((size_t)blocks->count, sizeof *blocks->vertices);
    if (!blocks->vertices) {
        status = status_out_of_memory("the blocks of the joint sets");
        goto done;
    }
    for (size_t end = vertices, block = (size_t)blocks->count; end > 0; end -= length[end])
        blocks->vertices[--block] = length[end];
done:
    memory_free(best);
    memory_free(length);
    return status;
}
