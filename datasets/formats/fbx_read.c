/* Builds a scene from an FBX file: first models, meshes, skins and morph targets, then clips. fbx_pose.h
 * explains the transformations. */

#include "datasets/formats/fbx_objects.h"
#include "datasets/formats/fbx_pose.h"
#include "datasets/geometry/points.h"
#include "datasets/geometry/turn.h"

/* ---- models ---- */

/* Returns the rotation by three angles in degrees, applied in the order XYZ, followed by a translation to
 * `place`. */
static Transform turned_and_moved(const double degrees[3], Vec3 place)
{
    return transform_rigid(fbx_rotation(degrees, 0), place);
}

static Status model_read(FbxReading *reading, int object, SceneNode *node, SceneEuler *euler)
{
    double places[PLACES][3];
    memcpy(places, reading->defaults, sizeof places);
    fbx_places_read(&reading->tree, reading->objects[object].node, places);
    /* without an active rotation space, the angles are in the order XYZ and there are no further rotations */
    if (places[PLACE_ROTATION_ACTIVE][0] == 0.0 || places[PLACE_LIMITS_ONLY][0] != 0.0)
        for (int i = 0; i < 3; i++)
            places[PLACE_ORDER][i] = places[PLACE_PRE_ROTATION][i] = places[PLACE_POST_ROTATION][i] = 0.0;
    const double order = places[PLACE_ORDER][0], inherit = places[PLACE_INHERIT][0];
    if (!(order >= 0.0 && order < 6.0))
        return fbx_refusal(reading, object, "has a spheric or unknown rotation order, which is not read");
    if (!(inherit >= 0.0 && inherit < 3.0))
        return fbx_refusal(reading, object, "has an unknown InheritType");
    const Vec3 pivot = vector_at(places[PLACE_ROTATION_PIVOT], 0),
               scaling_pivot = vector_at(places[PLACE_SCALING_PIVOT], 0);
    Transform back = turned_and_moved(places[PLACE_POST_ROTATION], vec3_make(0.0, 0.0, 0.0));
    (void)transform_inverse(back, &back); /* cannot fail, since the matrix is a rotation */
    memcpy(euler->parts, places, sizeof euler->parts);
    euler->order = (int)order;
    euler->inherit = (int)inherit;
    euler->before = turned_and_moved(places[PLACE_PRE_ROTATION],
                                     vec3_add(vector_at(places[PLACE_ROTATION_OFFSET], 0), pivot));
    euler->between = transform_product(
        back, transform_translate(
                  vec3_add(vec3_sub(vector_at(places[PLACE_SCALING_OFFSET], 0), pivot), scaling_pivot)));
    euler->after = transform_translate(vec3_scale(scaling_pivot, -1.0));
    /* scene_check tests only this matrix, so it is a product that contains every number of the placement */
    node->parent = -1;
    node->has_matrix = true;
    node->matrix = transform_product(euler->before, transform_product(euler->between, euler->after));
    for (int i = 0; i < 9; i++)
        (&node->matrix.m00)[i] += euler->parts[i / 3][i % 3];
    return fbx_name_copy(reading, object, &node->name);
}

/* Reads the models and adds a node to the scene for each. */
static Status models_read(FbxReading *reading)
{
    Scene *scene = reading->scene;
    ALLOCATE(scene->nodes, reading->object_count, "the nodes");
    ALLOCATE(scene->eulers, reading->object_count, "the nodes");
    for (int i = 0; i < reading->object_count; i++) {
        const int number = scene->node_count;
        if (reading->objects[i].kind != FBX_MODEL)
            continue;
        reading->objects[i].number = scene->node_count++;
        STATUS_TRY(model_read(reading, i, &scene->nodes[number], &scene->eulers[number]));
    }
    for (int i = 0; i < reading->object_count; i++)
        for (int l = reading->objects[i].links;
             reading->objects[i].kind == FBX_MODEL && fbx_link_from(reading, i, FBX_MODEL, &l); l++) {
            SceneNode *node = &scene->nodes[reading->objects[reading->links[l].from].number];
            if (!fbx_text_is(&reading->tree, reading->links[l].node, 0, "OO"))
                continue;
            if (node->parent >= 0 && node->parent != reading->objects[i].number)
                return fbx_refusal(reading, reading->links[l].from, "has several parents");
            node->parent = reading->objects[i].number;
        }
    return status_ok();
}

