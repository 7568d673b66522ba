/* Computes FBX's node transformation
 *
 *   T Roff Rp Rpre R Rpost^-1 Rp^-1 Soff Sp S Sp^-1
 *
 * T, R and S are translation, rotation and scale, the only factors that may vary over time. The other
 * factors are constant offsets (off), pivots (p) and rotations (pre, post); see scene.h. The linear part is
 * a scale followed by a rotation, and the two are computed separately. */
#include "datasets/formats/fbx_pose.h"

#include "datasets/geometry/turn.h"

static const int axes_of[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}, {1, 0, 2}, {2, 0, 1}, {2, 1, 0}};

Quat fbx_rotation(const double degrees[3], int order)
{
    const double HALF_RADIAN = 3.14159265358979323846 / 360.0;
    Quat result = quat_make(1.0, 0.0, 0.0, 0.0);
    for (int i = 0; i < 3; i++) {
        const int axis = axes_of[order][i];
        const double angle = HALF_RADIAN * degrees[axis], s = sin(angle);
        result = quat_mul(
            quat_make(cos(angle), axis == 0 ? s : 0.0, axis == 1 ? s : 0.0, axis == 2 ? s : 0.0), result);
    }
    return result;
}

/* Returns the Euler angles of a rotation. Inverse of fbx_rotation. */
static void angles_of(Quat q, int order, double degrees[3])
{
    const double DEGREES = 180.0 / 3.14159265358979323846, LOCKED = 1.0 - 1e-12;
    const int i = axes_of[order][0], j = axes_of[order][1], k = axes_of[order][2];
    const double sign = (j - i + 3) % 3 == 1 ? 1.0 : -1.0;
    double m[3][3]; /* m[row][column]; its columns are the rotated axes */
    transform_matrix(transform_rigid(q, vec3_make(0.0, 0.0, 0.0)), m);
    const double sine = fmax(-1.0, fmin(1.0, -sign * m[k][i]));
    const bool locked = fabs(sine) > LOCKED;
    degrees[j] = DEGREES * asin(sine);
    degrees[i] = DEGREES * (locked ? atan2(-sign * m[j][k], m[j][j]) : atan2(sign * m[k][j], m[k][k]));
    degrees[k] = locked ? 0.0 : DEGREES * atan2(sign * m[j][i], m[i][i]);
}

/* ---- layers ---- */

/* Returns |value|^weight with the sign of the value. */
static double power_signed(double value, double weight)
{
    return copysign(pow(fabs(value), weight), weight > 0.0 ? value : 1.0);
}

void fbx_layer_blend(const SceneClip *clip, const SceneChannel *channel, int count, const double *values,
                     double *result)
{
    const SceneLayer *layer = &clip->layers[channel->layer];
    const double weight = layer->weight;
    const bool replaces = channel->layer == 0 || layer->blending == SCENE_OVERRIDDEN,
               multiplies = channel->path == SCENE_SCALE && !layer->scales_added;
    for (int i = 0; i < count; i++) {
        const double kept = layer->blending == SCENE_MIXED ? 1.0 - weight : 1.0;
        if (replaces)
            result[i] = values[i];
        else if (multiplies)
            result[i] = power_signed(result[i], kept) * power_signed(values[i], weight);
        else
            result[i] = kept * result[i] + weight * values[i];
    }
}

static void rotation_blend(const SceneClip *clip, const SceneChannel *channel, int order,
                           const double values[3], double result[3])
{
    const SceneLayer *layer = &clip->layers[channel->layer];
    if (channel->layer == 0 || layer->blending == SCENE_OVERRIDDEN || layer->angles_apart) {
        fbx_layer_blend(clip, channel, 3, values, result);
        return;
    }
    const Quat before = fbx_rotation(result, order), own = fbx_rotation(values, order);
    const Quat still = quat_make(1.0, 0.0, 0.0, 0.0);
    angles_of(layer->blending == SCENE_ADDED ? quat_mul(before, quat_between(still, own, layer->weight))
                                             : quat_between(before, own, layer->weight),
              order, result);
}

/* ---- nodes ---- */

static Vec3 scaled(Vec3 v, Vec3 scale)
{
    return vec3_make(v.x * scale.x, v.y * scale.y, v.z * scale.z);
}

static Transform sizing(Vec3 scale)
{
    return (Transform){.m00 = scale.x, .m11 = scale.y, .m22 = scale.z};
}

/* W is a node's transformation in the scene, s its scale, and U its transformation without this scale. In
 * the mode RrSs, s includes the scales of the ancestors.
 *
 *   RSrs: W = W_parent T R S, U = W_parent T R, s = S
 *   else: W = U diag(s), U = U_parent (s_parent T) R, s = S s_from
 *
 * In the mode RrSs, `from` is the parent. In the mode Rrs, `from` is the node from which the parent
 * inherits its scale, so that only the parent's own scale is left out. */
void fbx_pose(const Scene *scene, const SceneClip *clip, double time_s, SceneLocal *locals,
              Transform *globals)
{
    const Vec3 one = {1.0, 1.0, 1.0};
    for (int i = 0; i < scene->node_count; i++)
        memcpy(locals[i].numbers, scene->eulers[i].parts, sizeof locals[i].numbers);
    for (int c = 0; clip && c < clip->channel_count;) {
        const SceneChannel *first = &clip->channels[c];
        double values[3];
        if (first->path == SCENE_WEIGHTS) {
            c++;
            continue;
        }
        double *result = locals[first->node].numbers[first->path];
        for (int axis = 0; axis < 3; axis++, c++)
            scene_channel_sample(&clip->channels[c], time_s, &values[axis]);
        if (first->path == SCENE_ROTATION)
            rotation_blend(clip, first, scene->eulers[first->node].order, values, result);
        else
            fbx_layer_blend(clip, first, 3, values, result);
    }
    for (int n = 0; n < scene->node_count; n++) {
        const int node = scene->order[n], parent = scene->nodes[node].parent;
        const SceneEuler *euler = &scene->eulers[node];
        SceneLocal *local = &locals[node];
        const SceneLocal *above = parent >= 0 ? &locals[parent] : NULL;
        const Vec3 scale = vec3_make(local->numbers[2][0], local->numbers[2][1], local->numbers[2][2]);
        const Vec3 moved = vec3_make(local->numbers[0][0], local->numbers[0][1], local->numbers[0][2]);
        const Transform turned =
            transform_rigid(fbx_rotation(local->numbers[1], euler->order), vec3_make(0.0, 0.0, 0.0));
        const Transform rotation = transform_product(
            transform_moved_to(euler->before, vec3_add(moved, transform_translation(euler->before))),
            transform_product(turned, euler->between));
        const Transform place = transform_product(rotation, transform_product(sizing(scale), euler->after));
        Transform unscaled = transform_moved_to(rotation, transform_translation(place));
        local->scale_from = euler->inherit == 0            ? parent
                            : euler->inherit == 2 && above ? above->scale_from
                                                           : -1;
        local->scale = scale;
        if (euler->inherit != 1 && above) {
            const Vec3 from = local->scale_from >= 0 ? locals[local->scale_from].scale : one;
            local->scale = scaled(scale, from);
            unscaled = transform_moved_to(unscaled, scaled(transform_translation(place), above->scale));
            local->unscaled = transform_product(above->unscaled, unscaled);
            globals[node] = transform_product(local->unscaled, sizing(local->scale));
            continue;
        }
        local->unscaled = parent >= 0 ? transform_product(globals[parent], unscaled) : unscaled;
        globals[node] = parent >= 0 ? transform_product(globals[parent], place) : place;
    }
}
