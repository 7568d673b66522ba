/* An in-memory scene with the common features of glTF, FBX and Collada: nodes, meshes, skins and clips, in
 * file order. The arrays have their glTF names, so that messages say `nodes[7]` for every format. External
 * data pass scene_check before they are used. */
#pragma once

#include "datasets/formats/format_task.h"
#include "datasets/geometry/quat.h"
#include "datasets/geometry/transform.h"

typedef struct SceneNode {
    char *name;
    int parent; /* -1: a root */
    /* Place in the parent: x -> translation + rotation (scale x), or `matrix` if has_matrix is set. A
     * channel then replaces one part of the decomposed matrix. */
    Vec3 translation, scale;
    Quat rotation; /* of any non-zero length */
    bool has_matrix;
    Transform matrix;
} SceneNode;

/* FBX's placement of a node in its parent: T before R between S after. The translation T, the Euler angles
 * R and the scale S have three numbers each. */
typedef struct SceneEuler {
    double parts[3][3]; /* translation, rotation in degrees, and scale, unless a clip sets them */
    Transform before, between, after;
    int order;   /* rotation order: 0 XYZ, XZY, YZX, YXZ, ZXY, 5 ZYX; the first axis rotates first */
    int inherit; /* inheritance of the parent's scale (fbx_pose.h): 0 RrSs, 1 RSrs, 2 Rrs */
} SceneEuler;

typedef struct SceneMesh {
    char *name;
    int vertex_count, triangle_count, target_count;
    int influence_count;    /* K, slots per vertex, or 0 */
    float *positions;       /* [N][3] */
    int32_t *triangles;     /* [T][3] */
    int32_t *weight_joints; /* [N][K] joint numbers of the skin; arbitrary in slots of weight 0 */
    float *weight_values;   /* [N][K] */
    float *targets;         /* [target_count][N][3] displacements by a morph target of weight 1 */
} SceneMesh;

typedef struct SceneSkin {
    char *name;
    int joint_count;
    int32_t *joints;          /* [joint_count] nodes */
    Transform *inverse_binds; /* [joint_count] from the mesh's space to the joint's at bind time */
} SceneSkin;

/* A mesh placed by a node or bound to a skin. With a skin, the node's own place is ignored. */
typedef struct SceneInstance {
    int node, mesh, skin;   /* skin: -1 if none */
    double *target_weights; /* [target_count] used if no clip sets them */
} SceneInstance;

typedef enum ScenePath {
    SCENE_TRANSLATION,
    SCENE_ROTATION, /* values w, x, y, z, of any length */
    SCENE_SCALE,
    SCENE_WEIGHTS /* weights of the morph targets of the node's meshes */
} ScenePath;

/* CUBIC: Hermite splines, whose keys have an incoming tangent, a value and an outgoing tangent, per second.
 * CURVE: one number animated as in FBX, with CURVE_NUMBERS for each key. */
typedef enum SceneInterpolation { SCENE_STEP, SCENE_LINEAR, SCENE_CUBIC, SCENE_CURVE } SceneInterpolation;

/* Numbers of a key of a curve: its value and the kind of the segment to the next key. Cubic Bezier segments
 * also have the slopes per second at the key and before the next one, and the share of the segment that
 * each tangent reaches. */
typedef enum CurveNumber {
    CURVE_VALUE,
    CURVE_KIND, /* a CurveKind */
    CURVE_SLOPE,
    CURVE_REACH,
    CURVE_NEXT_SLOPE,
    CURVE_NEXT_REACH,
    CURVE_NUMBERS
} CurveNumber;

typedef enum CurveKind { CURVE_LINEAR, CURVE_HOLDS, CURVE_JUMPS, CURVE_BEZIER } CurveKind;

typedef struct SceneChannel {
    int node;
    ScenePath path;
    SceneInterpolation interpolation;
    int key_count;
    int width;       /* numbers per value: 3, 4, or the number of targets; CURVE: 1 */
    double *times;   /* [key_count] seconds, ascending */
    double *values;  /* [key_count][width], CUBIC: [key_count][3][width], CURVE: [key_count][CURVE_NUMBERS] */
    int layer, axis; /* CURVE: layer of the clip; axis 0 to 2, or morph target */
    bool still;      /* CURVE: constant, so its keys make no frames */
} SceneChannel;

typedef enum SceneBlending { SCENE_ADDED, SCENE_OVERRIDDEN, SCENE_MIXED } SceneBlending;

/* How a layer of an FBX clip combines with those before it. */
typedef struct SceneLayer {
    double weight;
    SceneBlending blending;
    bool angles_apart; /* Euler angles add per axis; otherwise rotations are composed */
    bool scales_added; /* scales add; otherwise they multiply */
} SceneLayer;

typedef struct SceneClip {
    char *name;
    int channel_count, layer_count;
    SceneChannel *channels; /* CURVE: sorted by layer, with the axes of a part in sequence */
    SceneLayer *layers;     /* the first layer sets the value of its channels */
} SceneClip;

typedef struct Scene {
    const char *path; /* file name for messages; owned by the caller */
    int node_count, mesh_count, skin_count, instance_count, clip_count;
    SceneNode *nodes;
    SceneEuler *eulers; /* [node_count] for FBX; NULL: nodes are placed by their own members */
    SceneMesh *meshes;
    SceneSkin *skins;
    SceneInstance *instances;
    SceneClip *clips;
    const char *clips_place; /* the format's name for clips, such as "animations" */
    int32_t *order;          /* [node_count] nodes with parents before children, set by scene_check */
    double memory_bytes;     /* memory limit, because small hostile files can ask for much */
} Scene;

/* Returns the memory limit for a file of that size: the largest of 64 MB, 200 times the file size, and
 * --memory-limit (as for archives). */
double scene_memory_bytes(double file_bytes);

/* STATUS_BAD_INPUT if something needs more than scene->memory_bytes. `what` is a format for its name. */
Status scene_memory_check(const Scene *scene, double bytes, const char *what, ...)
    __attribute__((format(printf, 3, 4)));

/* Checks all that users of a scene rely on, and orders the nodes. Numbers are finite, references are in
 * range, no node is its own ancestor, and keys are ascending and have the width of their path.
 * STATUS_BAD_INPUT names the place and the value. */
Status scene_check(Scene *scene);

/* Checks only the nodes and their order, as a part of scene_check, for readers that need the order
 * early. */
Status scene_nodes_check(Scene *scene);

/* Allocate the arrays of a mesh, a skin or a channel after its counts are set. */
Status scene_mesh_allocate(SceneMesh *mesh);
Status scene_skin_allocate(SceneSkin *skin);
Status scene_channel_allocate(SceneChannel *channel);

/* Releases everything that a scene owns and empties it. */
void scene_clear(Scene *scene);

/* The last steps of readers of polygons. Checks the scene, binds vertices of skinned meshes that have no
 * weights to the mesh's node, and welds the vertices of `corners` polygon corners. Notes state what was
 * merged, and how many points and lines were dropped. STATUS_BAD_INPUT also if a bind matrix has no
 * inverse. */
Status scene_weld(Scene *scene, const FormatNotes *notes, long long corners, long long dropped);

/* Merges vertices of a mesh whose position, influences and morph targets are equal bit by bit. They keep
 * the order of first occurrence, triangles are renumbered, and the arrays are not reallocated. A lip that
 * rests on the other one stays separate because its influences differ. STATUS_SYSTEM if out of memory. */
Status scene_mesh_weld(SceneMesh *mesh);
