/* The backends that run kernels, as the rest of the program sees them: one table row for each backend.
 * Their functions are private (backends/implementation.h). */
#pragma once

#include "datasets/base/base.h"

typedef struct BackendBinding BackendBinding;
typedef struct BackendFunctions BackendFunctions;
typedef struct DeviceApi DeviceApi;

/* Times of the frames that were skinned last, measured by the device's clock, in seconds for all frames
 * together. */
typedef struct DeviceTimes {
    double kernel_s;
    double upload_s;   /* uploading the posed frames to the device, by the host's clock */
    double download_s; /* downloading the results to the host, after they are in file order */
} DeviceTimes;

/* Compares a kernel with copies within the memory of the same device. A copy reads and writes each byte, so
 * it copies half the bytes that the kernel must move. Hot times are those of a second run immediately after
 * the first. Cold times are those of a run after copies larger than the device's caches (64 MiB if the
 * device is a processor). */
typedef struct DeviceSample {
    double cold_kernel_s, copy_s, cold_copy_s;
    double moved_bytes; /* number of bytes that the kernel must move: it writes the results once, and reads
                           rest pose, weights, values and palettes once */
} DeviceSample;

typedef struct Backend {
    const char *name;  /* name for --backend and in results: "simd" */
    const char *label; /* name in texts for readers: "OpenCL" */
    const char *title; /* description in `skinbench list backends` */
    unsigned color;    /* 0xrrggbb in figures, from the palette of Okabe and Ito (2008) */
    bool is_device; /* whether the backend's device has its own memory, so that the processor's bandwidth does
                       not limit it */
    bool is_gpu;    /* whether the backend always runs on a GPU; the device of OpenCL may be the processor */
    bool threaded;  /* Whether the backend can use several threads. If so, it is benchmarked with each thread
                       count. */
    bool takes_level; /* whether the backend is compiled once per instruction-set level, which SkinnerOptions
                         may choose */
    bool double_precision; /* whether the backend computes in double instead of float */
    /* Returns STATUS_OK if the backend can run here, and writes the device or instruction-set level to text
     * [size]. Otherwise returns STATUS_UNAVAILABLE and says what is missing. */
    Status (*probe)(char *text, size_t size);
    /* Returns the memory of the GPU that the backend would use, in bytes, or 0 if it would use no GPU. NULL
     * if the backend never uses a GPU. */
    double (*gpu_bytes)(void);
    const DeviceApi *device_api; /* functions that measure the device itself; NULL if there is no device */
    /* Creates the backend's state for a rig and method; called by the Skinner only. */
    Status (*create)(const BackendBinding *binding, void **state);
    const BackendFunctions *functions;
} Backend;

/* All backends, in the order in which they are listed and run. Each one has a row backend_<name> in its own
 * file.
 *   reference  double, plain loops, strict floating point: the reference for checking the other backends
 *   scalar     float, one vertex at a time, no vector instructions: the baseline for speed
 *   simd       float, vector lanes hold vertices of one joint set
 *   opencl     float, one work item per tile of vertices and block of frames
 *   cuda       likewise */
#define BACKENDS(ROW) ROW(reference) ROW(scalar) ROW(simd) ROW(opencl) ROW(cuda)

#define BACKEND_DECLARE(name) extern const Backend backend_##name;
BACKENDS(BACKEND_DECLARE)
#define BACKEND_ONE(name) +1
enum { BACKEND_COUNT = 0 BACKENDS(BACKEND_ONE) };

/* Returns a backend by its index, 0 <= index < BACKEND_COUNT. */
const Backend *backend_at(int index);
/* Finds a backend by name. Returns STATUS_USAGE if there is none. */
Status backend_find(const char *name, const Backend **backend);
