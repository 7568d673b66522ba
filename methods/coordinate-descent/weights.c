#include "methods/coordinate-descent/weights.h"

#include "datasets/base/memory.h"
#include "methods/coordinate-descent/simplex.h"

#include <math.h>
#include <string.h>

enum { CORNERS = SIMPLEX_CORNERS_MAX };

/* Bones under consideration for one vertex, with the Gram matrix of (prediction - target). */
typedef struct BoneSet {
    int count;
    int32_t bones[CORNERS];
    double weights[CORNERS];
    double gram[CORNERS * CORNERS];
    double factor[CORNERS][CORNERS]; /* Cholesky factor of the edges from the first corner */
    double error;
} BoneSet;

Status weights_room_make(WeightsRoom *room, int bone_count)
{
    room->squares = memory_array((size_t)bone_count, sizeof(double));
    room->products = memory_array((size_t)bone_count, sizeof(double));
    room->row = memory_table(4, (size_t)bone_count, sizeof(double));
    if (room->squares && room->products && room->row)
        return status_ok();
    weights_room_clear(room);
    return status_out_of_memory("the choice of bones");
}

void weights_room_clear(WeightsRoom *room)
{
    memory_free(room->squares);
    memory_free(room->products);
    memory_free(room->row);
    *room = (WeightsRoom){0};
}

/* Squares and products of the predictions of all bones. */
static void predictions_measure(const VertexProblem *problem, const double v[3], WeightsRoom *room)
{
    const double monomials[10] = {v[0] * v[0], v[0] * v[1], v[0] * v[2], v[0], v[1] * v[1],
                                  v[1] * v[2], v[1],        v[2] * v[2], v[2], 1.0};
    for (int bone = 0; bone < problem->bone_count; bone++) {
        const double *diagonal = problem->diagonal + (ptrdiff_t)10 * bone;
        double sum = 0.0;
        for (int i = 0; i < 10; i++)
            sum += monomials[i] * diagonal[i];
        room->squares[bone] = sum;
        room->products[bone] = vertex_product(problem, bone, v);
    }
}

/* Appends a bone unless its prediction depends on those of the set; then the set stays as it is. */
static bool set_append(BoneSet *set, const VertexProblem *problem, int32_t bone, const double v[3],
                       const WeightsRoom *room)
{
    int n = set->count;
    double square = problem->squared_norm;
    double *row = set->gram + (ptrdiff_t)n * CORNERS;
    for (int k = 0; k < n; k++)
        row[k] = vertex_inner(problem, bone, set->bones[k], v) - room->products[bone] -
                 room->products[set->bones[k]] + square;
    row[n] = room->squares[bone] - 2.0 * room->products[bone] + square;
    if (n > 0) {
        double corner = set->gram[0], edge = row[n] - 2.0 * row[0] + corner, left = edge;
        double *factor = set->factor[n - 1];
        for (int i = 0; i < n - 1; i++) {
            double sum = row[i + 1] - row[0] - set->gram[(ptrdiff_t)(i + 1) * CORNERS] + corner;
            for (int j = 0; j < i; j++)
                sum -= factor[j] * set->factor[i][j];
            factor[i] = sum / set->factor[i][i];
            left -= factor[i] * factor[i];
        }
        if (!(left > 1e-8 * edge) || !(edge > 1e-14 * (square + room->squares[bone])))
            return false;
        factor[n - 1] = sqrt(left);
    }
    for (int k = 0; k < n; k++)
        set->gram[k * CORNERS + n] = row[k];
    set->bones[n] = bone;
    set->weights[n] = 0.0;
    set->count++;
    return true;
}

/* The bones that predict best each on its own, in that order. */
static void set_by_prediction(BoneSet *set, const VertexProblem *problem, int influences, const double v[3],
                              const WeightsRoom *room)
{
    enum { CANDIDATES = 3 * CORNERS };
    int32_t best[CANDIDATES];
    double scores[CANDIDATES] = {0.0};
    int wanted = influences + CORNERS, found = 0;
    for (int32_t bone = 0; bone < problem->bone_count; bone++) {
        double score = room->squares[bone] - 2.0 * room->products[bone];
        if (found == wanted && score >= scores[found - 1])
            continue;
        int at = found < wanted ? found++ : found - 1;
        for (; at > 0 && scores[at - 1] > score; at--) {
            best[at] = best[at - 1];
            scores[at] = scores[at - 1];
        }
        best[at] = bone;
        scores[at] = score;
    }
    set->count = 0;
    for (int i = 0; i < found && set->count < influences; i++)
        set_append(set, problem, best[i], v, room);
    set->error = simplex_nearest(set->count, set->gram, set->weights);
}

/* row [4P] = sum_k w_k (v, 1)^T G_k,: so that row_j . (v, 1) is the product of the blend with bone j. */
static void blend_products(const BoneSet *set, const VertexProblem *problem, const double v[3], double *row)
{
    ptrdiff_t size = (ptrdiff_t)4 * problem->bone_count;
    memset(row, 0, (size_t)size * sizeof(double));
    for (int k = 0; k < set->count; k++) {
        if (set->weights[k] == 0.0)
            continue;
        const double *row0 = problem->gram + size * 4 * set->bones[k], *row1 = row0 + size;
        const double *row2 = row1 + size, *row3 = row2 + size;
        double x = set->weights[k] * v[0], y = set->weights[k] * v[1], z = set->weights[k] * v[2];
        double w = set->weights[k];
        for (ptrdiff_t i = 0; i < size; i++)
            row[i] += x * row0[i] + y * row1[i] + z * row2[i] + w * row3[i];
    }
}

