/* Tests ranks (processes): their shares of the vertices, sums that do not depend on the order of summation,
 * and messages between ranks. */
#include "tests/rank_threads.h"
#include "tests/support.h"

#include "datasets/base/random.h"

TEST(sums_round_once)
{
    /* The sum is 2^60 + 1 - 2^60 + 2^-40. Adding the terms in double, one after another, would lose
     * the 1. */
    const double terms[] = {0x1p60, 1.0, -0x1p60, 0x1p-40};
    ExactSum sum = {0};
    double plain = 0.0;
    for (int i = 0; i < 4; i++) {
        exact_sum_add(&sum, terms[i]);
        plain += terms[i];
    }
    assert_true(sum.sum + sum.rest == 1.0 + 0x1p-40);
    assert_true(plain == 0x1p-40);
}

TEST(sums_have_no_order)
{
    enum { COUNT = 1000, SUMS = 37 };
    static double terms[COUNT][SUMS];
    double forth[2][SUMS] = {{0.0}}, back[2][SUMS] = {{0.0}};
    Random random = {3};
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < SUMS; k++)
            terms[i][k] = random_signed(&random) * pow(10.0, 6.0 * random_signed(&random));
    for (int i = 0; i < COUNT; i++) {
        exact_sums_add(forth[0], forth[1], terms[i], SUMS);
        exact_sums_add(back[0], back[1], terms[COUNT - 1 - i], SUMS);
    }
    exact_sums_round(forth[0], forth[1], SUMS);
    exact_sums_round(back[0], back[1], SUMS);
    assert_memory_equal(forth, back, sizeof forth);
}

/* Shares consist of consecutive whole blocks. On up to 64 ranks, the sizes of two shares differ by at most
 * one block. */
TEST(shares_cover)
{
    static const int sizes[] = {0, 1, 255, 256, 257, 1000, 8431, 100000, 200000, 1000000, 10000000};
    for (int i = 0; i < (int)(sizeof sizes / sizeof *sizes); i++)
        for (int count = 1; count <= 64; count++) {
            Ranks ranks = {.count = count};
            int next = 0, min = sizes[i], max = 0, block = ranks_block_size(sizes[i]);
            assert_int_equal(block % 256, 0);
            for (ranks.rank = 0; ranks.rank < count; ranks.rank++) {
                VertexShare share = ranks_share(&ranks, sizes[i]);
                assert_int_equal(share.first, next);
                assert_true(share.first % block == 0 || share.count == 0);
                next += share.count;
                min = share.count < min ? share.count : min;
                max = share.count > max ? share.count : max;
            }
            assert_int_equal(next, sizes[i]);
            assert_true(max - min <= 2 * block);
        }
}

enum { VERTICES = 3000 };

static void rank_body(const Ranks *ranks, void *context)
{
    static _Thread_local int whole[VERTICES][2], part[VERTICES][2];
    int *failures = context;
    VertexShare share = ranks_share(ranks, VERTICES);
    double sums[2] = {ranks->rank + 1.0, 0x1p60}, rests[2] = {0.0, 0x1p-60};
    double max[2] = {ranks->rank, -ranks->rank};
    int said = 7 + ranks->rank, wrong = 0;
    ranks_sum(ranks, sums, rests, 2);
    wrong += sums[0] != 0.5 * ranks->count * (ranks->count + 1) || sums[1] != ranks->count * 0x1p60;
    ranks_max(ranks, max, 2);
    wrong += max[0] != ranks->count - 1 || max[1] != 0.0;
    ranks_broadcast(ranks, &said, sizeof said);
    wrong += said != 7;
    wrong += ranks_decide(ranks, ranks->rank > 0);
    for (int j = 0; j < share.count; j++)
        part[j][0] = part[j][1] = share.first + j;
    memset(whole, 0, sizeof whole);
    ranks_gather(ranks, VERTICES, sizeof *part, part, whole);
    for (int j = 0; j < VERTICES; j++)
        wrong += whole[j][0] != j || whole[j][1] != j;
    memset(whole, 0, sizeof whole);
    ranks_collect(ranks, VERTICES, sizeof *part, part, ranks->rank == 0 ? whole : NULL);
    for (int j = 0; j < VERTICES && ranks->rank == 0; j++)
        wrong += whole[j][0] != j;
    failures[ranks->rank] = wrong;
}

TEST(ranks_agree)
{
    for (int count = 1; count <= 4; count++) {
        int failures[RANK_THREADS_MAX] = {1, 1, 1, 1};
        rank_threads_run(count, rank_body, failures);
        for (int rank = 0; rank < count; rank++)
            assert_int_equal(failures[rank], 0);
    }
}

/* In a single process, the functions give the same results without sending messages. */
TEST(alone_nothing_is_sent)
{
    double sums[] = {1.0}, rests[] = {0x1p-30};
    int own[] = {4, 5}, whole[] = {0, 0};
    VertexShare share = ranks_share(NULL, 2);
    assert_int_equal(share.first, 0);
    assert_int_equal(share.count, 2);
    ranks_sum(NULL, sums, rests, 1);
    assert_true(sums[0] == 1.0 + 0x1p-30 && rests[0] == 0.0);
    ranks_gather(NULL, 2, sizeof *own, own, whole);
    assert_memory_equal(own, whole, sizeof own);
    assert_true(ranks_decide(NULL, true) && ranks_is_first(NULL));
}
