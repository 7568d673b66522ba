/* Exports a data set as glTF 2.0: its mesh, and either its rig as a skin, or its frames as morph targets
 * that are shown one after the other; the clips are those that it was imported from, else there is one. */
#include "datasets/formats/formats.h"

#include "datasets/base/srgb.h"
#include "datasets/formats/gltf_skin.h"
#include "datasets/formats/gltf_writer.h"
#include "datasets/io/json_file.h"
#include "datasets/io/store.h"
#include "datasets/model/evaluate.h"
#include "datasets/model/two_phase.h"

enum { NODE_MESH, NODE_JOINTS, NODE_FIRST_JOINT }; /* the nodes of a file with a skin */
enum { SLOTS = 4, DEFAULT_FPS = 30 };

typedef struct GltfExport {
    const ExportOptions *options;
    DatasetReader *reader;
    const Dataset *dataset; /* but for its positions */
    Rig rig;                /* the data set's arrays, but for transforms where there is a scale */
    Transform *joined;      /* [F][P] those, or NULL */
    GltfSkin skin;
    Clips clips; /* the data set's, or one of all frames */
    AtomicPath path;
    GltfWriter writer;
    double diagonal;
} GltfExport;

/* ---- what to write ---- */

static int frame_count(const GltfExport *export)
{
    const Dataset *dataset = export->dataset;
    return dataset->animation.frame_count > 0 ? dataset->animation.frame_count
           : export->rig.joint_count > 0      ? export->rig.frame_count
                                              : dataset->low_rank.row_count / 3;
}

/* Positions [N][3] of a frame, stored or by the rig and the low-rank model. */
static Status exported_positions(const GltfExport *export, int frame, float *positions)
{
    const Dataset *dataset = export->dataset;
    if (dataset->animation.frame_count > 0)
        return dataset_read_frames(export->reader, frame, 1, positions);
    for (int v = 0; v < dataset->mesh.vertex_count; v++)
        point_set(positions, v, model_point(&dataset->mesh, &export->rig, &dataset->low_rank, frame, v));
    return status_ok();
}

/* ---- the mesh ---- */

static Status normals_write(GltfExport *export, json_t *attributes)
{
    const Mesh *mesh = &export->dataset->mesh;
    LOCAL_TABLE(double, sums, mesh->vertex_count, 3, "normals");
    vertex_normals(mesh->triangles, mesh->triangle_count, mesh->vertex_count, mesh->rest, sums);
    gltf_array_begin(&export->writer, GLTF_NORMALS);
    for (int v = 0; v < mesh->vertex_count; v++) {
        const double *sum = sums + (ptrdiff_t)3 * v;
        Vec3 normal = vec3_normalize(vec3_make(sum[0], sum[1], sum[2]));
        if (!(vec3_dot(normal, normal) > 0.5))
            normal = vec3_make(0.0, 1.0, 0.0); /* of no triangle: any unit vector */
        const float values[3] = {(float)normal.x, (float)normal.y, (float)normal.z};
        gltf_array_add(&export->writer, values, 1);
    }
    json_object_set_new(attributes, "NORMAL", json_integer(gltf_array_end(&export->writer)));
    return status_ok();
}

/* JOINTS_0 and WEIGHTS_0 with the four heaviest influences of every vertex, JOINTS_1 and WEIGHTS_1 with the
 * next. */
