/* Adam with a projection after each step (Kavan et al. 2024, section 4). The unknowns are the weights W and
 * the six free numbers of each linearised transformation. They are fitted to displacements A of S shapes,
 * given in reduced form as A ~ U C. All numbers are float. */
#pragma once

#include "datasets/base/base.h"

/* Number of unknowns of a linearised transformation N: three numbers r for the rotation and three numbers t
 * for the translation (eq. 8). */
enum { FREE = 6 };

/* Cell of the matrix N = ([r]x t) that a free number fills (eq. 8). Each number of r fills two cells, each
 * number of t one. */
typedef struct EntryCell {
    int row, column;
    float sign;
} EntryCell;
static const EntryCell entry_cells[FREE][2] = {{{1, 2, -1}, {2, 1, 1}}, {{0, 2, 1}, {2, 0, -1}},
                                               {{0, 1, -1}, {1, 0, 1}}, {{0, 3, 1}, {0, 3, 0}},
                                               {{1, 3, 1}, {1, 3, 0}},  {{2, 3, 1}, {2, 3, 0}}};

typedef struct ProximalAdam {
    int vertex_count, shape_count, bone_count,
        dimension; /* N vertices, S shapes, P bones, d directions of the basis */
    int influence_count,
        entry_count; /* K, maximum number of weights per vertex; L, maximum number of non-zero entries */
    int threads, step_count;
    float rate;      /* learning rate of Adam */
    float laplacian; /* alpha, the weight of the term that smooths displacements */
    float power,
        least; /* exponent p of the error |r|^p, and the lower bound of |r|; both for the refinement */
    const float *rest;         /* [N][4] rest positions (v, 1) */
    const float *targets;      /* [S][N][3] displacements A, for the refinement */
    const float *basis;        /* [d][3S] U^T */
    const float *coords;       /* [N][d] C^T */
    const int64_t *first;      /* [N + 1] position of each vertex's first neighbour in `neighbours` */
    const int32_t *neighbours; /* [first[N]] neighbours of all vertices along edges */
    float *weights;            /* [N][P] W */
    float *entries;            /* [S][P][FREE] r and t of each bone in each shape */
    float *moments[2][2]; /* running means of the gradients and of their squares, for W and for the entries */
    float *stack;         /* [3S][4P] B */
    uint8_t *used;        /* [3][N][P] bones that have weight at a vertex or near it */
    float *blends, *differences; /* [N][4P] X^T and (X L)^T */
    float *products; /* G [4P][4P], K [d][4P] and the gradient of B [3S][4P], stored one after another */
    float *sums;     /* [chunks][4P][4P + d] sums over each chunk of vertices */
    float *scratch;  /* workspace of each thread for one block of vertices */
} ProximalAdam;

/* Allocates all arrays that are not const and fills W and B with noise from `seed`. The caller sets the
 * sizes before. Release with proximal_adam_clear. */
Status proximal_adam_init(ProximalAdam *adam, uint64_t seed);
void proximal_adam_clear(ProximalAdam *adam);

/* Makes one step of Adam. If `normalised`, the weights of each vertex are divided by their sum. */
void proximal_adam_step(ProximalAdam *adam, bool normalised);

/* Sets the running means to zero, as at the start of the optimisation. */
void proximal_adam_restart(ProximalAdam *adam);
