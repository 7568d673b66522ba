/* Adam with a projection after each step (Kavan et al. 2024, section 4), over weights W and the six free
 * numbers of each linearised transformation, for displacements A of S shapes reduced to A ~ U C. In float. */
#pragma once

#include "datasets/base/base.h"

/* Six numbers of a transformation N: a linearised rotation r and a translation t (eq. 8). */
enum { FREE = 6 };

/* The cells of N = ([r]x t) that an entry fills (eq. 8): one of r two, one of t one. */
typedef struct EntryCell {
    int row, column;
    float sign;
} EntryCell;
static const EntryCell entry_cells[FREE][2] = {{{1, 2, -1}, {2, 1, 1}}, {{0, 2, 1}, {2, 0, -1}},
                                               {{0, 1, -1}, {1, 0, 1}}, {{0, 3, 1}, {0, 3, 0}},
                                               {{1, 3, 1}, {1, 3, 0}},  {{2, 3, 1}, {2, 3, 0}}};

typedef struct ProximalAdam {
    int vertex_count, shape_count, bone_count, dimension; /* N, S, P, d */
    int influence_count, entry_count;                     /* K, L: of W per vertex, of B in all */
    int threads, step_count;
    float rate;                  /* of a step */
    float laplacian;             /* alpha: of the Laplacian of the displacements */
    float power, least;          /* p, and what |r| counts as where it is less: of the refinement */
    const float *rest;           /* [N][4] (v, 1) */
    const float *targets;        /* [S][N][3] A: of the refinement */
    const float *basis;          /* [d][3S] U^T */
    const float *coords;         /* [N][d] C^T */
    const int64_t *first;        /* [N + 1] */
    const int32_t *neighbours;   /* [first[N]] of each vertex over edges */
    float *weights;              /* [N][P] W */
    float *entries;              /* [S][P][FREE] r, t */
    float *moments[2][2];        /* of W, of the entries: means of gradients and of their squares */
    float *stack;                /* [3S][4P] B */
    float *blends, *differences; /* [N][4P] X^T, (X L)^T */
    float *products;             /* G [4P][4P], K [d][4P], then gradient of B [3S][4P] */
    float *sums;                 /* [chunks][4P][4P + d] */
    float *scratch;              /* [threads], a block of vertices and their slopes */
} ProximalAdam;

/* Allocates what is not const, for sizes that are set; noise from `seed` in W and B. Release with
 * proximal_adam_clear. */
Status proximal_adam_init(ProximalAdam *adam, uint64_t seed);
void proximal_adam_clear(ProximalAdam *adam);

/* Makes a step, of decays 0.9, 0.9. normalised: weights are divided by their sum. */
void proximal_adam_step(ProximalAdam *adam, bool normalised);

/* Forgets the moments, as a new optimiser begins without any. */
void proximal_adam_restart(ProximalAdam *adam);
