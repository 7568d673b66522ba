/* Makes a scene of an FBX tree: objects have numbers, and connections between these say which model a mesh, a
 * cluster or a curve belongs to. What the transformations mean stands in fbx_pose.h. */
#include "datasets/formats/fbx_read.h"

#include "datasets/formats/fbx_pose.h"
#include "datasets/formats/fbx_tree.h"
#include "datasets/geometry/points.h"
#include "datasets/geometry/transform_parts.h"
#include "datasets/io/store.h"

#define OTHERWISE "open it in Blender and export glTF"

typedef enum FbxKind {
    FBX_MODEL,
    FBX_MESH,
    FBX_SHAPE,
    FBX_SKIN,
    FBX_CLUSTER,
    FBX_BLEND_SHAPE,
    FBX_BLEND_CHANNEL,
    FBX_STACK,
    FBX_LAYER,
    FBX_CURVE_NODE,
    FBX_CURVE,
    FBX_KINDS
} FbxKind;

/* What an object's node is called, and its third value; NULL: any. */
static const char *const kind_names[FBX_KINDS][2] = {
    [FBX_MODEL] = {"Model", NULL},
    [FBX_MESH] = {"Geometry", "Mesh"},
    [FBX_SHAPE] = {"Geometry", "Shape"},
    [FBX_SKIN] = {"Deformer", "Skin"},
    [FBX_CLUSTER] = {"Deformer", "Cluster"},
    [FBX_BLEND_SHAPE] = {"Deformer", "BlendShape"},
    [FBX_BLEND_CHANNEL] = {"Deformer", "BlendShapeChannel"},
    [FBX_STACK] = {"AnimationStack", NULL},
    [FBX_LAYER] = {"AnimationLayer", NULL},
    [FBX_CURVE_NODE] = {"AnimationCurveNode", NULL},
    [FBX_CURVE] = {"AnimationCurve", NULL},
};

typedef struct FbxObject {
    int64_t id;
    int node;
    FbxKind kind;
    int links, leaving; /* the first link to it, and from it */
    int number;         /* of a model's node in the scene */
    int use;            /* the first morph target of a blend channel, -1: none; the uses of a curve node */
} FbxObject;

typedef struct FbxId {
    int64_t id;
    int object;
} FbxId;

typedef struct FbxLink {
    int from, to; /* objects */
    int node;     /* of the connection, whose fourth value may name a property of `to` */
} FbxLink;

/* A morph target of an instance, which a blend channel moves. */
typedef struct FbxTarget {
    int instance, target;
    int next; /* of the same channel, -1: none */
} FbxTarget;

typedef enum FbxPlace {
    PLACE_TRANSLATION,
    PLACE_ROTATION,
    PLACE_SCALING,
    PLACE_PRE_ROTATION,
    PLACE_POST_ROTATION,
    PLACE_ROTATION_OFFSET,
    PLACE_ROTATION_PIVOT,
    PLACE_SCALING_OFFSET,
    PLACE_SCALING_PIVOT,
    PLACE_GEOMETRIC_TRANSLATION,
    PLACE_GEOMETRIC_ROTATION,
    PLACE_GEOMETRIC_SCALING,
    PLACE_ORDER,
    PLACE_INHERIT,
    PLACES
} FbxPlace;

/* The properties that place a node, the first three as a clip may move them. */
static const char *const place_names[PLACES] = {
    "Lcl Translation",   "Lcl Rotation",     "Lcl Scaling",   "PreRotation",  "PostRotation",
    "RotationOffset",    "RotationPivot",    "ScalingOffset", "ScalingPivot", "GeometricTranslation",
    "GeometricRotation", "GeometricScaling", "RotationOrder", "InheritType"};

typedef struct FbxReading {
    FbxTree tree;
    Scene *scene;
    const FormatNotes *notes;
    FbxObject *objects; /* in the order of the file */
    FbxLink *links;     /* by `to`, then in the order of the file */
    FbxLink *leaving;   /* the same by `from` */
    FbxTarget *targets;
    int object_count, link_count, target_count;
    double defaults[PLACES][3]; /* of models */
    double bytes;               /* of what has been made */
    long long corners, dropped, astray;
} FbxReading;

static void fbx_reading_clear(FbxReading *reading)
{
    fbx_tree_clear(&reading->tree);
    FREE_ALL(reading->objects, reading->links, reading->leaving, reading->targets);
}

