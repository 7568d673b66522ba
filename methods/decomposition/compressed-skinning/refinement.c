/* Refines the result of Adam by exact steps of three kinds. With the weights fixed, normal equations give
 * the non-zero entries of each shape's transformations. With these entries fixed, each vertex moves weight
 * from one of its bones to another. Finally, the least useful entries are exchanged for the most promising
 * ones.
 *
 * The error |r|^p of a vertex in a shape is lowered by minimising the weighted square |r|^(p - 2) r^2. The
 * factor |r|^(p - 2) is updated in each round (Weiszfeld 1937). */
#include "methods/decomposition/compressed-skinning/refinement.h"

#include "datasets/geometry/cholesky.h"

#include <omp.h>

enum { LANES = 16, PANEL = 4 };
typedef float FloatLanes __attribute__((vector_size(LANES * sizeof(float)), may_alias));

/* Returns the factor u = |r|^(p - 2) of r^2. The lower bound of |r| keeps the factor finite if r = 0. */
static inline float square_worth(const ProximalAdam *adam, float square)
{
    return adam->power == 2.0f ? 1.0f : powf(square + adam->least * adam->least, 0.5f * adam->power - 1.0f);
}

static inline bool bone_moves(const float *entry)
{
    return entry[0] != 0.0f || entry[1] != 0.0f || entry[2] != 0.0f || entry[3] != 0.0f || entry[4] != 0.0f ||
           entry[5] != 0.0f;
}

/* Adds the displacement of a vertex by a bone to `out`: N (v, 1), times the weight. */
static inline void moved_add(const float *entry, const float *v, float weight, float out[3])
{
    out[0] += weight * (entry[1] * v[2] - entry[2] * v[1] + entry[3]);
    out[1] += weight * (entry[2] * v[0] - entry[0] * v[2] + entry[4]);
    out[2] += weight * (entry[0] * v[1] - entry[1] * v[0] + entry[5]);
}

/* Order of the moments in memory, row by row. A pair of bones has the upper triangle of the sum of u (v, 1)
 * (v, 1)^T over the vertices that both bones influence. A single bone has the sum of u r (v, 1)^T. */
static const int moment_at[4][4] = {{0, 1, 2, 3}, {1, 4, 5, 6}, {2, 5, 7, 8}, {3, 6, 8, 9}};

/* The non-zero weights of a vertex, divided by their sum. */
typedef struct VertexSupport {
    int32_t *first; /* [N + 1] index of each vertex's first weight */
    int32_t *bones;
    float *weights;
    FloatLanes *moments, *places; /* [N] for each vertex: its moments for u = 1, and three copies of (v, 1) */
} VertexSupport;

/* Sums the moments over the vertices: moments [P][P] for all pairs of bones that both move in this shape,
 * and slopes [P] for all single bones. The first bone of a pair has the higher index, or both bones are the
 * same. */
WIDEST_VECTORS
static void shape_sums(const ProximalAdam *adam, const VertexSupport *support, int shape, int *moves,
                       FloatLanes *moments, FloatLanes *slopes)
{
    const int bones = adam->bone_count, vertices = adam->vertex_count;
    const float *entries = adam->entries + (ptrdiff_t)shape * bones * FREE;
    const float *target = adam->targets + (ptrdiff_t)shape * vertices * 3;
    int *moving = moves + bones;
    memset(moments, 0, (size_t)bones * (size_t)bones * sizeof *moments);
    memset(slopes, 0, (size_t)bones * sizeof *slopes);
    for (int j = 0; j < bones; j++)
        moves[j] = bone_moves(entries + FREE * j);
    for (int i = 0; i < vertices; i++) {
        const int from = support->first[i], count = support->first[i + 1] - from;
        const int32_t *numbers = support->bones + from;
        const float *v = adam->rest + (ptrdiff_t)4 * i, *to = target + (ptrdiff_t)3 * i;
        const float *weights = support->weights + from;
        float left[3] = {-to[0], -to[1], -to[2]};
        int used = 0; /* number of bones of this vertex that move in the shape */
        for (int k = 0; k < count; k++) {
            moving[used] = k;
            used += moves[numbers[k]];
        }
        for (int k = 0; k < used; k++)
            moved_add(entries + FREE * numbers[moving[k]], v, weights[moving[k]], left);
        const float worth = square_worth(adam, left[0] * left[0] + left[1] * left[1] + left[2] * left[2]);
        const float x = worth * left[0], y = worth * left[1], z = worth * left[2];
        const FloatLanes moment = worth * support->moments[i];
        const FloatLanes slope = (FloatLanes){x, x, x, x, y, y, y, y, z, z, z, z} * support->places[i];
        for (int k = 0; k < count; k++) {
            slopes[numbers[k]] += weights[k] * slope;
            moments[numbers[k] * (bones + 1)] += weights[k] * weights[k] * moment;
        }
        for (int k = 1; k < used; k++)
            for (int other = 0; other < k; other++)
                moments[numbers[moving[k]] * bones + numbers[moving[other]]] +=
                    weights[moving[k]] * weights[moving[other]] * moment;
    }
}

