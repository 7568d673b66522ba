/* Arranges the arrays of a rig in the layout of device_kernel.h, and makes the source of its programs. */
#include "methods/runtime/backends/device_binding.h"

#include "methods/runtime/backends/lane_blocks.h"

/* Source of device_kernel.h (generated). */
extern const char device_kernel_text[];

/* Returns DEVICE_MANY: whether one loop serves any number of influences. If some set has more than 4
 * influences, a single loop needs no more registers than unrolled code for 8 influences, and it compiles
 * faster. Iterating kernels support only this form. */
static bool device_many(const SkinningEntry *entry, const DeviceKernel *kernel)
{
    return kernel->shape.lanes > 1 || kernel->max_influences > 4 ||
           strstr(entry->device_text, "\n#define KERNEL_ITERATES ");
}

char *device_program(const SkinningEntry *entry, const SkinningEntry *first_phase, const DeviceKernel *kernel,
                     const char *more)
{
    char shape[512] = "";
    if (kernel)
        snprintf(
            shape, sizeof shape,
            "#define DEVICE_LANES %d\n#define DEVICE_REALS %d\n#define DEVICE_FRAMES %d\n"
            "#define DEVICE_VARIANT %d\n"
            "#define DEVICE_NORMALS %d\n#define DEVICE_MANY %d\n"
            "#define DEVICE_PER_JOINT %d\n"
            "#define DEVICE_PER_SET %d\n#define DEVICE_PER_VERTEX %d\n#define DEVICE_PER_INFLUENCE %d\n%s",
            kernel->shape.lanes, kernel->shape.reals, kernel->shape.frames, kernel->variant, kernel->normals,
            device_many(entry, kernel), device_values_per_joint(entry->method), entry->method->floats_per_set,
            entry->method->floats_per_vertex, entry->method->floats_per_influence,
            kernel->shape.wide_rows ? "#define KERNEL_WIDE_ROWS\n" : "");
    const char *const parts[] = {
        shape,
        first_phase ? "#define KERNEL_DEFAULTS 1\n" : "",
        first_phase ? first_phase->device_text : "",
        first_phase ? "#undef KERNEL_DEFAULTS\n#define KERNEL_DEFAULTS 0\n#define KERNEL_FIRST_VERTEX " : "",
        first_phase ? first_phase->vertex_function : "",
        "\n",
        entry->device_text,
        "#define KERNEL_VERTEX ",
        entry->vertex_function,
        "\n",
        device_kernel_text,
        more ? more : "",
    };
    enum { PARTS = sizeof parts / sizeof *parts };
    size_t size = 1, used = 0;
    for (int i = 0; i < PARTS; i++)
        size += strlen(parts[i]);
    char *text = memory_array(size, 1);
    for (int i = 0; text && i < PARTS; i++) {
        memcpy(text + used, parts[i], strlen(parts[i]));
        used += strlen(parts[i]);
    }
    return text;
}

/* ---- tiles ---- */

/* Returns the number of influences of the compiled loop that skins a joint set with `count` influences.
 * Influences beyond `count` have weight 0. */
static int tile_influences(const DeviceShape *shape, int count)
{
    static const int counts[] = {1, 2, 3, 4, 8};
    for (size_t i = 0; shape->lanes == 1 && i < sizeof counts / sizeof *counts; i++)
        if (count <= counts[i])
            return counts[i];
    return count;
}

/* Returns the index of the group of the next tile, whose vertices belong to the sets `first` to `last`.
 * Without `mix`, every set is a group. Otherwise adds a new group, unless the previous tile has the same
 * sets. */
static int group_of(DeviceTiles *tiles, bool mix, int first, int last)
{
    const DeviceGroup group = {.first_set = first, .set_count = last - first + 1};
    if (!mix) {
        tiles->groups[first] = group;
        return first;
    }
    const DeviceGroup *before = tiles->group_count > 0 ? &tiles->groups[tiles->group_count - 1] : NULL;
    if (!before || before->first_set != group.first_set || before->set_count != group.set_count)
        tiles->groups[tiles->group_count++] = group;
    return tiles->group_count - 1;
}

static void lane_blocks_clear(LaneBlocks *blocks)
{
    memory_free(blocks->vertices);
}

