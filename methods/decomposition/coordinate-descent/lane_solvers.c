/* What is dense in the few bones of eight vertices, compiled for one level of instructions (LANE_LEVEL): compilers
 * lower operations on vectors by the level of the file, before they look at that of a function.
 *
 * Weights are found by Wolfe's nearest-point method (1976) on the Gram matrices of simplices (FESAM section 4.4), every
 * lane in a state of its own: it settles a face, dropping corners, then lets the corner enter that lies farthest before
 * its point. The least w^T G w of all w that sum to 1 is that of w^T (G + c 1 1^T) w, whose matrix is regular where the
 * corners are affinely independent; its solution of M u = 1 is w up to scale. */
#include "methods/decomposition/coordinate-descent/lane_solvers.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

enum { CORNERS = SIMPLEX_CORNERS_MAX, ROUNDS = 8 * CORNERS };

/* Where the search stands. */
typedef struct SimplexSearch {
    LaneMask running;
    Lanes scale;            /* the greatest squared distance of a corner */
    Lanes weights[CORNERS]; /* on the way to the point nearest to the target on the face's hull */
    Lanes goal[CORNERS];    /* which has these weights, of any sign */
    LaneMask dependent;     /* whether it has none */
    Lanes square;           /* of the best point so far, whose weights are those of the simplices */
} SimplexSearch;

