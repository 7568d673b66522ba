/* Makes one of vertices that a format splits at every corner. */
#pragma once

#include "datasets/formats/scene.h"

/* Joins vertices of a mesh whose place, influences and morph targets are the same bit by bit; they stand in
 * the order in which the first of each stood, triangles follow, and memory stays as it is. A lip that rests
 * on the other one stays apart, as its influences differ. STATUS_SYSTEM: out of memory. */
Status scene_mesh_weld(SceneMesh *mesh);
