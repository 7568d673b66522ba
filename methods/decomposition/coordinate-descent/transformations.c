/* Sums the normal equations Tr X X^T = C X^T over the non-zeros of X and solves them (FESAM section 4.2).
 * The sums of each bone are first formed over blocks of vertices (ranks.h). Then the sums of all blocks are
 * added in twice the precision. */
#include "methods/decomposition/coordinate-descent/transformations.h"

#include "datasets/base/exact_sum.h"
#include "datasets/base/grouping.h"
#include "methods/decomposition/coordinate-descent/rigid_bones.h"
#include "methods/reduction/dense.h"
#include "methods/reduction/sparse.h"

#include <cblas.h>
#include <omp.h>

enum { BATCH = 4 };

/* Batch of columns of C that wait to be added to sums, each with four factors. */
typedef struct Batch {
    int count;
    const double *columns[BATCH];
    double factors[BATCH][4];
} Batch;

/* Multiplies every column of the batch by each of its four factors, and adds the products to rows
 * [4][d]. */
WIDEST_VECTORS
static void batch_add(const Batch *batch, int dimension, double *restrict rows)
{
    double *restrict r0 = rows, *restrict r1 = r0 + dimension, *restrict r2 = r1 + dimension,
                     *restrict r3 = r2 + dimension;
    const double *restrict a = batch->columns[0], *restrict b = batch->columns[1];
    const double *restrict c = batch->columns[2], *restrict d = batch->columns[3];
    const double(*f)[4] = batch->factors;
    for (int i = 0; i < dimension; i++) {
        double x = a[i], y = b[i], z = c[i], w = d[i];
        r0[i] += f[0][0] * x + f[1][0] * y + f[2][0] * z + f[3][0] * w;
        r1[i] += f[0][1] * x + f[1][1] * y + f[2][1] * z + f[3][1] * w;
        r2[i] += f[0][2] * x + f[1][2] * y + f[2][2] * z + f[3][2] * w;
        r3[i] += f[0][3] * x + f[1][3] * y + f[2][3] * z + f[3][3] * w;
    }
}

/* Adds the columns of a batch to the sums and empties it; the batch may be only partly filled. */
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

/* The normal equations, with the rounding errors of their sums (exact_sum.h). */
typedef struct NormalSums {
    double *square, *square_rests; /* [4P][4P] X X^T, lower triangle */
    double *right, *right_rests;   /* [4P][d] (C X^T)^T */
} NormalSums;

/* Contribution of one block of vertices to the sums of one bone. */
typedef struct BonePart {
    double *rows;   /* [4][d] */
    double *blocks; /* [P][4][4] products of this bone with each bone up to and including itself. The products
                        are zero for bones that share no vertex with it. */
    int32_t *met;   /* [P] bones that share a vertex with this bone, in the order in which they were found */
    int32_t *is_met; /* [P] */
    int met_count;
    Batch batch;
} BonePart;

/* Adds one vertex of the bone to the bone's rows of X X^T. */
static void square_add(const ReducedModel *model, int bone, int vertex, const double x[4], BonePart *part)
{
    int influences = model->influence_count;
    const double *v = model->rest + (ptrdiff_t)3 * vertex, point[4] = {v[0], v[1], v[2], 1.0};
    for (int k = 0; k < influences; k++) {
        ptrdiff_t slot = (ptrdiff_t)vertex * influences + k;
        double other = model->weights[slot];
        if (other == 0.0 || model->bones[slot] > bone)
            continue;
        double *restrict block = part->blocks + (ptrdiff_t)16 * model->bones[slot];
        if (!part->is_met[model->bones[slot]])
            part->met[part->met_count++] = model->bones[slot];
        part->is_met[model->bones[slot]] = 1;
        for (int i = 0; i < 4; i++) {
            const double factor = x[i] * other;
            for (int j = 0; j < 4; j++)
                block[4 * i + j] += factor * point[j];
        }
    }
}

/* Adds the sums over a block of vertices to the bone's sums, and sets the block's sums to zero. */
static void part_flush(const ReducedModel *model, int bone, BonePart *part, const NormalSums *sums)
{
    ptrdiff_t stride = (ptrdiff_t)4 * model->bone_count, rows = (ptrdiff_t)4 * bone * model->dimension;
    batch_flush(&part->batch, model->dimension, part->rows);
    exact_sums_add(sums->right + rows, sums->right_rests + rows, part->rows, (ptrdiff_t)4 * model->dimension);
    memset(part->rows, 0, 4 * (size_t)model->dimension * sizeof(double));
    for (int m = 0; m < part->met_count; m++) {
        double *block = part->blocks + (ptrdiff_t)16 * part->met[m];
        for (int i = 0; i < 16; i++) {
            ptrdiff_t entry = (4 * bone + i / 4) * stride + 4 * part->met[m] + i % 4;
            ExactSum sum = {sums->square[entry], sums->square_rests[entry]};
            exact_sum_add(&sum, block[i]);
            sums->square[entry] = sum.sum;
            sums->square_rests[entry] = sum.rest;
        }
        memset(block, 0, 16 * sizeof *block);
        part->is_met[part->met[m]] = 0;
    }
    part->met_count = 0;
}

/* Sums the rows of `bone` in X X^T (lower triangle) and in (C X^T)^T, one block of vertices after
 * another. */
