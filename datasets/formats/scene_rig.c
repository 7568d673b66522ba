/* Collects the joints of a scene's skins and moving meshes, and orders them. */
#include "datasets/formats/scene_rig.h"

#include "datasets/formats/scene_pose.h"
#include "datasets/geometry/points.h"

static const Transform identity = {1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0};

typedef struct Gathering {
    const Scene *scene;
    const FormatNotes *notes;
    SceneRig *rig;
    int32_t *joint_of_node; /* [node_count] first joint of the node, or -1 */
    int32_t *nearest;       /* [node_count] */
    int32_t *next;          /* [upper bound of the number of joints] next joint of the same node, or -1 */
    Transform *placed;      /* [skin_count] transformation from the space of each skin to the rest pose */
    unsigned char *done;    /* [skin_count] */
    Transform *globals;     /* [node_count] places of the nodes without animation */
} Gathering;

/* Whether two bind matrices map all points within `extent` of the origin to the same positions, up to the
 * rounding of floats. */
static bool binds_equal(const Transform *a, const Transform *b, double extent)
{
    const double CLOSE = 2e-6;
    const double *x = &a->m00, *y = &b->m00;
    double linear = 0.0, moved = 0.0, linear_off = 0.0, moved_off = 0.0;
    for (int i = 0; i < 12; i++) {
        double *size = i % 4 == 3 ? &moved : &linear, *off = i % 4 == 3 ? &moved_off : &linear_off;
        *size = fmax(*size, fabs(x[i]));
        *off = fmax(*off, fabs(x[i] - y[i]));
    }
    return linear_off <= CLOSE * linear && moved_off <= CLOSE * (moved + linear * extent);
}

static int joint_add(Gathering *gathering, int node, int skin, Transform inverse_bind)
{
    SceneRig *rig = gathering->rig;
    const int joint = rig->joint_count++;
    rig->joints[joint] = (SceneJoint){.node = node, .skin = skin, .parent = -1, .inverse_bind = inverse_bind};
    gathering->next[joint] = -1;
    int32_t *link = &gathering->joint_of_node[node];
    while (*link >= 0)
        link = &gathering->next[*link];
    *link = joint;
    return joint;
}

/* Finds the transformation D from the space of a skin to the rest pose. For every node that is already a
 * joint, D must satisfy
 *
 *   (inverse bind matrix of the joint) D = (inverse bind matrix of the skin)
 *
 * Returns false if there is no such D. */
static bool space_find(const Gathering *gathering, const SceneSkin *skin, double extent, Transform *space)
{
    bool found = false;
    for (int k = 0; k < skin->joint_count; k++) {
        const int joint = gathering->joint_of_node[skin->joints[k]];
        Transform back, moved;
        if (joint < 0)
            continue;
        const Transform *there = &gathering->rig->joints[joint].inverse_bind;
        if (!found) {
            if (!transform_inverse(*there, &back))
                return false;
            *space = transform_product(back, skin->inverse_binds[k]);
            found = true;
        }
        moved = transform_product(*there, *space);
        if (!binds_equal(&moved, &skin->inverse_binds[k], extent))
            return false;
    }
    if (found && binds_equal(space, &identity, extent))
        *space = identity;
    return found;
}

static void skin_gather(Gathering *gathering, int number, const SceneMesh *mesh)
{
    const SceneSkin *skin = &gathering->scene->skins[number];
    SceneRig *rig = gathering->rig;
    const double extent = bounds_of(mesh->positions, mesh->vertex_count).diagonal;
    Transform space = identity, back = identity;
    if (!space_find(gathering, skin, extent, &space) || !transform_inverse(space, &back))
        space = back = identity;
    if (!binds_equal(&space, &identity, extent))
        format_note(
            gathering->notes,
            "the skin '%s' is bound in a space of its own; it is moved to the space of the first skin",
            skin->name);
    for (int k = 0; k < skin->joint_count; k++) {
        const int node = skin->joints[k];
        const Transform bind = transform_product(skin->inverse_binds[k], back);
        int joint = gathering->joint_of_node[node];
        while (joint >= 0 && !binds_equal(&rig->joints[joint].inverse_bind, &bind, extent))
            joint = gathering->next[joint];
        if (joint < 0 && gathering->joint_of_node[node] >= 0)
            format_note(gathering->notes, "the node '%s' is bound in two ways and becomes two joints",
                        gathering->scene->nodes[node].name);
        rig->skin_joints[rig->skin_first[number] + k] =
            joint >= 0 ? joint : joint_add(gathering, node, number, bind);
    }
    gathering->placed[number] = space;
    gathering->done[number] = 1;
}

/* Makes a joint for a node that has no bind matrix. It is bound relative to its nearest ancestor that is a
 * joint, or else at the place of the node without animation. */
static int mesh_joint(Gathering *gathering, int node)
{
    const int above = gathering->nearest[node];
    Transform frame = gathering->globals[node], bind, back;
    if (gathering->joint_of_node[node] >= 0)
        return gathering->joint_of_node[node];
    if (above >= 0 && transform_inverse(gathering->globals[above], &back) &&
        transform_inverse(gathering->rig->joints[gathering->joint_of_node[above]].inverse_bind, &bind))
        frame = transform_product(bind, transform_product(back, frame));
    return joint_add(gathering, node, -1, transform_inverse(frame, &bind) ? bind : identity);
}

/* Finds the nearest joint of every node: the node's own joint, or that of its nearest ancestor with a
 * joint, or -1. */
static void nearest_joints_find(Gathering *gathering)
{
    const Scene *scene = gathering->scene;
    for (int i = 0; i < scene->node_count; i++) {
        const int node = scene->order[i], parent = scene->nodes[node].parent;
        const int above = parent >= 0 ? gathering->nearest[parent] : -1;
        gathering->nearest[node] = gathering->joint_of_node[node] >= 0 ? node : above;
    }
}

