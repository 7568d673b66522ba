/* Unpacks the meshes of a glTF file that are compressed by KHR_draco_mesh_compression. */
#pragma once

#include "datasets/formats/gltf_file.h"

/* Unpacks all compressed meshes and gives their accessors ordinary buffer views. A primitive that also has
 * uncompressed data (for programs without Draco) is not changed. STATUS_UNAVAILABLE if a mesh has only
 * compressed data and there is no decoder. */
Status gltf_draco_unpack(GltfFile *file);

/* Finds the decoder, which is the shared object skinbench_draco, and stores its path. Returns false if it
 * was not built. */
bool gltf_draco_find(char path[PATH_MAX]);
