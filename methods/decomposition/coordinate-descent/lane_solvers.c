/* Dense solvers for the few bones of eight vertices. This file is compiled once per instruction level
 * (LANE_LEVEL), because compilers choose vector instructions by the level set for the whole file, not by
 * the level of a function.
 *
 * Weights are found by Wolfe's nearest-point method (1976) on the Gram matrices of simplices (FESAM section
 * 4.4). Each lane has its own state. A lane first drops corners until its face is settled. Then it adds the
 * corner that lies farthest from the current point in the direction of the target.
 *
 * The minimum of w^T G w subject to sum w = 1 is also the minimum of w^T (G + c 1 1^T) w. The matrix M = G
 * + c 1 1^T is regular if the corners are affinely independent, and the solution u of M u = 1 is
 * proportional to w. */
#include "methods/decomposition/coordinate-descent/lane_solvers.h"

/* Some of the eight lanes, as many as fit in one vector of the instruction level. Compilers keep longer
 * vectors in memory and compare them element by element. Lanes are independent of each other, so the number
 * of lanes in a vector does not change results. */
#ifdef __AVX512F__
typedef Lanes LanesPart;
typedef LaneMask MaskPart;
#elif defined(__AVX2__)
typedef double LanesPart __attribute__((vector_size(4 * sizeof(double)), may_alias));
typedef int64_t MaskPart __attribute__((vector_size(4 * sizeof(int64_t)), may_alias));
#else
typedef double LanesPart __attribute__((vector_size(2 * sizeof(double)), may_alias));
typedef int64_t MaskPart __attribute__((vector_size(2 * sizeof(int64_t)), may_alias));
#endif

enum { WIDTH = sizeof(LanesPart) / sizeof(double), PARTS = LANES / WIDTH };

/* Selects the part of Lanes or of a LaneMask whose index is the variable `part`. */
#define PART(lanes) (((LanesPart *)&(lanes))[part])
#define PART_MASK(mask) (((MaskPart *)&(mask))[part])
#define PART_CHOOSE(mask, yes, no)                                                                           \
    ((LanesPart)(((MaskPart)(yes) & (MaskPart)(mask)) | ((MaskPart)(no) & ~(MaskPart)(mask))))
#define PART_ALL(value) ((value) + (LanesPart){0.0})

INLINE bool part_any(const MaskPart *mask)
{
    int64_t any = 0;
    for (int lane = 0; lane < WIDTH; lane++)
        any |= (*mask)[lane];
    return any != 0;
}

enum { CORNERS = SIMPLEX_CORNERS_MAX, ROUNDS = 8 * CORNERS };

/* State of the search for the nearest point. */
typedef struct SimplexSearch {
    MaskPart running;
    LanesPart scale;            /* largest squared distance of a corner */
    LanesPart weights[CORNERS]; /* weights of the current point, which moves towards `goal` */
    LanesPart goal[CORNERS]; /* weights (of any sign) of the point nearest to the target in the affine hull of
                                the face */
    MaskPart dependent;      /* whether the corners of the face are dependent, which makes the nearest point
                                ambiguous */
    LanesPart square; /* squared distance of the best point so far; its weights are stored in the simplices */
} SimplexSearch;

/* Solves for the nearest point of the face's affine hull. Factors G + c 1 1^T on the face, with the
 * identity elsewhere, as L D L^T. */
INLINE void hull_solve(const Simplices *simplices, const int count, const int part, SimplexSearch *search)
{
    LanesPart factor[CORNERS][CORNERS], inverse[CORNERS], scaled[CORNERS], total = PART_ALL(0.0);
    LanesPart shift = 2.0 * search->scale + 1e10 * DBL_MIN;
    search->dependent = (MaskPart){0};
    for (int i = 0; i < count; i++) {
        MaskPart mask = PART_MASK(simplices->face[i]);
        LanesPart diagonal = PART_CHOOSE(mask, PART(simplices->gram[i][i]) + shift, PART_ALL(1.0)),
                  pivot = diagonal;
        LanesPart right = PART_CHOOSE(mask, PART_ALL(1.0), PART_ALL(0.0));
        for (int j = 0; j < i; j++) {
            LanesPart sum = PART_CHOOSE(mask & PART_MASK(simplices->face[j]),
                                        PART(simplices->gram[i][j]) + shift, PART_ALL(0.0));
            for (int k = 0; k < j; k++)
                sum -= scaled[k] * factor[j][k];
            scaled[j] = sum;
            factor[i][j] = sum * inverse[j];
            pivot -= sum * factor[i][j];
            right -= factor[i][j] * search->goal[j];
        }
        MaskPart regular = pivot > 1e-13 * diagonal;
        search->dependent |= ~regular;
        inverse[i] = 1.0 / PART_CHOOSE(regular, pivot, PART_ALL(1.0));
        search->goal[i] = right;
    }
    for (int i = count - 1; i >= 0; i--) {
        search->goal[i] *= inverse[i];
        for (int k = i + 1; k < count; k++)
            search->goal[i] -= factor[k][i] * search->goal[k];
        total += search->goal[i];
    }
    total = 1.0 / total;
    for (int i = 0; i < count; i++)
        search->goal[i] *= total;
}

