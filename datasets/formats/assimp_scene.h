/* A Collada file as assimp reads it, packed into one stream of bytes. assimp writes the stream in a
 * confined process (assimp_read.c). The calling process reads the stream and trusts it no more than the
 * file. Numbers are in the machine's byte order: u is uint32_t, i is int32_t, f is float, d is double. A
 * text is its length (u) followed by its bytes.
 *
 *   nodes      u count, each: i parent (an earlier node, or -1), text name, 12 d transformation in its parent
 *   meshes     u count, each: text name, u vertices, 3 f each; u triangles, 3 u each; u polygons of less than
 *              3 corners; u bones, each: i node, 12 d offset, u weights, each u vertex, f weight; u targets,
 *              each 3 f per vertex (positions, not offsets), f weight
 *   instances  u count, each: u node, u mesh
 *   clips      u count, each: text name, d ticks per second (0: unknown),
 *              u channels, each: i node, three times (translation, rotation w x y z, scale): u keys, each d
 *              tick, 3 or 4 d; u morph channels, each: text of a node or mesh, u keys, each d tick, u
 *              weights, each u target, d weight */
#pragma once

#include "datasets/base/base.h"

/* Packs a Collada file that is in memory. Release *out with free. STATUS_BAD_INPUT contains assimp's
 * message. */
Status assimp_pack(const void *bytes, size_t size, unsigned char **out, size_t *out_size);
