/* Allocates and checks scenes. Readers fill in a scene from an untrusted file; scene_check then checks its
 * values. */
#include "datasets/formats/scene.h"

#include "datasets/geometry/topology.h"
#include "datasets/geometry/transform_parts.h"
#include "datasets/model/check.h"
#include "datasets/model/validate.h"

Status scene_memory_check(const Scene *scene, double bytes, const char *what, ...)
{
    char text[256];
    va_list arguments;
    if (bytes <= scene->memory_bytes)
        return status_ok();
    va_start(arguments, what);
    vsnprintf(text, sizeof text, what, arguments);
    va_end(arguments);
    return bad_input("%s: %s take %.0f MB, more than the %.0f MB that a file of this size should need; "
                     "use --memory-limit SIZE to allow it",
                     scene->path, text, bytes / (1 << 20), scene->memory_bytes / (1 << 20));
}

Status scene_mesh_allocate(SceneMesh *mesh)
{
    const size_t vertices = (size_t)mesh->vertex_count, slots = (size_t)mesh->influence_count;
    ALLOCATE_TABLE(mesh->positions, vertices, 3, "a mesh");
    ALLOCATE_TABLE(mesh->triangles, mesh->triangle_count, 3, "a mesh");
    ALLOCATE_TABLE(mesh->weight_joints, vertices, slots, "a mesh");
    ALLOCATE_TABLE(mesh->weight_values, vertices, slots, "a mesh");
    mesh->targets = memory_table((size_t)mesh->target_count, vertices, 3 * sizeof *mesh->targets);
    ALLOCATED(mesh->targets, "a mesh");
    return status_ok();
}

Status scene_skin_allocate(SceneSkin *skin)
{
    ALLOCATE(skin->joints, skin->joint_count, "a skin");
    ALLOCATE(skin->inverse_binds, skin->joint_count, "a skin");
    return status_ok();
}

static size_t values_per_key(const SceneChannel *channel)
{
    return channel->interpolation == SCENE_CURVE
               ? CURVE_NUMBERS
               : (size_t)channel->width * (channel->interpolation == SCENE_CUBIC ? 3 : 1);
}

Status scene_channel_allocate(SceneChannel *channel)
{
    ALLOCATE(channel->times, channel->key_count, "the keys of a clip");
    ALLOCATE_TABLE(channel->values, channel->key_count, values_per_key(channel), "the keys of a clip");
    return status_ok();
}

void scene_clear(Scene *scene)
{
    for (int i = 0; scene->nodes && i < scene->node_count; i++)
        memory_free(scene->nodes[i].name);
    for (int i = 0; scene->meshes && i < scene->mesh_count; i++) {
        SceneMesh *mesh = &scene->meshes[i];
        FREE_ALL(mesh->name, mesh->positions, mesh->triangles, mesh->weight_joints, mesh->weight_values,
                 mesh->targets);
        mesh_clear(&mesh->painted);
    }
    for (int i = 0; scene->skins && i < scene->skin_count; i++)
        FREE_ALL(scene->skins[i].name, scene->skins[i].joints, scene->skins[i].inverse_binds);
    for (int i = 0; scene->instances && i < scene->instance_count; i++)
        memory_free(scene->instances[i].target_weights);
    for (int i = 0; scene->clips && i < scene->clip_count; i++) {
        SceneClip *clip = &scene->clips[i];
        for (int c = 0; clip->channels && c < clip->channel_count; c++)
            FREE_ALL(clip->channels[c].times, clip->channels[c].values);
        FREE_ALL(clip->name, clip->channels, clip->layers);
    }
    FREE_ALL(scene->nodes, scene->eulers, scene->meshes, scene->skins, scene->instances, scene->clips,
             scene->order);
    *scene = (Scene){.path = scene->path};
}

/* Returns the index of the first value that is not finite or whose magnitude exceeds `bound`, or -1 if
 * there is no such value. */
static int64_t double_doubtful(const double *values, int64_t count, double bound)
{
    for (int64_t i = 0; i < count; i++)
        if (!(fabs(values[i]) <= bound))
            return i;
    return -1;
}

