/* Meshes of a glTF file that KHR_draco_mesh_compression has packed. */
#pragma once

#include "datasets/formats/gltf_file.h"

#include <limits.h>

/* Unpacks all of them, so that their accessors have buffer views as any other's. Primitives whose accessors
 * have some already, for programs without Draco, keep these. STATUS_UNAVAILABLE if a mesh is packed and there
 * is no decoder. */
Status gltf_draco_unpack(GltfFile *file);

/* Finds the decoder, the shared object skinbench_draco; false: it was not built. */
bool gltf_draco_find(char path[PATH_MAX]);
