/* A rig as the skin of a glTF file: nodes for its joints, influences as the format wants them, and how far
 * the file's linear blend is from the rig's. */
#pragma once

#include "datasets/base/progress.h"
#include "datasets/formats/gltf_joints.h"

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
