/* Reads a glTF 2.0 file into a scene: nodes, meshes, skins and animations under the numbers that they have in
 * the file, and an instance for every mesh of the default scene. */
#pragma once

#include "datasets/formats/format_task.h"
#include "datasets/formats/gltf_file.h"
#include "datasets/formats/scene.h"

/* Vertices stand as the POSITION accessors list them, primitive after primitive; primitives of the same
 * attributes share theirs, nothing else is joined. All sets JOINTS_n and WEIGHTS_n are kept. Lines and
 * points, texture coordinates, normals, materials, cameras and lights are dropped. The scene has passed
 * scene_check. Release with scene_clear. */
Status gltf_read(const char *path, const FormatNotes *notes, Scene *out);

/* The same of a file that is open and unpacked (gltf_meshopt.h). */
Status gltf_scene_read(const GltfFile *file, const FormatNotes *notes, Scene *out);
