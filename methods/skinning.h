/* Direct skinning methods: what one is (SkinningMethod, a const table), and how the harness runs any of them
 * on any backend (Skinner). The three stages are called apart so that they can be timed apart: bind  once per
 * rig: joint sets, per-vertex values of the method     skinner_create pose  once per frame: joint
 * transformations to the method's palette  skinner_pose skin  per vertex: the kernel,
 * methods/<name>/<name>.kernel.h         skinner_skin and `deliver` brings the result into the vertex order
 * of the file      skinner_read
 *
 * P joints, N vertices, F frames, S joint sets. */
#ifndef SKINBENCH_METHODS_SKINNING_H
#define SKINBENCH_METHODS_SKINNING_H

#include "datasets/base/parameters.h"
#include "datasets/base/status.h"
#include "datasets/model/dataset.h"
#include <stdbool.h>

/* In which order the influences of a vertex stand in its joint set. */
typedef enum InfluenceOrder {
    INFLUENCES_BY_JOINT, /* ascending joint number: the order of listing cannot matter, and sets are fewest */
    INFLUENCES_AS_LISTED /* as in the file, for policies that look at the first influence */
} InfluenceOrder;

/* The vertices grouped by joint set (SBS 4.2). Influences of weight 0 are dropped and joints listed twice are
 * merged; sets stand in ascending order of their number of influences. The order in which vertices come out,
 * set after set, is called the bound order. */
typedef struct JointSets {
    int set_count, vertex_count, slot_count;
    int max_influences;     /* of any set */
    int32_t *first_slot;    /* [S + 1] set s owns joints[first_slot[s]] to joints[first_slot[s + 1] - 1] */
    int32_t *joints;        /* [slot_count] */
    int32_t *first_vertex;  /* [S + 1] set s owns bound vertices first_vertex[s] to first_vertex[s + 1] - 1 */
    int32_t *vertices;      /* [N] file vertex number of each bound vertex */
    int32_t *set_of_vertex; /* [N] by bound vertex */
    int64_t *first_weight;  /* [S + 1] offset of the set's weights */
    double *weights; /* set s, slot k, i-th vertex of the set: first_weight[s] + k * vertices_in_set + i */
} JointSets;

/* Groups the vertices of a rig. STATUS_BAD_INPUT names a vertex without influence, a weight that is not
 * finite, or a joint out of range. Release with joint_sets_clear. */
Status joint_sets_build(const Rig *rig, int vertex_count, InfluenceOrder order, JointSets *out);
void joint_sets_clear(JointSets *sets);

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

/* The methods compiled in, in alphabetical order of name, from the registry CMake generates. */
int skinning_method_count(void);
const SkinningMethod *skinning_method_at(int index);
/* NULL when there is none of that name. */
const SkinningMethod *skinning_method_find(const char *name);

/* The ways to run a kernel. */
typedef enum BackendKind {
    BACKEND_REFERENCE,   /* double, plain loops, strict floating point: the truth */
    BACKEND_SCALAR,      /* float, one vertex at a time, no vector instructions */
    BACKEND_SIMD,        /* float, lanes are vertices of one joint set */
    BACKEND_SIMD_FRAMES, /* float, lanes are frames of one vertex */
    BACKEND_OPENCL,
    BACKEND_CUDA,
    BACKEND_COUNT
} BackendKind;

/* "reference", "scalar", "simd", "simd-frames", "opencl", "cuda". */
const char *backend_name(BackendKind kind);
const char *backend_title(BackendKind kind);
/* STATUS_USAGE when there is none of that name. */
Status backend_find(const char *name, BackendKind *kind);
/* STATUS_OK when the backend can run here, with the device or instruction-set level in text [size]; else
 * STATUS_UNAVAILABLE with what is lacking. */
Status backend_probe(BackendKind kind, char *text, size_t size);

/* Instruction-set levels of the simd backends that this machine can run, best last ("baseline", "v2", "v3",
 * "v4"); the count is returned. */
enum { SIMD_LEVELS_MAX = 4 };
int backend_simd_levels(const char *levels[SIMD_LEVELS_MAX]);

typedef struct SkinnerOptions {
    const SkinningMethod *method;
    ParameterValues parameters;
    BackendKind backend;
    const char *simd_level; /* NULL: the best this machine has */
    int threads;            /* 0: one */
    bool normals;           /* skin normals too: area-weighted vertex normals of the rest pose */
    /* Two-phase skinning (DQS 4.2): the method gets rigid transformations, and what rig/scale tells is
     * applied to the rest pose before, by linear blending. A method that takes any transformation (rigid_only
     * is false) gets both in one. Without it a rig with scale is refused. */
    bool two_phase;
} SkinnerOptions;

typedef struct Skinner Skinner;

/* Binds a method to a rig on a backend. mesh and rig must outlive the Skinner. Refuses with STATUS_BAD_INPUT
 * a rig the method cannot take, with STATUS_UNAVAILABLE a backend that is not here. An empty mesh (N = 0) is
 * legal. Release with skinner_free (NULL is legal). */
Status skinner_create(const SkinnerOptions *options, const Mesh *mesh, const Rig *rig, Skinner **out);
void skinner_free(Skinner *skinner);

/* Poses `frame_count` frames: transforms [frame_count][P], scale likewise or NULL (none; with scale the
 * Skinner must have been made for two phases). On a device the palettes are there when it returns. */
Status skinner_pose(Skinner *skinner, const Transform *transforms, const Mat3 *scale, int frame_count);

/* Skins all posed frames; finished when it returns. */
Status skinner_skin(Skinner *skinner);

/* Counts what the method counts (its `counters`) in one frame: transforms [P]. Poses the frame for itself, in
 * double, and touches nothing else. */
Status skinner_count(const Skinner *skinner, const Transform *transforms,
                     double counts[SKINNING_COUNTERS_MAX]);

/* Seconds the device itself spent on the last skinner_skin, by its events; negative for host backends. */
double skinner_device_time_s(const Skinner *skinner);

/* Brings one of the posed frames into file order: positions [N][3]; normals [N][3] or NULL. */
Status skinner_read(Skinner *skinner, int frame, float *positions, float *normals);
/* As above without rounding to float; the same numbers for every backend but `reference`. */
Status skinner_read_double(Skinner *skinner, int frame, double *positions, double *normals);

/* What a run of the skin stage moves per vertex and frame, in bytes read and written, for the roofline. */
double skinner_bytes_per_vertex(const Skinner *skinner);
const JointSets *skinner_joint_sets(const Skinner *skinner);

#endif
