/* Smoothing multiplies a component with eigenvalue m of D^-1 L by (1 + step m)^-iterations, or by
 * (1 - share m)^iterations if the steps are explicit. The polynomial interpolates this function at the
 * Chebyshev nodes between 0 and a bound of the eigenvalues, and is evaluated by Clenshaw's recurrence:
 *   b_k = c_k x + 2 Z b_(k + 1) - b_(k + 2)        result = c_0 x + Z b_1 - b_2 */
#include "methods/posing/laplacian_filter.h"

#include "datasets/geometry/angles.h"

enum { NODES = 512, PASSES_MAX = 160 };

void laplacian_filter_clear(LaplacianFilter *filter)
{
    FREE_ALL(filter->terms, filter->first, filter->neighbours, filter->shares, filter->floats, filter->own);
    *filter = (LaplacianFilter){0};
}
DEFINE_OWNED_BY(LaplacianFilter, laplacian_filter_clear)

/* Sums the edge weights of each vertex in sums [N], and returns a bound of the eigenvalues of D^-1 L
 * (Gershgorin). It is INFINITY for implicit steps if a vertex with edges has no positive sum, because the
 * solver then uses another matrix. */
static double eigenvalues_bound(const Laplacian *laplacian, double *sums, double *absolute)
{
    double bound = 1.0;
    for (size_t i = 0; i < laplacian->edge_count; i++) {
        const SparseEntry *edge = &laplacian->edges[i];
        sums[edge->row] += edge->value;
        sums[edge->column] += edge->value;
        absolute[edge->row] += fabs(edge->value);
        absolute[edge->column] += fabs(edge->value);
    }
    for (size_t v = 0; v < (size_t)laplacian->vertex_count; v++)
        if (absolute[v] > 0.0)
            bound = fmax(bound, laplacian->steps == STEPS_EXPLICIT || sums[v] > 0.0
                                    ? (sums[v] + absolute[v]) / laplacian->degree[v]
                                    : INFINITY);
    return bound;
}

/* Fills the terms, and returns their number, or 0 if there would be more than PASSES_MAX. In that case the
 * terms may also seem to end early, because the function drops to 0 between two nodes. Its value for
 * constants shows this. */
static int terms_find(const Laplacian *laplacian, double bound, int iterations, double *terms)
{
    const double NEGLIGIBLE = 1e-10;
    double values[NODES], rest = 0.0, of_constant = 0.0;
    int count = PASSES_MAX + 1;
    for (int j = 0; j < NODES; j++) {
        const double eigenvalue = 0.5 * bound * (1.0 + cos(PI * (j + 0.5) / NODES));
        values[j] = laplacian->steps == STEPS_EXPLICIT
                        ? pow(1.0 - laplacian_share(laplacian) * eigenvalue, iterations)
                        : pow(1.0 + laplacian->step * eigenvalue, -iterations);
    }
    for (int k = 0; k <= PASSES_MAX; k++) {
        terms[k] = 0.0;
        for (int j = 0; j < NODES; j++)
            terms[k] += (k == 0 ? 1.0 : 2.0) / NODES * values[j] * cos(PI * k * (j + 0.5) / NODES);
    }
    while (count > 1 && rest + fabs(terms[count - 1]) <= NEGLIGIBLE)
        rest += fabs(terms[--count]);
    for (int k = 0; k < count && k <= PASSES_MAX; k++)
        of_constant += k % 2 ? -terms[k] : terms[k];
    return count <= PASSES_MAX && fabs(of_constant - 1.0) < 10.0 * NEGLIGIBLE ? count : 0;
}

