/* Computes the places of the nodes of an FBX scene at a time of a clip. Handles layers, Euler angles, and
 * the three modes of inheriting a parent's scale. */
#pragma once

#include "datasets/formats/scene_channel.h"

/* Blends values [count] of the channel's layer into result [count]. The first layer replaces the result.
 * Not for Euler angles, which must be blended as rotations. */
void fbx_layer_blend(const SceneClip *clip, const SceneChannel *channel, int count, const double *values,
                     double *result);

/* Returns the rotation by three angles in degrees. `order` is FBX's number for the order of the axes, from
 * 0 (XYZ) to 5 (ZYX). */
Quat fbx_rotation(const double degrees[3], int order);

/* Does the work of scene_pose for scenes whose nodes have Euler angles. */
void fbx_pose(const Scene *scene, const SceneClip *clip, double time_s, SceneLocal *locals,
              Transform *globals);