/* ---- meshes ---- */

/* Reads a 4 x 4 matrix, stored column by column. */
static Status matrix_read(FbxReading *reading, int object, const char *name, Transform *out)
{
    OWNED double *numbers = NULL;
    int count = 0;
    STATUS_TRY(fbx_numbers(&reading->tree, reading->objects[object].node, name, &numbers, &count));
    if (count != 16)
        return fbx_refusal(reading, object, "has no bind matrix of 16 numbers");
    for (int i = 0; i < 12; i++)
        (&out->m00)[i] = numbers[4 * (i % 4) + i / 4];
    return status_ok();
}

/* Returns the vertex of a control point, given its index in the file. Returns -1 if no polygon uses the
 * point, and -2 if there is no such point. */
static int vertex_of(const int32_t *place, int points, double index)
{
    return index >= 0.0 && index < points ? place[(int)index] : -2;
}

typedef struct FbxInfluence {
    int vertex, slot, joint;
    float weight;
} FbxInfluence;

/* Reads the skin of a mesh and the influences of its vertices. place[points] is the vertex of each control
 * point, or -1. */
static Status skin_read(FbxReading *reading, int geometry, int instance, const int32_t *place, int points)
{
    Scene *scene = reading->scene;
    SceneMesh *mesh = &scene->meshes[instance];
    SceneSkin *skin = &scene->skins[instance];
    int link = reading->objects[geometry].links, clusters = 0;
    if (!fbx_link_from(reading, geometry, FBX_SKIN, &link)) {
        ALLOCATE(mesh->weight_joints, 0, "the weights");
        ALLOCATE(mesh->weight_values, 0, "the weights");
        return status_ok();
    }
    const int deformer = reading->links[link++].from;
    if (fbx_link_from(reading, geometry, FBX_SKIN, &link))
        return fbx_refusal(reading, geometry, "has several skins");
    for (int l = reading->objects[deformer].links; fbx_link_from(reading, deformer, FBX_CLUSTER, &l); l++)
        clusters++;
    *skin = (SceneSkin){.joint_count = clusters};
    STATUS_TRY(fbx_memory_count(reading, 160.0 * clusters, "the joints of a skin"));
    STATUS_TRY(scene_skin_allocate(skin));
    COPY_TEXT(skin->name, mesh->name, "a skin");
    LOCAL_ARRAY(int32_t, used, mesh->vertex_count, "the weights");
    OWNED FbxInfluence *influences = NULL;
    size_t influence_count = 0;
    skin->joint_count = mesh->influence_count = 0;
    for (int l = reading->objects[deformer].links; fbx_link_from(reading, deformer, FBX_CLUSTER, &l); l++) {
        const int cluster = reading->links[l].from, node = reading->objects[cluster].node;
        const int joint = skin->joint_count;
        int bone = reading->objects[cluster].links, count = 0, weight_count = 0;
        OWNED double *indices = NULL, *weights = NULL;
        if (!fbx_link_from(reading, cluster, FBX_MODEL, &bone))
            continue; /* a cluster without a bone is ignored, as other readers do */
        skin->joints[joint] = reading->objects[reading->links[bone].from].number;
        STATUS_TRY(matrix_read(reading, cluster, "Transform", &skin->inverse_binds[joint]));
        if (fbx_text_is(&reading->tree, fbx_child(&reading->tree, node, "Mode"), 0, "Additive"))
            return fbx_refusal(reading, cluster, "is additive, which is not supported");
        STATUS_TRY(fbx_numbers(&reading->tree, node, "Indexes", &indices, &count));
        STATUS_TRY(fbx_numbers(&reading->tree, node, "Weights", &weights, &weight_count));
        if (count != weight_count)
            return fbx_refusal(reading, cluster, "has different numbers of weights and indices");
        for (int i = 0; i < count; i++) {
            const int vertex = vertex_of(place, points, indices[i]);
            reading->astray += vertex == -2;
            if (vertex < 0 || weights[i] == 0.0)
                continue;
            GROW(influences, influence_count, "the weights");
            influences[influence_count++] = (FbxInfluence){vertex, used[vertex]++, joint, (float)weights[i]};
            mesh->influence_count = int_max(mesh->influence_count, used[vertex]);
        }
        skin->joint_count++;
    }
    mesh->influence_count = int_max(mesh->influence_count, 1);
    STATUS_TRY(fbx_memory_count(reading, 8.0 * mesh->vertex_count * mesh->influence_count, "influences"));
    ALLOCATE_TABLE(mesh->weight_joints, mesh->vertex_count, mesh->influence_count, "the weights");
    ALLOCATE_TABLE(mesh->weight_values, mesh->vertex_count, mesh->influence_count, "the weights");
    for (size_t i = 0; i < influence_count; i++) {
        const size_t slot =
            (size_t)influences[i].vertex * (size_t)mesh->influence_count + (size_t)influences[i].slot;
        mesh->weight_joints[slot] = influences[i].joint;
        mesh->weight_values[slot] = influences[i].weight;
    }
    scene->instances[instance].skin = skin->joint_count > 0 ? instance : -1;
    return status_ok();
}