Status device_tiles_init(const JointSets *sets, const DeviceShape *shape, bool mix, DeviceTiles *out)
{
    const int lanes = device_tile_lanes(shape);
    UNDO_ON_FAILURE(device_tiles_clear) DeviceTiles *unfinished = out;
    CLEANUP(lane_blocks_clear)
    LaneBlocks blocks = {.lanes = lanes, .mix = mix && shape->lanes > 1, .joints_max = BLOCK_JOINTS_FEW};
    *out = (DeviceTiles){.shape = *shape};
    STATUS_TRY(lane_blocks_cut(sets, &blocks));
    if (blocks.count > INT32_MAX / lanes)
        return status_make(
            STATUS_SYSTEM,
            "the joint sets have too many vertices for a device after padding to tiles of %d lanes", lanes);
    const size_t tiles = (size_t)blocks.count, sets_min = (size_t)sets->set_count;
    out->tile_count = (int)tiles;
    out->lane_count = out->tile_count * lanes;
    ALLOCATE_TABLE(out->vertex_of, tiles, lanes, "the tiles of vertices for a device");
    ALLOCATE(out->group_of, tiles, "the tiles of vertices for a device");
    ALLOCATE(out->groups, size_max(tiles, sets_min), "the tiles of vertices for a device");
    out->group_count = blocks.mix ? 0 : sets->set_count;
    for (size_t tile = 0, first = 0; tile < tiles; first += blocks.vertices[tile++]) {
        const size_t last = first + blocks.vertices[tile] - 1;
        out->group_of[tile] =
            group_of(out, blocks.mix, sets->set_of_vertex[first], sets->set_of_vertex[last]);
        for (size_t lane = 0; lane < (size_t)lanes; lane++)
            out->vertex_of[tile * (size_t)lanes + lane] = (int32_t)size_min(first + lane, last);
    }
    unfinished = NULL;
    return status_ok();
}

void device_tiles_clear(DeviceTiles *tiles)
{
    FREE_ALL(tiles->vertex_of, tiles->group_of, tiles->groups);
    *tiles = (DeviceTiles){0};
}

/* ---- sending ---- */

typedef struct Sender {
    const DeviceApi *api;
    void *handle;
    const JointSets *sets;
    const DeviceTiles *tiles;
} Sender;

/* Allocates a buffer and fills it. */
static Status send(const Sender *sender, DeviceBuffer buffer, size_t size_bytes, const void *data)
{
    STATUS_TRY(sender->api->allocate(sender->handle, buffer, size_bytes));
    if (size_bytes > 0)
        STATUS_TRY(sender->api->upload(sender->handle, buffer, size_bytes, data));
    return status_ok();
}

/* Sends `first` [N][count] transposed to [count][L], followed by `second` if it is given. */
static Status send_columns(const Sender *sender, DeviceBuffer buffer, const double *first,
                           const double *second, int count)
{
    const size_t columns = (size_t)count, arrays = second ? 2 : 1, lanes = (size_t)sender->tiles->lane_count;
    LOCAL_TABLE(float, rows, arrays *columns, lanes, "the vertices of the joint sets");
    for (size_t array = 0; array < arrays; array++)
        for (size_t column = 0; column < columns; column++)
            for (size_t lane = 0; lane < lanes; lane++)
                rows[(array * columns + column) * lanes + lane] =
                    (float)(array ? second
                                  : first)[(size_t)sender->tiles->vertex_of[lane] * columns + column];
    return send(sender, buffer, arrays * columns * lanes * sizeof *rows, rows);
}

/* Sends the joints of all groups, padded by repeating the group's first joint. Also sends the first index
 * and the number of joints of each tile's group. *max receives the largest number. */
static Status send_joints(const Sender *sender, int *max)
{
    const DeviceTiles *tiles = sender->tiles;
    int32_t united[BLOCK_JOINTS_MAX];
    OWNED int32_t *joints = NULL;
    LOCAL_TABLE(int32_t, slots, tiles->group_count, 2, "the joint sets");
    LOCAL_TABLE(int32_t, tile_slots, tiles->tile_count, 2, "the tiles of vertices for a device");
    size_t used = 0;
    int joint_count = 0;
    *max = 0;
    for (int i = 0; i < tiles->group_count; i++) {
        const DeviceGroup group = tiles->groups[i];
        (void)lane_blocks_joints(sender->sets, group.first_set, group.set_count, united, &joint_count);
        const int count = tile_influences(&tiles->shape, joint_count);
        slots[2 * i] = (int32_t)used;
        slots[2 * i + 1] = count;
        used += (size_t)count;
        *max = int_max(*max, count);
    }
    if (used > INT32_MAX)
        return status_out_of_memory("the joint sets");
    ALLOCATE(joints, used, "the joint sets");
    for (int i = 0; i < tiles->group_count; i++) {
        const DeviceGroup group = tiles->groups[i];
        const int32_t *all =
            lane_blocks_joints(sender->sets, group.first_set, group.set_count, united, &joint_count);
        for (int k = 0; k < slots[2 * i + 1]; k++)
            joints[slots[2 * i] + k] = all[k < joint_count ? k : 0];
    }
    for (int tile = 0; tile < tiles->tile_count; tile++)
        memcpy(tile_slots + 2 * tile, slots + 2 * tiles->group_of[tile], 2 * sizeof *slots);
    STATUS_TRY(send(sender, BUFFER_JOINTS, used * sizeof *joints, joints));
    return send(sender, BUFFER_TILE_SLOTS, 2 * (size_t)tiles->tile_count * sizeof *slots, tile_slots);
}

