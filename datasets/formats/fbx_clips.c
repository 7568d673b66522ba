/* Reads animation stacks. A stack has layers, and a layer has curve nodes. A curve node has up to three
 * curves and is connected to the property that the curves animate. */
#include "datasets/formats/fbx_objects.h"

/* Flags of a key, from the array KeyAttrFlags. */
enum {
    KEY_CONSTANT = 0x2,
    KEY_CUBIC = 0x8,
    KEY_AUTOMATIC = 0x100, /* a constant key with this flag holds the value of the next key */
    KEY_TCB = 0x200,
    KEY_USER = 0x400,
    KEY_CLAMPED = 0x1000,
    KEY_TIME_INDEPENDENT = 0x2000,
    KEY_CLAMPED_PROGRESSIVELY = 0x4000,
    KEY_WEIGHTED = 0x1000000,
    KEY_NEXT_WEIGHTED = 0x2000000
};

static double slope_between(const SceneChannel *channel, int key, int next)
{
    const double duration = channel->times[next] - channel->times[key];
    const double *values = channel->values;
    return duration > 0.0 ? (values[next * CURVE_NUMBERS] - values[key * CURVE_NUMBERS]) / duration : 0.0;
}

/* Returns the slope of an automatic tangent at a key. */
static double slope_automatic(const SceneChannel *channel, int key, uint32_t flags)
{
    const double CLOSE = 1e-6;
    const int before = int_max(key - 1, 0), after = int_min(key + 1, channel->key_count - 1);
    const double left = slope_between(channel, before, key), right = slope_between(channel, key, after);
    const double whole = channel->times[after] - channel->times[before];
    const double share = whole > 0.0 ? (channel->times[key] - channel->times[before]) / whole : 0.0;
    double slope = slope_between(channel, before, after);
    const double *value = channel->values + (ptrdiff_t)key * CURVE_NUMBERS;
    if (before == key || after == key)
        return flags & KEY_CLAMPED_PROGRESSIVELY ? 0.0 : slope;
    if ((flags & KEY_CLAMPED) &&
        fmin(fabs(value[0] - value[-CURVE_NUMBERS]), fabs(value[CURVE_NUMBERS] - value[0])) <= CLOSE)
        return 0.0;
    if (!(flags & KEY_TIME_INDEPENDENT))
        slope = 0.5 * slope + 0.5 * (left * (1.0 - share) + right * share);
    if (flags & KEY_CLAMPED_PROGRESSIVELY) { /* do not overshoot a neighbouring key */
        const double sign = slope < 0.0 ? -1.0 : 1.0, left_reach = value[CURVE_NEXT_REACH - CURVE_NUMBERS];
        const double most =
            fmin(sign * left / fmax(left_reach, CLOSE), sign * right / fmax(value[CURVE_REACH], CLOSE));
        slope = sign * fmax(0.0, fmin(sign * slope, most));
    }
    return slope;
}

/* Decodes a number of the array KeyAttrDataFloat. Text files since version 7200 store the bits of a float
 * as an integer. */
static double key_data(const FbxReading *reading, double number)
{
    const int32_t bits = (int32_t)fmax(INT32_MIN, fmin(number, INT32_MAX));
    float value = 0.0f;
    if (reading->tree.binary || reading->tree.version < 7200 || (double)bits != number)
        return number;
    memcpy(&value, &bits, sizeof value);
    return isfinite(value) ? (double)value : 0.0;
}

