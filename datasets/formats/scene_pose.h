/* The frames sampled from a scene's clips, and the places of the scene's nodes at a time of a clip. */
#pragma once

#include "datasets/formats/scene_channel.h"

/* Computes the place of every node in the scene, globals [node_count], at a time of a clip. If the clip is
 * NULL, the nodes have their places without animation. locals [node_count] is workspace. */
void scene_pose(const Scene *scene, const SceneClip *clip, double time_s, SceneLocal *locals,
                Transform *globals);

/* Computes the weights [target_count] of an instance's morph targets at a time of a clip. */
void scene_target_weights(const Scene *scene, const SceneClip *clip, const SceneInstance *instance,
                          double time_s, double *weights);

typedef struct SceneFrame {
    const SceneClip *clip; /* NULL: not animated */
    double time_s;
} SceneFrame;

typedef struct SceneFrames {
    int count; /* at least 1 */
    SceneFrame *frames;
    int clip_count; /* number of clips that have frames; 0: the scene does not move */
    double fps;     /* frame rate of the data set; 0: the keys are not evenly spaced */
    bool morphs;    /* whether a clip changes the weights of morph targets */
} SceneFrames;

/* Lists the frames of the clip that the options name, or of all clips in sequence.
 *
 * There is a frame at every key of a channel or, if options->fps is set, at this rate from the first key
 * on. Channels are ignored unless they animate morph targets or nodes marked in `watched` [node_count].
 * STATUS_BAD_INPUT if no clip has the name; the message lists the clips. Release frames with
 * memory_free. */
Status scene_frames_make(const Scene *scene, const ImportOptions *options, const unsigned char *watched,
                         SceneFrames *out);
