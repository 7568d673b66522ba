/* The processes that share one piece of work (of an MPI launch), each with some of the vertices. What is
 * small is the same on all ranks, what lies at vertices is a rank's own, and sums over vertices do not depend
 * on how many ranks there are: each is made of the sums of blocks of vertices (ranks_block_size), in one
 * order within a block, that are added in twice the precision (exact_sum.h).
 *
 * `ranks` NULL, or a count of 1, everywhere: alone, and nothing is sent. All ranks call the functions below
 * in the same order with the same sizes; decisions that hang on clocks, on a stop or on another processor's
 * rounding are rank 0's, broadcast. Nothing here fails: a process that cannot go on ends all (the launcher's
 * part), and so does a rank that is lost. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct Ranks {
    int rank, count;
    int *counts, *firsts; /* [count] each, for gather: workspace of the functions below */
    void *context;        /* of the functions, which take what their namesakes below do */
    void (*sum)(void *context, double *sums, double *low_parts, ptrdiff_t count); /* without the rounding */
    void (*max)(void *context, double *values, ptrdiff_t count);
    void (*broadcast)(void *context, void *data, size_t size_bytes);
    /* own [counts[rank]][item_bytes] of every rank into whole, at items firsts[rank]; to rank 0 alone unless
     * to_all. `own` may be its place in `whole`. */
    void (*gather)(void *context, const void *own, const int *counts, const int *firsts, size_t item_bytes,
                   void *whole, bool to_all);
} Ranks;

static inline bool ranks_are_many(const Ranks *ranks)
{
    return ranks && ranks->count > 1;
}

/* Whether this is rank 0, which prints, writes and decides. */
static inline bool ranks_is_first(const Ranks *ranks)
{
    return !ranks || ranks->rank == 0;
}

/* Vertices in a block, of vertex_count alone: a multiple of 256, so that blocks of what is computed together
 * never straddle two ranks, and small enough for 64 ranks to have equal shares of a mesh that can be shared
 * so. */
int ranks_block_size(int vertex_count);

/* Some vertices that lie together. */
typedef struct VertexShare {
    int first, count;
} VertexShare;

/* The vertices of this rank: whole blocks, as even as these go; a count of 0 where there are
 * fewer blocks than ranks. */
VertexShare ranks_share(const Ranks *ranks, int vertex_count);

/* The same of things that need no blocks, such as frames: a share differs from another by at most one. */
VertexShare ranks_even_share(const Ranks *ranks, int count);

/* Adds sums of all ranks, as exact_sums_add has them, and rounds (exact_sums_round): on all ranks the
 * same. */
void ranks_sum(const Ranks *ranks, double *sums, double *low_parts, ptrdiff_t count);

/* values[i] of rank 0, or the greatest of any rank. */
void ranks_broadcast(const Ranks *ranks, void *data, size_t size_bytes);
void ranks_max(const Ranks *ranks, double *values, ptrdiff_t count);

/* The array of all vertices, [vertex_count][item_bytes], from the shares, on all ranks or (ranks_collect) on
 * rank 0 alone, where the others' `whole` may be NULL. `own` may be its place in `whole`; alone it is copied
 * unless it is. Shares are the vertices' or, where `vertex_count` counts something else, that thing's
 * (ranks_share). */
void ranks_gather(const Ranks *ranks, int vertex_count, size_t item_bytes, const void *own, void *whole);
void ranks_collect(const Ranks *ranks, int vertex_count, size_t item_bytes, const void *own, void *whole);

/* As ranks_gather and ranks_collect, of even shares. */
void ranks_gather_even(const Ranks *ranks, int count, size_t item_bytes, const void *own, void *whole);
void ranks_collect_even(const Ranks *ranks, int count, size_t item_bytes, const void *own, void *whole);

/* What rank 0 says. */
bool ranks_decide(const Ranks *ranks, bool decision);
