/* A direct method with all that its kernel was compiled to: what the Skinner is handed. The rows are
 * generated from the calls of skinbench_add_method; methods/registry.h offers them. */
#pragma once

#include "methods/runtime/kernel_count.h"
#include "methods/runtime/simd_levels.h"
#include "methods/runtime/skinning_method.h"

typedef struct SkinningEntry {
    const char *name; /* in the call of skinbench_add_method */
    const SkinningMethod *method;
    const HostKernel *reference;
    const HostKernel *scalar;
    const HostKernel *simd[SIMD_LEVELS_MAX + 1]; /* least level first, NULL-terminated */
    const char *vertex_function;                 /* <name>_vertex: what the kernel defines */
    const char *device_text;                     /* the kernel with all it includes, for OpenCL and CUDA */
    KernelCounter *counter;                      /* NULL: nothing counts its operations */
} SkinningEntry;

/* STATUS_USAGE, in the method's name, where its table is not in order (skinning_method_check), or is not
 * that of the name or the kernel it was registered with. */
Status skinning_entry_check(const SkinningEntry *entry);

/* Runs the reference kernel on a vertex of zeros in every variant. STATUS_CHECK_FAILED where it reads past
 * the values that the method's table announces, as kernel_misread_status says it. */
Status skinning_entry_read_check(const SkinningEntry *entry);

/* STATUS_CHECK_FAILED where `misread` (methods/kernel/kernel_reads.h) is one: names method, value and index.
 */
Status kernel_misread_status(const SkinningMethod *method, int64_t misread);
