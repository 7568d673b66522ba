/* Chooses the bones of a vertex, by the best single prediction or by the greatest gain, and fits their
 * convex weights (FESAM section 4.4). */
#include "methods/decomposition/coordinate-descent/weights.h"

#include "datasets/base/memory.h"
#include "datasets/base/widest_vectors.h"
#include "methods/decomposition/coordinate-descent/simplex.h"

#include <math.h>
#include <string.h>

enum { CORNERS = SIMPLEX_CORNERS_MAX, CANDIDATES = 2 * CORNERS };

/* Bones under consideration for one vertex, with the Gram matrix of (prediction - target). */
typedef struct BoneSet {
    int count;
    int32_t bones[CORNERS];
    double weights[CORNERS];
    double gram[CORNERS * CORNERS];
    double factor[CORNERS][CORNERS]; /* Cholesky factor of the edges from the first corner */
    double error;
} BoneSet;

/* A vertex under consideration: what its bones predict at rest position v. */
typedef struct Prediction {
    const VertexProblem *problem;
    double monomials[MONOMIALS];
    WeightsWorkspace *workspace;
} Prediction;

Status weights_workspace_make(WeightsWorkspace *workspace, int stride)
{
    size_t bones = (size_t)stride;
    workspace->squares = memory_array(bones, sizeof(double));
    workspace->products = memory_array(bones, sizeof(double));
    workspace->inner = memory_table(INFLUENCES_MAX, bones, sizeof(double));
    workspace->blend = memory_array(bones, sizeof(double));
    workspace->gains = memory_array(bones, sizeof(double));
    if (workspace->squares && workspace->products && workspace->inner && workspace->blend && workspace->gains)
        return status_ok();
    weights_workspace_clear(workspace);
    return status_out_of_memory("the choice of bones");
}

void weights_workspace_clear(WeightsWorkspace *workspace)
{
    memory_free(workspace->squares);
    memory_free(workspace->products);
    memory_free(workspace->inner);
    memory_free(workspace->blend);
    memory_free(workspace->gains);
    *workspace = (WeightsWorkspace){0};
}

/* The new corner's edge in the Cholesky factor of the edges; false when it depends on those of the set. */
static bool edge_append(BoneSet *set, const double *row, double scale)
{
    int n = set->count;
    double corner = set->gram[0], edge = row[n] - 2.0 * row[0] + corner, left = edge;
    double *factor = set->factor[n - 1];
    for (int i = 0; i < n - 1; i++) {
        double sum = row[i + 1] - row[0] - set->gram[(ptrdiff_t)(i + 1) * CORNERS] + corner;
        for (int j = 0; j < i; j++)
            sum -= factor[j] * set->factor[i][j];
        factor[i] = sum / set->factor[i][i];
        left -= factor[i] * factor[i];
    }
    if (!(left > 1e-8 * edge) || !(edge > 1e-14 * scale))
        return false;
    factor[n - 1] = sqrt(left);
    return true;
}

/* Appends a bone unless its prediction depends on those of the set; then the set stays as it is. inner
 * [count]: products of its prediction with those of the set. */
static bool set_append(BoneSet *set, const Prediction *at, int32_t bone, const double *inner)
{
    int n = set->count;
    double square = at->problem->squared_norm;
    const WeightsWorkspace *workspace = at->workspace;
    double *row = set->gram + (ptrdiff_t)n * CORNERS;
    for (int k = 0; k < n; k++)
        row[k] = inner[k] - workspace->products[bone] - workspace->products[set->bones[k]] + square;
    row[n] = workspace->squares[bone] - 2.0 * workspace->products[bone] + square;
    if (n > 0 && !edge_append(set, row, square + workspace->squares[bone]))
        return false;
    for (int k = 0; k < n; k++)
        set->gram[k * CORNERS + n] = row[k];
    set->bones[n] = bone;
    set->weights[n] = 0.0;
    set->count++;
    return true;
}

static void inner_look_up(const BoneSet *set, const Prediction *at, int32_t bone, double inner[CORNERS])
{
    for (int k = 0; k < set->count; k++)
        inner[k] = vertex_inner(at->problem, bone, set->bones[k], at->monomials);
}

/* The `wanted` bones that predict best each on its own, in that order; returns how many there are. */
static int bones_rank(const Prediction *at, int wanted, int32_t best[CANDIDATES])
{
    const WeightsWorkspace *workspace = at->workspace;
    double scores[CANDIDATES] = {0.0};
    int found = 0, bones = at->problem->pairs->bone_count;
    for (int32_t bone = 0; bone < bones; bone++) {
        double score = workspace->squares[bone] - 2.0 * workspace->products[bone];
        if (found == wanted && score >= scores[found - 1])
            continue;
        int place = found < wanted ? found++ : found - 1;
        for (; place > 0 && scores[place - 1] > score; place--) {
            best[place] = best[place - 1];
            scores[place] = scores[place - 1];
        }
        best[place] = bone;
        scores[place] = score;
    }
    return found;
}

