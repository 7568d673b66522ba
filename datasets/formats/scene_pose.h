/* Where the nodes of a scene are at a time of a clip. Before its first key and after its last a channel
 * holds. */
#pragma once

#include "datasets/formats/scene.h"
#include "datasets/geometry/affine_parts.h"

/* The value of a channel at a time: value [width]. Step, linear (rotations: the shorter great arc, glTF 2.0
 * appendix C) or cubic (Hermite; a rotation is of any length then). */
void scene_channel_sample(const SceneChannel *channel, double time_s, double *value);

/* A node's place in its parent while a clip moves it. */
typedef struct SceneLocal {
    bool moved;
    AffineParts parts;
} SceneLocal;

/* Every node's place in the scene. clip NULL: as the nodes stand.
 *   locals [node_count]  workspace      globals [node_count]  the result */
void scene_pose(const Scene *scene, const SceneClip *clip, double time_s, SceneLocal *locals,
                Transform *globals);

/* Weights of an instance's morph targets, [target_count]. */
void scene_target_weights(const Scene *scene, const SceneClip *clip, const SceneInstance *instance,
                          double time_s, double *weights);
