/* Divides vertices among ranks, and communicates between ranks if there are several. */
#include "datasets/base/ranks.h"

#include "datasets/base/exact_sum.h"

#include <string.h>

enum { STEP = 256, BLOCK_MAX = 2048, BLOCKS = 64 };

int ranks_block_size(int vertex_count)
{
    int block = (vertex_count / BLOCKS / STEP + 1) * STEP;
    return block < BLOCK_MAX ? block : BLOCK_MAX;
}

static VertexShare share_of_rank(const Ranks *ranks, int vertex_count, int rank)
{
    if (!ranks_are_many(ranks))
        return (VertexShare){0, vertex_count};
    int size = ranks_block_size(vertex_count), blocks = vertex_count / size + (vertex_count % size > 0);
    long long first = (long long)blocks * rank / ranks->count * size,
              end = (long long)blocks * (rank + 1) / ranks->count * size;
    end = end < vertex_count ? end : vertex_count;
    return (VertexShare){(int)(first < end ? first : end), (int)(first < end ? end - first : 0)};
}

VertexShare ranks_share(const Ranks *ranks, int vertex_count)
{
    return share_of_rank(ranks, vertex_count, ranks ? ranks->rank : 0);
}

void ranks_sum(const Ranks *ranks, double *sums, double *low_parts, ptrdiff_t count)
{
    if (ranks_are_many(ranks))
        ranks->sum(ranks->context, sums, low_parts, count);
    exact_sums_round(sums, low_parts, count);
}

void ranks_broadcast(const Ranks *ranks, void *data, size_t size_bytes)
{
    if (ranks_are_many(ranks))
        ranks->broadcast(ranks->context, data, size_bytes);
}

void ranks_max(const Ranks *ranks, double *values, ptrdiff_t count)
{
    if (ranks_are_many(ranks))
        ranks->max(ranks->context, values, count);
}

static VertexShare even_share_of(const Ranks *ranks, int count, int rank)
{
    long long first = (long long)count * rank / ranks->count,
              end = (long long)count * (rank + 1) / ranks->count;
    return (VertexShare){(int)first, (int)(end - first)};
}

VertexShare ranks_even_share(const Ranks *ranks, int count)
{
    return ranks_are_many(ranks) ? even_share_of(ranks, count, ranks->rank) : (VertexShare){0, count};
}

typedef VertexShare (*ShareOf)(const Ranks *ranks, int count, int rank);

static void shares_gather(const Ranks *ranks, ShareOf share_of, int count, size_t item_bytes, const void *own,
                          void *whole, bool to_all)
{
    if (!ranks_are_many(ranks)) {
        if (own != whole)
            memcpy(whole, own, (size_t)count * item_bytes);
        return;
    }
    for (int rank = 0; rank < ranks->count; rank++) {
        VertexShare share = share_of(ranks, count, rank);
        ranks->counts[rank] = share.count;
        ranks->firsts[rank] = share.first;
    }
    ranks->gather(ranks->context, own, ranks->counts, ranks->firsts, item_bytes, whole, to_all);
}

void ranks_gather(const Ranks *ranks, int vertex_count, size_t item_bytes, const void *own, void *whole)
{
    shares_gather(ranks, share_of_rank, vertex_count, item_bytes, own, whole, true);
}

void ranks_collect(const Ranks *ranks, int vertex_count, size_t item_bytes, const void *own, void *whole)
{
    shares_gather(ranks, share_of_rank, vertex_count, item_bytes, own, whole, false);
}

void ranks_gather_even(const Ranks *ranks, int count, size_t item_bytes, const void *own, void *whole)
{
    shares_gather(ranks, even_share_of, count, item_bytes, own, whole, true);
}

void ranks_collect_even(const Ranks *ranks, int count, size_t item_bytes, const void *own, void *whole)
{
    shares_gather(ranks, even_share_of, count, item_bytes, own, whole, false);
}

bool ranks_decide(const Ranks *ranks, bool decision)
{
    ranks_broadcast(ranks, &decision, sizeof decision);
    return decision;
}
