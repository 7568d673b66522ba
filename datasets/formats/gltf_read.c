/* Builds a scene from the JSON of a glTF 2.0 file. Section numbers refer to the glTF 2.0 specification. */
#include "datasets/formats/gltf_read.h"

#include "datasets/formats/gltf_accessor.h"
#include "datasets/formats/gltf_draco.h"
#include "datasets/formats/gltf_mesh.h"
#include "datasets/formats/gltf_meshopt.h"

/* ---- nodes (3.5) ---- */

static Status nodes_read(GltfReading *reading)
{
    Scene *scene = reading->scene;
    json_t *nodes = NULL;
    STATUS_TRY(gltf_array(&reading->file, reading->file.root, "", "nodes", &nodes, &scene->node_count));
    ALLOCATE(scene->nodes, scene->node_count, "the nodes");
    for (int i = 0; i < scene->node_count; i++) {
        scene->nodes[i].parent = -1;
        SceneNode *node = &reading->scene->nodes[i];
        const GltfPlace place = gltf_place("nodes[%d]", i);
        double matrix[16], t[3] = {0.0}, r[4] = {0.0, 0.0, 0.0, 1.0}, s[3] = {1.0, 1.0, 1.0};
        json_t *object = NULL;
        bool there = false;
        STATUS_TRY(gltf_element(&reading->file, "nodes", i, "nodes", &object));
        STATUS_TRY(gltf_name_copy(object, "node", i, &node->name));
        STATUS_TRY(gltf_numbers(&reading->file, object, place.text, "matrix", 16, matrix, &node->has_matrix));
        STATUS_TRY(gltf_numbers(&reading->file, object, place.text, "translation", 3, t, &there));
        STATUS_TRY(gltf_numbers(&reading->file, object, place.text, "rotation", 4, r, &there));
        STATUS_TRY(gltf_numbers(&reading->file, object, place.text, "scale", 3, s, &there));
        if (node->has_matrix) /* glTF stores matrices column by column */
            node->matrix = (Transform){matrix[0], matrix[4],  matrix[8], matrix[12], matrix[1],  matrix[5],
                                       matrix[9], matrix[13], matrix[2], matrix[6],  matrix[10], matrix[14]};
        node->translation = vec3_make(t[0], t[1], t[2]);
        node->rotation = quat_make(r[3], r[0], r[1], r[2]);
        node->scale = vec3_make(s[0], s[1], s[2]);
    }
    for (int i = 0; i < scene->node_count; i++) {
        const GltfPlace place = gltf_place("nodes[%d]", i);
        json_t *children = NULL;
        int count = 0;
        STATUS_TRY(gltf_array(&reading->file,
                              json_array_get(json_object_get(reading->file.root, "nodes"), (size_t)i),
                              place.text, "children", &children, &count));
        for (int c = 0; c < count; c++) {
            const json_t *value = json_array_get(children, (size_t)c);
            const json_int_t child = json_is_integer(value) ? json_integer_value(value) : -1;
            if (child < 0 || child >= scene->node_count)
                return gltf_failure(&reading->file, place.text, "has the child %lld, expected 0 to %d",
                                    (long long)child, scene->node_count - 1);
            if (scene->nodes[child].parent >= 0)
                return gltf_failure(&reading->file, gltf_place("nodes[%lld]", (long long)child).text,
                                    "has two parents, nodes[%d] and nodes[%d]", scene->nodes[child].parent,
                                    i);
            scene->nodes[child].parent = i;
        }
    }
    return scene_nodes_check(scene);
}

/* ---- skins (3.7.3) ---- */

