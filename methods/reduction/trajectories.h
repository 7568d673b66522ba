/* The animation matrix A, with one trajectory per column, and the few products with it that reductions
 * need. The matrix lies in memory, or is read slab by slab from the animation's source on every pass;
 * blocks of vertices are converted to double as they are used. Sums over vertices add the sums of fixed
 * blocks (ranks.h), so they do not depend on slabs, threads or ranks. */
#pragma once

#include "datasets/base/ranks.h"
#include "datasets/model/dataset.h"

typedef struct Trajectories {
    int row_count;    /* 3F */
    int vertex_count; /* n: N, or the number of vertices in the rank's share */
    float *values;    /* [n][3F] each column of A is contiguous; NULL if read from the animation */
    double *offset;   /* [3F] to be subtracted from every column */
    int threads;      /* used by products with the matrix; at least 1 */
    int all_count;    /* N; 0 stands for vertex_count */
    const Ranks *ranks;
    const Animation *animation; /* the source to read from; unused if the matrix is in memory */
    bool offset_unknown;        /* true until the first pass has found it */
    const Progress *progress;   /* asked between slabs whether to stop; may be NULL */
    const double *known_basis;  /* [known][3F] orthonormal, not owned; its span is subtracted as well */
    double *known_coordinates;  /* [n][known] */
    int known;
    int passes;              /* number of passes that read the animation so far */
    double read_s, waited_s; /* seconds of reading, and of waiting for it */
} Trajectories;

/* Gathers positions [F][n][3] if they are in memory or N < 3F; otherwise they are read on every pass.
 * vertex_count is N. The offset is the mean of each row if `center`, else zero; `threads` 0 means one.
 * Release with trajectories_clear. */
Status trajectories_init(const Animation *animation, int vertex_count, bool center, int threads,
                         Trajectories *out);
/* As trajectories_init, for a rank's share and with progress; either may be NULL. With passes_alone nothing
 * is gathered unless N < 3F: every pass reads positions in memory directly. */
Status trajectories_share(const Animation *animation, int vertex_count, bool center, bool passes_alone,
                          int threads, const Ranks *ranks, const Progress *progress, Trajectories *out);
void trajectories_clear(Trajectories *trajectories);

/* Gathers every `every`-th vertex of all ranks, on each rank. Makes a pass if the matrix is not in
 * memory. */
Status trajectories_some(Trajectories *all, int every, Trajectories *out);

/* Copies columns first to first + count - 1 of A - offset 1^T into block [count][3F]; the matrix must be in
 * memory. */
void trajectories_block(const Trajectories *trajectories, int first, int count, double *block);

/* ---- products for FESAM Algorithm 1, with a matrix in memory, on one rank ---- */

/* Computes ||a_j - offset||^2 of every column into norms [N]; returns their sum. */
double trajectories_norms(const Trajectories *trajectories, double *norms);

/* products [N] = direction^T (A - offset 1^T), direction [3F]. */
void trajectories_project(const Trajectories *trajectories, const double *direction, double *products);

/* sum [3F] = (A - offset 1^T) factors, factors [N]. */
Status trajectories_combine(const Trajectories *trajectories, const double *factors, double *sum);

/* Results of one pass over the matrix. A stands for A - offset 1^T; results whose pointer is NULL are not
 * computed. */
typedef struct TrajectoryPass {
    const double
        *basis;    /* [d][3F] orthonormal; if given, coordinates = A^T B^T, `total` and `left` are computed */
    int dimension; /* d */
    double *coordinates; /* [n][d] computed from the basis, or input if there is none */
    bool is_explicit;    /* `left` is summed from differences instead of subtracting two norms */
    bool is_sketch; /* the offset may be subtracted from `sums` at the end, which saves the pass that finds it
                     */
    double total;   /* sum of ||a_j||^2 */
    double left;    /* sum of ||a_j - B^T c_j||^2 */
    double *sums;   /* [d][3F] coordinates^T A^T */
    double *gram;   /* [3F][3F] lower triangle of A A^T */
    float *some;    /* [ceil(N / every)][3F] every `every`-th column of all ranks, without offset */
    int every;
} TrajectoryPass;

/* Fails with STATUS_STOPPED if the progress asks for it, or with the errors of reading and of memory. */
Status trajectories_pass(Trajectories *trajectories, TrajectoryPass *pass);

/* A difference of two norms is trusted if it is above this share of the larger; below may be rounding. */
#define TRAJECTORIES_RESOLVED 1e-9

/* Computes coordinates, total and left for a basis. `left` is computed explicitly if it is a billionth of
 * the total or less. */
Status trajectories_coordinates(Trajectories *trajectories, const double *basis, int dimension,
                                double *coordinates, double *total, double *left);

/* gram [N][N]: lower triangle of A^T A; the matrix must be in memory. */
Status trajectories_gram_by_vertex(const Trajectories *trajectories, double *gram);

/* From now on subtracts the span of a basis, in place of any earlier one. The caller keeps the basis;
 * dimension 0 ends the subtraction. */
Status trajectories_deflate(Trajectories *trajectories, const double *basis, int dimension);

/* gram [d][d] = C^T C summed over the vertices of all ranks, for coordinates [n][d]. */
Status coordinates_gram(const Trajectories *trajectories, const double *coordinates, int dimension,
                        double *gram);
