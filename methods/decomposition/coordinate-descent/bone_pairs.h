/* Inner products of the predictions of two bones. Bone a moves the rest position v to Tr_a (v, 1). The
 * product of the predictions of bones a and b is therefore (v, 1)^T G_ab (v, 1), a quadratic form in v with
 * 10 monomials. The forms are computed once per sweep. They are stored in one layout for scans over all
 * bones, and in another for single pairs. */
#pragma once

#include "methods/decomposition/coordinate-descent/reduced_model.h"

enum { MONOMIALS = 10 };

typedef struct BonePairs {
    int bone_count;
    int stride;       /* number of bones, rounded up to a multiple of the vector size; the padding is zero */
    double *scan;     /* [P][10][stride] forms of each bone with every bone, for scans */
    double *pairs;    /* [P][P][10] the same forms, contiguous for each pair */
    double *diagonal; /* [10][stride] form of each bone with itself */
    double *columns;  /* [d][4][stride] columns of Tr, for products with targets */
} BonePairs;

/* Computes the forms from the transformations and Gram matrix of `model`. Adds the extra coordinates that
 * smooth the weights (smoothing.h). Release with bone_pairs_clear, also after a failure. */
Status bone_pairs_make(BonePairs *pairs, const ReducedModel *model);
void bone_pairs_clear(BonePairs *pairs);

/* Values of one vertex for the solvers. They replace the vertex's trajectory of length d, which the solvers
 * do not read. */
typedef struct VertexProblem {
    const BonePairs *pairs;
    const double
        *products; /* [4][stride] h = Tr^T c_j, products of the columns of Tr with the target of vertex j */
    double squared_norm; /* ||c_j||^2 */
} VertexProblem;

/* Computes the monomials of v = (x, y, z) in the order xx xy xz x yy yz y zz z 1. */
static inline void monomials_make(const double v[3], double monomials[MONOMIALS])
{
    monomials[0] = v[0] * v[0];
    monomials[1] = v[0] * v[1];
    monomials[2] = v[0] * v[2];
    monomials[3] = v[0];
    monomials[4] = v[1] * v[1];
    monomials[5] = v[1] * v[2];
    monomials[6] = v[1];
    monomials[7] = v[2] * v[2];
    monomials[8] = v[2];
    monomials[9] = 1.0;
}

/* Returns the 10 coefficients of the form of a pair of bones. */
static inline const double *bone_pair(const BonePairs *pairs, int a, int b)
{
    return pairs->pairs + ((ptrdiff_t)a * pairs->bone_count + b) * MONOMIALS;
}

/* Returns the inner product of the predictions of bones a and b. */
static inline double vertex_inner(const VertexProblem *problem, int a, int b,
                                  const double monomials[MONOMIALS])
{
    const double *form = bone_pair(problem->pairs, a, b);
    double sum = 0.0;
    for (int i = 0; i < MONOMIALS; i++)
        sum += monomials[i] * form[i];
    return sum;
}

/* Returns the inner product of a bone's prediction with the target. */
static inline double vertex_product(const VertexProblem *problem, int bone, const double v[3])
{
    const double *h = problem->products + bone;
    ptrdiff_t stride = problem->pairs->stride;
    return h[0] * v[0] + h[stride] * v[1] + h[2 * stride] * v[2] + h[3 * stride];
}

/* Computes the inner products of one bone's prediction with the predictions of all bones into out
 * [stride]. */
void scan_inner(const BonePairs *pairs, int bone, const double monomials[MONOMIALS], double *out);

/* Computes the squared norm of every bone's prediction into out [stride]. */
void scan_squares(const BonePairs *pairs, const double monomials[MONOMIALS], double *out);

/* Computes the products of all predictions with the target into out [stride]. */
void scan_products(const VertexProblem *problem, const double v[3], double *out);
