/* Collada files before assimp reads them, for the confined process: what assimp takes silently wrong is
 * refused or mended in the text. */
#pragma once

#include "datasets/base/memory.h"

/* STATUS_BAD_INPUT names a joint of a Collada skin that several nodes may be: in COLLADA 1.4 a skin names its
 * joints by `sid`, which is unique only below the skeleton's root, and assimp binds all skins to the first
 * node of a name. */
Status collada_joints_check(const void *bytes, size_t size);

/* STATUS_BAD_INPUT names an index of polygons or of vertex weights beyond its source, or a source whose array
 * is shorter than it declares: assimp reads beyond the end, or takes vertex 0. */
Status collada_indices_check(const void *bytes, size_t size);

/* A copy of the text in which every skin has a bind_shape_matrix: where it is left out it is the identity,
 * and assimp takes zeros. *out is to be released with free. */
Status collada_bind_shapes_add(const void *bytes, size_t size, char **out, size_t *out_size);
