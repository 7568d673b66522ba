/* Indices of a kernel that lead past the values there are, as the reference flavour (KERNEL_CHECKS) finds
 * them: another flavour reads another joint's there, or anything. */
#ifndef SKINBENCH_KERNEL_KERNEL_READS_H
#define SKINBENCH_KERNEL_KERNEL_READS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    READS_JOINT,     /* PALETTE(k, i), by i */
    READS_INFLUENCE, /* WEIGHT(k) and PALETTE(k, i), by k */
    READS_SET,       /* SET_VALUE(i) */
    READS_VERTEX,    /* VERTEX_VALUE(i), with INFLUENCE_VALUE(k, i) behind it */
    READS_PARAMETER, /* PARAMETER(i) */
    READS_COUNT
};

/* The first read past the values: its kind + 1 in the upper half, its index below; 0: there was none. */
typedef int64_t KernelMisread;

/* Whether there is a value i of `count`; `misread`, which threads share, tells where not. */
static inline bool kernel_has(KernelMisread *misread, int kind, int count, int i)
{
    if (i >= 0 && i < count)
        return true;
    if (__atomic_load_n(misread, __ATOMIC_RELAXED) == 0)
        __atomic_store_n(misread, (int64_t)(kind + 1) << 32 | (uint32_t)i, __ATOMIC_RELAXED);
    return false;
}

#endif
