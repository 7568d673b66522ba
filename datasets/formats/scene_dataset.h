/* Converts a scene to a data set: rest pose, joints, weights and transformations. Also writes positions if
 * a skin cannot express the motion. */
#pragma once

#include "datasets/formats/scene_rig.h"

/* Writes the data set of a scene that has passed scene_check. The file `output` appears only on success.
 * options->notes receives notes on parts of the scene that were moved, merged or lost. */
Status scene_import(const Scene *scene, const ImportOptions *options, const char *output);

/* Concatenates the rest poses and triangles of all instances. Release with mesh_clear. */
Status scene_mesh_make(const Scene *scene, const SceneRig *joints, Mesh *out);
