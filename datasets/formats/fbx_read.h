/* Reads FBX files of versions 7.0 to 7.7, text and binary, into scenes. */
#pragma once

#include "datasets/formats/scene.h"

/* Reads a scene and checks it with scene_check. All influences are kept. Vertices are numbered in the order
 * in which the polygons first use them. STATUS_BAD_INPUT if the file is damaged, older than 7.0, or has
 * spheric rotation orders, animated pivots or layer weights, additive clusters, in-between morph targets,
 * or nodes with several parents. Release with scene_clear. */
Status fbx_read(const char *path, const FormatNotes *notes, Scene *out);
