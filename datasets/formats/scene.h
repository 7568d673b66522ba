/* An in-memory scene with the common features of glTF, FBX and Collada: nodes, meshes, skins and clips, in
 * file order. Messages use glTF's names of the arrays for every format, such as `nodes[7]`. A scene read
 * from a file must pass scene_check before it is used. */
#pragma once

#include "datasets/formats/format_task.h"
#include "datasets/geometry/quat.h"
#include "datasets/geometry/transform.h"

typedef struct SceneNode {
    char *name;
    int parent; /* -1: a root */
    /* Place of the node in its parent: x -> translation + rotation (scale x), or `matrix` if has_matrix is
     * set. If a clip animates a node that has a matrix, the matrix is decomposed and its animated parts are
     * replaced. */
    Vec3 translation, scale;
    Quat rotation; /* quaternion of any length except 0 */
    bool has_matrix;
    Transform matrix;
} SceneNode;

/* Place of a node relative to its parent in an FBX file: T before R between S after.
 *
 * The translation T, the Euler angles R and the scale S have three numbers each. The transformations
 * `before`, `between` and `after` are constant. */
typedef struct SceneEuler {
    double parts[3][3]; /* translation, rotation in degrees, and scale; each is used only if no clip animates
                           it */
    Transform before, between, after;
    int order;   /* rotation order from 0 to 5: XYZ, XZY, YZX, YXZ, ZXY, ZYX; the first axis rotates first */
    int inherit; /* inheritance of the parent's scale (fbx_pose.h): 0 RrSs, 1 RSrs, 2 Rrs */
} SceneEuler;

typedef struct SceneMesh {
    char *name;
    int vertex_count, triangle_count, target_count;
    int influence_count;    /* K, the number of influence slots per vertex, or 0 */
    float *positions;       /* [N][3] */
    int32_t *triangles;     /* [T][3] */
    int32_t *weight_joints; /* [N][K] numbers of joints in the skin; arbitrary if the weight is 0 */
    float *weight_values;   /* [N][K] */
    float *targets;         /* [target_count][N][3] displacements by each morph target at weight 1 */
    Mesh painted;           /* its attributes are those of this mesh; the other members are not used */
} SceneMesh;

typedef struct SceneSkin {
    char *name;
    int joint_count;
    int32_t *joints;          /* [joint_count] nodes */
    Transform *inverse_binds; /* [joint_count] transformations at bind time, from the space of the mesh to the
                                 space of the joint */
} SceneSkin;

/* A mesh placed by a node or bound to a skin. If there is a skin, the place of the node is ignored. */
typedef struct SceneInstance {
    int node, mesh, skin;   /* skin: -1 if none */
    double *target_weights; /* [target_count] weights of the morph targets, used if no clip animates them */
} SceneInstance;

typedef enum ScenePath {
    SCENE_TRANSLATION,
    SCENE_ROTATION, /* quaternions w, x, y, z of any length */
    SCENE_SCALE,
    SCENE_WEIGHTS /* weights of the morph targets of the node's meshes */
} ScenePath;

/* Interpolation between keys. CUBIC is a Hermite spline: each key has an incoming tangent, a value and an
 * outgoing tangent, with tangents per second. CURVE is one number that is animated as in FBX: each key has
 * CURVE_NUMBERS numbers. */
typedef enum SceneInterpolation { SCENE_STEP, SCENE_LINEAR, SCENE_CUBIC, SCENE_CURVE } SceneInterpolation;

/* The numbers of a key of an FBX curve: its value, and the kind of the segment to the next key. A cubic
 * Bezier segment also has the slopes per second at its two ends. The duration of each of its two tangents
 * is given as a fraction of the duration of the segment. */
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
    int width;       /* numbers per value: 3, 4, or the number of morph targets; CURVE: 1 */
    double *times;   /* [key_count] seconds, ascending */
    double *values;  /* [key_count][width], CUBIC: [key_count][3][width], CURVE: [key_count][CURVE_NUMBERS] */
    int layer, axis; /* for CURVE: the layer of the clip, and the axis or the morph target of `mesh` that the
                        curve animates */
    int mesh;        /* CURVE of WEIGHTS: the mesh whose morph target it animates */
    bool still;      /* CURVE: whether the curve is constant, so that no frames are needed at its keys */
} SceneChannel;

