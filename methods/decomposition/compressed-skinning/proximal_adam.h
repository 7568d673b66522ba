/* Adam with a projection after each step (Kavan et al. 2024, section 4). The unknowns are the weights W and
 * the six free numbers of each linearised transformation, for displacements A of S shapes reduced to A ~ U
 * C. Everything is float. */
#pragma once

#include "datasets/base/base.h"

/* Free numbers of a transformation N: a linearised rotation r and a translation t (eq. 8). */
enum { FREE = 6 };

/* Cells of N = ([r]x t) that an entry fills (eq. 8): two for an entry of r, one for an entry of t. */
typedef struct EntryCell {
    int row, column;
    float sign;
} EntryCell;
static const EntryCell entry_cells[FREE][2] = {{{1, 2, -1}, {2, 1, 1}}, {{0, 2, 1}, {2, 0, -1}},
                                               {{0, 1, -1}, {1, 0, 1}}, {{0, 3, 1}, {0, 3, 0}},
                                               {{1, 3, 1}, {1, 3, 0}},  {{2, 3, 1}, {2, 3, 0}}};

typedef struct ProximalAdam {
    int vertex_count, shape_count, bone_count, dimension; /* N, S, P, d */
    int influence_count, entry_count; /* K, largest number of weights per vertex; L, number of entries in B */
    int threads, step_count;
    float rate;                /* length of a step */
    float laplacian;           /* alpha: factor of the Laplacian of the displacements */
    float power, least;        /* p, and the lower bound of |r| in the refinement */
    const float *rest;         /* [N][4] (v, 1) */
    const float *targets;      /* [S][N][3] A, for the refinement */
    const float *basis;        /* [d][3S] U^T */
    const float *coords;       /* [N][d] C^T */
    const int64_t *first;      /* [N + 1] first neighbour of each vertex */
    const int32_t *neighbours; /* [first[N]] vertices that share an edge with each vertex */
    float *weights;            /* [N][P] W */
    float *entries;            /* [S][P][FREE] r, t */
    float *moments[2][2]; /* running means of the gradients of W and of the entries, and of their squares */
    float *stack;         /* [3S][4P] B */
    float *blends, *differences; /* [N][4P] X^T, (X L)^T */
    float *products;             /* G [4P][4P], K [d][4P], then gradient of B [3S][4P] */
    float *sums;                 /* [chunks][4P][4P + d] */
    float *scratch;              /* [threads] a block of vertices and their gradients */
} ProximalAdam;

/* Allocates all arrays that are not const; the sizes must be set. Fills W and B with noise from `seed`.
 * Release with proximal_adam_clear. */
Status proximal_adam_init(ProximalAdam *adam, uint64_t seed);
void proximal_adam_clear(ProximalAdam *adam);

/* Makes one step, with decay 0.9 for both moments. normalised: weights are divided by their sum. */
void proximal_adam_step(ProximalAdam *adam, bool normalised);

/* Resets the moments, as for a new optimiser. */
void proximal_adam_restart(ProximalAdam *adam);
