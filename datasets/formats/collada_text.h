/* Checks and repairs the text of Collada files before assimp reads them, in the confined process. It covers
 * the errors that assimp silently reads as something else. */
#pragma once

#include "datasets/base/memory.h"

/* Refuses a Collada skin with STATUS_BAD_INPUT if one of its joints is ambiguous, and names the joint. In
 * COLLADA 1.4 a skin names its joints by `sid`, which is unique only below the skeleton's root. assimp
 * binds all skins to the first node of a name. */
Status collada_joints_check(const void *bytes, size_t size);

/* Refuses an index of polygons or vertex weights beyond the end of its source, and a source whose array is
 * shorter than declared, with STATUS_BAD_INPUT. assimp would read beyond the end or use vertex 0. */
Status collada_indices_check(const void *bytes, size_t size);

/* Copies the text and adds an identity bind_shape_matrix to every skin without one, because assimp would
 * assume a zero matrix. Release *out with free. */
Status collada_bind_shapes_add(const void *bytes, size_t size, char **out, size_t *out_size);
