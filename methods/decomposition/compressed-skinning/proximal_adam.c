/* Adam for the model A ~ U B X of displacements A ~ U C. One step needs only products of 4P x 4P and 4P x d
 * matrices. Let G = B^T B, K = U^T B and M = 1 + alpha L^T L. The gradients are
 *   with respect to X:  G X M - K^T C
 *   with respect to B:  B (X M X^T) - U (C X^T) */
#include "methods/decomposition/compressed-skinning/proximal_adam.h"

#include <cblas.h>
#include <omp.h>

enum {
    CHUNKS_MAX = 16,
    CHUNK_MIN = 256,
    BLOCK = 32,              /* number of vertices that one thread processes together */
    SCRATCH_ROWS = BLOCK + 2 /* workspace of a thread: gradients of a block, a row of X M, bones */
};

static int chunk_count(const ProximalAdam *adam)
{
    return int_clamp(adam->vertex_count / CHUNK_MIN, 1, CHUNKS_MAX);
}

static const float DECAY = 0.9f, TINY = 1e-8f; /* constants of Adam, as in the paper */
static const float SUM_MIN = 1e-12f; /* lower bound of the sum by which the weights of a vertex are divided */

/* Returns a random number of the standard normal distribution (Box and Muller 1958). */
static float random_normal(Random *random)
{
    const double radius = sqrt(-2.0 * log(1.0 - random_unit(random)));
    return (float)(radius * cos(6.283185307179586 * random_unit(random)));
}

Status proximal_adam_init(ProximalAdam *adam, uint64_t seed)
{
    static const char what[] = "the optimiser";
    const size_t columns = 4 * (size_t)adam->bone_count, rows = 3 * (size_t)adam->shape_count;
    const size_t depth = (size_t)adam->dimension, vertices = (size_t)adam->vertex_count;
    const size_t sizes[2] = {vertices * columns / 4, rows / 3 * columns / 4 * FREE};
    Random random = {seed};
    ALLOCATE(adam->weights, sizes[0], what);
    ALLOCATE(adam->entries, sizes[1], what);
    for (int part = 0; part < 2; part++)
        for (int order = 0; order < 2; order++)
            ALLOCATE(adam->moments[part][order], sizes[part], what);
    ALLOCATE_TABLE(adam->stack, rows, columns, what);
    ALLOCATE_TABLE(adam->used, 3 * vertices, columns / 4, what);
    ALLOCATE_TABLE(adam->blends, vertices, columns, what);
    ALLOCATE_TABLE(adam->differences, vertices, columns, what);
    ALLOCATE_TABLE(adam->products, columns + depth + rows, columns, what);
    ALLOCATE_TABLE(adam->sums, (size_t)chunk_count(adam) * columns, columns + depth, what);
    ALLOCATE_TABLE(adam->scratch, adam->threads, SCRATCH_ROWS * columns, what);
    for (size_t i = 0; i < sizes[1]; i++)
        adam->entries[i] = 1e-3f * random_normal(&random);
    for (size_t i = 0; i < sizes[0]; i++)
        adam->weights[i] = 1e-8f * random_normal(&random);
    return status_ok();
}

void proximal_adam_clear(ProximalAdam *adam)
{
    FREE_ALL(adam->weights, adam->entries);
    for (int part = 0; part < 2; part++)
        for (int order = 0; order < 2; order++)
            memory_free(adam->moments[part][order]);
    FREE_ALL(adam->stack, adam->used, adam->blends, adam->differences, adam->products, adam->sums,
             adam->scratch);
}

void proximal_adam_restart(ProximalAdam *adam)
{
    const size_t entries = (size_t)adam->shape_count * (size_t)adam->bone_count * FREE;
    const size_t weights = (size_t)adam->vertex_count * (size_t)adam->bone_count;
    for (int part = 0; part < 2; part++)
        for (int order = 0; order < 2; order++)
            memset(adam->moments[part][order], 0, (part ? entries : weights) * sizeof(float));
    adam->step_count = 0;
}

/* Returns Adam's step for one unknown, given its gradient (Kingma and Ba 2014, Algorithm 1). */
static inline float adam_step(const ProximalAdam *adam, int part, size_t element, float gradient,
                              float correction)
{
    float *mean = &adam->moments[part][0][element], *square = &adam->moments[part][1][element];
    *mean = DECAY * *mean + (1.0f - DECAY) * gradient;
    *square = DECAY * *square + (1.0f - DECAY) * gradient * gradient;
    return adam->rate * (*mean / correction) / (sqrtf(*square / correction) + TINY);
}

/* The four columns of X that belong to a bone, for one vertex. */
typedef float BoneRow __attribute__((vector_size(4 * sizeof(float)), aligned(sizeof(float)), may_alias));

