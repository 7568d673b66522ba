#include "methods/reduction/low_rank.h"

#include "datasets/base/memory.h"

Status low_rank_of_reduction(const Reduction *reduction, LowRank *model, double *rounding)
{
    size_t rank = (size_t)reduction->dimension, rows = (size_t)reduction->row_count;
    size_t vertices = (size_t)reduction->vertex_count;
    model->basis = memory_table(rows, rank, sizeof(double));
    model->coefficients = memory_table(rank, vertices, sizeof(float));
    if (!model->basis || !model->coefficients)
        return status_out_of_memory("the low-rank model");
    model->rank = reduction->dimension;
    model->row_count = reduction->row_count;
    *rounding = 0.0;
    for (size_t k = 0; k < rank; k++)
        for (size_t i = 0; i < rows; i++)
            model->basis[i * rank + k] = reduction->basis[k * rows + i];
    for (size_t j = 0; j < vertices; j++)
        for (size_t k = 0; k < rank; k++) {
            double exact = reduction->coordinates[j * rank + k];
            float rounded = (float)exact;
            model->coefficients[k * vertices + j] = rounded;
            *rounding += (exact - (double)rounded) * (exact - (double)rounded);
        }
    return status_ok();
}
