/* Tests the histogram that finds the largest, second largest, ... of many numbers by counting instead of
 * sorting. The counting is done in one process or in several. */
#include "tests/rank_threads.h"
#include "tests/support.h"

#include "harness/measure/metrics/float_histogram.h"

/* Each of several processes receives its own part of the numbers. Together, they find the largest and other
 * high values of all numbers. */
typedef struct SharedCounts {
    const float *values; /* [count] */
    size_t count, sample;
    double from_top[2];
    float found[RANK_THREADS_MAX][2];
    int passes[RANK_THREADS_MAX];
} SharedCounts;

static void share_count(const Ranks *ranks, void *context)
{
    SharedCounts *shared = context;
    CLEANUP(float_histogram_clear) FloatHistogram counts = {0};
    const VertexShare share = ranks_even_share(ranks, (int)shared->count);
    const float *part = shared->values + share.first;
    const double shares[] = {shared->from_top[0] / (double)shared->count,
                             shared->from_top[1] / (double)shared->count};
    assert_ok(float_histogram_init(share.count, 0, 2, &counts));
    float_histogram_add(&counts, part,
                        shared->sample < (size_t)share.count ? shared->sample : (size_t)share.count);
    for (bool found = false; !found; shared->passes[ranks->rank]++) {
        float_histogram_refine(&counts, ranks, shares, 2);
        float_histogram_add(&counts, part, (size_t)share.count);
        found = true;
        for (int i = 0; i < 2; i++)
            found &=
                float_histogram_find(&counts, ranks, shared->from_top[i], &shared->found[ranks->rank][i]);
    }
}

/* The memory suffices for exact counters in only two ranges of values. One pass over the values is enough
 * if the sample resembles all values. Otherwise, or without a sample, a second pass is needed. The values
 * are either the numbers from 1 on in scrambled order, or contain more equal numbers than a 16-bit counter
 * can count. */
TEST(counts_find_values_of_any_rank)
{
    enum { COUNT = 300007 };
    static float values[COUNT];
    for (int tied = 0; tied < 2; tied++) {
        for (int i = 0; i < COUNT; i++)
            values[i] = tied ? (i % 3 ? 2.5f : (float)(i % 7)) : (float)(1 + ((int64_t)i * 7919) % COUNT);
        for (int sampled = 0; sampled < 2; sampled++)
            for (int ranks = 1; ranks <= 4; ranks += 3) {
                SharedCounts shared = {.values = values,
                                       .count = COUNT,
                                       .sample = sampled ? COUNT : 0,
                                       .from_top = {15000.0, tied ? 60001.0 : 3000.0}};
                rank_threads_run(ranks, share_count, &shared);
                for (int rank = 0; rank < ranks; rank++) {
                    /* One number in 21 is a 6, and another one in 21 is a 5. */
                    assert_true(shared.found[rank][0] == (tied ? 5.0f : (float)(COUNT - 15000 + 1)));
                    assert_true(shared.found[rank][1] == (tied ? 2.5f : (float)(COUNT - 3000 + 1)));
                    assert_int_equal(shared.passes[rank], sampled ? 1 : 2);
                }
            }
    }
}