/* Most bones have no weight at a vertex nor around it, so its rows of X, X L and X M are mostly zero. These
 * are the bones whose columns may differ from zero: those of the vertex itself, of it and its neighbours, and
 * of these and their neighbours. */
enum { OWN, NEAR, WIDE };

static inline uint8_t *used_of(const ProximalAdam *adam, int reach, ptrdiff_t vertex)
{
    return adam->used + ((ptrdiff_t)reach * adam->vertex_count + vertex) * adam->bone_count;
}

/* Lists the bones of a vertex within `reach`, which are those of it and its neighbours within the next
 * smaller reach. Returns their number. */
static inline int used_spread(const ProximalAdam *adam, int reach, ptrdiff_t vertex, int *restrict list)
{
    uint8_t *restrict used = used_of(adam, reach, vertex);
    const int bones = adam->bone_count;
    int count = 0;
    memcpy(used, used_of(adam, reach - 1, vertex), (size_t)bones);
    for (int64_t edge = adam->first[vertex]; edge < adam->first[vertex + 1]; edge++) {
        const uint8_t *restrict theirs = used_of(adam, reach - 1, adam->neighbours[edge]);
        for (int j = 0; j < bones; j++)
            used[j] |= theirs[j];
    }
    for (int j = 0; j < bones; j++) {
        list[count] = j;
        count += used[j];
    }
    return count;
}

/* Fills the row of X^T of a vertex from its weights, which are divided by their sum if `normalised`. */
static void blend_fill(const ProximalAdam *adam, ptrdiff_t vertex, bool normalised)
{
    const float *weights = adam->weights + vertex * adam->bone_count, *v = adam->rest + 4 * vertex;
    float *blend = adam->blends + 4 * vertex * adam->bone_count, sum = 0.0f;
    uint8_t *restrict used = used_of(adam, OWN, vertex);
    for (int j = 0; j < adam->bone_count; j++)
        sum += weights[j];
    sum = fmaxf(sum, SUM_MIN);
    for (int j = 0; j < adam->bone_count; j++) {
        used[j] = weights[j] != 0.0f;
        for (int c = 0; c < 4; c++)
            blend[4 * j + c] = weights[j] * v[c] / (normalised ? sum : 1.0f);
    }
}

/* Sets all weights of a vertex to 0 except the K largest positive ones. Of equal weights at the limit, none
 * is kept. */
static inline void weights_project(const ProximalAdam *adam, float *restrict weights)
{
    const int bones = adam->bone_count;
    /* in turn, each of the different positive weights from the largest on */
    float cut = adam->influence_count < bones ? INFINITY : 0.0f;
    for (int above = 0; above <= adam->influence_count && cut > 0.0f;) {
        float next = 0.0f;
        int equal = 0;
#pragma omp simd reduction(max : next)
        for (int j = 0; j < bones; j++) {
            const float below = weights[j] < cut ? weights[j] : 0.0f;
            next = below > next ? below : next;
        }
#pragma omp simd reduction(+ : equal)
        for (int j = 0; j < bones; j++)
            equal += weights[j] == next;
        above += equal;
        cut = next;
    }
    for (int j = 0; j < bones; j++)
        weights[j] = weights[j] > cut ? weights[j] : 0.0f;
}

/* Sets all entries of B to 0 except the L largest. The threshold is found by counting the upper 16 bits of
 * the entries, then the lower 16 bits. */
static void entries_project(const ProximalAdam *adam)
{
    const size_t size = (size_t)adam->shape_count * (size_t)adam->bone_count * FREE;
    if (size <= (size_t)adam->entry_count)
        return;
    uint32_t cut = 0;
    size_t above = 0;
    for (int shift = 16; shift >= 0; shift -= 16) {
        uint32_t counts[1 << 16] = {0}, bucket = 0xffff;
        for (size_t i = 0; i < size; i++) {
            uint32_t bits;
            memcpy(&bits, &adam->entries[i], sizeof bits);
            bits &= 0x7fffffff;
            if (shift == 16 || bits >> 16 == cut >> 16)
                counts[bits >> shift & 0xffff]++;
        }
        for (; bucket > 0 && above + counts[bucket] <= (size_t)adam->entry_count; bucket--)
            above += counts[bucket];
        cut |= bucket << shift;
    }
    for (size_t i = 0; i < size; i++) { /* several entries may equal the threshold; keep only enough of them
                                           to make L entries in total */
        uint32_t bits;
        memcpy(&bits, &adam->entries[i], sizeof bits);
        adam->entries[i] = (bits & 0x7fffffff) > cut ? adam->entries[i] : 0.0f;
    }
}

/* Computes out [columns] = row^T matrix. `matrix` [columns][columns] has four rows for each bone. `row`
 * [used] is given for the bones of `list` [used]; it is zero for all others. */
