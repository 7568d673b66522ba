/* Eq. 4 exactly, by pairs of joints (center_search.h). */
#include "methods/skinning/cor/center_search.h"

#include "datasets/base/widest_vectors.h"

/* A pair of joints of a vertex. */
typedef struct PairEntry {
    int32_t component, low, high; /* joints, low < high */
    int32_t sign;                 /* of the product of the weights */
    int32_t vertex;
    double w_low, w_high;
    CenterSum sum;
} PairEntry;

typedef struct PairTask {
    int64_t first, end; /* entries */
} PairTask;

/* Which triangles a joint has, and where it stands among their joints. */
typedef struct Holder {
    int32_t triangle, slot;
} Holder;

typedef struct Pairs {
    const WeightSurface *surface;
    double sigma;
    int64_t entry_count;
    PairEntry *entries;
    int64_t task_count;
    PairTask *tasks;
    int joint_count;
    Grouping holders;     /* by joint: places in the surface's joints, ascending */
    int32_t *triangle_of; /* of every such place */
} Pairs;

enum { TASK_ENTRIES = 128, TILE_SAMPLES = 512 };

/* The samples of one task, a tile at a time. */
typedef struct Tile {
    int count;
    double low[TILE_SAMPLES], high[TILE_SAMPLES];             /* weights of the pair */
    double mass[TILE_SAMPLES];                                /* area times their product */
    double x[TILE_SAMPLES], y[TILE_SAMPLES], z[TILE_SAMPLES]; /* centroid */
} Tile;

/* exp(x) for x <= 0 to 1e-11, in operations that compilers vectorise: 2^n with n the nearest whole number to
 * x / ln 2 (read from the low bits after adding 1.5 * 2^52), times a Taylor polynomial on the rest. */
