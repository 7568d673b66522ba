/* The frames that are taken of a scene's clips, and where its nodes are at a time of a clip. */
#pragma once

#include "datasets/formats/scene_channel.h"

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
