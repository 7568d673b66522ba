/* Unpacks buffer views that are compressed by EXT_meshopt_compression, meshoptimizer's vendor extension of
 * glTF 2.0. */
#pragma once

#include "datasets/formats/gltf_file.h"

/* Whether skinbench was built with libmeshoptimizer. */
extern const bool gltf_meshopt_built;

/* Unpacks all compressed views. Each view then refers to its own new buffer, appended to the buffers of the
 * file. STATUS_BAD_INPUT if data are damaged. STATUS_UNAVAILABLE if skinbench was built without
 * libmeshoptimizer and a view has no uncompressed data. */
Status gltf_meshopt_unpack(GltfFile *file);
