/* A rig as the skin of a glTF file: nodes for its joints, influences as the format wants them, and how far
 * the file's linear blend is from the rig's. Nodes have a translation, a rotation and a scale, as glTF
 * animates them. The skin that they make is that of the rig where its joints have no shear:
 *
 *   place of the node of joint j in frame f = C_j(f) B_j, its inverse bind matrix = inv(B_j)
 *
 * The nodes follow the rig's hierarchy, with B_j = A_j, where every joint then moves in its parent by
 * translation, rotation and scale alone; else all are children of one node, each with its absolute place, as
 * a scale would shear what is below it. Joints which have shear, and rigs whose rest frames are all the same
 * (fitted ones), get a B_j of their own: its origin amid the vertices that the joint moves, where what is
 * lost does least harm and an armature can be seen, and its axes along those of the joint's stretches, so
 * that these are scales (metrics_diagonalize). */
#pragma once

#include "datasets/geometry/affine_parts.h"
#include "datasets/model/dataset.h"

/* A node's place in its parent, as it stands in the file. */
typedef struct JointKey {
    float translation[3], rotation[4], scale[3]; /* rotation: x, y, z, w */
} JointKey;

typedef struct JointNodes {
    int joint_count, frame_count; /* P, F */
    bool parented;                /* by the rig's hierarchy; else all are roots */
    int sheared_count;            /* joints with more than rounding lost in some frame */
    const int32_t *parents;       /* [P] the rig's */
    Transform *binds;             /* [P] B_j */
    float *inverse_binds;         /* [P][16] column by column */
    JointKey *rest;               /* [P] in the bind pose */
    JointKey *keys;               /* [P][F] neighbouring rotations have no opposite signs */
} JointNodes;

/* rig must have no `scale` (two_phase.h joins it) and outlive the nodes. Release with joint_nodes_clear. */
Status joint_nodes_init(const Mesh *mesh, const Rig *rig, JointNodes *out);
void joint_nodes_clear(JointNodes *nodes);

/* The transformations of rest points in a frame, to transforms [P]: the nodes' places, parents included,
 * times the inverse bind matrices, all as they stand in the file. */
void joint_nodes_pose(const JointNodes *nodes, int frame, Transform *transforms);

typedef struct GltfSkin {
    JointNodes nodes;
    /* Influences with positive weights that sum to 1, in descending order, no joint twice in a vertex, then
     * slots of weight 0 and joint 0. */
    int influence_count;    /* K */
    int32_t *weight_joints; /* [N][K] */
    float *weight_values;   /* [N][K] */
    /* Distance of a vertex by the file from its place by the rig, over all vertices and frames, in the mesh's
     * unit. */
    double loss_max, loss_rms;
} GltfSkin;

/* rig must have no `scale` and outlive the skin. STATUS_BAD_INPUT for a negative weight, which names `path`
 * and the vertex. Release with gltf_skin_clear. */
Status gltf_skin_init(const Mesh *mesh, const Rig *rig, const char *path, const Progress *progress,
                      GltfSkin *out);
void gltf_skin_clear(GltfSkin *skin);
