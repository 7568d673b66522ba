/* The frames sampled from a scene's clips, and the places of its nodes at a time of a clip. */
#pragma once

#include "datasets/formats/scene_channel.h"

/* Computes every node's place in the scene, globals [node_count]. Without a clip (NULL) nodes have their
 * own places. locals [node_count] is workspace. */
void scene_pose(const Scene *scene, const SceneClip *clip, double time_s, SceneLocal *locals,
                Transform *globals);

/* Computes the weights [target_count] of an instance's morph targets. */
void scene_target_weights(const Scene *scene, const SceneClip *clip, const SceneInstance *instance,
                          double time_s, double *weights);

typedef struct SceneFrame {
    const SceneClip *clip; /* NULL: without animation */
    double time_s;
} SceneFrame;

typedef struct SceneFrames {
    int count; /* at least 1 */
    SceneFrame *frames;
    double fps;  /* frame rate of the data set; 0: keys are not evenly spaced */
    bool moved;  /* a clip moves a watched node */
    bool morphs; /* a clip changes the weights of morph targets */
} SceneFrames;

/* Lists the frames of the clip that the options name, or of all clips in sequence. Frames are at every time
 * at which a channel has a key, or at options->fps from the first. Only channels that move a node marked in
 * `watched` [node_count] or morph targets count. Without clips there is one frame. STATUS_BAD_INPUT lists
 * the clips if none has the name. Release frames with memory_free. */
Status scene_frames_make(const Scene *scene, const ImportOptions *options, const unsigned char *watched,
                         SceneFrames *out);
