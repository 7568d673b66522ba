/* The rotation nearest to a 3 x 3 matrix in the Frobenius norm: the polar factor of a deformation gradient,
 * and the rotation of a least-squares rigid fit (Horn 1987; Kabsch 1976). */
#ifndef SKINBENCH_GEOMETRY_NEAREST_ROTATION_H
#define SKINBENCH_GEOMETRY_NEAREST_ROTATION_H

/* rotation: proper, orthonormal to rounding, maximises trace(rotation^T matrix). Any finite matrix is served:
 * of rank 2 (points in a plane) it is still unique, otherwise one of the maximisers is taken; zero gives the
 * identity. Mirrored matrices give a rotation too. The two arrays may be the same. */
void nearest_rotation(const double matrix[3][3], double rotation[3][3]);

#endif
