/* The values of a scene's channels at a time. Before its first key and after its last a channel holds. */
#pragma once

#include "datasets/formats/scene.h"
#include "datasets/geometry/affine_parts.h"

/* Whether two times, of keys of different channels or of frames, are meant to be one: they differ by the
 * rounding of a float. */
static inline bool scene_times_same(double a, double b)
{
    const double CLOSE = 1e-6;
    return fabs(a - b) <= CLOSE * fmax(1.0, fmax(fabs(a), fabs(b)));
}

/* The value of a channel at a time: value [width]. Step, linear (rotations: the shorter great arc, glTF 2.0
 * appendix C) or cubic (Hermite; a rotation is of any length then), or a curve of FBX. */
void scene_channel_sample(const SceneChannel *channel, double time_s, double *value);

/* A quaternion of length 1 along q; the identity if q has length 0. */
Quat quat_unit(Quat q);
/* Spherical linear interpolation on the shorter arc: a at share 0, b at share 1. */
Quat quat_between(Quat a, Quat b, double share);

/* A node's place in its parent while a clip moves it. */
typedef struct SceneLocal {
    bool moved;
    AffineParts parts;
    /* of FBX (fbx_pose.c) */
    double numbers[3][3];
    Transform unscaled; /* the node's place in the scene without its own scale */
    Vec3 scale;
    int scale_from;
} SceneLocal;
