/* Chooses the way to a basis: FESAM Algorithm 1, the smaller Gram matrix, an SVD or a random range; and lays a reduction
 * out as the low-rank model of a data set. */
#include "methods/reduction/reduction.h"

#include "datasets/base/memory.h"
#include "methods/reduction/dense.h"
#include "methods/reduction/fesam_algorithm_1.h"
#include "methods/reduction/range_finder.h"
#include "methods/reduction/trajectories.h"

#include <cblas.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* Above so many rows a random range is tried first: eigenvectors of the Gram matrix take n^3. */
enum { GRAM_MOST = 1500 };

/* The rows of basis become A v for eigenvectors v [count][N] of A^T A. */
static Status basis_from_vertices(const Trajectories *trajectories, const double *vectors, int count,
                                  double *basis)
{
    for (int i = 0; i < count; i++) {
        Status status =
            trajectories_combine(trajectories, vectors + (ptrdiff_t)i * trajectories->vertex_count,
                                 basis + (ptrdiff_t)i * trajectories->row_count);
        if (status.code != STATUS_OK)
            return status;
    }
    return status_ok();
}

/* In a Gram matrix of n rows the squares of singular values carry rounding of about n DBL_EPSILON of the greatest. What
 * is wanted of those below this share of it is found in the Gram matrix of the residual, and so on. */
static const double GRAM_RESOLVED = 1e-10;

typedef struct GramChoice {
    TailRule rule;
    double least; /* values up to this are zero */
} GramChoice;

static int values_above(const double *values, int n, double least)
{
    int count = 0;
    while (count < n && values[count] > least)
        count++;
    return count;
}

/* Of the directions that the rule asks for, those that this matrix resolves; at least one. */
static int gram_choose(const double *values, int n, const void *context)
{
    const GramChoice *choice = context;
    int wanted = tail_rule_choose(values, n, &choice->rule);
    int resolved = values_above(values, n, fmax(GRAM_RESOLVED * values[0], choice->least));
    return wanted < resolved ? wanted : resolved > 1 ? resolved : 1;
}

/* The directions that one Gram matrix resolves; *more: others are wanted. */
static Status gram_pass(const Trajectories *trajectories, const ReductionOptions *options, GramChoice *choice,
                        int *count, double **basis, bool *more)
{
    int rows = trajectories->row_count, columns = trajectories->vertex_count;
    bool by_vertex = columns < rows;
    int n = by_vertex ? columns : rows;
    double *gram = memory_table((size_t)n, (size_t)n, sizeof(double));
    double *values = memory_array((size_t)n, sizeof(double)), *vectors = NULL;
    Status status;
    if (!gram || !values) {
        status = status_out_of_memory("the Gram matrix");
        goto done;
    }
    STATUS_TRY(trajectories_gram(trajectories, by_vertex, gram));
    if (!progress_report(options->progress, "reduction: eigenvectors", 0.3)) {
        status = status_make(STATUS_STOPPED, "stopped during the reduction, before there was a model");
        goto done;
    }
    STATUS_TRY(dense_eigen(gram, n, values, gram_choose, choice, count, &vectors));
    if (choice->least == 0.0)
        choice->least = DBL_EPSILON * DBL_EPSILON * rows * columns * values[0];
    int wanted = tail_rule_choose(values, n, &choice->rule);
    *more = *count < wanted && *count < values_above(values, n, choice->least);
    if (!by_vertex) {
        *basis = vectors;
        vectors = NULL;
    } else {
        *basis = memory_table((size_t)*count, (size_t)rows, sizeof(double));
        status = *basis ? basis_from_vertices(trajectories, vectors, *count, *basis)
                        : status_out_of_memory("the reduced basis");
    }
done:
    memory_free(gram);
    memory_free(values);
    memory_free(vectors);
    return status;
}

/* Rows of `more` behind those of *basis, all orthonormal. */
static Status basis_append(const double *more, int added, int rows, int *count, double **basis)
{
    size_t row = (size_t)rows, before = (size_t)*count;
    double *all = memory_table(before + (size_t)added, row, sizeof(double));
    if (!all)
        return status_out_of_memory("the reduced basis");
    if (before > 0)
        memcpy(all, *basis, before * row * sizeof(double));
    memcpy(all + before * row, more, (size_t)added * row * sizeof(double));
    memory_free(*basis);
    *basis = all;
    *count += added;
    return dense_orthonormalize(all, *count, rows);
}

