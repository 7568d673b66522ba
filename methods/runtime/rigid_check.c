/* A matrix A is rigid up to a tolerance if all elements of |A A^T - I| are below the tolerance and det A is
 * not negative. Several joints are checked side by side. */
#include "methods/runtime/rigid_check.h"

#include "datasets/geometry/transform_columns.h"
#include "datasets/model/dataset.h"

/* Deviation of a group of transformations from rigid ones. */
typedef struct RigidBounds {
    double distance;    /* largest element of |A A^T - I| over the 3 x 3 parts A */
    double determinant; /* smallest determinant of any A, at most 1 */
} RigidBounds;

/* Returns the largest element of |A A^T - I| for the 3 x 3 part A of transformation i. */
INLINE double orthonormal_distance(const TransformColumns *t, int i)
{
    const double xx = t->m00[i] * t->m00[i] + t->m01[i] * t->m01[i] + t->m02[i] * t->m02[i] - 1.0;
    const double yy = t->m10[i] * t->m10[i] + t->m11[i] * t->m11[i] + t->m12[i] * t->m12[i] - 1.0;
    const double zz = t->m20[i] * t->m20[i] + t->m21[i] * t->m21[i] + t->m22[i] * t->m22[i] - 1.0;
    const double xy = t->m00[i] * t->m10[i] + t->m01[i] * t->m11[i] + t->m02[i] * t->m12[i];
    const double xz = t->m00[i] * t->m20[i] + t->m01[i] * t->m21[i] + t->m02[i] * t->m22[i];
    const double yz = t->m10[i] * t->m20[i] + t->m11[i] * t->m21[i] + t->m12[i] * t->m22[i];
    return vector_greater(
        vector_greater(vector_greater(fabs(xx), fabs(yy)), vector_greater(fabs(zz), fabs(xy))),
        vector_greater(fabs(xz), fabs(yz)));
}

INLINE double determinant(const TransformColumns *t, int i)
{
    return t->m00[i] * (t->m11[i] * t->m22[i] - t->m12[i] * t->m21[i]) +
           t->m01[i] * (t->m12[i] * t->m20[i] - t->m10[i] * t->m22[i]) +
           t->m02[i] * (t->m10[i] * t->m21[i] - t->m11[i] * t->m20[i]);
}

WIDEST_VECTORS
static RigidBounds bounds_find(const Transform *transforms, int count)
{
    double farthest = 0.0, least = 1.0;
    for (int first = 0; first < count; first += COLUMN_LANES) {
        const int left = count - first, lanes = left < COLUMN_LANES ? left : COLUMN_LANES;
        TransformColumns columns;
        transform_columns_of(transforms + first, lanes, &columns);
#pragma omp simd reduction(max : farthest) reduction(min : least)
        for (int i = 0; i < lanes; i++) {
            const double distance = orthonormal_distance(&columns, i), det = determinant(&columns, i);
            farthest = distance > farthest ? distance : farthest;
            least = det < least ? det : least;
        }
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
        return bad_input(
            "joint %d is not rigid: its matrix is %g from orthonormal, but %s allows at most %g. "
            "`fit --set transforms=rigid` finds rigid bones, "
            "and `skin --two-phase` applies a scale stored in rig/scale",
            joint, bounds.distance, method, RIGID_TOLERANCE);
    return bad_input("joint %d mirrors the mesh, which %s cannot represent", joint, method);
}
