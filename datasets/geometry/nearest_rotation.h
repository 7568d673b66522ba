/* Finds the rotation nearest to a 3x3 matrix in the Frobenius norm. It is the polar factor of a deformation
 * gradient, or the rotation of a least-squares rigid fit (Horn 1987; Kabsch 1976). */
#pragma once

/* Computes the proper rotation that maximises trace(rotation^T matrix), orthonormal up to rounding. Accepts
 * any finite matrix, even one that mirrors. The result is unique if the matrix has at least rank 2 (points
 * in a plane). Otherwise the result is one of the maximisers; for a zero matrix it is the identity.
 * `matrix` and `rotation` may be the same array. */
void nearest_rotation(const double matrix[3][3], double rotation[3][3]);

/* Number of matrices that nearest_rotations treats side by side. */
enum { ROTATION_LANES = 8 };

/* Replaces each matrix by its nearest rotation. Element k of matrix i is matrices[k][i]. */
void nearest_rotations(double matrices[9][ROTATION_LANES]);
