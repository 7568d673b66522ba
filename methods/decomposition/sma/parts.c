/* Cuts clusters of triangles into connected parts by union-find, keeps the largest, and bisects the
 * bandwidth of mean shift until there are as many as asked for. */
#include "methods/decomposition/sma/parts.h"

#include "datasets/base/clock.h"

Status incidence_make(const Mesh *mesh, const RotationSketch *sketch, Grouping *out)
{
    LOCAL_TABLE(int32_t, vertices, sketch->count, 3, "the triangles at the vertices");
    for (ptrdiff_t i = 0; i < (ptrdiff_t)3 * sketch->count; i++)
        vertices[i] = mesh->triangles[(ptrdiff_t)3 * sketch->triangles[i / 3] + i % 3];
    return grouping_init(vertices, 3 * (size_t)sketch->count, mesh->vertex_count,
                         "the triangles at the vertices", out);
}

void parts_clear(Parts *parts)
{
    memory_free(parts->sizes);
    memory_free(parts->part_of);
    *parts = (Parts){0};
}

/* Numbers the sets in the order of their lowest triangles. */
static void parts_number(const RotationSketch *sketch, const int32_t *labels, int32_t *parents, Parts *out)
{
    int count = sketch->count;
    for (int i = 0; i < count; i++) {
        int32_t root = labels[i] < 0 ? -1 : union_find_root(parents, i);
        out->part_of[i] = root < 0 ? -1 : (root == i ? out->count++ : out->part_of[root]);
        if (root >= 0)
            out->sizes[out->part_of[i]] += sketch->areas[i];
    }
    if (out->count > 0)
        return;
    out->count = 1;
    for (int i = 0; i < count; i++) {
        out->part_of[i] = 0;
        out->sizes[0] += sketch->areas[i];
    }
}

Status parts_init(const RotationSketch *sketch, const Cells *cells, const Clusters *clusters,
                  double bandwidth, const Grouping *incidence, Parts *out)
{
    size_t count = (size_t)sketch->count;
    LOCAL_ARRAY(int32_t, labels, count, "the parts of the mesh");
    LOCAL_ARRAY(int32_t, parents, count, "the parts of the mesh");
    LOCAL_ARRAY(int32_t, first, clusters->count, "the parts of the mesh");
    *out = (Parts){0};
    ALLOCATE(out->sizes, count, "the parts of the mesh");
    ALLOCATE(out->part_of, count, "the parts of the mesh");
    /* the cluster of each triangle, -1 where it is not core */
    for (int i = 0; i < sketch->count; i++) {
        const double *point = sketch->points + (ptrdiff_t)i * SKETCH_SIZE;
        labels[i] = clusters->cluster_of[cells->cell_of[i]];
        const double *mode = clusters->modes + (ptrdiff_t)labels[i] * SKETCH_SIZE;
        double square = 0.0;
        for (int k = 0; k < SKETCH_SIZE; k++)
            square += (point[k] - mode[k]) * (point[k] - mode[k]);
        if (square > bandwidth * bandwidth)
            labels[i] = -1;
    }
    union_find_init(parents, sketch->count);
    if (incidence) {
        /* join triangles of one label that share a vertex; the root of a set is its lowest triangle */
        for (int vertex = 0; vertex < incidence->group_count; vertex++)
            for (int64_t a = incidence->first[vertex]; a < incidence->first[vertex + 1]; a++)
                for (int64_t b = incidence->first[vertex]; b < a; b++) {
                    int32_t one = incidence->members[a] / 3, other = incidence->members[b] / 3;
                    if (labels[one] >= 0 && labels[one] == labels[other])
                        union_find_union(parents, one, other);
                }
    } else {
        /* join all triangles of one label */
        for (int i = sketch->count - 1; i >= 0; i--)
            if (labels[i] >= 0)
                first[labels[i]] = i;
        for (int i = 0; i < sketch->count; i++)
            if (labels[i] >= 0)
                parents[i] = first[labels[i]];
    }
    parts_number(sketch, labels, parents, out);
    return status_ok();
}

/* How many parts come before part i when the largest stand first, ties in their own order. */
static int parts_before(const Parts *parts, int i)
{
    int before = 0;
    for (int other = 0; other < parts->count; other++)
        before +=
            parts->sizes[other] > parts->sizes[i] || (parts->sizes[other] == parts->sizes[i] && other < i);
    return before;
}

Status parts_keep(Parts *parts, int triangle_count, int wanted)
{
    int kept = 0;
    LOCAL_ARRAY(int32_t, numbers, parts->count, "the parts of the mesh");
    for (int i = 0; i < parts->count; i++)
        numbers[i] = parts_before(parts, i) < wanted ? kept++ : -1;
    for (int i = 0; i < parts->count; i++)
        if (numbers[i] >= 0)
            parts->sizes[numbers[i]] = parts->sizes[i];
    for (int i = 0; i < triangle_count; i++)
        parts->part_of[i] = parts->part_of[i] < 0 ? -1 : numbers[parts->part_of[i]];
    parts->count = kept;
    return status_ok();
}

