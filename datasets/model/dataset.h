/* A data set in memory: a mesh, a rig and an animation, each of which may be absent (count 0, NULL). Arrays
 * are dense, row by row, in the layout of the file (datasets/README.md). N is the number of vertices, T of
 * triangles, P of joints, F of frames, and K of influences per vertex. The Dataset owns everything it
 * points to. */
#pragma once

#include "datasets/base/base.h"
#include "datasets/geometry/transform_parts.h"

typedef struct Mesh {
    int vertex_count;   /* N */
    int triangle_count; /* T */
    float *rest;        /* [N][3] rest pose */
    int32_t *triangles; /* [T][3] vertex numbers, counter-clockwise seen from outside */
    /* [N] original number of each vertex, a permutation (vertex_order.h); NULL if the vertices are in the
     * original order */
    int32_t *original_vertices;
    /* Attributes are named values per vertex, such as a painted stiffness. No two have the same name, and
     * attribute_name_is_sound is true for every name. */
    int attribute_count;    /* A */
    char **attribute_names; /* [A] */
    float *attributes;      /* [A][N] */
} Mesh;

enum { MESH_ATTRIBUTES_MAX = 64 };

/* Tolerance for a rigid 3 x 3 part A: largest allowed element of |A A^T - I|. Rounding in products of float
 * matrices, or in text with six digits, stays within it. A scale of 1.001 exceeds it. */
#define RIGID_TOLERANCE 1e-4

/* Limits for weights, as fractions of the sum of a vertex's weights. A weight below WEIGHT_NEGLIGIBLE has
 * no visible effect. A weight below FLOAT_SHARE is lost in the rounding of the other weights. Both limits
 * matter to methods in which the set of a vertex's joints determines its centre of rotation. */
#define WEIGHT_NEGLIGIBLE 1e-6
#define FLOAT_SHARE 0x1p-24

/* Values precomputed by direct-delta-mush for pairs of a vertex and a joint. A vertex may have other joints
 * here than among its weights. */
enum { SMOOTHED_VALUES = 10, SMOOTHING_PARAMETERS = 6 };
typedef struct JointValues {
    int64_t *first;  /* [N + 1] the values of vertex v are first[v] to first[v + 1] - 1 */
    int32_t *joints; /* [first[N]] joint of each value, ascending within a vertex */
    double *values;  /* [first[N]][SMOOTHED_VALUES] */
} JointValues;
void joint_values_clear(JointValues *values);

typedef struct Rig {
    int joint_count;        /* P; 0: no rig */
    int frame_count;        /* F, number of frames of the transforms */
    int influence_count;    /* K, number of influence slots per vertex */
    char **joint_names;     /* [P] */
    int32_t *parents;       /* [P] -1 for a root; parents precede their children */
    Transform *rest;        /* [P] A_j, absolute rest frame of the joint */
    Transform *transforms;  /* [F][P] C_j = F_j inv(A_j), maps rest-pose points to posed points */
    Mat3 *scale;            /* [F][P] S_j, scale and shear of two-phase skinning (DQS 4.2), or NULL */
    int32_t *weight_joints; /* [N][K] joint of each influence; unused slots have joint 0 and weight 0 */
    float *weight_values;   /* [N][K] weights; those of a vertex sum to 1 */
    float *centers; /* [N][3] centres of rotation (CoR 3.1) in the rest pose. NULL if they were not computed,
                       or if the rest pose, triangles or weights have changed since. */
    /* Values precomputed for direct-delta-mush, and the parameters with which they were computed.
     * smoothed.first is NULL if there are none, or if the rest pose, triangles or weights have changed
     * since. */
    JointValues smoothed;
    double smoothing[SMOOTHING_PARAMETERS];
} Rig;

/* A range of vertices in a range of frames. */
typedef struct PositionBlock {
    int first_frame, frames, first_vertex, vertices;
} PositionBlock;

/* A source of positions, which need not be in memory. Not thread-safe. */
typedef struct PositionSource {
    /* Fills positions [frames][vertices][3] with finite values. */
    Status (*read)(void *context, PositionBlock block, float *positions);
    void *context;
} PositionSource;

typedef struct Animation {
    int frame_count;  /* F; 0: no animation */
    float *positions; /* [F][N][3]; if NULL while there are frames, the positions come from `source` or from a
                         file */
    float *normals;   /* [F][N][3] or NULL */
    const PositionSource *source; /* used if `positions` is NULL; not owned */
} Animation;

