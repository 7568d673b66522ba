#include "datasets/geometry/jacobi.h"

#include <math.h>

/* Applies a plane rotation to columns p and q of a matrix. Consecutive elements of a column are `step`
 * apart. */
static void pair_rotate(double *p, double *q, int n, int step, double cosine, double sine)
{
    for (int i = 0; i < n * step; i += step) {
        double a = p[i], b = q[i];
        p[i] = cosine * a - sine * b;
        q[i] = sine * a + cosine * b;
    }
}

void jacobi_eigen(double *matrix, int n, double *vectors)
{
    enum { SWEEPS = 12 };
    for (int i = 0; i < n * n; i++)
        vectors[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int p = 0; p < n - 1; p++)
            for (int q = p + 1; q < n; q++) {
                /* apply the rotation that makes entry (p, q) zero, from both sides */
                double entry = matrix[p * n + q];
                if (entry != 0.0) {
                    double slope = (matrix[q * n + q] - matrix[p * n + p]) / (2.0 * entry);
                    double tangent = (slope >= 0.0 ? 1.0 : -1.0) / (fabs(slope) + sqrt(slope * slope + 1.0));
                    double cosine = 1.0 / sqrt(tangent * tangent + 1.0), sine = tangent * cosine;
                    pair_rotate(matrix + p, matrix + q, n, n, cosine, sine);
                    pair_rotate(matrix + p * n, matrix + q * n, n, 1, cosine, sine);
                    pair_rotate(vectors + p, vectors + q, n, n, cosine, sine);
                }
            }
}
