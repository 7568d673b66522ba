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
    int number; /* of a model's node or a stack's clip in the scene; of a layer in its clip */
    int owner;  /* the stack of a layer, the layer of a curve node, -1: none */
    int use;    /* the first morph target of a blend channel, -1: none */
} FbxObject;

typedef struct FbxLink {
    int from, to; /* objects */
    int node;     /* of the connection, whose fourth value may name a property of `to` */
} FbxLink;

/* A morph target of an instance, which a blend channel moves. */
typedef struct FbxTarget {
    int instance, target;
    int next; /* of the same channel, -1: none */
} FbxTarget;

typedef struct FbxReading {
    FbxTree tree;
    Scene *scene;
    const FormatNotes *notes;
    FbxObject *objects; /* by id */
    FbxLink *links;     /* by `to`, then in the order of the file */
    FbxTarget *targets;
    int object_count, link_count, target_count;
    int defaults; /* the node of models' defaults, -1: none */
    double bytes; /* of what has been made */
    long long corners, dropped, astray;
} FbxReading;

static void fbx_reading_clear(FbxReading *reading)
{
    fbx_tree_clear(&reading->tree);
    FREE_ALL(reading->objects, reading->links, reading->targets);
}

/* Counts what is about to be allocated. */
static Status memory_count(FbxReading *reading, double bytes, const char *what)
{
    reading->bytes += bytes;
    return scene_memory_check(reading->scene, reading->bytes, "%s", what);
}

