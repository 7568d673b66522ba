/* Detects a kernel that reads more values of a joint, joint set or vertex than exist. The reference flavour
 * (KERNEL_CHECKS) reports such reads. In other flavours they return another joint's value or arbitrary
 * memory. */
#ifndef SKINBENCH_KERNEL_KERNEL_READS_H
#define SKINBENCH_KERNEL_KERNEL_READS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    READS_JOINT,     /* reads by PALETTE(k, i) with i out of range */
    READS_INFLUENCE, /* reads by WEIGHT(k) or PALETTE(k, i) with k out of range */
    READS_SET,       /* SET_VALUE(i) */
    READS_VERTEX, /* reads by VERTEX_VALUE(i) or INFLUENCE_VALUE(k, i), whose values are stored one after the
                     other */
    READS_PARAMETER, /* PARAMETER(i) */
    READS_COUNT
};

/* First read of a value that does not exist, as kind + 1 in the upper half and the index in the lower half.
 * 0 if there was none. */
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
