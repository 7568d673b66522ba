/* CUDA without the toolkit at build time: kernels are compiled by NVRTC and run through the driver, both
 * opened at run time. */
#ifndef SKINBENCH_BACKENDS_CUDA_H
#define SKINBENCH_BACKENDS_CUDA_H

#include "methods/runtime/skinner.h"
#include <stdbool.h>
#include <stddef.h>

/* Compiles a method's kernel to PTX for a virtual architecture, 75 for compute_75; 0: the least that the
 * compiler knows. No GPU is needed. *ptx is text, released with memory_free. STATUS_UNAVAILABLE where there
 * is no NVRTC, or with the first line of the compiler's log. */
Status cuda_compile(const SkinningMethod *method, int architecture, char **ptx);

/* The architecture to compile for where the GPU has `architecture` (75; 0: any GPU): the greatest that the
 * compiler knows and that is not above it (0: the least), whose PTX the driver takes to any later GPU.
 * STATUS_UNAVAILABLE where there is no NVRTC, or none that knows so old a GPU. */
Status cuda_architecture(int architecture, int *chosen);

typedef struct CudaCompileOptions {
    int architecture;  /* 75, one the compiler knows; 0: the least */
    bool machine_code; /* for sm_75 in place of compute_75: an ELF file with the code itself */
    bool two_phase;    /* its entries with the first phase of two-phase skinning (DEVICE_TWO_PHASE) */
    bool fast_math;    /* approximate division, roots and angles, as graphics shaders have them */
    const char *more;  /* text that follows the method's kernel, with entries of its own; NULL: nothing */
} CudaCompileOptions;

/* As cuda_compile, for those who look into the code: code [size + 1], closed by a NUL, for memory_free. */
Status cuda_compile_with(const SkinningMethod *method, const CudaCompileOptions *options, char **code,
                         size_t *size);

#endif
