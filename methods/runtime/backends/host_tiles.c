/* Cuts the bound order into tiles. A kernel has a loop of its own for some counts of influences: the joints of a tile
 * are rounded up to the next of them by repeating the first one with weight 0. */
#include "methods/runtime/backends/host_tiles.h"

#include "datasets/base/memory.h"
#include "methods/runtime/backends/lane_blocks.h"

#include <string.h>

static const int loop_influences[LOOP_COUNT] = LOOP_INFLUENCES;

/* The loop that takes that many influences. */
static int loop_of(bool counted_loops, int influences)
{
    for (int loop = 1; loop < LOOP_COUNT && counted_loops; loop++)
        if (loop_influences[loop] >= influences)
            return loop;
    return 0;
}

/* Cuts the blocks into runs: full blocks of one joint set and the one that follows them; any other block for itself.
 * Writes the runs' places, set and size to tiles, and returns their number; NULL: counts alone. */
static int tiles_cut(const JointSets *sets, const LaneBlocks *blocks, int tile_lanes, HostTile *tiles)
{
    int count = 0, vertex = 0;
    HostTile tile = {.set_count = 0};
    for (int64_t block = 0; block < blocks->count; block++) {
        const int own = blocks->vertices[block], set = sets->set_of_vertex[vertex];
        const int last = sets->set_of_vertex[vertex + own - 1];
        const bool follows = tile.set_count == 1 && tile.set == set && last == set &&
                             tile.vertices == tile.lanes && tile.lanes < tile_lanes;
        if (!follows) {
            tile = (HostTile){
                .set = set, .set_count = last - set + 1, .vertex = vertex, .lane = block * blocks->lanes};
            count++;
        }
        tile.vertices += own;
        tile.lanes += blocks->lanes;
        vertex += own;
        if (tiles)
            tiles[count - 1] = tile;
    }
    return count;
}

/* The union of a tile's joints, to joints [] or, where it is a single set's, nowhere; their number. */
static int tile_joints(const JointSets *sets, const HostTile *tile, int32_t joints[BLOCK_JOINTS_MAX])
{
    int count = joint_set_size(sets, tile->set);
    if (tile->set_count > 1)
        memcpy(joints, sets->joints + sets->first_slot[tile->set], (size_t)count * sizeof *joints);
    for (int set = tile->set + 1; set < tile->set + tile->set_count; set++) {
        int32_t before[BLOCK_JOINTS_MAX];
        memcpy(before, joints, (size_t)count * sizeof *joints);
        count = lane_blocks_unite(before, count, sets->joints + sets->first_slot[set],
                                  joint_set_size(sets, set), joints);
    }
    return count;
}

/* Finds the tiles' loops, joints, and places in the data, whose size is returned. */
static Status tiles_complete(HostTiles *out, const JointSets *sets, const HostTilesPlan *plan,
                             int64_t *data_size)
{
    int32_t united[BLOCK_JOINTS_MAX];
    int64_t slots = 0;
    *data_size = 0;
    for (int i = 0; i < out->tile_count; i++) {
        HostTile *tile = &out->tiles[i];
        const int count = tile_joints(sets, tile, united);
        tile->loop = loop_of(plan->counted_loops, count);
        tile->count = tile->loop > 0 ? loop_influences[tile->loop] : count;
        tile->slot = (int32_t)slots;
        tile->data = *data_size;
        *data_size += (int64_t)tile->lanes * (out->components + tile->count + out->values_per_vertex);
        slots += tile->count;
        out->lane_count += tile->lanes;
        if (slots > INT32_MAX)
            return status_make(STATUS_BAD_INPUT, "the joint sets have more than %d slots", INT32_MAX);
    }
    out->joints = memory_array((size_t)slots, sizeof *out->joints);
    if (!out->joints)
        return status_out_of_memory("the joint sets");
    for (int i = 0; i < out->tile_count; i++) {
        const HostTile *tile = &out->tiles[i];
        const int count = tile_joints(sets, tile, united);
        const int32_t *joints = tile->set_count > 1 ? united : sets->joints + sets->first_slot[tile->set];
        for (int k = 0; k < tile->count; k++)
            out->joints[tile->slot + k] = joints[k < count ? k : 0];
    }
    return status_ok();
}