/* The bones that predict best each on its own. Where one depends on those before it, the next best follow. */
static void set_by_prediction(BoneSet *set, const Prediction *at, int influences)
{
    int32_t best[CANDIDATES];
    double inner[CORNERS] = {0.0};
    set->count = 0;
    for (int wanted = influences; wanted <= CANDIDATES; wanted += CORNERS) {
        int found = bones_rank(at, wanted, best);
        set->count = 0;
        for (int i = 0; i < found && set->count < influences; i++) {
            inner_look_up(set, at, best[i], inner);
            set_append(set, at, best[i], inner);
        }
        if (set->count == influences || found < wanted)
            break;
    }
    for (int k = 0; k < set->count; k++)
        set->weights[k] = 1.0 / set->count;
    set->error = simplex_improve(set->count, set->gram, (1u << set->count) - 1, set->weights);
}

/* blend [stride] = sum_k weights_k inner_k */
WIDEST_VECTORS
static void rows_blend(int count, const double *weights, const double *restrict inner, int stride,
                       double *restrict blend)
{
    for (int i = 0; i < stride; i++)
        blend[i] = weights[0] * inner[i];
    for (int k = 1; k < count; k++)
        for (int i = 0; i < stride; i++)
            blend[i] += weights[k] * inner[(ptrdiff_t)k * stride + i];
}

/* gains: how much the squared error falls at most on the way from the blend to each bone. excess: the product
 * of the blend with what it lies off the target. */
WIDEST_VECTORS
static void gains_measure(const WeightsWorkspace *workspace, int stride, double blend_square, double excess)
{
    const double *restrict squares = workspace->squares, *restrict products = workspace->products;
    const double *restrict blend = workspace->blend;
    double *restrict gains = workspace->gains;
    for (int i = 0; i < stride; i++) {
        double fall = excess - blend[i] + products[i];
        double length = squares[i] - 2.0 * blend[i] + blend_square;
        double gain = fall < length ? fall * fall / length : 2.0 * fall - length;
        gains[i] = fall > 0.0 && length > 0.0 ? gain : 0.0;
    }
}

/* The bone towards which the blend's error falls the most along a straight line; -1 when there is none. */
static int32_t bone_of_greatest_gain(const BoneSet *set, const Prediction *at)
{
    const WeightsWorkspace *workspace = at->workspace;
    int stride = at->problem->pairs->stride;
    double blend_square = 0.0, blend_product = 0.0, best_gain = 0.0;
    int32_t best = -1;
    rows_blend(set->count, set->weights, workspace->inner, stride, workspace->blend);
    for (int k = 0; k < set->count; k++) {
        blend_square += set->weights[k] * workspace->blend[set->bones[k]];
        blend_product += set->weights[k] * workspace->products[set->bones[k]];
    }
    gains_measure(workspace, stride, blend_square, blend_square - blend_product);
    for (int32_t bone = 0; bone < at->problem->pairs->bone_count; bone++)
        if (workspace->gains[bone] > best_gain) {
            best_gain = workspace->gains[bone];
            best = bone;
        }
    return best;
}

/* Appends a bone with its products with all others. */
static bool set_append_scanned(BoneSet *set, const Prediction *at, int32_t bone)
{
    ptrdiff_t stride = at->problem->pairs->stride;
    double inner[CORNERS] = {0.0};
    for (int k = 0; k < set->count; k++)
        inner[k] = at->workspace->inner[k * stride + bone];
    if (!set_append(set, at, bone, inner))
        return false;
    scan_inner(at->problem->pairs, bone, at->monomials, at->workspace->inner + (set->count - 1) * stride);
    return true;
}

/* Drops bones without weight, and their products. */
static void set_drop_unused(BoneSet *set, const Prediction *at)
{
    BoneSet kept = {.error = set->error};
    ptrdiff_t stride = at->problem->pairs->stride;
    for (int k = 0; k < set->count; k++) {
        double inner[CORNERS] = {0.0};
        for (int l = 0; l < kept.count; l++)
            inner[l] = at->workspace->inner[l * stride + set->bones[k]];
        if (!(set->weights[k] > 0.0) || !set_append(&kept, at, set->bones[k], inner))
            continue;
        kept.weights[kept.count - 1] = set->weights[k];
        if (kept.count - 1 < k)
            memcpy(at->workspace->inner + (kept.count - 1) * stride, at->workspace->inner + k * stride,
                   (size_t)stride * sizeof(double));
    }
    *set = kept;
}

/* Bones one by one, each the one that promises the greatest fall of the error from the best blend so far. */
static void set_grow(BoneSet *set, const Prediction *at, int influences)
{
    for (int round = 0; round < 2 * influences; round++) {
        if (set->count == influences) {
            set_drop_unused(set, at);
            if (set->count == influences)
                return;
        }
        int32_t bone = bone_of_greatest_gain(set, at);
        if (bone < 0 || !set_append_scanned(set, at, bone))
            return;
        unsigned tried = 0;
        for (int k = 0; k < set->count; k++)
            tried |= (unsigned)(set->weights[k] > 0.0 || k == set->count - 1) << k;
        set->error = simplex_improve(set->count, set->gram, tried, set->weights);
    }
}

