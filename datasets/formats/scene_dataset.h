/* A scene as a data set: rest pose, joints, weights, transformations, and positions where no skin has
 * them. */
#pragma once

#include "datasets/formats/scene_rig.h"

/* Writes the data set of a scene that has passed scene_check. Nothing appears at `output` unless all went
 * well. options->notes receives what was moved, merged or lost. */
Status scene_import(const Scene *scene, const ImportOptions *options, const char *output);

/* The rest poses and triangles of all instances, one after the other. Release with mesh_clear. */
Status scene_mesh_make(const Scene *scene, const SceneRig *joints, Mesh *out);
