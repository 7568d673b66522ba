/* Where nodes of an FBX scene are at a time of a clip: layers, Euler angles, and the three ways in
 * which a parent's scale comes in. */
#pragma once

#include "datasets/formats/scene_channel.h"

/* Blends values [count] of the channel's layer into result [count]: those of the first layer replace it. For
 * all but rotations, whose angles are to be blended as rotations. */
void fbx_layer_blend(const SceneClip *clip, const SceneChannel *channel, int count, const double *values,
                     double *result);

/* The rotation by three angles in degrees in one of FBX's orders, 0 (XYZ) to 5 (ZYX). */
Quat fbx_rotation(const double degrees[3], int order);

/* scene_pose of a scene that has eulers. */
void fbx_pose(const Scene *scene, const SceneClip *clip, double time_s, SceneLocal *locals,
              Transform *globals);
