/* Reads the animation stacks of FBX as clips, with layers, curves and tangents. */
#pragma once

#include "datasets/formats/fbx_objects.h"

/* Adds a clip to the scene for every stack. The nodes and instances of the scene must exist already.
 * Animated pivots, offsets or layer weights give STATUS_BAD_INPUT. */
Status fbx_clips_read(FbxReading *reading);
