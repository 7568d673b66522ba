/* Finds the keys around a time and interpolates between them. */
#include "datasets/formats/scene_channel.h"

/* Returns the last key at or before a time, or 0 if there is none. Sets *at_key if the time of the key
 * equals the given time, up to rounding. */
static int key_find(const SceneChannel *channel, double time_s, bool *at_key)
{
    const double *times = channel->times;
    int low = 0, high = channel->key_count; /* times[low] <= time_s < times[high], or low is 0 */
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (times[middle] <= time_s)
            low = middle;
        else
            high = middle;
    }
    low += high < channel->key_count && times[high] - time_s < time_s - times[low] &&
           scene_times_same(times[high], time_s);
    *at_key = scene_times_same(times[low], time_s);
    return low;
}

Quat quat_unit(Quat q)
{
    const double length = sqrt(quat_dot(q, q));
    return length > 0.0 ? quat_scale(q, 1.0 / length) : quat_make(1.0, 0.0, 0.0, 0.0);
}

/* Nearly equal quaternions are blended linearly. */
Quat quat_between(Quat a, Quat b, double share)
{
    const double NEAR = 0.9995;
    a = quat_unit(a);
    b = quat_unit(b);
    double cosine = quat_dot(a, b);
    if (cosine < 0.0) {
        b = quat_scale(b, -1.0);
        cosine = -cosine;
    }
    if (cosine > NEAR)
        return quat_unit(quat_add_scaled(quat_scale(a, 1.0 - share), b, share));
    const double angle = acos(cosine);
    return quat_scale(quat_add_scaled(quat_scale(a, sin((1.0 - share) * angle)), b, sin(share * angle)),
                      1.0 / sin(angle));
}

static Quat quat_of(const double *values)
{
    return quat_make(values[0], values[1], values[2], values[3]);
}

/* Evaluates the spline of the glTF 2.0 specification, appendix C.5, between the keys k and k+1. v is a
 * value, a and b are the incoming and outgoing tangents, and d is the time between the keys:
 *
 *   p(t) = (2t^3 - 3t^2 + 1) v_k + d (t^3 - 2t^2 + t) b_k + (-2t^3 + 3t^2) v_k+1 + d (t^3 - t^2) a_k+1 */
static void hermite(const SceneChannel *channel, int key, double share, double *value)
{
    const int width = channel->width;
    const double *before = channel->values + (ptrdiff_t)3 * width * key,
                 *after = before + 3 * (ptrdiff_t)width;
    const double d = channel->times[key + 1] - channel->times[key], t = share, t2 = t * t, t3 = t2 * t;
    for (int i = 0; i < width; i++)
        value[i] = (2.0 * t3 - 3.0 * t2 + 1.0) * before[width + i] +
                   d * (t3 - 2.0 * t2 + t) * before[2 * width + i] +
                   (3.0 * t2 - 2.0 * t3) * after[width + i] + d * (t3 - t2) * after[i];
}

/* Returns the value of a curve at a point of the segment between two keys, key [2][CURVE_NUMBERS]. `share`
 * is the position of the point as a fraction of the segment's duration `duration_s`. If `between` is false,
 * returns the value at the single key [CURVE_NUMBERS]. */
static double curve_between(const double *key, bool between, double share, double duration_s)
{
    const double value = key[CURVE_VALUE], *next = key + CURVE_NUMBERS;
    if (!between || key[CURVE_KIND] == CURVE_HOLDS)
        return value;
    if (key[CURVE_KIND] == CURVE_JUMPS)
        return next[CURVE_VALUE];
    if (key[CURVE_KIND] == CURVE_LINEAR)
        return value + share * (next[CURVE_VALUE] - value);
    /* A Bezier segment is a curve in the plane of time and value. Bisection finds the parameter u at which
     * its time equals `share`. */
    const double first = key[CURVE_REACH], second = 1.0 - key[CURVE_NEXT_REACH];
    double low = 0.0, high = 1.0, u = share;
    for (int i = 0; i < 60; i++) {
        const double time = 3.0 * u * (1.0 - u) * ((1.0 - u) * first + u * second) + u * u * u;
        *(time < share ? &low : &high) = u;
        u = 0.5 * (low + high);
    }
    const double leaves = value + first * duration_s * key[CURVE_SLOPE],
                 arrives = next[CURVE_VALUE] - key[CURVE_NEXT_REACH] * duration_s * key[CURVE_NEXT_SLOPE];
    const double v = 1.0 - u;
    return v * v * v * value + 3.0 * v * u * (v * leaves + u * arrives) + u * u * u * next[CURVE_VALUE];
}

void scene_channel_sample(const SceneChannel *channel, double time_s, double *value)
{
    bool at_key = false;
    const int width = channel->width, key = key_find(channel, time_s, &at_key);
    const bool cubic = channel->interpolation == SCENE_CUBIC;
    const double *keyframe = channel->values + (ptrdiff_t)key * width * (cubic ? 3 : 1) + (cubic ? width : 0);
    const bool between = !at_key && key + 1 < channel->key_count && time_s > channel->times[key] &&
                         channel->interpolation != SCENE_STEP;
    const double share =
        between ? (time_s - channel->times[key]) / (channel->times[key + 1] - channel->times[key]) : 0.0;
    if (channel->interpolation == SCENE_CURVE) {
        *value = curve_between(channel->values + (ptrdiff_t)key * CURVE_NUMBERS, between, share,
                               between ? channel->times[key + 1] - channel->times[key] : 0.0);
    } else if (!between) {
        memcpy(value, keyframe, (size_t)width * sizeof *value);
    } else if (cubic) {
        hermite(channel, key, share, value);
    } else if (channel->path == SCENE_ROTATION) {
        const Quat q = quat_between(quat_of(keyframe), quat_of(keyframe + width), share);
        value[0] = q.w;
        value[1] = q.x;
        value[2] = q.y;
        value[3] = q.z;
    } else {
        for (int i = 0; i < width; i++)
            value[i] = (1.0 - share) * keyframe[i] + share * keyframe[width + i];
    }
}