/* An object's name, with what it is in front of it or behind it taken off. */
static Status name_copy(const FbxReading *reading, int object, char **out)
{
    FbxValue value;
    const char *text = "";
    size_t length = 0;
    if (fbx_value(&reading->tree, reading->objects[object].node, 1, &value) && value.kind == 's') {
        text = value.text;
        length = value.length;
        for (size_t i = 0; i + 1 < value.length; i++) {
            if (memcmp(value.text + i, reading->tree.binary ? "\0\1" : "::", 2) != 0)
                continue;
            text = reading->tree.binary ? text : text + i + 2;
            length = reading->tree.binary ? i : length - i - 2;
            break;
        }
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

static int object_compare(const void *a, const void *b)
{
    const FbxObject *x = a, *y = b;
    return x->id != y->id ? (x->id > y->id) - (x->id < y->id) : (x->node > y->node) - (x->node < y->node);
}

static int link_compare(const void *a, const void *b)
{
    const FbxLink *x = a, *y = b;
    return x->to != y->to ? (x->to > y->to) - (x->to < y->to) : (x->node > y->node) - (x->node < y->node);
}

/* The object of an id, -1: none. */
static int object_find(const FbxReading *reading, int64_t id)
{
    int low = 0, high = reading->object_count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (reading->objects[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < reading->object_count && reading->objects[low].id == id ? low : -1;
}

/* The first link to an object; the others follow it. */
static int link_first(const FbxReading *reading, int to)
{
    int low = 0, high = reading->link_count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (reading->links[middle].to < to)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The next link at or behind *link that leads to an object from one of a kind; false: there is none. */
static bool link_from(const FbxReading *reading, int to, FbxKind kind, int *link)
{
    for (; *link < reading->link_count && reading->links[*link].to == to; ++*link)
        if (reading->objects[reading->links[*link].from].kind == kind)
            return true;
    return false;
}

static Status objects_list(FbxReading *reading)
{
    const FbxTree *tree = &reading->tree;
    const int objects = fbx_child(tree, 0, "Objects"), connections = fbx_child(tree, 0, "Connections");
    for (int node = objects >= 0 ? tree->nodes[objects].child : -1; node >= 0;
         node = tree->nodes[node].next) {
        FbxObject object = {.node = node, .kind = FBX_KINDS, .number = -1, .owner = -1, .use = -1};
        FbxValue id;
        for (int kind = 0; kind < FBX_KINDS; kind++)
            if (fbx_named(tree, node, kind_names[kind][0]) &&
                (!kind_names[kind][1] || fbx_text_is(tree, node, 2, kind_names[kind][1])))
                object.kind = (FbxKind)kind;
        if (object.kind == FBX_KINDS || !fbx_value(tree, node, 0, &id) || id.kind != 'n')
            continue;
        object.id = id.integer;
        GROW(reading->objects, reading->object_count, "the objects");
        reading->objects[reading->object_count++] = object;
    }
    if (reading->object_count > 0)
        qsort(reading->objects, (size_t)reading->object_count, sizeof *reading->objects, object_compare);
    for (int i = 1; i < reading->object_count; i++)
        if (reading->objects[i].id == reading->objects[i - 1].id)
            return bad_input("%s: two objects have the number %" PRId64, tree->path, reading->objects[i].id);
    for (int node = connections >= 0 ? tree->nodes[connections].child : -1; node >= 0;
         node = tree->nodes[node].next) {
        FbxValue from, to;
        if (!fbx_value(tree, node, 1, &from) || !fbx_value(tree, node, 2, &to))
            continue;
        const FbxLink link = {object_find(reading, from.integer), object_find(reading, to.integer), node};
        if (link.from < 0 || link.to < 0)
            continue;
        GROW(reading->links, reading->link_count, "the connections");
        reading->links[reading->link_count++] = link;
    }
    if (reading->link_count > 0)
        qsort(reading->links, (size_t)reading->link_count, sizeof *reading->links, link_compare);
    for (int node = fbx_child(tree, fbx_child(tree, 0, "Definitions"), "ObjectType"); node >= 0;
         node = tree->nodes[node].next)
        if (fbx_text_is(tree, node, 0, "Model"))
            reading->defaults = fbx_child(tree, node, "PropertyTemplate");
    return status_ok();
}

/* ---- models ---- */

/* A property of three numbers. */
static Vec3 vector_read(const FbxReading *reading, int object, const char *name)
{
    double numbers[3] = {0.0, 0.0, 0.0};
    (void)fbx_property(&reading->tree, reading->objects[object].node, reading->defaults, name, 3, numbers);
    return vec3_make(numbers[0], numbers[1], numbers[2]);
}

static double number_read(const FbxReading *reading, int object, int defaults, const char *name,
                          double missing)
{
    (void)fbx_property(&reading->tree, reading->objects[object].node, defaults, name, 1, &missing);
    return missing;
}

/* A rotation by angles in the order XYZ, then a translation. */
static Transform turned_and_moved(Vec3 degrees, Vec3 place)
{
    const double angles[3] = {degrees.x, degrees.y, degrees.z};
    return affine_parts_join((AffineParts){place, fbx_rotation(angles, 0), vec3_make(1.0, 1.0, 1.0)});
}

static Status model_read(FbxReading *reading, int object, SceneNode *node, SceneEuler *euler)
{
    static const char *const parts[] = {"Lcl Translation", "Lcl Rotation", "Lcl Scaling"};
    const Vec3 zero = vec3_make(0.0, 0.0, 0.0), pivot = vector_read(reading, object, "RotationPivot"),
               scaling_pivot = vector_read(reading, object, "ScalingPivot");
    STATUS_TRY(name_copy(reading, object, &node->name));
    node->parent = -1;
    for (int part = 0; part < 3; part++) {
        for (int axis = 0; axis < 3; axis++)
            euler->parts[part][axis] = part == 2 ? 1.0 : 0.0;
        (void)fbx_property(&reading->tree, reading->objects[object].node, reading->defaults, parts[part], 3,
                           euler->parts[part]);
    }
    const double order = number_read(reading, object, reading->defaults, "RotationOrder", 0.0),
                 inherit = number_read(reading, object, reading->defaults, "InheritType", 1.0);
    if (!(order >= 0.0 && order < 6.0))
        return object_refusal(reading, object, "has a spheric or unknown rotation order, which is not read");
    if (!(inherit >= 0.0 && inherit < 3.0))
        return object_refusal(reading, object, "has an unknown InheritType");
    euler->order = (int)order;
    euler->inherit = (int)inherit;
    euler->before = turned_and_moved(vector_read(reading, object, "PreRotation"),
                                     vec3_add(vector_read(reading, object, "RotationOffset"), pivot));
    Transform back = turned_and_moved(vector_read(reading, object, "PostRotation"), zero);
    (void)transform_inverse(back, &back); /* a rotation */
    const Vec3 behind =
        vec3_add(vec3_sub(vector_read(reading, object, "ScalingOffset"), pivot), scaling_pivot);
    euler->between = transform_moved_to(back, transform_point(back, behind));
    euler->after = transform_moved_to(transform_identity(), vec3_scale(scaling_pivot, -1.0));
    /* for the checks of a scene: all constants that the place is made of */
    node->has_matrix = true;
    node->matrix = transform_product(euler->before, transform_product(euler->between, euler->after));
    for (int i = 0; i < 9; i++)
        (&node->matrix.m00)[i] += euler->parts[i / 3][i % 3];
    return status_ok();
}

/* The models as nodes, in the order of the file. */
static Status models_read(FbxReading *reading)
{
    Scene *scene = reading->scene;
    const FbxTree *tree = &reading->tree;
    const int objects = fbx_child(tree, 0, "Objects");
    ALLOCATE(scene->nodes, reading->object_count, "the nodes");
    ALLOCATE(scene->eulers, reading->object_count, "the nodes");
    LOCAL_ARRAY(int32_t, object_of, tree->node_count, "the nodes");
    for (int i = 0; i < reading->object_count; i++)
        object_of[reading->objects[i].node] = i + 1;
    for (int node = objects >= 0 ? tree->nodes[objects].child : -1; node >= 0;
         node = tree->nodes[node].next) {
        const int object = object_of[node] - 1, number = scene->node_count;
        if (object < 0 || reading->objects[object].kind != FBX_MODEL)
            continue;
        reading->objects[object].number = number;
        scene->node_count++;
        STATUS_TRY(model_read(reading, object, &scene->nodes[number], &scene->eulers[number]));
    }
    for (int i = 0; i < reading->link_count; i++) {
        const FbxObject *from = &reading->objects[reading->links[i].from],
                        *to = &reading->objects[reading->links[i].to];
        if (from->kind != FBX_MODEL || to->kind != FBX_MODEL ||
            !fbx_text_is(tree, reading->links[i].node, 0, "OO"))
            continue;
        SceneNode *node = &scene->nodes[from->number];
        if (node->parent >= 0 && node->parent != to->number)
            return object_refusal(reading, reading->links[i].from, "has several parents");
        node->parent = to->number;
    }
    return status_ok();
}

/* ---- meshes ---- */

/* A 4 x 4 matrix, column by column. */
static Status matrix_read(const FbxReading *reading, int object, const char *name, Transform *out)
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

/* The influences of a mesh's vertices, and its skin. `place` [points]: the vertex of each control point, -1:
 * none. */
static Status skin_read(FbxReading *reading, int geometry, int instance, const int32_t *place, int points)
{
    Scene *scene = reading->scene;
    SceneMesh *mesh = &scene->meshes[instance];
    SceneSkin *skin = &scene->skins[instance];
    int link = link_first(reading, geometry), clusters = 0;
    if (!link_from(reading, geometry, FBX_SKIN, &link))
        return status_ok();
    const int deformer = reading->links[link++].from;
    if (link_from(reading, geometry, FBX_SKIN, &link))
        return object_refusal(reading, geometry, "has several skins");
    for (int l = link_first(reading, deformer); link_from(reading, deformer, FBX_CLUSTER, &l); l++)
        clusters++;
    *skin = (SceneSkin){.joint_count = clusters};
    STATUS_TRY(memory_count(reading, 160.0 * clusters, "the joints of a skin"));
    STATUS_TRY(scene_skin_allocate(skin));
    COPY_TEXT(skin->name, mesh->name, "a skin");
    LOCAL_ARRAY(int32_t, used, mesh->vertex_count, "the weights");
    for (int pass = 0; pass < 2; pass++) { /* counts, then fills */
        int joint = 0;
        for (int l = link_first(reading, deformer); link_from(reading, deformer, FBX_CLUSTER, &l); l++) {
            const int cluster = reading->links[l].from, node = reading->objects[cluster].node;
            int bone = link_first(reading, cluster), count = 0, weight_count = 0;
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
                const bool known = indices[i] >= 0.0 && indices[i] < points;
                const int vertex = known ? place[(int)indices[i]] : -1;
                reading->astray += !known && pass == 0;
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
        for (int b = link_first(reading, geometry); link_from(reading, geometry, FBX_BLEND_SHAPE, &b); b++) {
            const int blend = reading->links[b].from;
            for (int c = link_first(reading, blend); link_from(reading, blend, FBX_BLEND_CHANNEL, &c); c++) {
                const int channel = reading->links[c].from;
                int shape = link_first(reading, channel), count = 0, offset_count = 0;
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
                    const bool known = indices[i] >= 0.0 && indices[i] < points;
                    const int vertex = known ? place[(int)indices[i]] : -1;
                    if (vertex < 0)
                        continue;
                    const Vec3 moved = transform_direction(
                        *placed, vec3_make(offsets[3 * i], offsets[3 * i + 1], offsets[3 * i + 2]));
                    point_set(mesh->targets + (size_t)target * values, vertex, moved);
                }
                instance->target_weights[target] =
                    0.01 * number_read(reading, channel, -1, "DeformPercent", 0.0);
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

static Status mesh_read(FbxReading *reading, int model, int geometry)
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
    /* the geometric transformation, which moves the mesh but neither its node's children nor its joints */
    double size[3] = {1.0, 1.0, 1.0};
    (void)fbx_property(&reading->tree, reading->objects[model].node, reading->defaults, "GeometricScaling", 3,
                       size);
    const Transform placed =
        transform_product(turned_and_moved(vector_read(reading, model, "GeometricRotation"),
                                           vector_read(reading, model, "GeometricTranslation")),
                          (Transform){.m00 = size[0], .m11 = size[1], .m22 = size[2]});
    for (int i = 0; i < point_numbers / 3; i++)
        if (place[i] >= 0)
            point_set(
                mesh->positions, place[i],
                transform_point(placed, vec3_make(points[3 * (ptrdiff_t)i], points[3 * (ptrdiff_t)i + 1],
                                                  points[3 * (ptrdiff_t)i + 2])));
    STATUS_TRY(targets_read(reading, geometry, number, &placed, place, point_numbers / 3));
    return skin_read(reading, geometry, number, place, point_numbers / 3);
}

/* Every mesh of every model. */
static Status meshes_read(FbxReading *reading)
{
    Scene *scene = reading->scene;
    int count = 0;
    LOCAL_ARRAY(int32_t, object_of, scene->node_count, "the meshes");
    for (int i = 0; i < reading->object_count; i++) {
        if (reading->objects[i].kind != FBX_MODEL)
            continue;
        object_of[reading->objects[i].number] = i;
        for (int link = link_first(reading, i); link_from(reading, i, FBX_MESH, &link); link++)
            count++;
    }
    ALLOCATE(scene->meshes, count, "the meshes");
    ALLOCATE(scene->skins, count, "the meshes");
    ALLOCATE(scene->instances, count, "the meshes");
    for (int n = 0; n < scene->node_count; n++)
        for (int link = link_first(reading, object_of[n]); link_from(reading, object_of[n], FBX_MESH, &link);
             link++)
            STATUS_TRY(mesh_read(reading, object_of[n], reading->links[link].from));
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
                           const double *otherwise, double unit)
{
    static const char *const names[] = {"d|X", "d|Y", "d|Z", "d|DeformPercent"};
    const int axes = like.path == SCENE_WEIGHTS ? 1 : 3;
    for (int axis = 0; axis < axes; axis++) {
        const char *name = names[axes == 1 ? 3 : axis];
        GROW(clip->channels, clip->channel_count, "the clips");
        SceneChannel *channel = &clip->channels[clip->channel_count++];
        *channel = like;
        channel->axis = axes == 1 ? like.axis : axis;
        for (int l = link_first(reading, curve_node); link_from(reading, curve_node, FBX_CURVE, &l); l++)
            if (channel->key_count == 0 && (fbx_text_is(&reading->tree, reading->links[l].node, 3, name) ||
                                            fbx_text_is(&reading->tree, reading->links[l].node, 3, name + 2)))
                STATUS_TRY(curve_read(reading, reading->links[l].from, channel));
        if (channel->key_count == 0) {
            FREE_ALL(channel->times, channel->values);
            channel->still = true;
            channel->key_count = 1;
            STATUS_TRY(scene_channel_allocate(channel));
            channel->values[CURVE_VALUE] = number_read(reading, curve_node, -1, name, otherwise[axis]);
        }
        for (ptrdiff_t i = 0; unit != 1.0 && i < (ptrdiff_t)channel->key_count * CURVE_NUMBERS; i++)
            if (i % CURVE_NUMBERS == CURVE_VALUE || i % CURVE_NUMBERS == CURVE_SLOPE ||
                i % CURVE_NUMBERS == CURVE_NEXT_SLOPE)
                channel->values[i] *= unit;
    }
    return status_ok();
}

/* What the link from a curve node moves, in the clip of its stack. */
static Status motion_read(FbxReading *reading, const FbxLink *link)
{
    static const char *const parts[] = {"Lcl Translation", "Lcl Rotation", "Lcl Scaling"};
    static const char *const constants[] = {"RotationOffset",    "RotationPivot",   "PreRotation",
                                            "PostRotation",      "ScalingOffset",   "ScalingPivot",
                                            "RotationOrder",     "InheritType",     "GeometricTranslation",
                                            "GeometricRotation", "GeometricScaling"};
    const FbxObject *from = &reading->objects[link->from], *to = &reading->objects[link->to];
    const int layer = from->owner, stack = layer >= 0 ? reading->objects[layer].owner : -1;
    if (from->kind != FBX_CURVE_NODE || stack < 0 || reading->objects[layer].number < 0)
        return status_ok();
    SceneClip *clip = &reading->scene->clips[reading->objects[stack].number];
    SceneChannel like = {.interpolation = SCENE_CURVE, .width = 1, .layer = reading->objects[layer].number};
    if (to->kind == FBX_LAYER && fbx_text_is(&reading->tree, link->node, 3, "Weight"))
        return object_refusal(reading, link->to, "has an animated weight, which is not read");
    for (int part = 0; to->kind == FBX_MODEL && part < 3; part++) {
        if (!fbx_text_is(&reading->tree, link->node, 3, parts[part]))
            continue;
        like.path = (ScenePath)(SCENE_TRANSLATION + part);
        like.node = to->number;
        const double identity = part == 2 ? 1.0 : 0.0, nothing[3] = {identity, identity, identity};
        return channels_add(reading, link->from, clip, like,
                            like.layer == 0 ? reading->scene->eulers[to->number].parts[part] : nothing, 1.0);
    }
    for (size_t i = 0; to->kind == FBX_MODEL && i < sizeof constants / sizeof constants[0]; i++)
        if (fbx_text_is(&reading->tree, link->node, 3, constants[i]))
            return object_refusal(reading, link->to, "has an animated pivot or offset, which is not read");
    for (int use = to->kind == FBX_BLEND_CHANNEL ? to->use : -1; use >= 0; use = reading->targets[use].next) {
        const double percent = number_read(reading, link->to, -1, "DeformPercent", 0.0);
        if (!fbx_text_is(&reading->tree, link->node, 3, "DeformPercent"))
            break;
        like.path = SCENE_WEIGHTS;
        like.node = reading->scene->instances[reading->targets[use].instance].node;
        like.axis = reading->targets[use].target;
        STATUS_TRY(channels_add(reading, link->from, clip, like, &percent, 0.01));
    }
    return status_ok();
}

/* Channels by layer, and otherwise as they are: moves[i] is a channel's place. */
static Status channels_sort(SceneClip *clip)
{
    int next = 0;
    LOCAL_ARRAY(SceneChannel, sorted, clip->channel_count, "the clips");
    LOCAL_ARRAY(int32_t, counts, (size_t)clip->layer_count + 1, "the clips");
    for (int c = 0; c < clip->channel_count; c++)
        counts[clip->channels[c].layer + 1]++;
    for (int l = 0; l < clip->layer_count; l++)
        counts[l + 1] += counts[l];
    for (int c = 0; c < clip->channel_count; c++, next++)
        sorted[counts[clip->channels[c].layer]++] = clip->channels[c];
    if (next > 0)
        memcpy(clip->channels, sorted, (size_t)next * sizeof *sorted);
    return status_ok();
}

static Status clips_read(FbxReading *reading)
{
    Scene *scene = reading->scene;
    const double WHOLE = 0.99999;
    int stacks = 0;
    scene->clips_place = "AnimationStack";
    for (int i = 0; i < reading->object_count; i++)
        stacks += reading->objects[i].kind == FBX_STACK;
    ALLOCATE(scene->clips, stacks, "the clips");
    for (int i = 0; i < reading->object_count; i++) {
        FbxObject *stack = &reading->objects[i];
        if (stack->kind != FBX_STACK)
            continue;
        SceneClip *clip = &scene->clips[scene->clip_count];
        stack->number = scene->clip_count++;
        STATUS_TRY(name_copy(reading, i, &clip->name));
        for (int l = link_first(reading, i); link_from(reading, i, FBX_LAYER, &l); l++) {
            const int object = reading->links[l].from;
            FbxObject *layer = &reading->objects[object];
            if (layer->owner >= 0 || number_read(reading, object, -1, "Mute", 0.0) != 0.0)
                continue;
            const double weight = 0.01 * number_read(reading, object, -1, "Weight", 100.0);
            const double blending = number_read(reading, object, -1, "BlendMode", 0.0);
            GROW(clip->layers, clip->layer_count, "the layers");
            clip->layers[clip->layer_count] = (SceneLayer){
                .weight = weight > WHOLE ? 1.0 : fmax(0.0, weight),
                .blending = blending == 0.0   ? SCENE_ADDED
                            : blending == 2.0 ? SCENE_MIXED
                                              : SCENE_OVERRIDDEN,
                .angles_apart = number_read(reading, object, -1, "RotationAccumulationMode", 0.0) != 0.0,
                .scales_added = number_read(reading, object, -1, "ScaleAccumulationMode", 0.0) != 0.0};
            layer->owner = i;
            layer->number = clip->layer_count++;
        }
    }
    for (int i = 0; i < reading->link_count; i++) {
        FbxObject *from = &reading->objects[reading->links[i].from];
        if (from->kind == FBX_CURVE_NODE && reading->objects[reading->links[i].to].kind == FBX_LAYER &&
            fbx_text_is(&reading->tree, reading->links[i].node, 0, "OO"))
            from->owner = reading->links[i].to;
    }
    for (int i = 0; i < reading->link_count; i++)
        STATUS_TRY(motion_read(reading, &reading->links[i]));
    for (int i = 0; i < scene->clip_count; i++)
        STATUS_TRY(channels_sort(&scene->clips[i]));
    return status_ok();
}

/* ---- all of it ---- */

Status fbx_read(const char *path, const FormatNotes *notes, Scene *out)
{
    CLEANUP(fbx_reading_clear) FbxReading reading = {.scene = out, .notes = notes, .defaults = -1};
    double up = -1.0, sign = 1.0, unit_cm = 1.0;
    *out = (Scene){.path = path};
    STATUS_TRY(fbx_tree_read(path, &reading.tree));
    out->memory_bytes = reading.tree.memory_bytes;
    STATUS_TRY(objects_list(&reading));
    STATUS_TRY(models_read(&reading));
    STATUS_TRY(meshes_read(&reading));
    STATUS_TRY(clips_read(&reading));
    const int settings = fbx_child(&reading.tree, 0, "GlobalSettings");
    (void)fbx_property(&reading.tree, settings, -1, "UpAxis", 1, &up);
    (void)fbx_property(&reading.tree, settings, -1, "UpAxisSign", 1, &sign);
    (void)fbx_property(&reading.tree, settings, -1, "UnitScaleFactor", 1, &unit_cm);
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
