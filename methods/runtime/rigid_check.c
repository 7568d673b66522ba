/* Rigid to a tolerance: |A A^T - I| small in every element and det A not negative, several joints side by
 * side. */
#include "methods/runtime/rigid_check.h"

#include "datasets/base/widest_vectors.h"
#include "datasets/model/dataset.h"

#include <math.h>

/* How far transformations are from rigid. */
typedef struct RigidBounds {
    double distance;    /* the greatest element of |A A^T - I| of any, A its 3 x 3 part */
    double determinant; /* the least of any A, 1 at most */
} RigidBounds;

/* |A A^T - I|, its greatest element. */
static inline __attribute__((always_inline)) double orthonormal_distance(const Transform *t)
{
    const double xx = t->m00 * t->m00 + t->m01 * t->m01 + t->m02 * t->m02 - 1.0;
    const double yy = t->m10 * t->m10 + t->m11 * t->m11 + t->m12 * t->m12 - 1.0;
    const double zz = t->m20 * t->m20 + t->m21 * t->m21 + t->m22 * t->m22 - 1.0;
    const double xy = t->m00 * t->m10 + t->m01 * t->m11 + t->m02 * t->m12;
    const double xz = t->m00 * t->m20 + t->m01 * t->m21 + t->m02 * t->m22;
    const double yz = t->m10 * t->m20 + t->m11 * t->m21 + t->m12 * t->m22;
    return vector_greater(
        vector_greater(vector_greater(fabs(xx), fabs(yy)), vector_greater(fabs(zz), fabs(xy))),
        vector_greater(fabs(xz), fabs(yz)));
}

static inline __attribute__((always_inline)) double determinant(const Transform *t)
{
    return t->m00 * (t->m11 * t->m22 - t->m12 * t->m21) + t->m01 * (t->m12 * t->m20 - t->m10 * t->m22) +
           t->m02 * (t->m10 * t->m21 - t->m11 * t->m20);
}

WIDEST_VECTORS
static RigidBounds bounds_find(const Transform *transforms, int count)
{
    double farthest = 0.0, least = 1.0;
#pragma omp simd reduction(max : farthest) reduction(min : least)
    for (int i = 0; i < count; i++) {
        const double distance = orthonormal_distance(&transforms[i]), det = determinant(&transforms[i]);
        farthest = distance > farthest ? distance : farthest;
        least = det < least ? det : least;
    }
    return (RigidBounds){farthest, least};
}

Status rigid_check(const char *method, const Transform *transforms, int count)
{
    RigidBounds bounds = bounds_find(transforms, count);
    if (bounds.distance <= RIGID_TOLERANCE && bounds.determinant >= 0.0)
        return status_ok();
    int joint = 0;
    do
        bounds = bounds_find(&transforms[joint], 1);
    while (bounds.distance <= RIGID_TOLERANCE && bounds.determinant >= 0.0 && ++joint < count);
    if (!(bounds.distance <= RIGID_TOLERANCE))
        return status_make(
            STATUS_BAD_INPUT,
            "joint %d is not rigid: its matrix is %g from orthonormal, %s takes up to %g; "
            "`fit --set transforms=rigid` finds rigid bones, `skin --two-phase` applies a scale that "
            "a rig keeps apart",
            joint, bounds.distance, method, RIGID_TOLERANCE);
    return status_make(STATUS_BAD_INPUT, "joint %d mirrors, which %s cannot represent", joint, method);
}
