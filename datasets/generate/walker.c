/* Poses the walking body from the formulas in its header. */
#include "datasets/generate/walker.h"

#include "datasets/generate/wave.h"

static double clock_at(double time)
{
    const double u = time + 1.0;
    return u < 0.0 ? 0.0 : u < 1.0 ? u * u * u * (1.0 - 0.5 * u) : u - 0.5;
}

static WalkerFrame frame_turned(Vec3 origin, double turns)
{
    const double c = wave_cosine(turns), s = wave_sine(turns);
    return (WalkerFrame){origin, {c, 0.0, -s}, {s, 0.0, c}};
}

Vec3 walker_point(const WalkerFrame *frame, Vec3 point)
{
    Vec3 out = vec3_add_scaled(frame->origin, frame->x, point.x);
    out = vec3_add_scaled(out, frame->z, point.z);
    out.y += point.y;
    return out;
}

/* A limb of two links that hang down, turned ahead in the plane of the body's y and z, and go out by a share
 * of that. */
static void limb_place(const WalkerFrame *frame, Vec3 joint, const double lengths[2], const double turns[2],
                       double out, const double radii[2], Capsule *upper, Capsule *lower)
{
    Capsule *links[2] = {upper, lower};
    for (int i = 0; i < 2; i++) {
        const Vec3 from = joint;
        joint.x += lengths[i] * out;
        joint.y -= lengths[i] * wave_cosine(turns[i]);
        joint.z += lengths[i] * wave_sine(turns[i]);
        *links[i] = (Capsule){{walker_point(frame, from), walker_point(frame, joint)}, radii[i]};
    }
}

void walker_pose(double time, double pace, WalkerPose *out)
{
    const double clock = pace * clock_at(time), step = 0.85 * clock, round = 0.12 * clock;
    const double heading = round + 0.17 * wave_sine(clock / 3.4), swing = wave_sine(step);
    const Vec3 origin = {0.9 * (1.0 - wave_cosine(round)), 0.95 + 0.02 * wave_sine(2.0 * step),
                         0.9 * wave_sine(round)};
    const Vec3 above = {origin.x, origin.y + 0.42, origin.z};
    out->hips = frame_turned(origin, heading + 0.02 * swing);
    out->chest = frame_turned(above, heading - 0.025 * swing);
    const WalkerFrame *hips = &out->hips, *chest = &out->chest;
    Capsule *capsules = out->capsules;
    capsules[WALKER_HIPS] = (Capsule){
        {walker_point(hips, vec3_make(0.07, 0.0, 0.0)), walker_point(hips, vec3_make(-0.07, 0.0, 0.0))},
        0.11};
    capsules[WALKER_BELLY] = (Capsule){{origin, above}, 0.105};
    capsules[WALKER_CHEST] = (Capsule){
        {walker_point(chest, vec3_make(0.12, 0.0, 0.0)), walker_point(chest, vec3_make(-0.12, 0.0, 0.0))},
        0.09};
    capsules[WALKER_HEAD] = (Capsule){
        {walker_point(chest, vec3_make(0.0, 0.1, 0.01)), walker_point(chest, vec3_make(0.0, 0.3, 0.02))},
        0.08};
    for (int side = 0; side < 2; side++) {
        const double sign = side == 0 ? 1.0 : -1.0, phase = step + 0.5 * side, leg = 0.075 * wave_sine(phase);
        const double arm = -0.05 * wave_sine(phase);
        limb_place(hips, vec3_make(sign * 0.085, -0.05, 0.0), (const double[]){0.42, 0.44},
                   (const double[]){leg, leg - 0.06 * (1.0 + wave_sine(phase + 0.4))}, 0.0,
                   (const double[]){0.08, 0.055}, &capsules[WALKER_THIGHS + side],
                   &capsules[WALKER_SHINS + side]);
        limb_place(chest, vec3_make(sign * 0.19, 0.0, 0.0), (const double[]){0.30, 0.25},
                   (const double[]){arm, arm + 0.06}, 0.25 * sign, (const double[]){0.05, 0.04},
                   &capsules[WALKER_ARMS + side], &capsules[WALKER_FOREARMS + side]);
    }
}
