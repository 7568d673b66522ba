/* Finds the bones that best predict a vertex, and their weights (James and Twigg 2005, section 3.3;
 * skin_fit.h). */
#include "methods/fitting/skin_fit.h"

#include "datasets/geometry/jacobi.h"
#include "methods/fitting/nnls.h"
#include "methods/reduction/dense.h"

#include <omp.h>

enum { WEIGHT_BLOCK = 64, EXACT = 8 };

/* Returns v^T block v for a homogeneous rest position v and a block [4][4] whose rows are `stride` numbers
 * apart. */
static double block_product(const double *block, ptrdiff_t stride, const double v[4])
{
    double sum = 0.0;
    for (int i = 0; i < 4; i++) {
        const double *row = block + i * stride;
        sum += v[i] * (row[0] * v[0] + row[1] * v[1] + row[2] * v[2] + row[3] * v[3]);
    }
    return sum;
}

static double row_product(const double h[4], const double v[4])
{
    return h[0] * v[0] + h[1] * v[1] + h[2] * v[2] + h[3] * v[3];
}

/* Chooses the `wanted` bones that best predict a vertex, best first. These are the bones with the smallest
 * ||M v||^2 - 2 M v . a. */
static int bones_choose(const double *gram, int bone_count, const double *h, const double v[4], int wanted,
                        int32_t *chosen)
{
    ptrdiff_t stride = (ptrdiff_t)4 * bone_count;
    double gains[NNLS_UNKNOWNS_MAX];
    int count = 0;
    for (int bone = 0; bone < bone_count; bone++) {
        const double gain = 2.0 * row_product(h + (ptrdiff_t)4 * bone, v) -
                            block_product(gram + (ptrdiff_t)4 * bone * (stride + 1), stride, v);
        count = largest_insert(gain, bone, count, wanted, gains, chosen);
    }
    return count;
}

/* Inner products of the predictions of one vertex's bones with each other and with the target. */
typedef struct Blend {
    const double *gram; /* products of the maps of all bones */
    int bone_count;
    const double *h, *v; /* products of the vertex with the target, and its rest position (v, 1) */
    double penalty, truncate;
    int count;
    int32_t bones[NNLS_UNKNOWNS_MAX];
    double square[NNLS_UNKNOWNS_MAX * NNLS_UNKNOWNS_MAX], products[NNLS_UNKNOWNS_MAX];
    double weights[NNLS_UNKNOWNS_MAX];
} Blend;

/* Stores a bone behind the last entry of the blend, to try it. blend->count stays the same, so the next bone
 * to be tried replaces this one. */
static void blend_try(Blend *blend, int32_t bone)
{
    enum { STRIDE = NNLS_UNKNOWNS_MAX };
    ptrdiff_t stride = (ptrdiff_t)4 * blend->bone_count;
    int last = blend->count;
    blend->bones[last] = bone;
    blend->products[last] = row_product(blend->h + (ptrdiff_t)4 * bone, blend->v);
    for (int k = 0; k <= last; k++)
        blend->square[k * STRIDE + last] = blend->square[last * STRIDE + k] = block_product(
            blend->gram + (ptrdiff_t)4 * bone * stride + (ptrdiff_t)4 * blend->bones[k], stride, blend->v);
}

/* Solves ||sum_k w_k phi_k - a||^2 + penalty (sum_k w_k - 1)^2 for weights of any sign by the truncated SVD:
 * singular values below `truncate` times the largest are left out. The squares of the singular values are the
 * eigenvalues of the normal equations. */
static void truncated_solve(const Blend *blend, int count, double penalty, double *weights)
{
    enum { STRIDE = NNLS_UNKNOWNS_MAX };
    double matrix[STRIDE * STRIDE], vectors[STRIDE * STRIDE], max = 0.0;
    for (int k = 0; k < count; k++)
        for (int l = 0; l < count; l++)
            matrix[k * count + l] = blend->square[k * STRIDE + l] + penalty;
    jacobi_eigen(matrix, count, vectors);
    for (int k = 0; k < count; k++) {
        max = fmax(max, matrix[k * (count + 1)]);
        weights[k] = 0.0;
    }
    for (int i = 0; i < count; i++) {
        double along = 0.0;
        if (!(matrix[i * (count + 1)] > blend->truncate * blend->truncate * max))
            continue;
        for (int k = 0; k < count; k++)
            along += vectors[k * count + i] * (blend->products[k] + penalty) / matrix[i * (count + 1)];
        for (int k = 0; k < count; k++)
            weights[k] += along * vectors[k * count + i];
    }
}

/* Solves for the weights of the first `count` bones and scales them to the sum 1. If the sum is not positive,
 * the first bone gets weight 1. Returns the squared residual minus ||a||^2. */
static double blend_solve(Blend *blend, int count)
{
    enum { STRIDE = NNLS_UNKNOWNS_MAX };
    double mean = 0.0, sum = 0.0, error = 0.0, *weights = blend->weights;
    for (int k = 0; k < count; k++)
        mean += blend->square[k * STRIDE + k] / count;
    const double penalty = mean > 0.0 ? blend->penalty * mean : 1.0;
    if (blend->truncate > 0.0)
        truncated_solve(blend, count, penalty, weights);
    else
        nnls_solve(count, blend->square, blend->products, penalty, weights);
    for (int k = 0; k < count; k++)
        sum += weights[k];
    for (int k = 0; k < count; k++)
        weights[k] = sum > 0.0 ? weights[k] / sum : (k == 0 ? 1.0 : 0.0);
    for (int k = 0; k < count; k++) {
        error -= 2.0 * weights[k] * blend->products[k];
        for (int l = 0; l < count; l++)
            error += weights[k] * weights[l] * blend->square[k * STRIDE + l];
    }
    return error;
}

