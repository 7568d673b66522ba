/* Interface of a direct skinning method. It is the only header that an author of a method needs besides the
 * kernel language. A method consists of a const table of this type with its stages, and a kernel:
 *   bind   once per rig     per-vertex values and other data of the method
 *   pose   once per frame   joint transformations to the palette that its kernel reads
 *   skin   per vertex       the kernel, methods/skinning/<name>/<name>.kernel.h (methods/kernel/kernel.h)
 *   frames per call         optional: processes whole skinned frames; timed as part of skin
 *
 * Table and kernel are in methods/skinning/<name>/, whose CMakeLists.txt calls skinbench_add_method. To
 * begin, copy the folder _template.
 *
 * P joints, N vertices, S joint sets; arrays are row-major. */
#pragma once

#include "datasets/base/parameters.h"
#include "datasets/model/joint_sets.h"

/* The mesh and rig to which a method is bound. They are valid during the lifetime of the Skinner. */
typedef struct SkinningBinding {
    const Mesh *mesh;
    const Rig *rig;
    const JointSets *sets;    /* the vertices grouped by joint set, which defines the bound order */
    const double *parameters; /* values of the method's parameter rows, in their order */
    const float *painted;     /* [N] values, in file order, of the attribute that the method's row of the type
                             PARAMETER_ATTRIBUTE names; NULL if there is no such row, or if it is empty */
    const void *prepared;     /* what `prepare` made; valid until `bind` returns; NULL if it made nothing */
    int threads;    /* number of threads that `bind` may use; `pose` is called from several threads */
    bool in_floats; /* whether the backend computes in floats, so that details below float precision may be
                       skipped */
} SkinningBinding;

/* Number of frames that pose_frames may process together: the number of doubles in a vector. */
enum { POSE_FRAMES = 8 };

/* One frame of a method's pose stage: its input, and the arrays that it fills. */
typedef struct SkinningPose {
    int frame_count; /* number of frames in a call of pose_frames: 1 or POSE_FRAMES */
    int frame;       /* index of this frame in the call of pose_frames */
    /* [P] joint transformations C_j; [frame_count][P] for pose_frames. They are finite, and rigid up to
     * 1e-4 if the method is rigid_only. */
    const Transform *transforms;
    const Transform *rest; /* [P] rest frames A_j of the joints, or their counterparts A''_j in two-phase
                              skinning; NULL if the rig has none */
    double *joint_values;  /* [P][floats_per_joint] values that the kernel reads as PALETTE(k, i); the method
                              must set all of them */
    double *set_values; /* [S][floats_per_set] values that the kernel reads as SET_VALUE(i); the method must
                           set all of them */
    float *set_floats;  /* [frame_count][S][floats_per_set] values; if not NULL, pose_frames writes here
                           instead of to set_values */
    /* [S] kernel variant of the set's vertices, < variant_count; zero on entry. Devices run the largest of
     * the variants on all sets, so it must be right for each of them. */
    uint8_t *set_variants;
    void *workspace; /* memory of the size that pose_workspace returns; its initial content is undefined */
} SkinningPose;

/* Something that a method counts in each frame, such as SVDs or iterations. */
typedef struct SkinningCounter {
    const char *name;    /* name in results, for example "svds" */
    const char *meaning; /* phrase that explains the count, on one line */
} SkinningCounter;

enum { SKINNING_COUNTERS_MAX = 8 };

/* Input of a method's precomputation, whose result is saved with the rig. */
typedef struct SkinningPrecomputation {
    const Mesh *mesh;
    const double *parameters; /* values of the method's parameter rows, in their order */
    int threads;
    const Progress *progress; /* may be NULL */
    int stride; /* 0 or 1: all vertices; n > 1: only every n-th vertex, to estimate cost and accuracy */
} SkinningPrecomputation;

/* Influences that a method computes to replace those of the rig. The joints of a vertex are in ascending
 * order. */
typedef struct SkinningInfluences {
    int64_t *first;        /* [N + 1] vertex v has influences first[v] to first[v + 1] - 1, at least one */
    int32_t *joints;       /* [first[N]] */
    double *weights;       /* [first[N]] nonzero */
    double *values;        /* [first[N]][floats_per_influence] */
    double *vertex_values; /* [N][floats_per_vertex] values, which replace those of `bind` */
} SkinningInfluences;

/* Programs and engines whose users ask how to switch a method on (skinning_engine_names). */
enum {
    ENGINE_BLENDER,
    ENGINE_MAYA,
    ENGINE_UNREAL,
    ENGINE_UNITY,
    ENGINE_GODOT,
    ENGINE_THREE_JS,
    ENGINE_COUNT
};
extern const char *const skinning_engine_names[ENGINE_COUNT];