/* Counts what is about to be allocated. */
static Status memory_count(FbxReading *reading, double bytes, const char *what)
{
    reading->bytes += bytes;
    return scene_memory_check(reading->scene, reading->bytes, "%s", what);
}

/* An object's name: text files have its class in front of it, binary ones behind it. */
static Status name_copy(const FbxReading *reading, int object, char **out)
{
    const bool binary = reading->tree.binary;
    FbxValue value;
    (void)fbx_value(&reading->tree, reading->objects[object].node, 1, &value);
    const char *text = value.kind == 's' ? value.text : "";
    size_t length = value.kind == 's' ? value.length : 0, at = 0;
    while (at + 1 < length && memcmp(text + at, binary ? "\0\1" : "::", 2) != 0)
        at++;
    if (at + 1 < length) {
        text += binary ? 0 : at + 2;
        length = binary ? at : length - at - 2;
    }
    *out = memory_text_start(text, length);
    ALLOCATED(*out, "a name");
    return status_ok();
}

/* A refusal of what an object is or does. */
static Status object_refusal(const FbxReading *reading, int object, const char *what)
{
    OWNED char *name = NULL;
    STATUS_TRY(name_copy(reading, object, &name));
    return bad_input("%s: %s '%s' %s: " OTHERWISE, reading->tree.path,
                     kind_names[reading->objects[object].kind][0], name, what);
}

/* ---- objects and connections ---- */

