/* Reads a glTF 2.0 file into a scene. Nodes, meshes, skins and animations keep their numbers. Every use of
 * a mesh in the default scene becomes an instance. */
#pragma once

#include "datasets/formats/format_task.h"
#include "datasets/formats/gltf_file.h"
#include "datasets/formats/scene.h"

/* Reads a scene and checks it with scene_check. Vertices are in the order of the POSITION accessors, one
 * primitive after another. Primitives with the same attributes share vertices; no other vertices are
 * merged. All influences are kept. Lines, points, texture coordinates, normals, materials, cameras and
 * lights are dropped. Release with scene_clear. */
Status gltf_read(const ImportOptions *options, Scene *out);

/* Does the work of gltf_read for a file that is open already and whose views are unpacked
 * (gltf_meshopt.h). */
Status gltf_scene_read(const GltfFile *file, const FormatNotes *notes, Scene *out);
