/* Lists objects and connections. The connections are sorted by destination, and the connections from one
 * source form a linked list, so that the neighbours of an object are found quickly. */
#include "datasets/formats/fbx_objects.h"

#define OTHERWISE "open it in Blender and export glTF"

/* For each kind of object: its node's name in the tree, and the text that its third value must have (NULL:
 * any text). */
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

/* Names of the properties that determine the place of a node. Clips may animate only the first three. */
const char *const fbx_place_names[PLACES] = {
    "Lcl Translation", "Lcl Rotation",         "Lcl Scaling",       "PreRotation",
    "PostRotation",    "RotationOffset",       "RotationPivot",     "ScalingOffset",
    "ScalingPivot",    "GeometricTranslation", "GeometricRotation", "GeometricScaling",
    "RotationOrder",   "InheritType",          "RotationActive",    "RotationSpaceForLimitOnly"};

typedef struct FbxId {
    int64_t id;
    int object;
} FbxId;

void fbx_reading_clear(FbxReading *reading)
{
    fbx_tree_clear(&reading->tree);
    FREE_ALL(reading->objects, reading->links, reading->targets);
}

Status fbx_memory_count(FbxReading *reading, double bytes, const char *what)
{
    reading->bytes += bytes;
    return scene_memory_check(reading->scene, reading->bytes, "%s", what);
}

Status fbx_name_copy(const FbxReading *reading, int object, char **out)
{
    const bool binary = reading->tree.binary;
    FbxValue value;
    (void)fbx_value(&reading->tree, reading->objects[object].node, 1, &value);
    const char *text = value.kind == 's' ? value.text : "";
    size_t length = value.kind == 's' ? value.length : 0, separator = 0;
    while (separator + 1 < length && memcmp(text + separator, binary ? "\0\1" : "::", 2) != 0)
        separator++;
    if (separator + 1 < length) {
        text += binary ? 0 : separator + 2;
        length = binary ? separator : length - separator - 2;
    }
    *out = memory_text_start(text, length);
    ALLOCATED(*out, "a name");
    return status_ok();
}

Status fbx_refusal(const FbxReading *reading, int object, const char *what)
{
    OWNED char *name = NULL;
    STATUS_TRY(fbx_name_copy(reading, object, &name));
    return bad_input("%s: %s '%s' %s: " OTHERWISE, reading->tree.path,
                     kind_names[reading->objects[object].kind][0], name, what);
}

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

bool fbx_link_from(const FbxReading *reading, int object, FbxKind kind, int *link)
{
    for (; *link < reading->link_count && reading->links[*link].to == object; ++*link)
        if (reading->objects[reading->links[*link].from].kind == kind)
            return true;
    return false;
}

bool fbx_link_moves(const FbxReading *reading, const FbxLink *link, const char *property)
{
    return fbx_text_is(&reading->tree, link->node, 3, property);
}

void fbx_places_read(const FbxTree *tree, int object, double places[PLACES][3])
{
    const int list = fbx_child(tree, object, "Properties70");
    for (int p = list >= 0 ? tree->nodes[list].child : -1; p >= 0; p = tree->nodes[p].next)
        for (int i = 0; i < PLACES; i++)
            if (fbx_text_is(tree, p, 0, fbx_place_names[i]))
                (void)fbx_property(tree, p, places[i]);
}

double fbx_deform_percent(const FbxTree *tree, int channel)
{
    FbxValue value;
    (void)fbx_value(tree, fbx_child(tree, channel, "DeformPercent"), 0, &value);
    return fbx_number(tree, channel, "DeformPercent", value.number);
}

Status fbx_objects_list(FbxReading *reading)
{
    const FbxTree *tree = &reading->tree;
    const int objects = fbx_child(tree, 0, "Objects"), connections = fbx_child(tree, 0, "Connections");
    FbxValue ends[2];
    for (int node = objects >= 0 ? tree->nodes[objects].child : -1; node >= 0;
         node = tree->nodes[node].next) {
        FbxObject object = {.node = node, .kind = FBX_KINDS, .leaving = -1, .use = -1};
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
        const FbxId *matches[2] = {NULL, NULL};
        for (int i = 0; i < 2; i++)
            if (fbx_value(tree, node, 1 + i, &ends[i]))
                matches[i] = bsearch(&(FbxId){ends[i].integer, 0}, ids, count, sizeof *ids, id_compare);
        if (!matches[0] || !matches[1])
            continue;
        GROW(reading->links, reading->link_count, "the connections");
        reading->links[reading->link_count++] = (FbxLink){matches[0]->object, matches[1]->object, node, -1};
    }
    if (reading->link_count > 0)
        qsort(reading->links, (size_t)reading->link_count, sizeof *reading->links, link_compare);
    for (int l = reading->link_count; l-- > 0;) {
        FbxLink *link = &reading->links[l];
        reading->objects[link->to].links = l;
        link->leaving = reading->objects[link->from].leaving;
        reading->objects[link->from].leaving = l;
    }
    for (int node = fbx_child(tree, fbx_child(tree, 0, "Definitions"), "ObjectType"); node >= 0;
         node = tree->nodes[node].next)
        if (fbx_text_is(tree, node, 0, "Model"))
            fbx_places_read(tree, fbx_child(tree, node, "PropertyTemplate"), reading->defaults);
    return status_ok();
}
