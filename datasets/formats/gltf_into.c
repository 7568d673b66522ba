/* Replaces the skin in the glTF file that the mesh came from. Changes the weights, the joints that move
 * differently, and the rest pose if it differs. Everything else keeps its content and its index. */
#include "datasets/formats/gltf_export.h"

#include "datasets/formats/gltf_draco.h"
#include "datasets/formats/gltf_mesh.h"
#include "datasets/formats/gltf_meshopt.h"
#include "datasets/formats/gltf_read.h"
#include "datasets/formats/scene_dataset.h"
#include "datasets/formats/scene_pose.h"
#include "datasets/geometry/points.h"
#include "datasets/io/json_file.h"
#include "datasets/model/check.h"

typedef struct GltfSource {
    GltfFile file;
    Scene scene;
    SceneRig joints;
    Mesh mesh;    /* the mesh in the rest pose, without the scale of the import */
    double scale; /* scale that the import multiplied into the rest pose */
    bool moved;   /* whether the rest pose differs from the file's, or morph targets no longer change it */
    bool morphs;  /* whether a clip of the file animates morph targets; the rig replaces this animation */
    int32_t *matches;    /* [P] for each joint of the rig, the equal joint of the source file, or -1 */
    int32_t *animations; /* [clips] for each clip, the animation of the same name in the source file, or -1 */
    Transform *rest;     /* [P] binds */
} GltfSource;

/* Returns the larger number. fmax is avoided because gcc 12 crashes on loops with fmax on aarch64. */
static double greater(double a, double b)
{
    return a > b ? a : b;
}

/* Returns the transformation that first scales uniformly and then applies T. */
static Transform scaled_first(Transform t, double scale)
{
    return transform_moved_to(transform_scale(t, scale), transform_translation(t));
}

/* Whether `joint` is the name that an import gives to a joint at the node called `node`. If a node has two
 * joints, the name of the second joint ends in the name of its skin in parentheses. */
static bool name_is_of(const char *joint, const char *node)
{
    char name[CHECK_NAME_BYTES_MAX + 1];
    const size_t length = text_escape(name, sizeof name, node);
    return joint && strncmp(joint, name, length) == 0 &&
           (joint[length] == '\0' || strncmp(joint + length, " (", 2) == 0);
}

/* Whether two transformations map all points within `extent` of the origin to the same positions, with a
 * tolerance relative to `size`. */
static bool moves_alike(const Transform *a, const Transform *b, double extent, double size)
{
    const double CLOSE = 1e-4;
    const double *x = &a->m00, *y = &b->m00;
    double apart = 0.0;
    for (int i = 0; i < 12; i++)
        apart = greater(apart, fabs(x[i] - y[i]) * (i % 4 == 3 ? 1.0 : extent));
    return apart <= CLOSE * size;
}

/* Finds the joints of the rig that also exist in the file, with the same name and the same place in every
 * frame. */
