/* Buffer views that EXT_meshopt_compression has packed (a vendor extension of glTF 2.0, by meshoptimizer). */
#pragma once

#include "datasets/formats/gltf_file.h"

/* Whether the program was built with libmeshoptimizer. */
extern const bool gltf_meshopt_built;

/* Unpacks them: each view then refers to a buffer of its own, appended to the file's. STATUS_BAD_INPUT for
 * what is damaged; STATUS_UNAVAILABLE where the program was built without libmeshoptimizer, and a view has no
 * other data. */
Status gltf_meshopt_unpack(GltfFile *file);