/* The normal equations' coefficient of two entries of transformations is a sum of at most two moments of
 * their bones, with signs. */
typedef struct PairTerms {
    int at[2];
    float sign[2];
} PairTerms;

static void pair_terms_fill(PairTerms terms[FREE][FREE])
{
    for (int pair = 0; pair < FREE * FREE; pair++) {
        const int i = pair / FREE, j = pair % FREE;
        terms[i][j] = (PairTerms){{0}, {0.0f}};
        for (int p = 0, count = 0; p < 4; p++) {
            const EntryCell a = entry_cells[i][p / 2], b = entry_cells[j][p % 2];
            if (a.row != b.row || a.sign * b.sign == 0.0f)
                continue;
            terms[i][j].at[count] = moment_at[a.column][b.column];
            terms[i][j].sign[count++] = a.sign * b.sign;
        }
    }
}

/* Returns the coefficient of entries `i` and `j` of a shape's transformations [P][FREE]. */
static inline double entries_product(PairTerms terms[FREE][FREE], const FloatLanes *moments, int bones, int i,
                                     int j)
{
    const float *pair = (const float *)(moments + int_max(i, j) / FREE * bones + int_min(i, j) / FREE);
    const PairTerms *two = &terms[i % FREE][j % FREE];
    return (double)(two->sign[0] * pair[two->at[0]]) + (double)(two->sign[1] * pair[two->at[1]]);
}

static double entry_slope(const FloatLanes *slopes, int i)
{
    const float *values = (const float *)(slopes + i / FREE);
    double sum = 0.0;
    for (int p = 0; p < 2; p++) {
        const EntryCell cell = entry_cells[i % FREE][p];
        sum += (double)(cell.sign * values[4 * cell.row + cell.column]);
    }
    return sum;
}

/* An entry of a shape's transformations that could be removed or added, and the change of the error that
 * this would cause. */
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

/* Factors the damped matrix [n][stride] as cholesky_row does, but subtracts four columns at a time from the
 * rows below, so that the updates of a row are vectors. `columns` [PANEL][n] is workspace. */
WIDEST_VECTORS
static void equations_factor(double *matrix, ptrdiff_t stride, int n, const double *damping, double *columns)
{
    double *const first = columns, *second = first + n, *third = second + n, *fourth = third + n;
    for (int from = 0; from < n; from += PANEL) {
        const int end = int_min(from + PANEL, n);
        for (int k = from; k < end; k++)
            for (int i = k; i < n; i++) {
                double *row = matrix + i * stride;
                for (int b = from; b < k; b++)
                    row[k] -= row[b] * matrix[k * stride + b];
                row[k] = i == k ? sqrt(fmax(row[k], 0.0) + damping[k]) : row[k] / matrix[k * stride + k];
                columns[(ptrdiff_t)(k - from) * n + i] = row[k];
            }
        for (int i = end; i < n; i++) {
            double *row = matrix + i * stride;
            const double a = row[from], b = row[from + 1], c = row[from + 2], d = row[from + 3];
            for (int j = end; j <= i; j++)
                row[j] = row[j] - a * first[j] - b * second[j] - c * third[j] - d * fourth[j];
        }
    }
}

/* Sets the non-zero entries of a shape's transformations to the values of least error. Also finds the best
 * entry to remove and the best entry to add. `matrix` is workspace of at least [P FREE + PANEL + 3]
 * [P FREE]. */
