/* Counts floats by their bits, because floats that are not negative have the same order as their bits. The
 * upper bits select a bin. If the bin has exact counters (a page), the lower bits select one of them.
 * Counters have 16 bits, and a list records every overflow. */
#include "harness/measure/metrics/float_histogram.h"

#include <omp.h>

Status float_histogram_init(double total, size_t page_bytes, int threads, FloatHistogram *out)
{
    const size_t pages = page_bytes / (HISTOGRAM_PAGE * sizeof(uint16_t)), min = QUANTILES_MAX,
                 max = HISTOGRAM_BINS;
    *out = (FloatHistogram){.thread_count = threads,
                            .page_max = (int)(pages < min   ? min
                                              : pages > max ? max
                                                            : pages),
                            .carry_capacity = (size_t)(total / 0x1p16) + 1};
    ALLOCATE_TABLE(out->bins, threads, HISTOGRAM_BINS, "the metrics");
    ALLOCATE_TABLE(out->all, 2, HISTOGRAM_BINS, "the metrics");
    ALLOCATE(out->pages, HISTOGRAM_BINS, "the metrics");
    ALLOCATE_TABLE(out->counters, out->page_max, HISTOGRAM_PAGE, "the metrics");
    ALLOCATE(out->carries, out->carry_capacity, "the metrics");
    for (int bin = 0; bin < HISTOGRAM_BINS; bin++)
        out->pages[bin] = -1;
    return status_ok();
}

void float_histogram_clear(FloatHistogram *counts)
{
    FREE_ALL(counts->bins, counts->all, counts->pages, counts->counters, counts->carries);
    *counts = (FloatHistogram){0};
}

static void bits_count(FloatHistogram *counts, uint64_t *bins, uint32_t bits)
{
    const uint32_t bin = bits >> COUNT_PAGE_BITS;
    bins[bin]++;
    if (counts->pages[bin] < 0)
        return;
    const uint32_t place = (uint32_t)counts->pages[bin] * HISTOGRAM_PAGE + bits % HISTOGRAM_PAGE;
    uint16_t before;
#pragma omp atomic capture
    before = counts->counters[place]++;
    if (before == UINT16_MAX) {
        size_t carry;
#pragma omp atomic capture
        carry = counts->carry_count++;
        counts->carries[carry] = place;
    }
}

void float_histogram_add(FloatHistogram *counts, const float *values, size_t count)
{
    enum { PIECE = 1 << 14 };
    const int64_t pieces = (int64_t)((count + PIECE - 1) / PIECE);
#pragma omp parallel for schedule(static) num_threads(counts->thread_count)
    for (int64_t piece = 0; piece < pieces; piece++) {
        uint64_t *bins = counts->bins + (size_t)omp_get_thread_num() * HISTOGRAM_BINS;
        const size_t first = (size_t)piece * PIECE, end = first + PIECE < count ? first + PIECE : count;
        for (size_t i = first; i < end; i++) {
            uint32_t bits = 0;
            memcpy(&bits, &values[i], sizeof bits);
            bits_count(counts, bins, bits & INT32_MAX);
        }
    }
}

/* Sums the bins of all threads and ranks into the totals. */
static void bins_join(FloatHistogram *counts, const Ranks *ranks)
{
    memset(counts->all, 0, 2 * HISTOGRAM_BINS * sizeof *counts->all);
    for (int thread = 0; thread < counts->thread_count; thread++)
        for (int bin = 0; bin < HISTOGRAM_BINS; bin++)
            counts->all[bin] += (double)counts->bins[(size_t)thread * HISTOGRAM_BINS + (size_t)bin];
    ranks_sum(ranks, counts->all, counts->all + HISTOGRAM_BINS, HISTOGRAM_BINS);
}

/* Returns the bin with the from_top-th largest value. *above receives the number of values in higher
 * bins. */
static int bin_from_top(const FloatHistogram *counts, double from_top, double *above)
{
    int bin = HISTOGRAM_BINS - 1;
    *above = 0.0;
    while (bin > 0 && *above + counts->all[bin] < from_top)
        *above += counts->all[bin--];
    return bin;
}

void float_histogram_refine(FloatHistogram *counts, const Ranks *ranks, const double *shares, int count)
{
    int bins[QUANTILES_MAX], page_count = 0;
    double total = 0.0, above = 0.0;
    bins_join(counts, ranks);
    for (int bin = 0; bin < HISTOGRAM_BINS; bin++) {
        total += counts->all[bin];
        counts->pages[bin] = -1;
    }
    for (int i = 0; i < count; i++)
        bins[i] = bin_from_top(counts, shares[i] * total, &above);
    /* Give exact counters to the bins of the quantiles first, and then to neighbouring bins, alternately
     * above and below. */
    for (int step = 0; step < 2 * HISTOGRAM_BINS && page_count < counts->page_max; step++)
        for (int i = 0; i < count && page_count < counts->page_max; i++) {
            const int bin = bins[i] + (step % 2 ? -(step + 1) / 2 : step / 2);
            if (bin >= 0 && bin < HISTOGRAM_BINS && counts->pages[bin] < 0)
                counts->pages[bin] = page_count++;
        }
    memset(counts->bins, 0, (size_t)counts->thread_count * HISTOGRAM_BINS * sizeof *counts->bins);
    memset(counts->counters, 0, (size_t)counts->page_max * HISTOGRAM_PAGE * sizeof *counts->counters);
    counts->carry_count = 0;
}

bool float_histogram_find(FloatHistogram *counts, const Ranks *ranks, double from_top, float *value)
{
    double above = 0.0;
    bins_join(counts, ranks);
    const int bin = bin_from_top(counts, from_top, &above), page = counts->pages[bin];
    if (page < 0)
        return false;
    double *singles = counts->all; /* sums of the page's counters over all ranks; they reuse the array `all`,
                                      which is large enough */
    memset(singles, 0, 2 * HISTOGRAM_PAGE * sizeof *singles);
    for (int i = 0; i < HISTOGRAM_PAGE; i++)
        singles[i] = counts->counters[(size_t)page * HISTOGRAM_PAGE + (size_t)i];
    for (size_t i = 0; i < counts->carry_count; i++)
        if (counts->carries[i] / HISTOGRAM_PAGE == (uint32_t)page)
            singles[counts->carries[i] % HISTOGRAM_PAGE] += 0x1p16;
    ranks_sum(ranks, singles, singles + HISTOGRAM_PAGE, HISTOGRAM_PAGE);
    uint32_t bits = HISTOGRAM_PAGE - 1;
    while (bits > 0 && above + singles[bits] < from_top)
        above += singles[bits--];
    bits |= (uint32_t)bin << COUNT_PAGE_BITS;
    memcpy(value, &bits, sizeof *value);
    return true;
}