static int id_compare(const void *a, const void *b)
{
    const FbxId *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

static int link_compare(const void *a, const void *b)
{
    const FbxLink *x = a, *y = b;
    return x->to != y->to ? (x->to > y->to) - (x->to < y->to) : (x->node > y->node) - (x->node < y->node);
}

static int leaving_compare(const void *a, const void *b)
{
    const FbxLink *x = a, *y = b;
    return x->from != y->from ? (x->from > y->from) - (x->from < y->from)
                              : (x->node > y->node) - (x->node < y->node);
}

/* The next link at or behind *link that leads to an object from one of a kind; false: there is none. */
static bool link_from(const FbxReading *reading, int to, FbxKind kind, int *link)
{
    for (; *link < reading->link_count && reading->links[*link].to == to; ++*link)
        if (reading->objects[reading->links[*link].from].kind == kind)
            return true;
    return false;
}

/* Whether a link leads to that property. */
static bool link_moves(const FbxReading *reading, const FbxLink *link, const char *property)
{
    return fbx_text_is(&reading->tree, link->node, 3, property);
}

/* The properties of an object that place it; those that it lacks stay. */
static void places_read(const FbxTree *tree, int object, double places[PLACES][3])
{
    const int list = fbx_child(tree, object, "Properties70");
    for (int p = list >= 0 ? tree->nodes[list].child : -1; p >= 0; p = tree->nodes[p].next)
        for (int i = 0; i < PLACES; i++)
            if (fbx_text_is(tree, p, 0, place_names[i]))
                (void)fbx_property(tree, p, places[i]);
}

static Status objects_list(FbxReading *reading)
{
    const FbxTree *tree = &reading->tree;
    const int objects = fbx_child(tree, 0, "Objects"), connections = fbx_child(tree, 0, "Connections");
    FbxValue ends[2];
    for (int node = objects >= 0 ? tree->nodes[objects].child : -1; node >= 0;
         node = tree->nodes[node].next) {
        FbxObject object = {.node = node, .kind = FBX_KINDS, .use = -1};
        for (int kind = 0; kind < FBX_KINDS; kind++)
            if (fbx_named(tree, node, kind_names[kind][0]) &&
                (!kind_names[kind][1] || fbx_text_is(tree, node, 2, kind_names[kind][1])))
                object.kind = (FbxKind)kind;
        if (object.kind == FBX_KINDS || !fbx_value(tree, node, 0, &ends[0]))
            continue;
        object.id = ends[0].integer;
        GROW(reading->objects, reading->object_count, "the objects");
        reading->objects[reading->object_count++] = object;
    }
    const size_t count = (size_t)reading->object_count;
    LOCAL_ARRAY(FbxId, ids, count + 1, "the objects");
    for (size_t i = 0; i < count; i++)
        ids[i] = (FbxId){reading->objects[i].id, (int)i};
    qsort(ids, count, sizeof *ids, id_compare);
    for (size_t i = 1; i < count; i++)
        if (ids[i].id == ids[i - 1].id)
            return bad_input("%s: two objects have the number %" PRId64, tree->path, ids[i].id);
    for (int node = connections >= 0 ? tree->nodes[connections].child : -1; node >= 0;
         node = tree->nodes[node].next) {
        const FbxId *found[2] = {NULL, NULL};
        for (int i = 0; i < 2; i++)
            if (fbx_value(tree, node, 1 + i, &ends[i]))
                found[i] = bsearch(&(FbxId){ends[i].integer, 0}, ids, count, sizeof *ids, id_compare);
        if (!found[0] || !found[1])
            continue;
        GROW(reading->links, reading->link_count, "the connections");
        reading->links[reading->link_count++] = (FbxLink){found[0]->object, found[1]->object, node};
    }
    const size_t links = (size_t)reading->link_count;
    ALLOCATE(reading->leaving, links + 1, "the connections");
    if (links > 0) {
        memcpy(reading->leaving, reading->links, links * sizeof *reading->links);
        qsort(reading->links, links, sizeof *reading->links, link_compare);
        qsort(reading->leaving, links, sizeof *reading->leaving, leaving_compare);
    }
    for (int l = reading->link_count; l-- > 0;) {
        reading->objects[reading->links[l].to].links = l;
        reading->objects[reading->leaving[l].from].leaving = l;
    }
    for (int node = fbx_child(tree, fbx_child(tree, 0, "Definitions"), "ObjectType"); node >= 0;
         node = tree->nodes[node].next)
        if (fbx_text_is(tree, node, 0, "Model"))
            places_read(tree, fbx_child(tree, node, "PropertyTemplate"), reading->defaults);
    return status_ok();
}

/* ---- models ---- */

static Vec3 vector_of(const double numbers[3])
{
    return vec3_make(numbers[0], numbers[1], numbers[2]);
}

/* A rotation by angles in the order XYZ, then a translation. */
static Transform turned_and_moved(const double degrees[3], Vec3 place)
{
    return affine_parts_join((AffineParts){place, fbx_rotation(degrees, 0), vec3_make(1.0, 1.0, 1.0)});
}

static Status model_read(FbxReading *reading, int object, SceneNode *node, SceneEuler *euler)
{
    double places[PLACES][3];
    memcpy(places, reading->defaults, sizeof places);
    places_read(&reading->tree, reading->objects[object].node, places);
    const double order = places[PLACE_ORDER][0], inherit = places[PLACE_INHERIT][0];
    if (!(order >= 0.0 && order < 6.0))
        return object_refusal(reading, object, "has a spheric or unknown rotation order, which is not read");
    if (!(inherit >= 0.0 && inherit < 3.0))
        return object_refusal(reading, object, "has an unknown InheritType");
    const Vec3 pivot = vector_of(places[PLACE_ROTATION_PIVOT]),
               scaling_pivot = vector_of(places[PLACE_SCALING_PIVOT]);
    Transform back = turned_and_moved(places[PLACE_POST_ROTATION], vec3_make(0.0, 0.0, 0.0));
    (void)transform_inverse(back, &back); /* a rotation */
    memcpy(euler->parts, places, sizeof euler->parts);
    euler->order = (int)order;
    euler->inherit = (int)inherit;
    euler->before = turned_and_moved(places[PLACE_PRE_ROTATION],
                                     vec3_add(vector_of(places[PLACE_ROTATION_OFFSET]), pivot));
    euler->between = transform_moved_to(
        back, transform_point(
                  back, vec3_add(vec3_sub(vector_of(places[PLACE_SCALING_OFFSET]), pivot), scaling_pivot)));
    euler->after = transform_moved_to(transform_identity(), vec3_scale(scaling_pivot, -1.0));
    /* for the checks of a scene: all numbers that the place is made of */
    node->parent = -1;
    node->has_matrix = true;
    node->matrix = transform_product(euler->before, transform_product(euler->between, euler->after));
    for (int i = 0; i < 9; i++)
        (&node->matrix.m00)[i] += euler->parts[i / 3][i % 3];
    return name_copy(reading, object, &node->name);
}

/* The models as nodes. */
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
             reading->objects[i].kind == FBX_MODEL && link_from(reading, i, FBX_MODEL, &l); l++) {
            SceneNode *node = &scene->nodes[reading->objects[reading->links[l].from].number];
            if (!fbx_text_is(&reading->tree, reading->links[l].node, 0, "OO"))
                continue;
            if (node->parent >= 0 && node->parent != reading->objects[i].number)
                return object_refusal(reading, reading->links[l].from, "has several parents");
            node->parent = reading->objects[i].number;
        }
    return status_ok();
}