static Status joints_match(GltfExport *export, GltfSource *source)
{
    const Scene *scene = &source->scene;
    const Dataset *dataset = export->dataset;
    const Rig *rig = &export->rig;
    const Clips *clips = &export->clips;
    const bool known = dataset->clips.count > 0 && dataset->clips.frame_count == rig->frame_count;
    double extent = 0.0;
    int matched = 0;
    LOCAL_ARRAY(unsigned char, taken, source->joints.joint_count, "the joints");
    LOCAL_ARRAY(SceneLocal, locals, scene->node_count, "the joints");
    LOCAL_ARRAY(Transform, globals, scene->node_count, "the joints");
    ALLOCATE(source->matches, rig->joint_count, "the joints");
    ALLOCATE(source->animations, clips->count, "the clips");
    ALLOCATE(source->rest, rig->joint_count, "the joints");
    for (ptrdiff_t i = 0; i < 3 * (ptrdiff_t)dataset->mesh.vertex_count; i++)
        extent = greater(extent, fabs((double)dataset->mesh.rest[i]));
    for (int j = 0; j < rig->joint_count; j++) {
        source->matches[j] = -1;
        for (int k = 0; k < source->joints.joint_count && source->matches[j] < 0; k++)
            if (!taken[k] &&
                name_is_of(rig->joint_names[j], scene->nodes[source->joints.joints[k].node].name)) {
                source->matches[j] = k;
                taken[k] = 1;
            }
    }
    for (int c = 0, next = 0; c < clips->count; c++) {
        source->animations[c] = -1;
        for (int i = next; i < scene->clip_count && source->animations[c] < 0; i++)
            if (known && name_is_of(clips->names[c], scene->clips[i].name))
                source->animations[c] = i;
        next = source->animations[c] >= 0 ? source->animations[c] + 1 : next;
        for (int f = clips->first[c]; f < clips->first[c] + clip_frame_count(clips, c); f++) {
            const int clip = source->animations[c];
            scene_pose(scene, clip >= 0 ? &scene->clips[clip] : NULL, clips->times_s[f], locals, globals);
            for (int j = 0; j < rig->joint_count; j++) {
                const SceneJoint *joint =
                    &source->joints.joints[source->matches[j] < 0 ? 0 : source->matches[j]];
                if (source->matches[j] < 0)
                    continue;
                const Transform there = transform_product(globals[joint->node], joint->inverse_bind);
                const Transform here =
                    scaled_first(rig->transforms[(ptrdiff_t)f * rig->joint_count + j], source->scale);
                if (!moves_alike(&there, &here, extent / source->scale, extent))
                    source->matches[j] = -1;
            }
        }
    }
    LOCAL_ARRAY(unsigned char, joined, scene->node_count, "the joints");
    for (int j = 0; j < rig->joint_count; j++) {
        Transform bind;
        const int match = source->matches[j];
        source->rest[j] = rig->rest[j];
        if (match < 0)
            continue;
        matched++;
        const int node = source->joints.joints[match].node;
        if (!joined[node]++) /* at most one joint per node, since a skin lists a node only once */
            export->joint_nodes[j] = node;
        if (transform_inverse(source->joints.joints[match].inverse_bind, &bind))
            source->rest[j] = transform_scale(bind, source->scale);
    }
    format_note(export->options->notes, "%s: %d of %d joints are nodes of %s%s", export->options->input,
                matched, rig->joint_count, export->options->into,
                matched < rig->joint_count ? ", the other joints become new nodes" : "");
    if (!known && rig->frame_count == 1)
        clips_clear(&export->clips); /* nothing moves */
    return status_ok();
}

Status gltf_source_open(GltfExport *export)
{
    ALLOCATE(export->source, 1, "the source");
    GltfSource *source = export->source;
    STATUS_TRY(gltf_file_open(export->options->into, &source->file));
    STATUS_TRY(gltf_meshopt_unpack(&source->file));
    STATUS_TRY(gltf_draco_unpack(&source->file));
    STATUS_TRY(gltf_scene_read(&source->file, NULL, &source->scene));
    STATUS_TRY(scene_rig_init(&source->scene, NULL, &source->joints));
    STATUS_TRY(scene_mesh_make(&source->scene, &source->joints, &source->mesh));
    for (int i = 0; i < source->scene.clip_count; i++)
        for (int k = 0; k < source->scene.clips[i].channel_count; k++)
            source->morphs = source->morphs || source->scene.clips[i].channels[k].path == SCENE_WEIGHTS;
    /* the mesh must equal the file's mesh, except for a scale factor */
    const Mesh *mesh = &export->dataset->mesh, *other = &source->mesh;
    const char *input = export->options->input, *into = export->options->into;
    const double SAME = 0.01, MOVED = 1e-5;
    double product = 0.0, square = 0.0, apart = 0.0;
    if (mesh->vertex_count != other->vertex_count || mesh->triangle_count != other->triangle_count)
        return bad_input("%s: has %d vertices and %d triangles, but %s has %d and %d; --into accepts only "
                         "a rig for the mesh of its file",
                         input, mesh->vertex_count, mesh->triangle_count, into, other->vertex_count,
                         other->triangle_count);
    for (ptrdiff_t c = 0; c < 3 * (ptrdiff_t)mesh->triangle_count; c++)
        if (mesh->triangles[c] != other->triangles[c])
            return bad_input("%s: triangle %lld has vertex %d where %s has %d; --into accepts only a rig for "
                             "the mesh of its file",
                             input, (long long)(c / 3), mesh->triangles[c], into, other->triangles[c]);
    const ptrdiff_t values = 3 * (ptrdiff_t)mesh->vertex_count;
    for (ptrdiff_t i = 0; i < values; i++) {
        product += (double)mesh->rest[i] * (double)other->rest[i];
        square += (double)other->rest[i] * (double)other->rest[i];
    }
    source->scale = product > 0.0 && fabs(product / square - 1.0) > SAME ? product / square : 1.0;
    for (ptrdiff_t i = 0; i < values; i++)
        apart = greater(apart, fabs((double)mesh->rest[i] - source->scale * (double)other->rest[i]));
    source->moved = source->morphs || apart > MOVED * export->diagonal;
    if (apart > MOVED * export->diagonal)
        format_note(
            export->options->notes,
            "%s: its rest pose is up to %.3g %% of the diagonal away from that of %s, whose normals are kept",
            input, 100.0 * apart / export->diagonal, into);
    STATUS_TRY(joints_match(export, source));
    export->rig.rest = source->rest;
    export->animations = source->animations;
    return status_ok();
}