/* The bone towards which the blend's error falls the most along a straight line; -1 when there is none. */
static int32_t bone_of_greatest_gain(const BoneSet *set, const VertexProblem *problem, const double v[3],
                                     const WeightsRoom *room)
{
    double blend_square = 0.0, blend_product = 0.0, best_gain = 0.0;
    int32_t best = -1;
    for (int k = 0; k < set->count; k++) {
        const double *row = room->row + (ptrdiff_t)4 * set->bones[k];
        blend_square += set->weights[k] * (row[0] * v[0] + row[1] * v[1] + row[2] * v[2] + row[3]);
        blend_product += set->weights[k] * room->products[set->bones[k]];
    }
    for (int32_t bone = 0; bone < problem->bone_count; bone++) {
        const double *row = room->row + (ptrdiff_t)4 * bone;
        double inner = row[0] * v[0] + row[1] * v[1] + row[2] * v[2] + row[3];
        double fall = blend_square - blend_product - inner + room->products[bone];
        double length = room->squares[bone] - 2.0 * inner + blend_square;
        if (!(fall > 0.0) || !(length > 0.0))
            continue;
        double gain = fall < length ? fall * fall / length : 2.0 * fall - length;
        if (gain > best_gain) {
            best_gain = gain;
            best = bone;
        }
    }
    return best;
}

static void set_drop_unused(BoneSet *set, const VertexProblem *problem, const double v[3],
                            const WeightsRoom *room)
{
    BoneSet kept = {.error = set->error};
    for (int k = 0; k < set->count; k++)
        if (set->weights[k] > 0.0 && set_append(&kept, problem, set->bones[k], v, room))
            kept.weights[kept.count - 1] = set->weights[k];
    *set = kept;
}

/* Bones one by one, each the one that promises the greatest fall of the error from the best blend so far. */
static void set_by_gain(BoneSet *set, const VertexProblem *problem, int influences, const double v[3],
                        WeightsRoom *room)
{
    int32_t first = 0;
    for (int32_t bone = 1; bone < problem->bone_count; bone++)
        if (room->squares[bone] - 2.0 * room->products[bone] <
            room->squares[first] - 2.0 * room->products[first])
            first = bone;
    set->count = 0;
    set_append(set, problem, first, v, room);
    set->error = simplex_nearest(set->count, set->gram, set->weights);
    for (int round = 0; round < 2 * influences; round++) {
        if (set->count == influences) {
            set_drop_unused(set, problem, v, room);
            if (set->count == influences)
                return;
        }
        blend_products(set, problem, v, room->row);
        int32_t bone = bone_of_greatest_gain(set, problem, v, room);
        if (bone < 0 || !set_append(set, problem, bone, v, room))
            return;
        set->error = simplex_nearest(set->count, set->gram, set->weights);
    }
}

/* The bones the vertex has. */
static void set_by_habit(BoneSet *set, const VertexProblem *problem, int influences, const int32_t *bones,
                         const double *weights, const double v[3], const WeightsRoom *room)
{
    set->count = 0;
    for (int k = 0; k < influences; k++)
        if (weights[k] > 0.0)
            set_append(set, problem, bones[k], v, room);
    set->error = set->count > 0 ? simplex_nearest(set->count, set->gram, set->weights) : INFINITY;
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
                     int32_t *bones, double *weights, WeightsRoom *room)
{
    BoneSet best, other;
    predictions_measure(problem, v, room);
    if (choice == CHOICE_GREEDY)
        set_by_gain(&best, problem, influences, v, room);
    else
        set_by_prediction(&best, problem, influences, v, room);
    if (choice == CHOICE_MIXED) {
        set_by_gain(&other, problem, influences, v, room);
        if (other.error < best.error)
            best = other;
        set_by_habit(&other, problem, influences, bones, weights, v, room);
        if (other.error <= best.error)
            best = other;
    }
    set_store(&best, influences, bones, weights);
    return best.error;
}

double weights_fit(const VertexProblem *problem, int influences, const double v[3], int32_t *bones,
                   double *weights)
{
    BoneSet set = {.count = 0};
    while (set.count < influences && weights[set.count] > 0.0) {
        set.bones[set.count] = bones[set.count];
        set.count++;
    }
    for (int k = 0; k < set.count; k++)
        for (int l = 0; l <= k; l++)
            set.gram[k * CORNERS + l] = set.gram[l * CORNERS + k] =
                vertex_inner(problem, set.bones[k], set.bones[l], v) -
                vertex_product(problem, set.bones[k], v) - vertex_product(problem, set.bones[l], v) +
                problem->squared_norm;
    double error = simplex_nearest(set.count, set.gram, set.weights);
    set_store(&set, influences, bones, weights);
    return error;
}
