/* Finds the rotation nearest to a matrix M = U diag(s) V^T with s1 >= s2 >= s3 >= 0. The nearest rotation is
 * U diag(1, 1, d) V^T; d is 1 or -1, whichever makes it a rotation. Newton's iteration for the polar factor
 * (Higham 1986) needs a matrix with a positive determinant, so it starts from M + C / |M|. The cofactors of M
 * are C = d U diag(s2 s3, s1 s3, s1 s2) V^T, so this sum has the same U and V, and only its last value can
 * get another sign than in M. If that sign is d, the determinant is positive and the nearest rotation is the
 * same, even if M is flat or mirrors. The sign differs from d only if M mirrors and s2 and s3 are nearly
 * equal. In this case, and if M nearly has rank 1, the result is the eigenvector of the largest eigenvalue of
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

static void cofactors(double x[3][3], double out[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
            out[i][j] = x[a][c] * x[b][d] - x[a][d] * x[b][c];
        }
}

/* Replaces x by its nearest rotation, which Newton's iteration finds. Returns false if Horn's quaternion is
 * needed; x is then lost. The largest element of x must be about 1. */
static bool polar_newton(double x[3][3])
{
    enum { STEPS = 20 };
    double inverse[3][3], length = sqrt(norm_squared(x));
    cofactors(x, inverse);
    for (int i = 0; i < 9 && length > 0.0; i++)
        x[i / 3][i % 3] += inverse[i / 3][i % 3] / length;
    for (int step = 0; step < STEPS; step++) {
        double change = 0.0, norm = norm_squared(x);
        cofactors(x, inverse);
        const double determinant =
            x[0][0] * inverse[0][0] + x[0][1] * inverse[0][1] + x[0][2] * inverse[0][2];
        if (!(determinant > 1e-6 * norm * sqrt(norm)))
            return false;
        const double scale = sqrt(sqrt(norm_squared(inverse) / norm) / determinant);
        const double share = 0.5 * scale, inverse_share = 0.5 / (scale * determinant);
        for (int i = 0; i < 9; i++) {
            const double next = share * x[i / 3][i % 3] + inverse_share * inverse[i / 3][i % 3];
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

INLINE void lanes_sqrt(RotationLanes *values)
{
    for (int i = 0; i < ROTATION_LANES; i++)
        (*values)[i] = sqrt((*values)[i]);
}

INLINE void lanes_cofactors(const RotationLanes *x, RotationLanes *out)
{
    for (int k = 0; k < 9; k++) {
        const int a = 3 * ((k / 3 + 1) % 3), b = 3 * ((k / 3 + 2) % 3), c = (k + 1) % 3, d = (k + 2) % 3;
        out[k] = x[a + c] * x[b + d] - x[a + d] * x[b + c];
    }
}

INLINE void lanes_norm(const RotationLanes *x, RotationLanes *norm)
{
    *norm = x[0] * x[0];
    for (int k = 1; k < 9; k++)
        *norm += x[k] * x[k];
}

/* Does the work of polar_newton for ROTATION_LANES matrices side by side. x[k] holds element k of each of
 * them. Sets failed[i] if polar_newton would return false for matrix i. */
WIDEST_VECTORS
static void polar_side_by_side(RotationLanes *x, bool failed[ROTATION_LANES])
{
    enum { STEPS = 20 };
    bool all_done = false;
    RotationLanes inverse[9], norm, length;
    lanes_cofactors(x, inverse);
    lanes_norm(x, &length);
    lanes_sqrt(&length);
    for (int k = 0; k < 9; k++)
        x[k] += inverse[k] / (length + 1e-300);
    for (int step = 0; step < STEPS && !all_done; step++) {
        RotationLanes change = {0.0}, scale, share, inverse_share;
        lanes_cofactors(x, inverse);
        lanes_norm(x, &norm);
        lanes_norm(inverse, &scale);
        const RotationLanes determinant = x[0] * inverse[0] + x[1] * inverse[1] + x[2] * inverse[2];
        length = norm;
        lanes_sqrt(&length);
        scale /= norm;
        lanes_sqrt(&scale);
        scale /= determinant;
        lanes_sqrt(&scale);
        share = 0.5 * scale;
        inverse_share = 0.5 / (scale * determinant);
        for (int k = 0; k < 9; k++) {
            const RotationLanes next = share * x[k] + inverse_share * inverse[k];
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