static void bone_accumulate(const ReducedModel *model, const Grouping *influences, int bone, BonePart *part,
                            const NormalSums *sums)
{
    int dimension = model->dimension, size = model->block, end = size;
    Batch *batch = &part->batch;
    for (int64_t member = influences->first[bone]; member < influences->first[bone + 1]; member++) {
        int32_t slot = influences->members[member], vertex = slot / model->influence_count;
        if (vertex >= end) {
            part_flush(model, bone, part, sums);
            end = (vertex / size + 1) * size;
        }
        const double *v = model->rest + (ptrdiff_t)3 * vertex;
        double weight = model->weights[slot];
        double x[4] = {weight * v[0], weight * v[1], weight * v[2], weight};
        memcpy(batch->factors[batch->count], x, sizeof x);
        batch->columns[batch->count++] = model->coordinates + (ptrdiff_t)vertex * dimension;
        if (batch->count == BATCH)
            batch_flush(batch, dimension, part->rows);
        square_add(model, bone, vertex, x, part);
    }
    part_flush(model, bone, part, sums);
}

/* Sums the normal equations over the vertices of all ranks. An influence is numbered vertex * K +
 * slot. The influences of a bone are the non-zero entries of X in the bone's rows. */
static Status normal_accumulate(const ReducedModel *model, const NormalSums *sums)
{
    static const char what[] = "the normal equations of the bones";
    const size_t bones = (size_t)model->bone_count, rows_size = 4 * (size_t)model->dimension;
    const size_t slots = (size_t)model->vertex_count * (size_t)model->influence_count;
    const ptrdiff_t size = (ptrdiff_t)4 * model->bone_count;
    CLEANUP(grouping_clear) Grouping influences = {0};
    LOCAL_ARRAY(int32_t, bone_of, slots, what);
    LOCAL_TABLE(double, rows, model->threads, rows_size + 16 * bones, what);
    LOCAL_TABLE(int32_t, met, model->threads, 2 * bones, what);
    for (size_t i = 0; i < slots; i++)
        bone_of[i] = model->weights[i] != 0.0 ? model->bones[i] : -1;
    STATUS_TRY(grouping_init(bone_of, slots, model->bone_count, what, &influences));
#pragma omp parallel for schedule(dynamic) num_threads(model->threads)
    for (int bone = 0; bone < model->bone_count; bone++) {
        const size_t thread = (size_t)omp_get_thread_num();
        BonePart part = {.rows = rows + thread * (rows_size + 16 * bones), .met = met + thread * 2 * bones};
        part.blocks = part.rows + rows_size;
        part.is_met = part.met + bones;
        bone_accumulate(model, &influences, bone, &part, sums);
    }
    ranks_sum(model->ranks, sums->square, sums->square_rests, size * size);
    ranks_sum(model->ranks, sums->right, sums->right_rests, size * model->dimension);
    return status_ok();
}

void transformations_update_gram(ReducedModel *model)
{
    if (model->rigid) {
        rigid_derive(model);
        return;
    }
    matrix_gram(4 * model->bone_count, model->dimension, matrix_by_rows(model->transforms, model->dimension),
                model->gram, model->threads);
}

Status transformations_solve(ReducedModel *model, double *squared_error)
{
    static const char what[] = "the normal equations of the bones";
    const int size = 4 * model->bone_count, dimension = model->dimension;
    const size_t transform_bytes = (size_t)size * (size_t)dimension * sizeof(double);
    LOCAL_TABLE(double, squares, 2 * (size_t)size, size, what);
    LOCAL_TABLE(double, rights, 2 * (size_t)size, dimension, what);
    const NormalSums sums = {squares, squares + (ptrdiff_t)size * size, rights,
                             rights + (ptrdiff_t)size * dimension};
    STATUS_TRY(normal_accumulate(model, &sums));
    if (model->rigid)
        return rigid_solve(model, sums.square, sums.right, squared_error);
    if (ranks_is_first(model->ranks)) {
        /* If the vertices of a bone lie in a plane up to rounding, the scale of its map normal to that
         * plane is arbitrary. It is set to zero. */
        const double FLAT = 1e-26; /* squared thickness in units of the rest pose, below which a thickness is
                                      float rounding error */
        const ptrdiff_t next = size + 1;
        for (ptrdiff_t bone = 0; bone < model->bone_count; bone++)
            for (int axis = 0; axis < 3; axis++)
                sums.square[(4 * bone + axis) * next] += FLAT * sums.square[(4 * bone + 3) * next];
        /* half the gradient, Tr X X^T - C X^T, for the current transformations */
        memcpy(model->gradient, sums.right, transform_bytes);
        cblas_dsymm(CblasRowMajor, CblasLeft, CblasLower, size, dimension, 1.0, sums.square, size,
                    model->transforms, dimension, -1.0, model->gradient, dimension);
        memcpy(model->transforms, sums.right, transform_bytes);
        /* use the sparse factorisation if it is requested or faster, and the dense one otherwise or if the
         * matrix is singular */
        bool singular = model->solver == SOLVER_DENSE ||
                        (model->solver == SOLVER_AUTO && !sparse_pays(sums.square, size));
        if (!singular)
            STATUS_TRY(sparse_solve(sums.square, size, model->transforms, dimension, &singular));
        if (singular) {
            STATUS_TRY(dense_solve(sums.square, size, model->transforms, dimension, &singular));
            model->singular_systems += singular;
        }
    }
    ranks_broadcast(model->ranks, model->transforms, transform_bytes);
    transformations_update_gram(model);
    /* At the minimum over Tr, ||Tr X - C||^2 = ||C||^2 - <Tr, C X^T>. If cancellation makes this difference
     * inaccurate, the error is summed over the vertices instead. */
    double total = reduced_model_sum(model, model->squared_norms), explained = 0.0;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)size * dimension; i++)
        explained += model->transforms[i] * sums.right[i];
    *squared_error = total - explained;
    return *squared_error > 1e-6 * total ? status_ok() : reduced_model_squared_error(model, squared_error);
}
