/* Animation stacks of FBX as clips: layers, curves and their tangents. */
#pragma once

#include "datasets/formats/fbx_objects.h"

/* Adds a clip to the scene for every stack, after its nodes and instances. STATUS_BAD_INPUT names animated
 * pivots, offsets and weights of layers. */
Status fbx_clips_read(FbxReading *reading);
