/* Runs ranks (datasets/base/ranks.h) as threads of this process. In unit tests they replace the processes
 * of a launcher. */
#pragma once

#include "datasets/base/base.h"
#include "datasets/base/exact_sum.h"
#include "datasets/base/ranks.h"

#include <pthread.h>

enum { RANK_THREADS_MAX = 8 };

typedef struct RankThreads {
    int count;
    pthread_barrier_t meeting;
    void *posted[RANK_THREADS_MAX], *rests[RANK_THREADS_MAX];
    void (*body)(const Ranks *ranks, void *context);
    void *context;
} RankThreads;

typedef struct RankThread {
    RankThreads *all;
    int rank;
} RankThread;

static inline void rank_thread_post(RankThread *thread, void *data, void *rests)
{
    thread->all->posted[thread->rank] = data;
    thread->all->rests[thread->rank] = rests;
    pthread_barrier_wait(&thread->all->meeting);
}

/* Adds the terms of all ranks. Each rank adds them in a different order, beginning with its own. */
static inline void rank_thread_sum(void *context, double *sums, double *rests, ptrdiff_t count)
{
    RankThread *thread = context;
    RankThreads *all = thread->all;
    ExactSum *totals = calloc((size_t)count + 1, sizeof *totals);
    rank_thread_post(thread, sums, rests);
    for (int turn = 0; turn < all->count; turn++) {
        int rank = (thread->rank + turn) % all->count;
        const double *from = all->posted[rank], *left = all->rests[rank];
        for (ptrdiff_t i = 0; i < count; i++)
            exact_sum_join(&totals[i], (ExactSum){from[i], left[i]});
    }
    pthread_barrier_wait(&all->meeting);
    for (ptrdiff_t i = 0; i < count; i++) {
        sums[i] = totals[i].sum;
        rests[i] = totals[i].rest;
    }
    free(totals);
}

static inline void rank_thread_max(void *context, double *values, ptrdiff_t count)
{
    RankThread *thread = context;
    RankThreads *all = thread->all;
    double *max = malloc(((size_t)count + 1) * sizeof *max);
    memcpy(max, values, (size_t)count * sizeof *max);
    rank_thread_post(thread, values, NULL);
    for (int rank = 0; rank < all->count; rank++)
        for (ptrdiff_t i = 0; i < count; i++) {
            double other = ((const double *)all->posted[rank])[i];
            max[i] = other > max[i] ? other : max[i];
        }
    pthread_barrier_wait(&all->meeting);
    memcpy(values, max, (size_t)count * sizeof *max);
    free(max);
}

static inline void rank_thread_broadcast(void *context, void *data, size_t size_bytes)
{
    RankThread *thread = context;
    rank_thread_post(thread, data, NULL);
    if (thread->rank > 0)
        memcpy(data, thread->all->posted[0], size_bytes);
    pthread_barrier_wait(&thread->all->meeting);
}

static inline void rank_thread_gather(void *context, const void *own, const int *counts, const int *firsts,
                                      size_t item_bytes, void *whole, bool to_all)
{
    RankThread *thread = context;
    void *mine = malloc((size_t)counts[thread->rank] * item_bytes + 1);
    memcpy(mine, own, (size_t)counts[thread->rank] * item_bytes);
    rank_thread_post(thread, mine, NULL);
    for (int rank = 0; rank < thread->all->count && (to_all || thread->rank == 0); rank++)
        memcpy((char *)whole + (size_t)firsts[rank] * item_bytes, thread->all->posted[rank],
               (size_t)counts[rank] * item_bytes);
    pthread_barrier_wait(&thread->all->meeting);
    free(mine);
}

static inline void *rank_thread_run(void *context)
{
    RankThread *thread = context;
    int counts[RANK_THREADS_MAX], firsts[RANK_THREADS_MAX];
    const Ranks ranks = {.rank = thread->rank,
                         .count = thread->all->count,
                         .counts = counts,
                         .firsts = firsts,
                         .context = thread,
                         .sum = rank_thread_sum,
                         .max = rank_thread_max,
                         .broadcast = rank_thread_broadcast,
                         .gather = rank_thread_gather};
    thread->all->body(&ranks, thread->all->context);
    return NULL;
}

/* Runs `body` on `count` ranks in parallel, at most RANK_THREADS_MAX, and waits for all of them. */
static inline void rank_threads_run(int count, void (*body)(const Ranks *ranks, void *context), void *context)
{
    RankThreads all = {.count = count, .body = body, .context = context};
    RankThread threads[RANK_THREADS_MAX];
    pthread_t handles[RANK_THREADS_MAX];
    pthread_barrier_init(&all.meeting, NULL, (unsigned)count);
    for (int rank = 0; rank < count; rank++) {
        threads[rank] = (RankThread){&all, rank};
        pthread_create(&handles[rank], NULL, rank_thread_run, &threads[rank]);
    }
    for (int rank = 0; rank < count; rank++)
        pthread_join(handles[rank], NULL);
    pthread_barrier_destroy(&all.meeting);
}
