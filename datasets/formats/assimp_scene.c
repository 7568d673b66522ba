/* Runs assimp and converts its scene. The only processing is triangulation, so the corners keep the order of
 * the file and no influence is lost. */
#include "datasets/formats/assimp_scene.h"

#include "datasets/formats/collada_text.h"

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

typedef struct AssimpMaking {
    Scene *scene;
    const struct aiScene *from;
    const struct aiNode **nodes; /* [scene->node_count] parents first */
} AssimpMaking;

static char *text_copy(const struct aiString *text)
{
    return memory_text_start(text->data, text->length);
}

static Transform transform_of(const struct aiMatrix4x4 *m)
{
    return (Transform){(double)m->a1, (double)m->a2, (double)m->a3, (double)m->a4,
                       (double)m->b1, (double)m->b2, (double)m->b3, (double)m->b4,
                       (double)m->c1, (double)m->c2, (double)m->c3, (double)m->c4};
}

/* Returns the first node called `name`, in file order, or -1. */
static int node_find(const AssimpMaking *making, const struct aiString *name)
{
    for (int i = 0; i < making->scene->node_count; i++)
        if (making->nodes[i]->mName.length == name->length &&
            memcmp(making->nodes[i]->mName.data, name->data, name->length) == 0)
            return i;
    return -1;
}

static Status node_add(AssimpMaking *making, const struct aiNode *node, int parent)
{
    Scene *scene = making->scene;
    GROW(scene->nodes, scene->node_count, "the nodes");
    GROW(making->nodes, scene->node_count, "the nodes");
    making->nodes[scene->node_count] = node;
    scene->nodes[scene->node_count++] = (SceneNode){.name = text_copy(&node->mName),
                                                    .parent = parent,
                                                    .has_matrix = true,
                                                    .matrix = transform_of(&node->mTransformation)};
    ALLOCATED(scene->nodes[scene->node_count - 1].name, "the nodes");
    return status_ok();
}

/* Stores the weights of a mesh's bones as influences of its vertices. The first pass counts the influences of
 * each vertex in used [vertex_count]. */
static void bone_weights_visit(const struct aiMesh *from, SceneMesh *mesh, int32_t *used, bool counts)
{
    memset(used, 0, (size_t)mesh->vertex_count * sizeof *used);
    for (unsigned b = 0; b < from->mNumBones; b++)
        for (unsigned w = 0; w < from->mBones[b]->mNumWeights; w++) {
            const struct aiVertexWeight *weight = &from->mBones[b]->mWeights[w];
            if (weight->mVertexId >= from->mNumVertices || weight->mWeight == 0.0f)
                continue;
            const int slot = used[weight->mVertexId]++;
            const size_t entry = weight->mVertexId * (size_t)mesh->influence_count + (size_t)slot;
            if (counts) {
                mesh->influence_count = int_max(mesh->influence_count, slot + 1);
            } else {
                mesh->weight_joints[entry] = (int32_t)b;
                mesh->weight_values[entry] = weight->mWeight;
            }
        }
}

static void points_copy(const struct aiVector3D *points, size_t count, float *out)
{
    for (size_t i = 0; i < count; i++) {
        out[3 * i] = points[i].x;
        out[3 * i + 1] = points[i].y;
        out[3 * i + 2] = points[i].z;
    }
}

static Status mesh_make(const AssimpMaking *making, const struct aiMesh *from, SceneMesh *mesh,
                        SceneSkin *skin, long long *dropped)
{
    const size_t vertices = from->mNumVertices;
    *mesh = (SceneMesh){.name = text_copy(&from->mName), .vertex_count = (int)vertices};
    *skin = (SceneSkin){.name = text_copy(&from->mName), .joint_count = (int)from->mNumBones};
    for (unsigned i = 0; i < from->mNumFaces; i++)
        mesh->triangle_count += from->mFaces[i].mNumIndices == 3;
    *dropped += (long long)from->mNumFaces - mesh->triangle_count;
    bool complete = true; /* targets of colours only have no positions */
    for (unsigned t = 0; t < from->mNumAnimMeshes; t++)
        complete = complete && from->mAnimMeshes[t]->mVertices &&
                   from->mAnimMeshes[t]->mNumVertices == from->mNumVertices;
    mesh->target_count = complete ? (int)from->mNumAnimMeshes : 0;
    LOCAL_ARRAY(int32_t, used, vertices, "the weights");
    bone_weights_visit(from, mesh, used, true);
    STATUS_TRY(scene_memory_check(making->scene, 8.0 * (double)vertices * mesh->influence_count,
                                  "%d influences of %zu vertices", mesh->influence_count, vertices));
    STATUS_TRY(scene_mesh_allocate(mesh));
    STATUS_TRY(scene_skin_allocate(skin));
    ALLOCATED(mesh->name && skin->name, "a mesh");
    bone_weights_visit(from, mesh, used, false);
    for (unsigned b = 0; b < from->mNumBones; b++) {
        skin->joints[b] = node_find(making, &from->mBones[b]->mName);
        skin->inverse_binds[b] = transform_of(&from->mBones[b]->mOffsetMatrix);
    }
    points_copy(from->mVertices, vertices, mesh->positions);
    int32_t *corner = mesh->triangles;
    for (unsigned i = 0; i < from->mNumFaces; i++)
        for (unsigned k = 0; from->mFaces[i].mNumIndices == 3 && k < 3; k++)
            *corner++ = (int32_t)from->mFaces[i].mIndices[k];
    for (int t = 0; t < mesh->target_count; t++) {
        float *target = mesh->targets + 3 * vertices * (size_t)t;
        points_copy(from->mAnimMeshes[t]->mVertices, vertices, target);
        for (size_t i = 0; i < 3 * vertices; i++)
            target[i] -= mesh->positions[i];
    }
    return status_ok();
}

