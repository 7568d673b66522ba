/* What a data set is in memory: a mesh, a rig, an animation, each of which may be absent (count 0, NULL).
 * Arrays are dense, row by row, in the layout of the file (datasets/README.md). N vertices, T triangles,
 * P joints, F frames, K influences per vertex. The Dataset owns everything it points to. */
#pragma once

#include "datasets/base/base.h"
#include "datasets/geometry/transform_parts.h"

typedef struct Mesh {
    int vertex_count;   /* N */
    int triangle_count; /* T */
    float *rest;        /* [N][3] rest pose */
    int32_t *triangles; /* [T][3] vertex numbers, counter-clockwise seen from outside */
    /* [N] which vertex of the original each one is, a permutation (vertex_order.h); NULL: vertices stand in
     * the original order */
    int32_t *original_vertices;
} Mesh;

/* How far a 3 x 3 part A may be from rigid, the greatest element of |A A^T - I|: the rounding of
 * single-precision chains and of text with six digits passes, a scale of a per mille does not. */
#define RIGID_TOLERANCE 1e-4

/* A weight below this share of its vertex' weights moves nothing that can be seen; below FLOAT_SHARE it is
 * lost in the rounding of the others. Methods whose centres depend on which joints a vertex has see either.
 */
#define WEIGHT_NEGLIGIBLE 1e-6
#define FLOAT_SHARE 0x1p-24

/* Values for joints of each vertex, which may be others than the weights' (direct-delta-mush). */
enum { SMOOTHED_VALUES = 10, SMOOTHING_PARAMETERS = 6 };
typedef struct JointValues {
    int64_t *first;  /* [N + 1] those of vertex v: first[v] to first[v + 1] - 1 */
    int32_t *joints; /* [first[N]] ascending within a vertex */
    double *values;  /* [first[N]][SMOOTHED_VALUES] */
} JointValues;
void joint_values_clear(JointValues *values);

typedef struct Rig {
    int joint_count;        /* P; 0: no rig */
    int frame_count;        /* F of the transforms */
    int influence_count;    /* K, slots per vertex */
    char **joint_names;     /* [P] */
    int32_t *parents;       /* [P] -1 for a root; a parent stands before its children */
    Transform *rest;        /* [P] A_j, the joint's absolute rest frame */
    Transform *transforms;  /* [F][P] C_j = F_j inv(A_j): rest-pose point to posed point */
    Mat3 *scale;            /* [F][P] S_j, scale and shear of two-phase skinning (DQS 4.2); NULL: none */
    int32_t *weight_joints; /* [N][K] unused slots: joint 0, weight 0 */
    float *weight_values;   /* [N][K] rows sum to 1 */
    float *centers; /* [N][3] centre of rotation of each vertex (CoR 3.1) in the rest pose, or NULL: not
                     * computed. They follow from rest pose, triangles and weights: code that changes one
                     * of these drops them */
    /* Likewise what direct-delta-mush computed ahead, and the values of its first parameters that it was
     * computed with; first NULL: nothing. */
    JointValues smoothed;
    double smoothing[SMOOTHING_PARAMETERS];
} Rig;

/* Some vertices of some frames. */
typedef struct PositionBlock {
    int first_frame, frames, first_vertex, vertices;
} PositionBlock;

/* Where positions are read that need not be in memory. One caller at a time. */
typedef struct PositionSource {
    /* Fills positions [frames][vertices][3], finite values. */
    Status (*read)(void *context, PositionBlock block, float *positions);
    void *context;
} PositionSource;

typedef struct Animation {
    int frame_count;              /* F; 0: no animation */
    float *positions;             /* [F][N][3]; NULL with frames: they are in a file */
    float *normals;               /* [F][N][3] or NULL */
    const PositionSource *source; /* of positions that are NULL; not owned */
} Animation;

/* A low-rank model. Without a rig it is an animation: frame-stacked positions are basis * coefficients, what
 * truncated SVD and its relatives find. With a rig it corrects the rest pose, frame by frame (EigenSkin):
 * vertex i of frame f is the blend of its joints' transforms applied to rest position + (basis *
 * coefficients) of f and i. Then the rig has as many frames. */
typedef struct LowRank {
    int rank;            /* r; 0: no such model */
    int row_count;       /* 3F, frame by frame, x y z */
    double *basis;       /* [3F][r] */
    float *coefficients; /* [r][N] */
} LowRank;

/* The clips of a file of clips, whose frames stand one after the other. */
typedef struct Clips {
    int count;       /* C; 0: not known, all frames are one clip */
    int frame_count; /* F, of all clips */
    char **names;    /* [C] */
    int32_t *first;  /* [C] first frames: 0, then ascending; a clip ends where the next begins */
    double *times_s; /* [F] as the file has them, ascending within a clip */
} Clips;

typedef struct Dataset {
    char *name, *title, *source, *license; /* never NULL after dataset_create */
    double fps;
    Mesh mesh;
    Rig rig;
    Animation animation;
    LowRank low_rank;
    Clips clips;
} Dataset;

/* Allocates an empty data set with copies of the texts (NULL: empty). */
Status dataset_create(const char *name, const char *title, const char *source, const char *license,
                      Dataset **out);

/* Releases a data set and all it owns; NULL is allowed. */
void dataset_free(Dataset *dataset);
DEFINE_OWNED_BY(Dataset, dataset_free)

/* Allocate the parts (zeroed). STATUS_SYSTEM when out of memory, STATUS_BAD_INPUT for a negative count;
 * what was there before is released. */
Status mesh_allocate(Mesh *mesh, int vertex_count, int triangle_count);
Status rig_allocate(Rig *rig, int vertex_count, int joint_count, int frame_count, int influence_count);
Status animation_allocate(Animation *animation, int frame_count, int vertex_count, int with_normals);

/* Allocates clips (zeroed); what was there before is released. */
Status clips_allocate(Clips *clips, int clip_count, int frame_count);

/* Replaces `out` by a copy. */
Status clips_copy(const Clips *clips, Clips *out);

/* How many frames clip number `clip` has. */
int clip_frame_count(const Clips *clips, int clip);

/* Copies or reads positions [frames][vertices][3] of an animation of vertex_count vertices. STATUS_USAGE:
 * there is no such block, or the animation has no positions. */
Status animation_block(const Animation *animation, int vertex_count, PositionBlock block, float *positions);

/* Puts weights [N][influences] in the place of those there are and drops the centres of rotation, which
 * followed from them. The rig owns the arrays from here on. */
void rig_weights_replace(Rig *rig, int influences, int32_t *joints, float *values);

/* Where a joint turns at rest. */
static inline Vec3 rig_joint_place(const Rig *rig, int joint)
{
    return transform_translation(rig->rest[joint]);
}

/* The number of the first joint of that name; -1: there is none. Joints without a name (NULL) are skipped. */
int rig_joint_find(const Rig *rig, const char *name);

/* Release the parts; they are empty afterwards. */
void mesh_clear(Mesh *mesh);
void rig_clear(Rig *rig);
DEFINE_OWNED_BY(Rig, rig_clear)
void animation_clear(Animation *animation);
void low_rank_clear(LowRank *low_rank);
void clips_clear(Clips *clips);