/* Reads the keys of a curve. Flags and tangents are run-length encoded. */
static Status curve_read(FbxReading *reading, int curve, SceneChannel *channel)
{
    const int node = reading->objects[curve].node;
    static const char *const sides[] = {"Pre-Extrapolation", "Post-Extrapolation"};
    const double REACH = 1.0 / 3.0, REACH_UNIT = 1e-4;
    OWNED double *times = NULL, *values = NULL, *flags = NULL, *data = NULL, *runs = NULL;
    int count = 0, value_count = 0, flag_count = 0, data_count = 0, run_count = 0;
    STATUS_TRY(fbx_numbers(&reading->tree, node, "KeyTime", &times, &count));
    STATUS_TRY(fbx_numbers(&reading->tree, node, "KeyValueFloat", &values, &value_count));
    STATUS_TRY(fbx_numbers(&reading->tree, node, "KeyAttrFlags", &flags, &flag_count));
    STATUS_TRY(fbx_numbers(&reading->tree, node, "KeyAttrDataFloat", &data, &data_count));
    STATUS_TRY(fbx_numbers(&reading->tree, node, "KeyAttrRefCount", &runs, &run_count));
    if (count != value_count)
        return fbx_refusal(reading, curve, "has more or fewer values than times");
    if (count == 0)
        return status_ok();
    for (int i = 0; i < 2; i++) {
        FbxValue type;
        if (fbx_value(&reading->tree,
                      fbx_child(&reading->tree, fbx_child(&reading->tree, node, sides[i]), "Type"), 0, &type))
            reading->extended +=
                type.kind == 'n' ? type.number != 'C' : type.length != 1 || *type.text != 'C';
    }
    STATUS_TRY(fbx_memory_count(reading, 8.0 * count * (1 + CURVE_NUMBERS), "the keys of curves"));
    channel->key_count = count;
    STATUS_TRY(scene_channel_allocate(channel));
    for (int k = 0; k < count; k++) {
        channel->times[k] = times[k] / reading->ticks_per_s;
        channel->values[(ptrdiff_t)k * CURVE_NUMBERS] = values[k];
    }
    double *row = channel->values;
    double left = run_count > 0 ? runs[0] : 0.0;
    for (int k = 0, run = 0; k < count; k++, row += CURVE_NUMBERS) {
        for (; left < 1.0 && run + 1 < run_count; left = runs[run])
            run++;
        left -= 1.0;
        const uint32_t key =
            run < flag_count ? (uint32_t)(int64_t)fmax(0.0, fmin(flags[run], UINT32_MAX)) : 0;
        const double *attributes = run < data_count / 4 ? data + 4 * (ptrdiff_t)run : (const double[4]){0.0};
        row[CURVE_REACH] = row[CURVE_NEXT_REACH] = REACH;
        row[CURVE_KIND] = CURVE_LINEAR;
        if (key & KEY_CONSTANT) {
            row[CURVE_KIND] = key & KEY_AUTOMATIC ? CURVE_JUMPS : CURVE_HOLDS;
            continue;
        }
        row[CURVE_SLOPE] = row[CURVE_NEXT_SLOPE] = slope_between(channel, k, int_min(k + 1, count - 1));
        if (!(key & KEY_CUBIC))
            continue;
        row[CURVE_KIND] = CURVE_BEZIER;
        const float packed = (float)key_data(reading, attributes[2]);
        uint32_t reaches = 0;
        memcpy(&reaches, &packed, sizeof reaches);
        if (key & KEY_WEIGHTED)
            row[CURVE_REACH] = fmin(1.0, REACH_UNIT * (reaches & 0xffff));
        if (key & KEY_NEXT_WEIGHTED)
            row[CURVE_NEXT_REACH] = fmin(1.0, REACH_UNIT * (reaches >> 16));
        row[CURVE_SLOPE] = key_data(reading, attributes[0]);
        row[CURVE_NEXT_SLOPE] = key_data(reading, attributes[1]);
        double *before = k > 0 ? row - CURVE_NUMBERS : NULL;
        if (key & KEY_TCB) { /* slopes of a tension-continuity-bias spline (Kochanek and Bartels 1984) */
            const double tension = 1.0 - key_data(reading, attributes[0]),
                         continuity = key_data(reading, attributes[1]),
                         bias = key_data(reading, attributes[2]);
            const double in = slope_between(channel, int_max(k - 1, 0), k),
                         out = slope_between(channel, k, int_min(k + 1, count - 1)),
                         half = k > 0 && k + 1 < count ? 0.5 : 1.0;
            row[CURVE_SLOPE] =
                half * tension *
                ((1.0 + bias) * (1.0 + continuity) * in + (1.0 - bias) * (1.0 - continuity) * out);
            row[CURVE_NEXT_SLOPE] = 0.0;
            if (before)
                before[CURVE_NEXT_SLOPE] =
                    half * tension *
                    ((1.0 + bias) * (1.0 - continuity) * in + (1.0 - bias) * (1.0 + continuity) * out);
        } else if (!(key & KEY_USER)) {
            row[CURVE_SLOPE] = slope_automatic(channel, k, key);
            if (before)
                before[CURVE_NEXT_SLOPE] = row[CURVE_SLOPE];
        }
    }
    return status_ok();
}

/* Adds the channels of a curve node to a clip: three axes of one part of a node, or one weight of a morph
 * target. */
static Status channels_add(FbxReading *reading, int curve_node, SceneClip *clip, SceneChannel like,
                           const double *otherwise)
{
    static const char *const names[] = {"d|X", "d|Y", "d|Z", "d|DeformPercent"};
    const FbxObject *from = &reading->objects[curve_node];
    const int first = like.path == SCENE_WEIGHTS ? 3 : 0, last = like.path == SCENE_WEIGHTS ? 3 : 2;
    for (int i = first; i <= last; i++) {
        STATUS_TRY(fbx_memory_count(reading, 2.0 * sizeof like, "the clips"));
        GROW(clip->channels, clip->channel_count, "the clips");
        SceneChannel *channel = &clip->channels[clip->channel_count++];
        *channel = like;
        channel->axis = first == 3 ? like.axis : i;
        for (int l = from->links;
             channel->key_count == 0 && fbx_link_from(reading, curve_node, FBX_CURVE, &l); l++)
            if (fbx_link_moves(reading, &reading->links[l], names[i]) ||
                fbx_link_moves(reading, &reading->links[l], names[i] + 2))
                STATUS_TRY(curve_read(reading, reading->links[l].from, channel));
        if (channel->key_count > 0)
            continue;
        channel->still = true;
        channel->key_count = 1;
        STATUS_TRY(scene_channel_allocate(channel));
        channel->values[CURVE_VALUE] = fbx_number(&reading->tree, from->node, names[i], otherwise[i - first]);
    }
    return status_ok();
}