static Status instance_add(const AssimpMaking *making, int node, unsigned number)
{
    Scene *scene = making->scene;
    GROW(scene->instances, scene->instance_count, "the meshes");
    SceneInstance *instance = &scene->instances[scene->instance_count++];
    *instance = (SceneInstance){.node = node, .mesh = (int)number, .skin = -1};
    if (number >= (unsigned)scene->mesh_count)
        return bad_input("%s: a node refers to a mesh that does not exist", scene->path);
    if (scene->skins[number].joint_count > 0)
        instance->skin = (int)number;
    ALLOCATE(instance->target_weights, scene->meshes[number].target_count, "morph targets");
    for (int t = 0; t < scene->meshes[number].target_count; t++)
        instance->target_weights[t] = (double)making->from->mMeshes[number]->mAnimMeshes[t]->mWeight;
    return status_ok();
}

/* ---- clips ---- */

/* Adds a channel with this number of keys. Keys of nodes that are not in the scene are dropped. Sets *out to
 * NULL if nothing is added. */
static Status channel_add(SceneClip *clip, SceneChannel like, unsigned keys, SceneChannel **out)
{
    *out = NULL;
    if (keys == 0 || like.node < 0)
        return status_ok();
    GROW(clip->channels, clip->channel_count, "the clips");
    *out = &clip->channels[clip->channel_count++];
    **out = like;
    (*out)->key_count = (int)keys;
    (*out)->interpolation = SCENE_LINEAR;
    return scene_channel_allocate(*out);
}

static Status vector_keys_add(SceneClip *clip, int node, ScenePath path, const struct aiVectorKey *keys,
                              unsigned count, double per_s)
{
    SceneChannel *channel = NULL;
    STATUS_TRY(channel_add(clip, (SceneChannel){.node = node, .path = path, .width = 3}, count, &channel));
    for (unsigned k = 0; channel && k < count; k++) {
        channel->times[k] = keys[k].mTime / per_s;
        channel->values[3 * (size_t)k] = (double)keys[k].mValue.x;
        channel->values[3 * (size_t)k + 1] = (double)keys[k].mValue.y;
        channel->values[3 * (size_t)k + 2] = (double)keys[k].mValue.z;
    }
    return status_ok();
}

/* Returns the first instance with morph targets whose node or mesh has this name, or NULL. */
static const SceneInstance *morphing_instance(const Scene *scene, const char *name)
{
    for (int i = 0; i < scene->instance_count; i++) {
        const SceneInstance *instance = &scene->instances[i];
        if (scene->meshes[instance->mesh].target_count > 0 &&
            (strcmp(scene->nodes[instance->node].name, name) == 0 ||
             strcmp(scene->meshes[instance->mesh].name, name) == 0))
            return instance;
    }
    return NULL;
}

static Status morph_add(const Scene *scene, SceneClip *clip, const struct aiMeshMorphAnim *from, double per_s)
{
    const SceneInstance *instance = morphing_instance(scene, from->mName.data);
    SceneChannel *channel = NULL, like = {.node = -1, .path = SCENE_WEIGHTS};
    if (instance) {
        like.node = instance->node;
        like.width = scene->meshes[instance->mesh].target_count;
    }
    STATUS_TRY(scene_memory_check(scene, 8.0 * from->mNumKeys * like.width, "%u keys of morph targets",
                                  from->mNumKeys));
    STATUS_TRY(channel_add(clip, like, from->mNumKeys, &channel));
    for (unsigned k = 0; channel && k < from->mNumKeys; k++) {
        const struct aiMeshMorphKey *key = &from->mKeys[k];
        channel->times[k] = key->mTime / per_s;
        for (unsigned i = 0; i < key->mNumValuesAndWeights; i++)
            if (key->mValues[i] < (unsigned)like.width)
                channel->values[(size_t)k * (size_t)like.width + key->mValues[i]] = key->mWeights[i];
    }
    return status_ok();
}

