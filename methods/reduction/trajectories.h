/* The animation matrix A, with one trajectory per column, and the few products with it that reductions
 * need. The matrix is either in memory or read slab by slab from the animation's source on every pass.
 * Blocks of vertices are converted to double when they are used. Sums over vertices are formed from sums
 * over fixed blocks (ranks.h), so they do not depend on slabs, threads or ranks. */
#pragma once

#include "datasets/base/ranks.h"
#include "datasets/model/dataset.h"

typedef struct Trajectories {
    int row_count;    /* number of rows of A: 3F for an animation */
    int vertex_count; /* number n of columns: N, or the number of this rank's vertices */
    float *values;    /* [n][3F] columns of A, each contiguous; NULL if they are read from the animation */
    double *offset;   /* [3F] offset to subtract from every column */
    int threads;      /* number of threads of products with the matrix; at least 1 */
    int all_count;    /* number N of vertices on all ranks; 0: equal to vertex_count */
    const Ranks *ranks;
    const Animation *animation; /* animation to read from; unused if the matrix is in memory */
    bool offset_unknown;        /* whether the offset is unknown, so that the first pass must compute it */
    const Progress *progress;   /* called after each slab to ask whether to stop; may be NULL */
    const double *known_basis;  /* [known][3F] orthonormal basis whose span is also subtracted; not owned */
    double *known_coordinates;  /* [n][known] */
    int known;
    int passes;              /* number of passes that read the animation so far */
    double read_s, waited_s; /* seconds spent reading, and seconds spent waiting for the reading thread */
} Trajectories;

/* Prepares the matrix of positions [F][n][3] of this rank's vertices; vertex_count is N. `ranks` and
 * `progress` may be NULL. The columns are copied if N < 3F, or if the positions are in memory and not
 * `passes_alone`. Otherwise every pass reads them from the animation. The offset is the mean of each row if
 * `center`, else zero. If `threads` is 0, one thread is used. Release with trajectories_clear. */
Status trajectories_init(const Animation *animation, int vertex_count, bool center, bool passes_alone,
                         int threads, const Ranks *ranks, const Progress *progress, Trajectories *out);
void trajectories_clear(Trajectories *trajectories);
DEFINE_OWNED_BY(Trajectories, trajectories_clear)

/* Copies every `every`-th vertex of all ranks into memory on each rank. Makes a pass over the animation if
 * the matrix is not in memory. */
Status trajectories_some(Trajectories *all, int every, Trajectories *out);

/* Copies columns first to first + count - 1 of A - offset 1^T into block [count][3F]; the matrix must be in
 * memory. */
void trajectories_block(const Trajectories *trajectories, int first, int count, double *block);

/* ---- products for FESAM Algorithm 1, with a matrix in memory, on one rank ---- */

/* Computes ||a_j - offset||^2 of every column into norms [N]; returns their sum. */
double trajectories_norms(const Trajectories *trajectories, double *norms);

/* Computes products [N] = direction^T (A - offset 1^T) for direction [3F]. */
void trajectories_project(const Trajectories *trajectories, const double *direction, double *products);

/* Computes sum [3F] = (A - offset 1^T) factors for factors [N]. */
Status trajectories_combine(const Trajectories *trajectories, const double *factors, double *sum);

/* Results of one pass over the matrix. In these comments, A stands for A - offset 1^T. Results whose
 * pointer is NULL are not computed. */
typedef struct TrajectoryPass {
    const double *basis; /* [d][3F] orthonormal basis B, or NULL. If there is a basis, the pass computes
                            `coordinates`, `total` and `left`. */
    int dimension;       /* d */
    double *coordinates; /* [n][d] coordinates A^T B^T, computed if there is a basis; otherwise an input */
    bool is_explicit; /* whether `left` is summed from residuals; otherwise it is a difference of two norms */
    bool is_sketch;   /* whether the offset may be subtracted from `sums` at the end; this saves a pass that
                         computes the offset */
    double total;     /* sum of ||a_j||^2 */
    double left;      /* sum of ||a_j - B^T c_j||^2 */
    double *sums;     /* [d][3F] product coordinates^T A^T */
    double *gram;     /* [3F][3F] lower triangle of A A^T */
    float *
        some; /* [ceil(N / every)][3F] every `every`-th column of all ranks, without subtracting the offset */
    int every;
} TrajectoryPass;

/* Makes a pass. Fails with STATUS_STOPPED if the progress callback asks to stop, or if reading or
 * allocation fails. */
Status trajectories_pass(Trajectories *trajectories, TrajectoryPass *pass);

/* A difference of two norms is trusted if it exceeds this fraction of the larger norm. Smaller differences
 * may be rounding errors. */
#define TRAJECTORIES_RESOLVED 1e-9

/* Computes `coordinates`, `total` and `left` for a basis. If `left` is at most a billionth of the total, it
 * is summed from residuals, because a difference of norms would be inaccurate. */
Status trajectories_coordinates(Trajectories *trajectories, const double *basis, int dimension,
                                double *coordinates, double *total, double *left);

/* Computes the lower triangle of A^T A in gram [N][N]. The matrix must be in memory. */
Status trajectories_gram_by_vertex(const Trajectories *trajectories, double *gram);

/* Sets the basis whose span all further passes subtract; it replaces any earlier basis. The caller keeps
 * ownership of the basis. Dimension 0 ends the subtraction. */
Status trajectories_deflate(Trajectories *trajectories, const double *basis, int dimension);

/* Computes gram [d][d] = C^T C, summed over the vertices of all ranks, for coordinates [n][d]. */
Status coordinates_gram(const Trajectories *trajectories, const double *coordinates, int dimension,
                        double *gram);