static int32_t bone_nearest(const Prediction *at)
{
    const WeightsWorkspace *workspace = at->workspace;
    double least = workspace->squares[0] - 2.0 * workspace->products[0];
    int32_t nearest = 0;
    for (int32_t bone = 1; bone < at->problem->pairs->bone_count; bone++) {
        double score = workspace->squares[bone] - 2.0 * workspace->products[bone];
        nearest = score < least ? bone : nearest;
        least = score < least ? score : least;
    }
    return nearest;
}

static void set_by_gain(BoneSet *set, const Prediction *at, int influences)
{
    set->count = 0;
    set_append_scanned(set, at, bone_nearest(at));
    set->weights[0] = 1.0;
    set->error = set->gram[0];
    set_grow(set, at, influences);
}

/* The bones the vertex has. */
static void set_by_habit(BoneSet *set, const VertexProblem *problem, int influences, const int32_t *bones,
                         const double *weights, const double v[3])
{
    double monomials[MONOMIALS], products[CORNERS];
    monomials_make(v, monomials);
    set->count = 0;
    set->error = INFINITY;
    while (set->count < influences && weights[set->count] > 0.0) {
        int n = set->count++;
        set->bones[n] = bones[n];
        set->weights[n] = weights[n];
        products[n] = vertex_product(problem, bones[n], v);
        for (int k = 0; k <= n; k++)
            set->gram[k * CORNERS + n] = set->gram[n * CORNERS + k] =
                vertex_inner(problem, bones[n], bones[k], monomials) - products[n] - products[k] +
                problem->squared_norm;
    }
    if (set->count > 0)
        set->error = simplex_improve(set->count, set->gram, (1u << set->count) - 1, set->weights);
}

static void set_store(const BoneSet *set, int influences, int32_t *bones, double *weights)
{
    int at = 0;
    for (int k = 0; k < set->count; k++)
        if (set->weights[k] > 0.0) {
            bones[at] = set->bones[k];
            weights[at++] = set->weights[k];
        }
    for (; at < influences; at++) {
        bones[at] = 0;
        weights[at] = 0.0;
    }
}

double weights_solve(const VertexProblem *problem, BoneChoice choice, int influences, const double v[3],
                     int32_t *bones, double *weights, WeightsWorkspace *workspace)
{
    BoneSet best, other;
    Prediction at = {.problem = problem, .workspace = workspace};
    monomials_make(v, at.monomials);
    scan_squares(problem->pairs, at.monomials, workspace->squares);
    scan_products(problem, v, workspace->products);
    if (choice == CHOICE_GREEDY)
        set_by_gain(&best, &at, influences);
    else
        set_by_prediction(&best, &at, influences);
    if (choice == CHOICE_MIXED) {
        set_by_gain(&other, &at, influences);
        if (other.error < best.error)
            best = other;
        set_by_habit(&other, problem, influences, bones, weights, v);
        if (other.error <= best.error)
            best = other;
    }
    set_store(&best, influences, bones, weights);
    return best.error;
}

double weights_fit(const VertexProblem *problem, int influences, const double v[3], int32_t *bones,
                   double *weights)
{
    BoneSet set;
    set_by_habit(&set, problem, influences, bones, weights, v);
    set_store(&set, influences, bones, weights);
    return set.error;
}

/* The squared error of the best bone but one. */
static double bone_second(const VertexProblem *problem, const double v[3], int32_t without)
{
    double monomials[MONOMIALS], least = INFINITY;
    monomials_make(v, monomials);
    for (int32_t bone = 0; bone < problem->pairs->bone_count; bone++) {
        double error = vertex_inner(problem, bone, bone, monomials) - 2.0 * vertex_product(problem, bone, v) +
                       problem->squared_norm;
        if (bone != without && error < least)
            least = error;
    }
    return least;
}

double weights_losses(const VertexProblem *problem, int influences, const double v[3], const int32_t *bones,
                      const double *weights, double *losses)
{
    BoneSet set;
    set_by_habit(&set, problem, influences, bones, weights, v);
    for (int k = 0; k < influences; k++)
        losses[k] = 0.0;
    for (int k = 0; k < set.count; k++) {
        double gram[CORNERS * CORNERS], rest[CORNERS];
        int n = 0;
        for (int l = 0; l < set.count; l++) {
            if (l == k)
                continue;
            for (int m = 0, at = 0; m < set.count; m++)
                if (m != k)
                    gram[n * CORNERS + at++] = set.gram[l * CORNERS + m];
            n++;
        }
        double error = n > 0 ? simplex_nearest(n, gram, rest) : bone_second(problem, v, bones[k]);
        losses[k] = fmax(error - set.error, 0.0);
    }
    return set.count > 0 ? set.error : problem->squared_norm;
}
