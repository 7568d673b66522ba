/* Reads FBX files of versions 7.0 to 7.7, text and binary, into scenes. */
#pragma once

#include "datasets/formats/scene.h"

/* Reads a scene and checks it with scene_check. Vertices are in the order in which polygons first name
 * them, and all influences are kept. Damaged files get STATUS_BAD_INPUT, as do older versions, spheric
 * rotation orders, animated pivots or layer weights, additive clusters, in-between morph targets and nodes
 * with several parents. Release with scene_clear. */
Status fbx_read(const char *path, const FormatNotes *notes, Scene *out);