/* Finds the parent of each joint. If the nearest ancestor has several joints, the parent is the one of the
 * same skin or, if there is none, the first one. */
static void parents_find(Gathering *gathering)
{
    SceneRig *rig = gathering->rig;
    nearest_joints_find(gathering);
    for (int j = 0; j < rig->joint_count; j++) {
        SceneJoint *joint = &rig->joints[j];
        const int parent = gathering->scene->nodes[joint->node].parent;
        const int ancestor = parent >= 0 ? gathering->nearest[parent] : -1;
        joint->parent = ancestor >= 0 ? gathering->joint_of_node[ancestor] : -1;
        for (int other = joint->parent; other >= 0; other = gathering->next[other])
            if (rig->joints[other].skin == joint->skin) {
                joint->parent = other;
                break;
            }
    }
}

static void gathering_clear(Gathering *gathering)
{
    FREE_ALL(gathering->joint_of_node, gathering->nearest, gathering->next, gathering->placed,
             gathering->done, gathering->globals);
}

/* The mesh of a skin stays in its own space, to which its inverse bind matrices refer. The mesh of a later
 * skin is moved if the shared joints show that it is the same figure bound in another space. A mesh without
 * a skin follows its node with weight 1. Its rest pose is relative to the bind pose of the nearest ancestor
 * that is a joint. If there is none, it is at its place without animation. */
Status scene_rig_init(const Scene *scene, const FormatNotes *notes, SceneRig *out)
{
    CLEANUP(gathering_clear) Gathering gathering = {.scene = scene, .notes = notes, .rig = out};
    LOCAL_ARRAY(SceneLocal, locals, scene->node_count, "the joints");
    *out = (SceneRig){0};
    /* upper bound of the number of joints */
    const size_t nodes = (size_t)scene->node_count, skins = (size_t)scene->skin_count,
                 instances = (size_t)scene->instance_count;
    size_t slots = 0;
    ALLOCATE(out->skin_first, skins, "the joints");
    for (size_t s = 0; s < skins; s++) {
        out->skin_first[s] = (int64_t)slots;
        slots += (size_t)scene->skins[s].joint_count;
    }
    const size_t joints_max = slots + instances;
    ALLOCATE(out->skin_joints, slots, "the joints");
    ALLOCATE(out->joints, joints_max, "the joints");
    ALLOCATE(out->instance_joints, instances, "the joints");
    ALLOCATE(out->placements, instances, "the joints");
    ALLOCATE(gathering.joint_of_node, nodes, "the joints");
    ALLOCATE(gathering.nearest, nodes, "the joints");
    ALLOCATE(gathering.next, joints_max, "the joints");
    ALLOCATE(gathering.placed, skins, "the joints");
    ALLOCATE(gathering.done, skins, "the joints");
    ALLOCATE(gathering.globals, nodes, "the joints");
    LOCAL_ARRAY(int32_t, place, joints_max, "the joints");
    LOCAL_ARRAY(int32_t, way, joints_max, "the joints");
    scene_pose(scene, NULL, 0.0, locals, gathering.globals);
    for (int i = 0; i < scene->node_count; i++)
        gathering.joint_of_node[i] = -1;
    for (int i = 0; i < scene->instance_count; i++) {
        const SceneInstance *instance = &scene->instances[i];
        out->instance_joints[i] = -1;
        if (instance->skin >= 0 && !gathering.done[instance->skin])
            skin_gather(&gathering, instance->skin, &scene->meshes[instance->mesh]);
        if (instance->skin >= 0)
            out->placements[i] = gathering.placed[instance->skin];
    }
    nearest_joints_find(&gathering);
    for (int i = 0; i < scene->instance_count; i++) {
        const SceneInstance *instance = &scene->instances[i];
        if (instance->skin >= 0)
            continue;
        const int joint = out->instance_joints[i] = mesh_joint(&gathering, instance->node);
        if (!transform_inverse(out->joints[joint].inverse_bind, &out->placements[i]))
            out->placements[i] = identity;
    }
    parents_find(&gathering);
    /* put parents before children; otherwise keep the order */
    int count = 0;
    LOCAL_ARRAY(SceneJoint, ordered, out->joint_count, "the joints");
    for (int j = 0; j < out->joint_count; j++)
        place[j] = -1;
    for (int j = 0; j < out->joint_count; j++) {
        int length = 0;
        for (int up = j; up >= 0 && place[up] < 0; up = out->joints[up].parent)
            way[length++] = up;
        while (length > 0) {
            const int joint = way[--length];
            ordered[count] = out->joints[joint];
            if (ordered[count].parent >= 0)
                ordered[count].parent = place[ordered[count].parent];
            place[joint] = count++;
        }
    }
    memory_free(out->joints);
    out->joints = TAKE(ordered);
    for (int i = 0; i < scene->instance_count; i++) {
        const SceneInstance *instance = &scene->instances[i];
        if (instance->skin < 0)
            out->instance_joints[i] = place[out->instance_joints[i]];
    }
    for (int s = 0; s < scene->skin_count; s++)
        for (int k = 0; gathering.done[s] && k < scene->skins[s].joint_count; k++) {
            int32_t *joint = &out->skin_joints[out->skin_first[s] + k];
            *joint = place[*joint];
        }
    return status_ok();
}

void scene_rig_clear(SceneRig *rig)
{
    FREE_ALL(rig->joints, rig->skin_first, rig->skin_joints, rig->instance_joints, rig->placements);
    *rig = (SceneRig){0};
}