static void shape_refine(const ProximalAdam *adam, int shape, PairTerms terms[FREE][FREE],
                         const FloatLanes *moments, const FloatLanes *slopes, double *matrix,
                         Candidate *going, Candidate *coming)
{
    const double DAMPING =
        1e-4; /* relative damping of the diagonal; it exceeds the rounding error of sums in float */
    const int bones = adam->bone_count, unknowns = FREE * bones;
    float *entries = adam->entries + (ptrdiff_t)shape * unknowns;
    double *x = matrix + (ptrdiff_t)unknowns * unknowns, *damping = x + unknowns,
           *columns = damping + unknowns;
    int *entry = (int *)(columns + (ptrdiff_t)PANEL * unknowns), count = 0;
    for (int i = 0; i < unknowns; i++)
        if (entries[i] != 0.0f)
            entry[count++] = i;
    /* set up the normal equations of the non-zero entries and solve them */
    for (int i = 0; i < count; i++) {
        double *row = matrix + (ptrdiff_t)i * unknowns;
        x[i] = -entry_slope(slopes, entry[i]);
        for (int j = 0; j <= i; j++)
            row[j] = entries_product(terms, moments, bones, entry[i], entry[j]);
        damping[i] = DAMPING * row[i] + 1e-12;
    }
    equations_factor(matrix, unknowns, count, damping, columns);
    cholesky_solve(matrix, unknowns, count, x);
    for (int i = 0; i < count; i++)
        entries[entry[i]] += (float)x[i];
    *going = (Candidate){INFINITY, 0, 0.0f};
    *coming = (Candidate){0.0, 0, 0.0f}; /* sort by the change of the error; the best candidates, whose change
                                            is most negative, come first */
    for (int i = 0, used = 0; i < unknowns; i++) {
        const ptrdiff_t index = (ptrdiff_t)shape * unknowns + i;
        const double curve = entries_product(terms, moments, bones, i, i) + 1e-12, value = (double)entries[i];
        if (used < count && entry[used] == i) {
            used++;
            if (value * value * curve < going->value)
                *going = (Candidate){value * value * curve, index, 0.0f};
            continue;
        }
        const double slope = entry_slope(slopes, i);
        if (-slope * slope / curve < coming->value)
            *coming = (Candidate){-slope * slope / curve, index, (float)(-slope / curve)};
    }
}

Status entries_refine(ProximalAdam *adam, bool exchange)
{
    const double MARGIN = 1.5; /* the gain of an exchange must exceed its cost by this factor, because both
                                  are only estimates */
    const int bones = adam->bone_count, unknowns = FREE * bones, shapes = adam->shape_count;
    const size_t system = (size_t)unknowns * (size_t)(unknowns + PANEL + 3);
    const size_t sums = (size_t)bones * (size_t)(bones + 2);
    LOCAL_TABLE(double, work, adam->threads, system, "the equations of the shapes");
    LOCAL_TABLE(FloatLanes, lanes, adam->threads, sums, "the equations of the shapes");
    LOCAL_ARRAY(Candidate, going, shapes, "the exchange of entries");
    LOCAL_ARRAY(Candidate, coming, shapes, "the exchange of entries");
    LOCAL_ARRAY(int32_t, first, adam->vertex_count + 1, "the weights of the vertices");
    LOCAL_TABLE(int32_t, members, adam->vertex_count, bones, "the weights of the vertices");
    LOCAL_TABLE(float, weights, adam->vertex_count, bones, "the weights of the vertices");
    LOCAL_TABLE(FloatLanes, products, adam->vertex_count, 2, "the weights of the vertices");
    for (int i = 0; i < adam->vertex_count; i++) {
        const float *row = adam->weights + (ptrdiff_t)i * bones;
        float sum = 0.0f;
        first[i + 1] = first[i];
        const float *v = adam->rest + (ptrdiff_t)4 * i;
        for (int a = 0; a < 4; a++)
            for (int b = 0; b < 4; b++) {
                products[i][moment_at[a][b]] = v[a] * v[b];
                products[adam->vertex_count + i][4 * a + b] = v[b];
            }
        for (int j = 0; j < bones; j++)
            sum += row[j];
        for (int j = 0; j < bones; j++)
            if (row[j] > 0.0f) {
                members[first[i + 1]] = j;
                weights[first[i + 1]++] = row[j] / sum;
            }
    }
    PairTerms terms[FREE][FREE];
    pair_terms_fill(terms);
    const VertexSupport support = {first, members, weights, products, products + adam->vertex_count};
#pragma omp parallel for schedule(dynamic) num_threads(adam->threads)
    for (int shape = 0; shape < shapes; shape++) {
        FloatLanes *moments = lanes + (size_t)omp_get_thread_num() * sums, *slopes = moments + bones * bones;
        shape_sums(adam, &support, shape, (int *)(slopes + bones), moments, slopes);
        shape_refine(adam, shape, terms, moments, slopes, work + (size_t)omp_get_thread_num() * system,
                     &going[shape], &coming[shape]);
    }
    int unused = adam->entry_count;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)shapes * unknowns; i++)
        unused -= adam->entries[i] != 0.0f;
    qsort(going, (size_t)shapes, sizeof *going, candidate_compare);
    qsort(coming, (size_t)shapes, sizeof *coming, candidate_compare);
    for (int i = 0, gone = 0; i < shapes && coming[i].value < 0.0 && exchange; i++, unused--) {
        if (unused <= 0 && !(-coming[i].value > MARGIN * going[gone].value))
            break;
        if (unused <= 0)
            adam->entries[going[gone++].entry] = 0.0f;
        adam->entries[coming[i].entry] = coming[i].becomes;
    }
    return status_ok();
}

