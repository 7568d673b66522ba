/* Sign choices shared by the pose stages and kernels of methods that blend quaternions: q and -q are the
 * same rotation, so signs must be chosen before adding. Common subset of C11, OpenCL C and CUDA C. */
#ifndef SKINBENCH_KERNEL_HEMISPHERE_H
#define SKINBENCH_KERNEL_HEMISPHERE_H

#include "datasets/geometry/dialect.h"

/* Ways to choose the signs of a joint set's quaternions; they are the variants of a kernel that blends
 * quaternions. From 1 on they follow the order of the parameter `hemisphere`. */
typedef enum HemisphereVariant {
    HEMISPHERE_CHOSEN,      /* the palette's signs are valid for the set, and no blend can vanish */
    HEMISPHERE_FIRST,       /* per vertex, against the first influence (DQS Algorithm 2) */
    HEMISPHERE_HEAVIEST,    /* per vertex, against the heaviest influence, the first one on a tie */
    HEMISPHERE_RUNNING_SUM, /* per vertex, each influence against the sum of the influences before it */
    HEMISPHERE_HIERARCHY,   /* the palette's signs, although they are not valid for this set */
    HEMISPHERE_VARIANT_COUNT
} HemisphereVariant;

/* Two quaternions count as being in one hemisphere if their dot product exceeds the negative of this
 * number. At a half turn either sign is valid; every backend then keeps the palette's sign, which does not
 * depend on rounding. */
#define HEMISPHERE_HALF_TURN REAL(1e-6)

/* Value of |b|^2 below which a blend b has no direction, so that the first influence replaces it. */
#define HEMISPHERE_VANISHED REAL(1e-10)

#endif
