/* What the methods compiled into this program are: tables that CMake generates from the calls of
 * skinbench_add_method (skinbench_add_method.cmake), sorted by name. */
#ifndef SKINBENCH_METHODS_REGISTRY_H
#define SKINBENCH_METHODS_REGISTRY_H

#include "methods/fitting/decomposition_method.h"
#include "methods/runtime/backends/host_kernel.h"
#include "methods/runtime/skinner.h"

/* A direct method and everything its kernel was compiled to. */
typedef struct SkinningEntry {
    const SkinningMethod *method;
    const HostKernel *reference;
    const HostKernel *scalar;
    const HostKernel *simd[SIMD_LEVELS_MAX + 1]; /* least level first, closed by NULL */
    const char *device_text;                     /* the kernel with all it includes, for OpenCL and CUDA */
} SkinningEntry;

/* Closed by a row of NULLs. */
extern const SkinningEntry skinning_registry[];
/* The levels every kernel was compiled for, least first, closed by NULL. */
extern const char *const simd_levels_built[];
/* Closed by NULL. */
extern const DecompositionMethod *const decomposition_registry[];

/* The direct methods compiled in, in alphabetical order of name. */
int skinning_method_count(void);
const SkinningMethod *skinning_method_at(int index);
/* NULL when there is none of that name. */
const SkinningMethod *skinning_method_find(const char *name);

/* Likewise the decomposition methods. */
int decomposition_method_count(void);
const DecompositionMethod *decomposition_method_at(int index);
const DecompositionMethod *decomposition_method_find(const char *name);

#endif
