/* Sign choices shared by the pose stages and kernels of methods that blend quaternions. As q and -q are the
 * same rotation, signs must be chosen before quaternions are added. Common subset of C11, OpenCL C and CUDA
 * C. */
#ifndef SKINBENCH_KERNEL_HEMISPHERE_H
#define SKINBENCH_KERNEL_HEMISPHERE_H

#include "datasets/geometry/dialect.h"

/* Ways to choose the signs of a joint set's quaternions. They are the variants of every kernel that blends
 * quaternions. All except the first are values of the parameter `hemisphere`, in the same order. */
typedef enum HemisphereVariant {
    HEMISPHERE_CHOSEN,   /* the palette's signs are valid for the set, and no blend can vanish */
    HEMISPHERE_FIRST,    /* signs chosen per vertex, against the first influence (DQS Algorithm 2) */
    HEMISPHERE_HEAVIEST, /* signs chosen per vertex, against the heaviest influence (the first one on a tie)
                          */
    HEMISPHERE_RUNNING_SUM, /* signs chosen per vertex, each influence against the sum of the influences
                               before it */
    HEMISPHERE_HIERARCHY,   /* the signs of the palette, although they are not valid for this set */
    HEMISPHERE_VARIANT_COUNT
} HemisphereVariant;

/* Two quaternions count as being in one hemisphere if their dot product exceeds the negative of this
 * number. At a half turn either sign is valid; every backend then uses the palette's sign, which does not
 * depend on rounding. */
#define HEMISPHERE_HALF_TURN REAL(1e-6)

/* If |b|^2 is below this value, the blend b has no direction, and the first influence replaces it. */
#define HEMISPHERE_VANISHED REAL(1e-10)

#endif