/* L D L^T of G + c 1 1^T on the face, identity elsewhere. */
INLINE void hull_solve(const Simplices *simplices, const int count, SimplexSearch *search)
{
    Lanes factor[CORNERS][CORNERS], inverse[CORNERS], scaled[CORNERS], total = LANES_ALL(0.0);
    Lanes shift = 2.0 * search->scale + 1e10 * DBL_MIN;
    search->dependent = (LaneMask){0};
    for (int i = 0; i < count; i++) {
        LaneMask own = simplices->face[i];
        Lanes diagonal = LANES_CHOOSE(own, simplices->gram[i][i] + shift, LANES_ALL(1.0)), pivot = diagonal;
        Lanes right = LANES_CHOOSE(own, LANES_ALL(1.0), LANES_ALL(0.0));
        for (int j = 0; j < i; j++) {
            Lanes sum = LANES_CHOOSE(own & simplices->face[j], simplices->gram[i][j] + shift, LANES_ALL(0.0));
            for (int k = 0; k < j; k++)
                sum -= scaled[k] * factor[j][k];
            scaled[j] = sum;
            factor[i][j] = sum * inverse[j];
            pivot -= sum * factor[i][j];
            right -= factor[i][j] * search->goal[j];
        }
        LaneMask regular = pivot > 1e-13 * diagonal;
        search->dependent |= ~regular;
        inverse[i] = 1.0 / LANES_CHOOSE(regular, pivot, LANES_ALL(1.0));
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

/* Where the face is dependent: the point found before it, or where there is none, the nearest corner. */
INLINE void face_give_up(Simplices *simplices, const int count, SimplexSearch *search)
{
    LaneMask lost = search->running & search->dependent;
    search->running &= ~(lost & (search->square < INFINITY));
    lost &= search->running;
    if (!lanes_any(&lost))
        return;
    Lanes least = LANES_ALL(INFINITY);
    for (int k = 0; k < count; k++)
        least = LANES_CHOOSE(simplices->usable[k] & (simplices->gram[k][k] < least), simplices->gram[k][k],
                             least);
    LaneMask found = ~lost;
    for (int k = 0; k < count; k++) {
        LaneMask taken = ~found & simplices->usable[k] & (simplices->gram[k][k] <= least);
        found |= taken;
        simplices->face[k] = (simplices->face[k] & ~lost) | taken;
        search->weights[k] =
            LANES_CHOOSE(lost, LANES_CHOOSE(taken, LANES_ALL(1.0), LANES_ALL(0.0)), search->weights[k]);
    }
}

/* Lanes whose goal lies outside of the face go there until a weight vanishes; that corner leaves. */
INLINE void face_step(Simplices *simplices, const int count, const LaneMask *outside, SimplexSearch *search)
{
    Lanes step = LANES_ALL(1.0);
    LaneMask leaving = (LaneMask){0} - 1;
    for (int i = 0; i < count; i++) {
        Lanes weight = search->weights[i];
        Lanes reach = LANES_CHOOSE(weight > 0.0, weight / (weight - search->goal[i]), LANES_ALL(0.0));
        LaneMask nearer = simplices->face[i] & ~(search->goal[i] > 0.0) & ((leaving < 0) | (reach < step));
        step = LANES_CHOOSE(nearer, reach, step);
        leaving = (nearer & i) | (~nearer & leaving);
    }
    for (int i = 0; i < count; i++) {
        LaneMask gone = *outside & (leaving == i);
        Lanes moved = search->weights[i] + step * (search->goal[i] - search->weights[i]);
        moved = LANES_CHOOSE(gone | ~simplices->face[i], LANES_ALL(0.0), moved);
        search->weights[i] = LANES_CHOOSE(*outside, moved, search->weights[i]);
        simplices->face[i] &= ~gone;
    }
}

/* Lanes whose face has settled keep its point if it is the best so far, and resume from there if a corner lies
 * before it. */
INLINE void face_leave(Simplices *simplices, const int count, const LaneMask *settled, SimplexSearch *search)
{
    Lanes slopes[CORNERS], square = LANES_ALL(0.0), least = LANES_ALL(INFINITY);
    for (int k = 0; k < count; k++) {
        slopes[k] = LANES_ALL(0.0);
        for (int i = 0; i < count; i++)
            slopes[k] += search->goal[i] * LANES_CHOOSE(simplices->usable[i] & simplices->usable[k],
                                                        simplices->gram[i][k], LANES_ALL(0.0));
        square += search->goal[k] * slopes[k];
        slopes[k] = LANES_CHOOSE(simplices->usable[k] & ~simplices->face[k], slopes[k], LANES_ALL(INFINITY));
        least = LANES_CHOOSE(slopes[k] < least, slopes[k], least);
    }
    square = LANES_CHOOSE(square > 0.0, square, LANES_ALL(0.0));
    LaneMask better = *settled & (square < search->square);
    search->square = LANES_CHOOSE(better, square, search->square);
    LaneMask entering = better & (least < square - 16.0 * DBL_EPSILON * search->scale), found = ~entering;
    for (int k = 0; k < count; k++) {
        LaneMask taken = ~found & (slopes[k] <= least);
        found |= taken;
        simplices->face[k] |= taken;
        simplices->weights[k] = LANES_CHOOSE(better, search->goal[k], simplices->weights[k]);
        search->weights[k] = LANES_CHOOSE(*settled, search->goal[k], search->weights[k]);
    }
    search->running &= ~*settled | entering;
}

INLINE void simplices_search(Simplices *simplices, const int count, const LaneMask *wanted)
{
    SimplexSearch search = {.running = *wanted, .square = LANES_ALL(INFINITY), .scale = LANES_ALL(0.0)};
    for (int k = 0; k < count; k++) {
        search.weights[k] = simplices->weights[k];
        Lanes own = simplices->gram[k][k],
              size = LANES_CHOOSE(own < 0.0, -own, own); /* rounding may be negative */
        search.scale = LANES_CHOOSE(simplices->usable[k] & (size > search.scale), size, search.scale);
    }
    for (int round = 0; round < ROUNDS && lanes_any(&search.running); round++) {
        hull_solve(simplices, count, &search);
        LaneMask outside = {0}, sound = search.running & ~search.dependent;
        for (int i = 0; i < count; i++)
            outside |= simplices->face[i] & ~(search.goal[i] > 0.0);
        LaneMask settled = sound & ~outside;
        outside &= sound;
        face_give_up(simplices, count, &search);
        if (lanes_any(&outside))
            face_step(simplices, count, &outside, &search);
        if (lanes_any(&settled))
            face_leave(simplices, count, &settled, &search);
    }
    simplices->error = LANES_CHOOSE(*wanted, search.square, simplices->error);
}

/* With four corners, what most vertices have, known beforehand all stays in registers. */
static void improve(Simplices *simplices, const LaneMask *wanted)
{
    if (simplices->count == 4)
        simplices_search(simplices, 4, wanted);
    else
        simplices_search(simplices, simplices->count, wanted);
}

INLINE void monomials_of(const VertexGroup *group, Lanes monomials[MONOMIALS])
{
    const Lanes *v = group->rest;
    for (int i = 0, at = 0; i < 3; i++) {
        for (int j = i; j < 3; j++)
            monomials[at++] = v[i] * v[j];
        monomials[at++] = v[i];
    }
    monomials[MONOMIALS - 1] = LANES_ALL(1.0);
}

/* The Gram matrices of predictions less targets at the present rest positions. */
static void grams_fill(const VertexGroup *group, GroupBones *set)
{
    Lanes monomials[MONOMIALS], products[INFLUENCES_MAX];
    monomials_of(group, monomials);
    for (int k = 0, at = 0; k < group->influences; k++) {
        const Lanes *h = set->products[k];
        products[k] = h[0] * group->rest[0] + h[1] * group->rest[1] + h[2] * group->rest[2] + h[3];
        for (int l = 0; l <= k; l++, at++) {
            Lanes sum = group->squared_norms - products[k] - products[l];
            for (int i = 0; i < MONOMIALS; i++)
                sum += monomials[i] * set->forms[at][i];
            set->simplices.gram[k][l] = set->simplices.gram[l][k] = sum;
        }
    }
}

/* sum_k sum_l w_k w_l G_kl, the squares of the blended affine map, and what is left of sum_k w_k h_k. */
INLINE void system_fill(const VertexGroup *group, const GroupBones *set, RestSystem *system)
{
    const Lanes *weights = set->simplices.weights;
    Lanes form[MONOMIALS] = {LANES_ALL(0.0)};
    for (int k = 0, at = 0; k < group->influences; k++)
        for (int l = 0; l <= k; l++, at++) {
            Lanes factor = (l == k ? 1.0 : 2.0) * weights[k] * weights[l];
            for (int i = 0; i < MONOMIALS; i++)
                form[i] += factor * set->forms[at][i];
        }
    for (int i = 0, at = 0; i < 3; i++) {
        system->square[i][i] = form[at++];
        for (int j = i + 1; j < 4; j++, at++) {
            system->square[i][j] = 0.5 * form[at];
            if (j < 3)
                system->square[j][i] = system->square[i][j];
        }
    }
    for (int i = 0; i < 3; i++) {
        system->right[i] = -system->square[i][3];
        for (int j = 0; j < 3; j++)
            system->right[i] -= system->square[i][j] * group->rest[j];
        for (int k = 0; k < group->influences; k++)
            system->right[i] += weights[k] * set->products[k][i];
    }
}

static void system_solve(const VertexGroup *group, const GroupBones *set, RestSystem *system)
{
    Lanes(*square)[4] = system->square, cofactors[3][3];
    system_fill(group, set, system);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++) {
            int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
            cofactors[i][j] = cofactors[j][i] = square[a][c] * square[b][d] - square[a][d] * square[b][c];
        }
    Lanes determinant =
        square[0][0] * cofactors[0][0] + square[0][1] * cofactors[0][1] + square[0][2] * cofactors[0][2];
    Lanes trace = square[0][0] + square[1][1] + square[2][2];
    system->singular = ~(determinant > 1e-10 * trace * trace * trace);
    for (int i = 0; i < 3; i++)
        system->step[i] = (cofactors[i][0] * system->right[0] + cofactors[i][1] * system->right[1] +
                           cofactors[i][2] * system->right[2]) /
                          determinant;
}

/* The new corner's edge in the Cholesky factor of the edges from the first corner; whether it depends on those before. */
static void edges_factor(const VertexGroup *group, const Simplices *simplices, LaneMask *dependent)
{
    Lanes factor[INFLUENCES_MAX][INFLUENCES_MAX];
    const Lanes(*gram)[SIMPLEX_CORNERS_MAX] = simplices->gram;
    *dependent = (LaneMask){0};
    for (int n = 1; n < simplices->count; n++) {
        Lanes edge = gram[n][n] - 2.0 * gram[n][0] + gram[0][0], left = edge;
        for (int i = 1; i < n; i++) {
            Lanes sum = gram[n][i] - gram[n][0] - gram[i][0] + gram[0][0];
            for (int j = 1; j < i; j++)
                sum -= factor[n][j] * factor[i][j] * factor[j][j];
            factor[n][i] = sum / factor[i][i];
            left -= sum * factor[n][i];
        }
        factor[n][n] = left;
        *dependent |= simplices->usable[n] & ~((left > 1e-8 * edge) & (edge > 2e-14 * group->squared_norms));
    }
}

/* The bone towards which the error falls the most on the way from the blend. square: of the blend; excess: its product
 * with what it lies off the target. */
static void gains_search(const BoneBlend *blend, int bone_count, double square, double excess, int32_t *best)
{
    Lanes greatest = LANES_ALL(0.0);
    LaneMask where = (LaneMask){0} - 1, bones = {0, 1, 2, 3, 4, 5, 6, 7};
    for (int first = 0; first < bone_count; first += LANES, bones += LANES) {
        Lanes squares, products, inner = LANES_ALL(0.0);
        memcpy(&squares, blend->squares + first, sizeof squares);
        memcpy(&products, blend->products + first, sizeof products);
        for (int k = 0; k < blend->count; k++) {
            Lanes row;
            memcpy(&row, blend->inner[k] + first, sizeof row);
            inner += blend->weights[k] * row;
        }
        Lanes fall = excess - inner + products, length = squares - 2.0 * inner + square;
        Lanes gain = LANES_CHOOSE(fall < length, fall * fall / length, 2.0 * fall - length);
        LaneMask better = (fall > 0.0) & (length > 0.0) & (gain > greatest) & (bones < bone_count);
        greatest = LANES_CHOOSE(better, gain, greatest);
        where = (better & bones) | (~better & where);
    }
    int chosen = 0;
    for (int lane = 1; lane < LANES; lane++)
        if (greatest[lane] > greatest[chosen] ||
            (greatest[lane] == greatest[chosen] && where[lane] < where[chosen]))
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