static Status skins_read(GltfReading *reading)
{
    Scene *scene = reading->scene;
    json_t *skins = NULL;
    STATUS_TRY(gltf_array(&reading->file, reading->file.root, "", "skins", &skins, &scene->skin_count));
    ALLOCATE(scene->skins, scene->skin_count, "the skins");
    for (int i = 0; i < scene->skin_count; i++) {
        SceneSkin *skin = &scene->skins[i];
        const GltfPlace place = gltf_place("skins[%d]", i);
        json_t *object = NULL, *joints = NULL;
        STATUS_TRY(gltf_element(&reading->file, "skins", i, "skins", &object));
        STATUS_TRY(gltf_name_copy(object, "skin", i, &skin->name));
        STATUS_TRY(gltf_array(&reading->file, object, place.text, "joints", &joints, &skin->joint_count));
        STATUS_TRY(gltf_bytes_add(reading, 100.0 * skin->joint_count, place.text));
        STATUS_TRY(scene_skin_allocate(skin));
        for (int j = 0; j < skin->joint_count; j++) {
            const json_t *node = json_array_get(joints, (size_t)j);
            const json_int_t number = json_is_integer(node) ? json_integer_value(node) : -1;
            skin->joints[j] = number >= 0 && number < scene->node_count ? (int32_t)number : -1;
        }
        int64_t index = -1;
        GltfAccessor accessor;
        for (int j = 0; j < skin->joint_count; j++)
            skin->inverse_binds[j] = transform_identity();
        STATUS_TRY(
            gltf_integer(&reading->file, object, place.text, "inverseBindMatrices", -1, INT_MAX, &index));
        if (index >= 0) {
            STATUS_TRY(gltf_accessor_open(&reading->file, index, place.text, 16, -1, &accessor));
            if (accessor.count < skin->joint_count)
                STATUS_TRY(gltf_failure(&reading->file, accessor.place.text,
                                        "has %lld matrices, but %s has %d joints", (long long)accessor.count,
                                        place.text, skin->joint_count));
            STATUS_TRY(gltf_bytes_add(reading, 64.0 * (double)accessor.count, place.text));
            LOCAL_TABLE(float, values, accessor.count, 16, "the inverse bind matrices");
            STATUS_TRY(gltf_accessor_floats(&reading->file, &accessor, values));
            for (int j = 0; j < skin->joint_count; j++) {
                const float *m = values + 16 * (ptrdiff_t)j; /* glTF stores matrices column by column */
                const float off[] = {m[3], m[7], m[11], m[15] - 1.0f};
                for (int k = 0; k < 4; k++) /* the last row must be 0 0 0 1, up to the rounding errors of an
                                               inversion in float */
                    if (!(fabsf(off[k]) <= 1e-6f))
                        STATUS_TRY(gltf_failure(
                            &reading->file, accessor.place.text,
                            "has the last row %.9g %.9g %.9g %.9g in element %d, expected 0 0 0 1",
                            (double)m[3], (double)m[7], (double)m[11], (double)m[15], j));
                double *out = &skin->inverse_binds[j].m00;
                for (int k = 0; k < 12; k++)
                    out[k] = (double)m[4 * (k % 4) + k / 4];
            }
        }
    }
    return status_ok();
}

/* ---- instances: the meshes of the default scene (3.5.1) ---- */

enum { NODE_SHOWN = 1, NODE_HIDDEN };

/* Passes the marks of a scene's roots on to all nodes below them. A node hidden by KHR_node_visibility and
 * its descendants are also marked as hidden. */
static void marks_inherit(GltfReading *reading, unsigned char *marks)
{
    const Scene *scene = reading->scene;
    const json_t *nodes = json_object_get(reading->file.root, "nodes");
    int hidden = 0;
    for (int i = 0; i < scene->node_count; i++) {
        const int node = scene->order[i], parent = scene->nodes[node].parent;
        const json_t *object = json_array_get(nodes, (size_t)node),
                     *extension =
                         json_object_get(json_object_get(object, "extensions"), "KHR_node_visibility");
        if (parent >= 0 && marks[parent])
            marks[node] = marks[parent];
        if (marks[node] && json_is_false(json_object_get(extension, "visible")))
            marks[node] = NODE_HIDDEN;
        hidden += marks[node] == NODE_HIDDEN && json_object_get(object, "mesh");
    }
    if (hidden > 0)
        format_note(reading->notes, "KHR_node_visibility hides %d nodes with meshes, which are left out",
                    hidden);
}

/* Marks the nodes of the default scene, or all nodes if there are no scenes. */
static Status nodes_mark(GltfReading *reading, unsigned char *marks)
{
    const Scene *scene = reading->scene;
    json_t *scenes = NULL, *object = NULL, *roots = NULL;
    int64_t number = 0;
    int count = 0;
    STATUS_TRY(gltf_array(&reading->file, reading->file.root, "", "scenes", &scenes, &count));
    STATUS_TRY(gltf_integer(&reading->file, reading->file.root, "the file", "scene", 0, INT_MAX, &number));
    if (count == 0) {
        memset(marks, NODE_SHOWN, (size_t)scene->node_count);
        marks_inherit(reading, marks);
        return status_ok();
    }
    const GltfPlace place = gltf_place("scenes[%lld]", (long long)number);
    STATUS_TRY(gltf_element(&reading->file, "scenes", number, "scene", &object));
    STATUS_TRY(gltf_array(&reading->file, object, place.text, "nodes", &roots, &count));
    for (int i = 0; i < count; i++) {
        const json_t *node = json_array_get(roots, (size_t)i);
        const json_int_t root = json_is_integer(node) ? json_integer_value(node) : -1;
        if (root < 0 || root >= scene->node_count)
            STATUS_TRY(gltf_failure(&reading->file, place.text, "has the node %lld, but there are %d nodes",
                                    (long long)root, scene->node_count));
        marks[root] = NODE_SHOWN;
    }
    marks_inherit(reading, marks);
    return status_ok();
}