/* ---- meshes ---- */

/* A 4 x 4 matrix, column by column. */
static Status matrix_read(FbxReading *reading, int object, const char *name, Transform *out)
{
    OWNED double *numbers = NULL;
    int count = 0;
    STATUS_TRY(fbx_numbers(&reading->tree, reading->objects[object].node, name, &numbers, &count));
    if (count != 16)
        return object_refusal(reading, object, "has no bind matrix of 16 numbers");
    for (int i = 0; i < 12; i++)
        (&out->m00)[i] = numbers[4 * (i % 4) + i / 4];
    return status_ok();
}

/* The vertex of a control point, by its index as the file has it; -1: polygons do not name it, -2: there is
 * none. */
static int vertex_of(const int32_t *place, int points, double index)
{
    return index >= 0.0 && index < points ? place[(int)index] : -2;
}

/* The influences of a mesh's vertices, and its skin. `place` [points]: the vertex of each control point, -1:
 * none. */
static Status skin_read(FbxReading *reading, int geometry, int instance, const int32_t *place, int points)
{
    Scene *scene = reading->scene;
    SceneMesh *mesh = &scene->meshes[instance];
    SceneSkin *skin = &scene->skins[instance];
    int link = reading->objects[geometry].links, clusters = 0;
    if (!link_from(reading, geometry, FBX_SKIN, &link)) {
        ALLOCATE(mesh->weight_joints, 0, "the weights");
        ALLOCATE(mesh->weight_values, 0, "the weights");
        return status_ok();
    }
    const int deformer = reading->links[link++].from;
    if (link_from(reading, geometry, FBX_SKIN, &link))
        return object_refusal(reading, geometry, "has several skins");
    for (int l = reading->objects[deformer].links; link_from(reading, deformer, FBX_CLUSTER, &l); l++)
        clusters++;
    *skin = (SceneSkin){.joint_count = clusters};
    STATUS_TRY(memory_count(reading, 160.0 * clusters, "the joints of a skin"));
    STATUS_TRY(scene_skin_allocate(skin));
    COPY_TEXT(skin->name, mesh->name, "a skin");
    LOCAL_ARRAY(int32_t, used, mesh->vertex_count, "the weights");
    for (int pass = 0; pass < 2; pass++) { /* counts, then fills */
        int joint = 0;
        for (int l = reading->objects[deformer].links; link_from(reading, deformer, FBX_CLUSTER, &l); l++) {
            const int cluster = reading->links[l].from, node = reading->objects[cluster].node;
            int bone = reading->objects[cluster].links, count = 0, weight_count = 0;
            OWNED double *indices = NULL, *weights = NULL;
            if (!link_from(reading, cluster, FBX_MODEL, &bone))
                continue; /* as other readers do: its weights count for nothing */
            skin->joints[joint] = reading->objects[reading->links[bone].from].number;
            STATUS_TRY(matrix_read(reading, cluster, "Transform", &skin->inverse_binds[joint]));
            if (fbx_text_is(&reading->tree, fbx_child(&reading->tree, node, "Mode"), 0, "Additive"))
                return object_refusal(reading, cluster, "is additive, which is not read");
            STATUS_TRY(fbx_numbers(&reading->tree, node, "Indexes", &indices, &count));
            STATUS_TRY(fbx_numbers(&reading->tree, node, "Weights", &weights, &weight_count));
            if (count != weight_count)
                return object_refusal(reading, cluster, "has more or fewer weights than indices");
            for (int i = 0; i < count; i++) {
                const int vertex = vertex_of(place, points, indices[i]);
                reading->astray += vertex == -2 && pass == 0;
                if (vertex < 0 || weights[i] == 0.0)
                    continue;
                const int slot = used[vertex]++;
                if (pass == 0) {
                    mesh->influence_count = int_max(mesh->influence_count, slot + 1);
                    continue;
                }
                const size_t at = (size_t)vertex * (size_t)mesh->influence_count + (size_t)slot;
                mesh->weight_joints[at] = joint;
                mesh->weight_values[at] = (float)weights[i];
            }
            joint++;
        }
        skin->joint_count = joint;
        if (pass == 1)
            break;
        mesh->influence_count = int_max(mesh->influence_count, 1);
        STATUS_TRY(memory_count(reading, 8.0 * mesh->vertex_count * mesh->influence_count, "influences"));
        ALLOCATE_TABLE(mesh->weight_joints, mesh->vertex_count, mesh->influence_count, "the weights");
        ALLOCATE_TABLE(mesh->weight_values, mesh->vertex_count, mesh->influence_count, "the weights");
        memset(used, 0, (size_t)mesh->vertex_count * sizeof *used);
    }
    scene->instances[instance].skin = skin->joint_count > 0 ? instance : -1;
    return status_ok();
}

