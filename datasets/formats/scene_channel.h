/* Evaluates the animation channels of a scene at a time. A channel is constant before its first key and
 * after its last key. */
#pragma once

#include "datasets/formats/scene.h"
#include "datasets/geometry/affine_parts.h"

/* Whether two times of keys or frames are equal up to the rounding of a float. */
static inline bool scene_times_same(double a, double b)
{
    const double CLOSE = 1e-6;
    return fabs(a - b) <= CLOSE * fmax(1.0, fmax(fabs(a), fabs(b)));
}

/* Computes the value [width] of a channel at a time. Interpolates by steps, linearly (rotations on the
 * shorter great arc, glTF 2.0 appendix C), by cubic Hermite splines (rotations are not normalised), or by
 * an FBX curve. */
void scene_channel_sample(const SceneChannel *channel, double time_s, double *value);

/* Normalises a quaternion. Returns the identity if q has length 0. */
Quat quat_unit(Quat q);
/* Interpolates between two rotations at constant speed on the shorter arc, from a at share 0 to b at share
 * 1. */
Quat quat_between(Quat a, Quat b, double share);

/* A node's place in its parent while a clip animates it. */
typedef struct SceneLocal {
    bool moved;
    AffineParts parts;
    /* used only for FBX (fbx_pose.c) */
    double numbers[3][3];
    Transform unscaled; /* place in the scene without the node's own scale */
    Vec3 scale;
    int scale_from;
} SceneLocal;
