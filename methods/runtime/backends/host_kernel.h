/* Interface between the host backends and a method's kernel: the functions of host_loops.c, compiled once
 * per method and flavour, and the layout of their input and output. No type here depends on `Real`. Arrays
 * declared as void * hold doubles in the reference flavour and floats in all others. */
#pragma once

#include "datasets/base/base.h"

enum {
    LINE_REALS = 16,        /* floats per cache line */
    ROW_REALS = 4,          /* floats per row of a point: x, y, z and one unused float */
    KERNEL_VARIANTS_MAX = 5 /* maximum variant_count of a method */
};

/* A block: consecutive vertices in bound order that are skinned side by side. They belong to one joint set
 * or, if the method lets sets mix, to several sets with the union of their joints. A block has as many
 * lanes as the kernel. Its data are stored component by component, with one real per lane: rest position
 * (3), rest normal (3, if normals are skinned), weights (count), values per vertex (values) and per
 * influence (count * values). Unused lanes repeat the last vertex. */
typedef struct HostBlock {
    int32_t set;       /* first joint set of the block */
    int32_t set_count; /* number of joint sets; 1 unless sets are mixed */
    int32_t lane;      /* index of the first lane within the chunk; results start at lane * components */
    int32_t first_vertex, vertex_count; /* index of the first vertex within the chunk, in bound order, and
                                           number of vertices of the block */
} HostBlock;

/* Consecutive blocks with the same number of joints, whose data and joints are contiguous. */
typedef struct HostRun {
    int32_t count; /* influences per vertex, rounded up to an entry of LOOP_COUNTS if the kernel has counted
                      loops */
    int32_t loop;  /* index of the kernel's loop for this number of influences */
    int32_t first_block, block_count;
    int32_t whole_count; /* number of leading blocks in which all lanes are used */
    int64_t slot; /* index of the run's first joint in HostTask.joints, which holds `count` joints for each
                     block */
    int64_t data; /* offset of the data, in reals */
} HostRun;

/* Part of the skin stage: it skins the runs of one chunk in one frame. Results are stored block by block in
 * bound order, like the data: [block][components][lanes]. */
typedef struct HostTask {
    const HostRun *runs;
    int run_count;
    const HostBlock *blocks;
    int values_per_vertex, values_per_influence, values_per_joint, values_per_set;
    int parameter_count;
    int64_t *misread; /* set by the reference kernel if it reads past the available values
                         (methods/kernel/kernel_reads.h) */
    bool normals;
    const void *data;
    const void
        *scaled; /* rest pose scaled by the first phase, in the layout of `out`; NULL without a first phase */
    const int32_t *joints; /* [slots] joints of the blocks; the first joint is repeated with weight 0 to fill
                              up a block's count */
    const void *joint_values;    /* [P][values_per_joint] */
    const void *set_values;      /* [S][values_per_set] */
    const int32_t *set_vertices; /* JointSets.first_vertex */
    int first_vertex;            /* first vertex of the chunk, in bound order */
    const uint8_t *set_variants; /* [S] variants; NULL if all sets of these runs have variant 0 */
    const void *parameters;
    void *out; /* results of the chunk; only workspace if the results go to `rows` */
    /* If this is not NULL, the vector loops write their results to it: packed as by HostKernel.rows, or
     * each lane to a row (HostRows.by_lane). If it is NULL, the results stay in `out`, in the order of
     * lanes. */
    const struct HostRows *rows;
    float *positions, *normals_out; /* destination in the first frame, if `rows` is used */
    /* Number of consecutive frames. It may exceed 1 only with `rows`, without a first phase and without
     * set_variants. From one frame to the next, joint and set values advance by the steps below, and points
     * by rows->frame_reals. */
    int frames;
    size_t joint_step, set_step;
} HostTask;

/* Describes the copy of results to packed points. Vertex i of the run goes to point vertices[i] or, if the
 * run is `contiguous`, to point vertices[0] + i. The points of the next frame are frame_reals further
 * on. */
typedef struct HostRows {
    const void *results; /* as HostTask.out */
    bool normals;        /* whether the results include normals */
    const int32_t *vertices;
    int vertex_count;
    const uint8_t *block_vertices; /* number of lanes that hold vertices, for each block */
    bool contiguous;
    /* Whether vector loops write each lane to a row instead of packing points; for one frame only. A lane
     * (numbered as HostBlock.lane) goes to a row of ROW_REALS floats in the task's positions and normals.
     * Within each group of HostKernel.row_lanes rows, its index is turned_row. */
    bool by_lane;
    size_t frame_reals;
    bool doubles;                  /* whether positions and normals are double; otherwise they are float */
    void *positions, *normals_out; /* NULL if not wanted */
    bool fetch; /* whether each block prefetches the memory of its points in the next frame, because it is not
                   in the cache */
} HostRows;

/* Returns the index of a lane's row within a group of `lanes` lanes that are transposed together. */
static inline int turned_row(int lane, int lanes)
{
    return lane % 4 * (lanes / 4) + lane / 4;
}

/* Numbers of influences that have their own loop in the vector flavours, unrolled so that every compiler
 * vectorises it. Any other number is rounded up to the next of these. Loop 0 accepts any number of
 * influences and skins one vertex after another. */
#define LOOP_COUNTS(X) X(0) X(1) X(2) X(3) X(4) X(6) X(8) X(12) X(16)
#define LOOP_INFLUENCES_OF(count) count,
#define LOOP_INFLUENCES                                                                                      \
    {                                                                                                        \
        LOOP_COUNTS(LOOP_INFLUENCES_OF)                                                                      \
    }
enum { LOOP_COUNT = 9 };

/* A method's kernel compiled for one flavour. */
typedef struct HostKernel {
    const char *level; /* instruction-set level such as "v3"; empty except in the simd backend */
    int variant_count;
    int influence_values; /* number of values that the kernel reads per influence */
    int lanes;            /* lanes per block; 1 if there is only loop 0 */
    int row_lanes;        /* number of lanes that are transposed to rows together */
    int block_joints;     /* maximum number of joints in a block of several joint sets */
    int mixed_set_joints; /* minimum number of joints of a set that may share a block with other sets; 0: the
                             method decides whether sets mix */
    void (*skin)(const HostTask *task);
    void (*rows)(const HostRows *rows); /* packs the results of `skin` */
} HostKernel;
