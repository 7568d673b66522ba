/* What a device is sent once: the vertices by tiles, and the program text. */
#pragma once

#include "methods/runtime/backends/device_api.h"
#include "methods/runtime/backends/implementation.h"

/* What a program is specialised to. */
typedef struct DeviceKernel {
    DeviceShape shape;
    int variant;
    bool normals;
    int max_influences; /* of a joint set */
} DeviceKernel;

/* The entry point of every program. */
#define DEVICE_ENTRY_POINT "skin_tiles"

/* Values of a joint in the palette, padded to whole rows of 4. */
static inline int device_values_per_joint(const SkinningMethod *method)
{
    return (method->floats_per_joint + 3) / 4 * 4;
}

/* The text of a method's kernel and its entry point, but without one where kernel is NULL; with a first phase
 * of two-phase skinning, that blends C'_j before; then `more`, for entry points of a caller's own. Each may
 * be NULL. The result is for memory_free, NULL: out of memory. */
char *device_program(const SkinningEntry *entry, const SkinningEntry *first_phase, const DeviceKernel *kernel,
                     const char *more);

/* Consecutive joint sets with vertices in one tile: of several it has the union of their joints. */
typedef struct DeviceGroup {
    int32_t first_set, set_count;
} DeviceGroup;

/* Where the vertices of a rig stand on a device: in bound order, padded to whole tiles. */
typedef struct DeviceTiles {
    int lanes, lane_count, tile_count; /* of a tile; of all */
    int32_t *vertex_of;                /* [lane_count] in bound order; padding repeats the last of its tile */
    int32_t *group_of;                 /* [tile_count] */
    DeviceGroup *groups;
    int group_count;
} DeviceTiles;

/* `mix`: a tile of more than one lane may have vertices of several joint sets; else the groups are the
 * sets. */
Status device_tiles_init(const JointSets *sets, int lanes, bool mix, DeviceTiles *out);
void device_tiles_clear(DeviceTiles *tiles);
DEFINE_OWNED_BY(DeviceTiles, device_tiles_clear)

/* False: it is padding. */
static inline bool device_lane_is_vertex(const DeviceTiles *tiles, int lane)
{
    return lane == 0 || tiles->vertex_of[lane] != tiles->vertex_of[lane - 1];
}

/* Sends all that stays as long as the binding. */
Status device_binding_send(const DeviceApi *api, void *handle, const BackendBinding *binding,
                           const DeviceTiles *tiles);
