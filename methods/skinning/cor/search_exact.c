/* Computes eq. 4 exactly, by pairs of joints (center_search.h). */
#include "methods/skinning/cor/weight_transform.h"

#include <omp.h>

/* A vertex and a pair of joints that influence it. */
typedef struct PairEntry {
    int32_t component, low, high; /* joints, low < high */
    int32_t sign;                 /* sign of the product of the weights */
    int32_t vertex;
    double w_low, w_high;
    CenterSum sum;
} PairEntry;

typedef struct PairTask {
    int64_t first, end; /* entries */
    bool transforms;    /* whether a WeightTransform evaluates all entries of the pair together */
    double cost;        /* estimated time, as the number of terms that can be summed in it */
} PairTask;

/* A triangle that a joint influences, and the joint's index in the triangle's list of joints. */
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
    Grouping holders;     /* for each joint, the ascending indices at which it occurs in the surface's list of
                             joints */
    int32_t *triangle_of; /* triangle to which each entry of the surface's list of joints belongs */
} Pairs;

enum { TASK_ENTRIES = 128 };

WIDEST_VECTORS
static void tile_meet(const Tile *tile, double inverse_sigma, PairEntry *entry)
{
    const double w_low = entry->w_low * inverse_sigma, w_high = entry->w_high * inverse_sigma;
    double x = 0.0, y = 0.0, z = 0.0, mass = 0.0;
#pragma omp simd reduction(+ : x, y, z, mass)
    for (int i = 0; i < tile->count; i++) {
        double distance = w_low * tile->high[i] - w_high * tile->low[i];
        double m = tile->mass[i] * exp_of_negative(-distance * distance, false);
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

/* Empties a full tile of samples: adds it to `transform` or, if that is NULL, to the sums of the task's
 * entries. Returns false if memory runs out. */
static bool tile_finish(const Pairs *pairs, const PairTask *task, WeightTransform *transform, Tile *tile)
{
    bool made = true;
    if (transform)
        made = weight_transform_add(transform, tile);
    for (int64_t i = task->first; i < task->end && !transform; i++)
        tile_meet(tile, 1.0 / pairs->sigma, &pairs->entries[i]);
    tile->count = 0;
    return made;
}

static Holder holder_at(const Pairs *pairs, int64_t index)
{
    int32_t place = pairs->holders.members[index], triangle = pairs->triangle_of[place];
    return (Holder){triangle, (int32_t)(place - pairs->surface->first_joint[triangle])};
}

/* Returns the first index in the joint's list of holders whose triangle is `triangle` or a later one. */
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

/* Iterates over the triangles of a component that both joints of a pair influence. */
typedef struct PairWalk {
    int64_t low, low_end, high,
        high_end; /* remaining range of the list of holders of each of the two joints */
} PairWalk;

static PairWalk walk_start(const Pairs *pairs, const PairEntry *pair)
{
    const int64_t *component = &pairs->surface->components.first[pair->component];
    return (PairWalk){
        holder_find(pairs, pair->low, component[0]), holder_find(pairs, pair->low, component[1]),
        holder_find(pairs, pair->high, component[0]), holder_find(pairs, pair->high, component[1])};
}

static bool walk_next(const Pairs *pairs, PairWalk *walk, Holder *one, Holder *other)
{
    while (walk->low < walk->low_end && walk->high < walk->high_end) {
        *one = holder_at(pairs, walk->low);
        *other = holder_at(pairs, walk->high);
        walk->low += one->triangle <= other->triangle;
        walk->high += other->triangle <= one->triangle;
        if (one->triangle == other->triangle)
            return true;
    }
    return false;
}

static int64_t pair_samples(const Pairs *pairs, const PairEntry *pair)
{
    PairWalk walk = walk_start(pairs, pair);
    int64_t samples = 0;
    for (Holder one, other; walk_next(pairs, &walk, &one, &other);)
        samples +=
            pairs->surface->first_sample[one.triangle + 1] - pairs->surface->first_sample[one.triangle];
    return samples;
}

/* Visits all samples of a task's pair and component. Returns the number of terms of eq. 1, or -1 if memory
 * runs out. */
static int64_t task_run(const Pairs *pairs, const PairTask *task, Tile *tile)
{
    const WeightSurface *surface = pairs->surface;
    const int64_t count = task->end - task->first;
    const int32_t sign = pairs->entries[task->first].sign;
    PairWalk walk = walk_start(pairs, &pairs->entries[task->first]);
    WeightTransform *transform = task->transforms ? weight_transform_create(pairs->sigma) : NULL;
    bool made = transform || !task->transforms;
    int64_t samples = 0;
    tile->count = 0;
    for (Holder one, other; made && walk_next(pairs, &walk, &one, &other);) {
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
                made = tile_finish(pairs, task, transform, tile) && made;
        }
        samples += surface->first_sample[one.triangle + 1] - surface->first_sample[one.triangle];
    }
    made = made && tile_finish(pairs, task, transform, tile);
    if (transform && made) {
        double(*weights)[2] = memory_array((size_t)count, sizeof *weights);
        CenterSum *sums = memory_array((size_t)count, sizeof *sums);
        made = weights && sums;
        for (int64_t i = 0; i < count && made; i++) {
            weights[i][0] = pairs->entries[task->first + i].w_low;
            weights[i][1] = pairs->entries[task->first + i].w_high;
        }
        made = made && weight_transform_sums(transform, (const double(*)[2])weights, count, sums);
        for (int64_t i = 0; i < count && made; i++)
            pairs->entries[task->first + i].sum = sums[i];
        memory_free(weights);
        memory_free(sums);
    }
    weight_transform_free(transform);
    return made ? samples * count : -1;
}

/* Comparison for qsort: orders entries by component, pair, sign and vertex. */
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
    return status_ok();
}

