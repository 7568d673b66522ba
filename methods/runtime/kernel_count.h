/* Counts the operations and reads in a kernel's source. Their number is a lower bound for any compiled
 * code. Comparisons, sign changes and absolute values are not counted. */
#pragma once

#include "datasets/geometry/counted_real.h"
#include "datasets/model/joint_sets.h"
#include "methods/runtime/backends/host_kernel.h"

/* One vertex in one frame, as input of a counting kernel. */
typedef struct KernelSample {
    int influences, variant;
    int values_per_joint, values_per_set, values_per_vertex, values_per_influence, parameter_count;
    bool normals;
    const double *joint_values; /* [P][values_per_joint] */
    const int32_t *joints;      /* [influences] */
    const double *weights;      /* [influences] */
    const double *set_values, *parameters;
    const int32_t *positions; /* [influences] 0, 1, 2, ... */
    double rest[6]; /* rest position and normal; not constants, because the compiler would evaluate operations
                       on constants and they would not be counted */
    CountedReal *workspace; /* [kernel_sample_values] */
} KernelSample;

/* A method's kernel compiled with a Real that counts operations (count_kernel.c, once per method). It reads
 * 0 for all values per vertex. */
typedef OperationCounts KernelCounter(const KernelSample *sample);

static inline size_t kernel_sample_values(int influences, const KernelSample *sample)
{
    return (size_t)influences * ((size_t)(sample->values_per_joint + sample->values_per_influence) + 1) +
           (size_t)sample->values_per_set + (size_t)sample->values_per_vertex +
           (size_t)sample->parameter_count;
}

/* Arrangement of the vertices by a processor backend. */
typedef struct KernelTiling {
    const HostRun *runs;
    int run_count;
    const HostBlock *blocks;
    const int32_t
        *joints; /* joints of all runs; HostRun.slot is the index of a run's first joint in this array */
    const char *level; /* instruction-set level; empty without vectors */
    int lanes;         /* vertices per iteration of the kernel's loop */
} KernelTiling;

/* Lower bound of the skin stage's work per vertex and frame, as a mean over the vertices. */
typedef struct KernelWork {
    OperationCounts vertex; /* operations for the vertex's own influences, without padding */
    OperationCounts
        lanes; /* vector instructions over all lanes, including padding, divided by the number of vertices */
    double loads;        /* load instructions, if each value is read once per iteration of the loop */
    double result_reals; /* number of reals written, including padding */
} KernelWork;

/* Computes the work of a rig for vectors of `vector_lanes` lanes. The caller fills `sample` except for
 * influences, variant, joints, weights, set values and workspaces. set_values [S][values_per_set] and
 * set_variants [S] belong to one posed frame. */
Status kernel_work_count(KernelCounter *counter, KernelSample sample, const JointSets *sets,
                         const double *set_values, const uint8_t *set_variants, const KernelTiling *tiling,
                         int vector_lanes, KernelWork *out);