WIDEST_VECTORS
static void used_rows_multiply(const int *list, int used, const BoneRow *row, const float *restrict matrix,
                               int columns, float *restrict out)
{
    memset(out, 0, (size_t)columns * sizeof *out);
    for (int n = 0; n < used; n++) {
        const BoneRow r = row[n];
        const float *first = matrix + (ptrdiff_t)4 * list[n] * columns, *second = first + columns;
        const float *third = second + columns, *fourth = third + columns;
#pragma omp simd
        for (int k = 0; k < columns; k++)
            out[k] = out[k] + r[0] * first[k] + r[1] * second[k] + r[2] * third[k] + r[3] * fourth[k];
    }
}

/* Adds the contributions of a chunk of vertices to X M X^T and C X^T, and updates their weights by Adam's
 * step. */
WIDEST_VECTORS
static void chunk_step(const ProximalAdam *adam, int chunk, bool normalised, float correction, float *scratch)
{
    const int bones = adam->bone_count, columns = 4 * bones, depth = adam->dimension, width = columns + depth;
    const int chunks = chunk_count(adam), end = (int)((int64_t)adam->vertex_count * (chunk + 1) / chunks);
    float *sums = adam->sums + (ptrdiff_t)chunk * columns * width;
    const BoneRow *differences = (const BoneRow *)adam->differences;
    float *slopes = scratch; /* a block's gradients */
    /* one vertex's row of X M; it is computed only for the bones in `list` */
    BoneRow *product = (BoneRow *)(slopes + (ptrdiff_t)BLOCK * columns);
    int *list = (int *)(product + bones);
    memset(sums, 0, (size_t)columns * (size_t)width * sizeof *sums);
    for (int from = (int)((int64_t)adam->vertex_count * chunk / chunks); from < end; from += BLOCK) {
        const int count = int_min(end - from, BLOCK);
        for (int i = 0; i < count; i++) {
            const ptrdiff_t vertex = from + i;
            const float *coords = adam->coords + vertex * depth;
            const BoneRow *blend = (const BoneRow *)adam->blends + vertex * bones;
            const BoneRow *difference = differences + vertex * bones;
            const int used = used_spread(adam, WIDE, vertex, list);
            float *slope = slopes + (ptrdiff_t)i * columns;
            /* X M = X + alpha (X L) L^T */
            for (int n = 0; n < used; n++)
                product[n] = blend[list[n]] - adam->laplacian * difference[list[n]];
            for (int64_t edge = adam->first[vertex]; edge < adam->first[vertex + 1]; edge++) {
                const ptrdiff_t other = adam->neighbours[edge];
                const float share = adam->laplacian / (float)(adam->first[other + 1] - adam->first[other]);
                const BoneRow *theirs = differences + other * bones;
                for (int n = 0; n < used; n++)
                    product[n] += share * theirs[list[n]];
            }
            /* sum the transposes of X M X^T and C X^T, because a vertex contributes only to rows of its own
             * bones */
            for (int k = 0; k < 4 * used; k++) {
                const float own = blend[list[k / 4]][k % 4];
                float *row = sums + ((ptrdiff_t)4 * list[k / 4] + k % 4) * width;
                if (own == 0.0f)
                    continue;
                for (int n = 0; n < used; n++)
                    ((BoneRow *)row)[list[n]] += own * product[n];
                for (int l = 0; l < depth; l++)
                    row[columns + l] += own * coords[l];
            }
            /* begin the gradient of X with G X M */
            used_rows_multiply(list, used, product, adam->products, columns, slope);
        }
        /* subtract K^T C from the gradients of the block */
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, count, columns, depth, -1.0f,
                    adam->coords + (ptrdiff_t)from * depth, depth,
                    adam->products + (ptrdiff_t)columns * columns, columns, 1.0f, slopes, columns);
        /* compute the gradient of the weights W, through the division by their sum if `normalised`, and
         * update the weights */
        for (int i = 0; i < count; i++) {
            const ptrdiff_t vertex = from + i;
            const float *v = adam->rest + 4 * vertex;
            float *weights = adam->weights + vertex * bones, *slope = slopes + (ptrdiff_t)i * columns;
            float sum = 0.0f, mean = 0.0f;
            for (int j = 0; j < bones; j++) {
                slope[j] = v[0] * slope[4 * j] + v[1] * slope[4 * j + 1] + v[2] * slope[4 * j + 2] +
                           slope[4 * j + 3];
                sum += weights[j];
                mean += weights[j] * slope[j];
            }
            sum = fmaxf(sum, SUM_MIN);
            for (int j = 0; j < bones; j++) {
                const float along = normalised ? (slope[j] - mean / sum) / sum : slope[j];
                weights[j] -= adam_step(adam, 0, (size_t)(vertex * bones + j), along, correction);
            }
            weights_project(adam, weights);
        }
    }
}

