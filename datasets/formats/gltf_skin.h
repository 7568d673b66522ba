/* A rig as the skin of a glTF file: nodes for its joints, influences in the form that glTF requires, and
 * the difference between linear blend skinning of the file and of the rig. A node has a translation, a
 * rotation and a scale, as glTF animates them. C_j is the rig's transform of joint j, A_j its rest frame
 * and B_j its bind transformation. The skin equals the rig if no joint is sheared:
 *
 *   place of the node of joint j in frame f = C_j(f) B_j, its inverse bind matrix = inv(B_j)
 *
 * If every joint moves relative to its parent by translation, rotation and scale alone, the nodes keep the
 * rig's hierarchy, and B_j = A_j. Otherwise a scale would shear the nodes below it, so all nodes become
 * children of one node and get absolute places.
 *
 * Joints with shear, and rigs whose rest frames are all equal (fitted rigs), get another B_j. Its origin is
 * at the centre of the vertices that the joint moves: there the loss of shear has the smallest effect, and
 * the armature is visible. Its axes are the directions in which the joint stretches, so that stretches
 * become scales (metrics_diagonalize). */
#pragma once

#include "datasets/geometry/affine_parts.h"
#include "datasets/model/dataset.h"

/* A node's place in its parent, as the file stores it. */
typedef struct JointKey {
    float translation[3], rotation[4], scale[3]; /* rotation: x, y, z, w */
} JointKey;
JointKey joint_key(AffineParts place);

typedef struct JointNodes {
    int joint_count, frame_count; /* P, F */
    bool parented; /* whether the nodes keep the rig's hierarchy; otherwise all are children of one node */
    int sheared_count;      /* number of joints that lose shear, beyond rounding errors, in any frame */
    const int32_t *parents; /* [P] parents of the joints in the rig */
    Transform *binds;       /* [P] B_j */
    float *inverse_binds;   /* [P][16] column by column */
    JointKey *rest;         /* [P] keys of the bind pose */
    JointKey *keys;         /* [P][F] keys; quaternions of successive keys have a dot product of at least 0 */
} JointNodes;

typedef struct GltfSkin {
    JointNodes nodes;
    /* Influences with positive weights of sum 1, in descending order. A joint occurs at most once per
     * vertex. Unused slots at the end have weight 0 and joint 0. */
    int influence_count;    /* K */
    int32_t *weight_joints; /* [N][K] */
    float *weight_values;   /* [N][K] */
    /* Distance between the position of a vertex skinned by the file and its position skinned by the rig, in
     * the unit of the mesh: maximum and root mean square over all vertices and frames. */
    double loss_max, loss_rms;
} GltfSkin;

/* Makes the skin of a rig. The rig must not have a `scale` (two_phase.h multiplies it into the transforms)
 * and must outlive the skin. A negative weight gives STATUS_BAD_INPUT with a message that names `path` and
 * the vertex. Release with gltf_skin_clear. */
Status gltf_skin_init(const Mesh *mesh, const Rig *rig, const char *path, const Progress *progress,
                      GltfSkin *out);
void gltf_skin_clear(GltfSkin *skin);

/* Stores the inverse of a bind transformation, column by column. */
void inverse_bind_columns(Transform bind, float columns[16]);
