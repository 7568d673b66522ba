/* What a direct skinning method is: the one header its author reads beside the kernel language. A method
 * is a const table of this type with its stages, and a kernel:
 *
 *   bind   once per rig     per-vertex values of the method, whatever else it keeps
 *   pose   once per frame   joint transformations to the palette that its kernel reads
 *   skin   per vertex       the kernel, methods/skinning/<name>/<name>.kernel.h (methods/kernel/kernel.h)
 *   frame  per frame        for few: what needs the whole skinned frame; timed as a part of skin
 *
 * Both stand in methods/skinning/<name>/, whose CMakeLists.txt calls skinbench_add_method; _template is
 * such a folder to copy. P joints, N vertices, S joint sets; arrays are row-major. */
#pragma once

#include "datasets/base/parameters.h"
#include "datasets/model/joint_sets.h"

/* What a method is bound to; valid as long as the Skinner lives. */
typedef struct SkinningBinding {
    const Mesh *mesh;
    const Rig *rig;
    const JointSets *sets;    /* the vertices, grouped: bound order is theirs */
    const double *parameters; /* parallel to the method's rows */
    int threads;              /* that bind may use; pose is itself called from several threads */
    bool in_floats;           /* not `reference`: what floats cannot tell may be left out */
} SkinningBinding;

enum { POSE_FRAMES = 8 }; /* that pose_frames may take at once: as many doubles as vectors have lanes */

/* A frame for a method's pose stage: what it is given, and the arrays it fills. */
typedef struct SkinningPose {
    int frame_count; /* of pose_frames: 1 or POSE_FRAMES */
    int frame;       /* which of these it is */
    /* [P], of pose_frames [frame_count][P]: C_j, finite; rigid to 1e-4 where the method is rigid_only */
    const Transform *transforms;
    const Transform *rest; /* [P] A_j, or in two-phase skinning A''_j; NULL: the rig has none */
    double *joint_values;  /* [P][floats_per_joint] all to be set; the kernel's PALETTE(k, i) */
    double *set_values;    /* [S][floats_per_set] likewise; its SET_VALUE(i) */
    float *set_floats;     /* [frame_count][S][floats_per_set] where pose_frames puts these instead; NULL */
    uint8_t *set_variants; /* [S] which variant the set's vertices take, < variant_count; zero on entry */
    void *workspace;       /* as many bytes as pose_workspace asks for, of any content */
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
    const Progress *progress; /* may be NULL */
    int stride; /* 0 or 1: all vertices; else every stride-th alone, to gauge cost and accuracy */
} SkinningPrecomputation;

/* Influences of a method's own in place of the rig's. Joints ascend within a vertex. */
typedef struct SkinningInfluences {
    int64_t *first;        /* [N + 1] those of vertex v: first[v] to first[v + 1] - 1, at least one */
    int32_t *joints;       /* [first[N]] */
    double *weights;       /* [first[N]] not 0 */
    double *values;        /* [first[N]][floats_per_influence] */
    double *vertex_values; /* [N][floats_per_vertex] in place of bind's */
} SkinningInfluences;

/* A direct method. A member that is 0, NULL or false may be left out. */
typedef struct SkinningMethod {
    const char *name;            /* the folder's, as after --method: lower-case letters, digits and - */
    const char *title;           /* as in a table's head */
    const char *citation;        /* paper and section */
    const Parameter *parameters; /* rows of datasets/base/parameters.h; NULL: none */
    int floats_per_joint;        /* of the palette; LBS: 12, the rows of C_j */
    int floats_per_set;          /* 0 for most */
    int floats_per_vertex;       /* 0 for most; filled by bind, read in the kernel as VERTEX_VALUE(i) */
    int floats_per_influence; /* 0 for most; of `influences`, read in the kernel as INFLUENCE_VALUE(k, i) */
    int max_influences;       /* a vertex with more is refused with a message; 0: any number */
    int variant_count; /* 0 or 1 for most; the kernel is compiled once per variant, its number a constant */
    /* The kernel gives the same where influences of weight 0, of any joint, stand among a vertex' own by
     * ascending joint: vertices of small joint sets are then skinned side by side. For kernels that read
     * weights as factors alone, and no value per set. */
    bool allows_zero_weight_padding;
    bool rigid_only; /* other transformations are refused; scale and shear go into a first phase */
    /* Of float backends against reference, as a share of the bounding-box diagonal, at most
     * SKINNING_TOLERANCE_MAX; coordinates far greater than the rig add their own rounding, up to 16 times
     * 2^-24 of the greatest. Results are finite for all poses and weights; a blend of quaternions that
     * vanishes is the first influence's. */
    double tolerance;
    /* Which order of influences the method wants under these parameters; NULL: INFLUENCES_BY_JOINT. */
    InfluenceOrder (*influence_order)(const double *parameters);
    /* Influences that the method finds for itself, before `bind`, in file order; binding->sets is NULL. *out
     * is zeroed before and released by the caller, also after a failure. NULL: the rig's. */
    Status (*influences)(const SkinningBinding *binding, SkinningInfluences *out);
    /* Bind stage: whatever the method keeps per rig goes to *state (NULL before, released by `release`),
     * per-vertex values to vertex_values [N][floats_per_vertex] in bound order, all to be set.
     * STATUS_BAD_INPUT for a rig that the method cannot take. NULL when there is nothing to do. */
    Status (*bind)(const SkinningBinding *binding, double *vertex_values, void **state);
    /* Returns what a user should know of a bound rig, in a sentence; empty: nothing. NULL: never anything. */
    const char *(*note)(const void *state);
    /* Bytes that the pose stage works in, so that it need not allocate; NULL: none. */
    size_t (*pose_workspace)(const void *state);
    /* Pose stage; called from several threads at once, for different frames. What is quicker for several
     * frames at once, pose_frames leaves in the workspace, where `pose` of each of these frames finds it;
     * NULL: nothing. */
    Status (*pose_frames)(const SkinningBinding *binding, const void *state, const SkinningPose *pose);
    Status (*pose)(const SkinningBinding *binding, const void *state, const SkinningPose *pose);
    /* Whole-frame stage, after the kernel: changes positions [N][3] and normals [N][3] (or NULL) of a skinned
     * frame, in file order; one frame after the other. NULL: none. */
    Status (*frame)(const SkinningBinding *binding, void *state, double *positions, double *normals);
    void (*release)(void *state);
    /* Counts in one posed frame, outside all timing: counts [counter_count]. */
    const SkinningCounter *counters;
    int counter_count; /* at most SKINNING_COUNTERS_MAX */
    Status (*count)(const SkinningBinding *binding, const void *state, const SkinningPose *posed,
                    double *counts);
    /* Puts values that `bind` takes from the rig, when they are there, into the rig (cor: its centres;
     * those it had are replaced), and counts what it did in counts [precompute_counter_count]. On failure
     * the rig is as it was. */
    Status (*precompute)(const SkinningPrecomputation *work, Rig *rig, double *counts);
    const SkinningCounter *precompute_counters;
    int precompute_counter_count; /* at most SKINNING_COUNTERS_MAX */
} SkinningMethod;

/* The greatest tolerance that a method may ask for: far below what anyone sees, far above what float
 * costs. */
extern const double SKINNING_TOLERANCE_MAX;

/* Whether a method's table is in order; STATUS_USAGE names the method and what is not: name, title,
 * citation, pose stage, numbers of values, tolerance, parameters (parameters_check), counters. */
Status skinning_method_check(const SkinningMethod *method);
