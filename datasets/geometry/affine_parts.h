/* Splits an affine transformation into the parts that animation software stores: x -> translation +
 * rotation (scale x). Shear cannot be represented. */
#pragma once

#include "datasets/geometry/quat.h"
#include "datasets/geometry/transform.h"

typedef struct AffineParts {
    Vec3 translation;
    Quat rotation; /* applied after the scale */
    Vec3 scale;    /* scale along the axes; all three are negative if the transformation mirrors */
} AffineParts;

/* Splits a transformation into its parts. The rotation R is the one nearest to the linear part M. The scale
 * is the diagonal of R^T M, which leaves the smallest residual. The result is exact if the columns of M are
 * orthogonal. Accepts any finite transformation. */
AffineParts affine_parts(Transform t);

/* Returns the transformation composed of the parts. */
Transform affine_parts_join(AffineParts parts);

/* Returns how much of the linear part M of a transformation its parts lose: the norm of the difference,
 * relative to the norm of M. */
double affine_parts_loss(Transform t, AffineParts parts);

/* Returns the rotation Q that makes the columns of M_i Q as orthogonal as possible for all `count` matrices
 * M_i at once. metrics [count] holds M_i^T M_i. They are diagonalised jointly by Jacobi rotations (Cardoso
 * and Souloumiac 1996) and overwritten. Returns the identity if all columns are orthogonal already. */
Mat3 metrics_diagonalize(Mat3 *metrics, int count);