/* Returns whether all weights lie in [0, 1] and the weights of every vertex sum to at most 1, up to
 * rounding. */
static bool weights_are_shares(const WeightSurface *surface)
{
    const double SUM_MAX = 1.001;
    bool shares = true;
    for (int v = 0; v < surface->vertex_count && shares; v++) {
        SparseRow row = weight_surface_vertex(surface, v);
        double sum = 0.0;
        for (int i = 0; i < row.count; i++) {
            shares = shares && row.weights[i] >= 0.0;
            sum += row.weights[i];
        }
        shares = shares && sum <= SUM_MAX;
    }
    return shares;
}

/* Divides the entries of each pair into tasks. If the transform is faster, makes a single task that uses
 * it. Sums of fewer than TERMS_MIN terms always use direct summation. This keeps the results for small
 * meshes independent of the cost estimate. */
static void tasks_make(Pairs *pairs)
{
    const double TERMS_MIN = 1e8;
    const bool shares = weights_are_shares(pairs->surface);
    for (int64_t first = 0, end = 0; first < pairs->entry_count; first = end) {
        while (end < pairs->entry_count && same_pair(&pairs->entries[first], &pairs->entries[end]))
            end++;
        const double vertices = (double)(end - first),
                     samples = (double)pair_samples(pairs, &pairs->entries[first]),
                     cost = weight_transform_terms(pairs->sigma, samples, vertices);
        if (shares && samples * vertices >= TERMS_MIN && samples * vertices > cost) {
            pairs->tasks[pairs->task_count++] = (PairTask){first, end, true, cost};
            continue;
        }
        for (int64_t from = first; from < end; from += TASK_ENTRIES) {
            const int64_t to = from + TASK_ENTRIES < end ? from + TASK_ENTRIES : end;
            pairs->tasks[pairs->task_count++] = (PairTask){from, to, false, samples * (double)(to - from)};
        }
    }
}

/* Reports progress and, after two percent, an estimate of the remaining time. Returns false to stop. */
static bool tasks_report(const Progress *progress, double share, double start_s)
{
    const double left_s = (clock_now_s() - start_s) * (1.0 / share - 1.0);
    char what[80] = "centres of rotation";
    if (share > 0.02 && left_s >= 1.0)
        snprintf(what, sizeof what, "centres of rotation, about %.0f %s to go",
                 left_s < 90.0 ? left_s : left_s / 60.0, left_s < 90.0 ? "s" : "min");
    return progress_report(progress, what, share);
}

static void pairs_clear(Pairs *pairs)
{
    FREE_ALL(pairs->entries, pairs->tasks, pairs->triangle_of);
    grouping_clear(&pairs->holders);
}

/* Eq. 1 is a sum over pairs of joints, and so are numerator and denominator of eq. 4. Each pair combines
 * only the vertices and samples that both joints influence. The weights of a pair are copied to plain
 * arrays, so that the inner loop consists of arithmetic only. A pair with many vertices is divided into
 * several tasks. Each task writes to its own entries, which are summed afterwards in a fixed order. */
Status search_exact(SurfaceSearch *search)
{
    CLEANUP(pairs_clear) Pairs pairs = {.surface = search->surface, .sigma = search->options->sigma};
    STATUS_TRY(entries_make(search, &pairs));
    /* list the triangles of each joint */
    const WeightSurface *surface = pairs.surface;
    const int64_t total = surface->first_joint[surface->triangle_count];
    ALLOCATE(pairs.triangle_of, total, "the triangles of the joints");
    for (int32_t t = 0; t < surface->triangle_count; t++)
        for (int64_t i = surface->first_joint[t]; i < surface->first_joint[t + 1]; i++)
            pairs.triangle_of[i] = t;
    STATUS_TRY(grouping_init(surface->joints, (size_t)total, search->joint_count,
                             "the triangles of the joints", &pairs.holders));
    tasks_make(&pairs);
    int64_t evaluated = 0;
    double cost = 1.0, done = 0.0;
    for (int64_t i = 0; i < pairs.task_count; i++)
        cost += pairs.tasks[i].cost;
    bool failed = false, stopped = false;
    const double start_s = clock_now_s();
    const int threads = search->options->threads;
#pragma omp parallel num_threads(threads) if (threads > 1) reduction(+ : evaluated) reduction(|| : failed)
    {
        Tile tile;
        bool stop = false;
#pragma omp for schedule(dynamic, 1)
        for (int64_t i = 0; i < pairs.task_count; i++) {
#pragma omp atomic read
            stop = stopped;
            if (stop || failed)
                continue;
            const int64_t terms = task_run(&pairs, &pairs.tasks[i], &tile);
            failed = terms < 0;
            evaluated += terms;
            double share = 0.0;
#pragma omp atomic capture
            share = done += pairs.tasks[i].cost;
            if (omp_get_thread_num() == 0 && !tasks_report(search->options->progress, share / cost, start_s))
#pragma omp atomic write
                stopped = true;
        }
    }
    if (failed)
        return status_out_of_memory("a search for centres");
    if (stopped)
        return status_make(STATUS_STOPPED, "stopped while centres of rotation were computed");
    search->evaluated = evaluated;
    for (int64_t i = 0; i < pairs.entry_count; i++) {
        const PairEntry *entry = &pairs.entries[i];
        CenterSum *sum = &search->sums[entry->vertex];
        double share = 2.0 * entry->sign * entry->w_low *
                       entry->w_high; /* multiply by 2, because eq. 1 counts each pair of joints twice */
        for (int axis = 0; axis < 3; axis++)
            sum->moment[axis] += share * entry->sum.moment[axis];
        sum->mass += share * entry->sum.mass;
    }
    return status_ok();
}
