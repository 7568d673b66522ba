/* Rest pose and weights of blocks of vertices, in turn (FESAM sections 4.3 and 4.4). */
#include "methods/decomposition/coordinate-descent/vertex_update.h"

#include "datasets/base/memory.h"
#include "methods/decomposition/coordinate-descent/rest_pose.h"
#include "methods/decomposition/coordinate-descent/smoothing.h"

#include <cblas.h>
#include <omp.h>
#include <string.h>

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

/* Rounds of rest position and weights from where v, bones and weights are; returns the squared error. Without
 * weights the rest position is kept in the first round. */
static double vertex_rounds(const VertexProblem *problem, const VertexUpdateOptions *options, int influences,
                            double v[3], int32_t *bones, double *weights, VertexWorkspace *workspace)
{
    double error = 0.0;
    for (int round = 0; round < options->rounds; round++) {
        int used = influences_used(weights, influences);
        if (options->rest_free && used > 0)
            workspace->singular += rest_pose_solve(problem, used, bones, weights, v);
        if (round == 0)
            error =
                weights_solve(problem, options->choice, influences, v, bones, weights, &workspace->weights);
        else
            error = weights_fit(problem, influences, v, bones, weights);
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
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, count, columns, dimension, 1.0,
                model->coordinates + (ptrdiff_t)first * dimension, dimension, pairs->columns, dimension, 0.0,
                workspace->products, columns);
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
