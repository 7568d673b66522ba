/* The seam between what the backends on devices share (device.h) and what each of them does its own way. */
#pragma once

#include "methods/runtime/backend.h"

/* Buffers, then whole numbers, in the order of the entry's arguments (device_kernel.h). */
typedef enum DeviceBuffer {
    BUFFER_REST,
    BUFFER_WEIGHTS,
    BUFFER_VERTEX_VALUES,
    BUFFER_PARAMETERS,
    BUFFER_SET_OF_TILE,
    BUFFER_SET_SLOTS,
    BUFFER_JOINTS,
    BUFFER_VERTICES,
    BUFFER_JOINT_VALUES,
    BUFFER_SET_VALUES,
    BUFFER_SET_VARIANTS,
    BUFFER_FIRST_VALUES,
    BUFFER_OUT,
    BUFFER_OUT_NORMALS,
    BUFFER_COUNT
} DeviceBuffer;
typedef enum DeviceSize {
    SIZE_VERTICES,
    SIZE_TILES,
    SIZE_SETS,
    SIZE_JOINTS,
    SIZE_FIRST_FRAME,
    SIZE_FIRST_RESULT,
    SIZE_FRAMES,
    SIZE_FLAGS,
    SIZE_COUNT
} DeviceSize;
/* As in device_kernel.h. */
enum { FLAG_FILE_ORDER = 1, FLAG_FILE_NORMALS = 2, FLAG_MIXED = 4 };

/* How a device wants its work items. */
typedef struct DeviceShape {
    int lanes, frames; /* vertices and frames of a work item */
    int group;         /* work items that are started together */
    bool wide_rows;    /* 4 values of the palette are one load */
} DeviceShape;

/* Some frames to be skinned. */
typedef struct DeviceLaunch {
    DeviceShape shape;
    int sizes[SIZE_COUNT];
    unsigned variants; /* bit v: the program of variant v is to run */
} DeviceLaunch;

/* Groups of work items side by side: how many blocks of frames a launch has. */
static inline int device_frame_blocks(const DeviceLaunch *launch)
{
    return (launch->sizes[SIZE_FRAMES] + launch->shape.frames - 1) / launch->shape.frames;
}

struct DeviceApi {
    /* Opens the first device. */
    Status (*open)(void **device, DeviceShape *shape);
    void (*close)(void *device);
    /* Compiles the program of a variant; `name`: the method's, for messages. */
    Status (*compile)(void *device, const char *name, const char *text, int variant);
    /* Reallocates a buffer, of at least one byte. */
    Status (*allocate)(void *device, DeviceBuffer buffer, size_t size_bytes);
    /* Memory of the host from which and to which copies are fast; NULL: out of memory. */
    void *(*host_allocate)(void *device, size_t size_bytes);
    void (*host_release)(void *device, void *memory);
    Status (*upload)(void *device, DeviceBuffer buffer, size_t size_bytes, const void *data);
    Status (*download)(void *device, DeviceBuffer buffer, size_t offset_bytes, size_t size_bytes, void *data);
    /* Runs programs on all vertices (at least one) of at least one frame, into the buffers; waits. */
    Status (*launch)(void *device, const DeviceLaunch *launch, DeviceTimes *times);
    /* Likewise, and brings results in file order here: positions, and normals or NULL, floats
     * [frame][N][3]. */
    Status (*deliver)(void *device, const DeviceLaunch *launch, float *positions, float *normals,
                      DeviceTimes *times);
    /* Copies within the device's memory, and adds what that took; 0 bytes: so many that of what was there
     * before nothing is left in its caches. */
    Status (*copy)(void *device, size_t size_bytes, double *time_s);
};
