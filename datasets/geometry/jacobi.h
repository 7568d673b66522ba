/* Eigenvalues and eigenvectors of small symmetric matrices by Jacobi rotations. */
#ifndef SKINBENCH_GEOMETRY_JACOBI_H
#define SKINBENCH_GEOMETRY_JACOBI_H

/* matrix [n][n] symmetric; on return its diagonal holds the eigenvalues, in no order, the rest is rounding.
 * vectors [n][n] out: the unit eigenvectors in the columns. Twelve sweeps, far more than a matrix of a few
 * rows takes to converge: for n up to about 4. */
void jacobi_eigen(double *matrix, int n, double *vectors);

#endif