static Status instance_read(GltfReading *reading, int number, SceneInstance *out)
{
    const GltfPlace place = gltf_place("nodes[%d]", number);
    json_t *node = NULL, *mesh_object = NULL;
    int64_t mesh = -1, skin = -1;
    bool there = false;
    STATUS_TRY(gltf_element(&reading->file, "nodes", number, "nodes", &node));
    STATUS_TRY(gltf_integer(&reading->file, node, place.text, "mesh", -1, INT_MAX, &mesh));
    STATUS_TRY(gltf_integer(&reading->file, node, place.text, "skin", -1, INT_MAX, &skin));
    *out = (SceneInstance){.node = number, .mesh = (int)mesh, .skin = (int)skin};
    if (mesh < 0)
        return status_ok();
    STATUS_TRY(gltf_element(&reading->file, "meshes", mesh, place.text, &mesh_object));
    if (reading->scene->meshes[mesh].vertex_count == 0) {
        out->mesh = -1; /* lines and points are dropped, with their weights and morph targets */
        return status_ok();
    }
    const int targets = reading->scene->meshes[mesh].target_count;
    ALLOCATE(out->target_weights, targets, "morph targets");
    STATUS_TRY(
        gltf_numbers(&reading->file, node, place.text, "weights", targets, out->target_weights, &there));
    if (!there)
        STATUS_TRY(gltf_numbers(&reading->file, mesh_object, gltf_place("meshes[%lld]", (long long)mesh).text,
                                "weights", targets, out->target_weights, &there));
    return status_ok();
}

/* ---- animations (3.11) ---- */

static Status channel_read(GltfReading *reading, const json_t *animation, int clip, int number,
                           SceneChannel *channel, bool *used)
{
    static const char *const paths[] = {"translation", "rotation", "scale", "weights"};
    static const char *const interpolations[] = {"STEP", "LINEAR", "CUBICSPLINE"};
    const GltfFile *file = &reading->file;
    const GltfPlace place = gltf_place("animations[%d].channels[%d]", clip, number);
    const json_t *object = json_array_get(json_object_get(animation, "channels"), (size_t)number),
                 *samplers = json_object_get(animation, "samplers"),
                 *target = json_object_get(object, "target");
    const char *path = gltf_text(target, "path");
    int64_t node = -1, sampler = 0;
    STATUS_TRY(gltf_integer(file, target, place.text, "node", -1, INT_MAX, &node));
    int kind = 0, interpolation = 0;
    while (kind < 4 && path && strcmp(path, paths[kind]) != 0)
        kind++;
    *used = node >= 0 && path && kind < 4;
    reading->foreign_channels += !*used;
    if (!*used)
        return status_ok();
    STATUS_TRY(gltf_integer(file, object, place.text, "sampler", GLTF_NEEDED, INT_MAX, &sampler));
    const json_t *from = json_array_get(samplers, (size_t)sampler);
    if (!from)
        STATUS_TRY(gltf_failure(file, place.text, "refers to samplers[%lld], but the animation has only %zu",
                                (long long)sampler, json_array_size(samplers)));
    const char *method = gltf_text(from, "interpolation");
    method = method ? method : "LINEAR";
    while (interpolation < 3 && strcmp(method, interpolations[interpolation]) != 0)
        interpolation++;
    if (interpolation == 3)
        STATUS_TRY(
            gltf_failure(file, place.text, "has the interpolation '%s', which is not supported", method));
    *channel = (SceneChannel){.node = (int)node,
                              .path = (ScenePath)kind,
                              .interpolation = (SceneInterpolation)interpolation,
                              .width = kind == SCENE_ROTATION ? 4 : 3};
    if (kind == SCENE_WEIGHTS) {
        json_t *moved = NULL;
        int64_t mesh = 0;
        STATUS_TRY(gltf_element(file, "nodes", node, place.text, &moved));
        STATUS_TRY(gltf_integer(file, moved, gltf_place("%s: nodes[%lld]", place.text, (long long)node).text,
                                "mesh", GLTF_NEEDED, INT_MAX, &mesh));
        STATUS_TRY(gltf_element(file, "meshes", mesh, place.text, &moved));
        channel->width = reading->scene->meshes[mesh].target_count;
        *used = reading->scene->meshes[mesh].vertex_count > 0;
        if (!*used)
            return status_ok();
    }
    const bool weights = channel->path == SCENE_WEIGHTS, rotation = channel->path == SCENE_ROTATION;
    const int per_key = channel->interpolation == SCENE_CUBIC ? 3 : 1;
    GltfAccessor input, output;
    int64_t index = 0;
    STATUS_TRY(gltf_integer(file, from, place.text, "input", GLTF_NEEDED, INT_MAX, &index));
    STATUS_TRY(gltf_accessor_open(file, index, place.text, 1, -1, &input));
    const int64_t count = input.count * per_key;
    STATUS_TRY(gltf_integer(file, from, place.text, "output", GLTF_NEEDED, INT_MAX, &index));
    STATUS_TRY(gltf_accessor_open(file, index, place.text, weights ? 1 : channel->width,
                                  weights ? count * channel->width : count, &output));
    channel->key_count = (int)input.count;
    const size_t total = (size_t)count * (size_t)channel->width;
    STATUS_TRY(gltf_bytes_add(reading, 8.0 * (double)input.count + 12.0 * (double)total, place.text));
    STATUS_TRY(scene_channel_allocate(channel));
    LOCAL_ARRAY(float, values, size_max(total, (size_t)input.count), "the keys of an animation");
    STATUS_TRY(gltf_accessor_floats(file, &input, values));
    for (int64_t i = 0; i < input.count; i++)
        channel->times[i] = (double)values[i];
    STATUS_TRY(gltf_accessor_floats(file, &output, values));
    for (size_t i = 0; i < total; i++) /* glTF stores rotations as x y z w */
        channel->values[i] = (double)values[rotation ? i - i % 4 + (i + 3) % 4 : i];
    return status_ok();
}

