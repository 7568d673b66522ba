/* Reads FBX and Collada files into scenes, through assimp in a confined process (datasets/io/confined.h):
 * what crashes assimp, or takes it too long, is STATUS_BAD_INPUT here. There where libassimp was when
 * skinbench was built. */
#pragma once

#include "datasets/base/progress.h"
#include "datasets/formats/format_task.h"
#include "datasets/formats/scene.h"

/* hint: "fbx" or "dae". assimp gives every corner of a polygon a vertex of its own: those of a mesh that
 * agree in place, influences and morph targets, bit by bit, become one again, in the order in which the
 * polygons first name them; polygons become triangles. Every mesh of a node and material is one. All
 * influences are kept. Keys are interpolated linearly, as assimp gives them. The scene has passed
 * scene_check. Release with scene_clear. */
Status assimp_read(const char *path, const char *hint, const ImportOptions *options, Scene *out);
