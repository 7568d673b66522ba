/* The vertices of a rig in the layout of the host's loops (host_kernel.h). The bound order is divided into
 * blocks of lanes. In a block, the rest pose, the weights and the method's values of its vertices are side
 * by side. The blocks are grouped into chunks for the threads. */
#pragma once

#include "methods/runtime/backends/implementation.h"

/* Consecutive blocks that a thread skins together. */
typedef struct HostChunk {
    int first_run, run_count;
    int first_vertex, vertex_count; /* range of vertices, in bound order */
    int first_set, set_count;       /* range of the joint sets of these vertices */
    int64_t first_block;            /* likewise */
    int block_count;
    bool contiguous; /* whether the chunk's vertices are consecutive in the file */
} HostChunk;

typedef struct HostTiles {
    HostBlock *blocks; /* blocks, ordered by chunk and run */
    HostRun *runs;
    HostChunk *chunks;
    int chunk_count;
    int32_t *joints;         /* joints of the blocks, for HostTask */
    uint8_t *block_vertices; /* number of used lanes in every block, in bound order */
    int64_t lane_count;      /* number of lanes in all blocks */
    int lanes;               /* lanes per block */
    int chunk_lanes;         /* number of lanes of the largest chunk */
    int components;          /* reals per point: 3, or 6 with normals */
    int values_per_vertex, values_per_influence;
    void *data; /* data of all blocks, as reals */
} HostTiles;

/* Settings for dividing the vertices into blocks. */
typedef struct HostTilesPlan {
    int lanes;            /* number of vertices side by side; 1: no vector loops */
    bool is_double;       /* whether reals are doubles instead of floats */
    bool counted_loops;   /* whether the kernel has loops for certain numbers of influences */
    int joints_max;       /* maximum number of joints in a block of several joint sets */
    int mixed_set_joints; /* HostKernel's */
    int chunk_vertices;   /* approximate number of vertices per chunk */
} HostTilesPlan;

/* Divides the vertices into blocks and fills in their data. Release with host_tiles_clear, also after a
 * failure. */
Status host_tiles_init(const BackendBinding *binding, const HostTilesPlan *plan, HostTiles *out);
void host_tiles_clear(HostTiles *tiles);

/* Returns the size in bytes of a double if is_double, otherwise of a float. */
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

static inline const void *real_at(bool is_double, const void *array, size_t index)
{
    return (const char *)array + index * real_size(is_double);
}
