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

typedef double RotationLanes __attribute__((vector_size(ROTATION_LANES * sizeof(double)), may_alias));

static inline __attribute__((always_inline)) void lanes_sqrt(RotationLanes *values)
{
    for (int i = 0; i < ROTATION_LANES; i++)
        (*values)[i] = sqrt((*values)[i]);
}

/* The iteration of polar_newton for matrices side by side, x [9]. Sets failed[i] if matrix i mirrors or is
 * too close to singular. */
WIDEST_VECTORS
static void polar_side_by_side(RotationLanes *x, bool failed[ROTATION_LANES])
{
    enum { STEPS = 20 };
    bool all_done = false;
    for (int step = 0; step < STEPS && !all_done; step++) {
        RotationLanes inverse[9], norm = {0.0}, norm_of_inverse = {0.0}, change = {0.0}, scale, length;
        for (int k = 0; k < 9; k++) {
            const int a = 3 * ((k / 3 + 1) % 3), b = 3 * ((k / 3 + 2) % 3), c = (k + 1) % 3, d = (k + 2) % 3;
            inverse[k] = x[a + c] * x[b + d] - x[a + d] * x[b + c];
            norm += x[k] * x[k];
            norm_of_inverse += inverse[k] * inverse[k];
        }
        const RotationLanes determinant = x[0] * inverse[0] + x[1] * inverse[1] + x[2] * inverse[2];
        length = norm;
        lanes_sqrt(&length);
        scale = norm_of_inverse / norm;
        lanes_sqrt(&scale);
        scale /= determinant;
        lanes_sqrt(&scale);
        for (int k = 0; k < 9; k++) {
            const RotationLanes next = 0.5 * (scale * x[k] + inverse[k] / (scale * determinant));
            change += (next - x[k]) * (next - x[k]);
            x[k] = next;
        }
        all_done = true;
        for (int i = 0; i < ROTATION_LANES; i++) {
            failed[i] |= !(determinant[i] > 1e-6 * norm[i] * length[i]);
            all_done &= failed[i] || change[i] < 1e-20;
        }
    }
}

void nearest_rotations(double matrices[9][ROTATION_LANES])
{
    RotationLanes found[9];
    bool failed[ROTATION_LANES] = {false};
    for (int i = 0; i < ROTATION_LANES; i++) {
        double max = 0.0;
        for (int k = 0; k < 9; k++)
            max = fmax(max, fabs(matrices[k][i]));
        for (int k = 0; k < 9; k++)
            found[k][i] = max > 0.0 ? matrices[k][i] / max : 0.0;
    }
    polar_side_by_side(found, failed);
    for (int i = 0; i < ROTATION_LANES; i++) {
        double matrix[3][3];
        for (int k = 0; failed[i] && k < 9; k++)
            matrix[k / 3][k % 3] = matrices[k][i];
        if (failed[i])
            nearest_rotation((const double(*)[3])matrix, matrix);
        for (int k = 0; k < 9; k++)
            matrices[k][i] = failed[i] ? matrix[k / 3][k % 3] : found[k][i];
    }
}
