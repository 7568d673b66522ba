/* Finds the rotation nearest to a matrix. If the determinant is clearly positive, uses Newton's iteration
 * for the polar factor (Higham 1986). Otherwise the result is the eigenvector of the largest eigenvalue of
 * Horn's quaternion matrix (1987). */
#include "datasets/geometry/nearest_rotation.h"

#include "datasets/base/base.h"
#include "datasets/geometry/jacobi.h"

static double norm_squared(double m[3][3])
{
    double sum = 0.0;
    for (int i = 0; i < 9; i++)
        sum += m[i / 3][i % 3] * m[i / 3][i % 3];
    return sum;
}

/* Computes the polar factor by scaled Newton iteration (Higham 1986). Returns false if the matrix mirrors
 * or is too close to singular. */
static bool polar_newton(double x[3][3])
{
    enum { STEPS = 20 };
    for (int step = 0; step < STEPS; step++) {
        double inverse[3][3], change = 0.0;
        /* compute cofactors and determinant */
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
                inverse[i][j] = x[a][c] * x[b][d] - x[a][d] * x[b][c];
            }
        double determinant = x[0][0] * inverse[0][0] + x[0][1] * inverse[0][1] + x[0][2] * inverse[0][2],
               norm = norm_squared(x);
        if (!(determinant > 1e-6 * norm * sqrt(norm)))
            return false;
        double scale = sqrt(sqrt(norm_squared(inverse) / norm) / determinant);
        for (int i = 0; i < 9; i++) {
            double next = 0.5 * (scale * x[i / 3][i % 3] + inverse[i / 3][i % 3] / (scale * determinant));
            change += (next - x[i / 3][i % 3]) * (next - x[i / 3][i % 3]);
            x[i / 3][i % 3] = next;
        }
        if (change < 1e-20)
            return true;
    }
    return true;
}

/* Computes Horn's quaternion, the eigenvector of the largest eigenvalue. The matrix must be scaled so that
 * its elements are about 1. */
static void horn_quaternion(double m[3][3], double quaternion[4])
{
    double n[4][4] = {
        {m[0][0] + m[1][1] + m[2][2], m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]},
        {m[2][1] - m[1][2], m[0][0] - m[1][1] - m[2][2], m[1][0] + m[0][1], m[0][2] + m[2][0]},
        {m[0][2] - m[2][0], m[1][0] + m[0][1], m[1][1] - m[0][0] - m[2][2], m[2][1] + m[1][2]},
        {m[1][0] - m[0][1], m[0][2] + m[2][0], m[2][1] + m[1][2], m[2][2] - m[0][0] - m[1][1]},
    };
    double v[4][4];
    jacobi_eigen(&n[0][0], 4, &v[0][0]);
    int max = 0;
    for (int i = 1; i < 4; i++)
        if (n[i][i] > n[max][max])
            max = i;
    for (int i = 0; i < 4; i++)
        quaternion[i] = v[i][max];
}

void nearest_rotation(const double matrix[3][3], double rotation[3][3])
{
    double scaled[3][3], tried[3][3], quaternion[4], max = 0.0;
    for (int i = 0; i < 9; i++)
        max = fmax(max, fabs(matrix[i / 3][i % 3]));
    for (int i = 0; i < 9; i++)
        scaled[i / 3][i % 3] = max > 0.0 ? matrix[i / 3][i % 3] / max : 0.0;
    memcpy(tried, scaled, sizeof tried);
    if (polar_newton(tried)) {
        memcpy(rotation, tried, sizeof tried);
        return;
    }
    horn_quaternion(scaled, quaternion);
    double w = quaternion[0], x = quaternion[1], y = quaternion[2], z = quaternion[3];
    double s = 2.0 / (w * w + x * x + y * y + z * z);
    double rows[3][3] = {
        {1.0 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
        {s * (x * y + w * z), 1.0 - s * (x * x + z * z), s * (y * z - w * x)},
        {s * (x * z - w * y), s * (y * z + w * x), 1.0 - s * (x * x + y * y)},
    };
    memcpy(rotation, rows, sizeof rows);
}
