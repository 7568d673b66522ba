/* Reads the animation stacks of FBX as clips, with layers, curves and tangents. */
#pragma once

#include "datasets/formats/fbx_objects.h"

/* Adds a clip to the scene for every stack. The scene's nodes and instances must exist. STATUS_BAD_INPUT if
 * pivots, offsets or layer weights are animated. */
Status fbx_clips_read(FbxReading *reading);
