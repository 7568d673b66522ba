/* What the pose stages and the kernels of the methods that blend quaternions agree on: q and -q are one
 * rotation, so signs must be chosen before they are added. Common subset of C11, OpenCL C and CUDA C. */
#ifndef SKINBENCH_KERNEL_HEMISPHERE_H
#define SKINBENCH_KERNEL_HEMISPHERE_H

#include "datasets/geometry/dialect.h"

/* How the signs of a joint set's quaternions are chosen: the variants of such a kernel. The policies stand in
 * the order of the parameter `hemisphere`, from 1. */
typedef enum HemisphereVariant {
    HEMISPHERE_CHOSEN,      /* the palette's signs are valid for the set, and its blends cannot vanish */
    HEMISPHERE_FIRST,       /* per vertex, against its first influence (DQS Algorithm 2) */
    HEMISPHERE_HEAVIEST,    /* per vertex, against its heaviest influence, the first of equals */
    HEMISPHERE_RUNNING_SUM, /* per vertex, each against the sum of those before it */
    HEMISPHERE_HIERARCHY,   /* the palette's signs, which are not valid for the set */
    HEMISPHERE_VARIANT_COUNT
} HemisphereVariant;

/* Quaternions whose dot product is above the negative of this are taken as lying in one hemisphere. A half
 * turn, where either sign is right, then keeps the sign the palette has on every backend, instead of the one
 * that rounding happens to give. */
#define HEMISPHERE_HALF_TURN REAL(1e-6)

/* |b|^2 below which a blend has no direction left and the first influence stands in for it. */
#define HEMISPHERE_VANISHED REAL(1e-10)

#endif
