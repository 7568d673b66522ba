/* The animation matrix A, one vertex's trajectory after another, and the few products with it that the
 * reductions need. Blocks of vertices are converted to double as they are used; the matrix lies in memory, or
 * is read slab by slab from where the animation lies, once for every pass. Sums over vertices are made of
 * those of fixed blocks (ranks.h), so they do not depend on slabs, threads or ranks. */
#pragma once

#include "datasets/base/ranks.h"
#include "datasets/model/dataset.h"

typedef struct Trajectories {
    int row_count;    /* 3F */
    int vertex_count; /* n: N, or those of the rank's share */
    float *values;    /* [n][3F] column j of A lies together; NULL: read from the animation */
    double *offset;   /* [3F] to be subtracted from every column */
    int threads;      /* that products with the matrix run on; at least 1 */
    int all_count;    /* N; 0: vertex_count */
    const Ranks *ranks;
    const Animation *animation; /* that is read; else unused */
    bool offset_unknown;        /* is found on the first pass */
    const Progress *progress;   /* asked between slabs whether to stop; may be NULL */
    const double *known_basis;  /* [known][3F] orthonormal: what lies in it is subtracted, too; not owned */
    double *known_coordinates;  /* [n][known] */
    int known;
    int passes;              /* over what is read, so far */
    double read_s, waited_s; /* that reading took, and that it was waited for */
} Trajectories;

/* Gathers positions [F][n][3], where they are in memory or N < 3F; else they are read on every pass.
 * vertex_count is N. With `center` the offset is each row's mean, else zero; `threads` 0: one. Release with
 * trajectories_clear. */
Status trajectories_init(const Animation *animation, int vertex_count, bool center, int threads,
                         Trajectories *out);
/* The same of a rank's share, and with a progress; either may be NULL. For passes alone nothing is gathered
 * but where N < 3F: positions in memory are read where they are, by every pass. */
Status trajectories_share(const Animation *animation, int vertex_count, bool center, bool passes_alone,
                          int threads, const Ranks *ranks, const Progress *progress, Trajectories *out);
void trajectories_clear(Trajectories *trajectories);

/* Every so manieth vertex of all ranks (TrajectoryPass), gathered, on each rank; by a pass over those that
 * are not. */
Status trajectories_some(Trajectories *all, int every, Trajectories *out);

/* Columns first to first + count - 1 of A - offset 1^T into block [count][3F], where they are in memory. */
void trajectories_block(const Trajectories *trajectories, int first, int count, double *block);

/* What FESAM Algorithm 1 needs, of a matrix in memory, on one rank. */

/* ||a_j - offset||^2 of every column into norms [N]; returns their sum. */
double trajectories_norms(const Trajectories *trajectories, double *norms);

/* products [N] = direction^T (A - offset 1^T), direction [3F]. */
void trajectories_project(const Trajectories *trajectories, const double *direction, double *products);

/* sum [3F] = (A - offset 1^T) factors, factors [N]. */
Status trajectories_combine(const Trajectories *trajectories, const double *factors, double *sum);

/* Results of one pass over the matrix, A for A - offset 1^T; NULL: not asked for. */
typedef struct TrajectoryPass {
    const double *basis; /* [d][3F] orthonormal: coordinates = A^T B^T, `total` and `left` are found */
    int dimension;       /* d */
    double *coordinates; /* [n][d] found, or, without a basis, given */
    bool is_explicit;    /* `left` is summed over differences, not the difference of two norms */
    bool is_sketch;      /* the offset may be taken off `sums` at the end: no pass before to find it */
    double total;        /* the sum of ||a_j||^2 */
    double left;         /* and of ||a_j - B^T c_j||^2 */
    double *sums;        /* [d][3F] coordinates^T A^T */
    double *gram;        /* [3F][3F] lower triangle of A A^T */
    float *some; /* [ceil(N / every)][3F] found, as they are: of every so manieth vertex of all ranks */
    int every;
} TrajectoryPass;

/* STATUS_STOPPED when the progress asked for it; else errors are those of reading, and memory. */
Status trajectories_pass(Trajectories *trajectories, TrajectoryPass *pass);

/* So much more than rounding is the difference of two norms, as a share of the greater. */
#define TRAJECTORIES_RESOLVED 1e-9

/* Coordinates, total and left of a basis; left explicit where it is a billionth of the total or less. */
Status trajectories_coordinates(Trajectories *trajectories, const double *basis, int dimension,
                                double *coordinates, double *total, double *left);

/* gram [N][N], lower triangle of A^T A, where the matrix is in memory. */
Status trajectories_gram_by_vertex(const Trajectories *trajectories, double *gram);

/* Subtracts what a basis spans from here on, in place of what was subtracted so before. The caller keeps the
 * basis; dimension 0: no more. */
Status trajectories_deflate(Trajectories *trajectories, const double *basis, int dimension);

/* Sums over the vertices of all ranks: gram [d][d] = C^T C, coordinates [n][d]. */
Status coordinates_gram(const Trajectories *trajectories, const double *coordinates, int dimension,
                        double *gram);
