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

static void rooms_free(VertexWorkspace *rooms, int count)
{
    for (int i = 0; rooms && i < count; i++) {
        memory_free(rooms[i].products);
        memory_free(rooms[i].mean);
        weights_workspace_clear(&rooms[i].weights);
    }
    memory_free(rooms);
}

static Status rooms_make(int count, int stride, VertexWorkspace **out)
{
    VertexWorkspace *rooms = memory_array((size_t)count, sizeof *rooms);
    Status status = status_ok();
    *out = NULL;
    if (!rooms)
        return status_out_of_memory("a sweep over the vertices");
    for (int i = 0; i < count && status.code == STATUS_OK; i++) {
        rooms[i].products = memory_table(BLOCK, 4 * (size_t)stride, sizeof(double));
        rooms[i].mean = memory_array((size_t)stride, sizeof(double));
        status = rooms[i].products && rooms[i].mean ? weights_workspace_make(&rooms[i].weights, stride)
                                                    : status_out_of_memory("a sweep over the vertices");
    }
    if (status.code != STATUS_OK) {
        rooms_free(rooms, count);
        return status;
    }
    *out = rooms;
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
                            double v[3], int32_t *bones, double *weights, VertexWorkspace *room)
{
    double error = 0.0;
    for (int round = 0; round < options->rounds; round++) {
        int used = influences_used(weights, influences);
        if (options->rest_free && used > 0)
            room->singular += rest_pose_solve(problem, used, bones, weights, v);
        if (round == 0)
            error = weights_solve(problem, options->choice, influences, v, bones, weights, &room->weights);
        else
            error = weights_fit(problem, influences, v, bones, weights);
    }
    return error;
}

static void vertex_solve(ReducedModel *model, const VertexUpdateOptions *options,
                         const VertexProblem *problem, int vertex, VertexWorkspace *room)
{
    int influences = model->influence_count;
    double *v = model->rest + (ptrdiff_t)3 * vertex;
    int32_t *bones = model->bones + (ptrdiff_t)influences * vertex;
    double *weights = model->weights + (ptrdiff_t)influences * vertex;
    double error = vertex_rounds(problem, options, influences, v, bones, weights, room);
    if (options->outlier > 0.0 && error > options->outlier) {
        double other_v[3], other_weights[INFLUENCES_MAX] = {0.0};
        int32_t other_bones[INFLUENCES_MAX] = {0};
        memcpy(other_v, model->first_rest + (ptrdiff_t)3 * vertex, sizeof other_v);
        double other = vertex_rounds(problem, options, influences, other_v, other_bones, other_weights, room);
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

static void block_solve(ReducedModel *model, const VertexUpdateOptions *options, const BonePairs *pairs,
                        int first, VertexWorkspace *room)
{
    int columns = 4 * pairs->stride, dimension = model->dimension;
    int count = model->vertex_count - first < BLOCK ? model->vertex_count - first : BLOCK;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, count, columns, dimension, 1.0,
                model->coordinates + (ptrdiff_t)first * dimension, dimension, pairs->columns, dimension, 0.0,
                room->products, columns);
    for (int i = 0; i < count; i++) {
        VertexProblem problem = {.pairs = pairs,
                                 .products = room->products + (ptrdiff_t)i * columns,
                                 .squared_norm = model->squared_norms[first + i]};
        if (model->smoothing)
            vertex_aim(model, first + i, room->products + (ptrdiff_t)i * columns, pairs->stride, room->mean,
                       &problem);
        vertex_solve(model, options, &problem, first + i, room);
        if (model->smoothing)
            model->errors[first + i] -= smoothing_penalty(model, first + i, room->mean);
    }
}

Status vertices_update(ReducedModel *model, const VertexUpdateOptions *options)
{
    int threads = model->threads;
    VertexWorkspace *rooms = NULL;
    BonePairs pairs = {0};
    Status status;
    STATUS_TRY(bone_pairs_make(&pairs, model));
    STATUS_TRY(rooms_make(threads, pairs.stride, &rooms));
    if (model->smoothing)
        smoothing_keep(model);
#pragma omp parallel for schedule(dynamic) num_threads(model->threads)
    for (int first = 0; first < model->vertex_count; first += BLOCK)
        block_solve(model, options, &pairs, first, &rooms[omp_get_thread_num()]);
    for (int i = 0; i < threads; i++)
        model->singular_systems += rooms[i].singular;
done:
    bone_pairs_clear(&pairs);
    rooms_free(rooms, threads);
    return status;
}