/* The morph targets of a mesh, a blend channel each. */
static Status targets_read(FbxReading *reading, int geometry, int number, const Transform *placed,
                           const int32_t *place, int points)
{
    SceneMesh *mesh = &reading->scene->meshes[number];
    SceneInstance *instance = &reading->scene->instances[number];
    const size_t values = 3 * (size_t)mesh->vertex_count;
    for (int pass = 0; pass < 2; pass++) { /* counts, then fills */
        int target = 0;
        for (int b = reading->objects[geometry].links; link_from(reading, geometry, FBX_BLEND_SHAPE, &b);
             b++) {
            const int blend = reading->links[b].from;
            for (int c = reading->objects[blend].links; link_from(reading, blend, FBX_BLEND_CHANNEL, &c);
                 c++) {
                const int channel = reading->links[c].from;
                int shape = reading->objects[channel].links, count = 0, offset_count = 0;
                OWNED double *indices = NULL, *offsets = NULL;
                if (!link_from(reading, channel, FBX_SHAPE, &shape))
                    continue;
                const int node = reading->objects[reading->links[shape++].from].node;
                if (link_from(reading, channel, FBX_SHAPE, &shape))
                    return object_refusal(reading, channel, "has shapes in between, which are not read");
                if (pass == 0) {
                    target++;
                    continue;
                }
                STATUS_TRY(fbx_numbers(&reading->tree, node, "Indexes", &indices, &count));
                STATUS_TRY(fbx_numbers(&reading->tree, node, "Vertices", &offsets, &offset_count));
                if (offset_count != 3 * (int64_t)count)
                    return object_refusal(reading, channel, "has a shape without an offset for each vertex");
                for (int i = 0; i < count; i++) {
                    const int vertex = vertex_of(place, points, indices[i]);
                    if (vertex >= 0)
                        point_set(mesh->targets + (size_t)target * values, vertex,
                                  transform_direction(*placed, vector_of(offsets + 3 * (ptrdiff_t)i)));
                }
                instance->target_weights[target] =
                    0.01 * fbx_number(&reading->tree, reading->objects[channel].node, "DeformPercent", 0.0);
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
        STATUS_TRY(memory_count(reading, 4.0 * target * (double)values, "morph targets"));
        ALLOCATE_TABLE(mesh->targets, target, values, "morph targets");
        ALLOCATE(instance->target_weights, target, "morph targets");
    }
    return status_ok();
}

/* `placed`: the geometric transformation, which moves the mesh but neither its node's children nor its
 * joints. */
static Status mesh_read(FbxReading *reading, int model, int geometry, const Transform *placed)
{
    Scene *scene = reading->scene;
    const int number = scene->instance_count, node = reading->objects[geometry].node;
    SceneMesh *mesh = &scene->meshes[number];
    OWNED double *points = NULL, *corners = NULL;
    int point_numbers = 0, corner_count = 0, triangles = 0;
    STATUS_TRY(fbx_numbers(&reading->tree, node, "Vertices", &points, &point_numbers));
    STATUS_TRY(fbx_numbers(&reading->tree, node, "PolygonVertexIndex", &corners, &corner_count));
    if (point_numbers % 3 != 0)
        return object_refusal(reading, geometry, "has vertices with less than 3 coordinates");
    STATUS_TRY(memory_count(reading, 12.0 * point_numbers + 12.0 * corner_count, "a mesh"));
    LOCAL_ARRAY(int32_t, place, point_numbers / 3, "a mesh");
    for (int i = 0; i < point_numbers / 3; i++)
        place[i] = -1;
    scene->instances[number] = (SceneInstance){reading->objects[model].number, number, -1, NULL};
    scene->instance_count = scene->mesh_count = scene->skin_count = number + 1;
    COPY_TEXT(mesh->name, scene->nodes[scene->instances[number].node].name, "a mesh");
    for (int c = 0, sides = 0; c < corner_count; c++) { /* a negative index ends its polygon */
        const double index = corners[c] < 0.0 ? -1.0 - corners[c] : corners[c];
        if (!(index >= 0.0 && index < point_numbers / 3))
            return bad_input("%s: corner %d of a polygon of '%s' is vertex %.0f, expected 0 to %d",
                             scene->path, c, mesh->name, index, point_numbers / 3 - 1);
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
        if (c >= first + 2 && mesh->triangle_count < triangles) { /* a fan from its first corner */
            int32_t *triangle = mesh->triangles + 3 * (ptrdiff_t)mesh->triangle_count++;
            triangle[0] = place[(int)corners[first]];
            triangle[1] = place[(int)corners[c - 1]];
            triangle[2] = place[(int)corners[c]];
        }
        first = last ? c + 1 : first;
    }
    for (int i = 0; i < point_numbers / 3; i++)
        if (place[i] >= 0)
            point_set(mesh->positions, place[i],
                      transform_point(*placed, vector_of(points + 3 * (ptrdiff_t)i)));
    STATUS_TRY(targets_read(reading, geometry, number, placed, place, point_numbers / 3));
    return skin_read(reading, geometry, number, place, point_numbers / 3);
}

/* Every mesh of every model. */
static Status meshes_read(FbxReading *reading)
{
    Scene *scene = reading->scene;
    int count = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < reading->object_count; i++) {
            int l = reading->objects[i].links;
            if (reading->objects[i].kind != FBX_MODEL || !link_from(reading, i, FBX_MESH, &l))
                continue;
            double places[PLACES][3];
            memcpy(places, reading->defaults, sizeof places);
            if (pass == 1)
                places_read(&reading->tree, reading->objects[i].node, places);
            const double *size = places[PLACE_GEOMETRIC_SCALING];
            const Transform placed =
                transform_product(turned_and_moved(places[PLACE_GEOMETRIC_ROTATION],
                                                   vector_of(places[PLACE_GEOMETRIC_TRANSLATION])),
                                  (Transform){.m00 = size[0], .m11 = size[1], .m22 = size[2]});
            for (; link_from(reading, i, FBX_MESH, &l); l++, count++)
                if (pass == 1)
                    STATUS_TRY(mesh_read(reading, i, reading->links[l].from, &placed));
        }
        if (pass == 1)
            break;
        ALLOCATE(scene->meshes, count, "the meshes");
        ALLOCATE(scene->skins, count, "the meshes");
        ALLOCATE(scene->instances, count, "the meshes");
    }
    return status_ok();
}