static bool node_finite(const SceneNode *node)
{
    const double bound = check_bound(CHECK_BOUND_LENGTH);
    if (node->has_matrix)
        return double_doubtful(&node->matrix.m00, 12, bound) < 0;
    const double parts[] = {node->translation.x, node->translation.y, node->translation.z, node->scale.x,
                            node->scale.y,       node->scale.z,       node->rotation.w,    node->rotation.x,
                            node->rotation.y,    node->rotation.z};
    return double_doubtful(parts, 10, bound) < 0 && quat_dot(node->rotation, node->rotation) > 1e-12;
}

/* Sorts the nodes by depth, level by level. Detects cycles, because a node in a cycle is never reached. */
Status scene_nodes_check(Scene *scene)
{
    const int count = scene->node_count;
    LOCAL_ARRAY(int32_t, depth, count, "the nodes");
    LOCAL_ARRAY(int32_t, way, count, "the nodes");
    LOCAL_ARRAY(int32_t, starts, (size_t)count + 2, "the nodes");
    ALLOCATE(scene->order, count, "the nodes");
    for (int i = 0; i < count; i++) {
        const int parent = scene->nodes[i].parent;
        if (parent < -1 || parent >= count)
            return bad_input("%s: nodes[%d] has the parent %d, expected 0 to %d", scene->path, i, parent,
                             count - 1);
        if (!node_finite(&scene->nodes[i]))
            return bad_input("%s: nodes[%d] (%s): its transformation is not finite, larger than 1e9, "
                             "or has a rotation of length 0",
                             scene->path, i, scene->nodes[i].name);
    }
    for (int i = 0; i < count; i++) {
        int length = 0, node = i;
        for (; node >= 0 && depth[node] == 0; node = scene->nodes[node].parent) {
            if (length == count)
                return bad_input("%s: nodes[%d] (%s) is its own ancestor", scene->path, node,
                                 scene->nodes[node].name);
            way[length++] = node;
        }
        for (int above = node >= 0 ? depth[node] : 0; length > 0; starts[++above]++)
            depth[way[--length]] = above + 1;
    }
    for (int i = 1; i <= count; i++) /* turns counts of nodes by depth into start indices */
        starts[i + 1] += starts[i];
    for (int i = 0; i < count; i++)
        scene->order[starts[depth[i] - 1]++] = i;
    return status_ok();
}

static Status instance_check(const Scene *scene, int number)
{
    const SceneInstance *instance = &scene->instances[number];
    if (instance->node < 0 || instance->node >= scene->node_count)
        return bad_input("%s: a mesh is attached to nodes[%d], expected 0 to %d", scene->path, instance->node,
                         scene->node_count - 1);
    if (instance->mesh < 0 || instance->mesh >= scene->mesh_count || instance->skin < -1 ||
        instance->skin >= scene->skin_count)
        return bad_input("%s: nodes[%d] has the mesh %d and the skin %d; there are %d meshes and %d skins",
                         scene->path, instance->node, instance->mesh, instance->skin, scene->mesh_count,
                         scene->skin_count);
    const SceneMesh *mesh = &scene->meshes[instance->mesh];
    if (double_doubtful(instance->target_weights, mesh->target_count, check_bound(CHECK_BOUND_SCALE)) >= 0)
        return bad_input("%s: nodes[%d] has a weight of a morph target that is beyond 1000", scene->path,
                         instance->node);
    if (instance->skin < 0)
        return status_ok();
    const int joints = scene->skins[instance->skin].joint_count;
    if (joints < 1)
        return bad_input("%s: skins[%d] has no joints", scene->path, instance->skin);
    if (mesh->influence_count < 1)
        return bad_input("%s: nodes[%d] binds meshes[%d] to skins[%d], but it has no weights", scene->path,
                         instance->node, instance->mesh, instance->skin);
    for (int64_t k = 0; k < (int64_t)mesh->vertex_count * mesh->influence_count; k++)
        if (mesh->weight_values[k] != 0.0f && (uint32_t)mesh->weight_joints[k] >= (uint32_t)joints)
            return bad_input(
                "%s: meshes[%d]: influence %lld of vertex %lld names joint %lld, expected 0 to %d",
                scene->path, instance->mesh, (long long)k % mesh->influence_count,
                (long long)k / mesh->influence_count, (long long)(uint32_t)mesh->weight_joints[k],
                joints - 1);
    return status_ok();
}