/* Reads the animation of one property. `link` is the connection between the property and a curve node of
 * the layer. */
static Status motion_read(FbxReading *reading, const FbxLink *link, int layer, SceneClip *clip)
{
    const FbxObject *object = &reading->objects[link->to];
    SceneChannel like = {.interpolation = SCENE_CURVE, .width = 1, .layer = layer};
    if (object->kind == FBX_LAYER && fbx_link_moves(reading, link, "Weight"))
        return fbx_refusal(reading, link->to, "has an animated weight, which is not read");
    for (int i = 0; object->kind == FBX_MODEL && i < PLACES; i++) {
        if (!fbx_link_moves(reading, link, fbx_place_names[i]))
            continue;
        if (i > PLACE_SCALING)
            return fbx_refusal(reading, link->to, "has an animated pivot or offset, which is not read");
        like.path = (ScenePath)(SCENE_TRANSLATION + i);
        like.node = object->number;
        const double identity = i == PLACE_SCALING, nothing[3] = {identity, identity, identity};
        return channels_add(reading, link->from, clip, like,
                            layer == 0 ? reading->scene->eulers[object->number].parts[i] : nothing);
    }
    const bool morphs = object->kind == FBX_BLEND_CHANNEL && fbx_link_moves(reading, link, "DeformPercent");
    const double percent = morphs ? fbx_deform_percent(&reading->tree, object->node) : 0.0;
    for (int use = morphs ? object->use : -1; use >= 0; use = reading->targets[use].next) {
        like.path = SCENE_WEIGHTS;
        like.mesh = reading->targets[use].instance;
        like.node = reading->scene->instances[like.mesh].node;
        like.axis = reading->targets[use].target;
        STATUS_TRY(channels_add(reading, link->from, clip, like, &percent));
    }
    return status_ok();
}

static Status layer_read(FbxReading *reading, int object, SceneClip *clip)
{
    enum { USES_MAX = 64 };
    const double WHOLE = 0.99999;
    const FbxTree *tree = &reading->tree;
    const int node = reading->objects[object].node, layer = clip->layer_count;
    const double weight = 0.01 * fbx_number(tree, node, "Weight", 100.0),
                 blending = fbx_number(tree, node, "BlendMode", 0.0);
    if (fbx_number(tree, node, "Mute", 0.0) != 0.0)
        return status_ok();
    GROW(clip->layers, layer, "the layers");
    clip->layers[clip->layer_count++] =
        (SceneLayer){.weight = weight > WHOLE ? 1.0 : fmax(0.0, weight),
                     .blending = blending == 0.0   ? SCENE_ADDED
                                 : blending == 2.0 ? SCENE_MIXED
                                                   : SCENE_OVERRIDDEN,
                     .angles_apart = fbx_number(tree, node, "RotationAccumulationMode", 0.0) != 0.0,
                     .scales_added = fbx_number(tree, node, "ScaleAccumulationMode", 0.0) != 0.0};
    for (int l = reading->objects[object].links; fbx_link_from(reading, object, FBX_CURVE_NODE, &l); l++) {
        const int from = reading->links[l].from;
        if (fbx_text_is(tree, reading->links[l].node, 0,
                        "OP")) /* skip the connection that animates the layer's weight; it is checked below */
            continue;
        for (int k = reading->objects[from].leaving; k >= 0; k = reading->links[k].leaving) {
            if (reading->objects[from].use++ > USES_MAX)
                return fbx_refusal(reading, from, "moves more properties than are supported");
            STATUS_TRY(motion_read(reading, &reading->links[k], layer, clip));
        }
    }
    return status_ok();
}

Status fbx_clips_read(FbxReading *reading)
{
    const double TICKS_PER_S = 46186158000.0, STANDARD_TICKS_PER_S = 141120000.0;
    Scene *scene = reading->scene;
    const FbxTree *tree = &reading->tree;
    const int flags = fbx_child(tree, fbx_child(tree, 0, "FBXHeaderExtension"), "OtherFlags");
    FbxValue definition;
    /* the unit of time is 127, or 0 for the coarser unit that FBX SDK 2020 introduced */
    reading->ticks_per_s =
        fbx_value(tree, fbx_child(tree, flags, "TCDefinition"), 0, &definition) && definition.number == 0.0
            ? STANDARD_TICKS_PER_S
            : TICKS_PER_S;
    scene->clips_place = "AnimationStack";
    for (int i = 0; i < reading->object_count; i++) {
        if (reading->objects[i].kind != FBX_STACK)
            continue;
        GROW(scene->clips, scene->clip_count, "the clips");
        SceneClip *clip = &scene->clips[scene->clip_count++];
        *clip = (SceneClip){0};
        STATUS_TRY(fbx_name_copy(reading, i, &clip->name));
        for (int l = reading->objects[i].links; fbx_link_from(reading, i, FBX_LAYER, &l); l++)
            STATUS_TRY(layer_read(reading, reading->links[l].from, clip));
    }
    return status_ok();
}
