/* A body of capsules that walks in a circle while it turns to and fro, for clothes to hang on. Its motion is
 * in closed form, in turns (1 is the whole circle) and metres; x is to its left, z ahead, y up, s(a) = sin 2
 * pi a:
 *   clock     t' = (t + 1)^3 - (t + 1)^4 / 2 for t from -1 to 0 s, t + 1/2 after that, 0 before; times `pace`
 *   step      p = 0.85 t', of the left leg; of the right leg p + 1/2
 *   heading   b = 0.12 t' + 0.17 s(t' / 3.4)
 *   hips      0.9 (1 - cos 2 pi 0.12 t') , 0.95 + 0.02 s(2 p), 0.9 s(0.12 t') in the world; turned by b about
 *             y, and by the hips' own 0.02 s(p) besides
 *   thigh     0.42 long, from (+-0.085, -0.05, 0) of the hips, turned ahead by a = 0.075 s(p)
 *   shin      0.44 long, turned back from the thigh by 0.06 (1 + s(p + 0.4))
 *   chest     0.42 over the hips; turned by b and by -0.025 s(p)
 *   arm       0.30 down and 0.075 out from (+-0.19, 0, 0) of the chest, and its forearm 0.25 down and 0.0625
 *             out; the part down turned ahead by a = -0.05 s(p), and 0.06 more in the forearm */
#pragma once

#include "datasets/generate/projective.h"

/* Arms come last, for clothes that they do not touch. */
enum {
    WALKER_HIPS,
    WALKER_BELLY,
    WALKER_CHEST,
    WALKER_HEAD,
    WALKER_THIGHS,
    WALKER_SHINS = WALKER_THIGHS + 2,
    WALKER_ARMS = WALKER_SHINS + 2,
    WALKER_FOREARMS = WALKER_ARMS + 2,
    WALKER_CAPSULES = WALKER_FOREARMS + 2
};

/* Where a part of the body stands: origin, and x, y, z of its own axes. */
typedef struct WalkerFrame {
    Vec3 origin, x, z; /* y stays up */
} WalkerFrame;

typedef struct WalkerPose {
    WalkerFrame hips, chest;
    Capsule capsules[WALKER_CAPSULES];
} WalkerPose;

/* The pose at a time in seconds; `pace` scales the clock, 0: it stands still. */
void walker_pose(double time, double pace, WalkerPose *out);

/* A point of a part, in the world. */
Vec3 walker_point(const WalkerFrame *frame, Vec3 point);
