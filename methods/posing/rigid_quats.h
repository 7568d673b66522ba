/* Rotation matrices to unit quaternions, several joints side by side. Used by rigid_pose.c alone. */
#ifndef SKINBENCH_POSING_RIGID_QUATS_H
#define SKINBENCH_POSING_RIGID_QUATS_H

#include "datasets/geometry/transform.h"

/* How far the joints of a frame are from rigid. */
typedef struct RigidBounds {
    double distance;    /* the greatest element of |A A^T - I| of any joint, A its 3 x 3 part */
    double determinant; /* the least of any A */
} RigidBounds;

/* quats [4][room]: the quaternions of transforms [count] (Shepperd 1978), w of all, then x, y and z; room is
 * at least count. The signs are any. Of matrices that are not rotations the bounds tell. */
RigidBounds rigid_quats_find(const Transform *transforms, int count, double *quats, int room);

#endif
