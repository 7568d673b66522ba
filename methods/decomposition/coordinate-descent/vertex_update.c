/* Rest pose and weights of blocks of vertices, in turn: the rest position of a vertex from its 3 x 3 normal
 * equations (FESAM section 4.3), its weights by weights.h (4.4). */
#include "methods/decomposition/coordinate-descent/vertex_update.h"

#include "datasets/base/memory.h"
#include "datasets/geometry/jacobi.h"
#include "methods/decomposition/coordinate-descent/bone_pairs.h"
#include "methods/decomposition/coordinate-descent/smoothing.h"
#include "methods/reduction/matrix_product.h"

#include <math.h>
#include <omp.h>
#include <stdbool.h>
#include <string.h>

/* sum_k sum_l w_k w_l G_kl: the squares of the blended affine map, as a form. */
static void blended_form(const VertexProblem *problem, int count, const int32_t *bones, const double *weights,
                         double form[MONOMIALS])
{
    for (int i = 0; i < MONOMIALS; i++)
        form[i] = 0.0;
    for (int k = 0; k < count; k++)
        for (int l = 0; l <= k; l++) {
            double factor = (l == k ? 1.0 : 2.0) * weights[k] * weights[l];
            const double *pair = bone_pair(problem->pairs, bones[k], bones[l]);
            for (int i = 0; i < MONOMIALS; i++)
                form[i] += factor * pair[i];
        }
}

/* step = pseudoinverse(matrix) right */
static void pseudoinverse_step(double matrix[3][3], const double right[3], double step[3])
{
    double axes[3][3];
    jacobi_eigen(&matrix[0][0], 3, &axes[0][0]);
    double greatest = fmax(matrix[0][0], fmax(matrix[1][1], matrix[2][2]));
    step[0] = step[1] = step[2] = 0.0;
    for (int k = 0; k < 3; k++) {
        if (!(matrix[k][k] > 1e-9 * greatest))
            continue;
        double amount =
            (axes[0][k] * right[0] + axes[1][k] * right[1] + axes[2][k] * right[2]) / matrix[k][k];
        for (int i = 0; i < 3; i++)
            step[i] += amount * axes[i][k];
    }
}

/* Moves v to the minimum of ||Lambda v - Gamma||^2: the 3 x 3 normal equations are sums of forms and h over
 * the `count` influences. Where they are singular the pseudoinverse is applied to the step, so that v keeps
 * what the animation says nothing about. Returns 1 when that fallback was taken, else 0. */
static int rest_pose_solve(const VertexProblem *problem, int count, const int32_t *bones,
                           const double *weights, double v[3])
{
    double form[MONOMIALS], right[3];
    blended_form(problem, count, bones, weights, form);
    double square[3][4] = {{form[0], 0.5 * form[1], 0.5 * form[2], 0.5 * form[3]},
                           {0.5 * form[1], form[4], 0.5 * form[5], 0.5 * form[6]},
                           {0.5 * form[2], 0.5 * form[5], form[7], 0.5 * form[8]}};
    for (int i = 0; i < 3; i++) {
        const double *products = problem->products + (ptrdiff_t)i * problem->pairs->stride;
        right[i] = -square[i][3];
        for (int j = 0; j < 3; j++)
            right[i] -= square[i][j] * v[j];
        for (int k = 0; k < count; k++)
            right[i] += weights[k] * products[bones[k]];
    }
    double c00 = square[1][1] * square[2][2] - square[1][2] * square[1][2];
    double c01 = square[0][2] * square[1][2] - square[0][1] * square[2][2];
    double c02 = square[0][1] * square[1][2] - square[0][2] * square[1][1];
    double determinant = square[0][0] * c00 + square[0][1] * c01 + square[0][2] * c02;
    double trace = square[0][0] + square[1][1] + square[2][2];
    if (!(determinant > 1e-10 * trace * trace * trace)) {
        double matrix[3][3] = {{square[0][0], square[0][1], square[0][2]},
                               {square[0][1], square[1][1], square[1][2]},
                               {square[0][2], square[1][2], square[2][2]}};
        double step[3];
        pseudoinverse_step(matrix, right, step);
        for (int i = 0; i < 3; i++)
            v[i] += step[i];
        return 1;
    }
    double c11 = square[0][0] * square[2][2] - square[0][2] * square[0][2];
    double c12 = square[0][1] * square[0][2] - square[0][0] * square[1][2];
    double c22 = square[0][0] * square[1][1] - square[0][1] * square[0][1];
    v[0] += (c00 * right[0] + c01 * right[1] + c02 * right[2]) / determinant;
    v[1] += (c01 * right[0] + c11 * right[1] + c12 * right[2]) / determinant;
    v[2] += (c02 * right[0] + c12 * right[1] + c22 * right[2]) / determinant;
    return 0;
}

enum { BLOCK = 128 };

/* What one thread works in. */
typedef struct VertexWorkspace {
    double *products; /* [BLOCK][4][stride] rows h of H = Tr^T C */
    double *mean;     /* [stride] weights of the neighbours */
    WeightsWorkspace weights;
    int64_t singular;
} VertexWorkspace;

static void workspaces_free(VertexWorkspace *workspaces, int count)
{
    for (int i = 0; workspaces && i < count; i++) {
        memory_free(workspaces[i].products);
        memory_free(workspaces[i].mean);
        weights_workspace_clear(&workspaces[i].weights);
    }
    memory_free(workspaces);
}

