/* Least squares frame by frame, with fixed weights. Solves for affine transformations of a rig, or for rows
 * of a low-rank basis. Rigid transformations are found in rounds over the bones, each bone by weighted
 * Procrustes. */
#include "methods/fitting/frame_solve.h"

#include "datasets/base/grouping.h"
#include "datasets/geometry/nearest_rotation.h"
#include "datasets/model/evaluate.h"
#include "methods/fitting/rig_delivery.h"
#include "methods/reduction/dense.h"

#include <omp.h>

/* Computes the homogeneous point ((v - center) / unit, 1) of a vertex. */
static void homogeneous(const FrameSolve *solve, const RestUnits *units, int vertex, double out[4])
{
    const float *v = solve->rest + 3 * (ptrdiff_t)vertex;
    for (int axis = 0; axis < 3; axis++)
        out[axis] = ((double)v[axis] - units->center[axis]) / units->unit;
    out[3] = 1.0;
}

Vec3 frame_residual(const FrameSolve *solve, const Transform *blend, int frame, int vertex)
{
    Vec3 target = point_at(solve->target->positions, (ptrdiff_t)frame * solve->vertex_count + vertex);
    return vec3_sub(target, transform_point(*blend, point_at(solve->rest, vertex)));
}

/* Computes X X^T of FESAM section 1. The column of a vertex in X holds weight times (u, 1) for each of its
 * joints. */
static void normal_matrix(const FrameSolve *solve, const RestUnits *units, double *matrix)
{
    const Rig *rig = solve->rig;
    ptrdiff_t n = 4 * (ptrdiff_t)rig->joint_count;
    for (int i = 0; i < solve->vertex_count; i++) {
        const int32_t *joints = rig->weight_joints + (ptrdiff_t)i * rig->influence_count;
        const float *weights = rig->weight_values + (ptrdiff_t)i * rig->influence_count;
        double u[4];
        homogeneous(solve, units, i, u);
        for (int k = 0; k < rig->influence_count; k++)
            for (int l = 0; l < rig->influence_count; l++) {
                double both = (double)weights[k] * (double)weights[l];
                double *block = matrix + 4 * joints[k] * n + 4 * (ptrdiff_t)joints[l];
                if (both == 0.0)
                    continue;
                for (int p = 0; p < 4; p++)
                    for (int q = 0; q < 4; q++)
                        block[p * n + q] += both * u[p] * u[q];
            }
    }
}

/* Computes X e^T as columns 3i to 3i + 2 of the right-hand sides, where i is the index of the frame. The
 * residuals e are those of the vertices under the previous frame's palette. */
static void right_side(const FrameSolve *solve, const RestUnits *units, int index, double *right)
{
    const Rig *rig = solve->rig;
    int frame = solve->frames[index];
    ptrdiff_t columns = 3 * (ptrdiff_t)solve->frame_count;
    for (int i = 0; i < solve->vertex_count; i++) {
        Transform blend = rig_blend(solve->rig, frame - 1, i);
        Vec3 e = frame_residual(solve, &blend, frame, i);
        double u[4];
        homogeneous(solve, units, i, u);
        for (int k = 0; k < rig->influence_count; k++) {
            ptrdiff_t slot = (ptrdiff_t)i * rig->influence_count + k;
            double weight = (double)rig->weight_values[slot];
            double *target = right + 4 * rig->weight_joints[slot] * columns + 3 * (ptrdiff_t)index;
            if (weight == 0.0)
                continue;
            for (int p = 0; p < 4; p++) {
                target[p * columns] += weight * u[p] * e.x;
                target[p * columns + 1] += weight * u[p] * e.y;
                target[p * columns + 2] += weight * u[p] * e.z;
            }
        }
    }
}

/* Sets the palette to the previous frame's palette plus the solution, converted from the normalised rest
 * pose. */
static void palette_set(const FrameSolve *solve, const RestUnits *units, int index, const double *right)
{
    int frame = solve->frames[index];
    ptrdiff_t columns = 3 * (ptrdiff_t)solve->frame_count;
    Transform *palette = solve->rig->transforms + (ptrdiff_t)frame * solve->rig->joint_count;
    const Transform *before = palette - solve->rig->joint_count;
    for (int j = 0; j < solve->rig->joint_count; j++) {
        double change[3][4];
        Transform sum;
        for (int axis = 0; axis < 3; axis++) {
            const double *from = right + 4 * j * columns + 3 * (ptrdiff_t)index + axis;
            change[axis][3] = from[3 * columns];
            for (int p = 0; p < 3; p++) {
                change[axis][p] = from[p * columns] / units->unit;
                change[axis][3] -= change[axis][p] * units->center[p];
            }
        }
        memcpy(&sum, change, sizeof sum);
        palette[j] = transform_add_scaled(sum, before[j], 1.0);
    }
}

