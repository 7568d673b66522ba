/* Implements ranks over MPI, as the shared object skinbench_mpi. Exact sums, which consist of two numbers
 * (exact_sum.h), use their own MPI operation. They are reduced to rank 0 and broadcast from there, so that
 * all ranks get the same bits whatever the order of additions. */
#include "datasets/base/exact_sum.h"
#include "harness/run/ranks/ranks_plugin.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 16, MESSAGE_BYTES = 1 << 30 };

typedef struct MpiRanks {
    MPI_Datatype pair;
    MPI_Op add;
    ExactSum *pairs; /* [CHUNK] */
} MpiRanks;

/* Adds pairs; an MPI_User_function. */
static void pairs_add(void *from, void *target, int *count, MPI_Datatype *type)
{
    const ExactSum *terms = from;
    ExactSum *sums = target;
    (void)type;
    for (int i = 0; i < *count; i++)
        exact_sum_join(&sums[i], terms[i]);
}

static void mpi_sum(void *context, double *sums, double *rests, ptrdiff_t count)
{
    const MpiRanks *mpi = context;
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (ptrdiff_t first = 0; first < count; first += CHUNK) {
        int size = count - first < CHUNK ? (int)(count - first) : CHUNK;
        for (int i = 0; i < size; i++)
            mpi->pairs[i] = (ExactSum){sums[first + i], rests[first + i]};
        MPI_Reduce(rank == 0 ? MPI_IN_PLACE : mpi->pairs, mpi->pairs, size, mpi->pair, mpi->add, 0,
                   MPI_COMM_WORLD);
        MPI_Bcast(mpi->pairs, size, mpi->pair, 0, MPI_COMM_WORLD);
        for (int i = 0; i < size; i++) {
            sums[first + i] = mpi->pairs[i].sum;
            rests[first + i] = mpi->pairs[i].rest;
        }
    }
}

static void mpi_max(void *context, double *values, ptrdiff_t count)
{
    (void)context;
    for (ptrdiff_t first = 0; first < count; first += CHUNK)
        MPI_Allreduce(MPI_IN_PLACE, values + first, count - first < CHUNK ? (int)(count - first) : CHUNK,
                      MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}

static void mpi_broadcast(void *context, void *data, size_t size_bytes)
{
    (void)context;
    for (size_t first = 0; first < size_bytes; first += MESSAGE_BYTES) {
        size_t size = size_bytes - first < MESSAGE_BYTES ? size_bytes - first : MESSAGE_BYTES;
        MPI_Bcast((char *)data + first, (int)size, MPI_BYTE, 0, MPI_COMM_WORLD);
    }
}

static void mpi_gather(void *context, const void *own, const int *counts, const int *firsts,
                       size_t item_bytes, void *whole, bool to_all)
{
    MPI_Datatype item;
    int rank = 0;
    (void)context;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_contiguous((int)item_bytes, MPI_BYTE, &item);
    MPI_Type_commit(&item);
    const bool receives = to_all || rank == 0;
    const bool in_place = receives && own == (char *)whole + (size_t)firsts[rank] * item_bytes;
    const void *from = in_place ? MPI_IN_PLACE : own;
    if (to_all)
        MPI_Allgatherv(from, counts[rank], item, whole, counts, firsts, item, MPI_COMM_WORLD);
    else
        MPI_Gatherv(from, counts[rank], item, whole, counts, firsts, item, 0, MPI_COMM_WORLD);
    MPI_Type_free(&item);
}

static bool mpi_start(Ranks *ranks)
{
    static MpiRanks mpi;
    int provided = 0;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS)
        return false;
    mpi.pairs = malloc(CHUNK * sizeof *mpi.pairs);
    MPI_Type_contiguous(2, MPI_DOUBLE, &mpi.pair);
    MPI_Type_commit(&mpi.pair);
    MPI_Op_create(pairs_add, 1, &mpi.add);
    MPI_Comm_rank(MPI_COMM_WORLD, &ranks->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks->count);
    ranks->context = &mpi;
    ranks->sum = mpi_sum;
    ranks->max = mpi_max;
    ranks->broadcast = mpi_broadcast;
    ranks->gather = mpi_gather;
    return mpi.pairs != NULL;
}

static void mpi_finish(void)
{
    MPI_Finalize();
}

static void mpi_end_all(int exit_code)
{
    MPI_Abort(MPI_COMM_WORLD, exit_code);
    _Exit(exit_code);
}

static void mpi_describe(char text[RANKS_PLUGIN_TEXT_BYTES])
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    MPI_Get_library_version(version, &length);
    version[strcspn(version, ",\n")] = '\0';
    snprintf(text, RANKS_PLUGIN_TEXT_BYTES, "%s", version);
}

__attribute__((visibility("default"))) const RanksPlugin *skinbench_ranks_plugin(void)
{
    static const RanksPlugin plugin = {RANKS_PLUGIN_ABI, mpi_describe, mpi_start, mpi_finish, mpi_end_all};
    return &plugin;
}
