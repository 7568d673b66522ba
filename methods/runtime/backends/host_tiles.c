/* Divides the bound order of vertices into blocks. If a kernel has loops only for certain numbers of
 * influences, each block is padded to the next such number: its first joint is repeated with weight 0. */
#include "methods/runtime/backends/host_tiles.h"

#include "methods/runtime/backends/lane_blocks.h"

static const int loop_influences[LOOP_COUNT] = LOOP_INFLUENCES;

/* Returns the index of the first loop that accepts this number of influences; 0 if there are no counted
 * loops. */
static int loop_of(bool counted_loops, int influences)
{
    for (int loop = 1; loop < LOOP_COUNT && counted_loops; loop++)
        if (loop_influences[loop] >= influences)
            return loop;
    return 0;
}

/* A block that has not yet been placed in a chunk. */
typedef struct BlockPlan {
    HostBlock block;
    int32_t first_vertex; /* index of the first vertex, in bound order */
    int32_t loop, count;  /* index of the block's loop, and number of influences, rounded up for this loop */
    bool whole;           /* whether all lanes are used */
} BlockPlan;

/* Comparison for qsort. Orders plans by number of influences; within this, fully used blocks come first, in
 * bound order. */
static int plans_compare(const void *left, const void *right)
{
    const BlockPlan *one = left, *other = right;
    if (one->count != other->count)
        return one->count < other->count ? -1 : 1;
    if (one->whole != other->whole)
        return one->whole ? -1 : 1;
    return (one->block.lane > other->block.lane) - (one->block.lane < other->block.lane);
}

/* Divides the blocks into chunks in bound order. Sorts the blocks of each chunk in the order in which they
 * are skinned. */
static Status chunks_cut(HostTiles *out, const JointSets *sets, const LaneBlocks *blocks,
                         const HostTilesPlan *cut, BlockPlan *plans)
{
    ALLOCATE(out->chunks, blocks->count, "the blocks of the joint sets");
    int vertex = 0;
    HostChunk *chunk = NULL;
    for (int64_t i = 0; i < blocks->count; i++) {
        if (!chunk || chunk->vertex_count >= cut->chunk_vertices) {
            chunk = &out->chunks[out->chunk_count++];
            *chunk = (HostChunk){.first_vertex = vertex,
                                 .first_set = sets->set_of_vertex[vertex],
                                 .first_block = i,
                                 .contiguous = true};
        }
        const int size = blocks->vertices[i], set = sets->set_of_vertex[vertex];
        BlockPlan *plan = &plans[i];
        plan->block = (HostBlock){.set = set,
                                  .set_count = sets->set_of_vertex[vertex + size - 1] - set + 1,
                                  .lane = chunk->block_count * blocks->lanes,
                                  .first_vertex = vertex - chunk->first_vertex,
                                  .vertex_count = size};
        plan->whole = size == blocks->lanes;
        plan->first_vertex = vertex;
        int32_t united[BLOCK_JOINTS_MAX];
        int joints = 0;
        (void)lane_blocks_joints(sets, plan->block.set, plan->block.set_count, united, &joints);
        plan->loop = loop_of(cut->counted_loops, joints);
        plan->count = plan->loop > 0 ? loop_influences[plan->loop] : joints;
        for (int end = vertex + size; vertex < end; vertex++)
            chunk->contiguous =
                chunk->contiguous &&
                sets->vertices[vertex] - sets->vertices[chunk->first_vertex] == vertex - chunk->first_vertex;
        chunk->vertex_count += size;
        chunk->set_count = sets->set_of_vertex[vertex - 1] - chunk->first_set + 1;
        chunk->block_count++;
        out->chunk_lanes = int_max(out->chunk_lanes, chunk->block_count * blocks->lanes);
    }
    for (int i = 0; i < out->chunk_count; i++)
        qsort(plans + out->chunks[i].first_block, (size_t)out->chunks[i].block_count, sizeof *plans,
              plans_compare);
    return status_ok();
}

/* Returns the number of reals in the data of a block with `count` influences per vertex. */
static int64_t block_reals(const HostTiles *tiles, int count)
{
    return (int64_t)tiles->lanes *
           (tiles->components + count * (1 + tiles->values_per_influence) + tiles->values_per_vertex);
}

/* Joins the blocks of each chunk into runs and computes the offsets of their joints and data. *slots and
 * *reals receive the total numbers of joints and reals. */
static Status runs_make(HostTiles *out, const BlockPlan *plans, int64_t block_count, int64_t *slots,
                        int64_t *reals)
{
    ALLOCATE(out->runs, block_count, "the blocks of the joint sets");
    ALLOCATE(out->blocks, block_count, "the blocks of the joint sets");
    int run_count = 0;
    for (int i = 0; i < out->chunk_count; i++) {
        HostChunk *chunk = &out->chunks[i];
        chunk->first_run = run_count;
        for (int64_t block = chunk->first_block; block < chunk->first_block + chunk->block_count; block++) {
            const BlockPlan *plan = &plans[block];
            const HostRun *last = run_count > chunk->first_run ? &out->runs[run_count - 1] : NULL;
            if (!last || last->count != plan->count)
                out->runs[run_count++] = (HostRun){.count = plan->count,
                                                   .loop = plan->loop,
                                                   .first_block = (int32_t)block,
                                                   .slot = *slots,
                                                   .data = *reals};
            out->runs[run_count - 1].block_count++;
            out->runs[run_count - 1].whole_count += plan->whole;
            out->blocks[block] = plan->block;
            *slots += plan->count;
            *reals += block_reals(out, plan->count);
        }
        chunk->run_count = run_count - chunk->first_run;
    }
    return status_ok();
}

