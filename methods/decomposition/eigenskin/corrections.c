/* Pulls the residuals of a rig back to its rest pose, and lowers what is left after the low-rank model
 * (Kry, James and Pai 2002). */
#include "methods/decomposition/eigenskin/corrections.h"

#include "datasets/base/memory.h"
#include "datasets/model/evaluate.h"

#include <math.h>

/* x with m x = right by Cramer's rule, m by columns. */
static Vec3 solve(Vec3 a, Vec3 b, Vec3 c, Vec3 right, double determinant)
{
    return vec3_make(vec3_dot(right, vec3_cross(b, c)) / determinant,
                     vec3_dot(a, vec3_cross(right, c)) / determinant,
                     vec3_dot(a, vec3_cross(b, right)) / determinant);
}

/* L^-1 e; damped, (L^T L + s 1)^-1 L^T e, where L is nearly singular. */
static Vec3 pull_back(Transform map, Vec3 e, double least_determinant, int64_t *singular)
{
    const double DAMPING = 0.05;
    Vec3 a = vec3_make(map.m00, map.m10, map.m20), b = vec3_make(map.m01, map.m11, map.m21),
         c = vec3_make(map.m02, map.m12, map.m22);
    double determinant = vec3_dot(a, vec3_cross(b, c));
    double square = (vec3_dot(a, a) + vec3_dot(b, b) + vec3_dot(c, c)) / 3.0;
    if (fabs(determinant) > least_determinant * square * sqrt(square))
        return solve(a, b, c, e, determinant);
    ++*singular;
    if (!(square > 0.0))
        return vec3_make(0.0, 0.0, 0.0);
    double damping = DAMPING * square;
    Vec3 x = vec3_make(vec3_dot(a, a) + damping, vec3_dot(a, b), vec3_dot(a, c));
    Vec3 y = vec3_make(vec3_dot(b, a), vec3_dot(b, b) + damping, vec3_dot(b, c));
    Vec3 z = vec3_make(vec3_dot(c, a), vec3_dot(c, b), vec3_dot(c, c) + damping);
    Vec3 right = vec3_make(vec3_dot(a, e), vec3_dot(b, e), vec3_dot(c, e));
    return solve(x, y, z, right, vec3_dot(x, vec3_cross(y, z)));
}

void corrections_pull_back(const DecompositionInput *input, const DecompositionResult *model,
                           Trajectories *out, double least_determinant, int threads, int64_t *singular)
{
    int vertices = input->mesh->vertex_count, frames = out->row_count;
    int64_t sum = 0;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : sum)
    for (int j = 0; j < vertices; j++) {
        float *x = out->values + 3 * (ptrdiff_t)j * frames, *y = x + frames, *z = y + frames;
        Vec3 rest = point_at(model->rest, j);
        for (int frame = 0; frame < frames; frame++) {
            Transform map = rig_blend(&model->rig, frame, j);
            Vec3 target = point_at(input->animation->positions, (ptrdiff_t)frame * vertices + j);
            Vec3 missing = vec3_sub(target, transform_point(map, rest));
            Vec3 change = pull_back(map, missing, least_determinant, &sum);
            x[frame] = (float)change.x;
            y[frame] = (float)change.y;
            z[frame] = (float)change.z;
        }
    }
    *singular += sum;
}

/* The squared error of one vertex as it is after its correction, which goes where it does harm. */
static double vertex_settle(const DecompositionInput *input, DecompositionResult *model, int vertex)
{
    int vertices = input->mesh->vertex_count;
    double with = 0.0, without = 0.0;
    Vec3 rest = point_at(model->rest, vertex);
    for (int frame = 0; frame < input->animation->frame_count; frame++) {
        Transform map = rig_blend(&model->rig, frame, vertex);
        Vec3 target = point_at(input->animation->positions, (ptrdiff_t)frame * vertices + vertex);
        Vec3 change = low_rank_point(&model->low_rank, frame, vertices, vertex, vec3_make(0.0, 0.0, 0.0));
        Vec3 plain = vec3_sub(transform_point(map, rest), target);
        Vec3 corrected = vec3_sub(transform_point(map, vec3_add(rest, change)), target);
        without += vec3_dot(plain, plain);
        with += vec3_dot(corrected, corrected);
    }
    if (with <= without)
        return with;
    for (int k = 0; k < model->low_rank.rank; k++)
        model->low_rank.coefficients[(ptrdiff_t)k * vertices + vertex] = 0.0f;
    return without;
}

Status corrections_settle(const DecompositionInput *input, DecompositionResult *model, int threads,
                          double *squared_error)
{
    int vertices = input->mesh->vertex_count;
    double *errors = memory_array((size_t)vertices, sizeof(double));
    if (!errors)
        return status_out_of_memory("the errors of the vertices");
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int j = 0; j < vertices; j++)
        errors[j] = vertex_settle(input, model, j);
    *squared_error = 0.0;
    for (int j = 0; j < vertices; j++)
        *squared_error += errors[j];
    memory_free(errors);
    return status_ok();
}