/* Sends weights as [max][L], values per vertex as [floats_per_vertex][L], and values per influence as
 * [max][floats_per_influence][L]. Weights and values of joints that do not influence the vertex are 0. */
static Status send_weights(const Sender *sender, const BackendBinding *binding, int max)
{
    const JointSets *sets = sender->sets;
    const DeviceTiles *tiles = sender->tiles;
    const size_t stride = (size_t)tiles->lane_count;
    const size_t per_vertex = (size_t)binding->entry->method->floats_per_vertex;
    const size_t per_influence = (size_t)binding->entry->method->floats_per_influence;
    const size_t rows = per_vertex + (size_t)max * per_influence;
    int32_t united[BLOCK_JOINTS_MAX];
    int count = 0;
    LOCAL_TABLE(float, weights, max, stride, "the weights");
    LOCAL_TABLE(float, values, rows, stride, "the vertices of the joint sets");
    for (int lane = 0; lane < tiles->lane_count; lane++) {
        const int vertex = tiles->vertex_of[lane], set = sets->set_of_vertex[vertex];
        const int32_t *set_joints = sets->joints + sets->first_slot[set];
        const DeviceGroup group = tiles->groups[tiles->group_of[lane / device_tile_lanes(&tiles->shape)]];
        const int32_t *all = lane_blocks_joints(sets, group.first_set, group.set_count, united, &count);
        const size_t in_set = (size_t)(sets->first_vertex[set + 1] - sets->first_vertex[set]);
        const double *from =
            sets->weights + sets->first_weight[set] + (size_t)(vertex - sets->first_vertex[set]);
        for (int k = 0, place = 0; k < joint_set_size(sets, set); k++, place++) {
            while (all[place] != set_joints[k])
                place++;
            const double *weight = &from[(size_t)k * in_set];
            weights[(size_t)place * stride + (size_t)lane] = (float)*weight;
            for (size_t i = 0; i < per_influence; i++)
                values[(per_vertex + (size_t)place * per_influence + i) * stride + (size_t)lane] =
                    (float)binding->influence_values[(size_t)(weight - sets->weights) * per_influence + i];
        }
        for (size_t i = 0; i < per_vertex; i++)
            values[i * stride + (size_t)lane] =
                (float)binding->vertex_values[(size_t)vertex * per_vertex + i];
    }
    STATUS_TRY(send(sender, BUFFER_VERTEX_VALUES, rows * stride * sizeof *values, values));
    return send(sender, BUFFER_WEIGHTS, (size_t)max * stride * sizeof *weights, weights);
}

Status device_binding_send(const DeviceApi *api, void *handle, const BackendBinding *binding,
                           const DeviceTiles *tiles)
{
    const int count = parameters_count(binding->entry->method->parameters);
    const Sender sender = {api, handle, binding->sets, tiles};
    float parameters[PARAMETERS_MAX];
    int max = 0;
    for (int i = 0; i < count; i++)
        parameters[i] = (float)binding->parameters[i];
    STATUS_TRY(send_columns(&sender, BUFFER_REST, binding->rest, binding->normals, 3));
    STATUS_TRY(send(&sender, BUFFER_PARAMETERS, (size_t)count * sizeof *parameters, parameters));
    STATUS_TRY(send_joints(&sender, &max));
    STATUS_TRY(send_weights(&sender, binding, max));
    /* send the group of each tile and the vertex of each lane */
    const size_t lanes = (size_t)tiles->lane_count;
    LOCAL_ARRAY(int32_t, vertices, lanes, "the tiles of vertices for a device");
    for (int lane = 0; lane < tiles->lane_count; lane++)
        vertices[lane] =
            device_lane_is_vertex(tiles, lane) ? binding->sets->vertices[tiles->vertex_of[lane]] : -1;
    STATUS_TRY(send(&sender, BUFFER_SET_OF_TILE, (size_t)tiles->tile_count * sizeof *tiles->group_of,
                    tiles->group_of));
    return send(&sender, BUFFER_VERTICES, lanes * sizeof *vertices, vertices);
}