Status frames_solve_affine(const FrameSolve *solve)
{
    int n = 4 * solve->rig->joint_count, columns = 3 * solve->frame_count;
    RestUnits units = rest_units(solve->rest, solve->vertex_count);
    LOCAL_TABLE(double, matrix, n, n, "the transformations of held-out frames");
    LOCAL_TABLE(double, right, n, columns, "the transformations of held-out frames");
    bool singular = false;
    normal_matrix(solve, &units, matrix);
#pragma omp parallel for schedule(static) num_threads(solve->threads)
    for (int i = 0; i < solve->frame_count; i++)
        right_side(solve, &units, i, right);
    STATUS_TRY(dense_solve(matrix, n, right, columns, &singular));
    for (int i = 0; i < solve->frame_count; i++)
        palette_set(solve, &units, i, right);
    return status_ok();
}

Status frames_solve_low_rank(const FrameSolve *solve)
{
    LowRank *model = solve->low_rank;
    int rank = model->rank, columns = 3 * solve->frame_count;
    LOCAL_TABLE(double, gram, rank, rank, "the projection of held-out frames");
    LOCAL_TABLE(double, right, rank, columns, "the projection of held-out frames");
    bool singular = false;
    /* compute C C^T, the Gram matrix of the coefficients */
#pragma omp parallel for schedule(dynamic) num_threads(solve->threads)
    for (int k = 0; k < rank; k++)
        for (int l = 0; l <= k; l++) {
            const float *a = model->coefficients + (ptrdiff_t)k * solve->vertex_count;
            const float *b = model->coefficients + (ptrdiff_t)l * solve->vertex_count;
            double sum = 0.0;
            for (int i = 0; i < solve->vertex_count; i++)
                sum += (double)a[i] * (double)b[i];
            gram[(ptrdiff_t)k * rank + l] = sum;
        }
#pragma omp parallel for schedule(static) num_threads(solve->threads)
    for (int i = 0; i < solve->frame_count;
         i++) { /* C A_f^T is columns 3i to 3i + 2 of the right-hand sides */
        const float *target =
            solve->target->positions + 3 * (ptrdiff_t)solve->frames[i] * solve->vertex_count;
        for (ptrdiff_t k = 0; k < rank; k++) {
            const float *coefficients = model->coefficients + k * solve->vertex_count;
            double *sum = right + k * columns + (ptrdiff_t)3 * i;
            for (ptrdiff_t v = 0; v < solve->vertex_count; v++)
                for (int axis = 0; axis < 3; axis++)
                    sum[axis] += (double)coefficients[v] * (double)target[3 * v + axis];
        }
    }
    STATUS_TRY(dense_solve(gram, rank, right, columns, &singular));
    for (int column = 0; column < columns; column++) {
        ptrdiff_t row = 3 * (ptrdiff_t)solve->frames[column / 3] + column % 3;
        for (int k = 0; k < rank; k++)
            model->basis[row * rank + k] = right[(ptrdiff_t)k * columns + column];
    }
    return status_ok();
}

enum { ROUNDS_MAX = 100 };

/* The rounds end when a round lowers the squared error by less than this fraction. */
static const double GAIN_MIN = 1e-4;

bool rig_is_rigid(const Rig *rig)
{
    const double RESOLUTION = 1e-5;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)rig->frame_count * rig->joint_count; i++) {
        Vec3 axes[3];
        double worst = 0.0;
        transform_axes(rig->transforms[i], axes);
        for (int a = 0; a < 3; a++)
            for (int b = a; b < 3; b++)
                worst = fmax(worst, fabs(vec3_dot(axes[a], axes[b]) - (a == b)));
        if (!(worst < RESOLUTION) || !(transform_determinant(rig->transforms[i]) > 0.0))
            return false;
    }
    return true;
}

/* One influence of a joint. */
typedef struct JointInfluence {
    ptrdiff_t vertex;
    double weight;
} JointInfluence;

static JointInfluence influence_at(const FrameSolve *solve, const Grouping *members, int64_t member)
{
    int32_t slot = members->members[member];
    return (JointInfluence){slot / solve->rig->influence_count, (double)solve->rig->weight_values[slot]};
}

/* Adds `sign` times a joint's contribution to the residuals [N][3] of its vertices. */
static void residuals_add(const FrameSolve *solve, const Grouping *members, int joint, Transform map,
                          double sign, double *residuals)
{
    for (int64_t i = members->first[joint]; i < members->first[joint + 1]; i++) {
        JointInfluence influence = influence_at(solve, members, i);
        Vec3 posed = transform_point(map, point_at(solve->rest, influence.vertex));
        double *residual = residuals + 3 * influence.vertex;
        residual[0] += sign * (influence.weight * posed.x);
        residual[1] += sign * (influence.weight * posed.y);
        residual[2] += sign * (influence.weight * posed.z);
    }
}

