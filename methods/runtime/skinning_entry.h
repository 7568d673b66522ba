/* A direct method with all compiled forms of its kernel, for the Skinner. The entries are generated from
 * the calls of skinbench_add_method; methods/registry.h lists them. */
#pragma once

#include "methods/runtime/kernel_count.h"
#include "methods/runtime/simd_levels.h"
#include "methods/runtime/skinning_method.h"

typedef struct SkinningEntry {
    const char *name; /* name in the call of skinbench_add_method */
    const SkinningMethod *method;
    const HostKernel *reference;
    const HostKernel *scalar;
    const HostKernel
        *simd[SIMD_LEVELS_MAX + 1]; /* kernels of the simd levels, lowest first, NULL-terminated */
    const char *vertex_function;    /* <name>_vertex, the function that the kernel defines */
    const char *device_text;        /* source of the kernel with all its includes, for OpenCL and CUDA */
    KernelCounter *counter;         /* counts the kernel's operations; NULL if they cannot be counted */
} SkinningEntry;

/* Checks a method's table (skinning_method_check), and that the table belongs to the registered name and
 * kernel. Otherwise returns STATUS_USAGE with the method's name. */
Status skinning_entry_check(const SkinningEntry *entry);

/* Runs the reference kernel in every variant on a vertex of zeros. Returns STATUS_CHECK_FAILED if the
 * kernel reads more values than the method's table announces (kernel_misread_status). */
Status skinning_entry_read_check(const SkinningEntry *entry);

/* Converts a misread (methods/kernel/kernel_reads.h) to STATUS_CHECK_FAILED; the message names method,
 * value and index. A misread of 0 gives STATUS_OK. */
Status kernel_misread_status(const SkinningMethod *method, int64_t misread);
