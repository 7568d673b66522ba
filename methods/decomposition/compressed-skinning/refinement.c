/* What steps of Adam leave over is won exactly: entries of a shape for given weights by their normal
 * equations, weights of a vertex for given entries by moving weight from one bone to another, and entries
 * that are worth least exchanged for those that promise most. */
#include "methods/decomposition/compressed-skinning/refinement.h"

#include "datasets/base/widest_vectors.h"

#include <cblas.h>
#include <omp.h>

Status entries_refine(ProximalAdam *adam)
{
    const int columns = 4 * adam->bone_count, depth = adam->dimension, rows = 3 * adam->shape_count;
    const int width = columns + depth, unknowns = FREE * adam->bone_count;
    const size_t system = (size_t)unknowns * (size_t)(unknowns + 2);
    float *right = adam->products + (size_t)columns * (size_t)(columns + depth);
    LOCAL_TABLE(double, work, adam->threads, system, "the equations of the shapes");
    LOCAL_TABLE(int32_t, used, adam->threads, unknowns, "the equations of the shapes");
    proximal_adam_sums(adam);
    cblas_sgemm(CblasRowMajor, CblasTrans, CblasTrans, rows, columns, depth, 1.0f, adam->basis, rows,
                adam->sums + columns, width, 0.0f, right, columns);
#pragma omp parallel for schedule(dynamic) num_threads(adam->threads)
    for (int shape = 0; shape < adam->shape_count; shape++) {
        double *matrix = work + (size_t)omp_get_thread_num() * system,
               *x = matrix + (ptrdiff_t)unknowns * unknowns;
        int32_t *entry = used + (ptrdiff_t)omp_get_thread_num() * unknowns;
        float *entries = adam->entries + (ptrdiff_t)shape * unknowns;
        int count = 0;
        for (int i = 0; i < unknowns; i++)
            if (entries[i] != 0.0f)
                entry[count++] = i;
        /* normal equations of the entries in use, and their Cholesky factor, row by row */
        for (int i = 0; i < count; i++) {
            double *row = matrix + (ptrdiff_t)i * unknowns;
            x[i] = 0.0;
            for (int p = 0; p < 2; p++) {
                const EntryCell a = entry_cells[entry[i] % FREE][p];
                const int column = 4 * (entry[i] / FREE) + a.column;
                x[i] += (double)(a.sign * right[(3 * (ptrdiff_t)shape + a.row) * columns + column]);
            }
            for (int j = 0; j <= i; j++) {
                double sum = 0.0;
                for (int p = 0; p < 4; p++) {
                    const EntryCell a = entry_cells[entry[i] % FREE][p / 2],
                                    b = entry_cells[entry[j] % FREE][p % 2];
                    const ptrdiff_t one = 4 * (entry[i] / FREE) + a.column,
                                    other = 4 * (entry[j] / FREE) + b.column;
                    if (a.row == b.row)
                        sum += (double)(a.sign * b.sign) * 0.5 *
                               (double)(adam->sums[one * width + other] + adam->sums[other * width + one]);
                }
                const double whole = sum;
                for (int k = 0; k < j; k++)
                    sum -= row[k] * matrix[(ptrdiff_t)j * unknowns + k];
                row[j] =
                    j < i ? sum / matrix[(ptrdiff_t)j * unknowns + j] : sqrt(fmax(sum, 1e-6 * whole) + 1e-12);
            }
            for (int k = 0; k < i; k++)
                x[i] -= row[k] * x[k];
            x[i] /= row[i];
        }
        for (int i = count - 1; i >= 0; i--) {
            for (int k = i + 1; k < count; k++)
                x[i] -= matrix[(ptrdiff_t)k * unknowns + i] * x[k];
            x[i] /= matrix[(ptrdiff_t)i * unknowns + i];
            entries[entry[i]] = (float)x[i];
        }
    }
    return status_ok();
}

enum { BLOCK = 32 }; /* of vertices, whose products are made at once */