/* A direct method. Members that are 0, NULL or false may be omitted. */
typedef struct SkinningMethod {
    const char *name;                  /* folder name, used with --method: lower-case letters, digits and - */
    const char *title;                 /* title in the heads of tables */
    const char *citation;              /* paper and section */
    const char *summary;               /* what the method does, in one sentence; NULL: not said */
    const char *engines[ENGINE_COUNT]; /* how the method is switched on; NULL: only by code of one's own */
    const Parameter *parameters;       /* rows of datasets/base/parameters.h; NULL: none */
    int floats_per_joint;              /* number of palette values per joint; LBS has 12, the rows of C_j */
    int floats_per_set;                /* number of values per joint set; 0 for most methods */
    int floats_per_vertex;             /* number of values per vertex; `bind` fills them, the kernel reads
                                 VERTEX_VALUE(i); 0 for most methods */
    int floats_per_influence; /* number of values per influence; `influences` fills them, the kernel reads
                                 INFLUENCE_VALUE(k, i); 0 for most methods */
    int max_influences; /* maximum number of influences per vertex; a rig with more is rejected; 0: no limit
                         */
    int variant_count; /* number of kernel variants; the kernel is compiled once per variant, with the variant
                          as a constant; 0 or 1 for most methods */
    /* Whether the kernel's result stays the same if influences of weight 0, of any joint, are inserted
     * among a vertex's own in the order of joints. Vertices of small joint sets are then skinned side by
     * side. Set it if the kernel uses weights only as factors and reads no value per set. */
    bool allows_zero_weight_padding;
    bool rigid_only; /* whether transformations that are not rigid are rejected; a first phase may apply scale
                        and shear */
    /* Largest deviation of float backends from the reference, as a fraction of the bounding-box diagonal;
     * at most SKINNING_TOLERANCE_MAX. If coordinates are far larger than the rig, their rounding error is
     * added, up to 16 times 2^-24 of the largest coordinate. Results must be finite for all poses and
     * weights. If a blend of quaternions vanishes, the result is that of the first influence. */
    double tolerance;
    /* Returns the order of influences that the method needs with these parameters. NULL:
     * INFLUENCES_BY_JOINT. */
    InfluenceOrder (*influence_order)(const double *parameters);
    /* Computes first what takes long and does not depend on the backend: a benchmark does so once for all
     * backends, and counts the time for each. *out is NULL on entry and may stay NULL; `prepared_release`
     * releases it, also after a failure. binding->sets is NULL at that time. NULL: nothing to do. */
    Status (*prepare)(const SkinningBinding *binding, void **out);
    void (*prepared_release)(void *prepared);
    /* Computes influences that replace the rig's, in file order, before `bind`. At that time binding->sets
     * is NULL. *out is zeroed on entry, and the caller releases it, also after a failure. NULL: the rig's
     * influences are used. */
    Status (*influences)(const SkinningBinding *binding, SkinningInfluences *out);
    /* Bind stage. Stores the method's data for the rig in *state (NULL on entry, released by `release`),
     * and sets all vertex_values [N][floats_per_vertex], in bound order. Returns STATUS_BAD_INPUT if the
     * method cannot use the rig. NULL if there is nothing to do. */
    Status (*bind)(const SkinningBinding *binding, double *vertex_values, void **state);
    /* Returns a sentence about the bound rig that a user should know; empty if there is none. NULL if there
     * never is one. */
    const char *(*note)(const void *state);
    /* Returns the size in bytes of the pose stage's workspace, so that this stage need not allocate; NULL:
     * none. */
    size_t (*pose_workspace)(const void *state);
    /* Pose stage, called from several threads at once for different frames. pose_frames computes values
     * that are faster to compute for several frames together, and leaves them in the workspace for the
     * calls of `pose`. It may be NULL. */
    Status (*pose_frames)(const SkinningBinding *binding, const void *state, const SkinningPose *pose);
    Status (*pose)(const SkinningBinding *binding, const void *state, const SkinningPose *pose);
    /* Whole-frame stage, called after the kernel. Changes positions [frame_count][N][3] and normals (as many,
     * or NULL) of skinned frames in file order. It may use binding->threads threads. NULL: no such stage. */
    Status (*frames)(const SkinningBinding *binding, void *state, int frame_count, double *positions,
                     double *normals);
    void (*release)(void *state);
    /* Counters of one posed frame, computed outside all timing: counts [counter_count]. */
    const SkinningCounter *counters;
    int counter_count; /* at most SKINNING_COUNTERS_MAX */
    Status (*count)(const SkinningBinding *binding, const void *state, const SkinningPose *posed,
                    double *counts);
    /* Computes in advance the values that `bind` reads from the rig if they exist (cor: its centres).
     * Stores them in the rig, replacing earlier ones, and fills counts [precompute_counter_count]. On
     * failure the rig does not change. */
    Status (*precompute)(const SkinningPrecomputation *work, Rig *rig, double *counts);
    const SkinningCounter *precompute_counters;
    int precompute_counter_count; /* at most SKINNING_COUNTERS_MAX */
} SkinningMethod;

/* Largest tolerance that a method may request. It is far below anything visible, and far above float
 * rounding. */
extern const double SKINNING_TOLERANCE_MAX;

/* Checks a method's table: name, title, citation, pose stage, numbers of values, tolerance, parameters
 * (parameters_check) and counters. Returns STATUS_USAGE with the method's name and the fault. */
Status skinning_method_check(const SkinningMethod *method);
