/* The compiler half of the CUDA backend: NVRTC, opened at run time, so that no toolkit is needed to build. */
#pragma once

#include "methods/runtime/backends/device_api.h"

/* One thread per vertex and block of frames. */
static const DeviceShape cuda_shape = {.lanes = 1, .frames = 8, .group = 128, .wide_rows = true};

/* The architecture to compile for where the GPU has `architecture` (75; 0: any GPU): the greatest that the
 * compiler knows and that is not above it (0: the least), whose PTX the driver takes to any later GPU.
 * STATUS_UNAVAILABLE where there is no NVRTC, or none that knows so old a GPU. */
Status cuda_architecture(int architecture, int *chosen);

enum { CUDA_VERSION_BYTES = 32 };
/* "NVRTC 13.0". STATUS_UNAVAILABLE where there is none. */
Status cuda_compiler_version(char text[CUDA_VERSION_BYTES]);

typedef struct CudaCompileOptions {
    int architecture;  /* 75, one the compiler knows; 0: the least */
    bool machine_code; /* for sm_75 in place of compute_75: an ELF file with the code itself */
    bool fast_math;    /* approximate division, roots and angles, as graphics shaders have them */
} CudaCompileOptions;

/* Compiles a program (device_program) to PTX, or to machine code; no GPU is needed. `name` is the
 * method's, for messages. code [size + 1], closed by a NUL, is released with memory_free.
 * STATUS_UNAVAILABLE where there is no NVRTC, or with the first line of the compiler's log. */
Status cuda_compile(const char *name, const char *program, const CudaCompileOptions *options, char **code,
                    size_t *size);
