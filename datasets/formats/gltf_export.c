/* Exports a data set as glTF 2.0: its mesh, and either its rig as a skin or its frames as morph targets
 * that are shown one after another. The clips are those of the imported file. If the data set has no clips,
 * one clip contains all frames. */
#include "datasets/formats/gltf_export.h"

#include "datasets/formats/formats.h"
#include "datasets/io/json_file.h"
#include "datasets/model/evaluate.h"
#include "datasets/model/two_phase.h"

enum {
    NODE_MESH,
    NODE_JOINTS
}; /* indices of the first nodes of a file with a skin; the nodes of the joints follow */

/* ---- frames and clips ---- */

static int frame_count(const GltfExport *export)
{
    const Dataset *dataset = export->dataset;
    return dataset->animation.frame_count > 0 ? dataset->animation.frame_count
           : export->rig.joint_count > 0      ? export->rig.frame_count
                                              : dataset->low_rank.row_count / 3;
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
            normal = vec3_make(0.0, 1.0, 0.0); /* a vertex without triangles gets an arbitrary unit vector */
        const float values[3] = {(float)normal.x, (float)normal.y, (float)normal.z};
        gltf_array_add(&export->writer, values, 1);
    }
    json_object_set_new(attributes, "NORMAL", json_integer(gltf_array_end(&export->writer)));
    return status_ok();
}

/* Writes the vertex indices. Vertex 65535 needs indices of four bytes, because the largest number of a
 * component type means "primitive restart". */
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

/* Adds the mesh to the JSON. Takes ownership of the morph targets. A mesh with a skin has none (NULL). */
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
    /* Write no normals if there are morph targets, because the normals of the rest pose would be wrong in
     * other frames. Readers compute the normals of a mesh that has none. */
    if (mesh->triangle_count > 0 && !targets)
        status = normals_write(export, attributes);
    gltf_attributes_write(export, 0, mesh->vertex_count, attributes);
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

/* ---- the file ---- */

static Status skinned_write(GltfExport *export, json_t *root)
{
    STATUS_TRY(mesh_to_json(export, NULL, root));
    json_object_set_new(root, "nodes",
                        json_pack("[{s:o, s:i, s:i}, {s:s}]", "name", json_text(export->dataset->name),
                                  "mesh", 0, "skin", 0, "name", "joints"));
    gltf_joints_write(export, NODE_JOINTS, root);
    json_t *skin = gltf_skin_to_json(export, export->skin.nodes.inverse_binds);
    json_object_set_new(skin, "skeleton", json_integer(NODE_JOINTS));
    json_object_set_new(root, "skins", json_pack("[o]", skin));
    json_object_set_new(root, "scenes", json_pack("[{s:[i,i]}]", "nodes", NODE_MESH, NODE_JOINTS));
    return status_ok();
}