static Status workspaces_make(int count, int stride, VertexWorkspace **out)
{
    VertexWorkspace *workspaces = memory_array((size_t)count, sizeof *workspaces);
    Status status = status_ok();
    *out = NULL;
    if (!workspaces)
        return status_out_of_memory("a sweep over the vertices");
    for (int i = 0; i < count && status.code == STATUS_OK; i++) {
        workspaces[i].products = memory_table(BLOCK, 4 * (size_t)stride, sizeof(double));
        workspaces[i].mean = memory_array((size_t)stride, sizeof(double));
        status = workspaces[i].products && workspaces[i].mean
                     ? weights_workspace_make(&workspaces[i].weights, stride)
                     : status_out_of_memory("a sweep over the vertices");
    }
    if (status.code != STATUS_OK) {
        workspaces_free(workspaces, count);
        return status;
    }
    *out = workspaces;
    return status;
}

static int influences_used(const double *weights, int influences)
{
    int used = 0;
    while (used < influences && weights[used] > 0.0)
        used++;
    return used;
}

static void rest_step(const VertexProblem *problem, const VertexUpdateOptions *options, int influences,
                      double v[3], const int32_t *bones, const double *weights, VertexWorkspace *workspace)
{
    int used = influences_used(weights, influences);
    if (options->rest_free && used > 0)
        workspace->singular += rest_pose_solve(problem, used, bones, weights, v);
}

/* Rounds of rest position and weights from where v, bones and weights are; returns the squared error. Without
 * weights the rest position is kept in the first round. */
static double vertex_rounds(const VertexProblem *problem, const VertexUpdateOptions *options, int influences,
                            double v[3], int32_t *bones, double *weights, VertexWorkspace *workspace)
{
    double error = 0.0;
    for (int round = 0; round < options->rounds; round++) {
        if (!options->weights_first)
            rest_step(problem, options, influences, v, bones, weights, workspace);
        if (round == 0)
            error =
                weights_solve(problem, options->choice, influences, v, bones, weights, &workspace->weights);
        else
            error = weights_fit(problem, influences, v, bones, weights);
        if (options->weights_first)
            rest_step(problem, options, influences, v, bones, weights, workspace);
    }
    return error;
}

static void vertex_update(ReducedModel *model, const VertexUpdateOptions *options,
                          const VertexProblem *problem, int vertex, VertexWorkspace *workspace)
{
    int influences = model->influence_count;
    double *v = model->rest + (ptrdiff_t)3 * vertex;
    int32_t *bones = model->bones + (ptrdiff_t)influences * vertex;
    double *weights = model->weights + (ptrdiff_t)influences * vertex;
    double error = vertex_rounds(problem, options, influences, v, bones, weights, workspace);
    if (options->outlier > 0.0 && error > options->outlier) {
        double other_v[3], other_weights[INFLUENCES_MAX] = {0.0};
        int32_t other_bones[INFLUENCES_MAX] = {0};
        memcpy(other_v, model->first_rest + (ptrdiff_t)3 * vertex, sizeof other_v);
        double other =
            vertex_rounds(problem, options, influences, other_v, other_bones, other_weights, workspace);
        if (other < error) {
            error = other;
            memcpy(v, other_v, sizeof other_v);
            memcpy(bones, other_bones, (size_t)influences * sizeof *bones);
            memcpy(weights, other_weights, (size_t)influences * sizeof *weights);
        }
    }
    model->errors[vertex] = error;
}

/* Draws a vertex to the weights of its neighbours. */
static void vertex_aim(const ReducedModel *model, int vertex, double *products, int stride, double *mean,
                       VertexProblem *problem)
{
    double strength = model->smoothing->strength, square = 0.0;
    smoothing_mean(model, vertex, mean);
    for (int bone = 0; bone < model->bone_count; bone++) {
        products[3 * stride + bone] += strength * mean[bone];
        square += mean[bone] * mean[bone];
    }
    problem->squared_norm += strength * square;
}

static void vertices_update_block(ReducedModel *model, const VertexUpdateOptions *options,
                                  const BonePairs *pairs, int first, VertexWorkspace *workspace)
{
    int columns = 4 * pairs->stride, dimension = model->dimension;
    int count = model->vertex_count - first < BLOCK ? model->vertex_count - first : BLOCK;
    matrix_multiply(count, columns, dimension, 1.0,
                    matrix_by_rows(model->coordinates + (ptrdiff_t)first * dimension, dimension),
                    matrix_transposed(pairs->columns, dimension), 0.0, workspace->products, columns);
    for (int i = 0; i < count; i++) {
        VertexProblem problem = {.pairs = pairs,
                                 .products = workspace->products + (ptrdiff_t)i * columns,
                                 .squared_norm = model->squared_norms[first + i]};
        if (model->smoothing)
            vertex_aim(model, first + i, workspace->products + (ptrdiff_t)i * columns, pairs->stride,
                       workspace->mean, &problem);
        vertex_update(model, options, &problem, first + i, workspace);
        if (model->smoothing)
            model->errors[first + i] -= smoothing_penalty(model, first + i, workspace->mean);
    }
}

Status vertices_update(ReducedModel *model, const VertexUpdateOptions *options)
{
    int threads = model->threads;
    VertexWorkspace *workspaces = NULL;
    BonePairs pairs = {0};
    Status status;
    STATUS_TRY(bone_pairs_make(&pairs, model));
    STATUS_TRY(workspaces_make(threads, pairs.stride, &workspaces));
    if (model->smoothing)
        smoothing_keep(model);
#pragma omp parallel for schedule(dynamic) num_threads(model->threads)
    for (int first = 0; first < model->vertex_count; first += BLOCK)
        vertices_update_block(model, options, &pairs, first, &workspaces[omp_get_thread_num()]);
    for (int i = 0; i < threads; i++)
        model->singular_systems += workspaces[i].singular;
done:
    bone_pairs_clear(&pairs);
    workspaces_free(workspaces, threads);
    return status;
}
