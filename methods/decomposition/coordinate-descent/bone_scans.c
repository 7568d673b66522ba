/* Chooses the bones of a vertex: the bones with the best single predictions, or the bone that improves a
 * blend most (FESAM section 4.4). */
#include "methods/decomposition/coordinate-descent/bone_scans.h"

enum { CANDIDATES = 2 * INFLUENCES_MAX };

int bones_rank(int bone_count, const double *squares, const double *products, int wanted, int32_t *best)
{
    double scores[CANDIDATES] = {0.0};
    int count = 0;
    for (int32_t bone = 0; bone < bone_count; bone++)
        count = largest_insert(2.0 * products[bone] - squares[bone], bone, count, wanted, scores, best);
    return count;
}

/* Differences between the first prediction and each of the others, represented by the Cholesky factor of
 * their Gram matrix. */
typedef struct Edges {
    int count;
    int32_t bones[INFLUENCES_MAX];
    double factor[INFLUENCES_MAX][INFLUENCES_MAX];
} Edges;

/* Appends the difference of a bone's prediction from the first prediction. Returns false if it depends
 * linearly on the previous differences. */
static bool edges_append(Edges *edges, const VertexProblem *problem, const double monomials[MONOMIALS],
                         const double *squares, int32_t bone)
{
    int n = edges->count, first = edges->bones[0];
    edges->bones[n] = bone;
    if (n > 0) {
        double with_first = vertex_inner(problem, bone, first, monomials);
        double edge = squares[bone] - 2.0 * with_first + squares[first], left = edge;
        double *factor = edges->factor[n];
        for (int i = 1; i < n; i++) {
            double sum = vertex_inner(problem, bone, edges->bones[i], monomials) - with_first -
                         vertex_inner(problem, edges->bones[i], first, monomials) + squares[first];
            for (int j = 1; j < i; j++)
                sum -= factor[j] * edges->factor[i][j];
            factor[i] = sum / edges->factor[i][i];
            left -= factor[i] * factor[i];
        }
        if (!(left > 1e-8 * edge) || !(edge > 1e-14 * (problem->squared_norm + squares[bone])))
            return false;
        factor[n] = sqrt(left);
    }
    edges->count++;
    return true;
}

int bones_rank_independent(const VertexProblem *problem, const double v[3], const double *squares,
                           const double *products, int wanted, int32_t *best)
{
    int32_t ranked[CANDIDATES];
    double monomials[MONOMIALS];
    Edges edges = {0};
    monomials_make(v, monomials);
    int ranked_count = bones_rank(problem->pairs->bone_count, squares, products, CANDIDATES, ranked);
    for (int i = 0; i < ranked_count && edges.count < wanted; i++)
        if (edges_append(&edges, problem, monomials, squares, ranked[i]))
            best[edges.count - 1] = ranked[i];
    return edges.count;
}

int32_t bone_of_greatest_gain(const BoneBlend *blend, int bone_count)
{
    double square = 0.0, product = 0.0;
    int32_t best = -1;
    for (int k = 0; k < blend->count; k++) {
        product += blend->weights[k] * blend->products[blend->bones[k]];
        for (int l = 0; l < blend->count; l++)
            square += blend->weights[k] * blend->weights[l] * blend->inner[k][blend->bones[l]];
    }
    lane_solvers()->gains_search(blend, bone_count, square, square - product, &best);
    return best;
}
