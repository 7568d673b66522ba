/* Reads Collada files into scenes with assimp. assimp runs in a confined process (datasets/io/confined.h),
 * so a file that makes it crash or take too long only gives STATUS_BAD_INPUT. Available only if libassimp
 * was installed when skinbench was built. */
#pragma once

#include "datasets/formats/format_task.h"
#include "datasets/formats/scene.h"

/* Reads a scene and checks it with scene_check. All influences are kept. Vertices are numbered in the order
 * in which the polygons first use them. Release with scene_clear. */
Status assimp_read(const char *path, const ImportOptions *options, Scene *out);