Status laplacian_filter_init(const Laplacian *laplacian, int iterations, LaplacianFilter *out)
{
    const size_t vertices = (size_t)laplacian->vertex_count;
    UNDO_ON_FAILURE(laplacian_filter_clear) LaplacianFilter *unfinished = out;
    *out = (LaplacianFilter){.vertex_count = laplacian->vertex_count};
    LOCAL_ARRAY(double, sums, vertices, "the smoothing of a mesh");
    LOCAL_ARRAY(double, absolute, vertices, "the smoothing of a mesh");
    LOCAL_ARRAY(int64_t, used, vertices, "the smoothing of a mesh");
    ALLOCATE(out->terms, PASSES_MAX + 1, "the smoothing of a mesh");
    ALLOCATE(out->first, vertices + 1, "the smoothing of a mesh");
    ALLOCATE(out->own, vertices, "the smoothing of a mesh");
    ALLOCATE_TABLE(out->neighbours, laplacian->edge_count, 2, "the smoothing of a mesh");
    ALLOCATE_TABLE(out->shares, laplacian->edge_count, 2, "the smoothing of a mesh");
    ALLOCATE_TABLE(out->floats, laplacian->edge_count, 2, "the smoothing of a mesh");
    const double bound = eigenvalues_bound(laplacian, sums, absolute);
    const bool are_steps = laplacian->steps == STEPS_EXPLICIT && iterations <= PASSES_MAX;
    const double scale = are_steps ? -laplacian_share(laplacian) : 4.0 / bound,
                 shift = are_steps ? 1.0 : -2.0;
    for (size_t i = 0; i < 2 * laplacian->edge_count; i++) {
        const SparseEntry *edge = &laplacian->edges[i / 2];
        out->first[(i % 2 ? edge->column : edge->row) + 1]++;
    }
    for (size_t v = 0; v < vertices; v++) {
        out->first[v + 1] += out->first[v];
        used[v] = out->first[v];
        out->own[v] = shift + scale * sums[v] / laplacian->degree[v];
    }
    for (size_t i = 0; i < 2 * laplacian->edge_count; i++) {
        const SparseEntry *edge = &laplacian->edges[i / 2];
        const int v = i % 2 ? edge->column : edge->row;
        out->neighbours[used[v]] = i % 2 ? edge->row : edge->column;
        out->shares[used[v]++] = -scale * edge->value / laplacian->degree[v];
    }
    for (size_t i = 0; i < 2 * laplacian->edge_count; i++)
        out->floats[i] = (float)out->shares[i];
    if (are_steps)
        memory_release(&out->terms);
    out->pass_count = are_steps         ? iterations
                      : isfinite(bound) ? terms_find(laplacian, bound, iterations, out->terms)
                                        : 0;
    unfinished = NULL;
    return status_ok();
}

/* Replaces `before` by scale 2 Z b + term x - before. */
INLINE void term_pass(const LaplacianFilter *filter, const int columns, double term, double scale,
                      const double *restrict x, const double *restrict b, double *restrict before)
{
    for (ptrdiff_t v = 0; v < filter->vertex_count; v++) {
        double sums[FILTER_WIDE];
        const double own = scale * filter->own[v];
        const ptrdiff_t place = v * columns;
        EACH_LANE (i, columns)
            sums[i] = own * b[place + i];
        for (int64_t k = filter->first[v]; k < filter->first[v + 1]; k++) {
            const double share = scale * filter->shares[k],
                         *other = b + (ptrdiff_t)filter->neighbours[k] * columns;
            EACH_LANE (i, columns)
                sums[i] += share * other[i];
        }
        EACH_LANE (i, columns)
            before[place + i] = sums[i] + term * x[place + i] - before[place + i];
    }
}

WIDEST_VECTORS
static void term_add(const LaplacianFilter *filter, int columns, double term, double scale, const double *x,
                     const double *b, double *before)
{
    if (columns == FILTER_WIDE)
        term_pass(filter, FILTER_WIDE, term, scale, x, b, before);
    else
        term_pass(filter, FILTER_NARROW, term, scale, x, b, before);
}