/* Of a vertex: Q = (x^T G_jl x), q = (x^T K^T c)_j, w^T Q w - 2 q w is what it misses but for a constant. */
typedef struct VertexWeights {
    const float *square; /* [P][P] Q */
    float *weights;      /* [P] w, sum 1 */
    float *slopes;       /* [P] Q w - q */
    int bones, kept;     /* P, K */
} VertexWeights;

/* What moving `share` from a bone to another adds to the error. */
static float move_cost(const VertexWeights *own, int from, int to, float share)
{
    const float *square = own->square;
    const int bones = own->bones;
    const float curve =
        square[from * bones + from] + square[to * bones + to] - 2.0f * square[from * bones + to];
    return share * (2.0f * (own->slopes[to] - own->slopes[from]) + share * curve);
}

/* The best move of weight, until none lowers the error: in the support, or all of a bone to one outside. */
WIDEST_VECTORS
static void vertex_refine(const VertexWeights *own)
{
    enum { MOVES = 64 };
    const int bones = own->bones;
    float *w = own->weights, *g = own->slopes;
    for (int move = 0; move < MOVES; move++) {
        int count = 0, inside = 0, outside = -1, from = -1, to = -1;
        float best = 0.0f, moved = 0.0f;
        for (int j = 0; j < bones; j++)
            count += w[j] > 0.0f;
        for (int j = 1, first = 1; j < bones + 1; j++) { /* the steepest to go to */
            const int at = j % bones;
            if (w[at] > 0.0f && (first || g[at] < g[inside])) {
                inside = at;
                first = 0;
            }
            if (!(w[at] > 0.0f) && (outside < 0 || g[at] < g[outside]))
                outside = at;
        }
        for (int j = 0; j < bones; j++) {
            if (!(w[j] > 0.0f))
                continue;
            for (int way = 0; way < 2; way++) {
                const int target = way ? outside : inside;
                if (target < 0 || target == j)
                    continue;
                const float curve = move_cost(own, j, target, 1.0f) - 2.0f * (g[target] - g[j]);
                float share = fminf((g[j] - g[target]) / fmaxf(curve, 1e-30f), w[j]);
                if (way && count == own->kept)
                    share = w[j];
                const float cost = share > 0.0f ? move_cost(own, j, target, share) : 0.0f;
                if (cost < best) {
                    best = cost;
                    from = j;
                    to = target;
                    moved = share;
                }
            }
        }
        if (from < 0)
            return;
        w[to] += moved;
        w[from] = moved < w[from] ? w[from] - moved : 0.0f;
        for (int j = 0; j < bones; j++)
            g[j] += moved * (own->square[to * bones + j] - own->square[from * bones + j]);
    }
}

/* Q of a vertex; `rows` [4P] is workspace. */
WIDEST_VECTORS
static void square_fill(const ProximalAdam *adam, const float *v, float *rows, float *square)
{
    const int bones = adam->bone_count, columns = 4 * bones;
    for (int j = 0; j < bones; j++) {
        const float *gram = adam->products + (ptrdiff_t)4 * j * columns;
        for (int k = 0; k < columns; k++)
            rows[k] = v[0] * gram[k] + v[1] * gram[columns + k] + v[2] * gram[2 * columns + k] +
                      v[3] * gram[3 * columns + k];
        for (int k = 0; k < bones; k++)
            square[j * bones + k] =
                v[0] * rows[4 * k] + v[1] * rows[4 * k + 1] + v[2] * rows[4 * k + 2] + v[3] * rows[4 * k + 3];
    }
}

