#include "methods/decomposition/coordinate-descent/sweep.h"

#include "datasets/base/memory.h"
#include "methods/decomposition/coordinate-descent/rest_pose.h"
#include "methods/decomposition/coordinate-descent/smoothing.h"

#include <cblas.h>
#include <omp.h>
#include <string.h>

enum { BLOCK = 128 };

/* What one thread works in. */
typedef struct SweepRoom {
    double *products; /* [BLOCK][4][stride] rows h of H = Tr^T C */
    double *mean;     /* [stride] weights of the neighbours */
    WeightsRoom weights;
    int64_t singular;
} SweepRoom;

static void rooms_free(SweepRoom *rooms, int count)
{
    for (int i = 0; rooms && i < count; i++) {
        memory_free(rooms[i].products);
        memory_free(rooms[i].mean);
        weights_room_clear(&rooms[i].weights);
    }
    memory_free(rooms);
}

static Status rooms_make(int count, int stride, SweepRoom **out)
{
    SweepRoom *rooms = memory_array((size_t)count, sizeof *rooms);
    Status status = status_ok();
    *out = NULL;
    if (!rooms)
        return status_out_of_memory("a sweep over the vertices");
    for (int i = 0; i < count && status.code == STATUS_OK; i++) {
        rooms[i].products = memory_table(BLOCK, 4 * (size_t)stride, sizeof(double));
        rooms[i].mean = memory_array((size_t)stride, sizeof(double));
        status = rooms[i].products && rooms[i].mean ? weights_room_make(&rooms[i].weights, stride)
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
static double vertex_rounds(const VertexProblem *problem, const SweepOptions *options, int influences,
                            double v[3], int32_t *bones, double *weights, SweepRoom *room)
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

static void vertex_solve(Descent *descent, const SweepOptions *options, const VertexProblem *problem,
                         int vertex, SweepRoom *room)
{
    int influences = descent->influence_count;
    double *v = descent->rest + (ptrdiff_t)3 * vertex;
    int32_t *bones = descent->bones + (ptrdiff_t)influences * vertex;
    double *weights = descent->weights + (ptrdiff_t)influences * vertex;
    double error = vertex_rounds(problem, options, influences, v, bones, weights, room);
    if (options->outlier > 0.0 && error > options->outlier) {
        double other_v[3], other_weights[INFLUENCES_MAX] = {0.0};
        int32_t other_bones[INFLUENCES_MAX] = {0};
        memcpy(other_v, descent->first_rest + (ptrdiff_t)3 * vertex, sizeof other_v);
        double other = vertex_rounds(problem, options, influences, other_v, other_bones, other_weights, room);
        if (other < error) {
            error = other;
            memcpy(v, other_v, sizeof other_v);
            memcpy(bones, other_bones, (size_t)influences * sizeof *bones);
            memcpy(weights, other_weights, (size_t)influences * sizeof *weights);
        }
    }
    descent->errors[vertex] = error;
}

/* Draws a vertex to the weights of its neighbours. */
static void vertex_aim(const Descent *descent, int vertex, double *products, int stride, double *mean,
                       VertexProblem *problem)
{
    double strength = descent->smoothing->strength, square = 0.0;
    smoothing_mean(descent, vertex, mean);
    for (int bone = 0; bone < descent->bone_count; bone++) {
        products[3 * stride + bone] += strength * mean[bone];
        square += mean[bone] * mean[bone];
    }
    problem->squared_norm += strength * square;
}

static void block_solve(Descent *descent, const SweepOptions *options, const BonePairs *pairs, int first,
                        SweepRoom *room)
{
    int columns = 4 * pairs->stride, dimension = descent->dimension;
    int count = descent->vertex_count - first < BLOCK ? descent->vertex_count - first : BLOCK;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, count, columns, dimension, 1.0,
                descent->coordinates + (ptrdiff_t)first * dimension, dimension, pairs->columns, dimension,
                0.0, room->products, columns);
    for (int i = 0; i < count; i++) {
        VertexProblem problem = {.pairs = pairs,
                                 .products = room->products + (ptrdiff_t)i * columns,
                                 .squared_norm = descent->squared_norms[first + i]};
        if (descent->smoothing)
            vertex_aim(descent, first + i, room->products + (ptrdiff_t)i * columns, pairs->stride, room->mean,
                       &problem);
        vertex_solve(descent, options, &problem, first + i, room);
        if (descent->smoothing)
            descent->errors[first + i] -= smoothing_penalty(descent, first + i, room->mean);
    }
}

Status sweep_vertices(Descent *descent, const SweepOptions *options)
{
    int threads = omp_get_max_threads();
    SweepRoom *rooms = NULL;
    BonePairs pairs = {0};
    Status status;
    STATUS_TRY(bone_pairs_make(&pairs, descent));
    STATUS_TRY(rooms_make(threads, pairs.stride, &rooms));
    if (descent->smoothing)
        smoothing_keep(descent);
#pragma omp parallel for schedule(dynamic)
    for (int first = 0; first < descent->vertex_count; first += BLOCK)
        block_solve(descent, options, &pairs, first, &rooms[omp_get_thread_num()]);
    for (int i = 0; i < threads; i++)
        descent->singular_systems += rooms[i].singular;
done:
    bone_pairs_clear(&pairs);
    rooms_free(rooms, threads);
    return status;
}
