/* How a kernel is run: what each backend implements, functions behind one state. Only the Skinner calls
 * them. */
#pragma once

#include "methods/runtime/backend.h"
#include "methods/runtime/skinning_entry.h"

/* What a backend is bound to; valid as long as its state. Arrays in bound order. */
struct BackendBinding {
    const SkinningEntry *entry;
    const JointSets *sets;
    const double *rest;             /* [N][3] */
    const double *normals;          /* [N][3] or NULL: normals are not skinned */
    const double *vertex_values;    /* [N][floats_per_vertex] */
    const double *influence_values; /* [floats_per_influence] for each weight of the sets, in their order */
    const double *parameters;       /* [parameter_count] */
    int joint_count;
    int threads;
    bool joints_ascend; /* of each joint set: without, only vertices of one are skinned side by side */
    /* Blends the first phase of two-phase skinning; NULL: no frame is posed with one. */
    const SkinningEntry *first_phase;
    const char *simd_level;          /* NULL: the best */
    int device_frames, device_group; /* likewise */
};

enum { FIRST_VALUES_PER_JOINT = 12 }; /* of the first phase: the rows of C'_j */

/* What the pose stage of a method found for one frame. */
typedef struct PosedFrame {
    const double *joint_values;  /* [P][floats_per_joint] */
    const double *set_values;    /* [S][floats_per_set]; NULL: where set_floats said */
    const uint8_t *set_variants; /* [S] */
    const double *first_values;  /* [P][FIRST_VALUES_PER_JOINT] C'_j of two-phase skinning; NULL: there is no
                                    first phase */
} PosedFrame;

/* Where the results of one frame go, in file order: either floats or doubles; NULL: not wanted. */
typedef struct SkinTarget {
    const int32_t *vertices; /* [N] file vertex number of each bound vertex */
    float *positions, *normals;
    double *positions_double, *normals_double;
} SkinTarget;

/* What follows a backend's `create`, which compiles or chooses the kernel and copies what it is bound to. */
struct BackendFunctions {
    void (*release)(void *state);
    /* Allocates the palettes and results of that many frames, with a first phase of two-phase skinning
     * or without one. */
    Status (*reserve)(void *state, int frame_count, bool two_phase);
    /* Where the values of sets go, [S][floats_per_set] frame by frame from `frame` on; NULL: by `pose`. */
    float *(*set_floats)(void *state, int frame);
    /* Takes one frame of those reserved; called from several threads at once, for different frames. */
    void (*pose)(void *state, int frame, const PosedFrame *posed);
    /* All frames are posed; NULL: nothing is to be done. */
    Status (*commit)(void *state);
    Status (*skin)(void *state);
    Status (*read)(void *state, int frame, const SkinTarget *target);
    /* All frames straight into file order, floats [frame][N][3]; NULL: they are skinned, then read. */
    Status (*skin_frames)(void *state, const SkinTarget *target);
    /* The share of the vertices that skin_frames writes in runs that follow each other in the file; NULL: on
     * a device. */
    double (*straight)(const void *state);
    /* How vertices are laid out for a kernel in floats; NULL: on a device. False: its reals are doubles. */
    bool (*tiling)(const void *state, KernelTiling *out);
    /* Of the last skin or skin_frames, and of their palettes; NULL: there is no device. */
    DeviceTimes (*device_times)(const void *state);
    /* After skin, which is run again. */
    Status (*device_measure)(void *state, DeviceSample *out);
};

/* Puts component `component` (0 to 5: position, normal) of the bound vertex `bound` where it belongs. */
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