Status weights_refine(ProximalAdam *adam)
{
    const int bones = adam->bone_count, columns = 4 * bones, depth = adam->dimension;
    const size_t each = (size_t)(bones + 1) * (size_t)bones + (size_t)columns * (BLOCK + 1);
    LOCAL_TABLE(float, work, adam->threads, each, "the weights of a vertex");
    proximal_adam_products(adam, 1.0f);
#pragma omp parallel for schedule(dynamic) num_threads(adam->threads)
    for (int block = 0; block < (adam->vertex_count + BLOCK - 1) / BLOCK; block++) {
        float *square = work + (size_t)omp_get_thread_num() * each, *slopes = square + bones * bones;
        float *rows = slopes + bones, *products = rows + columns;
        const int first = block * BLOCK, count = int_min(adam->vertex_count - first, BLOCK);
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, count, columns, depth, 1.0f,
                    adam->coords + (ptrdiff_t)first * depth, depth,
                    adam->products + (ptrdiff_t)columns * columns, columns, 0.0f, products, columns);
        for (int i = 0; i < count; i++) {
            const float *v = adam->rest + 4 * (ptrdiff_t)(first + i), *h = products + (ptrdiff_t)i * columns;
            float *weights = adam->weights + (ptrdiff_t)(first + i) * bones, sum = 0.0f;
            for (int j = 0; j < bones; j++)
                sum += weights[j];
            square_fill(adam, v, rows, square);
            for (int j = 0; j < bones; j++) {
                weights[j] = sum > 0.0f ? weights[j] / sum : (j == 0 ? 1.0f : 0.0f);
                slopes[j] =
                    -(v[0] * h[4 * j] + v[1] * h[4 * j + 1] + v[2] * h[4 * j + 2] + v[3] * h[4 * j + 3]);
            }
            for (int k = 0; k < bones; k++)
                for (int j = 0; j < bones && weights[k] > 0.0f; j++)
                    slopes[j] += weights[k] * square[k * bones + j];
            vertex_refine(&(VertexWeights){square, weights, slopes, bones, adam->influence_count});
        }
    }
    return status_ok();
}

/* The entry of a shape that is to go or to come, and what that costs or wins. */
typedef struct Candidate {
    double value;
    ptrdiff_t entry;
    float becomes;
} Candidate;

static int candidate_compare(const void *left, const void *right)
{
    const Candidate *a = left, *b = right;
    return a->value != b->value ? (a->value < b->value ? -1 : 1)
                                : (a->entry > b->entry) - (a->entry < b->entry);
}

Status entries_exchange(ProximalAdam *adam)
{
    const double MARGIN = 1.5; /* both values are estimates */
    const int columns = 4 * adam->bone_count, width = columns + adam->dimension, shapes = adam->shape_count;
    int unused = adam->entry_count;
    LOCAL_ARRAY(Candidate, going, shapes, "the exchange of entries");
    LOCAL_ARRAY(Candidate, coming, shapes, "the exchange of entries");
    proximal_adam_products(adam, 1.0f);
    const float *slopes = proximal_adam_slopes(adam, 1.0f);
    for (int shape = 0; shape < shapes; shape++) {
        going[shape] = (Candidate){INFINITY, 0, 0.0f};
        coming[shape] = (Candidate){0.0, 0, 0.0f}; /* negative values, so that the best come first */
        for (int i = 0; i < FREE * adam->bone_count; i++) {
            const ptrdiff_t at = (ptrdiff_t)shape * FREE * adam->bone_count + i;
            double slope = 0.0, curve = 1e-12;
            for (int part = 0; part < 2; part++) {
                const EntryCell cell = entry_cells[i % FREE][part];
                const ptrdiff_t column = 4 * (i / FREE) + cell.column;
                slope += (double)(cell.sign * slopes[(3 * (ptrdiff_t)shape + cell.row) * columns + column]);
                curve += (double)(cell.sign * cell.sign * adam->sums[column * width + column]);
            }
            const double entry = (double)adam->entries[at], cost = entry * entry * curve,
                         win = slope * slope / curve;
            unused -= entry != 0.0;
            if (entry != 0.0 && cost < going[shape].value)
                going[shape] = (Candidate){cost, at, 0.0f};
            if (entry == 0.0 && -win < coming[shape].value)
                coming[shape] = (Candidate){-win, at, (float)(-slope / curve)};
        }
    }
    qsort(going, (size_t)shapes, sizeof *going, candidate_compare);
    qsort(coming, (size_t)shapes, sizeof *coming, candidate_compare);
    for (int i = 0, gone = 0; i < shapes && coming[i].value < 0.0; i++, unused--) {
        if (unused <= 0 && !(-coming[i].value > MARGIN * going[gone].value))
            break;
        if (unused <= 0)
            adam->entries[going[gone++].entry] = 0.0f;
        adam->entries[coming[i].entry] = coming[i].becomes;
    }
    return status_ok();
}