/* Returns how steeply the error falls as the weight of the tentative bone grows from 0. */
static double blend_slope(const Blend *blend)
{
    const double *row = blend->square + (ptrdiff_t)blend->count * NNLS_UNKNOWNS_MAX;
    double slope = blend->products[blend->count];
    for (int k = 0; k < blend->count; k++)
        slope -= row[k] * blend->weights[k];
    return slope;
}

/* Solves one block of vertices; positions [WEIGHT_BLOCK][3F] and products [WEIGHT_BLOCK][4P] are
 * workspace. */
static void weights_solve_block(SkinFit *fit, const double *gram, bool greedy, double penalty,
                                double truncate, int first, double *positions, double *products)
{
    int rows = fit->target.row_count, columns = 4 * fit->bone_count, influences = fit->influence_count;
    int count = int_min(fit->vertex_count - first, WEIGHT_BLOCK);
    trajectories_block(&fit->target, first, count, positions);
    matrix_multiply(count, columns, rows, 1.0, matrix_by_rows(positions, rows),
                    matrix_transposed(fit->maps, rows), 0.0, products, columns);
    for (int i = 0; i < count; i++) {
        const double *rest = fit->rest + (ptrdiff_t)3 * (first + i), *h = products + (ptrdiff_t)i * columns;
        double v[4] = {rest[0], rest[1], rest[2], 1.0};
        int32_t chosen[NNLS_UNKNOWNS_MAX];
        const int wanted = int_max(int_min(influences, fit->bone_count), 1);
        int chosen_count = bones_choose(gram, fit->bone_count, h, v, greedy ? 1 : wanted, chosen);
        Blend blend = {.gram = gram,
                       .bone_count = fit->bone_count,
                       .h = h,
                       .v = v,
                       .penalty = penalty,
                       .truncate = truncate};
        for (; blend.count < chosen_count; blend.count++)
            blend_try(&blend, chosen[blend.count]);
        /* Add bones one after another up to `wanted`, each time the bone that leaves the smallest error.
         * With more than EXACT bones, each trial solves a large system and gains little. From then on, add
         * the bone along which the error falls fastest. */
        while (blend.count < wanted) {
            double min = INFINITY;
            int32_t best = 0;
            const bool exact = blend.count < EXACT;
            double level =
                exact ? 0.0
                      : -blend_solve(
                            &blend,
                            blend.count); /* the error's slope in the weights of the bones chosen so far */
            for (int k = 0; k < blend.count && !exact; k++)
                level -= blend.weights[k] * blend.products[k];
            for (int32_t bone = 0; bone < blend.bone_count; bone++) {
                bool has = false;
                for (int k = 0; k < blend.count; k++)
                    has = has || blend.bones[k] == bone;
                if (has)
                    continue;
                blend_try(&blend, bone);
                double error = exact ? blend_solve(&blend, blend.count + 1) : level - blend_slope(&blend);
                if (error < min) {
                    min = error;
                    best = bone;
                }
            }
            blend_try(&blend, best);
            blend.count++;
        }
        blend_solve(&blend, blend.count);
        /* store used slots first; the remaining slots get bone 0 and weight 0 */
        int32_t *bones = fit->bones + (ptrdiff_t)(first + i) * influences;
        double *values = fit->weights + (ptrdiff_t)(first + i) * influences;
        int used = 0;
        for (int k = 0; k < blend.count; k++)
            if (blend.weights[k] != 0.0) {
                bones[used] = blend.bones[k];
                values[used++] = blend.weights[k];
            }
        for (; used < influences; used++) {
            bones[used] = 0;
            values[used] = 0.0;
        }
    }
}

Status skin_fit_weights(SkinFit *fit, bool greedy, double penalty, double truncate)
{
    const int rows = fit->target.row_count, columns = 4 * fit->bone_count, threads = fit->threads;
    const size_t positions_size = WEIGHT_BLOCK * (size_t)rows, products_size = WEIGHT_BLOCK * (size_t)columns;
    LOCAL_TABLE(double, gram, columns, columns, "the weights of the vertices");
    LOCAL_TABLE(double, positions, threads, positions_size, "the weights of the vertices");
    LOCAL_TABLE(double, products, threads, products_size, "the weights of the vertices");
    /* G = T^T T */
    matrix_gram(columns, rows, matrix_by_rows(fit->maps, rows), gram, threads);
#pragma omp parallel for schedule(dynamic) num_threads(fit->threads)
    for (int first = 0; first < fit->vertex_count; first += WEIGHT_BLOCK)
        weights_solve_block(fit, gram, greedy, penalty, truncate, first,
                            positions + (size_t)omp_get_thread_num() * positions_size,
                            products + (size_t)omp_get_thread_num() * products_size);
    return status_ok();
}
