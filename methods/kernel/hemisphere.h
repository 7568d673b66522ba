/* Sign choices shared by the pose stages and kernels of methods that blend quaternions: q and -q are the
 * same rotation, so signs must be chosen before adding. Common subset of C11, OpenCL C and CUDA C. */
#ifndef SKINBENCH_KERNEL_HEMISPHERE_H
#define SKINBENCH_KERNEL_HEMISPHERE_H

#include "datasets/geometry/dialect.h"

/* How the signs of a joint set's quaternions are chosen; these are the variants of such a kernel. From 1 on
 * they follow the order of the parameter `hemisphere`. */
typedef enum HemisphereVariant {
    HEMISPHERE_CHOSEN,      /* the palette's signs are valid for the set, and no blend can vanish */
    HEMISPHERE_FIRST,       /* per vertex, against the first influence (DQS Algorithm 2) */
    HEMISPHERE_HEAVIEST,    /* per vertex, against the heaviest influence, the first if several are equal */
    HEMISPHERE_RUNNING_SUM, /* per vertex, each influence against the sum of those before it */
    HEMISPHERE_HIERARCHY,   /* the palette's signs, which are not valid for this set */
    HEMISPHERE_VARIANT_COUNT
} HemisphereVariant;

/* Quaternions whose dot product exceeds the negative of this count as being in one hemisphere. For a half
 * turn either sign is right; every backend then keeps the palette's sign instead of one that depends on
 * rounding. */
#define HEMISPHERE_HALF_TURN REAL(1e-6)

/* Below this value of |b|^2 a blend has no direction, and the first influence replaces it. */
#define HEMISPHERE_VANISHED REAL(1e-10)

#endif
