/* Samples channels and multiplies the nodes' places down the hierarchy; lists frames. */
#include "datasets/formats/scene_pose.h"

#include "datasets/io/store.h"

/* Keys of different channels, and frames, that are meant to be at one time differ by roundings of a float. */
static bool same_time(double a, double b)
{
    const double CLOSE = 1e-6;
    return fabs(a - b) <= CLOSE * fmax(1.0, fmax(fabs(a), fabs(b)));
}

/* The last key at or before a time, 0 if there is none. If a key is meant to be at that time, *at_key is true
 * and the key is the nearest one. */
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
           same_time(times[high], time_s);
    *at_key = same_time(times[low], time_s);
    return low;
}

static Quat quat_unit(Quat q)
{
    const double length = sqrt(quat_dot(q, q));
    return length > 0.0 ? quat_scale(q, 1.0 / length) : quat_make(1.0, 0.0, 0.0, 0.0);
}

/* Spherical linear interpolation on the shorter arc; nearly equal ones blend linearly. */
static Quat quat_between(Quat a, Quat b, double share)
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

/* glTF 2.0 appendix C.5: p(t) = (2t^3 - 3t^2 + 1) v_k + d (t^3 - 2t^2 + t) b_k + (-2t^3 + 3t^2) v_k+1
 *                               + d (t^3 - t^2) a_k+1,  d the time between the keys */
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

void scene_channel_sample(const SceneChannel *channel, double time_s, double *value)
{
    bool at_key = false;
    const int width = channel->width, key = key_find(channel, time_s, &at_key);
    const bool cubic = channel->interpolation == SCENE_CUBIC;
    const double *at = channel->values + (ptrdiff_t)key * width * (cubic ? 3 : 1) + (cubic ? width : 0);
    const bool between = !at_key && key + 1 < channel->key_count && time_s > channel->times[key] &&
                         channel->interpolation != SCENE_STEP;
    const double share =
        between ? (time_s - channel->times[key]) / (channel->times[key + 1] - channel->times[key]) : 0.0;
    if (!between) {
        memcpy(value, at, (size_t)width * sizeof *value);
    } else if (cubic) {
        hermite(channel, key, share, value);
    } else if (channel->path == SCENE_ROTATION) {
        const Quat q = quat_between(quat_of(at), quat_of(at + width), share);
        value[0] = q.w;
        value[1] = q.x;
        value[2] = q.y;
        value[3] = q.z;
    } else {
        for (int i = 0; i < width; i++)
            value[i] = (1.0 - share) * at[i] + share * at[width + i];
    }
}

/* The parts of a node's own place; of a matrix without its shear. */
static AffineParts parts_of(const SceneNode *node)
{
    if (node->has_matrix)
        return affine_parts(node->matrix);
    return (AffineParts){
        .translation = node->translation, .rotation = quat_unit(node->rotation), .scale = node->scale};
}

void scene_pose(const Scene *scene, const SceneClip *clip, double time_s, SceneLocal *locals,
                Transform *globals)
{
    for (int i = 0; i < scene->node_count; i++)
        locals[i].moved = false;
    for (int c = 0; clip && c < clip->channel_count; c++) {
        const SceneChannel *channel = &clip->channels[c];
        SceneLocal *local = &locals[channel->node];
        if (channel->path == SCENE_WEIGHTS)
            continue;
        if (!local->moved)
            local->parts = parts_of(&scene->nodes[channel->node]);
        local->moved = true;
        double value[4];
        scene_channel_sample(channel, time_s, value);
        if (channel->path == SCENE_ROTATION)
            local->parts.rotation = quat_unit(quat_of(value));
        else if (channel->path == SCENE_TRANSLATION)
            local->parts.translation = vec3_make(value[0], value[1], value[2]);
        else
            local->parts.scale = vec3_make(value[0], value[1], value[2]);
    }
    for (int i = 0; i < scene->node_count; i++) {
        const int number = scene->order[i];
        const SceneNode *node = &scene->nodes[number];
        Transform place = node->matrix;
        if (locals[number].moved)
            place = affine_parts_join(locals[number].parts);
        else if (!node->has_matrix)
            place = affine_parts_join(parts_of(node));
        globals[number] = node->parent >= 0 ? transform_product(globals[node->parent], place) : place;
    }
}

void scene_target_weights(const Scene *scene, const SceneClip *clip, const SceneInstance *instance,
                          double time_s, double *weights)
{
    const int count = scene->meshes[instance->mesh].target_count;
    memcpy(weights, instance->target_weights, (size_t)count * sizeof *weights);
    for (int c = 0; clip && c < clip->channel_count; c++) {
        const SceneChannel *channel = &clip->channels[c];
        if (channel->path == SCENE_WEIGHTS && channel->node == instance->node && channel->width == count)
            scene_channel_sample(channel, time_s, weights);
    }
}

static int seconds_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

typedef struct TimesMaking {
    const Scene *scene;
    const ImportOptions *options;
    const unsigned char *watched, *morphing; /* [node_count] */
    SceneFrames *out;
    double *times;    /* of the clip at hand */
    double spacing_s; /* between the frames so far; 0: none yet, -1: not even */
} TimesMaking;

