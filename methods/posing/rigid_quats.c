/* Shepperd's method (1978) without branches, for several joints side by side. */
#include "methods/posing/rigid_quats.h"

/* Uses the largest of the four components (the first one on a tie). 4 w^2, 4 x^2, 4 y^2 and 4 z^2 are the
 * diagonal of 4 q q^T, and the row of the largest one is a multiple of q. No operations are fused or
 * reordered, so the result does not depend on the width of the vectors. */
WIDEST_VECTORS
static void quats_find(const Transform *transforms, int count, bool dual, QuatColumns *out)
{
    TransformColumns columns;
    const TransformColumns *const t = &columns;
    transform_columns_of(transforms, count, &columns);
#pragma omp simd
    for (int i = 0; i < count; i++) {
        const double ww = 1.0 + t->m00[i] + t->m11[i] + t->m22[i],
                     xx = 1.0 + t->m00[i] - t->m11[i] - t->m22[i];
        const double yy = 1.0 - t->m00[i] + t->m11[i] - t->m22[i],
                     zz = 1.0 - t->m00[i] - t->m11[i] + t->m22[i];
        const double wx = t->m21[i] - t->m12[i], wy = t->m02[i] - t->m20[i], wz = t->m10[i] - t->m01[i];
        const double xy = t->m10[i] + t->m01[i], xz = t->m02[i] + t->m20[i], yz = t->m21[i] + t->m12[i];
        const double two = vector_greater(yy, zz), three = vector_greater(xx, two);
        const double by_y = yy >= zz ? 1.0 : 0.0, by_x = xx >= two ? 1.0 : 0.0,
                     by_w = ww >= three ? 1.0 : 0.0;
        double qw = by_y > 0.0 ? wy : wz, qx = by_y > 0.0 ? xy : xz;
        double qy = by_y > 0.0 ? yy : yz, qz = by_y > 0.0 ? yz : zz;
        qw = by_x > 0.0 ? wx : qw;
        qx = by_x > 0.0 ? xx : qx;
        qy = by_x > 0.0 ? xy : qy;
        qz = by_x > 0.0 ? xz : qz;
        qw = by_w > 0.0 ? ww : qw;
        qx = by_w > 0.0 ? wx : qx;
        qy = by_w > 0.0 ? wy : qy;
        qz = by_w > 0.0 ? wz : qz;
        const double scale = 1.0 / sqrt(qw * qw + qx * qx + qy * qy + qz * qz);
        out->values[0][i] = qw * scale;
        out->values[1][i] = qx * scale;
        out->values[2][i] = qy * scale;
        out->values[3][i] = qz * scale;
    }
#pragma omp simd
    for (int i = 0; i < (dual ? count : 0); i++) { /* compute the dual part (0, t) q / 2 */
        const double w = out->values[0][i], x = out->values[1][i], y = out->values[2][i],
                     z = out->values[3][i];
        const double tx = t->m03[i], ty = t->m13[i], tz = t->m23[i];
        out->values[4][i] = -0.5 * (tx * x + ty * y + tz * z);
        out->values[5][i] = 0.5 * (tx * w + ty * z - tz * y);
        out->values[6][i] = 0.5 * (ty * w + tz * x - tx * z);
        out->values[7][i] = 0.5 * (tz * w + tx * y - ty * x);
    }
}

/* Four numbers: a quaternion, or the dot products of four pairs of quaternions. The second type is the same
 * in unaligned memory. */
typedef double Quat4 __attribute__((vector_size(4 * sizeof(double))));
typedef double Quat4InMemory
    __attribute__((vector_size(4 * sizeof(double)), aligned(sizeof(double)), may_alias));

#define QUAT_AT(joint) (*(const Quat4InMemory *)(values + (ptrdiff_t)(joint)*stride))
#define QUAT_PRODUCTS(pair) (QUAT_AT((pair)[0]) * QUAT_AT((pair)[1]))

WIDEST_VECTORS
static double dots_find(const double *values, int stride, const int32_t *pairs, int count, double *dots)
{
    double least = 1.0;
    for (int i = 0; i < count; i += 4) {
        const int32_t *last = pairs + 2 * (count - 1),
                      *pair = pairs + 2 * i; /* fill up the block by repeating the last pair */
        const Quat4 a = QUAT_PRODUCTS(pair);
        const Quat4 b = QUAT_PRODUCTS(i + 1 < count ? pair + 2 : last);
        const Quat4 c = QUAT_PRODUCTS(i + 2 < count ? pair + 4 : last);
        const Quat4 d = QUAT_PRODUCTS(i + 3 < count ? pair + 6 : last);
        const Quat4 ab =
            __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
        const Quat4 cd =
            __builtin_shufflevector(c, d, 0, 4, 2, 6) + __builtin_shufflevector(c, d, 1, 5, 3, 7);
        *(Quat4InMemory *)(dots + i) =
            __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
    }
#pragma omp simd reduction(min : least)
    for (int i = 0; i < count; i++)
        least = dots[i] < least ? dots[i] : least;
    return least;
}

double rigid_quats_dots(const double *values, int stride, const int32_t *pairs, int count,
                        double dots[DOTS_BLOCK])
{
    return dots_find(values, stride, pairs, count, dots);
}

void rigid_quats_find(const Transform *transforms, int count, bool dual, QuatColumns *out)
{
    quats_find(transforms, count, dual, out);
}