static Status channel_check(const Scene *scene, const SceneChannel *channel, const char *place)
{
    static const int widths[] = {3, 4, 3};
    if (channel->node < 0 || channel->node >= scene->node_count)
        return bad_input("%s: %s moves nodes[%d], expected 0 to %d", scene->path, place, channel->node,
                         scene->node_count - 1);
    if (channel->key_count < 1)
        return bad_input("%s: %s has no keys", scene->path, place);
    if (channel->interpolation != SCENE_CURVE && channel->path != SCENE_WEIGHTS &&
        channel->width != widths[channel->path])
        return bad_input("%s: %s has %d numbers per value, expected %d", scene->path, place, channel->width,
                         widths[channel->path]);
    for (int k = 0; k < channel->key_count; k++)
        if (!(fabs(channel->times[k]) <= 1e9) || (k > 0 && channel->times[k] < channel->times[k - 1]))
            return bad_input("%s: %s: key %d is at %.9g s, after one at %.9g s", scene->path, place, k,
                             channel->times[k], k > 0 ? channel->times[k - 1] : 0.0);
    const int64_t per_key = (int64_t)values_per_key(channel);
    const int64_t bad =
        double_doubtful(channel->values, per_key * channel->key_count, check_bound(CHECK_BOUND_LENGTH));
    if (bad >= 0)
        return bad_input("%s: %s: key %lld has the value %g, expected a number of a sensible size",
                         scene->path, place, (long long)(bad / per_key), channel->values[bad]);
    return status_ok();
}

Status scene_check(Scene *scene)
{
    if (!scene->order)
        STATUS_TRY(scene_nodes_check(scene));
    for (int i = 0; i < scene->mesh_count; i++) {
        const SceneMesh *mesh = &scene->meshes[i];
        const int64_t vertices = mesh->vertex_count;
        char object[64];
        snprintf(object, sizeof object, "meshes[%d] vertices", i);
        STATUS_TRY(frames_validate(mesh->positions, 0, 1, 0, mesh->vertex_count, scene->path, object));
        snprintf(object, sizeof object, "meshes[%d] targets", i);
        STATUS_TRY(frames_validate(mesh->targets, 0, mesh->target_count, 0, mesh->vertex_count, scene->path,
                                   object));
        int64_t bad = corner_out_of_range(mesh->triangles, mesh->triangle_count, mesh->vertex_count);
        if (bad >= 0)
            return bad_input("%s: meshes[%d]: corner %d of triangle %lld is vertex %lld, expected 0 to %d",
                             scene->path, i, (int)(bad % 3), (long long)bad / 3,
                             (long long)(uint32_t)mesh->triangles[bad], mesh->vertex_count - 1);
        for (int64_t k = 0; k < vertices * mesh->influence_count; k++)
            if (!(fabsf(mesh->weight_values[k]) <= 1e3f))
                return bad_input(
                    "%s: meshes[%d]: weight %lld of vertex %lld is %g, expected no more than 1000",
                    scene->path, i, (long long)k % mesh->influence_count,
                    (long long)k / mesh->influence_count, (double)mesh->weight_values[k]);
    }
    LOCAL_ARRAY(int32_t, skin_of_node, scene->node_count, "the skins");
    for (int i = 0; i < scene->skin_count; i++) {
        const SceneSkin *skin = &scene->skins[i];
        for (int j = 0; j < skin->joint_count; j++) {
            const int node = skin->joints[j];
            if (node < 0 || node >= scene->node_count)
                return bad_input("%s: skins[%d].joints[%d] is none of the %d nodes", scene->path, i, j,
                                 scene->node_count);
            if (skin_of_node[node] == i + 1)
                return bad_input(
                    "%s: skins[%d].joints[%d] is nodes[%d] (%s), which the same skin lists twice",
                    scene->path, i, j, node, scene->nodes[node].name);
            skin_of_node[node] = i + 1;
            if (double_doubtful(&skin->inverse_binds[j].m00, 12, check_bound(CHECK_BOUND_LENGTH)) >= 0)
                return bad_input(
                    "%s: skins[%d]: the inverse bind matrix of joint %d is not finite or larger than 1e9",
                    scene->path, i, j);
        }
    }
    for (int i = 0; i < scene->instance_count; i++)
        STATUS_TRY(instance_check(scene, i));
    for (int i = 0; i < scene->clip_count; i++)
        for (int c = 0; c < scene->clips[i].channel_count; c++) {
            char place[128];
            snprintf(place, sizeof place, "%s[%d].channels[%d]", scene->clips_place, i, c);
            STATUS_TRY(channel_check(scene, &scene->clips[i].channels[c], place));
        }
    return status_ok();
}