static bool channel_counts(const TimesMaking *making, const SceneChannel *channel)
{
    return channel->path == SCENE_WEIGHTS ? making->morphing[channel->node] && channel->width > 0
                                          : making->watched[channel->node];
}

static Status clip_add(TimesMaking *making, const SceneClip *clip)
{
    SceneFrames *out = making->out;
    const double fps = making->options->fps;
    int keys = 0;
    size_t total = 0, used = 0;
    memory_free(making->times);
    making->times = NULL;
    keys = 0;
    for (int c = 0; c < clip->channel_count; c++)
        total += channel_counts(making, &clip->channels[c]) ? (size_t)clip->channels[c].key_count : 0;
    double *times = making->times = memory_array(total, sizeof *times);
    ALLOCATED(times, "the times of keys");
    for (int c = 0; c < clip->channel_count; c++) {
        const SceneChannel *channel = &clip->channels[c];
        if (!channel_counts(making, channel))
            continue;
        memcpy(times + used, channel->times, (size_t)channel->key_count * sizeof *times);
        used += (size_t)channel->key_count;
        making->out->morphs = making->out->morphs || channel->path == SCENE_WEIGHTS;
    }
    qsort(times, used, sizeof *times, seconds_compare);
    for (size_t i = 0; i < used; i++)
        if (keys == 0 || !same_time(times[keys - 1], times[i]))
            times[keys++] = times[i];
    if (keys == 0) {
        format_note(making->options->notes, "the clip '%s' moves no mesh and is skipped", clip->name);
        return status_ok();
    }
    const double first = making->times[0], last = making->times[keys - 1];
    const double frames = fps > 0.0 ? floor((last - first) * fps + 1e-3) + 1.0 : keys;
    if (out->count + frames > STORE_FRAMES_MAX)
        return bad_input("%s: the clip '%s' has %.0f frames, more than %d", making->scene->path, clip->name,
                         frames, STORE_FRAMES_MAX);
    STATUS_TRY(
        scene_memory_check(making->scene, (out->count + frames) * sizeof(SceneFrame), "%.0f frames", frames));
    SceneFrame *list = memory_array((size_t)(out->count + frames), sizeof *list);
    ALLOCATED(list, "the frames");
    memcpy(list, out->frames, (size_t)out->count * sizeof *list);
    memory_free(out->frames);
    out->frames = list;
    for (int i = 0; i < (int)frames; i++)
        list[out->count + i] = (SceneFrame){clip, fps > 0.0 ? first + i / fps : making->times[i]};
    if (fps <= 0.0) {
        /* whether the frames stay evenly spaced: to a few roundings of the times of floats */
        const double CLOSE = 1e-3;
        const double spacing = keys > 1 ? (last - first) / (keys - 1) : 0.0;
        if (keys >= 2) {
            if (making->spacing_s == 0.0)
                making->spacing_s = spacing;
            if (fabs(spacing - making->spacing_s) > CLOSE * spacing)
                making->spacing_s = -1.0;
            for (int i = 1; i < keys; i++)
                if (fabs(making->times[i] - making->times[i - 1] - spacing) > CLOSE * spacing)
                    making->spacing_s = -1.0;
        }
    }
    format_note(making->options->notes, "clip '%s': frames %d to %d, %.9g s to %.9g s", clip->name,
                out->count, out->count + (int)frames - 1, first, last);
    out->count += (int)frames;
    out->moved = true;
    return status_ok();
}

static void times_making_clear(TimesMaking *making)
{
    memory_free(making->times);
}

Status scene_frames_make(const Scene *scene, const ImportOptions *options, const unsigned char *watched,
                         SceneFrames *out)
{
    *out = (SceneFrames){0};
    CLEANUP(times_making_clear)
    TimesMaking making = {.scene = scene, .options = options, .watched = watched, .out = out};
    LOCAL_ARRAY(unsigned char, morphing, scene->node_count, "the frames");
    ALLOCATE(out->frames, 1, "the frames");
    bool found = false;
    for (int i = 0; i < scene->instance_count; i++)
        morphing[scene->instances[i].node] |= scene->meshes[scene->instances[i].mesh].target_count > 0;
    making.morphing = morphing;
    for (int i = 0; i < scene->clip_count; i++) {
        if (options->clip && strcmp(options->clip, scene->clips[i].name) != 0)
            continue;
        found = true;
        STATUS_TRY(clip_add(&making, &scene->clips[i]));
    }
    if (options->clip && !found) {
        char names[256] = "none";
        size_t used = 0;
        for (int i = 0; i < scene->clip_count && used < sizeof names; i++)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s'%s'", i > 0 ? ", " : "",
                                     scene->clips[i].name);
        return bad_input("%s: has no clip '%s'; its clips are: %s", scene->path, options->clip, names);
    }
    out->count = int_max(out->count, 1); /* one frame of no clip is there already */
    if (options->fps > 0.0 && out->moved)
        out->fps = options->fps;
    else
        out->fps = making.spacing_s > 0.0 ? 1.0 / making.spacing_s : 0.0;
    if (making.spacing_s < 0.0)
        format_note(options->notes, "the frames are those of the keys, which are not evenly spaced: fps is "
                                    "0; --fps samples frames at a constant rate");
    return status_ok();
}
