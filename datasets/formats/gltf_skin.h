/* A rig as the skin of a glTF file: nodes for its joints, influences in the form that glTF requires, and
 * the difference between the file's linear blend and the rig's. Nodes have a translation, a rotation and a
 * scale, as glTF animates them. The skin equals the rig if no joint is sheared:
 *
 *   place of the node of joint j in frame f = C_j(f) B_j, its inverse bind matrix = inv(B_j)
 *
 * The nodes follow the rig's hierarchy, with B_j = A_j, if every joint then moves in its parent by
 * translation, rotation and scale alone. Otherwise a scale would shear the nodes below it, so all nodes
 * become children of one node and get absolute places.
 *
 * Joints with shear, and rigs whose rest frames are all equal (fitted ones), get another B_j. Its origin is
 * amid the vertices that the joint moves, where the loss does least harm and an armature can be seen. Its
 * axes follow the joint's stretches, so that these become scales (metrics_diagonalize). */
#pragma once

#include "datasets/geometry/affine_parts.h"
#include "datasets/model/dataset.h"

/* A node's place in its parent, as the file stores it. */
typedef struct JointKey {
    float translation[3], rotation[4], scale[3]; /* rotation: x, y, z, w */
} JointKey;

typedef struct JointNodes {
    int joint_count, frame_count; /* P, F */
    bool parented;                /* follows the rig's hierarchy; otherwise all are roots */
    int sheared_count;            /* joints that lose more than rounding in some frame */
    const int32_t *parents;       /* [P] parents in the rig */
    Transform *binds;             /* [P] B_j */
    float *inverse_binds;         /* [P][16] column by column */
    JointKey *rest;               /* [P] keys of the bind pose */
    JointKey *keys;               /* [P][F]; successive rotations are on the same side */
} JointNodes;

/* The rig must not have a `scale` (two_phase.h joins it with the transforms) and must outlive the nodes.
 * Release with joint_nodes_clear. */
Status joint_nodes_init(const Mesh *mesh, const Rig *rig, JointNodes *out);
void joint_nodes_clear(JointNodes *nodes);

/* Computes the transformations of rest points in a frame, transforms [P], from the rounded values in the
 * file: the nodes' places in the scene times the inverse bind matrices. */
void joint_nodes_pose(const JointNodes *nodes, int frame, Transform *transforms);

typedef struct GltfSkin {
    JointNodes nodes;
    /* Influences with positive weights that sum to 1, in descending order and with each joint at most once
     * per vertex. Unused slots at the end have weight 0 and joint 0. */
    int influence_count;    /* K */
    int32_t *weight_joints; /* [N][K] */
    float *weight_values;   /* [N][K] */
    /* Distance between a vertex skinned from the file and by the rig, over all vertices and frames, in the
     * mesh's unit. */
    double loss_max, loss_rms;
} GltfSkin;

/* The rig must not have a `scale` and must outlive the skin. A negative weight gives STATUS_BAD_INPUT,
 * which names `path` and the vertex. Release with gltf_skin_clear. */
Status gltf_skin_init(const Mesh *mesh, const Rig *rig, const char *path, const Progress *progress,
                      GltfSkin *out);
void gltf_skin_clear(GltfSkin *skin);