/* Reads the morph targets of a mesh. Every blend channel becomes one target. */
static Status targets_read(FbxReading *reading, int geometry, int number, const Transform *placed,
                           const int32_t *place, int points)
{
    SceneMesh *mesh = &reading->scene->meshes[number];
    SceneInstance *instance = &reading->scene->instances[number];
    const size_t values = 3 * (size_t)mesh->vertex_count;
    for (int pass = 0; pass < 2; pass++) { /* pass 0 counts the targets, pass 1 stores them */
        int target = 0;
        for (int b = reading->objects[geometry].links; fbx_link_from(reading, geometry, FBX_BLEND_SHAPE, &b);
             b++) {
            const int blend = reading->links[b].from;
            for (int c = reading->objects[blend].links; fbx_link_from(reading, blend, FBX_BLEND_CHANNEL, &c);
                 c++) {
                const int channel = reading->links[c].from;
                int shape = reading->objects[channel].links, count = 0, offset_count = 0;
                int full_count = 0;
                OWNED double *indices = NULL, *offsets = NULL, *full = NULL;
                if (!fbx_link_from(reading, channel, FBX_SHAPE, &shape))
                    continue;
                const int node = reading->objects[reading->links[shape++].from].node;
                if (fbx_link_from(reading, channel, FBX_SHAPE, &shape))
                    return fbx_refusal(reading, channel, "has in-between shapes, which are not supported");
                if (pass == 0) {
                    target++;
                    continue;
                }
                STATUS_TRY(fbx_numbers(&reading->tree, node, "Indexes", &indices, &count));
                STATUS_TRY(fbx_numbers(&reading->tree, node, "Vertices", &offsets, &offset_count));
                STATUS_TRY(fbx_numbers(&reading->tree, reading->objects[channel].node, "FullWeights", &full,
                                       &full_count));
                /* the percentage at which the whole offset is reached is usually 100 */
                const double share = full_count > 0 && full[0] > 0.0 ? 100.0 / full[0] : 1.0;
                if (offset_count != 3 * (int64_t)count)
                    return fbx_refusal(reading, channel, "has a shape that lacks the offset of a vertex");
                for (int i = 0; i < count; i++) {
                    const int vertex = vertex_of(place, points, indices[i]);
                    if (vertex >= 0)
                        point_set(
                            mesh->targets + (size_t)target * values, vertex,
                            transform_direction(*placed, vec3_scale(vector_at(offsets, (size_t)i), share)));
                }
                instance->target_weights[target] =
                    0.01 * fbx_deform_percent(&reading->tree, reading->objects[channel].node);
                GROW(reading->targets, reading->target_count, "morph targets");
                reading->targets[reading->target_count] =
                    (FbxTarget){number, target, reading->objects[channel].use};
                reading->objects[channel].use = reading->target_count++;
                target++;
            }
        }
        if (pass == 1)
            break;
        mesh->target_count = target;
        STATUS_TRY(fbx_memory_count(
            reading, target * (4.0 * (double)values + sizeof(double) + 2.0 * sizeof *reading->targets),
            "morph targets"));
        ALLOCATE_TABLE(mesh->targets, target, values, "morph targets");
        ALLOCATE(instance->target_weights, target, "morph targets");
    }
    return status_ok();
}

