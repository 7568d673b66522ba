/* The frames that are taken of a scene's clips, and where its nodes are at a time of a clip. Before its first
 * key and after its last a channel holds. */
#pragma once

#include "datasets/formats/format_task.h"
#include "datasets/formats/scene.h"
#include "datasets/geometry/affine_parts.h"

/* The value of a channel at a time: value [width]. Step, linear (rotations: the shorter great arc, glTF 2.0
 * appendix C) or cubic (Hermite; a rotation is of any length then). */
void scene_channel_sample(const SceneChannel *channel, double time_s, double *value);

/* A quaternion of length 1 along q; the identity if q has length 0. */
Quat quat_unit(Quat q);
/* Spherical linear interpolation on the shorter arc: a at share 0, b at share 1. */
Quat quat_between(Quat a, Quat b, double share);

/* A node's place in its parent while a clip moves it. */
typedef struct SceneLocal {
    bool moved;
    AffineParts parts;
    /* of FBX (fbx_pose.c) */
    double numbers[3][3];
    Transform unscaled; /* the node's place in the scene without its own scale */
    Vec3 scale;
    int scale_from;
} SceneLocal;

/* Every node's place in the scene. clip NULL: as the nodes stand.
 *   locals [node_count]  workspace      globals [node_count]  the result */
void scene_pose(const Scene *scene, const SceneClip *clip, double time_s, SceneLocal *locals,
                Transform *globals);

/* Weights of an instance's morph targets, [target_count]. */
void scene_target_weights(const Scene *scene, const SceneClip *clip, const SceneInstance *instance,
                          double time_s, double *weights);

typedef struct SceneFrame {
    const SceneClip *clip; /* NULL: as the nodes stand */
    double time_s;
} SceneFrame;

typedef struct SceneFrames {
    int count; /* at least 1 */
    SceneFrame *frames;
    double fps;  /* of the data set; 0: the keys are not evenly spaced */
    bool moved;  /* a clip moves what is looked at */
    bool morphs; /* a clip changes the weights of morph targets */
} SceneFrames;

/* Lists the frames of the clip that options name, or of all, one after the other: every time at which a
 * channel has a key, or options->fps from the first. Only channels count that move a node marked in `watched`
 * [node_count] or morph targets. Without clips there is one frame, as the nodes stand.
 * STATUS_BAD_INPUT names the clips there are. Release with memory_free of frames. */
Status scene_frames_make(const Scene *scene, const ImportOptions *options, const unsigned char *watched,
                         SceneFrames *out);
