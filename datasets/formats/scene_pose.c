/* Samples the animation channels of a scene, multiplies the transformations of its nodes down the
 * hierarchy, and lists the frames of its clips. */
#include "datasets/formats/scene_pose.h"

#include "datasets/formats/fbx_pose.h"
#include "datasets/io/store.h"

/* Returns the parts (translation, rotation, scale) of a node's place in its parent. If the place is a
 * matrix, its shear is lost. */
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
    if (scene->eulers) {
        fbx_pose(scene, clip, time_s, locals, globals);
        return;
    }
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
            local->parts.rotation = quat_unit(quat_make(value[0], value[1], value[2], value[3]));
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
        double value = 0.0;
        if (channel->path != SCENE_WEIGHTS || channel->node != instance->node)
            continue;
        if (channel->interpolation == SCENE_CURVE) {
            if (channel->mesh != instance->mesh)
                continue;
            scene_channel_sample(channel, time_s, &value);
            value *= 0.01; /* FBX stores the weights in per cent */
            fbx_layer_blend(clip, channel, 1, &value, &weights[channel->axis]);
        } else if (channel->width == count) {
            scene_channel_sample(channel, time_s, weights);
        }
    }
}

typedef struct TimesMaking {
    const Scene *scene;
    const ImportOptions *options;
    const unsigned char *watched, *morphing; /* [node_count] */
    SceneFrames *out;
    double spacing_s; /* time between successive frames; 0: not yet known; -1: not constant */
} TimesMaking;

static bool channel_counts(const TimesMaking *making, const SceneChannel *channel)
{
    if (channel->still)
        return false;
    return channel->path == SCENE_WEIGHTS ? making->morphing[channel->node] && channel->width > 0
                                          : making->watched[channel->node];
}

static Status clip_add(TimesMaking *making, const SceneClip *clip)
{
    SceneFrames *out = making->out;
    const double fps = making->options->fps;
    int keys = 0;
    size_t total = 0, used = 0;
    for (int c = 0; c < clip->channel_count; c++)
        total += channel_counts(making, &clip->channels[c]) ? (size_t)clip->channels[c].key_count : 0;
    LOCAL_ARRAY(double, times, total, "the key times");
    for (int c = 0; c < clip->channel_count; c++) {
        const SceneChannel *channel = &clip->channels[c];
        if (!channel_counts(making, channel))
            continue;
        memcpy(times + used, channel->times, (size_t)channel->key_count * sizeof *times);
        used += (size_t)channel->key_count;
        out->morphs = out->morphs || channel->path == SCENE_WEIGHTS;
    }
    values_sort(times, used);
    for (size_t i = 0; i < used; i++)
        if (keys == 0 || !scene_times_same(times[keys - 1], times[i]))
            times[keys++] = times[i];
    if (keys == 0) {
        format_note(making->options->notes, "the clip '%s' moves no mesh and is skipped", clip->name);
        return status_ok();
    }
    const double first = times[0], last = times[keys - 1];
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
        list[out->count + i] = (SceneFrame){clip, fps > 0.0 ? first + i / fps : times[i]};
    if (fps <= 0.0 && keys > 1) {
        /* check whether the frames stay evenly spaced, up to rounding of the float times */
        const double CLOSE = 1e-3;
        const double spacing = (last - first) / (keys - 1);
        if (making->spacing_s == 0.0)
            making->spacing_s = spacing;
        if (fabs(spacing - making->spacing_s) > CLOSE * spacing)
            making->spacing_s = -1.0;
        for (int i = 1; i < keys; i++)
            if (fabs(times[i] - times[i - 1] - spacing) > CLOSE * spacing)
                making->spacing_s = -1.0;
    }
    format_note(making->options->notes, "clip '%s': frames %d to %d, %.9g s to %.9g s", clip->name,
                out->count, out->count + (int)frames - 1, first, last);
    out->count += (int)frames;
    out->clip_count++;
    return status_ok();
}

Status scene_frames_make(const Scene *scene, const ImportOptions *options, const unsigned char *watched,
                         SceneFrames *out)
{
    *out = (SceneFrames){0};
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
    out->count = int_max(out->count, 1); /* without clips there is one frame, without animation */
    if (options->fps > 0.0 && out->clip_count > 0)
        out->fps = options->fps;
    else
        out->fps = making.spacing_s > 0.0 ? 1.0 / making.spacing_s : 0.0;
    if (making.spacing_s < 0.0)
        format_note(options->notes,
                    "the frames are at the times of the keys, which are not evenly spaced: fps is "
                    "0; --fps samples frames at a constant rate");
    return status_ok();
}
