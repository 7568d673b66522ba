/* Splits an affine transformation into the parts that animation software stores: x -> translation +
 * rotation (scale x). Shear cannot be represented. */
#ifndef SKINBENCH_GEOMETRY_AFFINE_PARTS_H
#define SKINBENCH_GEOMETRY_AFFINE_PARTS_H

#include "datasets/geometry/quat.h"
#include "datasets/geometry/transform.h"

typedef struct AffineParts {
    Vec3 translation;
    Quat rotation; /* scale along the axes before the rotation; all three are negative if the transformation
                      mirrors */
    Vec3 scale;    /* along the axes before the rotation; all three negative if mirrored */
} AffineParts;

/* Splits a transformation into its parts. The rotation R is the one nearest to the linear part M. The scale
 * is the diagonal of R^T M, which leaves the smallest residual. The result is exact if the columns of M are
 * orthogonal. Accepts any finite transformation. */
AffineParts affine_parts(Transform t);

/* Returns the transformation composed of the parts. */
Transform affine_parts_join(AffineParts parts);

/* Returns the difference between the linear part of t and the one composed of its parts, relative to the
 * norm of t. Returns 0 if nothing is lost. */
double affine_parts_loss(Transform t, AffineParts parts);

/* Returns the rotation Q that makes the columns of M_i Q as orthogonal as possible for all `count` matrices
 * at once. metrics [count] holds M_i^T M_i; these are jointly diagonalised by Jacobi rotations (Cardoso and
 * Souloumiac 1996) and overwritten. Returns the identity if all columns are orthogonal already. */
Mat3 metrics_diagonalize(Mat3 *metrics, int count);

#endif