/* ---- clips ---- */

/* What KeyAttrFlags says of a key. */
enum {
    KEY_CONSTANT = 0x2,
    KEY_CUBIC = 0x8,
    KEY_AUTOMATIC = 0x100, /* of constant keys: the value of the next one */
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

/* The slope of an automatic tangent at a key. */
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
    if (flags & KEY_CLAMPED_PROGRESSIVELY) { /* no overshoot beyond either neighbour */
        const double sign = slope < 0.0 ? -1.0 : 1.0, left_reach = value[CURVE_NEXT_REACH - CURVE_NUMBERS];
        const double most =
            fmin(sign * left / fmax(left_reach, CLOSE), sign * right / fmax(value[CURVE_REACH], CLOSE));
        slope = sign * fmax(0.0, fmin(sign * slope, most));
    }
    return slope;
}

/* A number of KeyAttrDataFloat: in text the bits of a float as an integer, from version 7200 on. */
static double key_data(const FbxReading *reading, double number)
{
    const int32_t bits = (int32_t)fmax(INT32_MIN, fmin(number, INT32_MAX));
    float value = 0.0f;
    if (reading->tree.binary || reading->tree.version < 7200 || (double)bits != number)
        return number;
    memcpy(&value, &bits, sizeof value);
    return isfinite(value) ? (double)value : 0.0;
}