/* Writes the data of a vertex, given by its index in bound order. Successive values are a fixed number of
 * reals apart (the number of lanes). The vertex's weights must be 0 before the call. */
static void vertex_fill(const HostTiles *out, const BackendBinding *binding, size_t vertex,
                        const HostRun *run, const int32_t *block_joints, bool is_double, size_t index)
{
    const JointSets *sets = binding->sets;
    const int set = sets->set_of_vertex[vertex];
    const size_t in_set = (size_t)(sets->first_vertex[set + 1] - sets->first_vertex[set]);
    const double *weights =
        sets->weights + sets->first_weight[set] + (vertex - (size_t)sets->first_vertex[set]);
    const int32_t *joints = sets->joints + sets->first_slot[set];
    const size_t step = (size_t)out->lanes;
    for (size_t i = 0; i < 3; i++, index += step)
        real_store(is_double, out->data, index, binding->rest[vertex * 3 + i]);
    for (size_t i = 0; binding->normals && i < 3; i++, index += step)
        real_store(is_double, out->data, index, binding->normals[vertex * 3 + i]);
    const size_t per_influence = (size_t)out->values_per_influence;
    const size_t first_value = index + step * (size_t)(run->count + out->values_per_vertex);
    for (int k = 0, place = 0; k < joint_set_size(sets, set); k++, place++) {
        while (block_joints[place] != joints[k])
            place++;
        const double *weight = &weights[(size_t)k * in_set];
        real_store(is_double, out->data, index + (size_t)place * step, *weight);
        for (size_t i = 0; i < per_influence; i++)
            real_store(is_double, out->data, first_value + step * ((size_t)place * per_influence + i),
                       binding->influence_values[(size_t)(weight - sets->weights) * per_influence + i]);
    }
    index += (size_t)run->count * step;
    for (int i = 0; i < out->values_per_vertex; i++, index += step)
        real_store(is_double, out->data, index,
                   binding->vertex_values[vertex * (size_t)out->values_per_vertex + (size_t)i]);
}

/* Writes the joints and data of a run's blocks. */
static void run_fill(const HostTiles *out, const BackendBinding *binding, const HostRun *run,
                     const BlockPlan *plans, bool is_double)
{
    const JointSets *sets = binding->sets;
    for (int i = 0; i < run->block_count; i++) {
        const BlockPlan *plan = &plans[run->first_block + i];
        int32_t united[BLOCK_JOINTS_MAX], *run_joints = out->joints + run->slot + (ptrdiff_t)i * run->count;
        int count = 0;
        const int32_t *joints =
            lane_blocks_joints(sets, plan->block.set, plan->block.set_count, united, &count);
        for (int k = 0; k < run->count; k++)
            run_joints[k] = joints[k < count ? k : 0];
        for (int lane = 0; lane < out->lanes; lane++) {
            const int vertex =
                plan->first_vertex + (lane < plan->block.vertex_count ? lane : plan->block.vertex_count - 1);
            vertex_fill(out, binding, (size_t)vertex, run, run_joints, is_double,
                        (size_t)(run->data + i * block_reals(out, run->count) + lane));
        }
    }
}

Status host_tiles_init(const BackendBinding *binding, const HostTilesPlan *plan, HostTiles *out)
{
    const JointSets *sets = binding->sets;
    LaneBlocks blocks = {
        .lanes = plan->lanes,
        .mix = plan->lanes > 1 && binding->joints_ascend &&
               (plan->mixed_set_joints > 0 || binding->entry->method->allows_zero_weight_padding),
        .mixed_set_joints = plan->mixed_set_joints,
        .joints_max = plan->joints_max};
    int64_t slots = 0, reals = 0;
    out->lanes = plan->lanes;
    out->components = binding->normals ? 6 : 3;
    out->values_per_vertex = binding->entry->method->floats_per_vertex;
    out->values_per_influence = binding->entry->method->floats_per_influence;
    STATUS_TRY(lane_blocks_cut(sets, &blocks));
    out->block_vertices = blocks.vertices;
    out->lane_count = blocks.count * blocks.lanes;
    LOCAL_ARRAY(BlockPlan, plans, blocks.count, "the blocks of the joint sets");
    STATUS_TRY(chunks_cut(out, sets, &blocks, plan, plans));
    STATUS_TRY(runs_make(out, plans, blocks.count, &slots, &reals));
    ALLOCATE(out->joints, slots, "the vertices of the joint sets");
    out->data = memory_array((size_t)reals, real_size(plan->is_double));
    ALLOCATED(out->data, "the vertices of the joint sets");
    for (int i = 0; i < out->chunk_count; i++)
        for (int run = 0; run < out->chunks[i].run_count; run++)
            run_fill(out, binding, &out->runs[out->chunks[i].first_run + run], plans, plan->is_double);
    return status_ok();
}

void host_tiles_clear(HostTiles *tiles)
{
    FREE_ALL(tiles->blocks, tiles->runs, tiles->chunks, tiles->joints, tiles->block_vertices, tiles->data);
}