/* A low-rank model. Without a rig it is an animation, found for example by truncated SVD. The stacked
 * positions of all frames are then basis * coefficients. With a rig it corrects the rest pose in each frame
 * (EigenSkin), and the rig has the same number of frames. Vertex i in frame f is then the blend of its
 * joints' transforms, applied to rest_i + (basis * coefficients)_fi. */
typedef struct LowRank {
    int rank;            /* r; 0: no model */
    int row_count;       /* 3F: the rows of the basis are ordered by frame, then x, y and z */
    double *basis;       /* [3F][r] */
    float *coefficients; /* [r][N] */
} LowRank;

/* The clips of an imported file. The frames of all clips are concatenated. */
typedef struct Clips {
    int count;       /* C, number of clips; 0: unknown, all frames count as one clip */
    int frame_count; /* F, total number of frames */
    char **names;    /* [C] */
    int32_t
        *first; /* [C] first frame of each clip, from 0 and ascending; a clip ends where the next begins */
    double *times_s; /* [F] time of each frame in the file, ascending within a clip */
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

/* Allocates an empty data set with copies of the texts (NULL stands for an empty text). */
Status dataset_create(const char *name, const char *title, const char *source, const char *license,
                      Dataset **out);

/* Releases a data set and everything it owns. NULL is allowed. */
void dataset_free(Dataset *dataset);
DEFINE_OWNED_BY(Dataset, dataset_free)

/* Allocate parts of a data set, filled with zeros. Their earlier contents are released. STATUS_SYSTEM if
 * out of memory, STATUS_BAD_INPUT if a count is negative. */
Status mesh_allocate(Mesh *mesh, int vertex_count, int triangle_count);
Status rig_allocate(Rig *rig, int vertex_count, int joint_count, int frame_count, int influence_count);
Status animation_allocate(Animation *animation, int frame_count, int vertex_count, int with_normals);

/* Fills an empty mesh with copies of another's rest pose and triangles. */
Status mesh_copy(const Mesh *from, Mesh *out);

/* Returns the values [N] of an attribute. If the mesh has no attribute of this name, adds one with zeros. The
 * pointer is valid until another attribute is added. STATUS_BAD_INPUT if the mesh already has
 * MESH_ATTRIBUTES_MAX attributes. */
Status mesh_attribute_add(Mesh *mesh, const char *name, float **values);
/* Adds copies of the attributes of another mesh with as many vertices. */
Status mesh_attributes_copy(const Mesh *from, Mesh *mesh);
/* Returns the values [N] of an attribute. If the mesh has no such attribute, returns STATUS_BAD_INPUT with a
 * text that lists those it has. */
Status mesh_attribute_find(const Mesh *mesh, const char *name, const float **values);

/* Allocates clips filled with zeros. Earlier contents are released. */
Status clips_allocate(Clips *clips, int clip_count, int frame_count);

/* Replaces the contents of `out` by a copy of the clips. */
Status clips_copy(const Clips *clips, Clips *out);

/* Returns the number of frames of a clip. */
int clip_frame_count(const Clips *clips, int clip);

/* Copies a block of an animation's positions, [frames][vertices][3], from memory or from the source.
 * vertex_count is the number of vertices of the mesh. STATUS_USAGE if the block does not exist or the
 * animation has no positions. */
Status animation_block(const Animation *animation, int vertex_count, PositionBlock block, float *positions);

/* Replaces the weights by arrays [N][influences], of which the rig takes ownership. Drops the centres of
 * rotation, which depend on the weights. */
void rig_weights_replace(Rig *rig, int influences, int32_t *joints, float *values);

/* Makes a rig with copies of the weights, which borrows everything else, and drops what depends on the
 * weights. Release its weight_joints and weight_values alone. */
Status rig_with_weights(const Rig *rig, int vertices, Rig *out);

/* Returns the position of a joint in the rest pose. */
static inline Vec3 rig_joint_place(const Rig *rig, int joint)
{
    return transform_translation(rig->rest[joint]);
}

/* Returns the first joint called `name`, or -1. Joints without a name (NULL) are skipped. */
int rig_joint_find(const Rig *rig, const char *name);

/* Release the parts and leave them empty. */
void mesh_clear(Mesh *mesh);
DEFINE_OWNED_BY(Mesh, mesh_clear)
void rig_clear(Rig *rig);
DEFINE_OWNED_BY(Rig, rig_clear)
void animation_clear(Animation *animation);
void low_rank_clear(LowRank *low_rank);
void clips_clear(Clips *clips);
