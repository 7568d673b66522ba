/* Rotation matrices to unit quaternions, and products of these, several side by side. Used by rigid_pose.c
 * alone. */
#pragma once

#include "datasets/base/base.h"
#include "datasets/geometry/transform_columns.h"

/* Values of a quaternion, or of a dual one, of many joints side by side: w, x, y and z, then those of the
 * dual part. */
typedef struct QuatColumns {
    _Alignas(64) double values[8][COLUMN_LANES];
} QuatColumns;

/* The quaternions of the rotations of `count` transformations (Shepperd 1978), at most COLUMN_LANES, and,
 * where `dual`, the dual parts of the transformations. The signs are any. */
void rigid_quats_find(const Transform *transforms, int count, bool dual, QuatColumns *out);

enum { DOTS_BLOCK = 64 };

/* dots [count]: the products of the quaternions of pairs [count][2] of joints, joint j's four values at
 * values + j * stride; count is at most DOTS_BLOCK. Returns the least of them. */
double rigid_quats_dots(const double *values, int stride, const int32_t *pairs, int count,
                        double dots[DOTS_BLOCK]);
