/* Code shared by the device backends: the arrays that a kernel reads, and their transfers. OpenCL and CUDA
 * differ only in the functions of DeviceApi. Two-phase skinning runs as one kernel: each work item blends
 * C'_j and then runs the method, so the scaled rest pose is never stored. For a frame posed without scale,
 * C'_j = I.
 *
 * A method's kernel is compiled to one program for each variant in use. If all joint sets of all frames use
 * one variant, only its program runs, without tests. Otherwise each variant's program runs over all tiles
 * and skips tiles of other variants. */
#pragma once

#include "methods/runtime/backend.h"

/* Arguments of the entry point in device_kernel.h, in order: all buffers, then all integers. */
typedef enum DeviceBuffer {
    BUFFER_REST,
    BUFFER_WEIGHTS,
    BUFFER_VERTEX_VALUES,
    BUFFER_PARAMETERS,
    BUFFER_SET_OF_TILE,
    BUFFER_TILE_SLOTS,
    BUFFER_JOINTS,
    BUFFER_VERTICES,
    BUFFER_JOINT_VALUES,
    BUFFER_SET_VALUES,
    BUFFER_FIRST_VALUES,
    BUFFER_OUT,
    BUFFER_OUT_NORMALS,
    BUFFER_COUNT
} DeviceBuffer;
typedef enum DeviceSize {
    DEVICE_SIZE_VERTICES,
    DEVICE_SIZE_TILES,
    DEVICE_SIZE_SETS,
    DEVICE_SIZE_JOINTS,
    DEVICE_SIZE_FIRST_FRAME,
    DEVICE_SIZE_FIRST_RESULT,
    DEVICE_SIZE_FRAMES,
    DEVICE_SIZE_FLAGS,
    DEVICE_SIZE_COUNT
} DeviceSize;
/* Flags with the same values as in device_kernel.h. */
enum { FLAG_FILE_ORDER = 1, FLAG_FILE_NORMALS = 2 };

/* Sizes that divide the work of a launch in a way that suits the device. */
typedef struct DeviceShape {
    int lanes;         /* number of floats in a vector of the device's processor; 1: it has no vectors */
    int reals, frames; /* numbers of such vectors, and of frames, that one work item skins */
    int group;         /* number of work items per group */
    bool wide_rows;    /* whether the kernel loads four palette values with one instruction */
} DeviceShape;

/* One launch of the skin stage for a range of frames. */
typedef struct DeviceLaunch {
    DeviceShape shape;
    int sizes[DEVICE_SIZE_COUNT];
    int variant; /* the program to run */
} DeviceLaunch;

/* Returns the number of vertices, with padding, that one work item skins. */
static inline int device_tile_lanes(const DeviceShape *shape)
{
    return shape->lanes * shape->reals;
}

/* Returns the number of work items of a launch for each block of frames. In file order, a work item skins
 * one vertex. */
static inline size_t device_items(const DeviceLaunch *launch)
{
    const bool alone = launch->sizes[DEVICE_SIZE_FLAGS] & FLAG_FILE_ORDER;
    return (size_t)launch->sizes[DEVICE_SIZE_TILES] * (size_t)(alone ? launch->shape.reals : 1);
}

/* Returns the number of blocks of frames in a launch, which is the second dimension of the grid. */
static inline int device_frame_blocks(const DeviceLaunch *launch)
{
    return (launch->sizes[DEVICE_SIZE_FRAMES] + launch->shape.frames - 1) / launch->shape.frames;
}

struct DeviceApi {
    /* Opens the first device. */
    Status (*open)(void **device, DeviceShape *shape);
    void (*close)(void *device);
    /* Compiles the program of a variant. `name` is the method's name for messages. */
    Status (*compile)(void *device, const char *name, const char *text, int variant);
    /* Reallocates a buffer to the given size, at least one byte. */
    Status (*allocate)(void *device, DeviceBuffer buffer, size_t size_bytes);
    /* Allocates host memory that allows fast copies. Returns NULL if out of memory. */
    void *(*host_allocate)(void *device, size_t size_bytes);
    void (*host_release)(void *device, void *memory);
    Status (*upload)(void *device, DeviceBuffer buffer, size_t size_bytes, const void *data);
    Status (*download)(void *device, DeviceBuffer buffer, size_t offset_bytes, size_t size_bytes, void *data);
    /* Runs the programs on all vertices of the frames (at least one of each), writes to the result buffers,
     * and waits. */
    Status (*launch)(void *device, const DeviceLaunch *launch, DeviceTimes *times);
    /* Runs like `launch` and copies the results to the host in file order: positions, and normals or NULL,
     * as floats [frame][N][3]. */
    Status (*deliver)(void *device, const DeviceLaunch *launch, float *positions, float *normals,
                      DeviceTimes *times);
    /* Copies `size_bytes` within the device's memory and adds the duration to *time_s. If size_bytes is 0,
     * flushes the device's caches instead. */
    Status (*copy)(void *device, size_t size_bytes, double *time_s);
};

/* Creates the state of a device backend. The functions that all device backends share are in
 * device_functions. */
Status device_create(const BackendBinding *binding, void **state);
extern const BackendFunctions device_functions;