/* Continues an FNV-1a hash over 32-bit words. */
static uint32_t words_hash(uint32_t hash, const void *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t word = 0;
        memcpy(&word, (const unsigned char *)words + 4 * i, sizeof word);
        hash = (hash ^ word) * 16777619u;
        hash ^= hash >> 15;
    }
    return hash;
}

/* Compares values bit by bit, whatever their type. */
static bool bits_equal(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) == 0;
}

static bool vertices_equal(const SceneMesh *mesh, size_t a, size_t b)
{
    const size_t slots = (size_t)mesh->influence_count, values = 3 * (size_t)mesh->vertex_count;
    bool equal =
        bits_equal(mesh->positions + 3 * a, mesh->positions + 3 * b, 3 * sizeof(float)) &&
        bits_equal(mesh->weight_joints + a * slots, mesh->weight_joints + b * slots,
                   slots * sizeof(int32_t)) &&
        bits_equal(mesh->weight_values + a * slots, mesh->weight_values + b * slots, slots * sizeof(float));
    for (size_t t = 0; t < (size_t)mesh->target_count && equal; t++)
        equal = bits_equal(mesh->targets + t * values + 3 * a, mesh->targets + t * values + 3 * b,
                           3 * sizeof(float));
    return equal;
}

Status scene_mesh_weld(SceneMesh *mesh)
{
    const size_t vertices = (size_t)mesh->vertex_count, slots = (size_t)mesh->influence_count;
    size_t buckets = 1, kept = 0;
    while (buckets < 2 * vertices)
        buckets *= 2;
    LOCAL_ARRAY(int32_t, place, vertices, "the vertices of a mesh");
    LOCAL_ARRAY(int32_t, source, vertices, "the vertices of a mesh");
    LOCAL_ARRAY(int32_t, table, buckets, "the vertices of a mesh");
    for (size_t v = 0; v < vertices; v++) {
        uint32_t hash = words_hash(2166136261u, mesh->positions + 3 * v, 3);
        hash = words_hash(hash, mesh->weight_joints + v * slots, slots);
        hash = words_hash(hash, mesh->weight_values + v * slots, slots);
        size_t bucket = hash & (buckets - 1);
        while (table[bucket] > 0 && !vertices_equal(mesh, (size_t)source[table[bucket] - 1], v))
            bucket = (bucket + 1) & (buckets - 1);
        if (table[bucket] == 0) {
            source[kept] = (int32_t)v;
            table[bucket] = (int32_t)++kept;
        }
        place[v] = table[bucket] - 1;
    }
    for (size_t t = 0; t < (size_t)mesh->target_count; t++)
        for (size_t k = 0; k < kept;
             k++) /* ascending order is safe, because no row moves to a larger index */
            memmove(mesh->targets + 3 * (t * kept + k),
                    mesh->targets + 3 * (t * vertices + (size_t)source[k]), 3 * sizeof(float));
    for (size_t k = 0; k < kept; k++) {
        const size_t from = (size_t)source[k];
        memmove(mesh->positions + 3 * k, mesh->positions + 3 * from, 3 * sizeof(float));
        memmove(mesh->weight_joints + slots * k, mesh->weight_joints + slots * from, slots * sizeof(int32_t));
        memmove(mesh->weight_values + slots * k, mesh->weight_values + slots * from, slots * sizeof(float));
    }
    for (size_t c = 0; c < 3 * (size_t)mesh->triangle_count; c++)
        mesh->triangles[c] = place[mesh->triangles[c]];
    mesh->vertex_count = (int)kept;
    return status_ok();
}

