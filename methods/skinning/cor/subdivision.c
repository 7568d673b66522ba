/* Halves the edge of a triangle piece that is longest in weight space, until no edge is longer than epsilon
 * (CoR section 3.2). */
#include "methods/skinning/cor/subdivision.h"

RefinedPiece refined_whole(const double length2[3], const int32_t corners[3])
{
    RefinedPiece whole = {.share = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    for (int i = 0; i < 3; i++) {
        whole.length2[i] = length2[i];
        whole.points[i] = corners[i];
    }
    return whole;
}

/* Returns the longest edge (the first one on a tie), or -1 if no edge is longer than epsilon. */
static int edge_to_halve(const RefinedPiece *piece, double epsilon)
{
    int longest = 0;
    for (int i = 1; i < 3; i++)
        if (piece->length2[i] > piece->length2[longest])
            longest = i;
    return piece->length2[longest] > epsilon * epsilon ? longest : -1;
}

static void corner_copy(RefinedPiece *copy, int target, const RefinedPiece *from, int source)
{
    for (int i = 0; i < 3; i++)
        copy->share[target][i] = from->share[source][i];
    copy->points[target] = from->points[source];
}

/* Halves the edge from a to b of a piece (a, b, c). `near` becomes (a, middle, c), and `far` becomes
 * (middle, b, c). The caller sets the index of the middle point. */
static void piece_halve(const RefinedPiece *piece, int a, RefinedPiece *near, RefinedPiece *far)
{
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    double ab = piece->length2[a], bc = piece->length2[b], ca = piece->length2[c];
    double median = (2.0 * bc + 2.0 * ca - ab) / 4.0; /* Apollonius */
    median = median > 0.0 ? median : 0.0;
    corner_copy(near, 0, piece, a);
    corner_copy(near, 2, piece, c);
    corner_copy(far, 1, piece, b);
    corner_copy(far, 2, piece, c);
    for (int i = 0; i < 3; i++)
        near->share[1][i] = far->share[0][i] = 0.5 * (piece->share[a][i] + piece->share[b][i]);
    near->points[1] = far->points[0] = -1;
    near->length2[0] = far->length2[0] = ab / 4.0;
    near->length2[1] = far->length2[2] = median;
    near->length2[2] = ca;
    far->length2[1] = bc;
    near->depth = far->depth = piece->depth + 1;
}

int64_t refined_count(const RefinedPiece *piece, double epsilon, int64_t limit)
{
    int edge = edge_to_halve(piece, epsilon);
    if (edge < 0)
        return 1;
    RefinedPiece near, far;
    piece_halve(piece, edge, &near, &far);
    int64_t count = refined_count(&near, epsilon, limit);
    return count > limit ? count : count + refined_count(&far, epsilon, limit - count);
}

void refine(const Refiner *refiner, const RefinedPiece *piece)
{
    int edge = edge_to_halve(piece, refiner->epsilon);
    if (edge < 0) {
        refiner->piece(refiner->context, piece);
        return;
    }
    RefinedPiece near, far;
    piece_halve(piece, edge, &near, &far);
    if (refiner->midpoint)
        near.points[1] = far.points[0] = refiner->midpoint(refiner->context, piece->points[edge],
                                                           piece->points[(edge + 1) % 3], near.share[1]);
    refine(refiner, &near);
    refine(refiner, &far);
}