/* Reads a mesh of a model. `placed` is the geometric transformation of the model. It moves the mesh, but
 * not the joints or the children of the model's node. */
static Status mesh_read(FbxReading *reading, int model, int geometry, const Transform *placed)
{
    Scene *scene = reading->scene;
    const int number = scene->instance_count, node = reading->objects[geometry].node;
    OWNED double *points = NULL, *corners = NULL;
    int point_numbers = 0, corner_count = 0, triangles = 0;
    STATUS_TRY(fbx_numbers(&reading->tree, node, "Vertices", &points, &point_numbers));
    STATUS_TRY(fbx_numbers(&reading->tree, node, "PolygonVertexIndex", &corners, &corner_count));
    if (point_numbers % 3 != 0)
        return fbx_refusal(reading, geometry, "has vertices with less than 3 coordinates");
    const char *name = scene->nodes[reading->objects[model].number].name;
    /* This check comes first, because placing a vertex would spread a bad value to all its coordinates. */
    for (int i = 0; i < point_numbers; i++)
        if (!isfinite(points[i]))
            return bad_input("%s: coordinate %d of vertex %d of '%s' is %g, expected a finite number",
                             scene->path, i % 3, i / 3, name, points[i]);
    const double names_bytes = 2.0 * (double)strlen(name); /* names of the mesh and of its skin */
    STATUS_TRY(fbx_memory_count(reading, 12.0 * point_numbers + 12.0 * corner_count + names_bytes, "a mesh"));
    GROW(scene->meshes, number, "the meshes");
    GROW(scene->skins, number, "the meshes");
    GROW(scene->instances, number, "the meshes");
    SceneMesh *mesh = &scene->meshes[number];
    const int point_count = point_numbers / 3;
    LOCAL_ARRAY(int32_t, place, point_count, "a mesh");
    for (int i = 0; i < point_count; i++)
        place[i] = -1;
    scene->instances[number] = (SceneInstance){reading->objects[model].number, number, -1, NULL};
    scene->instance_count = scene->mesh_count = scene->skin_count = number + 1;
    COPY_TEXT(mesh->name, name, "a mesh");
    for (int c = 0, sides = 0; c < corner_count;
         c++) { /* a negative index marks the last corner of a polygon */
        const double index = corners[c] < 0.0 ? -1.0 - corners[c] : corners[c];
        if (!(index >= 0.0 && index < point_count))
            return bad_input("%s: corner %d of a polygon of '%s' is vertex %.0f, expected 0 to %d",
                             scene->path, c, mesh->name, index, point_count - 1);
        if (place[(int)index] < 0)
            place[(int)index] = mesh->vertex_count++;
        sides++;
        if (corners[c] >= 0.0)
            continue;
        triangles += int_max(sides - 2, 0);
        reading->dropped += sides < 3;
        sides = 0;
    }
    reading->corners += corner_count;
    ALLOCATE_TABLE(mesh->positions, mesh->vertex_count, 3, "a mesh");
    ALLOCATE_TABLE(mesh->triangles, triangles, 3, "a mesh");
    for (int c = 0, first = 0; c < corner_count; c++) {
        const int last = corners[c] < 0.0;
        if (last)
            corners[c] = -1.0 - corners[c];
        if (c >= first + 2 &&
            mesh->triangle_count <
                triangles) { /* a polygon becomes a fan of triangles around its first corner */
            int32_t *triangle = mesh->triangles + 3 * (ptrdiff_t)mesh->triangle_count++;
            triangle[0] = place[(int)corners[first]];
            triangle[1] = place[(int)corners[c - 1]];
            triangle[2] = place[(int)corners[c]];
        }
        first = last ? c + 1 : first;
    }
    for (int i = 0; i < point_count; i++)
        if (place[i] >= 0)
            point_set(mesh->positions, place[i], transform_point(*placed, vector_at(points, (size_t)i)));
    STATUS_TRY(targets_read(reading, geometry, number, placed, place, point_count));
    return skin_read(reading, geometry, number, place, point_count);
}