void laplacian_filter_smooth(const LaplacianFilter *filter, int columns, const double *x, double *work,
                             double *out)
{
    const size_t size = (size_t)filter->vertex_count * (size_t)columns;
    double *arrays[2] = {out, work}; /* b_k is in arrays[k % 2], so that the result is in `out` */
    memset(out, 0, size * sizeof *out);
    memset(work, 0, size * sizeof *work);
    for (int k = filter->pass_count - 1; k >= 0; k--)
        term_add(filter, columns, filter->terms[k], k > 0 ? 1.0 : 0.5, x, arrays[(k + 1) % 2], arrays[k % 2]);
}

/* What a pass over x computes: the next step; how far it moves x; or the next step plus the `offset`. */
typedef enum StepPass { PASS_STEP, PASS_MOVES, PASS_OFFSET_STEP } StepPass;

/* Computes `out` from x by one pass; both are [N][columns]. */
INLINE void step_pass(const LaplacianFilter *filter, const int columns, const StepPass pass,
                      const float *restrict x, const float *restrict offset, float *restrict out)
{
    for (ptrdiff_t v = 0; v < filter->vertex_count; v++) {
        float sums[FILTER_WIDEST];
        const float own = (float)filter->own[v], *mine = x + v * columns;
        EACH_LANE (i, columns)
            sums[i] = pass == PASS_MOVES ? 0.0f : own * mine[i];
        for (int64_t k = filter->first[v]; k < filter->first[v + 1]; k++) {
            const float share = filter->floats[k], *other = x + (ptrdiff_t)filter->neighbours[k] * columns;
            EACH_LANE (i, columns)
                sums[i] += share * (pass == PASS_MOVES ? other[i] - mine[i] : other[i]);
        }
        EACH_LANE (i, columns)
            out[v * columns + i] = pass == PASS_OFFSET_STEP ? sums[i] + offset[v * columns + i] : sums[i];
    }
}

/* Calls step_pass with a constant kind of pass, so that the choice between kinds is made only once. */
INLINE void step_choose(const LaplacianFilter *filter, const int columns, StepPass pass, const float *x,
                        const float *offset, float *out)
{
    if (pass == PASS_STEP)
        step_pass(filter, columns, PASS_STEP, x, offset, out);
    else if (pass == PASS_MOVES)
        step_pass(filter, columns, PASS_MOVES, x, offset, out);
    else
        step_pass(filter, columns, PASS_OFFSET_STEP, x, offset, out);
}

WIDEST_VECTORS
static void step_make(const LaplacianFilter *filter, int columns, StepPass pass, const float *x,
                      const float *offset, float *out)
{
    if (columns == FILTER_WIDEST)
        step_choose(filter, FILTER_WIDEST, pass, x, offset, out);
    else if (columns == FILTER_WIDE)
        step_choose(filter, FILTER_WIDE, pass, x, offset, out);
    else
        step_choose(filter, FILTER_NARROW, pass, x, offset, out);
}

/* The last steps are steps of the moves d from the base y, of which floats keep more digits: y + d becomes
 * y + d' with d' = M d + (M - I) y, where M is the matrix of a step. */
SmoothedFloats laplacian_filter_smooth_floats(const LaplacianFilter *filter, int columns, float *x,
                                              float *spare)
{
    enum { LAST = 4 }; /* number of these steps; rounding before them is smoothed by them */
    const size_t size = (size_t)filter->vertex_count * (size_t)columns;
    float *base = x, *other = spare, *moves[2] = {spare + size, spare + 2 * size};
    int step = 0;
    for (; step < filter->pass_count - LAST; step++) {
        float *next = other;
        step_make(filter, columns, PASS_STEP, base, NULL, next);
        other = base;
        base = next;
    }
    step_make(filter, columns, PASS_MOVES, base, NULL, other);
    const float *moved = other;
    for (step++; step < filter->pass_count; step++) {
        step_make(filter, columns, PASS_OFFSET_STEP, moved, other, moves[step % 2]);
        moved = moves[step % 2];
    }
    return (SmoothedFloats){base, moved};
}