/* Leaves a face with dependent corners. Returns to the best point found before or, if there is none, to the
 * corner nearest to the target. */
INLINE void face_give_up(Simplices *simplices, const int count, const int part, SimplexSearch *search)
{
    MaskPart lost = search->running & search->dependent;
    search->running &= ~(lost & (search->square < INFINITY));
    lost &= search->running;
    if (!part_any(&lost))
        return;
    LanesPart min = PART_ALL(INFINITY);
    for (int k = 0; k < count; k++)
        min = PART_CHOOSE(PART_MASK(simplices->usable[k]) & (PART(simplices->gram[k][k]) < min),
                          PART(simplices->gram[k][k]), min);
    MaskPart found = ~lost;
    for (int k = 0; k < count; k++) {
        MaskPart taken = ~found & PART_MASK(simplices->usable[k]) & (PART(simplices->gram[k][k]) <= min);
        found |= taken;
        PART_MASK(simplices->face[k]) = (PART_MASK(simplices->face[k]) & ~lost) | taken;
        search->weights[k] =
            PART_CHOOSE(lost, PART_CHOOSE(taken, PART_ALL(1.0), PART_ALL(0.0)), search->weights[k]);
    }
}

/* In lanes whose goal is outside the face, moves the point towards the goal until a weight vanishes. The
 * corner of that weight leaves the face. */
INLINE void face_step(Simplices *simplices, const int count, const int part, const MaskPart *outside,
                      SimplexSearch *search)
{
    LanesPart step = PART_ALL(1.0);
    MaskPart leaving = (MaskPart){0} - 1;
    for (int i = 0; i < count; i++) {
        LanesPart weight = search->weights[i];
        LanesPart reach = PART_CHOOSE(weight > 0.0, weight / (weight - search->goal[i]), PART_ALL(0.0));
        MaskPart nearer =
            PART_MASK(simplices->face[i]) & ~(search->goal[i] > 0.0) & ((leaving < 0) | (reach < step));
        step = PART_CHOOSE(nearer, reach, step);
        leaving = (nearer & i) | (~nearer & leaving);
    }
    for (int i = 0; i < count; i++) {
        MaskPart gone = *outside & (leaving == i);
        LanesPart moved = search->weights[i] + step * (search->goal[i] - search->weights[i]);
        moved = PART_CHOOSE(gone | ~PART_MASK(simplices->face[i]), PART_ALL(0.0), moved);
        search->weights[i] = PART_CHOOSE(*outside, moved, search->weights[i]);
        PART_MASK(simplices->face[i]) &= ~gone;
    }
}

/* In lanes whose face is settled, stores the current point if it is the best so far. A lane is finished if
 * no other corner lies farther than the point in the direction of the target. */
INLINE void face_leave(Simplices *simplices, const int count, const int part, const MaskPart *settled,
                       SimplexSearch *search)
{
    LanesPart slopes[CORNERS], square = PART_ALL(0.0), min = PART_ALL(INFINITY);
    for (int k = 0; k < count; k++) {
        slopes[k] = PART_ALL(0.0);
        for (int i = 0; i < count; i++)
            slopes[k] += search->goal[i] *
                         PART_CHOOSE(PART_MASK(simplices->usable[i]) & PART_MASK(simplices->usable[k]),
                                     PART(simplices->gram[i][k]), PART_ALL(0.0));
        square += search->goal[k] * slopes[k];
        slopes[k] = PART_CHOOSE(PART_MASK(simplices->usable[k]) & ~PART_MASK(simplices->face[k]), slopes[k],
                                PART_ALL(INFINITY));
        min = PART_CHOOSE(slopes[k] < min, slopes[k], min);
    }
    square = PART_CHOOSE(square > 0.0, square, PART_ALL(0.0));
    MaskPart better = *settled & (square < search->square);
    search->square = PART_CHOOSE(better, square, search->square);
    MaskPart entering = better & (min < square - 16.0 * DBL_EPSILON * search->scale), found = ~entering;
    for (int k = 0; k < count; k++) {
        MaskPart taken = ~found & (slopes[k] <= min);
        found |= taken;
        PART_MASK(simplices->face[k]) |= taken;
        PART(simplices->weights[k]) = PART_CHOOSE(better, search->goal[k], PART(simplices->weights[k]));
        search->weights[k] = PART_CHOOSE(*settled, search->goal[k], search->weights[k]);
    }
    search->running &= ~*settled | entering;
}

