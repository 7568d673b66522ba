/* Compiles CUDA kernels. NVRTC is opened at run time, so the CUDA toolkit is not needed to build the
 * program. */
#pragma once

#include "methods/runtime/backends/device_api.h"

/* Work items of CUDA: one thread per 4 vertices and 4 frames. */
static const DeviceShape cuda_shape = {.lanes = 1, .reals = 4, .frames = 4, .group = 128, .wide_rows = true};

/* Chooses the architecture to compile for. `architecture` is that of the GPU: 75 for 7.5, 0 for any GPU.
 * Chooses the highest architecture that the compiler knows and the GPU supports, or the lowest one for 0.
 * The driver accepts PTX of it for any later GPU. Fails with STATUS_UNAVAILABLE if there is no NVRTC or the
 * GPU is too old for it. */
Status cuda_architecture(int architecture, int *chosen);

enum { CUDA_VERSION_BYTES = 32 };
/* Writes the compiler's name and version, such as "NVRTC 13.0". Fails with STATUS_UNAVAILABLE if there is
 * no compiler. */
Status cuda_compiler_version(char text[CUDA_VERSION_BYTES]);

typedef struct CudaCompileOptions {
    int architecture;   /* which the compiler must know: 75 stands for 7.5, and 0 for the lowest */
    bool machine_code;  /* true makes machine code (an ELF file, for sm_75), false PTX (for compute_75) */
    bool fast_math;     /* true approximates divisions, roots and angles, as graphics shaders do */
    bool near_division; /* whether divisions and roots may be off by 2 units in the last place. Exact ones
                           call a function, which costs registers. */
    char **ptx;         /* NULL, or receives the PTX as well; release it with memory_free, even on failure */
} CudaCompileOptions;

/* Compiles a program (device_program) to PTX or machine code; no GPU is needed. `name` is the method's name
 * for messages. code [size + 1] ends with a NUL; release it with memory_free. Fails with STATUS_UNAVAILABLE
 * if there is no NVRTC, or with the first line of the compiler's log. */
Status cuda_compile(const char *name, const char *program, const CudaCompileOptions *options, char **code,
                    size_t *size);
