/* Reads Collada files into scenes with assimp, which runs in a confined process (datasets/io/confined.h): a
 * file that crashes assimp or takes too long is refused with STATUS_BAD_INPUT. Available only if libassimp
 * was installed when skinbench was built. */
#pragma once

#include "datasets/formats/format_task.h"
#include "datasets/formats/scene.h"

/* Reads a scene and checks it with scene_check. All influences are kept. Vertices are in the order in which
 * polygons first name them. Release with scene_clear. */
Status assimp_read(const char *path, const ImportOptions *options, Scene *out);
