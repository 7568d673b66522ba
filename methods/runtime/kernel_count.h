/* Counts what a kernel's text computes and reads: a lower bound of what any compiler makes of it.
 * Comparisons, signs and absolute values are free. */
#pragma once

#include "datasets/geometry/counted_real.h"
#include "datasets/model/joint_sets.h"
#include "methods/runtime/backends/host_kernel.h"

/* A vertex in a frame. */
typedef struct KernelSample {
    int influences, variant;
    int values_per_joint, values_per_set, values_per_vertex, values_per_influence, parameter_count;
    bool normals;
    const double *joint_values; /* [P][values_per_joint] */
    const int32_t *joints;      /* [influences] */
    const double *weights;      /* [influences] */
    const double *set_values, *parameters;
    const int32_t *positions; /* 0, 1, ... [influences] */
    double rest[6];           /* position and normal; no constants, or the compiler would compute with them */
    CountedReal *workspace;   /* [kernel_sample_values] */
} KernelSample;

/* A method's kernel in a Real that counts: count_kernel.c, compiled once per method. Values per vertex are
 * 0. */
typedef OperationCounts KernelCounter(const KernelSample *sample);

static inline size_t kernel_sample_values(int influences, const KernelSample *sample)
{
    return (size_t)influences * ((size_t)(sample->values_per_joint + sample->values_per_influence) + 1) +
           (size_t)sample->values_per_set + (size_t)sample->values_per_vertex +
           (size_t)sample->parameter_count;
}

/* How a backend of this processor lays its vertices out. */
typedef struct KernelTiling {
    const HostRun *runs;
    int run_count;
    const HostBlock *blocks;
    const int32_t *joints; /* HostRun.slot: where its joints start */
    const char *level;     /* instruction-set level; "": no vectors */
    int lanes;             /* vertices of a turn of the kernel's loop */
} KernelTiling;

/* What the skin stage takes at least per vertex and frame, in the mean over the vertices. */
typedef struct KernelWork {
    OperationCounts vertex; /* of the vertex' own influences, whatever lanes there are */
    OperationCounts lanes;  /* instructions on vectors of the lanes that are computed, padding included;
                             * divided by the  vertices */
    double loads;           /* instructions: each value read once in a turn of the loop */
    double result_reals;    /* written in lanes, padding included */
} KernelWork;

/* Counts it for vectors of `vector_lanes`. `sample` has all but influences, variant, joints, weights, set
 * values and workspaces; set_values [S][values_per_set] and set_variants [S] are of one posed frame. */
Status kernel_work_count(KernelCounter *counter, KernelSample sample, const JointSets *sets,
                         const double *set_values, const uint8_t *set_variants, const KernelTiling *tiling,
                         int vector_lanes, KernelWork *out);