static bool joint_moves(const Transform *inverse_bind)
{
    const Transform still = transform_identity();
    for (int i = 0; i < 12; i++)
        if ((&inverse_bind->m00)[i] != (&still.m00)[i])
            return true;
    return false;
}

/* Finds vertices of skinned meshes that have no weights. Binds them to the node of their mesh at their
 * present place. */
static Status resting_vertices_bind(Scene *scene, const FormatNotes *notes)
{
    long long resting = 0;
    for (int i = 0; i < scene->instance_count; i++) {
        const SceneInstance *instance = &scene->instances[i];
        SceneMesh *mesh = &scene->meshes[instance->mesh];
        SceneSkin *skin = instance->skin < 0 ? NULL : &scene->skins[instance->skin];
        const int slots = mesh->influence_count;
        int joint = 0;
        while (skin && joint < skin->joint_count && skin->joints[joint] != instance->node)
            joint++;
        for (ptrdiff_t v = 0; skin && v < mesh->vertex_count; v++) {
            float sum = 0.0f;
            for (ptrdiff_t k = v * slots; k < (v + 1) * slots; k++)
                sum += fabsf(mesh->weight_values[k]);
            if (sum != 0.0f)
                continue;
            if (joint < skin->joint_count && joint_moves(&skin->inverse_binds[joint]))
                return bad_input("%s: skins[%d].joints[%d] is the node of a mesh that has vertices without "
                                 "weights, which rest there, but its bind matrix moves them",
                                 scene->path, instance->skin, joint);
            if (joint == skin->joint_count) {
                SceneSkin more = {.joint_count = joint + 1, .name = skin->name};
                const Status status = scene_skin_allocate(&more);
                if (status.code == STATUS_OK) {
                    memcpy(more.joints, skin->joints, (size_t)joint * sizeof *more.joints);
                    memcpy(more.inverse_binds, skin->inverse_binds,
                           (size_t)joint * sizeof *more.inverse_binds);
                    more.joints[joint] = instance->node;
                    more.inverse_binds[joint] = transform_identity();
                }
                FREE_ALL(skin->joints, skin->inverse_binds);
                *skin = more;
                STATUS_TRY(status);
            }
            mesh->weight_joints[v * slots] = joint;
            mesh->weight_values[v * slots] = 1.0f;
            resting++;
        }
    }
    if (resting > 0)
        format_note(notes, "%lld vertices have no influences: they stay with their mesh's node", resting);
    return status_ok();
}

Status scene_weld(Scene *scene, const FormatNotes *notes, long long corners, long long dropped)
{
    long long welded = 0;
    Transform unused;
    STATUS_TRY(scene_check(scene));
    for (int i = 0; i < scene->skin_count; i++)
        for (int j = 0; j < scene->skins[i].joint_count; j++)
            if (!transform_inverse(scene->skins[i].inverse_binds[j], &unused))
                return bad_input("%s: skins[%d]: the inverse bind matrix of '%s' has no inverse, so the mesh "
                                 "would collapse",
                                 scene->path, i, scene->nodes[scene->skins[i].joints[j]].name);
    STATUS_TRY(resting_vertices_bind(scene, notes));
    for (int i = 0; i < scene->mesh_count; i++) {
        STATUS_TRY(scene_mesh_weld(&scene->meshes[i]));
        welded += scene->meshes[i].vertex_count;
    }
    format_note(notes, "%lld polygon corners are welded into %lld vertices by equal positions and influences",
                corners, welded);
    if (dropped > 0)
        format_note(notes, "%lld points and lines are dropped", dropped);
    return status_ok();
}
