/* Cuts joint sets into tiles. A kernel has a loop of its own for some counts of influences: a set is
 * rounded up to the next of them by repeating its first joint with weight 0. */
#include "methods/runtime/backends/host_tiles.h"

#include "datasets/base/memory.h"

enum { CHUNK_VERTICES = 1024 }; /* what a thread takes at a time */

static const int loop_influences[LOOP_COUNT] = LOOP_INFLUENCES;

/* The loop that takes a joint set of that many influences. */
static int loop_of(int lanes, int influences)
{
    for (int loop = 1; loop < LOOP_COUNT && lanes > 1; loop++)
        if (loop_influences[loop] >= influences)
            return loop;
    return 0;
}

/* Allocates the joints of the sets, each set rounded up to what its loop takes. */
static Status joints_allocate(HostTiles *out, const JointSets *sets, int lanes)
{
    int64_t count = 0;
    for (int set = 0; set < sets->set_count; set++) {
        int influences = sets->first_slot[set + 1] - sets->first_slot[set], loop = loop_of(lanes, influences);
        count += loop > 0 ? loop_influences[loop] : influences;
    }
    if (count > INT32_MAX)
        return status_make(STATUS_BAD_INPUT, "the joint sets have %lld slots, more than %d", (long long)count,
                           INT32_MAX);
    out->joints = memory_array((size_t)count, sizeof *out->joints);
    return out->joints ? status_ok() : status_out_of_memory("the joint sets");
}

/* Copies a set's joints to `slot`, the first one repeated up to what the loop takes. Returns the new
 * count. */
static int set_joints_copy(HostTiles *out, const JointSets *sets, int set, int loop, int slot)
{
    const int32_t *joints = sets->joints + sets->first_slot[set];
    int influences = sets->first_slot[set + 1] - sets->first_slot[set];
    int count = loop > 0 ? loop_influences[loop] : influences;
    for (int k = 0; k < count; k++)
        out->joints[slot + k] = joints[k < influences ? k : 0];
    return count;
}

/* Cuts the joint sets into tiles. Returns the reals their data take. */
static Status tiles_cut(HostTiles *out, const JointSets *sets, int lanes, int64_t *data_size)
{
    int64_t count = 0, data = 0, lane = 0;
    for (int set = 0; set < sets->set_count; set++) {
        int vertices = sets->first_vertex[set + 1] - sets->first_vertex[set];
        count += (vertices + TILE_LANES_MAX - 1) / TILE_LANES_MAX;
    }
    out->tiles = memory_array((size_t)count, sizeof *out->tiles);
    if (!out->tiles)
        return status_out_of_memory("the tiles of the joint sets");
    Status status;
    STATUS_TRY(joints_allocate(out, sets, lanes));
    for (int set = 0, slot = 0, influences; set < sets->set_count; set++, slot += influences) {
        int loop = loop_of(lanes, sets->first_slot[set + 1] - sets->first_slot[set]);
        influences = set_joints_copy(out, sets, set, loop, slot);
        for (int first = sets->first_vertex[set]; first < sets->first_vertex[set + 1];
             first += TILE_LANES_MAX) {
            int left = sets->first_vertex[set + 1] - first;
            HostTile *tile = &out->tiles[out->tile_count++];
            tile->set = set;
            tile->count = influences;
            tile->loop = loop;
            tile->slot = slot;
            tile->vertices = left < TILE_LANES_MAX ? left : TILE_LANES_MAX;
            tile->lanes = (tile->vertices + lanes - 1) / lanes * lanes;
            tile->vertex = first;
            tile->data = data;
            tile->lane = lane;
            lane += tile->lanes;
            data += (int64_t)tile->lanes * (out->components + influences + out->values_per_vertex);
        }
    }
    out->lane_count = lane;
    *data_size = data;
done:
    return status;
}

static void tile_fill(const HostTiles *out, const HostTile *tile, const BackendBinding *binding, bool wide)
{
    const JointSets *sets = binding->sets;
    const int in_set = sets->first_vertex[tile->set + 1] - sets->first_vertex[tile->set];
    const int influences = sets->first_slot[tile->set + 1] - sets->first_slot[tile->set];
    const double *weights = sets->weights + sets->first_weight[tile->set];
    for (int lane = 0; lane < tile->lanes; lane++) {
        int own = lane < tile->vertices ? lane : tile->vertices - 1;
        size_t vertex = (size_t)tile->vertex + (size_t)own;
        size_t in_weights = vertex - (size_t)sets->first_vertex[tile->set];
        size_t at = (size_t)tile->data + (size_t)lane, step = (size_t)tile->lanes;
        for (size_t i = 0; i < 3; i++, at += step)
            real_put(wide, out->data, at, binding->rest[vertex * 3 + i]);
        for (size_t i = 0; binding->normals && i < 3; i++, at += step)
            real_put(wide, out->data, at, binding->normals[vertex * 3 + i]);
        for (int k = 0; k < tile->count; k++, at += step)
            real_put(wide, out->data, at,
                     k < influences ? weights[(size_t)k * (size_t)in_set + in_weights] : 0.0);
        for (int i = 0; i < out->values_per_vertex; i++, at += step)
            real_put(wide, out->data, at,
                     binding->vertex_values[vertex * (size_t)out->values_per_vertex + (size_t)i]);
    }
}

static Status chunks_cut(HostTiles *out)
{
    out->chunks = memory_array((size_t)out->tile_count, sizeof *out->chunks);
    if (!out->chunks)
        return status_out_of_memory("the tiles of the joint sets");
    int vertices = CHUNK_VERTICES;
    for (int i = 0; i < out->tile_count; i++) {
        if (vertices >= CHUNK_VERTICES) {
            out->chunks[out->chunk_count++] = (HostChunk){i, 0};
            vertices = 0;
        }
        out->chunks[out->chunk_count - 1].tile_count++;
        vertices += out->tiles[i].vertices;
    }
    return status_ok();
}

Status host_tiles_make(const BackendBinding *binding, int lanes, bool wide, HostTiles *out)
{
    int64_t data_size = 0;
    Status status;
    out->components = binding->normals ? 6 : 3;
    out->values_per_vertex = binding->entry->method->floats_per_vertex;
    STATUS_TRY(tiles_cut(out, binding->sets, lanes, &data_size));
    STATUS_TRY(chunks_cut(out));
    out->data = memory_array((size_t)data_size, real_size(wide));
    status = out->data ? status_ok() : status_out_of_memory("the vertices of the joint sets");
    for (int i = 0; i < out->tile_count && out->data; i++)
        tile_fill(out, &out->tiles[i], binding, wide);
done:
    return status;
}

void host_tiles_clear(HostTiles *tiles)
{
    memory_free(tiles->tiles);
    memory_free(tiles->chunks);
    memory_free(tiles->joints);
    memory_free(tiles->data);
}
