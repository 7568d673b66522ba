/* What the backends on devices share: the arrays a kernel reads, and when they travel. OpenCL and CUDA differ
 * only in the functions of DeviceApi. Two-phase skinning is one kernel here: what blends C'_j stands before
 * the method in the same work item, and the scaled rest pose is never stored. A frame posed without scale
 * gets C'_j = I. */
#ifndef SKINBENCH_BACKENDS_DEVICE_H
#define SKINBENCH_BACKENDS_DEVICE_H

#include "methods/runtime/backends/implementation.h"

/* Buffers, then whole numbers, in the order of the entry's arguments (device_kernel.h). */
typedef enum DeviceBuffer {
    BUFFER_REST,
    BUFFER_WEIGHTS,
    BUFFER_VERTEX_VALUES,
    BUFFER_PARAMETERS,
    BUFFER_SET_OF_VERTEX,
    BUFFER_FIRST_SLOT,
    BUFFER_JOINTS,
    BUFFER_JOINT_VALUES,
    BUFFER_SET_VALUES,
    BUFFER_SET_VARIANTS,
    BUFFER_FIRST_VALUES,
    BUFFER_OUT,
    BUFFER_COUNT
} DeviceBuffer;
typedef enum DeviceSize {
    SIZE_VERTICES,
    SIZE_SETS,
    SIZE_JOINTS,
    SIZE_VALUES_PER_JOINT,
    SIZE_VALUES_PER_SET,
    SIZE_FIRST_FRAME,
    SIZE_COUNT
} DeviceSize;

/* What a device compiles and runs. */
typedef struct DeviceProgram {
    const char *name;        /* the method's, for messages */
    const char *text;        /* device_program */
    const char *entry_point; /* of device_kernel.h */
} DeviceProgram;

/* The text of a method's kernel and its entry points; with a first phase of two-phase skinning, that
 * blends C'_j before; then `more`, for entry points of a caller's own. Both may be NULL. The result is for
 * memory_free, NULL where memory gave out. */
char *device_program(const SkinningEntry *entry, const SkinningEntry *first_phase, const char *more);

typedef struct DeviceApi {
    /* Opens the first device and compiles the program for it. */
    Status (*open)(const DeviceProgram *program, void **device);
    void (*close)(void *device);
    /* Makes a buffer anew, of at least one byte. */
    Status (*allocate)(void *device, DeviceBuffer buffer, size_t size_bytes);
    Status (*upload)(void *device, DeviceBuffer buffer, size_t size_bytes, const void *data);
    Status (*download)(void *device, DeviceBuffer buffer, size_t offset_bytes, size_t size_bytes, void *data);
    /* Runs the kernel on all vertices (at least one) of `frames` frames and waits; adds what the device's own
     * clock says to *time_s. sizes[SIZE_FIRST_FRAME] is the first frame. */
    Status (*launch)(void *device, const int sizes[SIZE_COUNT], int frames, double *time_s);
} DeviceApi;

/* The `create` of a backend, but for its api, and what follows it. */
Status device_create(const DeviceApi *api, const BackendBinding *binding, void **state);
extern const BackendFunctions device_functions;

#endif
