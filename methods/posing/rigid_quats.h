/* Rotation matrices to unit quaternions, several joints side by side. Used by rigid_pose.c alone. */
#ifndef SKINBENCH_POSING_RIGID_QUATS_H
#define SKINBENCH_POSING_RIGID_QUATS_H

#include "datasets/geometry/transform.h"

/* quats [4][stride]: the quaternions of the rotations transforms [count] (Shepperd 1978), w of all, then
 * x, y and z; stride is at least count. The signs are any. */
void rigid_quats_find(const Transform *transforms, int count, double *quats, int stride);

#endif
