/* Bisects the bandwidth of mean shift until it finds as many parts as asked for. */
#include "methods/decomposition/sma/bandwidth.h"

#include "datasets/base/clock.h"

#include <math.h>

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
    Clusters clusters = {0};
    Parts parts = {0};
    Status status;
    STATUS_TRY(mean_shift(search->cells, bandwidth, search->options->threads, &clusters));
    STATUS_TRY(parts_make(search->sketch, search->cells, &clusters, bandwidth, search->incidence, &parts));
    *count = count_of(&parts, search->smallest);
    *splittable = clusters.count < search->cells->count;
    if (count_better(*count, search->best_count, search->options->wanted)) {
        parts_clear(&search->best);
        search->best = parts;
        search->best_count = *count;
        parts = (Parts){0};
    }
done:
    clusters_clear(&clusters);
    parts_clear(&parts);
    return status;
}

/* Whether the search may go on; STATUS_STOPPED in *status when it was stopped. */
static bool search_continues(const BandwidthSearch *search, double share, Status *status)
{
    const BandwidthOptions *options = search->options;
    if (!progress_report(options->progress, "mean shift", share)) {
        *status = status_make(STATUS_STOPPED, "stopped before there was a model");
        return false;
    }
    return search->best_count < 0 || options->deadline_s == 0.0 || clock_now_s() < options->deadline_s;
}

static Status search_run(BandwidthSearch *search)
{
    enum { SCANS = 24, HALVINGS = 6 };
    const double WIDEST = 2.0, SHRINK = 0.75;
    int wanted = search->options->wanted, count = 0;
    double narrow = WIDEST, wide = WIDEST;
    bool splittable = true;
    Status status = status_ok();
    for (int scan = 0; scan < SCANS && count < wanted && splittable; scan++) {
        if (!search_continues(search, 0.2 + 0.3 * scan / SCANS, &status))
            return status;
        wide = narrow;
        narrow = WIDEST * pow(SHRINK, scan);
        STATUS_TRY(search_try(search, narrow, &count, &splittable));
    }
    for (int halving = 0; halving < HALVINGS && search->best_count > wanted; halving++) {
        if (!search_continues(search, 0.5 + 0.2 * halving / HALVINGS, &status))
            return status;
        double middle = sqrt(narrow * wide);
        STATUS_TRY(search_try(search, middle, &count, &splittable));
        *(count >= wanted ? &narrow : &wide) = middle;
    }
done:
    return status;
}

/* The search, and where it finds too few once more with small parts counting. */
static Status search_run_all(BandwidthSearch *search)
{
    Status status = search_run(search);
    if (status.code != STATUS_OK || search->best_count >= search->options->wanted)
        return status;
    search->smallest = 0.0;
    search->best_count = count_of(&search->best, 0.0);
    return search_run(search);
}

Status parts_find(const RotationSketch *sketch, const Cells *cells, const Grouping *incidence,
                  const BandwidthOptions *options, Parts *out)
{
    BandwidthSearch search = {.sketch = sketch,
                              .cells = cells,
                              .incidence = incidence,
                              .options = options,
                              .smallest = options->smallest,
                              .best_count = -1};
    int count = 0;
    bool splittable = false;
    *out = (Parts){0};
    Status status = options->bandwidth > 0.0 ? search_try(&search, options->bandwidth, &count, &splittable)
                                             : search_run_all(&search);
    if (status.code == STATUS_OK)
        status = parts_keep(&search.best, sketch->count, options->wanted);
    if (status.code == STATUS_OK) {
        *out = search.best;
        return status;
    }
    parts_clear(&search.best);
    return status;
}