/* Reads every mesh of every model. */
static Status meshes_read(FbxReading *reading)
{
    for (int i = 0; i < reading->object_count; i++) {
        int l = reading->objects[i].links;
        if (reading->objects[i].kind != FBX_MODEL || !fbx_link_from(reading, i, FBX_MESH, &l))
            continue;
        double places[PLACES][3];
        memcpy(places, reading->defaults, sizeof places);
        fbx_places_read(&reading->tree, reading->objects[i].node, places);
        const double *size = places[PLACE_GEOMETRIC_SCALING];
        const Transform placed =
            transform_product(turned_and_moved(places[PLACE_GEOMETRIC_ROTATION],
                                               vector_at(places[PLACE_GEOMETRIC_TRANSLATION], 0)),
                              (Transform){.m00 = size[0], .m11 = size[1], .m22 = size[2]});
        for (; fbx_link_from(reading, i, FBX_MESH, &l); l++)
            STATUS_TRY(mesh_read(reading, i, reading->links[l].from, &placed));
    }
    return status_ok();
}

/* ---- the whole file ---- */

Status fbx_read(const ImportOptions *options, Scene *out)
{
    const char *path = options->inputs[0];
    const FormatNotes *notes = options->notes;
    CLEANUP(fbx_reading_clear)
    FbxReading reading = {.scene = out,
                          .defaults = {[PLACE_SCALING] = {1.0, 1.0, 1.0},
                                       [PLACE_GEOMETRIC_SCALING] = {1.0, 1.0, 1.0},
                                       [PLACE_INHERIT] = {1.0},
                                       [PLACE_ROTATION_ACTIVE] = {1.0}}};
    *out = (Scene){.path = path};
    STATUS_TRY(fbx_tree_read(path, &reading.tree));
    out->memory_bytes = reading.tree.memory_bytes;
    STATUS_TRY(fbx_objects_list(&reading));
    STATUS_TRY(models_read(&reading));
    STATUS_TRY(meshes_read(&reading));
    STATUS_TRY(fbx_clips_read(&reading));
    const int settings = fbx_child(&reading.tree, 0, "GlobalSettings");
    const double up = fbx_number(&reading.tree, settings, "UpAxis", -1.0),
                 sign = fbx_number(&reading.tree, settings, "UpAxisSign", 1.0),
                 unit_cm = fbx_number(&reading.tree, settings, "UnitScaleFactor", 1.0);
    if (up == 0.0 || up == 1.0 || up == 2.0)
        format_note(notes, "%s%c is up, a unit is %.9g cm (as in the file)", sign < 0.0 ? "-" : "",
                    "xyz"[(int)up], unit_cm > 0.0 ? unit_cm : 1.0);
    else
        format_note(notes, "the file does not specify its axes and its unit; both are kept");
    STATUS_TRY(scene_weld(out, notes, reading.corners, reading.dropped));
    if (reading.extended > 0)
        format_note(notes,
                    "%lld curves continue before or after their keys (cycles, slopes), but are held "
                    "at their end values",
                    reading.extended);
    if (reading.astray > 0)
        format_note(notes, "%lld weights are dropped, because their vertices do not exist", reading.astray);
    return status_ok();
}
