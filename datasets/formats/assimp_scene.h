/* What assimp makes of a Collada file, as one stream of bytes: in the confined process
 * (assimp_read.c) assimp runs, and the program reads the stream, which it takes for as foreign as the file.
 * Numbers are in the machine's own order, u: uint32_t, i: int32_t, f: float, d: double; a text is its length
 * u and its bytes.
 *
 *   nodes      u count, each: i parent (before it, -1: none), text name, 12 d place in its parent
 *   meshes     u count, each: text name, u vertices, 3 f each; u triangles, 3 u each; u polygons of less than
 *              3 corners; u bones, each: i node, 12 d offset, u weights, each u vertex, f weight; u targets,
 *              each 3 f per vertex (places, no offsets), f weight
 *   instances  u count, each: u node, u mesh
 *   clips      u count, each: text name, d ticks per second (0: not known),
 *              u channels, each: i node, three times (translation, rotation w x y z, scale): u keys, each d
 *              tick, 3 or 4 d; u morph channels, each: text of a node or mesh, u keys, each d tick, u
 *              weights, each u target, d weight */
#pragma once

#include "datasets/base/base.h"

/* Reads a Collada file that is in memory. *out is to be released with free. STATUS_BAD_INPUT says what assimp
 * finds wrong. */
Status assimp_pack(const void *bytes, size_t size, unsigned char **out, size_t *out_size);
