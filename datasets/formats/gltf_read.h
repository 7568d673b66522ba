/* Reads a glTF 2.0 file into a scene. Nodes, meshes, skins and animations keep their numbers, and every
 * mesh of the default scene becomes an instance. */
#pragma once

#include "datasets/formats/format_task.h"
#include "datasets/formats/gltf_file.h"
#include "datasets/formats/scene.h"

/* Reads a scene and checks it with scene_check. Vertices follow the POSITION accessors, one primitive after
 * another. Primitives with the same attributes share vertices; nothing else is merged. All sets JOINTS_n
 * and WEIGHTS_n are kept. Lines and points, texture coordinates, normals, materials, cameras and lights are
 * dropped. Release with scene_clear. */
Status gltf_read(const char *path, const FormatNotes *notes, Scene *out);

/* Like gltf_read, for a file that is open and whose views are unpacked (gltf_meshopt.h). */
Status gltf_scene_read(const GltfFile *file, const FormatNotes *notes, Scene *out);
