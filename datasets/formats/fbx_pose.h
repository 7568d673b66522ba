/* Where nodes of an FBX scene are at a time of a clip: curves, layers, Euler angles, and the three ways in
 * which a parent's scale comes in. */
#pragma once

#include "datasets/formats/scene_pose.h"

/* What a key of a curve has: its value, how it goes on to the next key, and for cubic Bezier segments the
 * slope per second at the key and before the next one, with the share of the segment that each reaches. */
typedef enum CurveNumber {
    CURVE_VALUE,
    CURVE_KIND, /* of CurveKind */
    CURVE_SLOPE,
    CURVE_REACH,
    CURVE_NEXT_SLOPE,
    CURVE_NEXT_REACH,
    CURVE_NUMBERS
} CurveNumber;

typedef enum CurveKind { CURVE_LINEAR, CURVE_HOLDS, CURVE_JUMPS, CURVE_BEZIER } CurveKind;

/* The value at a `share` of the segment behind a key, which lasts `duration_s`; at the key itself unless
 * `between`. key [2][CURVE_NUMBERS] if between. */
double fbx_curve_between(const double *key, bool between, double share, double duration_s);

/* Blends values [count] of the channel's layer into result [count]: those of the first layer replace it. For
 * all but rotations, whose angles are to be blended as rotations. */
void fbx_layer_blend(const SceneClip *clip, const SceneChannel *channel, int count, const double *values,
                     double *result);

/* The rotation by three angles in degrees in one of FBX's orders, 0 (XYZ) to 5 (ZYX). */
Quat fbx_rotation(const double degrees[3], int order);

/* scene_pose of a scene that has eulers. */
void fbx_pose(const Scene *scene, const SceneClip *clip, double time_s, SceneLocal *locals,
              Transform *globals);