/* Fills the row of (X L)^T of a vertex: the mean of X over its neighbours minus its own X. */
WIDEST_VECTORS
static void difference_fill(const ProximalAdam *adam, ptrdiff_t vertex, int *list)
{
    const int bones = adam->bone_count, used = used_spread(adam, NEAR, vertex, list);
    const float share = 1.0f / (float)(adam->first[vertex + 1] - adam->first[vertex]);
    const BoneRow *blends = (const BoneRow *)adam->blends, *blend = blends + vertex * bones;
    BoneRow *out = (BoneRow *)adam->differences + vertex * bones;
    memset(out, 0, (size_t)bones * sizeof *out);
    for (int64_t edge = adam->first[vertex]; edge < adam->first[vertex + 1]; edge++) {
        const BoneRow *theirs = blends + (ptrdiff_t)adam->neighbours[edge] * bones;
        for (int n = 0; n < used; n++)
            out[list[n]] += share * (theirs[list[n]] - blend[list[n]]);
    }
}

/* Computes X, X M X^T and C X^T. The two products are summed over chunks of vertices, in an order that does
 * not depend on the number of threads. */
static void vertices_pass(const ProximalAdam *adam, bool normalised, float correction)
{
    const int columns = 4 * adam->bone_count, width = columns + adam->dimension, chunks = chunk_count(adam);
#pragma omp parallel num_threads(adam->threads)
    {
        float *scratch = adam->scratch + (ptrdiff_t)omp_get_thread_num() * SCRATCH_ROWS * columns;
#pragma omp for
        for (int i = 0; i < adam->vertex_count; i++)
            blend_fill(adam, i, normalised);
#pragma omp for
        for (int i = 0; i < adam->vertex_count; i++)
            difference_fill(adam, i, (int *)scratch);
#pragma omp for schedule(dynamic)
        for (int chunk = 0; chunk < chunks; chunk++)
            chunk_step(adam, chunk, normalised, correction, scratch);
#pragma omp for
        for (int k = 0; k < columns * width; k++)
            for (int chunk = 1; chunk < chunks; chunk++)
                adam->sums[k] += adam->sums[(ptrdiff_t)chunk * columns * width + k];
    }
}

void proximal_adam_step(ProximalAdam *adam, bool normalised)
{
    const int columns = 4 * adam->bone_count, rows = 3 * adam->shape_count, depth = adam->dimension;
    const int width = columns + depth;
    const int unknowns = FREE * adam->bone_count; /* of a shape */
    const float scale =
        2.0f /
        ((float)rows * (float)adam->vertex_count); /* factor of the gradient; it makes the error the mean of
                                                      the squared coordinates instead of their sum */
    const float correction = 1.0f - powf(DECAY, (float)++adam->step_count);
    float *gradient = adam->products + (ptrdiff_t)columns * width;
    /* compute B, G = B^T B and K = U^T B */
#pragma omp parallel for num_threads(adam->threads)
    for (int shape = 0; shape < adam->shape_count; shape++)
        for (int e = 0; e < unknowns; e++)
            for (int i = 0; i < (e % FREE < 3 ? 2 : 1); i++) {
                const EntryCell cell = entry_cells[e % FREE][i];
                adam->stack[((ptrdiff_t)3 * shape + cell.row) * columns + 4 * (e / FREE) + cell.column] =
                    cell.sign * adam->entries[(ptrdiff_t)shape * unknowns + e];
            }
    cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, columns, columns, rows, scale, adam->stack, columns,
                adam->stack, columns, 0.0f, adam->products, columns);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, depth, columns, rows, scale, adam->basis, rows,
                adam->stack, columns, 0.0f, adam->products + (ptrdiff_t)columns * columns, columns);
    vertices_pass(adam, normalised, correction);
    /* compute the gradient of B */
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, columns, columns, scale, adam->stack, columns,
                adam->sums, width, 0.0f, gradient, columns);
    cblas_sgemm(CblasRowMajor, CblasTrans, CblasTrans, rows, columns, depth, -scale, adam->basis, rows,
                adam->sums + columns, width, 1.0f, gradient, columns);
#pragma omp parallel for num_threads(adam->threads)
    for (int shape = 0; shape < adam->shape_count; shape++)
        for (int e = 0; e < unknowns; e++) {
            const ptrdiff_t entry = (ptrdiff_t)shape * unknowns + e;
            float slope = 0.0f;
            for (int i = 0; i < 2; i++) {
                const EntryCell cell = entry_cells[e % FREE][i];
                slope += cell.sign *
                         gradient[((ptrdiff_t)3 * shape + cell.row) * columns + 4 * (e / FREE) + cell.column];
            }
            adam->entries[entry] -= adam_step(adam, 1, (size_t)entry, slope, correction);
        }
    entries_project(adam);
}
