/* Prepares the data that are sent to a device once: the vertices in tiles, and the source of the
 * programs. */
#pragma once

#include "methods/runtime/backends/device_api.h"
#include "methods/runtime/backends/implementation.h"

/* Constants for which a program is specialised. */
typedef struct DeviceKernel {
    DeviceShape shape;
    int variant;
    bool normals;
    int max_influences; /* maximum number of influences in any joint set */
} DeviceKernel;

/* Name of the entry point of every program. */
#define DEVICE_ENTRY_POINT "skin_tiles"

/* Returns the number of palette values per joint, padded to whole rows of 4. */
static inline int device_values_per_joint(const SkinningMethod *method)
{
    return (method->floats_per_joint + 3) / 4 * 4;
}

/* Returns the source of a program. It consists of the kernel of the first phase, which blends C'_j; the
 * method's kernel; the entry point for `kernel`; and `more`, with entry points of the caller. Parts that
 * are NULL are left out. Release the result with memory_free; it is NULL if memory runs out. */
char *device_program(const SkinningEntry *entry, const SkinningEntry *first_phase, const DeviceKernel *kernel,
                     const char *more);

/* Group of consecutive joint sets whose vertices share a tile. The kernel treats the group as one set, with
 * the union of the joints. */
typedef struct DeviceGroup {
    int32_t first_set, set_count;
} DeviceGroup;

/* How the vertices of a rig are arranged on a device. They are in bound order, and each tile is filled up by
 * repeating its last vertex. */
typedef struct DeviceTiles {
    DeviceShape shape;
    int lane_count, tile_count;
    int32_t *vertex_of; /* [lane_count] vertex of each lane, in bound order; padding repeats the tile's last
                           vertex */
    int32_t *group_of;  /* [tile_count] */
    DeviceGroup *groups;
    int group_count;
} DeviceTiles;

/* Divides the vertices into tiles and the joint sets into groups. With `mix`, a tile that is a vector may
 * have vertices of several joint sets. Otherwise each set is a group. */
Status device_tiles_init(const JointSets *sets, const DeviceShape *shape, bool mix, DeviceTiles *out);
void device_tiles_clear(DeviceTiles *tiles);
DEFINE_OWNED_BY(DeviceTiles, device_tiles_clear)

/* Returns whether a lane holds a vertex of its own; padding lanes do not. */
static inline bool device_lane_is_vertex(const DeviceTiles *tiles, int lane)
{
    return lane == 0 || tiles->vertex_of[lane] != tiles->vertex_of[lane - 1];
}

/* Sends all data that stay the same during the lifetime of the binding. */
Status device_binding_send(const DeviceApi *api, void *handle, const BackendBinding *binding,
                           const DeviceTiles *tiles);