static Status baked_write(GltfExport *export, json_t *root)
{
    json_auto_t *targets = frame_count(export) > 0 ? json_array() : NULL;
    if (targets) {
        /* one morph target per frame: its displacements from the rest pose */
        const Dataset *dataset = export->dataset;
        const Mesh *mesh = &dataset->mesh;
        const ptrdiff_t values = (ptrdiff_t)3 * mesh->vertex_count;
        const int frames = frame_count(export);
        LOCAL_ARRAY(float, positions, values, "a frame");
        for (int f = 0; f < frames; f++) {
            if (dataset->animation.frame_count > 0)
                STATUS_TRY(dataset_read_frames(export->reader, f, 1, positions));
            for (int v = 0; dataset->animation.frame_count == 0 && v < mesh->vertex_count; v++)
                point_set(positions, v, model_point(mesh, &export->rig, &dataset->low_rank, f, v));
            for (ptrdiff_t i = 0; i < values; i++)
                positions[i] = (float)((double)positions[i] - (double)mesh->rest[i]);
            json_array_append_new(targets, json_pack("{s:i}", "POSITION",
                                                     gltf_array_write(&export->writer, GLTF_POSITIONS,
                                                                      positions, mesh->vertex_count)));
            if (!progress_report(export->options->progress, "exporting frames", (f + 1.0) / frames))
                return status_make(STATUS_STOPPED, "stopped after %d of %d frames", f + 1, frames);
        }
        /* in frame f, target f has the weight 1 and all other targets have 0 */
        LOCAL_ARRAY(float, weights, frames, "the weights of morph targets");
        for (int c = 0, f = 0; c < export->clips.count; c++) {
            const int keys = clip_frame_count(&export->clips, c), times = gltf_times_write(export, c, keys);
            gltf_array_begin(&export->writer, GLTF_NUMBERS);
            for (int k = 0; k < keys; k++, f++) {
                weights[f] = 1.0f;
                gltf_array_add(&export->writer, weights, frames);
                weights[f] = 0.0f;
            }
            gltf_channel_append(gltf_clip_open(export, c, root), times, gltf_array_end(&export->writer),
                                NODE_MESH, "weights");
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
        format_note(notes, "%s: has no frame rate; %d frames per second are used", input, GLTF_DEFAULT_FPS);
    if (!skinned)
        return;
    for (int j = 0; j < nodes->joint_count; j++)
        hierarchy = hierarchy || nodes->parents[j] >= 0;
    if (hierarchy && !nodes->parented)
        format_note(notes,
                    "%s: joints are sheared relative to their parents, so their nodes have no hierarchy",
                    input);
    if (skin->influence_count > GLTF_SLOTS)
        format_note(notes, "%s: %d influences are in JOINTS_0 to JOINTS_%d, with the largest weights first",
                    input, skin->influence_count, (skin->influence_count - 1) / GLTF_SLOTS);
    if (export->dataset->animation.frame_count > 0)
        format_note(notes, "%s: its rig is exported, not its animation/positions (--baked exports positions)",
                    input);
    if (nodes->sheared_count > 0)
        format_note(notes,
                    "%s: %d of %d joints have shear, which glTF and engines cannot store: `fit --for-engine` "
                    "(`--set transforms=rigid`) makes none, --baked keeps all",
                    input, nodes->sheared_count, nodes->joint_count);
    format_note(notes,
                "%s: vertices are within %.3g (%.3g %% of the diagonal) of the rig's linear blend, "
                "with a root mean square distance of %.3g (%.3g %%)",
                input, skin->loss_max, percent * skin->loss_max, skin->loss_rms, percent * skin->loss_rms);
}

static void gltf_export_clear(GltfExport *export)
{
    gltf_writer_close(&export->writer);
    gltf_skin_clear(&export->skin);
    clips_clear(&export->clips);
    FREE_ALL(export->joined, export->joint_nodes);
    gltf_source_free(export->source);
    atomic_path_discard(&export->path);
    dataset_reader_close(export->reader);
}

/* Builds a complete file: the description of the data set, one material, the mesh, and its animation. */
static Status whole_write(GltfExport *export, bool skinned, json_t **root)
{
    const Dataset *dataset = export->dataset;
    const double grey = export->options->colors ? 1.0 : 0.8;
    json_t *asset =
        json_pack("{s:s, s:s, s:{s:o, s:o}}", "version", "2.0", "generator", "skinbench", "extras", "title",
                  json_text(dataset->title), "source", json_text(dataset->source));
    if (dataset->license[0])
        json_object_set_new(asset, "copyright", json_text(dataset->license));
    *root = json_pack("{s:o, s:i, s:[{s:s, s:{s:[f,f,f,f], s:f, s:f}, s:b}]}", "asset", asset, "scene", 0,
                      "materials", "name", "surface", "pbrMetallicRoughness", "baseColorFactor", grey, grey,
                      grey, 1.0, "metallicFactor", 0.0, "roughnessFactor", 0.8, "doubleSided", 1);
    return skinned ? skinned_write(export, *root) : baked_write(export, *root);
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
        return bad_input("%s: has no vertices to export", input);
    if (options->into && !skinned)
        return bad_input("%s: has no rig to put into %s: see `skinbench fit`", input, options->into);
    if (skinned && dataset->low_rank.rank > 0)
        return bad_input("%s: corrects its rest pose in every frame, which a glTF skin cannot do; --baked "
                         "writes positions instead of a skin",
                         input);
    if (skinned && dataset->rig.joint_count > UINT16_MAX + 1)
        return bad_input(
            "%s: has %d joints, but a glTF skin has at most %d; --baked exports positions instead", input,
            dataset->rig.joint_count, UINT16_MAX + 1);
    STATUS_TRY(gltf_clips_choose(&export, frame_count(&export)));
    STATUS_TRY(atomic_path_start(options->output, OUTPUT_FILE, &export.path));
    if (export.rig.scale) {
        /* multiply the scale into the transforms, because glTF has only linear blend skinning */
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
    ALLOCATE(export.joint_nodes, export.rig.joint_count, "the joints");
    for (int j = 0; j < export.rig.joint_count; j++)
        export.joint_nodes[j] = -1;
    if (options->into)
        STATUS_TRY(gltf_source_open(&export));
    if (skinned)
        STATUS_TRY(
            gltf_skin_init(&dataset->mesh, &export.rig, options->input, options->progress, &export.skin));
    STATUS_TRY(gltf_writer_open(&export.path, &export.writer));
    if (options->into)
        STATUS_TRY(gltf_source_write(&export, &root));
    else
        STATUS_TRY(whole_write(&export, skinned, &root));
    STATUS_TRY(gltf_writer_finish(&export.writer, TAKE(root), binary));
    STATUS_TRY(atomic_path_commit(&export.path));
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
