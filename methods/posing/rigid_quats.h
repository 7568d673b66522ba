/* Computes unit quaternions of rotation matrices and dot products of quaternions, several side by side.
 * Used by rigid_pose.c only. */
#pragma once

#include "datasets/base/base.h"
#include "datasets/geometry/transform_columns.h"

/* Quaternions or dual quaternions of many joints side by side: w, x, y and z, followed by w, x, y and z of
 * the dual part. */
typedef struct QuatColumns {
    _Alignas(64) double values[8][COLUMN_LANES];
} QuatColumns;

/* Computes the quaternions of the rotations (Shepperd 1978) of at most COLUMN_LANES transformations and, if
 * `dual` is set, their dual parts. The signs are arbitrary. */
void rigid_quats_find(const Transform *transforms, int count, bool dual, QuatColumns *out);

enum { DOTS_BLOCK = 64 };

/* Computes dots [count], the dot products of the quaternions of pairs [count][2] of joints, for at most
 * DOTS_BLOCK pairs. The quaternion of joint j is at values + j * stride. Returns the smallest product. */
double rigid_quats_dots(const double *values, int stride, const int32_t *pairs, int count,
                        double dots[DOTS_BLOCK]);
