/* Sums the normal equations Tr X X^T = C X^T over the non-zeros of X and solves them (FESAM section 4.2).
 * */
#include "methods/decomposition/coordinate-descent/transformations.h"

#include "datasets/base/grouping.h"
#include "datasets/base/memory.h"
#include "datasets/base/widest_vectors.h"
#include "methods/decomposition/coordinate-descent/rigid_bones.h"
#include "methods/reduction/dense.h"
#include "methods/reduction/matrix_product.h"
#include "methods/reduction/sparse.h"

#include <string.h>

enum { BATCH = 4, TILE = 64 };

/* The influences (vertex * K + slot) of each bone: the non-zeros of X by block row. */
static Status influences_by_bone(const ReducedModel *model, Grouping *out)
{
    size_t slots = (size_t)model->vertex_count * (size_t)model->influence_count;
    int32_t *bone_of = memory_array(slots, sizeof(int32_t));
    if (!bone_of)
        return status_out_of_memory("the vertices of the bones");
    for (size_t i = 0; i < slots; i++)
        bone_of[i] = model->weights[i] != 0.0 ? model->bones[i] : -1;
    Status status = grouping_make(bone_of, slots, model->bone_count, "the vertices of the bones", out);
    memory_free(bone_of);
    return status;
}

/* Some columns of C with the four factors that go with each. */
typedef struct Batch {
    int count;
    const double *columns[BATCH];
    double factors[BATCH][4];
} Batch;

/* Adds to rows [4][d] every column times its factors. */
WIDEST_VECTORS
static void batch_add(const Batch *batch, int dimension, double *restrict rows)
{
    double *restrict r0 = rows, *restrict r1 = r0 + dimension, *restrict r2 = r1 + dimension,
                     *restrict r3 = r2 + dimension;
    for (int half = 0; half < BATCH; half += 4) {
        const double *restrict a = batch->columns[half], *restrict b = batch->columns[half + 1];
        const double *restrict c = batch->columns[half + 2], *restrict d = batch->columns[half + 3];
        const double(*f)[4] = batch->factors + half;
        for (int i = 0; i < dimension; i++) {
            double x = a[i], y = b[i], z = c[i], w = d[i];
            r0[i] += f[0][0] * x + f[1][0] * y + f[2][0] * z + f[3][0] * w;
            r1[i] += f[0][1] * x + f[1][1] * y + f[2][1] * z + f[3][1] * w;
            r2[i] += f[0][2] * x + f[1][2] * y + f[2][2] * z + f[3][2] * w;
            r3[i] += f[0][3] * x + f[1][3] * y + f[2][3] * z + f[3][3] * w;
        }
    }
}

/* Adds a batch that may not be full, and empties it. */
static void batch_flush(Batch *batch, int dimension, double *rows)
{
    if (batch->count == 0)
        return;
    for (; batch->count < BATCH; batch->count++) {
        batch->columns[batch->count] = batch->columns[0];
        memset(batch->factors[batch->count], 0, sizeof batch->factors[0]);
    }
    batch_add(batch, dimension, rows);
    batch->count = 0;
}

/* Adds to block row `bone` of X X^T (lower triangle) what one of its vertices brings. */
static void square_add(const ReducedModel *model, int bone, int vertex, const double x[4], double *square)
{
    int influences = model->influence_count;
    ptrdiff_t stride = (ptrdiff_t)4 * model->bone_count;
    const double *v = model->rest + (ptrdiff_t)3 * vertex;
    for (int k = 0; k < influences; k++) {
        ptrdiff_t slot = (ptrdiff_t)vertex * influences + k;
        double other = model->weights[slot];
        if (other == 0.0 || model->bones[slot] > bone)
            continue;
        double *block = square + (stride * bone + model->bones[slot]) * 4;
        for (int i = 0; i < 4; i++) {
            block[i * stride] += x[i] * other * v[0];
            block[i * stride + 1] += x[i] * other * v[1];
            block[i * stride + 2] += x[i] * other * v[2];
            block[i * stride + 3] += x[i] * other;
        }
    }
}