void gltf_source_free(GltfSource *source)
{
    if (!source)
        return;
    gltf_file_close(&source->file);
    scene_clear(&source->scene);
    scene_rig_clear(&source->joints);
    mesh_clear(&source->mesh);
    FREE_ALL(source->matches, source->animations, source->rest, source);
}

/* Whether all vertices of a mesh without a skin still follow only the mesh's node. */
static bool stays_rigid(const GltfExport *export, int instance, int first_vertex, int vertices)
{
    const GltfSkin *skin = &export->skin;
    bool stays = export->source->scene.instances[instance].skin < 0 && !export->source->moved;
    for (ptrdiff_t v = first_vertex; v < first_vertex + vertices && stays; v++) {
        const ptrdiff_t slot = v * skin->influence_count;
        stays = skin->weight_values[slot] == 1.0f && export->source->matches[skin->weight_joints[slot]] ==
                                                         export->source->joints.instance_joints[instance];
    }
    return stays;
}

/* Replaces the vertex attributes that a skin or a new rest pose changes, in all primitives of a mesh.
 * `back` maps the rest pose to the space of the mesh. */
static Status primitives_write(GltfExport *export, int mesh, json_t *object, Transform back, int first_vertex)
{
    GltfSource *source = export->source;
    GltfReading reading = {.file = source->file, .scene = &source->scene};
    OWNED GltfPrimitive *primitives = NULL;
    int count = 0;
    STATUS_TRY(gltf_primitives_open(&reading, mesh, &primitives, &count));
    json_auto_t *list = json_array(), *written = json_array(); /* new attributes of each primitive */
    for (int p = 0; p < count; p++) {
        const GltfPrimitive *from = &primitives[p];
        json_t *primitive = json_copy(from->object);
        json_array_append_new(list, primitive);
        if (from->mode < GLTF_TRIANGLES)
            return gltf_failure(&source->file, from->place.text,
                                "has lines or points, which a rig of skinbench cannot move");
        if (source->moved)
            json_object_del(primitive, "targets");
        json_t *attributes = json_copy(from->attributes), *changed = json_object();
        json_object_set_new(primitive, "attributes", attributes);
        for (int set = 0; set < from->set_count; set++) {
            json_object_del(attributes, gltf_place("JOINTS_%d", set).text);
            json_object_del(attributes, gltf_place("WEIGHTS_%d", set).text);
        }
        json_array_append_new(written, changed);
        if (from->twin >= 0) {
            json_object_update(attributes, json_array_get(written, (size_t)from->twin));
            continue;
        }
        const int first = first_vertex + from->first_vertex;
        if (source->moved) {
            gltf_array_begin(&export->writer, GLTF_POSITIONS);
            for (int v = first; v < first + from->vertex_count; v++) {
                float point[3];
                point_set(point, 0, transform_point(back, point_at(export->dataset->mesh.rest, v)));
                gltf_array_add(&export->writer, point, 1);
            }
            json_object_set_new(changed, "POSITION", json_integer(gltf_array_end(&export->writer)));
        }
        gltf_attributes_write(export, first, from->vertex_count, changed);
        json_object_update(attributes, changed);
    }
    json_object_set(object, "primitives", list);
    if (source->moved)
        json_object_del(object, "weights");
    return status_ok();
}