typedef enum SceneBlending { SCENE_ADDED, SCENE_OVERRIDDEN, SCENE_MIXED } SceneBlending;

/* How a layer of an FBX clip is combined with the layers before it. */
typedef struct SceneLayer {
    double weight;
    SceneBlending blending;
    bool angles_apart; /* whether Euler angles are added axis by axis; otherwise rotations are composed */
    bool scales_added; /* whether scales are added; otherwise they are multiplied */
} SceneLayer;

typedef struct SceneClip {
    char *name;
    int channel_count, layer_count;
    SceneChannel *channels; /* channels of the type CURVE are sorted by layer, with the axes of a part next to
                               each other */
    SceneLayer *layers;     /* the first layer sets the value of its channels */
} SceneClip;

typedef struct Scene {
    const char *path; /* file name for messages; owned by the caller */
    int node_count, mesh_count, skin_count, instance_count, clip_count;
    SceneNode *nodes;
    SceneEuler *eulers; /* [node_count] places of the nodes of an FBX file; NULL: the places are in the
                           members of SceneNode */
    SceneMesh *meshes;
    SceneSkin *skins;
    SceneInstance *instances;
    SceneClip *clips;
    const char *clips_place; /* the format's name for clips, such as "animations" */
    int32_t *order;          /* [node_count] order in which parents precede children; set by scene_check */
    double memory_bytes;     /* memory limit: input_contents_limit of the file */
} Scene;

/* Returns STATUS_BAD_INPUT if `bytes` exceeds scene->memory_bytes. `what` is a printf format that names the
 * object for which memory is needed. */
Status scene_memory_check(const Scene *scene, double bytes, const char *what, ...)
    __attribute__((format(printf, 3, 4)));

/* Checks a scene and orders its nodes. Afterwards numbers are finite, references are in range, no node is
 * its own ancestor, and keys are ascending and have the right width. The message of STATUS_BAD_INPUT names
 * the place and the value. */
Status scene_check(Scene *scene);

/* Checks and orders only the nodes, for readers that need their order before they call scene_check. */
Status scene_nodes_check(Scene *scene);

/* Allocate the arrays of a mesh, a skin or a channel after its counts are set. */
Status scene_mesh_allocate(SceneMesh *mesh);
Status scene_skin_allocate(SceneSkin *skin);
Status scene_channel_allocate(SceneChannel *channel);

/* Releases everything that a scene owns and empties it. */
void scene_clear(Scene *scene);

/* Completes a scene that was read from polygons.
 *
 * First checks the scene. Then binds vertices of skinned meshes that have no weights to the mesh's node.
 * Finally welds vertices, of which there is one for each of the `corners` polygon corners. Notes state what
 * was merged, and how many points and lines were dropped. STATUS_BAD_INPUT also if a bind matrix has no
 * inverse. */
Status scene_weld(Scene *scene, const FormatNotes *notes, long long corners, long long dropped);

/* Merges the vertices of a mesh whose position, influences and morph targets are equal bit by bit. The
 * remaining vertices keep their order, triangles are renumbered, and the arrays are not reallocated. Lips
 * that touch stay separate because their influences differ. STATUS_SYSTEM if out of memory. */
Status scene_mesh_weld(SceneMesh *mesh);

/* Read an FBX file of version 7.0 to 7.7, text or binary, or a Collada file. The scene has passed
 * scene_check. All influences are kept. Vertices are numbered in the order in which the polygons first use
 * them. FBX gives STATUS_BAD_INPUT if the file is damaged, older than 7.0, or has spheric rotation orders,
 * animated pivots or layer weights, additive clusters, in-between morph targets, or nodes with several
 * parents. assimp_read exists only if libassimp was installed when skinbench was built. Release with
 * scene_clear. */
Status fbx_read(const ImportOptions *options, Scene *out);
Status assimp_read(const ImportOptions *options, Scene *out);
