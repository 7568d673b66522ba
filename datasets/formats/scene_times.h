/* The frames that are taken of a scene's clips. */
#pragma once

#include "datasets/formats/format_task.h"
#include "datasets/formats/scene.h"

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