/* Makes a skin with all joints for an instance. `place` maps the space of the instance to the rest pose. */
static Status skin_write(GltfExport *export, Transform place, json_t **out)
{
    const GltfSource *source = export->source;
    const JointNodes *nodes = &export->skin.nodes;
    LOCAL_TABLE(float, columns, nodes->joint_count, 16, "joints");
    for (int j = 0; j < nodes->joint_count; j++) {
        Transform bind = place, back;
        if (source->matches[j] >= 0)
            bind = transform_product(source->joints.joints[source->matches[j]].inverse_bind, place);
        else if (transform_inverse(nodes->binds[j], &back))
            bind = transform_product(scaled_first(back, source->scale), place);
        for (int i = 0; i < 12; i++)
            columns[16 * (ptrdiff_t)j + 4 * (i % 4) + i / 4] = (float)(&bind.m00)[i];
        columns[16 * (ptrdiff_t)j + 15] = 1.0f;
    }
    *out = gltf_skin_to_json(export, columns);
    return status_ok();
}

/* Removes the channels that animate morph targets. */
static void morphs_drop(json_t *root)
{
    json_t *clip = NULL;
    size_t i = 0;
    json_array_foreach(json_object_get(root, "animations"), i, clip)
    {
        json_t *channels = json_object_get(clip, "channels");
        for (size_t c = json_array_size(channels); c-- > 0;) {
            const char *path = gltf_text(json_object_get(json_array_get(channels, c), "target"), "path");
            if (path && strcmp(path, "weights") == 0)
                json_array_remove(channels, c);
        }
    }
}

/* Removes a name from a list of extensions, and removes the list if it becomes empty. */
static void extension_drop(json_t *root, const char *list, const char *name)
{
    json_t *names = json_object_get(root, list);
    for (size_t i = json_array_size(names); i-- > 0;) {
        const char *other = json_string_value(json_array_get(names, i));
        if (other && strcmp(other, name) == 0)
            json_array_remove(names, i);
    }
    if (names && json_array_size(names) == 0)
        json_object_del(root, list);
}

/* Appends the joints that the file lacks. If the parent of such a joint is not in the file either, the
 * joint becomes a child of a new root in the file's scene. */
static Status joints_append(GltfExport *export, json_t *root)
{
    const GltfFile *file = &export->source->file;
    const JointNodes *joints = &export->skin.nodes;
    json_t *nodes = json_object_get(root, "nodes"), *scenes = json_object_get(root, "scenes");
    int64_t shown = 0;
    bool rootless = false;
    /* If several skins bind a node differently, the rig has several joints for this node. The first joint
     * becomes the node itself; each other joint becomes a child node that does not move relative to it. */
    for (int j = 0; j < joints->joint_count; j++) {
        const int match = export->source->matches[j];
        if (match < 0 || export->joint_nodes[j] >= 0)
            continue;
        export->joint_nodes[j] = (int32_t)json_array_size(nodes);
        json_array_append_new(nodes, json_pack("{s:o}", "name", json_text(export->rig.joint_names[j])));
        gltf_node_adopt(nodes, export->source->joints.joints[match].node, export->joint_nodes[j]);
    }
    for (int j = 0; j < joints->joint_count; j++)
        rootless = rootless || (export->joint_nodes[j] < 0 && !(joints->parented && joints->parents[j] >= 0));
    const size_t above = json_array_size(nodes);
    STATUS_TRY(gltf_integer(file, root, "the file", "scene", 0, INT_MAX, &shown));
    if (rootless) {
        json_array_append_new(nodes, json_pack("{s:s}", "name", "joints"));
        json_array_append_new(json_object_get(json_array_get(scenes, (size_t)shown), "nodes"),
                              json_integer((json_int_t)above));
    }
    gltf_joints_write(export, (int)above, root);
    return status_ok();
}