/* Returns the rigid motion that minimises sum |w (R v + t) - q|^2 over a joint's vertices, where q are
 * their residuals without the joint. R is the rotation nearest to sum w q (v - c)^T, with c = sum w^2 v /
 * sum w^2. The translation t maps one weighted mean to the other. */
static Transform procrustes(const FrameSolve *solve, const Grouping *members, int joint,
                            const double *residuals)
{
    double mass = 0.0, center[3] = {0.0}, mean[3] = {0.0}, matrix[3][3] = {{0.0}}, r[3][3], t[3];
    for (int64_t i = members->first[joint]; i < members->first[joint + 1]; i++) {
        JointInfluence influence = influence_at(solve, members, i);
        const float *v = solve->rest + 3 * influence.vertex;
        const double *q = residuals + 3 * influence.vertex;
        double weight = influence.weight;
        mass += weight * weight;
        for (int axis = 0; axis < 3; axis++) {
            center[axis] += weight * weight * (double)v[axis];
            mean[axis] += weight * q[axis];
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        center[axis] /= mass;
        mean[axis] /= mass;
    }
    for (int64_t i = members->first[joint]; i < members->first[joint + 1]; i++) {
        JointInfluence influence = influence_at(solve, members, i);
        const float *v = solve->rest + 3 * influence.vertex;
        const double *q = residuals + 3 * influence.vertex;
        double weight = influence.weight;
        for (int row = 0; row < 3; row++)
            for (int column = 0; column < 3; column++)
                matrix[row][column] +=
                    weight * (q[row] - weight * mean[row]) * ((double)v[column] - center[column]);
    }
    nearest_rotation((const double(*)[3])matrix, r);
    for (int row = 0; row < 3; row++)
        t[row] = mean[row] - r[row][0] * center[0] - r[row][1] * center[1] - r[row][2] * center[2];
    return (Transform){r[0][0], r[0][1], r[0][2], t[0],    r[1][0], r[1][1],
                       r[1][2], t[1],    r[2][0], r[2][1], r[2][2], t[2]};
}

static double squared_sum(const double *residuals, int vertex_count)
{
    double sum = 0.0;
    for (int i = 0; i < vertex_count; i++) {
        Vec3 e = vec3_make(residuals[3 * i], residuals[3 * i + 1], residuals[3 * i + 2]);
        sum += vec3_dot(e, e);
    }
    return sum;
}

/* Solves one frame in rounds over its joints, starting from the palette of the previous frame. residuals
 * [N][3] is workspace. */
static void frame_solve_rigid(const FrameSolve *solve, const Grouping *members, int frame, double *residuals)
{
    int joints = solve->rig->joint_count;
    Transform *palette = solve->rig->transforms + (ptrdiff_t)frame * joints;
    const float *target = solve->target->positions + 3 * (ptrdiff_t)frame * solve->vertex_count;
    memcpy(palette, palette - joints, (size_t)joints * sizeof *palette);
    for (ptrdiff_t i = 0; i < (ptrdiff_t)3 * solve->vertex_count; i++)
        residuals[i] = (double)target[i];
    for (int j = 0; j < joints; j++)
        residuals_add(solve, members, j, palette[j], -1.0, residuals);
    double error = squared_sum(residuals, solve->vertex_count);
    for (int round = 0; round < ROUNDS_MAX; round++) {
        for (int j = 0; j < joints; j++) {
            if (members->first[j] == members->first[j + 1])
                continue;
            residuals_add(solve, members, j, palette[j], 1.0, residuals);
            palette[j] = procrustes(solve, members, j, residuals);
            residuals_add(solve, members, j, palette[j], -1.0, residuals);
        }
        double next = squared_sum(residuals, solve->vertex_count);
        if (!(next < (1.0 - GAIN_MIN) * error))
            break;
        error = next;
    }
}

Status frames_solve_rigid(const FrameSolve *solve)
{
    CLEANUP(grouping_clear) Grouping members = {0};
    size_t values = 3 * (size_t)solve->vertex_count;
    LOCAL_TABLE(double, residuals, solve->threads, values, "the residuals of held-out frames");
    /* list the influences (vertex * K + slot) of every joint, except those with weight 0 */
    size_t slots = (size_t)solve->vertex_count * (size_t)solve->rig->influence_count;
    LOCAL_ARRAY(int32_t, joint_of, slots, "the vertices of the bones");
    for (size_t i = 0; i < slots; i++)
        joint_of[i] = solve->rig->weight_values[i] != 0.0f ? solve->rig->weight_joints[i] : -1;
    STATUS_TRY(
        grouping_init(joint_of, slots, solve->rig->joint_count, "the vertices of the bones", &members));
#pragma omp parallel for schedule(dynamic) num_threads(solve->threads)
    for (int i = 0; i < solve->frame_count; i++)
        frame_solve_rigid(solve, &members, solve->frames[i],
                          residuals + (size_t)omp_get_thread_num() * values);
    return status_ok();
}