INLINE void simplices_search(Simplices *simplices, const int count, const LaneMask *wanted, const int part)
{
    SimplexSearch search = {
        .running = PART_MASK(*wanted), .square = PART_ALL(INFINITY), .scale = PART_ALL(0.0)};
    for (int k = 0; k < count; k++) {
        search.weights[k] = PART(simplices->weights[k]);
        LanesPart diagonal = PART(simplices->gram[k][k]),
                  size = PART_CHOOSE(diagonal < 0.0, -diagonal,
                                     diagonal); /* rounding may make the value negative */
        search.scale =
            PART_CHOOSE(PART_MASK(simplices->usable[k]) & (size > search.scale), size, search.scale);
    }
    for (int round = 0; round < ROUNDS && part_any(&search.running); round++) {
        hull_solve(simplices, count, part, &search);
        MaskPart outside = {0}, sound = search.running & ~search.dependent;
        for (int i = 0; i < count; i++)
            outside |= PART_MASK(simplices->face[i]) & ~(search.goal[i] > 0.0);
        MaskPart settled = sound & ~outside;
        outside &= sound;
        face_give_up(simplices, count, part, &search);
        if (part_any(&outside))
            face_step(simplices, count, part, &outside, &search);
        if (part_any(&settled))
            face_leave(simplices, count, part, &settled, &search);
    }
    PART(simplices->error) = PART_CHOOSE(PART_MASK(*wanted), search.square, PART(simplices->error));
}

/* Finds the nearest points. The most common case, four corners, is compiled with a constant count, which
 * keeps all values in registers. */
static void improve(Simplices *simplices, const LaneMask *wanted)
{
    for (int part = 0; part < PARTS; part++)
        if (simplices->count == 4)
            simplices_search(simplices, 4, wanted, part);
        else
            simplices_search(simplices, simplices->count, wanted, part);
}

/* Computes the Gram matrices of (prediction - target) at the current rest positions. */
static void grams_fill(const VertexGroup *group, GroupBones *set)
{
    for (int part = 0; part < PARTS; part++) {
        const LanesPart v[3] = {PART(group->rest[0]), PART(group->rest[1]), PART(group->rest[2])};
        LanesPart monomials[MONOMIALS], products[INFLUENCES_MAX];
        for (int i = 0, term = 0; i < 3; i++) {
            for (int j = i; j < 3; j++)
                monomials[term++] = v[i] * v[j];
            monomials[term++] = v[i];
        }
        monomials[MONOMIALS - 1] = PART_ALL(1.0);
        for (int k = 0, pair = 0; k < group->influences; k++) {
            const Lanes *h = set->products[k];
            products[k] = PART(h[0]) * v[0] + PART(h[1]) * v[1] + PART(h[2]) * v[2] + PART(h[3]);
            for (int l = 0; l <= k; l++, pair++) {
                LanesPart sum = PART(group->squared_norms) - products[k] - products[l];
#pragma GCC unroll 10
                for (int i = 0; i < MONOMIALS; i++)
                    sum += monomials[i] * PART(set->forms[pair][i]);
                PART(set->simplices.gram[k][l]) = PART(set->simplices.gram[l][k]) = sum;
            }
        }
    }
}

/* Sums the normal equations of the rest positions: sum_k sum_l w_k w_l G_kl, the square of the blended affine
 * map, and the right-hand side from sum_k w_k h_k. Solves them by cofactors. */
