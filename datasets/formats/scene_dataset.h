/* A scene as a data set: rest pose, joints, weights, transformations, and positions where no skin has
 * them. */
#pragma once

#include "datasets/formats/format_task.h"
#include "datasets/formats/scene.h"

/* Writes the data set of a scene that has passed scene_check; nothing appears at `output` unless all went
 * well.
 *   - All meshes become one, instance after instance, vertices in the order of the file.
 *   - The rig: scene_rig.h. Transforms are C_j = F_j inverse bind_j at the frames of scene_times.h. A scale
 *     that all of them share goes into the rest pose; where they are not rigid otherwise, they are separated
 *     into rig/transforms and rig/scale (two_phase_separate), unless the scale is beyond what a data set
 *     holds: then they stay affine.
 *   - All influences are kept, those of a vertex on one joint added up, and rows made to sum to 1; a vertex
 *     without influences follows its skin's first joint.
 *   - Where meshes are moved by nodes alone, there is animation/positions besides the rig; where clips change
 *     the weights of morph targets, in place of it. A scene that stands still is a mesh alone, or with a skin
 *     a rig of one frame.
 * What was moved, merged or lost is stated through options->notes. */
Status scene_import(const Scene *scene, const ImportOptions *options, const char *output);
