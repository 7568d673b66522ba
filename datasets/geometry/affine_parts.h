/* An affine transformation as what animation software keeps of it: x -> translation + rotation (scale x).
 * Shear has no place there. */
#ifndef SKINBENCH_GEOMETRY_AFFINE_PARTS_H
#define SKINBENCH_GEOMETRY_AFFINE_PARTS_H

#include "datasets/geometry/quat.h"
#include "datasets/geometry/transform.h"

typedef struct AffineParts {
    Vec3 translation;
    Quat rotation; /* unit */
    Vec3 scale; /* along the axes before the rotation; all three negative where the transformation mirrors */
} AffineParts;

/* The rotation R that is nearest to the linear part M, and with it the scale that leaves the least of M: the
 * diagonal of R^T M. Exact where the columns of M are orthogonal. Any finite transformation is served. */
AffineParts affine_parts(Transform t);

/* The transformation that the parts make. */
Transform affine_parts_join(AffineParts parts);

/* How far the linear part of t is from what its parts make, as a share of its norm: 0 where nothing is
 * lost. */
double affine_parts_loss(Transform t, AffineParts parts);

/* The turn Q that makes the columns of M_i Q as orthogonal as possible for all of `count` matrices at once,
 * which are given by metrics [count] M_i^T M_i: their approximate joint diagonalisation by Jacobi rotations
 * (Cardoso and Souloumiac 1996). The identity where all are orthogonal already. Changes the metrics. */
Mat3 metrics_diagonalize(Mat3 *metrics, int count);

#endif