static inline double exp_of_negative(double x)
{
    const double shift = 0x1.8p52;
    x = x > -700.0 ? x : -700.0;
    double shifted = x * 1.4426950408889634 + shift, n = shifted - shift;
    double r = x - n * 0x1.62e42fefa39efp-1;
    double p = 1.0 / 362880.0;
    p = p * r + 1.0 / 40320.0;
    p = p * r + 1.0 / 5040.0;
    p = p * r + 1.0 / 720.0;
    p = p * r + 1.0 / 120.0;
    p = p * r + 1.0 / 24.0;
    p = p * r + 1.0 / 6.0;
    p = p * r + 0.5;
    p = p * r + 1.0;
    p = p * r + 1.0;
    uint64_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    bits = (bits + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return p * power;
}

WIDEST_VECTORS
static void tile_meet(const Tile *tile, double inverse_sigma, PairEntry *entry)
{
    const double w_low = entry->w_low * inverse_sigma, w_high = entry->w_high * inverse_sigma;
    double x = 0.0, y = 0.0, z = 0.0, mass = 0.0;
#pragma omp simd reduction(+ : x, y, z, mass)
    for (int i = 0; i < tile->count; i++) {
        double distance = w_low * tile->high[i] - w_high * tile->low[i];
        double m = tile->mass[i] * exp_of_negative(-distance * distance);
        x += m * tile->x[i];
        y += m * tile->y[i];
        z += m * tile->z[i];
        mass += m;
    }
    entry->sum.moment[0] += x;
    entry->sum.moment[1] += y;
    entry->sum.moment[2] += z;
    entry->sum.mass += mass;
}

static void tile_finish(const Pairs *pairs, const PairTask *task, Tile *tile)
{
    for (int64_t i = task->first; i < task->end; i++)
        tile_meet(tile, 1.0 / pairs->sigma, &pairs->entries[i]);
    tile->count = 0;
}

static Holder holder_at(const Pairs *pairs, int64_t at)
{
    int32_t place = pairs->holders.members[at], triangle = pairs->triangle_of[place];
    return (Holder){triangle, (int32_t)(place - pairs->surface->first_joint[triangle])};
}

/* First holder of a joint at or after a triangle. */
static int64_t holder_find(const Pairs *pairs, int32_t joint, int64_t triangle)
{
    int64_t low = pairs->holders.first[joint], high = pairs->holders.first[joint + 1];
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (pairs->triangle_of[pairs->holders.members[middle]] < triangle)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* All samples of the task's pair and component. Returns how many terms of eq. 1 there were. */
static int64_t task_run(const Pairs *pairs, const PairTask *task, Tile *tile)
{
    const PairEntry *model = &pairs->entries[task->first];
    const int64_t *component = &pairs->surface->components.first[model->component];
    int64_t low = holder_find(pairs, model->low, component[0]);
    int64_t high = holder_find(pairs, model->high, component[0]);
    const int64_t low_end = holder_find(pairs, model->low, component[1]);
    const int64_t high_end = holder_find(pairs, model->high, component[1]);
    int64_t samples = 0;
    tile->count = 0;
    while (low < low_end && high < high_end) {
        Holder one = holder_at(pairs, low), other = holder_at(pairs, high);
        if (one.triangle == other.triangle) {
            const WeightSurface *surface = pairs->surface;
            const int32_t sign = pairs->entries[task->first].sign;
            for (int sample = surface->first_sample[one.triangle];
                 sample < surface->first_sample[one.triangle + 1]; sample++) {
                SparseRow row = weight_surface_sample(surface, sample);
                double w_low = row.weights[one.slot], w_high = row.weights[other.slot];
                double product = sign * w_low * w_high;
                if (!(product > 0.0))
                    continue;
                int i = tile->count++;
                tile->low[i] = w_low;
                tile->high[i] = w_high;
                tile->mass[i] = surface->areas[sample] * product;
                tile->x[i] = surface->centroids[3 * (int64_t)sample];
                tile->y[i] = surface->centroids[3 * (int64_t)sample + 1];
                tile->z[i] = surface->centroids[3 * (int64_t)sample + 2];
                if (tile->count == TILE_SAMPLES)
                    tile_finish(pairs, task, tile);
            }
            samples +=
                pairs->surface->first_sample[one.triangle + 1] - pairs->surface->first_sample[one.triangle];
        }
        low += one.triangle <= other.triangle;
        high += other.triangle <= one.triangle;
    }
    tile_finish(pairs, task, tile);
    return samples * (task->end - task->first);
}

/* For qsort: by component, pair, sign, vertex. */
static int entry_compare(const void *left, const void *right)
{
    const PairEntry *one = left, *other = right;
    if (one->component != other->component)
        return one->component < other->component ? -1 : 1;
    if (one->low != other->low)
        return one->low < other->low ? -1 : 1;
    if (one->high != other->high)
        return one->high < other->high ? -1 : 1;
    if (one->sign != other->sign)
        return one->sign < other->sign ? -1 : 1;
    return (one->vertex > other->vertex) - (one->vertex < other->vertex);
}

static bool same_pair(const PairEntry *one, const PairEntry *other)
{
    return one->component == other->component && one->low == other->low && one->high == other->high &&
           one->sign == other->sign;
}

static Status entries_make(const SurfaceSearch *search, Pairs *pairs)
{
    const WeightSurface *surface = pairs->surface;
    size_t count = 0;
    for (int v = 0; v < surface->vertex_count; v++) {
        size_t joints = (size_t)weight_surface_vertex(surface, v).count;
        count += joints * (joints - 1) / 2;
    }
    ALLOCATE(pairs->entries, count, "the pairs of joints");
    ALLOCATE(pairs->tasks, count, "the pairs of joints");
    for (int v = 0; v < surface->vertex_count; v++)
        if (search_wants(search, v) && surface->vertex_component[v] >= 0) {
            SparseRow row = weight_surface_vertex(pairs->surface, v);
            for (int j = 1; j < row.count; j++)
                for (int k = 0; k < j; k++)
                    pairs->entries[pairs->entry_count++] = (PairEntry){
                        .component = pairs->surface->vertex_component[v],
                        .low = row.joints[k],
                        .high = row.joints[j],
                        .sign = row.weights[k] * row.weights[j] > 0.0 ? 1 : -1,
                        .vertex = v,
                        .w_low = row.weights[k],
                        .w_high = row.weights[j],
                    };
        }
    qsort(pairs->entries, (size_t)pairs->entry_count, sizeof *pairs->entries, entry_compare);
    for (int64_t first = 0, end = 0; first < pairs->entry_count; first = end) {
        while (end < pairs->entry_count && end - first < TASK_ENTRIES &&
               same_pair(&pairs->entries[first], &pairs->entries[end]))
            end++;
        pairs->tasks[pairs->task_count++] = (PairTask){first, end};
    }
    return status_ok();
}

static void pairs_clear(Pairs *pairs)
{
    FREE_ALL(pairs->entries, pairs->tasks, pairs->triangle_of);
    grouping_clear(&pairs->holders);
}

/* Eq. 1 is a sum over pairs of joints, and so are numerator and denominator of eq. 4: for each pair, the
 * vertices that have both joints meet the samples that have both, and nothing else. The weights of the pair
 * stand in plain arrays, the inner loop is arithmetic alone. A pair with many vertices is cut into several
 * tasks; every task writes to entries of its own, which are added up in a fixed order afterwards. */
Status search_exact(SurfaceSearch *search)
{
    CLEANUP(pairs_clear) Pairs pairs = {.surface = search->surface, .sigma = search->options->sigma};
    STATUS_TRY(entries_make(search, &pairs));
    /* the triangles of the joints */
    const WeightSurface *surface = pairs.surface;
    const int64_t total = surface->first_joint[surface->triangle_count];
    for (int64_t i = 0; i < total; i++)
        if (surface->joints[i] >= pairs.joint_count)
            pairs.joint_count = surface->joints[i] + 1;
    for (int64_t i = 0; i < pairs.entry_count; i++)
        if (pairs.entries[i].high >= pairs.joint_count)
            pairs.joint_count = pairs.entries[i].high + 1;
    ALLOCATE(pairs.triangle_of, total, "the joints' triangles");
    for (int32_t t = 0; t < surface->triangle_count; t++)
        for (int64_t i = surface->first_joint[t]; i < surface->first_joint[t + 1]; i++)
            pairs.triangle_of[i] = t;
    STATUS_TRY(grouping_init(surface->joints, (size_t)total, pairs.joint_count, "the joints' triangles",
                             &pairs.holders));
    int64_t evaluated = 0;
    const int threads = search->options->threads;
#pragma omp parallel num_threads(threads) if (threads > 1) reduction(+ : evaluated)
    {
        Tile tile;
#pragma omp for schedule(dynamic, 1)
        for (int64_t i = 0; i < pairs.task_count; i++)
            evaluated += task_run(&pairs, &pairs.tasks[i], &tile);
    }
    search->evaluated = evaluated;
    for (int64_t i = 0; i < pairs.entry_count; i++) {
        const PairEntry *entry = &pairs.entries[i];
        CenterSum *sum = &search->sums[entry->vertex];
        double share = 2.0 * entry->sign * entry->w_low * entry->w_high; /* (j, k) and (k, j) */
        for (int axis = 0; axis < 3; axis++)
            sum->moment[axis] += share * entry->sum.moment[axis];
        sum->mass += share * entry->sum.mass;
    }
    return status_ok();
}