Status gltf_source_write(GltfExport *export, json_t **out)
{
    static const char *const lists[] = {"extensionsUsed", "extensionsRequired"};
    GltfSource *source = export->source;
    const Scene *scene = &source->scene;
    json_t *from = json_object_get(source->file.root, "meshes");
    LOCAL_ARRAY(int32_t, uses, scene->mesh_count, "the meshes");
    LOCAL_ARRAY(unsigned char, done, scene->skin_count, "the skins");
    LOCAL_ARRAY(int32_t, others, scene->skin_count, "the skins"); /* uses by nodes that are not imported */
    json_t *root = *out = json_copy(source->file.root), *meshes = json_copy(from);
    json_t *nodes = json_object_get(root, "nodes"), *skins = json_object_get(root, "skins");
    json_object_set_new(root, "meshes", meshes); /* the old list `from` is still read below */
    STATUS_TRY(gltf_writer_copy(&export->writer, &source->file));
    for (int i = 0; i < 2; i++) {
        extension_drop(root, lists[i], "EXT_meshopt_compression");
        extension_drop(root, lists[i], "KHR_draco_mesh_compression");
    }
    if (source->morphs)
        morphs_drop(root);
    STATUS_TRY(joints_append(export, root));
    if (!skins)
        json_object_set_new(root, "skins", skins = json_array());
    for (int i = 0; i < scene->node_count; i++) {
        const json_t *mesh = json_object_get(json_array_get(nodes, (size_t)i), "mesh");
        if (mesh && (size_t)json_integer_value(mesh) < (size_t)scene->mesh_count)
            uses[json_integer_value(mesh)]++;
        const json_t *skin = json_object_get(json_array_get(nodes, (size_t)i), "skin");
        if (skin && (size_t)json_integer_value(skin) < (size_t)scene->skin_count)
            others[json_integer_value(skin)]++;
    }
    for (int i = 0; i < scene->instance_count; i++)
        if (scene->instances[i].skin >= 0)
            others[scene->instances[i].skin]--;
    for (int i = 0, first = 0; i < scene->instance_count; i++) {
        const SceneInstance *instance = &scene->instances[i];
        const int vertices = scene->meshes[instance->mesh].vertex_count, start = first;
        const Transform place = source->joints.placements[i];
        Transform back;
        first += vertices;
        if (stays_rigid(export, i, start, vertices))
            continue;
        if (!transform_inverse(place, &back))
            return gltf_failure(&source->file, gltf_place("nodes[%d]", instance->node).text,
                                "is bound by a matrix without an inverse");
        /* the node's mesh, or a copy of it if other nodes also use it */
        json_t *node = json_array_get(nodes, (size_t)instance->node);
        json_t *mesh = json_copy(json_array_get(from, (size_t)instance->mesh));
        if (uses[instance->mesh]-- == 1) {
            json_array_set_new(meshes, (size_t)instance->mesh, mesh);
        } else {
            json_object_set_new(node, "mesh", json_integer((json_int_t)json_array_size(meshes)));
            json_array_append_new(meshes, mesh);
        }
        STATUS_TRY(
            primitives_write(export, instance->mesh, mesh, scaled_first(back, 1.0 / source->scale), start));
        if (source->moved)
            json_object_del(node, "weights");
        /* the node's skin: the old one, updated once for all nodes that use it, or a new one. Nodes that are
         * not imported, such as lines, keep the old one. */
        const bool updated = instance->skin >= 0 && others[instance->skin] == 0;
        if (updated && done[instance->skin])
            continue;
        json_t *skin = NULL;
        STATUS_TRY(skin_write(export, place, &skin));
        if (updated) {
            json_t *old = json_array_get(skins, (size_t)instance->skin);
            json_object_del(
                old, "skeleton"); /* drop the old skeleton root, which may not be an ancestor of all joints */
            json_object_update(old, skin);
            json_decref(skin);
            done[instance->skin] = 1;
        } else {
            json_object_set_new(node, "skin", json_integer((json_int_t)json_array_size(skins)));
            json_array_append_new(skins, skin);
        }
    }
    if (json_array_size(skins) == 0)
        json_object_del(root, "skins");
    json_t *image = NULL;
    size_t i = 0;
    json_array_foreach(json_object_get(root, "images"), i, image)
    {
        const char *uri = gltf_text(image, "uri");
        if (!uri || strncmp(uri, "data:", 5) == 0)
            continue;
        format_note(export->options->notes, "its images remain separate files, such as '%s', beside %s", uri,
                    export->options->output);
        break;
    }
    return status_ok();
}