/* Block row `bone` of X X^T (lower triangle) and of (C X^T)^T. */
static void bone_accumulate(const ReducedModel *model, const Grouping *influences, int bone, double *square,
                            double *right)
{
    int dimension = model->dimension;
    double *rows = right + (ptrdiff_t)4 * bone * dimension;
    Batch batch = {.count = 0};
    for (int64_t at = influences->first[bone]; at < influences->first[bone + 1]; at++) {
        int32_t slot = influences->members[at], vertex = slot / model->influence_count;
        const double *v = model->rest + (ptrdiff_t)3 * vertex;
        double weight = model->weights[slot];
        double x[4] = {weight * v[0], weight * v[1], weight * v[2], weight};
        memcpy(batch.factors[batch.count], x, sizeof x);
        batch.columns[batch.count++] = model->coordinates + (ptrdiff_t)vertex * dimension;
        if (batch.count == BATCH)
            batch_flush(&batch, dimension, rows);
        square_add(model, bone, vertex, x, square);
    }
    batch_flush(&batch, dimension, rows);
}

/* ||Tr X - C||^2 at the minimum over Tr: ||C||^2 - <Tr, C X^T>. Where that is a small difference of great
 * numbers, summed over the vertices. */
static Status minimum_measure(const ReducedModel *model, const double *right, double *squared_error)
{
    double total = 0.0, explained = 0.0;
    for (int j = 0; j < model->vertex_count; j++)
        total += model->squared_norms[j];
    for (ptrdiff_t i = 0; i < (ptrdiff_t)4 * model->bone_count * model->dimension; i++)
        explained += model->transforms[i] * right[i];
    *squared_error = total - explained;
    return *squared_error > 1e-6 * total ? status_ok() : reduced_model_squared_error(model, squared_error);
}

void transformations_update_gram(ReducedModel *model)
{
    if (model->rigid) {
        rigid_derive(model);
        return;
    }
    int size = 4 * model->bone_count, dimension = model->dimension;
    int tiles = (size + TILE - 1) / TILE;
#pragma omp parallel for schedule(dynamic) num_threads(model->threads)
    for (int tile = 0; tile < tiles * tiles; tile++) {
        int row = tile / tiles * TILE, column = tile % tiles * TILE;
        int height = size - row < TILE ? size - row : TILE,
            width = size - column < TILE ? size - column : TILE;
        matrix_multiply(height, width, dimension, 1.0,
                        matrix_by_rows(model->transforms + (ptrdiff_t)row * dimension, dimension),
                        matrix_transposed(model->transforms + (ptrdiff_t)column * dimension, dimension), 0.0,
                        model->gram + (ptrdiff_t)row * size + column, size);
    }
}

/* Solves the normal equations, right to be overwritten: through the non-zeros of X X^T where that was asked
 * for or pays, densely else and where it turns out singular. */
static Status normal_solve(ReducedModel *model, double *square, double *right)
{
    int size = 4 * model->bone_count, dimension = model->dimension;
    bool singular =
        model->solver == SOLVER_DENSE || (model->solver == SOLVER_AUTO && !sparse_pays(square, size));
    Status status = status_ok();
    if (!singular)
        status = sparse_solve(square, size, right, dimension, &singular);
    if (status.code == STATUS_OK && singular) {
        status = dense_solve(square, size, right, dimension, &singular);
        model->singular_systems += singular;
    }
    return status;
}

Status transformations_solve(ReducedModel *model, double *squared_error)
{
    int bones = model->bone_count, dimension = model->dimension;
    size_t size = 4 * (size_t)bones, right_bytes = size * (size_t)dimension * sizeof(double);
    Grouping influences = {0};
    double *square = memory_table(size, size, sizeof(double));
    double *right = memory_table(size, (size_t)dimension, sizeof(double));
    Status status;
    if (!square || !right) {
        status = status_out_of_memory("the normal equations of the bones");
        goto done;
    }
    STATUS_TRY(influences_by_bone(model, &influences));
#pragma omp parallel for schedule(dynamic) num_threads(model->threads)
    for (int bone = 0; bone < bones; bone++)
        bone_accumulate(model, &influences, bone, square, right);
    if (model->rigid) {
        status = rigid_solve(model, square, right, squared_error);
        goto done;
    }
    memcpy(model->transforms, right, right_bytes);
    STATUS_TRY(normal_solve(model, square, model->transforms));
    transformations_update_gram(model);
    status = minimum_measure(model, right, squared_error);
done:
    grouping_clear(&influences);
    memory_free(square);
    memory_free(right);
    return status;
}
