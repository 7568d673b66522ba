/* Writes the skin of a glTF file: influences, the nodes of the joints, and their keys in the clips. */
#include "datasets/formats/gltf_export.h"

#include "datasets/base/srgb.h"
#include "datasets/io/json_file.h"

void gltf_attributes_write(GltfExport *export, int first_vertex, int vertices, json_t *attributes)
{
    const GltfSkin *skin = &export->skin;
    const int end = first_vertex + vertices;
    if (export->options->colors) {
        /* glTF stores vertex colours in linear light */
        const unsigned char *colors = export->options->colors;
        gltf_array_begin(&export->writer, GLTF_COLORS);
        for (int v = first_vertex; v < end; v++) {
            uint16_t values[4] = {0, 0, 0, UINT16_MAX};
            for (int k = 0; k < 3; k++)
                values[k] = (uint16_t)(UINT16_MAX * srgb_decode(colors[(ptrdiff_t)3 * v + k]) + 0.5);
            gltf_array_add(&export->writer, values, 1);
        }
        json_object_set_new(attributes, "COLOR_0", json_integer(gltf_array_end(&export->writer)));
    }
    const int slots = skin->influence_count;
    const bool wide = skin->nodes.joint_count > 256;
    for (int set = 0; GLTF_SLOTS * set < slots; set++) {
        char name[32];
        const int first = GLTF_SLOTS * set, count = slots - first < GLTF_SLOTS ? slots - first : GLTF_SLOTS;
        gltf_array_begin(&export->writer, wide ? GLTF_JOINTS_16 : GLTF_JOINTS_8);
        for (int v = first_vertex; v < end; v++) {
            uint16_t two[GLTF_SLOTS] = {0};
            uint8_t one[GLTF_SLOTS] = {0};
            for (int k = 0; k < count; k++) {
                const int32_t joint = skin->weight_joints[(ptrdiff_t)v * slots + first + k];
                two[k] = (uint16_t)joint;
                one[k] = (uint8_t)joint;
            }
            gltf_array_add(&export->writer, wide ? (const void *)two : one, 1);
        }
        snprintf(name, sizeof name, "JOINTS_%d", set);
        json_object_set_new(attributes, name, json_integer(gltf_array_end(&export->writer)));
        gltf_array_begin(&export->writer, GLTF_WEIGHTS);
        for (int v = first_vertex; v < end; v++) {
            float weights[GLTF_SLOTS] = {0};
            memcpy(weights, skin->weight_values + (ptrdiff_t)v * slots + first,
                   (size_t)count * sizeof *weights);
            gltf_array_add(&export->writer, weights, 1);
        }
        snprintf(name, sizeof name, "WEIGHTS_%d", set);
        json_object_set_new(attributes, name, json_integer(gltf_array_end(&export->writer)));
    }
}

const GltfKeyPart gltf_key_parts[GLTF_KEY_PARTS] = {
    {"translation", offsetof(JointKey, translation), 3, GLTF_VECTORS},
    {"rotation", offsetof(JointKey, rotation), 4, GLTF_ROTATIONS},
    {"scale", offsetof(JointKey, scale), 3, GLTF_VECTORS},
};

void gltf_node_adopt(json_t *nodes, int parent, int child)
{
    json_t *node = json_array_get(nodes, (size_t)parent);
    if (!json_object_get(node, "children"))
        json_object_set_new(node, "children", json_array());
    json_array_append_new(json_object_get(node, "children"), json_integer(child));
}

int gltf_node_append(json_t *nodes, const char *name, const JointKey *place, int parent)
{
    const int number = (int)json_array_size(nodes);
    json_t *node = json_pack("{s:o}", "name", json_text(name));
    for (int part = 0; part < GLTF_KEY_PARTS; part++) {
        const float *values = (const float *)((const char *)place + gltf_key_parts[part].offset);
        json_t *array = json_array();
        for (int i = 0; i < gltf_key_parts[part].width; i++)
            json_array_append_new(array, json_real((double)values[i]));
        json_object_set_new(node, gltf_key_parts[part].path, array);
    }
    json_array_append_new(nodes, node);
    if (parent >= 0)
        gltf_node_adopt(nodes, parent, number);
    return number;
}

Status gltf_clips_choose(GltfExport *export, int frames)
{
    const Dataset *dataset = export->dataset;
    const double fps = dataset->fps > 0.0 ? dataset->fps : GLTF_DEFAULT_FPS;
    if (dataset->clips.count > 0 && dataset->clips.frame_count == frames) {
        Clips *clips = &export->clips;
        STATUS_TRY(clips_copy(&dataset->clips, clips));
        /* glTF has no negative times; with --into, the clips that the file has already keep theirs */
        for (int c = 0; c < clips->count && !export->options->into; c++) {
            double *times_s = clips->times_s + clips->first[c];
            const double start_s = times_s[0];
            for (int f = 0; start_s < 0.0 && f < clip_frame_count(clips, c); f++)
                times_s[f] -= start_s;
            if (start_s < 0.0)
                format_note(
                    export->options->notes,
                    "%s: clip '%s' begins at %.9g s and is moved to 0 s, because glTF has no negative times",
                    export->options->input, clips->names[c], start_s);
        }
        return status_ok();
    }
    STATUS_TRY(clips_allocate(&export->clips, frames > 0, frames));
    for (int f = 0; f < frames; f++)
        export->clips.times_s[f] = f / fps;
    if (frames > 0)
        COPY_TEXT(export->clips.names[0], dataset->name, "the clips");
    return status_ok();
}

