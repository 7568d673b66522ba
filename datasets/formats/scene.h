/* What glTF, FBX and Collada have in common, in memory: nodes, meshes, skins, clips, in the order of the
 * file. Names of the arrays are those of glTF, so that a message says `nodes[7]` of either. Everything from
 * outside passes scene_check before it is used. */
#pragma once

#include "datasets/base/base.h"
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
 * per second. */
typedef enum SceneInterpolation { SCENE_STEP, SCENE_LINEAR, SCENE_CUBIC } SceneInterpolation;

typedef struct SceneChannel {
    int node;
    ScenePath path;
    SceneInterpolation interpolation;
    int key_count;
    int width;      /* numbers per value: 3, 4, or as many as there are targets */
    double *times;  /* [key_count] seconds, ascending */
    double *values; /* [key_count][width], CUBIC: [key_count][3][width] */
} SceneChannel;

typedef struct SceneClip {
    char *name;
    int channel_count;
    SceneChannel *channels;
} SceneClip;

typedef struct Scene {
    const char *path; /* of the file, for messages; the caller's */
    int node_count, mesh_count, skin_count, instance_count, clip_count;
    SceneNode *nodes;
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

/* Joins vertices of a mesh whose place, influences and morph targets are the same bit by bit; they stand in
 * the order in which the first of each stood, triangles follow, and memory stays as it is. A lip that rests
 * on the other one stays apart, as its influences differ. STATUS_SYSTEM: out of memory. */
Status scene_mesh_weld(SceneMesh *mesh);
