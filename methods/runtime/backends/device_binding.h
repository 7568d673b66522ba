/* What a device is sent once: the vertices by tiles, and the program text. */
#ifndef SKINBENCH_BACKENDS_DEVICE_BINDING_H
#define SKINBENCH_BACKENDS_DEVICE_BINDING_H

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

/* The text of a method's kernel and its entry point, but without one where kernel is NULL; with a first phase of
 * two-phase skinning, that blends C'_j before; then `more`, for entry points of a caller's own. Each may be NULL. The
 * result is for memory_free, NULL where memory gave out. */
char *device_program(const SkinningEntry *entry, const SkinningEntry *first_phase, const DeviceKernel *kernel,
                     const char *more);

/* Where the vertices of a rig stand on a device: in bound order, each joint set padded to whole tiles. */
typedef struct DeviceTiles {
    int lane_count, tile_count;
    int32_t *lane_of; /* [N] of each bound vertex */
} DeviceTiles;

Status device_tiles_make(const JointSets *sets, int lanes, DeviceTiles *out);
void device_tiles_clear(DeviceTiles *tiles);

/* Sends all that stays as long as the binding. */
Status device_binding_send(const DeviceApi *api, void *handle, const BackendBinding *binding,
                           const DeviceTiles *tiles, int lanes);

#endif