static Status gram_basis(const Trajectories *trajectories, const ReductionOptions *options, int *count,
                         double **basis)
{
    int rows = trajectories->row_count, columns = trajectories->vertex_count;
    GramChoice choice = {{options->threshold * options->threshold, 0.0, options->dimension_max}, 0.0};
    Trajectories left = {0};
    double *found = NULL;
    bool more = true;
    Status status = status_ok();
    *count = 0;
    if ((columns < rows ? columns : rows) > GRAM_MOST) {
        status = range_basis(trajectories, options, count, basis);
        if (status.code != STATUS_OK || *count > 0)
            return status;
    }
    while (more) {
        int added = 0;
        STATUS_TRY(gram_pass(*count > 0 ? &left : trajectories, options, &choice, &added, &found, &more));
        STATUS_TRY(basis_append(found, added, rows, count, basis));
        memory_free(found);
        found = NULL;
        choice.rule.dimension_max -= options->dimension_max > 0 ? added : 0;
        trajectories_clear(&left);
        if (more)
            STATUS_TRY(trajectories_residual(trajectories, *basis, *count, &left));
    }
done:
    trajectories_clear(&left);
    memory_free(found);
    return status;
}

static Status svd_basis(const Trajectories *trajectories, const ReductionOptions *options, int *count,
                        double **basis)
{
    int rows = trajectories->row_count, columns = trajectories->vertex_count;
    TailRule rule = {options->threshold * options->threshold, DBL_EPSILON * DBL_EPSILON * rows * columns,
                     options->dimension_max};
    double *all = memory_table((size_t)columns, (size_t)rows, sizeof(double));
    if (!all)
        return status_out_of_memory("the trajectories in double");
    trajectories_block(trajectories, 0, columns, all);
    Status status = dense_singular(all, columns, rows, tail_rule_choose, &rule, count, basis);
    memory_free(all);
    return status;
}

static Status basis_find(const Trajectories *trajectories, const ReductionOptions *options, int *count,
                         double **basis)
{
    switch (options->strategy) {
    case REDUCTION_GRAM:
        return gram_basis(trajectories, options, count, basis);
    case REDUCTION_SVD:
        return svd_basis(trajectories, options, count, basis);
    default:
        return fesam_algorithm_1(trajectories, options, count, basis);
    }
}

Status reduction_of_trajectories(Trajectories *trajectories, const ReductionOptions *options, Reduction *out)
{
    int vertex_count = trajectories->vertex_count;
    int linear_algebra_threads = linear_algebra_serialize();
    *out = (Reduction){.row_count = trajectories->row_count, .vertex_count = vertex_count};
    Status status;
    STATUS_TRY(basis_find(trajectories, options, &out->dimension, &out->basis));
    if (!progress_report(options->progress, "reduction: coordinates", 0.35)) {
        status = status_make(STATUS_STOPPED, "stopped during the reduction, before there was a model");
        goto done;
    }
    out->coordinates = memory_table((size_t)vertex_count, (size_t)out->dimension, sizeof(double));
    if (!out->coordinates) {
        status = status_out_of_memory("the reduced coordinates");
        goto done;
    }
    STATUS_TRY(trajectories_coordinates(trajectories, out->basis, out->dimension, out->coordinates,
                                        &out->total, &out->residual));
    for (int i = 0; i < out->row_count; i++) /* rows without their means are orthogonal to them */
        out->total += vertex_count * trajectories->offset[i] * trajectories->offset[i];
    out->offset = trajectories->offset;
    trajectories->offset = NULL;
done:
    linear_algebra_set_threads(linear_algebra_threads);
    if (status.code != STATUS_OK)
        reduction_clear(out);
    return status;
}

Status reduction_make(const Animation *animation, int vertex_count, const ReductionOptions *options,
                      Reduction *out)
{
    Trajectories trajectories = {0};
    *out = (Reduction){0};
    Status status;
    STATUS_TRY(trajectories_make(animation, vertex_count, options->center, options->threads, &trajectories));
    status = reduction_of_trajectories(&trajectories, options, out);
done:
    trajectories_clear(&trajectories);
    return status;
}

void reduction_clear(Reduction *reduction)
{
    memory_free(reduction->basis);
    memory_free(reduction->coordinates);
    memory_free(reduction->offset);
    *reduction = (Reduction){0};
}

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
