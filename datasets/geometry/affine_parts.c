/* Translation, rotation and scale of affine transformations. Also finds the axes along which the matrices
 * of a bone come closest to pure scales. */
#include "datasets/geometry/affine_parts.h"

#include "datasets/geometry/nearest_rotation.h"
#include "datasets/geometry/transform_parts.h"

/* Returns the unit quaternion of a rotation matrix. Computes its largest component first (Shepperd
 * 1978). */
static Quat rotation_quat(double r[3][3])
{
    const double trace = r[0][0] + r[1][1] + r[2][2];
    int max = 0;
    for (int i = 1; i < 3; i++)
        if (r[i][i] > r[max][max])
            max = i;
    Quat q;
    if (trace >= r[max][max]) {
        q = quat_make(1.0 + trace, r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1]);
    } else {
        const int i = max, j = (i + 1) % 3, k = (i + 2) % 3;
        double vector[3];
        vector[i] = 1.0 + r[i][i] - r[j][j] - r[k][k];
        vector[j] = r[i][j] + r[j][i];
        vector[k] = r[i][k] + r[k][i];
        q = quat_make(r[k][j] - r[j][k], vector[0], vector[1], vector[2]);
    }
    return quat_scale(q, 1.0 / sqrt(quat_dot(q, q)));
}

AffineParts affine_parts(Transform t)
{
    double m[3][3], r[3][3], scale[3];
    transform_matrix(t, m);
    const double sign = (m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])) < 0.0
                            ? -1.0
                            : 1.0;
    for (int i = 0; i < 9; i++)
        m[i / 3][i % 3] *= sign;
    nearest_rotation((const double(*)[3])m, r);
    for (int k = 0; k < 3; k++)
        scale[k] = sign * (r[0][k] * m[0][k] + r[1][k] * m[1][k] + r[2][k] * m[2][k]);
    return (AffineParts){.translation = transform_translation(t),
                         .rotation = rotation_quat(r),
                         .scale = vec3_make(scale[0], scale[1], scale[2])};
}

Transform affine_parts_join(AffineParts parts)
{
    const Vec3 axes[3] = {quat_rotate(parts.rotation, vec3_make(parts.scale.x, 0.0, 0.0)),
                          quat_rotate(parts.rotation, vec3_make(0.0, parts.scale.y, 0.0)),
                          quat_rotate(parts.rotation, vec3_make(0.0, 0.0, parts.scale.z))};
    return transform_of_axes(axes, parts.translation);
}

double affine_parts_loss(Transform t, AffineParts parts)
{
    double m[3][3], joined[3][3], lost = 0.0, size = 0.0;
    transform_matrix(t, m);
    transform_matrix(affine_parts_join(parts), joined);
    for (int i = 0; i < 9; i++) {
        const double difference = m[i / 3][i % 3] - joined[i / 3][i % 3];
        lost += difference * difference;
        size += m[i / 3][i % 3] * m[i / 3][i % 3];
    }
    return size > 0.0 ? sqrt(lost / size) : 0.0;
}

/* Finds the rotation in the plane of axes p and q that makes entry (p, q) of all matrices as small as
 * possible. The rotation is applied to each matrix from both sides. Returns false if no rotation is
 * needed. */
static bool pair_clear(Mat3 *metrics, int count, int p, int q, double turn[3][3])
{
    double apart = 0.0, mixed = 0.0;
    for (int i = 0; i < count; i++) {
        const double *m = &metrics[i].m00;
        const double difference = m[4 * p] - m[4 * q], twice = m[3 * p + q] + m[3 * q + p];
        apart += difference * difference - twice * twice;
        mixed += 2.0 * difference * twice;
    }
    const double angle = 0.5 * atan2(mixed, apart + sqrt(apart * apart + mixed * mixed));
    const double c = cos(angle), s = sin(angle);
    if (!(fabs(s) > 1e-12))
        return false;
    for (int i = 0; i <= count; i++) {
        double *m = i < count ? &metrics[i].m00 : &turn[0][0];
        for (int row = 0; row < 3; row++) {
            const double a = m[3 * row + p], b = m[3 * row + q];
            m[3 * row + p] = c * a + s * b;
            m[3 * row + q] = c * b - s * a;
        }
        for (int column = 0; column < 3 && i < count; column++) {
            const double a = m[3 * p + column], b = m[3 * q + column];
            m[3 * p + column] = c * a + s * b;
            m[3 * q + column] = c * b - s * a;
        }
    }
    return true;
}

Mat3 metrics_diagonalize(Mat3 *metrics, int count)
{
    enum { SWEEPS_MAX = 30 };
    double turn[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    bool changed = true;
    for (int sweep = 0; sweep < SWEEPS_MAX && changed; sweep++) {
        changed = false;
        for (int pair = 0; pair < 3; pair++)
            changed = pair_clear(metrics, count, pair == 2 ? 1 : 0, pair == 0 ? 1 : 2, turn) || changed;
    }
    return (Mat3){turn[0][0], turn[0][1], turn[0][2], turn[1][0], turn[1][1],
                  turn[1][2], turn[2][0], turn[2][1], turn[2][2]};
}
