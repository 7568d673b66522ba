/* Reads a Collada file with assimp in a confined process (assimp_read.c). */
#pragma once

#include "datasets/formats/scene.h"

/* What a scene does not contain, but notes mention. */
typedef struct AssimpFacts {
    long long dropped; /* number of polygons with fewer than three corners */
    int curves;        /* whether the file has clips whose keys are not interpolated linearly */
} AssimpFacts;

/* Reads the file bytes [size] into an empty scene, whose `path` and `memory_bytes` are set. Vertices are not
 * welded. Nothing is released, because the process then ends. STATUS_BAD_INPUT contains assimp's message. */
Status assimp_scene_make(const void *bytes, size_t size, Scene *out, AssimpFacts *facts);