/* Quadratic error of one vertex as a function of its weights w. Up to a constant, it is
 *   w^T Q w - 2 q^T w, with Q_jl = x^T G_jl x and q_j = x^T (K^T c)_j. */
typedef struct VertexWeights {
    const float *square; /* [P][P] Q */
    float *weights;      /* [P] weights w with sum 1 */
    float *slopes;       /* [P] half the gradient, Q w - q */
    int bones, kept;     /* P, K */
} VertexWeights;

/* Returns the change of the error when weight of the amount `share` moves from one bone to another. */
static float move_cost(const VertexWeights *vertex, int from, int to, float share)
{
    const float *square = vertex->square;
    const int bones = vertex->bones;
    const float curve =
        square[from * bones + from] + square[to * bones + to] - 2.0f * square[from * bones + to];
    return share * (2.0f * (vertex->slopes[to] - vertex->slopes[from]) + share * curve);
}

/* Returns the bone with the smallest slope, or -1 if there is none. `in_use` chooses between bones that have
 * a weight and bones that have none. Bones that never move have equal slopes; the lowest of them is returned,
 * but bone 0 only if no other bone has this slope. */
static inline int least_slope(const VertexWeights *vertex, bool in_use)
{
    const float *restrict w = vertex->weights, *restrict g = vertex->slopes;
    const int bones = vertex->bones;
    float least = INFINITY;
    int bone = bones + 1;
#pragma omp simd reduction(min : least)
    for (int j = 0; j < bones; j++) {
        const float slope = (w[j] > 0.0f) == in_use ? g[j] : INFINITY;
        least = slope < least ? slope : least;
    }
#pragma omp simd reduction(min : bone)
    for (int j = 0; j < bones; j++) {
        const int here = (w[j] > 0.0f) == in_use && g[j] <= least ? j : bones + 1;
        const int place = here > 0 ? here : bones;
        bone = place < bone ? place : bone;
    }
    return bone <= bones ? bone % bones : -1;
}

/* Moves weight between two bones until no move lowers the error, the best move first. A move either changes
 * the weights of two bones in use, or gives all weight of a bone to an unused bone. */