/* Writes the data of the tile's bound vertex `vertex` to every step-th real; weights are 0 before. */
static void vertex_fill(const HostTiles *out, const HostTile *tile, const BackendBinding *binding,
                        size_t vertex, bool wide, size_t at, size_t step)
{
    const JointSets *sets = binding->sets;
    const int set = sets->set_of_vertex[vertex];
    const size_t in_set = (size_t)(sets->first_vertex[set + 1] - sets->first_vertex[set]);
    const double *weights =
        sets->weights + sets->first_weight[set] + (vertex - (size_t)sets->first_vertex[set]);
    const int32_t *joints = sets->joints + sets->first_slot[set];
    for (size_t i = 0; i < 3; i++, at += step)
        real_put(wide, out->data, at, binding->rest[vertex * 3 + i]);
    for (size_t i = 0; binding->normals && i < 3; i++, at += step)
        real_put(wide, out->data, at, binding->normals[vertex * 3 + i]);
    for (int k = 0, place = 0; k < joint_set_size(sets, set); k++, place++) {
        while (out->joints[tile->slot + place] != joints[k])
            place++;
        real_put(wide, out->data, at + (size_t)place * step, weights[(size_t)k * in_set]);
    }
    at += (size_t)tile->count * step;
    for (int i = 0; i < out->values_per_vertex; i++, at += step)
        real_put(wide, out->data, at,
                 binding->vertex_values[vertex * (size_t)out->values_per_vertex + (size_t)i]);
}

static void tile_fill(const HostTiles *out, const HostTile *tile, const BackendBinding *binding,
                      const HostTilesPlan *plan)
{
    const int reals = out->components + tile->count + out->values_per_vertex;
    for (int lane = 0; lane < tile->lanes; lane++) {
        const int own = lane < tile->vertices ? lane : tile->vertices - 1;
        const int64_t block = tile->data + (int64_t)(lane - lane % plan->lanes) * reals;
        vertex_fill(out, tile, binding, (size_t)tile->vertex + (size_t)own, plan->wide,
                    (size_t)block + (size_t)(lane % plan->lanes), (size_t)plan->lanes);
    }
}

/* Cuts the tiles into chunks. */
static Status chunks_cut(HostTiles *out, const JointSets *sets, const HostTilesPlan *plan)
{
    out->chunks = memory_array((size_t)out->tile_count, sizeof *out->chunks);
    if (!out->chunks)
        return status_out_of_memory("the tiles of the joint sets");
    HostChunk *chunk = NULL;
    for (int i = 0; i < out->tile_count; i++) {
        const HostTile *tile = &out->tiles[i];
        if (!chunk || chunk->vertex_count >= plan->chunk_vertices) {
            chunk = &out->chunks[out->chunk_count++];
            *chunk = (HostChunk){.first_tile = i,
                                 .first_vertex = (int)tile->vertex,
                                 .first_block = tile->lane / plan->lanes,
                                 .lane = tile->lane,
                                 .straight = true};
        }
        chunk->tile_count++;
        chunk->vertex_count += tile->vertices;
        chunk->lanes += tile->lanes;
        out->chunk_lanes = chunk->lanes > out->chunk_lanes ? chunk->lanes : out->chunk_lanes;
        for (int vertex = 0; vertex < tile->vertices; vertex++)
            chunk->straight = chunk->straight &&
                              sets->vertices[tile->vertex + vertex] - sets->vertices[chunk->first_vertex] ==
                                  (int)tile->vertex + vertex - chunk->first_vertex;
    }
    return status_ok();
}

Status host_tiles_make(const BackendBinding *binding, const HostTilesPlan *plan, HostTiles *out)
{
    const JointSets *sets = binding->sets;
    LaneBlocks blocks = {.lanes = plan->lanes, .mix = plan->lanes > 1 && binding->sets_mix};
    int64_t data_size = 0;
    Status status;
    out->components = binding->normals ? 6 : 3;
    out->values_per_vertex = binding->entry->method->floats_per_vertex;
    STATUS_TRY(lane_blocks_cut(sets, &blocks));
    out->block_vertices = blocks.vertices;
    out->tile_count = tiles_cut(sets, &blocks, plan->tile_lanes, NULL);
    out->tiles = memory_array((size_t)out->tile_count, sizeof *out->tiles);
    if (!out->tiles)
        return status_out_of_memory("the tiles of the joint sets");
    tiles_cut(sets, &blocks, plan->tile_lanes, out->tiles);
    STATUS_TRY(tiles_complete(out, sets, plan, &data_size));
    STATUS_TRY(chunks_cut(out, sets, plan));
    out->data = memory_array((size_t)data_size, real_size(plan->wide));
    if (!out->data)
        return status_out_of_memory("the vertices of the joint sets");
    for (int i = 0; i < out->tile_count; i++)
        tile_fill(out, &out->tiles[i], binding, plan);
done:
    return status;
}

void host_tiles_clear(HostTiles *tiles)
{
    memory_free(tiles->tiles);
    memory_free(tiles->chunks);
    memory_free(tiles->joints);
    memory_free(tiles->block_vertices);
    memory_free(tiles->data);
}
