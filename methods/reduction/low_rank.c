/* Turns a reduction into the low-rank model of a data set. */
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

Status low_rank_of_displacements(const Reduction *reduction, LowRank *model)
{
    size_t count = (size_t)reduction->dimension, frames = (size_t)reduction->row_count;
    size_t vertices = (size_t)reduction->vertex_count / 3, rank = 3 * count;
    model->basis = memory_table(3 * frames, rank, sizeof(double));
    model->coefficients = memory_table(rank, vertices, sizeof(float));
    if (!model->basis || !model->coefficients)
        return status_out_of_memory("the low-rank model");
    model->rank = (int)rank;
    model->row_count = (int)(3 * frames);
    for (size_t k = 0; k < count; k++)
        for (size_t axis = 0; axis < 3; axis++) {
            for (size_t f = 0; f < frames; f++)
                model->basis[(3 * f + axis) * rank + 3 * k + axis] = reduction->basis[k * frames + f];
            for (size_t j = 0; j < vertices; j++)
                model->coefficients[(3 * k + axis) * vertices + j] =
                    (float)reduction->coordinates[(3 * j + axis) * count + k];
        }
    return status_ok();
}

bool low_rank_is_of_displacements(const LowRank *model)
{
    size_t rank = (size_t)model->rank;
    if (model->rank == 0 || model->rank % 3 != 0)
        return false;
    for (size_t row = 0; row < (size_t)model->row_count; row++)
        for (size_t k = 0; k < rank; k++) {
            double factor = k % 3 == row % 3 ? model->basis[(row - row % 3) * rank + k - k % 3] : 0.0;
            if (model->basis[row * rank + k] != factor)
                return false;
        }
    return true;
}