/* The keys of a curve. Flags and tangents are stored for runs of keys. */
static Status curve_read(FbxReading *reading, int curve, SceneChannel *channel)
{
    const int node = reading->objects[curve].node;
    const double TICKS_PER_S = 46186158000.0, REACH = 1.0 / 3.0, REACH_UNIT = 1e-4;
    OWNED double *times = NULL, *values = NULL, *flags = NULL, *data = NULL, *runs = NULL;
    int count = 0, value_count = 0, flag_count = 0, data_count = 0, run_count = 0;
    STATUS_TRY(fbx_numbers(&reading->tree, node, "KeyTime", &times, &count));
    STATUS_TRY(fbx_numbers(&reading->tree, node, "KeyValueFloat", &values, &value_count));
    STATUS_TRY(fbx_numbers(&reading->tree, node, "KeyAttrFlags", &flags, &flag_count));
    STATUS_TRY(fbx_numbers(&reading->tree, node, "KeyAttrDataFloat", &data, &data_count));
    STATUS_TRY(fbx_numbers(&reading->tree, node, "KeyAttrRefCount", &runs, &run_count));
    if (count != value_count)
        return object_refusal(reading, curve, "has more or fewer values than times");
    STATUS_TRY(memory_count(reading, 8.0 * count * (1 + CURVE_NUMBERS), "the keys of curves"));
    channel->key_count = count;
    STATUS_TRY(scene_channel_allocate(channel));
    for (int k = 0; k < count; k++) {
        channel->times[k] = times[k] / TICKS_PER_S;
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
        const double *own = run < data_count / 4 ? data + 4 * (ptrdiff_t)run : (const double[4]){0.0};
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
        const float packed = (float)key_data(reading, own[2]);
        uint32_t reaches = 0;
        memcpy(&reaches, &packed, sizeof reaches);
        if (key & KEY_WEIGHTED)
            row[CURVE_REACH] = fmin(1.0, REACH_UNIT * (reaches & 0xffff));
        if (key & KEY_NEXT_WEIGHTED)
            row[CURVE_NEXT_REACH] = fmin(1.0, REACH_UNIT * (reaches >> 16));
        row[CURVE_SLOPE] = key_data(reading, own[0]);
        row[CURVE_NEXT_SLOPE] = key_data(reading, own[1]);
        double *before = k > 0 ? row - CURVE_NUMBERS : NULL;
        if (key & KEY_TCB) { /* Kochanek and Bartels 1984 */
            const double tension = 1.0 - key_data(reading, own[0]), continuity = key_data(reading, own[1]),
                         bias = key_data(reading, own[2]);
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

/* The channels of a curve node on one part of a node (3 axes) or on a morph target (1), added to a clip. */
static Status channels_add(FbxReading *reading, int curve_node, SceneClip *clip, SceneChannel like,
                           const double *otherwise)
{
    static const char *const names[] = {"d|X", "d|Y", "d|Z", "d|DeformPercent"};
    const FbxObject *from = &reading->objects[curve_node];
    const int first = like.path == SCENE_WEIGHTS ? 3 : 0, last = like.path == SCENE_WEIGHTS ? 3 : 2;
    for (int i = first; i <= last; i++) {
        STATUS_TRY(memory_count(reading, 2.0 * sizeof like, "the clips"));
        GROW(clip->channels, clip->channel_count, "the clips");
        SceneChannel *channel = &clip->channels[clip->channel_count++];
        *channel = like;
        channel->axis = first == 3 ? like.axis : i;
        for (int l = from->links; channel->key_count == 0 && link_from(reading, curve_node, FBX_CURVE, &l);
             l++)
            if (link_moves(reading, &reading->links[l], names[i]) ||
                link_moves(reading, &reading->links[l], names[i] + 2))
                STATUS_TRY(curve_read(reading, reading->links[l].from, channel));
        if (channel->key_count > 0)
            continue;
        FREE_ALL(channel->times, channel->values);
        channel->still = true;
        channel->key_count = 1;
        STATUS_TRY(scene_channel_allocate(channel));
        channel->values[CURVE_VALUE] = fbx_number(&reading->tree, from->node, names[i], otherwise[i - first]);
    }
    return status_ok();
}

/* What a link from a curve node of a layer moves. */
static Status motion_read(FbxReading *reading, const FbxLink *link, int layer, SceneClip *clip)
{
    const FbxObject *to = &reading->objects[link->to];
    SceneChannel like = {.interpolation = SCENE_CURVE, .width = 1, .layer = layer};
    if (to->kind == FBX_LAYER && link_moves(reading, link, "Weight"))
        return object_refusal(reading, link->to, "has an animated weight, which is not read");
    for (int i = 0; to->kind == FBX_MODEL && i < PLACES; i++) {
        if (!link_moves(reading, link, place_names[i]))
            continue;
        if (i > PLACE_SCALING)
            return object_refusal(reading, link->to, "has an animated pivot or offset, which is not read");
        like.path = (ScenePath)(SCENE_TRANSLATION + i);
        like.node = to->number;
        const double identity = i == PLACE_SCALING, nothing[3] = {identity, identity, identity};
        return channels_add(reading, link->from, clip, like,
                            layer == 0 ? reading->scene->eulers[to->number].parts[i] : nothing);
    }
    const bool morphs = to->kind == FBX_BLEND_CHANNEL && link_moves(reading, link, "DeformPercent");
    for (int use = morphs ? to->use : -1; use >= 0; use = reading->targets[use].next) {
        const double percent = fbx_number(&reading->tree, to->node, "DeformPercent", 0.0);
        like.path = SCENE_WEIGHTS;
        like.node = reading->scene->instances[reading->targets[use].instance].node;
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
    for (int l = reading->objects[object].links; link_from(reading, object, FBX_CURVE_NODE, &l); l++) {
        const int from = reading->links[l].from;
        if (fbx_text_is(tree, reading->links[l].node, 0, "OP")) /* the layer's own weight, met below */
            continue;
        for (int k = reading->objects[from].leaving;
             k < reading->link_count && reading->leaving[k].from == from; k++) {
            if (reading->objects[from].use++ > USES_MAX)
                return object_refusal(reading, from, "moves more properties than are read");
            STATUS_TRY(motion_read(reading, &reading->leaving[k], layer, clip));
        }
    }
    return status_ok();
}

static Status clips_read(FbxReading *reading)
{
    Scene *scene = reading->scene;
    scene->clips_place = "AnimationStack";
    for (int i = 0; i < reading->object_count; i++) {
        if (reading->objects[i].kind != FBX_STACK)
            continue;
        GROW(scene->clips, scene->clip_count, "the clips");
        SceneClip *clip = &scene->clips[scene->clip_count++];
        *clip = (SceneClip){0};
        STATUS_TRY(name_copy(reading, i, &clip->name));
        for (int l = reading->objects[i].links; link_from(reading, i, FBX_LAYER, &l); l++)
            STATUS_TRY(layer_read(reading, reading->links[l].from, clip));
    }
    return status_ok();
}

/* ---- all of it ---- */

Status fbx_read(const char *path, const FormatNotes *notes, Scene *out)
{
    CLEANUP(fbx_reading_clear)
    FbxReading reading = {.scene = out,
                          .notes = notes,
                          .defaults = {[PLACE_SCALING] = {1.0, 1.0, 1.0},
                                       [PLACE_GEOMETRIC_SCALING] = {1.0, 1.0, 1.0},
                                       [PLACE_INHERIT] = {1.0}}};
    *out = (Scene){.path = path};
    STATUS_TRY(fbx_tree_read(path, &reading.tree));
    out->memory_bytes = reading.tree.memory_bytes;
    STATUS_TRY(objects_list(&reading));
    STATUS_TRY(models_read(&reading));
    STATUS_TRY(meshes_read(&reading));
    STATUS_TRY(clips_read(&reading));
    const int settings = fbx_child(&reading.tree, 0, "GlobalSettings");
    const double up = fbx_number(&reading.tree, settings, "UpAxis", -1.0),
                 sign = fbx_number(&reading.tree, settings, "UpAxisSign", 1.0),
                 unit_cm = fbx_number(&reading.tree, settings, "UnitScaleFactor", 1.0);
    if (up == 0.0 || up == 1.0 || up == 2.0)
        format_note(notes, "%s%c is up, a unit is %.9g cm (as in the file)", sign < 0.0 ? "-" : "",
                    "xyz"[(int)up], unit_cm > 0.0 ? unit_cm : 1.0);
    else
        format_note(notes, "axes and unit are as in the file, which does not specify them");
    STATUS_TRY(scene_weld(out, notes, reading.corners, reading.dropped));
    if (reading.astray > 0)
        format_note(notes, "%lld weights of vertices that do not exist are dropped", reading.astray);
    return status_ok();
}
