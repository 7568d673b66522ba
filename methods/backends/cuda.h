/* CUDA without the toolkit at build time: kernels are compiled by NVRTC and run through the driver, both
 * opened at run time. */
#ifndef SKINBENCH_BACKENDS_CUDA_H
#define SKINBENCH_BACKENDS_CUDA_H

#include "methods/skinning.h"

/* Compiles a method's kernel to PTX for a virtual architecture, 75 for compute_75; 0: the least that the
 * compiler knows. No GPU is needed. *ptx is text, released with memory_free. STATUS_UNAVAILABLE where there
 * is no NVRTC, or with the first line of the compiler's log. */
Status cuda_compile(const SkinningMethod *method, int architecture, char **ptx);

#endif
