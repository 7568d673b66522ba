/* Computes linear blends and sums their errors in blocks of vertices (linear_blend.h). */
#include "methods/fitting/linear_blend.h"

#include "datasets/base/exact_sum.h"

#include <omp.h>

enum { SUM_BLOCK = 256 }; /* number of vertices summed together; it divides the block size of ranks */

void linear_blend_subtract(const LinearBlend *blend, int j, int first, int count, double *residual)
{
    const ptrdiff_t rows = blend->row_count, slot = (ptrdiff_t)j * blend->influence_count;
    const double *v = blend->rest + (ptrdiff_t)3 * j;
    double excess = -1.0;
    for (int k = 0; k < blend->influence_count; k++) {
        const double weight = blend->weights[slot + k];
        if (weight == 0.0)
            continue;
        const double *map = blend->maps + 4 * blend->bones[slot + k] * rows + first;
        const double *map1 = map + rows, *map2 = map1 + rows, *map3 = map2 + rows;
        for (int i = 0; i < count; i++)
            residual[i] -= weight * (v[0] * map[i] + v[1] * map1[i] + v[2] * map2[i] + map3[i]);
        excess += weight;
    }
    for (int i = 0; i < count && blend->offset; i++)
        residual[i] -= excess * blend->offset[first + i];
}

Status linear_blend_squared_error(const LinearBlend *blend, BlendTarget target, const void *context,
                                  const Ranks *ranks, int threads, double *squared_error)
{
    const int vertices = blend->vertex_count, blocks = (vertices + SUM_BLOCK - 1) / SUM_BLOCK;
    const size_t rows = (size_t)blend->row_count;
    LOCAL_TABLE(double, residuals, threads, rows, "the error of the vertices");
    LOCAL_ARRAY(double, parts, blocks, "the error of the vertices");
    ExactSum sum = {0};
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int block = 0; block < blocks; block++)
        for (int j = block * SUM_BLOCK; j < vertices && j < (block + 1) * SUM_BLOCK; j++) {
            double *residual = residuals + (size_t)omp_get_thread_num() * rows, square = 0.0;
            target(context, j, residual);
            linear_blend_subtract(blend, j, 0, blend->row_count, residual);
            for (size_t i = 0; i < rows; i++)
                square += residual[i] * residual[i];
            parts[block] += square;
        }
    for (int block = 0; block < blocks; block++)
        exact_sum_add(&sum, parts[block]);
    ranks_sum(ranks, &sum.sum, &sum.rest, 1);
    *squared_error = sum.sum;
    return status_ok();
}
