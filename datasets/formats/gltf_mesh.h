/* The meshes of a glTF file on their way into a scene. */
#pragma once

#include "datasets/formats/gltf_reading.h"

/* Fills the scene's meshes. */
Status gltf_meshes_read(GltfReading *reading);
