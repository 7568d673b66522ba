/* What the pose stage and the kernel of dqs agree on. Common subset of C11, OpenCL C and CUDA C. */
#ifndef SKINBENCH_DQS_VARIANTS_H
#define SKINBENCH_DQS_VARIANTS_H

#include "datasets/geometry/real.h"

/* How the signs of a joint set's dual quaternions are chosen. The policies stand in the order of the
 * parameter `hemisphere`, from 1. */
enum DqsVariant {
    DQS_CHOSEN,      /* the palette's signs are valid for the set, and its blends cannot vanish */
    DQS_FIRST,       /* per vertex, against its first influence (DQS Algorithm 2) */
    DQS_HEAVIEST,    /* per vertex, against its heaviest influence, the first of equals */
    DQS_RUNNING_SUM, /* per vertex, each against the sum of those before it */
    DQS_HIERARCHY,   /* the palette's signs, which are not valid for the set */
    DQS_VARIANT_COUNT
};

/* Non-dual parts whose dot product is above the negative of this are taken as lying in one hemisphere. A half
 * turn, where either sign is right, then keeps the sign the palette has on every backend, instead of the one
 * that rounding happens to give. */
#define DQS_HALF_TURN REAL(1e-6)

#endif