WIDEST_VECTORS
static void vertex_refine(const VertexWeights *vertex)
{
    enum { MOVES = 64 };
    const int bones = vertex->bones;
    float *w = vertex->weights, *g = vertex->slopes;
    for (int move = 0; move < MOVES; move++) {
        int count = 0, from = -1, to = -1;
        float best = 0.0f, moved = 0.0f;
        const int inside = least_slope(vertex, true), outside = least_slope(vertex, false);
        for (int j = 0; j < bones; j++)
            count += w[j] > 0.0f;
        for (int j = 0; j < bones; j++) {
            if (!(w[j] > 0.0f))
                continue;
            for (int way = 0; way < 2; way++) {
                const int target = way ? outside : inside;
                if (target < 0 || target == j)
                    continue;
                const float curve = move_cost(vertex, j, target, 1.0f) - 2.0f * (g[target] - g[j]);
                float share = fminf((g[j] - g[target]) / fmaxf(curve, 1e-30f), w[j]);
                if (way && count == vertex->kept)
                    share = w[j];
                const float cost = share > 0.0f ? move_cost(vertex, j, target, share) : 0.0f;
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
            g[j] += moved * (vertex->square[to * bones + j] - vertex->square[from * bones + j]);
    }
}

/* Computes Q [P][P] and the slopes [P] of LANES vertices; the first one is `first`. `weights` [P] holds
 * their weights; `moved` [P][3] is workspace. */
WIDEST_VECTORS
static void squares_fill(const ProximalAdam *adam, int first, const FloatLanes *weights, FloatLanes *moved,
                         int *active, FloatLanes *square, FloatLanes *slopes)
{
    const int bones = adam->bone_count, count = int_min(adam->vertex_count - first, LANES);
    FloatLanes v[3] = {{0.0f}};
    for (int lane = 0; lane < count; lane++)
        for (int axis = 0; axis < 3; axis++)
            v[axis][lane] = adam->rest[4 * (first + lane) + axis];
    memset(square, 0, (size_t)bones * (size_t)bones * sizeof *square);
    memset(slopes, 0, (size_t)bones * sizeof *slopes);
    for (int shape = 0; shape < adam->shape_count; shape++) {
        const float *target = adam->targets + ((ptrdiff_t)shape * adam->vertex_count + first) * 3;
        FloatLanes left[3] = {{0.0f}}, worth;
        int used = 0;
        for (int lane = 0; lane < count; lane++)
            for (int axis = 0; axis < 3; axis++)
                left[axis][lane] = -target[3 * lane + axis];
        for (int j = 0; j < bones; j++) {
            const float *entry = adam->entries + ((ptrdiff_t)shape * bones + j) * FREE;
            if (!bone_moves(entry))
                continue;
            FloatLanes *motion = moved + 3 * used;
            motion[0] = entry[1] * v[2] - entry[2] * v[1] + entry[3];
            motion[1] = entry[2] * v[0] - entry[0] * v[2] + entry[4];
            motion[2] = entry[0] * v[1] - entry[1] * v[0] + entry[5];
            for (int axis = 0; axis < 3; axis++)
                left[axis] += weights[j] * motion[axis];
            active[used++] = j;
        }
        const FloatLanes miss = left[0] * left[0] + left[1] * left[1] + left[2] * left[2];
        for (int lane = 0; lane < LANES; lane++)
            worth[lane] = square_worth(adam, miss[lane]);
        for (int a = 0; a < used; a++) {
            const FloatLanes *motion = moved + 3 * a;
            const FloatLanes x = worth * motion[0], y = worth * motion[1], z = worth * motion[2];
            slopes[active[a]] += x * left[0] + y * left[1] + z * left[2];
            for (int b = 0; b <= a; b++)
                square[active[a] * bones + active[b]] +=
                    x * moved[3 * b] + y * moved[3 * b + 1] + z * moved[3 * b + 2];
        }
    }
}

Status weights_refine(ProximalAdam *adam)
{
    const int bones = adam->bone_count;
    const size_t each = (size_t)bones * (size_t)(bones + 6);
    LOCAL_TABLE(FloatLanes, work, adam->threads, each, "the weights of a vertex");
    LOCAL_TABLE(float, squares, adam->threads, (size_t)bones *(size_t)(bones + 1), "the weights of a vertex");
#pragma omp parallel for schedule(dynamic) num_threads(adam->threads)
    for (int first = 0; first < adam->vertex_count; first += LANES) {
        FloatLanes *lanes = work + (size_t)omp_get_thread_num() * each, *weights = lanes + bones * bones;
        FloatLanes *slopes = weights + bones;
        float *square = squares + (size_t)omp_get_thread_num() * (size_t)(bones * (bones + 1));
        int *active = (int *)(slopes + 4 * bones);
        const int count = int_min(adam->vertex_count - first, LANES);
        memset(weights, 0, (size_t)bones * sizeof *weights);
        for (int lane = 0; lane < count; lane++) {
            float *row = adam->weights + (ptrdiff_t)(first + lane) * bones, sum = 0.0f;
            for (int j = 0; j < bones; j++)
                sum += row[j];
            for (int j = 0; j < bones; j++)
                weights[j][lane] = row[j] = sum > 0.0f ? row[j] / sum : (j == 0 ? 1.0f : 0.0f);
        }
        squares_fill(adam, first, weights, slopes + bones, active, lanes, slopes);
        for (int lane = 0; lane < count; lane++) {
            float *slope = square + bones * bones;
            for (int j = 0; j < bones; j++) {
                slope[j] = slopes[j][lane];
                for (int k = 0; k <= j; k++)
                    square[j * bones + k] = square[k * bones + j] = lanes[j * bones + k][lane];
            }
            vertex_refine(&(VertexWeights){square, adam->weights + (ptrdiff_t)(first + lane) * bones, slope,
                                           bones, adam->influence_count});
        }
    }
    return status_ok();
}
