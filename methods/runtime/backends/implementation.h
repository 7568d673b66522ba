/* Functions that each backend implements on its private state. Only the Skinner calls them. */
#pragma once

#include "methods/runtime/backend.h"
#include "methods/runtime/skinning_entry.h"

/* The rig and method to which a backend is bound. It is valid during the lifetime of the backend's state.
 * Arrays are in bound order. */
struct BackendBinding {
    const Backend *backend;
    const SkinningEntry *entry;
    const JointSets *sets;
    const double *rest;             /* [N][3] */
    const double *normals;          /* [N][3], or NULL if normals are not skinned */
    const double *vertex_values;    /* [N][floats_per_vertex] */
    const double *influence_values; /* [number of weights][floats_per_influence] values per influence, in the
                                       order of the weights in `sets` */
    const double *parameters;       /* [parameter_count] */
    int joint_count;
    int threads;
    bool joints_ascend; /* whether joints ascend within each set; if not, only vertices of one set are skinned
                           side by side */
    /* Method that blends the first phase of two-phase skinning; NULL if no frame has a first phase. */
    const SkinningEntry *first_phase;
    const char *simd_level;          /* instruction-set level; NULL: the best one */
    int device_frames, device_group; /* likewise */
};

enum { FIRST_VALUES_PER_JOINT = 12 }; /* the rows of C'_j */

/* Result of a method's pose stage for one frame. */
typedef struct PosedFrame {
    const double *joint_values;  /* [P][floats_per_joint] */
    const double *set_values;    /* [S][floats_per_set]; NULL if they were already written to the address from
                                    set_floats */
    const uint8_t *set_variants; /* [S] */
    const double *
        first_values; /* [P][FIRST_VALUES_PER_JOINT] C'_j of two-phase skinning; NULL without a first phase */
} PosedFrame;

/* Destination of one frame's results in file order, either floats or doubles. NULL arrays are not
 * wanted. */
typedef struct SkinTarget {
    const int32_t *vertices; /* [N] index in the file of each bound vertex */
    float *positions, *normals;
    double *positions_double, *normals_double;
} SkinTarget;

/* Functions of a backend. Before any of them is called, the backend's `create` compiles or chooses the
 * kernel and copies the binding. */
struct BackendFunctions {
    void (*release)(void *state);
    /* Allocates palettes and results for `frame_count` frames, with or without a first phase of two-phase
     * skinning. */
    Status (*reserve)(void *state, int frame_count, bool two_phase);
    /* Returns the address to which the values of joint sets may be written directly, [S][floats_per_set]
     * for `frame` and each frame after it. If the function or its result is NULL, the values are passed to
     * `pose`. */
    float *(*set_floats)(void *state, int frame);
    /* Stores one of the reserved frames. Called from several threads at once for different frames. */
    void (*pose)(void *state, int frame, const PosedFrame *posed);
    /* Called after all frames are posed; NULL if there is nothing to do. */
    Status (*commit)(void *state);
    Status (*skin)(void *state);
    Status (*read)(void *state, int frame, const SkinTarget *target);
    /* Skins all frames directly into file order, floats [frame][N][3]. NULL: frames are skinned first and
     * then read. */
    Status (*skin_frames)(void *state, const SkinTarget *target);
    /* Returns the fraction of the vertices that skin_frames writes in runs of consecutive vertices. The
     * function is NULL on a device. */
    double (*straight)(const void *state);
    /* Describes how vertices are arranged for a float kernel. Returns false if the kernel computes in
     * doubles. The function is NULL on a device. */
    bool (*tiling)(const void *state, KernelTiling *out);
    /* Returns the times of the last call of `skin` or `skin_frames`, and of the transfer of the palettes
     * that it used. The function is NULL if there is no device. */
    DeviceTimes (*device_times)(const void *state);
    /* Measures the device after `skin`, by running the skin stage again. */
    Status (*device_measure)(void *state, DeviceSample *out);
};

/* Stores a component (0 to 5: position, then normal) of bound vertex `bound` in file order. */
static inline void skin_target_store(const SkinTarget *target, int64_t bound, int component, double value)
{
    size_t index = (size_t)target->vertices[bound] * 3 + (size_t)(component % 3);
    float *single = component < 3 ? target->positions : target->normals;
    double *wide = component < 3 ? target->positions_double : target->normals_double;
    if (single)
        single[index] = (float)value;
    if (wide)
        wide[index] = value;
}
