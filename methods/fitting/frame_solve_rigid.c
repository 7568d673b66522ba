/* Rounds of weighted Procrustes problems over the bones, frame by frame (frame_solve_rigid.h). */
#include "methods/fitting/frame_solve_rigid.h"

#include "datasets/base/grouping.h"
#include "datasets/base/memory.h"
#include "datasets/geometry/nearest_rotation.h"
#include "datasets/geometry/points.h"
#include "datasets/geometry/transform.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum { ROUNDS_MAX = 100 };

/* Rounds end when one takes less than this share off the squared error. */
static const double GAIN_LEAST = 1e-4;

/* The influences (vertex * K + slot) of every joint: those with a weight. */
static Status members_make(const Rig *rig, int vertex_count, Grouping *out)
{
    size_t slots = (size_t)vertex_count * (size_t)rig->influence_count;
    int32_t *joint_of = memory_array(slots, sizeof(int32_t));
    if (!joint_of)
        return status_out_of_memory("the vertices of the bones");
    for (size_t i = 0; i < slots; i++)
        joint_of[i] = rig->weight_values[i] != 0.0f ? rig->weight_joints[i] : -1;
    Status status = grouping_make(joint_of, slots, rig->joint_count, "the vertices of the bones", out);
    memory_free(joint_of);
    return status;
}

bool rig_is_rigid(const Rig *rig)
{
    const double RESOLUTION = 1e-5;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)rig->frame_count * rig->joint_count; i++) {
        const Transform *m = &rig->transforms[i];
        Vec3 x = vec3_make(m->m00, m->m10, m->m20), y = vec3_make(m->m01, m->m11, m->m21),
             z = vec3_make(m->m02, m->m12, m->m22);
        double worst = fabs(vec3_dot(x, x) - 1.0);
        worst = fmax(worst, fabs(vec3_dot(y, y) - 1.0));
        worst = fmax(worst, fabs(vec3_dot(z, z) - 1.0));
        worst = fmax(worst, fabs(vec3_dot(x, y)));
        worst = fmax(worst, fabs(vec3_dot(y, z)));
        worst = fmax(worst, fabs(vec3_dot(z, x)));
        if (!(worst < RESOLUTION) || !(vec3_dot(x, vec3_cross(y, z)) > 0.0))
            return false;
    }
    return true;
}

static Vec3 vec3_at(const double *values, int64_t index)
{
    return vec3_make(values[3 * index], values[3 * index + 1], values[3 * index + 2]);
}

/* One influence of a joint. */
typedef struct JointInfluence {
    ptrdiff_t vertex;
    double weight;
} JointInfluence;

static JointInfluence influence_at(const FrameSolve *solve, const Grouping *members, int64_t at)
{
    int32_t slot = members->members[at];
    return (JointInfluence){slot / solve->rig->influence_count, (double)solve->rig->weight_values[slot]};
}

/* Adds `sign` times a joint's part to the residuals [N][3] of its vertices. */
static void residuals_add(const FrameSolve *solve, const Grouping *members, int joint, Transform map,
                          double sign, double *residuals)
{
    for (int64_t i = members->first[joint]; i < members->first[joint + 1]; i++) {
        JointInfluence influence = influence_at(solve, members, i);
        Vec3 posed = transform_point(map, point_at(solve->rest, influence.vertex));
        double *to = residuals + 3 * influence.vertex;
        to[0] += sign * (influence.weight * posed.x);
        to[1] += sign * (influence.weight * posed.y);
        to[2] += sign * (influence.weight * posed.z);
    }
}

/* The rigid motion that minimises sum |w (R v + t) - q|^2 over a joint's vertices, q their residuals without
 * it: R is nearest to sum w q (v - c)^T with c = sum w^2 v / sum w^2, t puts the weighted means upon each
 * other. */
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
        Vec3 e = vec3_at(residuals, i);
        sum += vec3_dot(e, e);
    }
    return sum;
}

/* Rounds over the joints of one frame, from the palette of the frame before. residuals [N][3] is scratch. */
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
        if (!(next < (1.0 - GAIN_LEAST) * error))
            break;
        error = next;
    }
}

Status frames_solve_rigid(const FrameSolve *solve)
{
    Grouping members = {0};
    size_t values = 3 * (size_t)solve->vertex_count;
    double *residuals = memory_table((size_t)solve->threads, values, sizeof(double));
    Status status;
    if (!residuals) {
        status = status_out_of_memory("the residuals of held-out frames");
        goto done;
    }
    STATUS_TRY(members_make(solve->rig, solve->vertex_count, &members));
#pragma omp parallel for schedule(dynamic) num_threads(solve->threads)
    for (int i = 0; i < solve->frame_count; i++)
        frame_solve_rigid(solve, &members, solve->frames[i],
                          residuals + (size_t)omp_get_thread_num() * values);
done:
    grouping_clear(&members);
    memory_free(residuals);
    return status;
}
