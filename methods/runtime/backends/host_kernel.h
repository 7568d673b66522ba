/* The seam between the host backends and a method's kernel: what host_loops.c, compiled once per method and
 * flavour, offers, and the layout of what it reads and writes. No type here depends on `Real`: the arrays
 * named void * hold double in the reference flavour and float in all others. */
#pragma once

#include "datasets/base/base.h"

enum {
    LINE_REALS = 16,        /* floats of a line of the caches */
    ROW_REALS = 4,          /* floats of a point's row: x, y, z and what no one reads */
    KERNEL_VARIANTS_MAX = 5 /* of any method */
};

/* Vertices that are skinned side by side, consecutive ones in bound order: those of one joint set, or, where
 * the method lets sets mix, of several with the union of their joints. A block has as many lanes as the
 * kernel; its data are one run of reals, component by component, each as long as
 * the lanes: rest position (3), rest normal (3, when normals are skinned), weights (count), values of the
 * method per vertex (values) and per influence (count * values). Lanes past its last vertex repeat that. */
typedef struct HostBlock {
    int32_t set;       /* first of its joint sets */
    int32_t set_count; /* 1, or those mixed */
    int32_t lane; /* its first, counted from the first of its chunk: results start at lane * components */
    int32_t first_vertex, vertex_count; /* counted likewise, in bound order; those of the block */
} HostBlock;

/* Blocks with as many joints: their data and their joints follow each other. */
typedef struct HostRun {
    int32_t
        count;    /* influences, rounded up to a count of influence_counts where the kernel's loops want it */
    int32_t loop; /* which of the kernel's loops takes them */
    int32_t first_block, block_count;
    int32_t whole_count; /* blocks from this on may have lanes that are no vertices */
    int64_t slot;        /* first of their joints in HostTask.joints, `count` for each block */
    int64_t data;        /* where their data start, in reals */
} HostRun;

/* A share of the skin stage: the runs of a chunk in one frame. Results are blocks of lanes as the data are,
 * in bound order: [block][components][lanes]. */
typedef struct HostTask {
    const HostRun *runs;
    int run_count;
    const HostBlock *blocks;
    int values_per_vertex, values_per_influence, values_per_joint, values_per_set;
    int parameter_count;
    int64_t *misread; /* of the reference: what kernel_has finds (methods/kernel/kernel_reads.h) */
    bool normals;
    const void *data;
    const void *scaled;    /* NULL, or the rest pose after the first phase, in the layout of `out` */
    const int32_t *joints; /* [slots] what past a set's influences repeats its first joint, with weight 0 */
    const void *joint_values;    /* [P][values_per_joint] */
    const void *set_values;      /* [S][values_per_set] */
    const int32_t *set_vertices; /* JointSets.first_vertex */
    int first_vertex;            /* of the chunk, in bound order */
    const uint8_t *set_variants; /* [S], or NULL where those of the runs' sets are all 0 */
    const void *parameters;
    void *out; /* of the chunk; with rows, memory for as much */
    /* Where the vector loops put their results themselves, as HostKernel.rows would those in
     * `out`, or each lane by itself (HostRows.by_lane); NULL: results stay in lanes. */
    const struct HostRows *rows;
    float *positions, *normals_out; /* the rows', of the first frame */
    /* Frames one after the other, 1 but with rows, in one phase, and where set_variants is NULL; in the next
     * one joint and set values stand this many reals on, points rows->frame_reals. */
    int frames;
    size_t joint_step, set_step;
} HostTask;

/* Results on their way to packed points. Vertex i of the run goes to point vertices[i], or to point
 * vertices[0] + i of a run that is `contiguous`; points of the next frame lie frame_reals on. */
typedef struct HostRows {
    const void *results; /* as HostTask.out */
    bool normals;        /* are among them */
    const int32_t *vertices;
    int vertex_count;
    const uint8_t *block_vertices; /* how many lanes of each block are vertices of the run */
    bool contiguous;
    /* Of the vector loops, in one frame: each lane of a block, counted as HostBlock.lane, goes
     * to a row of ROW_REALS floats at the task's positions and normals, at turned_row of each
     * HostKernel.row_lanes. */
    bool by_lane;
    size_t frame_reals;
    bool doubles;                  /* positions and normals are double, else float */
    void *positions, *normals_out; /* NULL: not wanted */
    bool fetch;                    /* beside each block, the points of the next frame, which are far */
} HostRows;

/* The row of a lane among those of `lanes` lanes that are turned at a time. */
static inline int turned_row(int lane, int lanes)
{
    return lane % 4 * (lanes / 4) + lane / 4;
}

/* The counts of influences that have a loop of their own in the vector flavours: unrolled, so that every
 * compiler makes vectors of it. Counts between are rounded up. Loop 0 takes any count, one vertex at a
 * time. */
#define LOOP_COUNTS(X) X(0) X(1) X(2) X(3) X(4) X(6) X(8) X(12) X(16)
#define LOOP_INFLUENCES_OF(count) count,
#define LOOP_INFLUENCES                                                                                      \
    {                                                                                                        \
        LOOP_COUNTS(LOOP_INFLUENCES_OF)                                                                      \
    }
enum { LOOP_COUNT = 9 };

/* One flavour of a kernel. */
typedef struct HostKernel {
    const char *level; /* "v3" and so on; "" outside the simd backends */
    int variant_count;
    int influence_values; /* that it reads of each influence */
    int lanes;            /* of a block; 1: there is only loop 0 */
    int row_lanes;        /* that are turned to rows at a time */
    int block_joints;     /* of a block of several joint sets, at most */
    int mixed_set_joints; /* of each of these, at least; 0: the method says whether any may be mixed */
    void (*skin)(const HostTask *task);
    void (*rows)(const HostRows *rows); /* results of skin */
} HostKernel;
