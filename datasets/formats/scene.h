/* What glTF, FBX and Collada have in common, in memory: nodes, meshes, skins, clips, in the order of the
 * file. Names of the arrays are those of glTF, so that a message says `nodes[7]` of either. Everything from
 * outside passes scene_check before it is used. */
#pragma once

#include "datasets/formats/format_task.h"
#include "datasets/geometry/quat.h"
#include "datasets/geometry/transform.h"

typedef struct SceneNode {
    char *name;
    int parent; /* -1: a root */
    /* Its place in its parent: x -> translation + rotation (scale x). Where has_matrix is set, that of
     * `matrix`; a channel then replaces one part of what the matrix is decomposed into. */
    Vec3 translation, scale;
    Quat rotation; /* of any length but 0 */
    bool has_matrix;
    Transform matrix;
} SceneNode;

/* How FBX places a node in its parent: T before R between S after, with three numbers each for the
 * translation T, the Euler angles R and the scale S. */
typedef struct SceneEuler {
    double parts[3][3]; /* translation, rotation in degrees, scale, if no clip sets them */
    Transform before, between, after;
    int order;   /* of rotation: 0 XYZ, XZY, YZX, YXZ, ZXY, 5 ZYX; the first axis turns first */
    int inherit; /* 0 RrSs, 1 RSrs, 2 Rrs: how the parent's scale comes in (fbx_pose.h) */
} SceneEuler;

typedef struct SceneMesh {
    char *name;
    int vertex_count, triangle_count, target_count;
    int influence_count;    /* K, slots per vertex; 0: none */
    float *positions;       /* [N][3] */
    int32_t *triangles;     /* [T][3] */
    int32_t *weight_joints; /* [N][K] numbers of the skin's joints; of a slot with weight 0 anything */
    float *weight_values;   /* [N][K] */
    float *targets;         /* [target_count][N][3] what a morph target of weight 1 adds to the positions */
} SceneMesh;

typedef struct SceneSkin {
    char *name;
    int joint_count;
    int32_t *joints;          /* [joint_count] nodes */
    Transform *inverse_binds; /* [joint_count] from the mesh's space to the joint's when it was bound */
} SceneSkin;

/* A mesh placed by a node, or bound to a skin: then the node's own place counts for nothing. */
typedef struct SceneInstance {
    int node, mesh, skin;   /* skin -1: none */
    double *target_weights; /* [target_count] of the mesh, where no clip sets them */
} SceneInstance;

typedef enum ScenePath {
    SCENE_TRANSLATION,
    SCENE_ROTATION, /* values w, x, y, z; of any length */
    SCENE_SCALE,
    SCENE_WEIGHTS /* of the morph targets of the node's meshes */
} ScenePath;

/* CUBIC: Hermite splines; a key has the tangent that leads to it, the value and the tangent that leaves it,
 * per second. CURVE: a single number as FBX moves it, with CURVE_NUMBERS for each key. */
typedef enum SceneInterpolation { SCENE_STEP, SCENE_LINEAR, SCENE_CUBIC, SCENE_CURVE } SceneInterpolation;

/* What a key of a curve has: its value, how it goes on to the next key, and for cubic Bezier segments the
 * slope per second at the key and before the next one, with the share of the segment that each reaches. */
typedef enum CurveNumber {
    CURVE_VALUE,
    CURVE_KIND, /* of CurveKind */
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
    int width;       /* numbers per value: 3, 4, or as many as there are targets; CURVE: 1 */
    double *times;   /* [key_count] seconds, ascending */
    double *values;  /* [key_count][width], CUBIC: [key_count][3][width], CURVE: [key_count][CURVE_NUMBERS] */
    int layer, axis; /* CURVE: a layer of the clip, and 0 to 2 or the morph target */
    bool still;      /* CURVE: holds one value, which is no frame */
} SceneChannel;

typedef enum SceneBlending { SCENE_ADDED, SCENE_OVERRIDDEN, SCENE_MIXED } SceneBlending;

/* How a layer of an FBX clip comes on top of those before it. */
typedef struct SceneLayer {
    double weight;
    SceneBlending blending;
    bool angles_apart; /* Euler angles are added axis by axis; otherwise rotations follow each other */
    bool scales_added; /* scales are added; otherwise they are multiplied */
} SceneLayer;

typedef struct SceneClip {
    char *name;
    int channel_count, layer_count;
    SceneChannel *channels; /* CURVE: by layer, and the axes of a part one after the other */
    SceneLayer *layers;     /* the first one sets what its channels move */
} SceneClip;

typedef struct Scene {
    const char *path; /* of the file, for messages; the caller's */
    int node_count, mesh_count, skin_count, instance_count, clip_count;
    SceneNode *nodes;
    SceneEuler *eulers; /* [node_count] of FBX; NULL: the nodes are placed by their own members */
    SceneMesh *meshes;
    SceneSkin *skins;
    SceneInstance *instances;
    SceneClip *clips;
    const char *clips_place; /* what the file calls its clips: "animations" */
    int32_t *order;          /* [node_count] all nodes, parents before children; from scene_check */
    double memory_bytes;     /* what may be made of the file: hostile files are small and ask for much */
} Scene;

/* What a file of that size may be made into: 64 MB or 200 times the file, whichever is more, or
 * --memory-limit where that is more still (as of archives). */
double scene_memory_bytes(double file_bytes);

/* Refuses what would take more than scene->memory_bytes, STATUS_BAD_INPUT; `what` with a format says what it
 * is. */
Status scene_memory_check(const Scene *scene, double bytes, const char *what, ...)
    __attribute__((format(printf, 3, 4)));

/* Checks all that users of a scene rely on and orders the nodes: numbers finite, references in range, no node
 * its own ancestor, keys ascending and as wide as their path. STATUS_BAD_INPUT names place and value. */
Status scene_check(Scene *scene);

/* The part of it about the nodes, for readers that need their order early. */
Status scene_nodes_check(Scene *scene);

/* Allocate the arrays of a mesh, a skin, a channel whose counts are set. */
Status scene_mesh_allocate(SceneMesh *mesh);
Status scene_skin_allocate(SceneSkin *skin);
Status scene_channel_allocate(SceneChannel *channel);

/* Releases all that a scene owns and empties it. */
void scene_clear(Scene *scene);

/* The last steps of readers of polygons. Checks the scene, binds vertices of skinned meshes that have no
 * weights to the mesh's node, welds the vertices of `corners` polygon corners, and notes what was joined and
 * how many points and lines were dropped. STATUS_BAD_INPUT also for bind matrices without an inverse. */
Status scene_weld(Scene *scene, const FormatNotes *notes, long long corners, long long dropped);

/* Joins vertices of a mesh whose place, influences and morph targets are the same bit by bit; they stand in
 * the order in which the first of each stood, triangles follow, and memory stays as it is. A lip that rests
 * on the other one stays apart, as its influences differ. STATUS_SYSTEM: out of memory. */
Status scene_mesh_weld(SceneMesh *mesh);