static void influences_write(GltfExport *export, json_t *attributes)
{
    const GltfSkin *skin = &export->skin;
    const int slots = skin->influence_count;
    const bool wide = skin->nodes.joint_count > 256;
    for (int set = 0; SLOTS * set < slots; set++) {
        char name[32];
        const int first = SLOTS * set, count = slots - first < SLOTS ? slots - first : SLOTS;
        gltf_array_begin(&export->writer, wide ? GLTF_JOINTS_16 : GLTF_JOINTS_8);
        for (int v = 0; v < export->dataset->mesh.vertex_count; v++) {
            uint16_t two[SLOTS] = {0};
            uint8_t one[SLOTS] = {0};
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
        for (int v = 0; v < export->dataset->mesh.vertex_count; v++) {
            float weights[SLOTS] = {0};
            memcpy(weights, skin->weight_values + (ptrdiff_t)v * slots + first,
                   (size_t)count * sizeof *weights);
            gltf_array_add(&export->writer, weights, 1);
        }
        snprintf(name, sizeof name, "WEIGHTS_%d", set);
        json_object_set_new(attributes, name, json_integer(gltf_array_end(&export->writer)));
    }
}

/* The greatest number of a component type means "start again", so 65535 needs four bytes. */
static int indices_write(GltfExport *export)
{
    const Mesh *mesh = &export->dataset->mesh;
    const int count = 3 * mesh->triangle_count;
    if (mesh->vertex_count > UINT16_MAX)
        return gltf_array_write(&export->writer, GLTF_INDICES_32, mesh->triangles, count);
    gltf_array_begin(&export->writer, GLTF_INDICES_16);
    for (int i = 0; i < count; i++)
        gltf_array_add(&export->writer, &(uint16_t){(uint16_t)mesh->triangles[i]}, 1);
    return gltf_array_end(&export->writer);
}

/* `targets`: the morph targets, taken over; NULL for a mesh with a skin. */
static Status mesh_to_json(GltfExport *export, json_t *targets, json_t *root)
{
    const Mesh *mesh = &export->dataset->mesh;
    enum { MODE_POINTS = 0, MODE_TRIANGLES = 4 };
    json_t *described = json_pack("{s:o, s:[{s:{}, s:i, s:i}]}", "name", json_text(export->dataset->name),
                                  "primitives", "attributes", "material", 0, "mode",
                                  mesh->triangle_count > 0 ? MODE_TRIANGLES : MODE_POINTS);
    json_t *primitive = json_array_get(json_object_get(described, "primitives"), 0);
    json_t *attributes = json_object_get(primitive, "attributes");
    Status status = status_ok();
    json_object_set_new(
        attributes, "POSITION",
        json_integer(gltf_array_write(&export->writer, GLTF_POSITIONS, mesh->rest, mesh->vertex_count)));
    /* Those of the rest pose would be wrong for other shapes, and readers find normals for a mesh without. */
    if (mesh->triangle_count > 0 && !targets)
        status = normals_write(export, attributes);
    if (export->options->colors) {
        /* vertex colours are linear light in glTF */
        const unsigned char *colors = export->options->colors;
        gltf_array_begin(&export->writer, GLTF_COLORS);
        for (int v = 0; v < export->dataset->mesh.vertex_count; v++) {
            uint16_t values[4] = {0, 0, 0, UINT16_MAX};
            for (int k = 0; k < 3; k++)
                values[k] = (uint16_t)(UINT16_MAX * srgb_decode(colors[(ptrdiff_t)3 * v + k]) + 0.5);
            gltf_array_add(&export->writer, values, 1);
        }
        json_object_set_new(attributes, "COLOR_0", json_integer(gltf_array_end(&export->writer)));
    }
    if (export->skin.influence_count > 0)
        influences_write(export, attributes);
    if (mesh->triangle_count > 0)
        json_object_set_new(primitive, "indices", json_integer(indices_write(export)));
    if (targets) {
        json_t *weights = json_array();
        for (size_t i = 0; i < json_array_size(targets); i++)
            json_array_append_new(weights, json_real(0.0));
        json_object_set_new(primitive, "targets", targets);
        json_object_set_new(described, "weights", weights);
    }
    json_object_set_new(root, "meshes", json_pack("[o]", described));
    return status;
}

/* ---- the joints and the clip ---- */

static json_t *numbers_json(const float *values, int count)
{
    json_t *array = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(array, json_real((double)values[i]));
    return array;
}

static Status clips_choose(GltfExport *export)
{
    const Dataset *dataset = export->dataset;
    const double fps = dataset->fps > 0.0 ? dataset->fps : DEFAULT_FPS;
    const int frames = frame_count(export);
    if (dataset->clips.count > 0 && dataset->clips.frame_count == frames)
        return clips_copy(&dataset->clips, &export->clips);
    STATUS_TRY(clips_allocate(&export->clips, frames > 0, frames));
    for (int f = 0; f < frames; f++)
        export->clips.times_s[f] = f / fps;
    if (frames > 0)
        export->clips.names[0] = memory_text(dataset->name);
    return frames == 0 || export->clips.names[0] ? status_ok() : status_out_of_memory("the clips");
}

/* The first `count` key times of a clip. */
static int times_write(GltfExport *export, int clip, int count)
{
    gltf_array_begin(&export->writer, GLTF_TIMES);
    for (int f = export->clips.first[clip]; count > 0; f++, count--)
        gltf_array_add(&export->writer, &(float){(float)export->clips.times_s[f]}, 1);
    return gltf_array_end(&export->writer);
}

static void channel_append(json_t *clip, int input, int output, int node, const char *path)
{
    json_t *samplers = json_object_get(clip, "samplers");
    json_array_append_new(json_object_get(clip, "channels"),
                          json_pack("{s:i, s:{s:i, s:s}}", "sampler", (int)json_array_size(samplers),
                                    "target", "node", node, "path", path));
    json_array_append_new(
        samplers, json_pack("{s:i, s:i, s:s}", "input", input, "output", output, "interpolation", "LINEAR"));
}

typedef struct KeyPart {
    const char *path;
    size_t offset; /* in a JointKey */
    int width;
    GltfArray array;
} KeyPart;

/* One part of a joint over the frames of a clip: nothing where it stays as in the bind pose, one key where it
 * is constant. The first joint's translation has all keys, so that the clip has its length whatever moves. */
static void joint_channel_write(GltfExport *export, int number, int joint, const KeyPart *part, int times[2],
                                json_t *clip)
{
    const JointNodes *nodes = &export->skin.nodes;
    const size_t size = (size_t)part->width * sizeof(float);
    const int frames = clip_frame_count(&export->clips, number);
    const JointKey *keys = nodes->keys + (ptrdiff_t)joint * nodes->frame_count + export->clips.first[number];
    const char *first = (const char *)keys + part->offset;
    bool constant = joint > 0 || part->offset != offsetof(JointKey, translation);
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
        times[constant] = times_write(export, number, written);
    channel_append(clip, times[constant], output, NODE_FIRST_JOINT + joint, part->path);
}

/* ---- the file ---- */

/* An animation without channels, the root's last. */
static json_t *clip_append(const GltfExport *export, int number, json_t *root)
{
    json_t *clip = json_pack("{s:o, s:[], s:[]}", "name", json_text(export->clips.names[number]), "samplers",
                             "channels");
    if (!json_object_get(root, "animations"))
        json_object_set_new(root, "animations", json_array());
    json_array_append_new(json_object_get(root, "animations"), clip);
    return clip;
}

static Status skinned_write(GltfExport *export, json_t *root)
{
    const JointNodes *joints = &export->skin.nodes;
    json_t *numbers = json_array();
    json_object_set_new(root, "nodes", json_array());
    Status status = mesh_to_json(export, NULL, root);
    /* the mesh, the node of all joints, the joints */
    json_t *nodes = json_object_get(root, "nodes");
    json_array_append_new(
        nodes, json_pack("{s:o, s:i, s:i}", "name", json_text(export->dataset->name), "mesh", 0, "skin", 0));
    json_array_append_new(nodes, json_pack("{s:s}", "name", "joints"));
    for (int j = 0; j < joints->joint_count; j++) {
        const JointKey *rest = &joints->rest[j];
        const char *name = export->rig.joint_names[j];
        const int parent = joints->parented ? joints->parents[j] : -1;
        json_array_append_new(nodes, json_pack("{s:o, s:o, s:o, s:o}", "name", json_text(name ? name : ""),
                                               "translation", numbers_json(rest->translation, 3), "rotation",
                                               numbers_json(rest->rotation, 4), "scale",
                                               numbers_json(rest->scale, 3)));
        json_t *node = json_array_get(nodes, (size_t)(parent < 0 ? NODE_JOINTS : NODE_FIRST_JOINT + parent));
        if (!json_object_get(node, "children"))
            json_object_set_new(node, "children", json_array());
        json_t *above = json_object_get(node, "children");
        json_array_append_new(above, json_integer(NODE_FIRST_JOINT + j));
    }
    for (int j = 0; j < joints->joint_count; j++)
        json_array_append_new(numbers, json_integer(NODE_FIRST_JOINT + j));
    json_object_set_new(root, "skins",
                        json_pack("[{s:i, s:o, s:i}]", "inverseBindMatrices",
                                  gltf_array_write(&export->writer, GLTF_INVERSE_BINDS, joints->inverse_binds,
                                                   joints->joint_count),
                                  "joints", numbers, "skeleton", NODE_JOINTS));
    static const KeyPart parts[] = {
        {"translation", offsetof(JointKey, translation), 3, GLTF_VECTORS},
        {"rotation", offsetof(JointKey, rotation), 4, GLTF_ROTATIONS},
        {"scale", offsetof(JointKey, scale), 3, GLTF_VECTORS},
    };
    for (int c = 0; c < export->clips.count; c++) {
        int times[2] = {-1, -1}; /* of all frames, of the first */
        json_t *clip = clip_append(export, c, root);
        for (int joint = 0; joint < export->skin.nodes.joint_count; joint++)
            for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
                joint_channel_write(export, c, joint, &parts[i], times, clip);
    }
    json_object_set_new(root, "scenes", json_pack("[{s:[i,i]}]", "nodes", NODE_MESH, NODE_JOINTS));
    return status;
}

static Status baked_write(GltfExport *export, json_t *root)
{
    json_auto_t *targets = frame_count(export) > 0 ? json_array() : NULL;
    if (targets) {
        /* what each frame adds to the rest pose, as morph targets */
        const Mesh *mesh = &export->dataset->mesh;
        const ptrdiff_t values = (ptrdiff_t)3 * mesh->vertex_count;
        const int frames = frame_count(export);
        LOCAL_ARRAY(float, positions, values, "a frame");
        for (int f = 0; f < frames; f++) {
            STATUS_TRY(exported_positions(export, f, positions));
            for (ptrdiff_t i = 0; i < values; i++)
                positions[i] = (float)((double)positions[i] - (double)mesh->rest[i]);
            json_array_append_new(targets, json_pack("{s:i}", "POSITION",
                                                     gltf_array_write(&export->writer, GLTF_POSITIONS,
                                                                      positions, mesh->vertex_count)));
            if (!progress_report(export->options->progress, "exporting frames", (f + 1.0) / frames))
                return status_make(STATUS_STOPPED, "stopped after %d of %d frames", f + 1, frames);
        }
        /* frame f has weight 1 for its target and 0 for all others */
        LOCAL_ARRAY(float, weights, frames, "the weights of morph targets");
        for (int c = 0, f = 0; c < export->clips.count; c++) {
            const int keys = clip_frame_count(&export->clips, c), times = times_write(export, c, keys);
            gltf_array_begin(&export->writer, GLTF_NUMBERS);
            for (int k = 0; k < keys; k++, f++) {
                weights[f] = 1.0f;
                gltf_array_add(&export->writer, weights, frames);
                weights[f] = 0.0f;
            }
            channel_append(clip_append(export, c, root), times, gltf_array_end(&export->writer), NODE_MESH,
                           "weights");
        }
    }
    STATUS_TRY(mesh_to_json(export, TAKE(targets), root));
    json_object_set_new(root, "nodes",
                        json_pack("[{s:o, s:i}]", "name", json_text(export->dataset->name), "mesh", 0));
    json_object_set_new(root, "scenes", json_pack("[{s:[i]}]", "nodes", NODE_MESH));
    return status_ok();
}

static void notes_print(const GltfExport *export, bool skinned)
{
    const FormatNotes *notes = export->options->notes;
    const GltfSkin *skin = &export->skin;
    const JointNodes *nodes = &skin->nodes;
    const char *input = export->options->input;
    const double percent = export->diagonal > 0.0 ? 100.0 / export->diagonal : 0.0;
    bool hierarchy = false;
    if (frame_count(export) > 1 && !(export->dataset->fps > 0.0) &&
        export->dataset->clips.frame_count != frame_count(export))
        format_note(notes, "%s: has no frame rate; %d frames per second are used", input, DEFAULT_FPS);
    if (!skinned)
        return;
    for (int j = 0; j < nodes->joint_count; j++)
        hierarchy = hierarchy || nodes->parents[j] >= 0;
    if (hierarchy && !nodes->parented)
        format_note(notes, "%s: joints have shear in their parents, so their nodes have no hierarchy", input);
    if (skin->influence_count > SLOTS)
        format_note(notes, "%s: %d influences are in JOINTS_0 to JOINTS_%d, the heaviest first", input,
                    skin->influence_count, (skin->influence_count - 1) / SLOTS);
    if (export->dataset->animation.frame_count > 0)
        format_note(notes, "%s: its rig is exported, not its animation/positions (--baked)", input);
    if (nodes->sheared_count > 0)
        format_note(notes,
                    "%s: %d of %d joints have shear, which glTF and engines cannot store: `fit --for-engine` "
                    "(`--set transforms=rigid`) makes none, --baked keeps all",
                    input, nodes->sheared_count, nodes->joint_count);
    format_note(
        notes,
        "%s: vertices are within %.3g (%.3g %% of the diagonal) of the rig's linear blend, %.3g (%.3g %%) "
        "root mean square",
        input, skin->loss_greatest, percent * skin->loss_greatest, skin->loss_rms, percent * skin->loss_rms);
}

static void gltf_export_clear(GltfExport *export)
{
    gltf_writer_close(&export->writer);
    gltf_skin_clear(&export->skin);
    clips_clear(&export->clips);
    memory_free(export->joined);
    atomic_path_discard(&export->path);
    dataset_reader_close(export->reader);
}

static Status scene_export(const ExportOptions *options, bool binary)
{
    CLEANUP(gltf_export_clear) GltfExport export = {.options = options};
    json_auto_t *root = NULL;
    STATUS_TRY(dataset_reader_open(options->input, options->progress, &export.reader, &export.dataset));
    STATUS_TRY(dataset_reader_restore_order(export.reader));
    const Dataset *dataset = export.dataset;
    const bool skinned = dataset->rig.joint_count > 0 && !options->baked;
    export.rig = dataset->rig;
    export.diagonal = bounds_of(dataset->mesh.rest, dataset->mesh.vertex_count).diagonal;
    const char *input = export.options->input;
    if (dataset->mesh.vertex_count == 0)
        return status_make(STATUS_BAD_INPUT, "%s: has no vertices to export", input);
    if (skinned && dataset->low_rank.rank > 0)
        return status_make(STATUS_BAD_INPUT,
                           "%s: corrects its rest pose in every frame, which a glTF skin cannot do; --baked "
                           "writes positions instead of a skin",
                           input);
    if (skinned && dataset->rig.joint_count > UINT16_MAX + 1)
        return status_make(STATUS_BAD_INPUT, "%s: has %d joints, but a glTF skin has at most %d; --baked",
                           input, dataset->rig.joint_count, UINT16_MAX + 1);
    STATUS_TRY(clips_choose(&export));
    STATUS_TRY(atomic_path_start(options->output, OUTPUT_FILE, &export.path));
    if (export.rig.scale) {
        /* scale and motion in one: what glTF blends is linear */
        Rig *rig = &export.rig;
        const size_t joints = (size_t)rig->joint_count;
        LOCAL_TABLE(Transform, workspace, 2, joints, "the joints");
        ALLOCATE_TABLE(export.joined, rig->frame_count, joints, "the joints");
        for (int f = 0; f < rig->frame_count; f++) {
            const ptrdiff_t first = (ptrdiff_t)f * rig->joint_count;
            const Status status = two_phase_split(rig, rig->transforms + first, rig->scale + first, workspace,
                                                  export.joined + first, workspace + joints);
            STATUS_TRY(status.code == STATUS_BAD_INPUT ? status_in(export.options->input, status) : status);
            two_phase_join(rig->joint_count, workspace, export.joined + first);
        }
        rig->transforms = export.joined;
        rig->scale = NULL;
    }
    if (skinned)
        STATUS_TRY(
            gltf_skin_init(&dataset->mesh, &export.rig, options->input, options->progress, &export.skin));
    STATUS_TRY(gltf_writer_open(&export.path, &export.writer));
    const double grey = export.options->colors ? 1.0 : 0.8;
    json_t *asset =
        json_pack("{s:s, s:s, s:{s:o, s:o}}", "version", "2.0", "generator", "skinbench", "extras", "title",
                  json_text(dataset->title), "source", json_text(dataset->source));
    if (dataset->license[0])
        json_object_set_new(asset, "copyright", json_text(dataset->license));
    root = json_pack("{s:o, s:i, s:[{s:s, s:{s:[f,f,f,f], s:f, s:f}, s:b}]}", "asset", asset, "scene", 0,
                     "materials", "name", "surface", "pbrMetallicRoughness", "baseColorFactor", grey, grey,
                     grey, 1.0, "metallicFactor", 0.0, "roughnessFactor", 0.8, "doubleSided", 1);
    STATUS_TRY(skinned ? skinned_write(&export, root) : baked_write(&export, root));
    STATUS_TRY(gltf_writer_finish(&export.writer, TAKE(root), binary));
    STATUS_TRY(atomic_path_commit_file(&export.path));
    notes_print(&export, skinned);
    return status_ok();
}

Status gltf_export(const ExportOptions *options)
{
    return scene_export(options, false);
}

Status glb_export(const ExportOptions *options)
{
    return scene_export(options, true);
}
