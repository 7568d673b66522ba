/* The arrays of a rig as device_kernel.h reads them, and the text of its programs. */
#include "methods/runtime/backends/device_binding.h"

#include "datasets/base/memory.h"

#include <stdio.h>
#include <string.h>

/* device_kernel.h as text (generated). */
extern const char device_kernel_text[];

/* The influences for which code is made where a joint set has `count`: as many or a few more, of weight 0. */
static int device_count(int count)
{
    static const int counts[] = {1, 2, 3, 4, 8};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (count <= counts[i])
            return counts[i];
    return count;
}

/* DEVICE_COUNTS: few programs for all rigs, as each is compiled for seconds. */
static int device_counts(int max_influences)
{
    return max_influences <= 4 ? 4 : max_influences <= 8 ? 8 : 9;
}

char *device_program(const SkinningEntry *entry, const SkinningEntry *first_phase, const DeviceKernel *kernel,
                     const char *more)
{
    char shape[512] = "";
    if (kernel)
        snprintf(shape, sizeof shape,
                 "#define DEVICE_LANES %d\n#define DEVICE_FRAMES %d\n#define DEVICE_VARIANT %d\n"
                 "#define DEVICE_NORMALS %d\n#define DEVICE_COUNTS %d\n"
                 "#define DEVICE_PER_JOINT %d\n"
                 "#define DEVICE_PER_SET %d\n#define DEVICE_PER_VERTEX %d\n%s",
                 kernel->shape.lanes, kernel->shape.frames, kernel->variant, kernel->normals,
                 device_counts(kernel->max_influences), device_values_per_joint(entry->method),
                 entry->method->floats_per_set, entry->method->floats_per_vertex,
                 kernel->shape.wide_rows ? "#define KERNEL_WIDE_ROWS\n" : "");
    const char *const parts[] = {
        shape,
        first_phase ? first_phase->device_text : "",
        first_phase ? "#define KERNEL_FIRST_VERTEX " : "",
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

static int set_influences(const JointSets *sets, int set)
{
    return sets->first_slot[set + 1] - sets->first_slot[set];
}

Status device_tiles_make(const JointSets *sets, int lanes, DeviceTiles *out)
{
    *out = (DeviceTiles){.lane_of = memory_array((size_t)sets->vertex_count, sizeof *out->lane_of)};
    if (!out->lane_of)
        return status_out_of_memory("the tiles of a device");
    int64_t used = 0;
    for (int set = 0; set < sets->set_count; set++) {
        for (int i = sets->first_vertex[set]; i < sets->first_vertex[set + 1]; i++)
            out->lane_of[i] = (int32_t)used++;
        used = (used + lanes - 1) / lanes * lanes;
        if (used > INT32_MAX - lanes) {
            device_tiles_clear(out);
            return status_make(STATUS_MACHINE,
                               "the joint sets, padded to %d lanes, are too many for a device", lanes);
        }
    }
    out->lane_count = (int)used;
    out->tile_count = (int)(used / lanes);
    return status_ok();
}

void device_tiles_clear(DeviceTiles *tiles)
{
    memory_free(tiles->lane_of);
    *tiles = (DeviceTiles){0};
}

/* ---- sending ---- */

typedef struct Sender {
    const DeviceApi *api;
    void *handle;
    const JointSets *sets;
    const DeviceTiles *tiles;
    int lanes;
} Sender;

/* Makes a buffer and fills it. */
static Status send(const Sender *sender, DeviceBuffer buffer, size_t size_bytes, const void *data)
{
    Status status = sender->api->allocate(sender->handle, buffer, size_bytes);
    if (status.code == STATUS_OK && size_bytes > 0)
        status = sender->api->upload(sender->handle, buffer, size_bytes, data);
    return status;
}

/* Sends `first` [N][count] as [count][L]; those of `second`, if it is given, follow. */
static Status send_columns(const Sender *sender, DeviceBuffer buffer, const double *first,
                           const double *second, int count)
{
    const size_t vertices = (size_t)sender->sets->vertex_count, columns = (size_t)count;
    const size_t arrays = second ? 2 : 1, stride = (size_t)sender->tiles->lane_count;
    float *rows = memory_table(arrays * columns, stride, sizeof *rows);
    if (!rows)
        return status_out_of_memory("the vertices of the joint sets");
    for (size_t array = 0; array < arrays; array++)
        for (size_t column = 0; column < columns; column++)
            for (size_t i = 0; i < vertices; i++)
                rows[(array * columns + column) * stride + (size_t)sender->tiles->lane_of[i]] =
                    (float)(array ? second : first)[i * columns + column];
    Status status = send(sender, buffer, arrays * columns * stride * sizeof *rows, rows);
    memory_free(rows);
    return status;
}

/* Weights as [device_count(max_influences)][L], 0 past a vertex' own. */
static Status send_weights(const Sender *sender)
{
    const JointSets *sets = sender->sets;
    const size_t most = (size_t)device_count(sets->max_influences),
                 stride = (size_t)sender->tiles->lane_count;
    float *weights = memory_table(most, stride, sizeof *weights);
    if (!weights)
        return status_out_of_memory("the weights");
    for (int set = 0; set < sets->set_count; set++) {
        const size_t first = (size_t)sets->first_vertex[set];
        const size_t in_set = (size_t)sets->first_vertex[set + 1] - first;
        for (size_t k = 0; k < (size_t)set_influences(sets, set); k++)
            for (size_t i = 0; i < in_set; i++)
                weights[k * stride + (size_t)sender->tiles->lane_of[first + i]] =
                    (float)sets->weights[(size_t)sets->first_weight[set] + k * in_set + i];
    }
    Status status = send(sender, BUFFER_WEIGHTS, most * stride * sizeof *weights, weights);
    memory_free(weights);
    return status;
}

/* The joints of the sets, what is past a set's own repeats its first; where those of a set begin, and how many they
 * are. */
static Status send_joints(const Sender *sender)
{
    const JointSets *sets = sender->sets;
    size_t slots = 0;
    for (int set = 0; set < sets->set_count; set++)
        slots += (size_t)device_count(set_influences(sets, set));
    int32_t *joints = slots <= INT32_MAX ? memory_array(slots, sizeof *joints) : NULL;
    int32_t *set_slots = memory_table((size_t)sets->set_count, 2, sizeof *set_slots);
    Status status = joints && set_slots ? status_ok() : status_out_of_memory("the joint sets");
    STATUS_TRY(status);
    slots = 0;
    for (int set = 0; set < sets->set_count; set++) {
        const int own = set_influences(sets, set), count = device_count(own);
        set_slots[2 * set] = (int32_t)slots;
        set_slots[2 * set + 1] = count;
        for (int k = 0; k < count; k++)
            joints[slots++] = sets->joints[sets->first_slot[set] + (k < own ? k : 0)];
    }
    STATUS_TRY(send(sender, BUFFER_JOINTS, slots * sizeof *joints, joints));
    STATUS_TRY(send(sender, BUFFER_SET_SLOTS, 2 * (size_t)sets->set_count * sizeof *set_slots, set_slots));
done:
    memory_free(joints);
    memory_free(set_slots);
    return status;
}

/* The joint set of each tile and the vertex of each lane. */
static Status send_tiles(const Sender *sender)
{
    const JointSets *sets = sender->sets;
    const DeviceTiles *tiles = sender->tiles;
    int32_t *set_of_tile = memory_array((size_t)tiles->tile_count, sizeof *set_of_tile);
    int32_t *vertices = memory_array((size_t)tiles->lane_count, sizeof *vertices);
    Status status = set_of_tile && vertices ? status_ok() : status_out_of_memory("the tiles of a device");
    STATUS_TRY(status);
    for (int lane = 0; lane < tiles->lane_count; lane++)
        vertices[lane] = -1;
    for (int i = 0; i < sets->vertex_count; i++) {
        vertices[tiles->lane_of[i]] = sets->vertices[i];
        set_of_tile[tiles->lane_of[i] / sender->lanes] = sets->set_of_vertex[i];
    }
    STATUS_TRY(
        send(sender, BUFFER_SET_OF_TILE, (size_t)tiles->tile_count * sizeof *set_of_tile, set_of_tile));
    STATUS_TRY(send(sender, BUFFER_VERTICES, (size_t)tiles->lane_count * sizeof *vertices, vertices));
done:
    memory_free(set_of_tile);
    memory_free(vertices);
    return status;
}

Status device_binding_send(const DeviceApi *api, void *handle, const BackendBinding *binding,
                           const DeviceTiles *tiles, int lanes)
{
    const SkinningMethod *method = binding->entry->method;
    const Sender sender = {api, handle, binding->sets, tiles, lanes};
    float parameters[PARAMETERS_MAX];
    for (int i = 0; i < method->parameter_count; i++)
        parameters[i] = (float)binding->parameters[i];
    Status status = status_ok();
    STATUS_TRY(send_columns(&sender, BUFFER_REST, binding->rest, binding->normals, 3));
    STATUS_TRY(send_weights(&sender));
    STATUS_TRY(
        send_columns(&sender, BUFFER_VERTEX_VALUES, binding->vertex_values, NULL, method->floats_per_vertex));
    STATUS_TRY(
        send(&sender, BUFFER_PARAMETERS, (size_t)method->parameter_count * sizeof *parameters, parameters));
    STATUS_TRY(send_joints(&sender));
    STATUS_TRY(send_tiles(&sender));
done:
    return status;
}
