/* The seam between the host backends and a method's kernel: what host_kernel.c, compiled once per method and
 * flavour, offers, and the layout of what it reads and writes. No type here depends on `Real`: the arrays
 * named void * hold double in the reference flavour and float in all others. */
#ifndef SKINBENCH_BACKENDS_HOST_KERNEL_H
#define SKINBENCH_BACKENDS_HOST_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

enum {
    TILE_PADDING = 8,       /* the lanes of a tile are a multiple of this */
    TILE_LANES_MAX = 256,   /* a larger joint set is cut into several tiles */
    FRAME_LANES = 16,       /* frames that lie side by side where lanes are frames */
    KERNEL_VARIANTS_MAX = 8 /* of any method */
};

/* Vertices of one joint set that lie together. Their data is one run of reals, component by component, each
 * component `lanes` long: rest position (3), rest normal (3, when normals are skinned), weights (count),
 * values of the method per vertex (values). Lanes past `vertices` repeat the last vertex. */
typedef struct HostTile {
    int32_t set;
    int32_t count;    /* influences */
    int32_t vertices; /* real ones */
    int32_t lanes;    /* vertices, padded */
    int64_t data;     /* where the run starts, in reals */
    int64_t vertex;   /* first vertex, in bound order */
    int64_t lane;     /* first lane: results start at lane * components */
} HostTile;

/* A share of the skin stage: some tiles, one frame or one block of FRAME_LANES frames. In a block of frames
 * every joint and set value stands FRAME_LANES times, for the frames side by side. */
typedef struct HostTask {
    const HostTile *tiles;
    int tile_count;
    int values_per_vertex, values_per_joint, values_per_set;
    int frames; /* that count, in a block of frames */
    bool normals;
    const void *data;
    const int32_t *first_slot, *joints; /* as in JointSets */
    const void *joint_values;           /* [P][values_per_joint], times FRAME_LANES */
    const void *set_values;             /* [S][values_per_set], times FRAME_LANES */
    const uint8_t *set_variants;        /* [S] */
    const void *parameters;
    void *out; /* tiles: a run per tile, component by component; frames: [N][components][FRAME_LANES] */
} HostTask;

/* One flavour of a kernel. */
typedef struct HostKernel {
    const char *level; /* "v3" and so on; "" outside the simd backends */
    int variant_count;
    void (*skin)(const HostTask *task);
    void (*skin_frames)(const HostTask *task);
} HostKernel;

#endif
