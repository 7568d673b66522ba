/* Detects reads of a kernel past the available values. The reference flavour (KERNEL_CHECKS) reports them;
 * in other flavours they would read another joint's values or arbitrary memory. */
#ifndef SKINBENCH_KERNEL_KERNEL_READS_H
#define SKINBENCH_KERNEL_KERNEL_READS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    READS_JOINT,     /* PALETTE(k, i), checked for i */
    READS_INFLUENCE, /* WEIGHT(k) and PALETTE(k, i), checked for k */
    READS_SET,       /* SET_VALUE(i) */
    READS_VERTEX,    /* VERTEX_VALUE(i), followed by INFLUENCE_VALUE(k, i) */
    READS_PARAMETER, /* PARAMETER(i) */
    READS_COUNT
};

/* First read past the available values: kind + 1 in the upper half, index in the lower half; 0 if there was
 * none. */
typedef int64_t KernelMisread;

/* Returns whether value i of `count` values exists. If it does not, records the read in `misread`, which
 * threads share. */
static inline bool kernel_has(KernelMisread *misread, int kind, int count, int i)
{
    if (i >= 0 && i < count)
        return true;
    if (__atomic_load_n(misread, __ATOMIC_RELAXED) == 0)
        __atomic_store_n(misread, (int64_t)(kind + 1) << 32 | (uint32_t)i, __ATOMIC_RELAXED);
    return false;
}

#endif