INLINE void part_system_solve(const VertexGroup *group, const GroupBones *set, const int part,
                              RestSystem *out)
{
    const Lanes *weights = set->simplices.weights;
    LanesPart form[MONOMIALS] = {PART_ALL(0.0)}, square[3][4], right[3], cofactors[3][3];
    for (int k = 0, index = 0; k < group->influences; k++)
        for (int l = 0; l <= k; l++, index++) {
            LanesPart factor = (l == k ? 1.0 : 2.0) * PART(weights[k]) * PART(weights[l]);
            for (int i = 0; i < MONOMIALS; i++)
                form[i] += factor * PART(set->forms[index][i]);
        }
    for (int i = 0, index = 0; i < 3; i++) {
        square[i][i] = form[index++];
        for (int j = i + 1; j < 4; j++, index++) {
            square[i][j] = 0.5 * form[index];
            if (j < 3)
                square[j][i] = square[i][j];
        }
    }
    for (int i = 0; i < 3; i++) {
        right[i] = -square[i][3];
        for (int j = 0; j < 3; j++)
            right[i] -= square[i][j] * PART(group->rest[j]);
        for (int k = 0; k < group->influences; k++)
            right[i] += PART(weights[k]) * PART(set->products[k][i]);
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++) {
            int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
            cofactors[i][j] = cofactors[j][i] = square[a][c] * square[b][d] - square[a][d] * square[b][c];
        }
    LanesPart determinant =
        square[0][0] * cofactors[0][0] + square[0][1] * cofactors[0][1] + square[0][2] * cofactors[0][2];
    LanesPart trace = square[0][0] + square[1][1] + square[2][2];
    PART_MASK(out->singular) = ~(determinant > 1e-10 * trace * trace * trace);
    for (int i = 0; i < 3; i++) {
        PART(out->step[i]) =
            (cofactors[i][0] * right[0] + cofactors[i][1] * right[1] + cofactors[i][2] * right[2]) /
            determinant;
        PART(out->right[i]) = right[i];
        for (int j = 0; j < 4; j++)
            PART(out->square[i][j]) = square[i][j];
    }
}

static void system_solve(const VertexGroup *group, const GroupBones *set, RestSystem *system)
{
    for (int part = 0; part < PARTS; part++)
        part_system_solve(group, set, part, system);
}

/* Extends the Cholesky factor of the edges from the first corner by one corner after another. Reports the
 * lanes in which an edge depends on the edges before it. */
static void edges_factor(const VertexGroup *group, const Simplices *simplices, LaneMask *dependent)
{
    const Lanes(*gram)[SIMPLEX_CORNERS_MAX] = simplices->gram;
    for (int part = 0; part < PARTS; part++) {
        LanesPart factor[INFLUENCES_MAX][INFLUENCES_MAX];
        MaskPart found = {0};
        for (int n = 1; n < simplices->count; n++) {
            LanesPart edge = PART(gram[n][n]) - 2.0 * PART(gram[n][0]) + PART(gram[0][0]), left = edge;
            for (int i = 1; i < n; i++) {
                LanesPart sum = PART(gram[n][i]) - PART(gram[n][0]) - PART(gram[i][0]) + PART(gram[0][0]);
                for (int j = 1; j < i; j++)
                    sum -= factor[n][j] * factor[i][j] * factor[j][j];
                factor[n][i] = sum / factor[i][i];
                left -= sum * factor[n][i];
            }
            factor[n][n] = left;
            found |= PART_MASK(simplices->usable[n]) &
                     ~((left > 1e-8 * edge) & (edge > 2e-14 * PART(group->squared_norms)));
        }
        PART_MASK(*dependent) = found;
    }
}

/* Finds the bone towards which the error of the blend falls fastest. `square` is the squared norm of the
 * blend; `excess` is the product of the blend with (blend - target). */
static void gains_search(const BoneBlend *blend, int bone_count, double square, double excess, int32_t *best)
{
    LanesPart max = PART_ALL(0.0);
    MaskPart where = (MaskPart){0} - 1, bones = {0};
    for (int lane = 0; lane < WIDTH; lane++)
        bones[lane] = lane;
    for (int first = 0; first < bone_count; first += WIDTH, bones += WIDTH) {
        LanesPart squares, products, inner = PART_ALL(0.0);
        memcpy(&squares, blend->squares + first, sizeof squares);
        memcpy(&products, blend->products + first, sizeof products);
        for (int k = 0; k < blend->count; k++) {
            LanesPart row;
            memcpy(&row, blend->inner[k] + first, sizeof row);
            inner += blend->weights[k] * row;
        }
        LanesPart fall = excess - inner + products, length = squares - 2.0 * inner + square;
        LanesPart gain = PART_CHOOSE(fall < length, fall * fall / length, 2.0 * fall - length);
        MaskPart better = (fall > 0.0) & (length > 0.0) & (gain > max) & (bones < bone_count);
        max = PART_CHOOSE(better, gain, max);
        where = (better & bones) | (~better & where);
    }
    int chosen = 0;
    for (int lane = 1; lane < WIDTH; lane++)
        if (max[lane] > max[chosen] || (max[lane] == max[chosen] && where[lane] < where[chosen]))
            chosen = lane;
    *best = (int32_t)where[chosen];
}

#define LANE_TABLE_OF(level) lane_solvers_##level
#define LANE_TABLE(level) LANE_TABLE_OF(level)

const LaneSolvers LANE_TABLE(LANE_LEVEL) = {
    .improve = improve,
    .grams_fill = grams_fill,
    .system_solve = system_solve,
    .edges_factor = edges_factor,
    .gains_search = gains_search,
};
