/* Eigenvalues and eigenvectors of small symmetric matrices by Jacobi rotations. */
#pragma once

/* Diagonalises a symmetric matrix [n][n]. On return its diagonal contains the eigenvalues in no particular
 * order; all other elements are 0 up to rounding. vectors [n][n] receives the unit eigenvectors as columns.
 * It is meant for n up to about 4 and makes twelve sweeps, many more than such a matrix needs. */
void jacobi_eigen(double *matrix, int n, double *vectors);