int gltf_times_write(GltfExport *export, int clip, int count)
{
    gltf_array_begin(&export->writer, GLTF_TIMES);
    for (int f = export->clips.first[clip]; count > 0; f++, count--)
        gltf_array_add(&export->writer, &(float){(float)export->clips.times_s[f]}, 1);
    return gltf_array_end(&export->writer);
}

void gltf_channel_append(json_t *clip, int input, int output, int node, const char *path)
{
    json_t *samplers = json_object_get(clip, "samplers");
    json_array_append_new(json_object_get(clip, "channels"),
                          json_pack("{s:i, s:{s:i, s:s}}", "sampler", (int)json_array_size(samplers),
                                    "target", "node", node, "path", path));
    json_array_append_new(
        samplers, json_pack("{s:i, s:i, s:s}", "input", input, "output", output, "interpolation", "LINEAR"));
}

/* Writes the translation, rotation or scale of a joint over a clip. A constant part gets one key, or no key
 * if it equals the bind pose. The first joint's translation always has all keys, so that the clip keeps its
 * duration. */
static void joint_channel_write(GltfExport *export, int number, int joint, const GltfKeyPart *part,
                                int times[2], json_t *clip)
{
    const JointNodes *nodes = &export->skin.nodes;
    const size_t size = (size_t)part->width * sizeof(float);
    const int frames = clip_frame_count(&export->clips, number);
    const JointKey *keys = nodes->keys + (ptrdiff_t)joint * nodes->frame_count + export->clips.first[number];
    const char *first = (const char *)keys + part->offset;
    bool constant = joint != export->first_joint || part->offset != offsetof(JointKey, translation);
    for (int f = 1; f < frames && constant; f++)
        constant = memcmp((const char *)(keys + f) + part->offset, first, size) == 0;
    if (constant && memcmp((const char *)&nodes->rest[joint] + part->offset, first, size) == 0)
        return;
    const int written = constant ? 1 : frames;
    gltf_array_begin(&export->writer, part->array);
    for (int f = 0; f < written; f++)
        gltf_array_add(&export->writer, (const char *)(keys + f) + part->offset, 1);
    const int output = gltf_array_end(&export->writer);
    if (times[constant] < 0)
        times[constant] = gltf_times_write(export, number, written);
    gltf_channel_append(clip, times[constant], output, export->joint_nodes[joint], part->path);
}

json_t *gltf_clip_open(const GltfExport *export, int number, json_t *root)
{
    json_t *animations = json_object_get(root, "animations");
    if (export->animations && export->animations[number] >= 0)
        return json_array_get(animations, (size_t) export->animations[number]);
    if (!animations)
        json_object_set_new(root, "animations", animations = json_array());
    json_t *clip = json_pack("{s:o, s:[], s:[]}", "name", json_text(export->clips.names[number]), "samplers",
                             "channels");
    json_array_append_new(animations, clip);
    return clip;
}

void gltf_joints_write(GltfExport *export, int above, json_t *root)
{
    const JointNodes *joints = &export->skin.nodes;
    json_t *nodes = json_object_get(root, "nodes");
    const int there = (int)json_array_size(nodes);
    export->first_joint = -1;
    for (int j = 0; j < joints->joint_count; j++) {
        const char *name = export->rig.joint_names[j];
        const int parent = joints->parented ? joints->parents[j] : -1;
        if (export->joint_nodes[j] >= 0)
            continue;
        export->first_joint = export->first_joint < 0 ? j : export->first_joint;
        export->joint_nodes[j] = gltf_node_append(nodes, name ? name : "", &joints->rest[j],
                                                  parent < 0 ? above : export->joint_nodes[parent]);
    }
    for (int c = 0; c < export->clips.count && export->first_joint >= 0; c++) {
        int times[2] = {-1,
                        -1}; /* accessor with all times of the clip, and accessor with only its first time */
        json_t *clip = gltf_clip_open(export, c, root);
        for (int joint = 0; joint < joints->joint_count; joint++)
            for (int i = 0; i < GLTF_KEY_PARTS && export->joint_nodes[joint] >= there; i++)
                joint_channel_write(export, c, joint, &gltf_key_parts[i], times, clip);
    }
}

json_t *gltf_skin_to_json(GltfExport *export, const float *inverse_binds)
{
    const int count = export->skin.nodes.joint_count;
    json_t *numbers = json_array();
    for (int j = 0; j < count; j++)
        json_array_append_new(numbers, json_integer(export->joint_nodes[j]));
    return json_pack("{s:i, s:o}", "inverseBindMatrices",
                     gltf_array_write(&export->writer, GLTF_INVERSE_BINDS, inverse_binds, count), "joints",
                     numbers);
}
