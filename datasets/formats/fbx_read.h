/* Reads FBX files of the versions 7.0 to 7.7, text and binary, into scenes. */
#pragma once

#include "datasets/formats/scene.h"

/* Reads a scene that has passed scene_check. Vertices stand in the order in which polygons first name them,
 * and all influences are kept. STATUS_BAD_INPUT names what is damaged or not read: older versions, spheric
 * rotation orders, animated pivots or layer weights, additive clusters, morph targets with shapes in between,
 * nodes with several parents. Release with scene_clear. */
Status fbx_read(const char *path, const FormatNotes *notes, Scene *out);
