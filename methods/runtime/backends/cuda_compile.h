/* Compiles CUDA kernels. NVRTC is opened at run time, so a build needs no toolkit. */
#pragma once

#include "methods/runtime/backends/device_api.h"

/* Work items of CUDA: one thread per vertex and block of frames. */
static const DeviceShape cuda_shape = {.lanes = 1, .frames = 8, .group = 128, .wide_rows = true};

/* Chooses the architecture to compile for, given the architecture of the GPU (75 for 7.5; 0 for any GPU).
 * It is the highest that the compiler knows and the GPU supports; for 0 it is the lowest. The driver
 * accepts its PTX for any later GPU. Fails with STATUS_UNAVAILABLE if there is no NVRTC or the GPU is too
 * old for it. */
Status cuda_architecture(int architecture, int *chosen);

enum { CUDA_VERSION_BYTES = 32 };
/* Writes the compiler's name and version, such as "NVRTC 13.0". Fails with STATUS_UNAVAILABLE if there is
 * no compiler. */
Status cuda_compiler_version(char text[CUDA_VERSION_BYTES]);

typedef struct CudaCompileOptions {
    int architecture;  /* 75 for 7.5, must be known to the compiler; 0: the lowest */
    bool machine_code; /* compile for sm_75 instead of compute_75, to an ELF file with machine code */
    bool fast_math;    /* approximate division, roots and angles, as in graphics shaders */
} CudaCompileOptions;

/* Compiles a program (device_program) to PTX or machine code; no GPU is needed. `name` is the method's name
 * for messages. code [size + 1] ends with a NUL; release it with memory_free. STATUS_UNAVAILABLE if there
 * is no NVRTC, or with the first line of the compiler's log. */
Status cuda_compile(const char *name, const char *program, const CudaCompileOptions *options, char **code,
                    size_t *size);