typedef struct BandwidthSearch {
    const RotationSketch *sketch;
    const Cells *cells;
    const Grouping *incidence;
    const BandwidthOptions *options;
    double smallest;
    Parts best;
    int best_count; /* of its parts that count; -1: none tried yet */
} BandwidthSearch;

static int count_of(const Parts *parts, double smallest)
{
    int count = 0;
    for (int i = 0; i < parts->count; i++)
        count += parts->sizes[i] >= smallest;
    return count;
}

/* Enough beats too few; then the nearer to the number wanted. */
static bool count_better(int count, int than, int wanted)
{
    if (than < 0 || (count >= wanted) != (than >= wanted))
        return than < 0 || count >= wanted;
    return count >= wanted ? count < than : count > than;
}

/* Tries a bandwidth and keeps it when it is better. *splittable: narrower ones may give more. */
static Status search_try(BandwidthSearch *search, double bandwidth, int *count, bool *splittable)
{
    CLEANUP(clusters_clear) Clusters clusters = {0};
    CLEANUP(parts_clear) Parts parts = {0};
    STATUS_TRY(
        mean_shift(search->cells, search->options->kernel, bandwidth, search->options->threads, &clusters));
    STATUS_TRY(parts_init(search->sketch, search->cells, &clusters, bandwidth, search->incidence, &parts));
    *count = count_of(&parts, search->smallest);
    *splittable = clusters.count < search->cells->count;
    if (count_better(*count, search->best_count, search->options->wanted)) {
        parts_clear(&search->best);
        search->best = parts;
        search->best_count = *count;
        parts = (Parts){0};
    }
    return status_ok();
}

/* Whether the search may go on; STATUS_STOPPED in *status when it was stopped. */
static Status search_look(const BandwidthSearch *search, double share, bool *continues)
{
    const BandwidthOptions *options = search->options;
    if (!progress_report(options->progress, "mean shift", share))
        return status_make(STATUS_STOPPED, "stopped before there was a model");
    *continues = search->best_count < 0 || options->deadline_s == 0.0 || clock_now_s() < options->deadline_s;
    return status_ok();
}

static Status search_run(BandwidthSearch *search)
{
    enum { SCANS = 24, HALVINGS = 6 };
    const double WIDEST = 2.0, SHRINK = 0.75;
    int wanted = search->options->wanted, count = 0;
    double narrow = WIDEST, wide = WIDEST;
    bool splittable = true, continues = true;
    for (int scan = 0; scan < SCANS && count < wanted && splittable; scan++) {
        STATUS_TRY(search_look(search, 0.2 + 0.3 * scan / SCANS, &continues));
        if (!continues)
            return status_ok();
        wide = narrow;
        narrow = WIDEST * pow(SHRINK, scan);
        STATUS_TRY(search_try(search, narrow, &count, &splittable));
    }
    for (int halving = 0; halving < HALVINGS && search->best_count > wanted; halving++) {
        STATUS_TRY(search_look(search, 0.5 + 0.2 * halving / HALVINGS, &continues));
        if (!continues)
            return status_ok();
        double middle = sqrt(narrow * wide);
        STATUS_TRY(search_try(search, middle, &count, &splittable));
        *(count >= wanted ? &narrow : &wide) = middle;
    }
    return status_ok();
}

static void bandwidth_search_clear(BandwidthSearch *search)
{
    parts_clear(&search->best);
}

Status parts_find(const RotationSketch *sketch, const Cells *cells, const Grouping *incidence,
                  const BandwidthOptions *options, Parts *out)
{
    CLEANUP(bandwidth_search_clear)
    BandwidthSearch search = {.sketch = sketch,
                              .cells = cells,
                              .incidence = incidence,
                              .options = options,
                              .smallest = options->smallest,
                              .best_count = -1};
    int count = 0;
    bool splittable = false;
    *out = (Parts){0};
    if (options->bandwidth > 0.0)
        STATUS_TRY(search_try(&search, options->bandwidth, &count, &splittable));
    else
        STATUS_TRY(search_run(&search));
    if (options->bandwidth <= 0.0 && search.best_count < options->wanted) { /* once more: small parts count */
        search.smallest = 0.0;
        search.best_count = count_of(&search.best, 0.0);
        STATUS_TRY(search_run(&search));
    }
    if (search.best.part_of) /* NULL: no part was wanted */
        STATUS_TRY(parts_keep(&search.best, sketch->count, options->wanted));
    *out = search.best;
    search.best = (Parts){0};
    return status_ok();
}
