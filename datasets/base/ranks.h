/* The processes (MPI ranks) that share one piece of work. Data per vertex are distributed over the ranks,
 * and small data are the same on all ranks. Sums over vertices do not depend on the number of ranks. Each
 * fixed block of vertices (ranks_block_size) is summed in a fixed order, and the sums of the blocks are
 * added in twice the precision (exact_sum.h).
 *
 * If `ranks` is NULL or its count is 1, nothing is communicated. All ranks must call the functions below in
 * the same order with the same sizes. Decisions that could differ between ranks, because of clocks, stop
 * requests or rounding, are made by rank 0 and broadcast. The functions cannot fail: if a process is lost
 * or cannot go on, the launcher ends all processes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct Ranks {
    int rank, count;
    int *counts, *firsts; /* workspace of `gather`: two arrays [count] */
    void *context; /* passed to the callbacks, which work like the functions ranks_sum, ranks_max and so on
                      below */
    void (*sum)(void *context, double *sums, double *low_parts,
                ptrdiff_t count); /* adds the pairs of all ranks without rounding them */
    void (*max)(void *context, double *values, ptrdiff_t count);
    void (*broadcast)(void *context, void *data, size_t size_bytes);
    /* Gathers the array own [counts[rank]][item_bytes] of every rank into `whole`, where it begins at item
     * firsts[rank]. Only rank 0 gets the result unless to_all is set. `own` may already be in its place in
     * `whole`. */
    void (*gather)(void *context, const void *own, const int *counts, const int *firsts, size_t item_bytes,
                   void *whole, bool to_all);
} Ranks;

static inline bool ranks_are_many(const Ranks *ranks)
{
    return ranks && ranks->count > 1;
}

/* Whether this is rank 0, the only rank that prints, writes and decides. */
static inline bool ranks_is_first(const Ranks *ranks)
{
    return !ranks || ranks->rank == 0;
}

/* Returns the number of vertices per block, computed from vertex_count alone. It is a multiple of 256, so
 * that vertices that are computed together stay on one rank. It is small enough to split a large mesh
 * evenly among 64 ranks. */
int ranks_block_size(int vertex_count);

/* A range of consecutive vertices. */
typedef struct VertexShare {
    int first, count;
} VertexShare;

/* Returns the vertices of this rank: whole blocks, distributed as evenly as possible. The count may be 0 if
 * there are fewer blocks than ranks. */
VertexShare ranks_share(const Ranks *ranks, int vertex_count);

/* Returns the range of items of this rank, for items that are not divided into blocks, such as frames. The
 * ranges of two ranks differ in length by at most one item. */
VertexShare ranks_even_share(const Ranks *ranks, int count);

/* Adds up sums over all ranks and rounds them. Each sum is a pair as in exact_sums_add. All ranks get the
 * same result. */
void ranks_sum(const Ranks *ranks, double *sums, double *low_parts, ptrdiff_t count);

/* Replace values on all ranks: ranks_broadcast by the values of rank 0, ranks_max by the largest value of
 * any rank. */
void ranks_broadcast(const Ranks *ranks, void *data, size_t size_bytes);
void ranks_max(const Ranks *ranks, double *values, ptrdiff_t count);

/* Assemble an array [vertex_count][item_bytes] from the parts of all ranks (ranks_share). ranks_gather
 * gives it to all ranks. ranks_collect gives it only to rank 0, and `whole` may be NULL on the others.
 * `own` may already be in its place in `whole`; otherwise it is copied, even if there is only one rank. */
void ranks_gather(const Ranks *ranks, int vertex_count, size_t item_bytes, const void *own, void *whole);
void ranks_collect(const Ranks *ranks, int vertex_count, size_t item_bytes, const void *own, void *whole);

/* Work like ranks_gather and ranks_collect, but for items distributed by ranks_even_share. */
void ranks_gather_even(const Ranks *ranks, int count, size_t item_bytes, const void *own, void *whole);
void ranks_collect_even(const Ranks *ranks, int count, size_t item_bytes, const void *own, void *whole);

/* Returns on every rank the decision of rank 0. */
bool ranks_decide(const Ranks *ranks, bool decision);
