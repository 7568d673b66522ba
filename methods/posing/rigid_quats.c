/* Shepperd's method (1978) without branches, several joints side by side. */
#include "methods/posing/rigid_quats.h"

#include "datasets/base/widest_vectors.h"

#include <math.h>

/* By the greatest of the four components, the first of equals: 4 w^2, 4 x^2, 4 y^2 or 4 z^2 stands on the
 * diagonal of 4 q q^T, whose row through it is q times something. Nothing is contracted and no sum reordered:
 * quaternions are the same with any vectors. */
WIDEST_VECTORS
static void quats_find(const Transform *transforms, int count, double *quats, int stride)
{
    double *w = quats, *x = w + stride, *y = x + stride, *z = y + stride;
#pragma omp simd
    for (int i = 0; i < count; i++) {
        const Transform *t = &transforms[i];
        const double ww = 1.0 + t->m00 + t->m11 + t->m22, xx = 1.0 + t->m00 - t->m11 - t->m22;
        const double yy = 1.0 - t->m00 + t->m11 - t->m22, zz = 1.0 - t->m00 - t->m11 + t->m22;
        const double wx = t->m21 - t->m12, wy = t->m02 - t->m20, wz = t->m10 - t->m01;
        const double xy = t->m10 + t->m01, xz = t->m02 + t->m20, yz = t->m21 + t->m12;
        const double great = vector_greater(vector_greater(ww, xx), vector_greater(yy, zz));
        const double qw = ww >= great ? ww : xx >= great ? wx : yy >= great ? wy : wz;
        const double qx = ww >= great ? wx : xx >= great ? xx : yy >= great ? xy : xz;
        const double qy = ww >= great ? wy : xx >= great ? xy : yy >= great ? yy : yz;
        const double qz = ww >= great ? wz : xx >= great ? xz : yy >= great ? yz : zz;
        const double scale = 1.0 / sqrt(qw * qw + qx * qx + qy * qy + qz * qz);
        w[i] = qw * scale;
        x[i] = qx * scale;
        y[i] = qy * scale;
        z[i] = qz * scale;
    }
}

void rigid_quats_find(const Transform *transforms, int count, double *quats, int stride)
{
    quats_find(transforms, count, quats, stride);
}
