/* Eigenvalues and eigenvectors of small symmetric matrices by Jacobi rotations. */
#ifndef SKINBENCH_GEOMETRY_JACOBI_H
#define SKINBENCH_GEOMETRY_JACOBI_H

/* Diagonalises a symmetric matrix [n][n]: on return its diagonal holds the eigenvalues in no particular
 * order, and the rest is rounding. vectors [n][n] receives the unit eigenvectors as columns. It makes
 * twelve sweeps, far more than a small matrix needs; use it for n up to about 4. */
void jacobi_eigen(double *matrix, int n, double *vectors);

#endif
