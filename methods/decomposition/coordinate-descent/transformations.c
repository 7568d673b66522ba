#include "methods/decomposition/coordinate-descent/transformations.h"

#include "datasets/base/grouping.h"
#include "datasets/base/memory.h"
#include "datasets/base/widest_vectors.h"
#include "methods/decomposition/coordinate-descent/rigid.h"
#include "methods/reduction/dense.h"
#include "methods/reduction/sparse.h"

#include <string.h>

enum { BATCH = 4 };

/* The influences (vertex * K + slot) of each bone: the non-zeros of X by block row. */
static Status influences_by_bone(const Descent *descent, Grouping *out)
{
    size_t slots = (size_t)descent->vertex_count * (size_t)descent->influence_count;
    int32_t *bone_of = memory_array(slots, sizeof(int32_t));
    if (!bone_of)
        return status_out_of_memory("the vertices of the bones");
    for (size_t i = 0; i < slots; i++)
        bone_of[i] = descent->weights[i] != 0.0 ? descent->bones[i] : -1;
    Status status = grouping_make(bone_of, slots, descent->bone_count, "the vertices of the bones", out);
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
    const double *restrict a = batch->columns[0], *restrict b = batch->columns[1];
    const double *restrict c = batch->columns[2], *restrict d = batch->columns[3];
    for (int k = 0; k < 4; k++) {
        double *restrict row = rows + (ptrdiff_t)k * dimension;
        const double x = batch->factors[0][k], y = batch->factors[1][k];
        const double z = batch->factors[2][k], w = batch->factors[3][k];
        for (int i = 0; i < dimension; i++)
            row[i] += x * a[i] + y * b[i] + z * c[i] + w * d[i];
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
static void square_add(const Descent *descent, int bone, int vertex, const double x[4], double *square)
{
    int influences = descent->influence_count;
    ptrdiff_t stride = (ptrdiff_t)4 * descent->bone_count;
    const double *v = descent->rest + (ptrdiff_t)3 * vertex;
    for (int k = 0; k < influences; k++) {
        ptrdiff_t slot = (ptrdiff_t)vertex * influences + k;
        double other = descent->weights[slot];
        if (other == 0.0 || descent->bones[slot] > bone)
            continue;
        double *block = square + (stride * bone + descent->bones[slot]) * 4;
        for (int i = 0; i < 4; i++) {
            block[i * stride] += x[i] * other * v[0];
            block[i * stride + 1] += x[i] * other * v[1];
            block[i * stride + 2] += x[i] * other * v[2];
            block[i * stride + 3] += x[i] * other;
        }
    }
}

/* Block row `bone` of X X^T (lower triangle) and of (C X^T)^T. */
static void bone_accumulate(const Descent *descent, const Grouping *influences, int bone, double *square,
                            double *right)
{
    int dimension = descent->dimension;
    double *rows = right + (ptrdiff_t)4 * bone * dimension;
    Batch batch = {.count = 0};
    for (int64_t at = influences->first[bone]; at < influences->first[bone + 1]; at++) {
        int32_t slot = influences->members[at], vertex = slot / descent->influence_count;
        const double *v = descent->rest + (ptrdiff_t)3 * vertex;
        double weight = descent->weights[slot];
        double x[4] = {weight * v[0], weight * v[1], weight * v[2], weight};
        memcpy(batch.factors[batch.count], x, sizeof x);
        batch.columns[batch.count++] = descent->coordinates + (ptrdiff_t)vertex * dimension;
        if (batch.count == BATCH)
            batch_flush(&batch, dimension, rows);
        square_add(descent, bone, vertex, x, square);
    }
    batch_flush(&batch, dimension, rows);
}

/* ||Tr X - C||^2 at the minimum over Tr: ||C||^2 - <Tr, C X^T>. Where that is a small difference of great
 * numbers, summed over the vertices. */
static Status minimum_measure(const Descent *descent, const double *right, double *squared_error)
{
    double total = 0.0, explained = 0.0;
    for (int j = 0; j < descent->vertex_count; j++)
        total += descent->squared_norms[j];
    for (ptrdiff_t i = 0; i < (ptrdiff_t)4 * descent->bone_count * descent->dimension; i++)
        explained += descent->transforms[i] * right[i];
    *squared_error = total - explained;
    return *squared_error > 1e-6 * total ? status_ok() : descent_squared_error(descent, squared_error);
}

/* Solves the normal equations, right to be overwritten: through the non-zeros of X X^T where that was asked
 * for or pays, densely else and where it turns out singular. */
static Status normal_solve(Descent *descent, double *square, double *right)
{
    int size = 4 * descent->bone_count, dimension = descent->dimension;
    bool singular =
        descent->solver == SOLVER_DENSE || (descent->solver == SOLVER_AUTO && !sparse_pays(square, size));
    Status status = status_ok();
    if (!singular)
        status = sparse_solve(square, size, right, dimension, &singular);
    if (status.code == STATUS_OK && singular) {
        status = dense_solve(square, size, right, dimension, &singular);
        descent->singular_systems += singular;
    }
    return status;
}

Status transformations_solve(Descent *descent, double *squared_error)
{
    int bones = descent->bone_count, dimension = descent->dimension;
    size_t size = 4 * (size_t)bones, right_bytes = size * (size_t)dimension * sizeof(double);
    Grouping influences = {0};
    double *square = memory_table(size, size, sizeof(double));
    double *right = memory_table(size, (size_t)dimension, sizeof(double));
    Status status;
    if (!square || !right) {
        status = status_out_of_memory("the normal equations of the bones");
        goto done;
    }
    STATUS_TRY(influences_by_bone(descent, &influences));
#pragma omp parallel for schedule(dynamic)
    for (int bone = 0; bone < bones; bone++)
        bone_accumulate(descent, &influences, bone, square, right);
    if (descent->rigid) {
        status = rigid_solve(descent, square, right, squared_error);
        goto done;
    }
    memcpy(descent->transforms, right, right_bytes);
    STATUS_TRY(normal_solve(descent, square, descent->transforms));
    descent_update_gram(descent);
    status = minimum_measure(descent, right, squared_error);
done:
    grouping_clear(&influences);
    memory_free(square);
    memory_free(right);
    return status;
}