static Status clip_make(const AssimpMaking *making, const struct aiAnimation *from, SceneClip *clip)
{
    const double DEFAULT_TICKS = 25.0; /* ticks per second that assimp assumes if a file states no rate */
    const double per_s = from->mTicksPerSecond > 0.0 ? from->mTicksPerSecond : DEFAULT_TICKS;
    clip->name = text_copy(&from->mName);
    ALLOCATED(clip->name, "the clips");
    for (unsigned c = 0; c < from->mNumChannels; c++) {
        const struct aiNodeAnim *keys = from->mChannels[c];
        const int node = node_find(making, &keys->mNodeName);
        SceneChannel *turn = NULL;
        STATUS_TRY(vector_keys_add(clip, node, SCENE_TRANSLATION, keys->mPositionKeys, keys->mNumPositionKeys,
                                   per_s));
        STATUS_TRY(channel_add(clip, (SceneChannel){.node = node, .path = SCENE_ROTATION, .width = 4},
                               keys->mNumRotationKeys, &turn));
        for (unsigned k = 0; turn && k < keys->mNumRotationKeys; k++) {
            const struct aiQuaternion *q = &keys->mRotationKeys[k].mValue;
            const double values[] = {(double)q->w, (double)q->x, (double)q->y, (double)q->z};
            turn->times[k] = keys->mRotationKeys[k].mTime / per_s;
            memcpy(turn->values + 4 * (size_t)k, values, sizeof values);
        }
        STATUS_TRY(
            vector_keys_add(clip, node, SCENE_SCALE, keys->mScalingKeys, keys->mNumScalingKeys, per_s));
    }
    for (unsigned c = 0; c < from->mNumMorphMeshChannels; c++)
        STATUS_TRY(morph_add(making->scene, clip, from->mMorphMeshChannels[c], per_s));
    return status_ok();
}

Status assimp_scene_make(const void *bytes, size_t size, Scene *out, AssimpFacts *facts)
{
    char *text = NULL;
    STATUS_TRY(status_in(out->path, collada_text_repair(bytes, size, &text, &size)));
    STATUS_TRY(status_in(out->path, collada_joints_check(text, size)));
    STATUS_TRY(status_in(out->path, collada_indices_check(text, size)));
    STATUS_TRY(status_in(out->path, collada_channels_check(text, size)));
    STATUS_TRY(status_in(out->path, collada_animations_join(text, size)));
    facts->curves = collada_curves_found(text, size);
    /* without this setting, assimp would make a mesh of bones if a file has no mesh that it can read */
    struct aiPropertyStore *settings = aiCreatePropertyStore();
    ALLOCATED(settings, "the settings of assimp");
    aiSetImportPropertyInteger(settings, AI_CONFIG_IMPORT_NO_SKELETON_MESHES, 1);
    const struct aiScene *from =
        aiImportFileFromMemoryWithProperties(text, (unsigned)size, aiProcess_Triangulate, "dae", settings);
    if (!from)
        return bad_input("%s: cannot be read: %s", out->path, aiGetErrorString());
    bool morphs = false;
    for (unsigned i = 0; i < from->mNumMeshes; i++)
        morphs = morphs || from->mMeshes[i]->mNumAnimMeshes > 0;
    if (!morphs && collada_morphs_found(text, size))
        return bad_input("%s: assimp cannot read its <morph> controllers; export glTF instead", out->path);
    AssimpMaking making = {.scene = out, .from = from};
    if (from->mRootNode)
        STATUS_TRY(node_add(&making, from->mRootNode, -1));
    for (int i = 0; i < out->node_count; i++)
        for (unsigned c = 0; c < making.nodes[i]->mNumChildren; c++)
            STATUS_TRY(node_add(&making, making.nodes[i]->mChildren[c], i));
    ALLOCATE(out->meshes, from->mNumMeshes, "the meshes");
    ALLOCATE(out->skins, from->mNumMeshes, "the meshes");
    out->mesh_count = out->skin_count = (int)from->mNumMeshes;
    for (int i = 0; i < out->mesh_count; i++)
        STATUS_TRY(mesh_make(&making, from->mMeshes[i], &out->meshes[i], &out->skins[i], &facts->dropped));
    for (int i = 0; i < out->node_count; i++)
        for (unsigned k = 0; k < making.nodes[i]->mNumMeshes; k++)
            STATUS_TRY(instance_add(&making, i, making.nodes[i]->mMeshes[k]));
    ALLOCATE(out->clips, from->mNumAnimations, "the clips");
    out->clip_count = (int)from->mNumAnimations;
    for (int i = 0; i < out->clip_count; i++)
        STATUS_TRY(clip_make(&making, from->mAnimations[i], &out->clips[i]));
    return status_ok();
}
