/* The ways to run a kernel, as the rest of the program sees them: a row of facts each. What a backend does
 * is its own (backends/implementation.h). */
#pragma once

#include "datasets/base/base.h"

typedef struct BackendBinding BackendBinding;
typedef struct BackendFunctions BackendFunctions;
typedef struct DeviceApi DeviceApi;

/* What a device's own clock says of the frames that were skinned last, in seconds of all of them. */
typedef struct DeviceTimes {
    double kernel_s;
    double upload_s;   /* of the posed frames to the device, by the host's clock */
    double download_s; /* of results to the host, once they are in file order */
} DeviceTimes;

/* A device compared with itself: its kernel against copies within its memory, of half as many bytes as the
 * kernel moves at least, as a copy moves each byte twice. Hot: run a second time at once; cold: after copies
 * larger than the caches of the device (of a processor: 64 MiB). */
typedef struct DeviceSample {
    double cold_kernel_s, copy_s, cold_copy_s;
    double moved_bytes; /* results written once; rest pose, weights, values and palettes read once */
} DeviceSample;

typedef struct Backend {
    const char *name;      /* as after --backend and in results: "simd" */
    const char *label;     /* as people write it: "OpenCL" */
    const char *title;     /* a line for `skinbench list backends` */
    unsigned color;        /* 0xrrggbb in figures, after Okabe and Ito (2008) */
    bool is_device;        /* has a memory of its own, of which the processor's bandwidth says nothing */
    bool is_gpu;           /* the device is a part of the machine; OpenCL's may be the processor again */
    bool threaded;         /* made to run on several threads: benched with every count of them */
    bool takes_level;      /* compiled once per instruction-set level, which SkinnerOptions may name */
    bool double_precision; /* reals are double; else float */
    /* STATUS_OK when the backend can run here, with the device or instruction-set level in text [size]; else
     * STATUS_UNAVAILABLE with what is lacking. */
    Status (*probe)(char *text, size_t size);
    /* The memory of the GPU that it runs on; 0: it would run on none here. NULL: on none anywhere. */
    double (*gpu_bytes)(void);
    const DeviceApi *device_api; /* for what measures the device itself; NULL: it is none */
    /* For the Skinner. */
    Status (*create)(const BackendBinding *binding, void **state);
    const BackendFunctions *functions;
} Backend;

/* Every backend, in the order in which they are listed and run: a row per backend_<name>, which its file
 * defines.
 *   reference  double, plain loops, strict floating point: the truth that the others are checked against
 *   scalar     float, one vertex at a time, no vector instructions: what the others' speed is compared with
 *   simd       float, lanes are vertices of one joint set
 *   opencl     float, a work item per vertex and frame
 *   cuda       likewise */
#define BACKENDS(ROW) ROW(reference) ROW(scalar) ROW(simd) ROW(opencl) ROW(cuda)

#define BACKEND_DECLARE(name) extern const Backend backend_##name;
BACKENDS(BACKEND_DECLARE)
#define BACKEND_ONE(name) +1
enum { BACKEND_COUNT = 0 BACKENDS(BACKEND_ONE) };

/* 0 <= index < BACKEND_COUNT */
const Backend *backend_at(int index);
/* STATUS_USAGE when there is none of that name. */
Status backend_find(const char *name, const Backend **backend);
