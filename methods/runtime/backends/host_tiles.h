/* The vertices of a rig as the host's loops want them (host_kernel.h): the bound order cut into blocks of
 * lanes, with rest pose, weights and the method's values per vertex side by side, and the blocks into the
 * shares of a thread. */
#pragma once

#include "methods/runtime/backends/implementation.h"

/* Some consecutive blocks: what a thread takes at a time. */
typedef struct HostChunk {
    int first_run, run_count;
    int first_vertex, vertex_count; /* in bound order */
    int first_set, set_count;       /* that these are of */
    int64_t first_block;            /* likewise */
    int block_count;
    bool contiguous; /* its vertices follow each other in the file too */
} HostChunk;

typedef struct HostTiles {
    HostBlock *blocks; /* chunk by chunk, run by run */
    HostRun *runs;
    HostChunk *chunks;
    int chunk_count;
    int32_t *joints;         /* of the blocks, as HostTask wants them */
    uint8_t *block_vertices; /* of every block in bound order, how many lanes are vertices */
    int64_t lane_count;      /* of all blocks */
    int lanes;               /* of a block */
    int chunk_lanes;         /* of the largest chunk */
    int components;          /* of a point: 3, or 6 with normals */
    int values_per_vertex, values_per_influence;
    void *data; /* of all blocks, reals */
} HostTiles;

/* What the vertices are cut for. */
typedef struct HostTilesPlan {
    int lanes;            /* vertices side by side; 1: one at a time */
    bool is_double;       /* reals are doubles, else floats */
    bool counted_loops;   /* the kernel has loops for some counts of influences */
    int joints_max;       /* of a block of several joint sets */
    int mixed_set_joints; /* HostKernel's */
    int chunk_vertices;   /* about as many a chunk */
} HostTilesPlan;

/* Release with host_tiles_clear, also after a failure. */
Status host_tiles_init(const BackendBinding *binding, const HostTilesPlan *plan, HostTiles *out);
void host_tiles_clear(HostTiles *tiles);

/* Arrays of reals: double where they are is_double, else float. */
static inline size_t real_size(bool is_double)
{
    return is_double ? sizeof(double) : sizeof(float);
}

static inline void real_store(bool is_double, void *array, size_t index, double value)
{
    if (is_double)
        ((double *)array)[index] = value;
    else
        ((float *)array)[index] = (float)value;
}

static inline double real_get(bool is_double, const void *array, size_t index)
{
    return is_double ? ((const double *)array)[index] : (double)((const float *)array)[index];
}

static inline const void *real_at(bool is_double, const void *array, size_t index)
{
    return (const char *)array + index * real_size(is_double);
}
