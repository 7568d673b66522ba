/* Bisection of a triangle until weights differ by at most epsilon along every edge of every piece (CoR
 * 3.2).
 *
 * Weights are linear on a triangle. A piece is therefore given by barycentric coordinates, and its lengths
 * in weight space follow from the triangle's three edges by the formula of the median. The longest edge is
 * always halved. Whether an edge is halved depends only on its own length, so two triangles divide their
 * common edge at the same points. */
#pragma once

#include <stdint.h>

typedef struct RefinedPiece {
    double share[3][3]; /* barycentric coordinates of the corners */
    double length2[3];  /* squared length in weight space of the edge from corner i to corner (i + 1) % 3 */
    int32_t points[3];  /* indices of the corner points, as returned by `midpoint` */
    int depth;          /* number of halvings: the area of the piece is 2^-depth times that of the triangle */
} RefinedPiece;

typedef struct Refiner {
    double epsilon;
    /* Returns the index of the point halfway between the points `one` and `other`. The pointer may be NULL
     * if no indices are needed. */
    int32_t (*midpoint)(void *context, int32_t one, int32_t other, const double share[3]);
    /* Called for every final piece of the triangle. */
    void (*piece)(void *context, const RefinedPiece *piece);
    void *context;
} Refiner;

/* Returns the whole triangle as a piece. */
RefinedPiece refined_whole(const double length2[3], const int32_t corners[3]);

/* Returns the number of pieces of a triangle. Stops counting above `limit`. */
int64_t refined_count(const RefinedPiece *piece, double epsilon, int64_t limit);

void refine(const Refiner *refiner, const RefinedPiece *piece);
