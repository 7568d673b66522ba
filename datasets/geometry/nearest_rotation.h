/* The rotation nearest to a 3x3 matrix in the Frobenius norm: the polar factor of a deformation gradient,
 * and the rotation of a least-squares rigid fit (Horn 1987; Kabsch 1976). */
#ifndef SKINBENCH_GEOMETRY_NEAREST_ROTATION_H
#define SKINBENCH_GEOMETRY_NEAREST_ROTATION_H

/* Computes the proper rotation, orthonormal to rounding, that maximises trace(rotation^T matrix). Any
 * finite matrix is accepted, even one that mirrors. The result is unique down to rank 2 (points in a
 * plane); below that it is one of the maximisers, and the identity for zero. The arrays may be the same. */
void nearest_rotation(const double matrix[3][3], double rotation[3][3]);

#endif