Status gltf_scene_read(const GltfFile *file, const FormatNotes *notes, Scene *out)
{
    GltfReading reading = {.file = *file, .scene = out, .notes = notes};
    *out = (Scene){.path = file->path, .memory_bytes = input_contents_limit(file->total_bytes)};
    STATUS_TRY(nodes_read(&reading));
    STATUS_TRY(gltf_meshes_read(&reading));
    STATUS_TRY(skins_read(&reading));
    /* animations (3.11) */
    Scene *scene = out;
    json_t *animations = NULL;
    scene->clips_place = "animations";
    STATUS_TRY(
        gltf_array(&reading.file, reading.file.root, "", "animations", &animations, &scene->clip_count));
    ALLOCATE(scene->clips, scene->clip_count, "the animations");
    for (int i = 0; i < scene->clip_count; i++) {
        SceneClip *clip = &scene->clips[i];
        const GltfPlace place = gltf_place("animations[%d]", i);
        json_t *object = NULL, *channels = NULL;
        int count = 0;
        STATUS_TRY(gltf_element(&reading.file, "animations", i, "animations", &object));
        STATUS_TRY(gltf_name_copy(object, "animation", i, &clip->name));
        STATUS_TRY(gltf_array(&reading.file, object, place.text, "channels", &channels, &count));
        ALLOCATE(clip->channels, count, "the animations");
        for (int c = 0; c < count; c++) {
            bool used = false;
            const Status status =
                channel_read(&reading, object, i, c, &clip->channels[clip->channel_count], &used);
            clip->channel_count += used; /* added even on failure, so that scene_clear releases the channel */
            STATUS_TRY(status);
        }
    }
    if (reading.foreign_channels > 0)
        format_note(notes,
                    "%d animation channels target properties that are not imported (KHR_animation_pointer)",
                    reading.foreign_channels);
    /* instances */
    LOCAL_ARRAY(unsigned char, marks, scene->node_count, "the nodes");
    ALLOCATE(scene->instances, scene->node_count, "the nodes");
    STATUS_TRY(nodes_mark(&reading, marks));
    for (int i = 0; i < scene->node_count; i++) {
        SceneInstance *instance = &scene->instances[scene->instance_count];
        if (marks[i] != NODE_SHOWN)
            continue;
        const Status status = instance_read(&reading, i, instance);
        scene->instance_count +=
            instance->mesh >= 0; /* added even on failure, so that scene_clear releases the instance */
        STATUS_TRY(status);
    }
    STATUS_TRY(scene_check(out));
    return status_ok();
}

Status gltf_read(const ImportOptions *options, Scene *out)
{
    CLEANUP(gltf_file_close) GltfFile file = {0};
    STATUS_TRY(gltf_file_open(options->inputs[0], &file));
    STATUS_TRY(gltf_meshopt_unpack(&file));
    STATUS_TRY(gltf_draco_unpack(&file));
    STATUS_TRY(gltf_scene_read(&file, options->notes, out));
    format_note(options->notes,
                "y is up, z is forward, lengths are in metres (as in glTF); vertices keep the order of "
                "the file, and none are welded");
    return status_ok();
}
