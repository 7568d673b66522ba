/* What a direct skinning method is: the one header its author reads. A method is a const table of this type, its
 * stages and a kernel (methods/kernel/kernel.h):
 *
 *   bind   once per rig: per-vertex values of the method
 *   pose   once per frame: joint transformations to the palette its kernel reads
 *   skin   per vertex: the kernel, methods/skinning/<name>/<name>.kernel.h
 *
 * P joints, N vertices, S joint sets. */
#ifndef SKINBENCH_RUNTIME_SKINNING_METHOD_H
#define SKINBENCH_RUNTIME_SKINNING_METHOD_H

#include "datasets/base/parameters.h"
#include "datasets/base/status.h"
#include "datasets/model/dataset.h"
#include "methods/runtime/joint_sets.h"
#include <stdbool.h>

/* What a method is bound to; valid as long as the Skinner lives. */
typedef struct SkinningBinding {
    const Mesh *mesh;
    const Rig *rig;
    const JointSets *sets;
    const double *parameters; /* parallel to the method's rows */
    int threads;
} SkinningBinding;

/* One frame for a method's pose stage: inputs, and the arrays it fills (zeroed on entry). */
typedef struct SkinningPose {
    const Transform *transforms; /* [P] C_j */
    const Transform *rest;       /* [P] A_j, or in two-phase skinning A''_j; NULL: the rig has none */
    double *joint_values;        /* [P][floats_per_joint], read in the kernel as PALETTE(k, i) */
    double *set_values;          /* [S][floats_per_set], read in the kernel as SET_VALUE(i) */
    uint8_t *set_variants; /* [S] which variant of the kernel the set's vertices take, < variant_count */
    void *room;            /* as many bytes as the method's pose_room asks for, of any content */
} SkinningPose;

/* Something a method counts in a frame: SVDs, iterations. */
typedef struct SkinningCounter {
    const char *name;    /* as in a result, for example "svds" */
    const char *meaning; /* one line for the reader */
} SkinningCounter;

enum { SKINNING_COUNTERS_MAX = 8 };

/* What a method computes ahead, to be saved with the rig. */
typedef struct SkinningPrecomputation {
    const Mesh *mesh;
    const double *parameters; /* parallel to the method's rows */
    int threads;
    int stride; /* 0 or 1: all vertices; else every stride-th alone, to gauge cost and accuracy */
} SkinningPrecomputation;

/* A direct method. The kernel is registered by CMake beside this table: see skinbench_add_method. */
typedef struct SkinningMethod {
    const char *name;     /* the folder's name, as after --method */
    const char *title;    /* as in a table's head */
    const char *citation; /* paper and section */
    const Parameter *parameters;
    int parameter_count;
    int floats_per_joint;  /* LBS: 12, the rows of C_j */
    int floats_per_set;    /* 0 for most */
    int floats_per_vertex; /* 0 for most; read in the kernel as VERTEX_VALUE(i) */
    int max_influences;    /* a vertex with more is refused with a message; 0: any number */
    int variant_count;     /* 1 for most; the kernel is compiled once per variant, its number a constant */
    bool rigid_only;       /* takes rigid transformations: scale and shear in two phases only */
    /* Of float backends against reference, as a share of the bounding-box diagonal; coordinates far greater
     * than the rig add their own rounding, up to 16 times 2^-24 of the greatest. Results are finite for all
     * poses and weights; a blend of quaternions that vanishes is the first influence's. */
    double tolerance;
    /* Which order of influences the method wants under these parameters; NULL: INFLUENCES_BY_JOINT. */
    InfluenceOrder (*influence_order)(const double *parameters);
    /* Bind stage: whatever the method keeps per rig goes to *state (released by `release`), per-vertex values
     * to vertex_values [N][floats_per_vertex] in bound order. NULL when there is nothing to do. */
    Status (*bind)(const SkinningBinding *binding, double *vertex_values, void **state);
    /* Bytes that the pose stage works in, so that it need not allocate; NULL: none. */
    size_t (*pose_room)(const void *state);
    /* Pose stage, for one frame. */
    Status (*pose)(const SkinningBinding *binding, const void *state, const SkinningPose *pose);
    void (*release)(void *state);
    /* What the method can tell of one frame, outside all timing; NULL and 0 for most. */
    const SkinningCounter *counters;
    int counter_count; /* at most SKINNING_COUNTERS_MAX */
    Status (*count)(const SkinningBinding *binding, const void *state, const SkinningPose *posed,
                    double *counts);
    /* Values of the rig that `bind` takes from it when they are there, put into the rig (cor: its centres;
     * those it had are replaced). On failure the rig is as it was. NULL for most. Tells what it did in
     * counts [precompute_counter_count]. */
    Status (*precompute)(const SkinningPrecomputation *work, Rig *rig, double *counts);
    const SkinningCounter *precompute_counters;
    int precompute_counter_count; /* at most SKINNING_COUNTERS_MAX */
} SkinningMethod;

#endif
