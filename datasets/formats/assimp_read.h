/* Reads Collada files into scenes, through assimp in a confined process (datasets/io/confined.h):
 * what crashes assimp, or takes it too long, is STATUS_BAD_INPUT here. There where libassimp was when
 * skinbench was built. */
#pragma once

#include "datasets/formats/format_task.h"
#include "datasets/formats/scene.h"

/* Reads a scene that has passed scene_check. All influences are kept. Vertices stand in the order in which
 * polygons first name them. Release with scene_clear. */
Status assimp_read(const char *path, const ImportOptions *options, Scene *out);
