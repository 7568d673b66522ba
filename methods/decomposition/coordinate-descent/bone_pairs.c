/* Computes inner products of the predictions of two bones, and of a prediction with the target. Each
 * product is a quadratic form of the rest position. */
#include "methods/decomposition/coordinate-descent/bone_pairs.h"

#include "methods/decomposition/coordinate-descent/smoothing.h"

enum { VECTOR = 8 };

/* Fills in the forms of a bone with all bones, and the columns of its map. The form of block (a, b) of G has
 * 10 coefficients, because entries (i, j) and (j, i) of the block multiply the same monomial, so they are
 * added to each other. */
static void bone_fill(BonePairs *pairs, const ReducedModel *model, int bone)
{
    const ptrdiff_t stride = pairs->stride, size = (ptrdiff_t)4 * model->bone_count;
    for (int other = 0; other < pairs->bone_count; other++) {
        const double *block = model->gram + size * 4 * bone + (ptrdiff_t)4 * other;
        double *form = pairs->pairs + ((ptrdiff_t)bone * pairs->bone_count + other) * MONOMIALS;
        for (int row = 0, term = 0; row < 4; row++)
            for (int column = row; column < 4; column++)
                form[term++] = row == column ? block[row * size + row]
                                             : block[row * size + column] + block[column * size + row];
        if (model->smoothing && bone == other)
            form[MONOMIALS - 1] += model->smoothing->strength;
        for (int i = 0; i < MONOMIALS; i++)
            pairs->scan[((ptrdiff_t)bone * MONOMIALS + i) * stride + other] = form[i];
    }
    for (int i = 0; i < MONOMIALS; i++)
        pairs->diagonal[i * stride + bone] = bone_pair(pairs, bone, bone)[i];
    for (ptrdiff_t i = 0; i < 4; i++)
        for (ptrdiff_t k = 0; k < model->dimension; k++)
            pairs->columns[(k * 4 + i) * stride + bone] =
                model->transforms[(4 * bone + i) * model->dimension + k];
}

Status bone_pairs_make(BonePairs *pairs, const ReducedModel *model)
{
    size_t bones = (size_t)model->bone_count, stride = (bones + VECTOR - 1) / VECTOR * VECTOR;
    *pairs = (BonePairs){.bone_count = model->bone_count, .stride = (int)stride};
    ALLOCATE_TABLE(pairs->scan, bones * MONOMIALS, stride, "the inner products of the bones");
    ALLOCATE_TABLE(pairs->pairs, bones * MONOMIALS, bones, "the inner products of the bones");
    ALLOCATE_TABLE(pairs->diagonal, MONOMIALS, stride, "the inner products of the bones");
    ALLOCATE_TABLE(pairs->columns, 4 * stride, model->dimension, "the inner products of the bones");
#pragma omp parallel for schedule(static) num_threads(model->threads)
    for (int bone = 0; bone < model->bone_count; bone++)
        bone_fill(pairs, model, bone);
    return status_ok();
}

void bone_pairs_clear(BonePairs *pairs)
{
    FREE_ALL(pairs->scan, pairs->pairs, pairs->diagonal, pairs->columns);
    *pairs = (BonePairs){0};
}

/* Computes the sum of forms [10][stride], each multiplied by one of the ten monomials, into out
 * [stride]. */
WIDEST_VECTORS
static void forms_evaluate(const double *restrict forms, int stride, const double *restrict m,
                           double *restrict out)
{
    const double *f0 = forms, *f1 = f0 + stride, *f2 = f1 + stride, *f3 = f2 + stride, *f4 = f3 + stride;
    const double *f5 = f4 + stride, *f6 = f5 + stride, *f7 = f6 + stride, *f8 = f7 + stride,
                 *f9 = f8 + stride;
    for (int i = 0; i < stride / VECTOR * VECTOR; i++)
        out[i] = m[0] * f0[i] + m[1] * f1[i] + m[2] * f2[i] + m[3] * f3[i] + m[4] * f4[i] + m[5] * f5[i] +
                 m[6] * f6[i] + m[7] * f7[i] + m[8] * f8[i] + f9[i];
}

void scan_inner(const BonePairs *pairs, int bone, const double monomials[MONOMIALS], double *out)
{
    forms_evaluate(pairs->scan + (ptrdiff_t)bone * MONOMIALS * pairs->stride, pairs->stride, monomials, out);
}

void scan_squares(const BonePairs *pairs, const double monomials[MONOMIALS], double *out)
{
    forms_evaluate(pairs->diagonal, pairs->stride, monomials, out);
}

WIDEST_VECTORS
static void products_evaluate(const VertexProblem *problem, const double v[3], double *restrict out)
{
    int stride = problem->pairs->stride;
    const double x = v[0], y = v[1], z = v[2];
    const double *restrict h0 = problem->products, *restrict h1 = h0 + stride;
    const double *restrict h2 = h1 + stride, *restrict h3 = h2 + stride;
    for (int i = 0; i < stride / VECTOR * VECTOR; i++)
        out[i] = x * h0[i] + y * h1[i] + z * h2[i] + h3[i];
}

void scan_products(const VertexProblem *problem, const double v[3], double *out)
{
    products_evaluate(problem, v, out);
}
