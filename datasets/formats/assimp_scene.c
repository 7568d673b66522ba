/* Runs assimp and packs its scene. The only processing is triangulation, so the corners keep the order of
 * the file and no influence is lost. */
#include "datasets/formats/assimp_scene.h"

#include "datasets/formats/collada_text.h"

#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

typedef struct PackedNode {
    const struct aiNode *node;
    int32_t parent; /* number of the parent node, or -1 */
} PackedNode;

typedef struct ScenePacking {
    const struct aiScene *scene;
    PackedNode *nodes; /* parents first */
    size_t node_count;
    unsigned char *bytes;
    size_t size, capacity;
    bool failed; /* out of memory */
} ScenePacking;

static void bytes_pack(ScenePacking *packing, const void *bytes, size_t size)
{
    if (size > packing->capacity - packing->size && !packing->failed) {
        const size_t capacity = 2 * (packing->size + size) + 4096;
        unsigned char *larger = realloc(packing->bytes, capacity);
        packing->failed = larger == NULL;
        packing->bytes = larger ? larger : packing->bytes;
        packing->capacity = larger ? capacity : packing->capacity;
    }
    if (packing->failed || size == 0)
        return;
    memcpy(packing->bytes + packing->size, bytes, size);
    packing->size += size;
}

static void count_pack(ScenePacking *packing, size_t count)
{
    const uint32_t value = (uint32_t)count;
    bytes_pack(packing, &value, sizeof value);
}

static void integer_pack(ScenePacking *packing, int32_t value)
{
    bytes_pack(packing, &value, sizeof value);
}

static void number_pack(ScenePacking *packing, double value)
{
    bytes_pack(packing, &value, sizeof value);
}

static void text_pack(ScenePacking *packing, const struct aiString *text)
{
    count_pack(packing, text->length);
    bytes_pack(packing, text->data, text->length);
}

static void matrix_pack(ScenePacking *packing, const struct aiMatrix4x4 *m)
{
    const float values[12] = {m->a1, m->a2, m->a3, m->a4, m->b1, m->b2,
                              m->b3, m->b4, m->c1, m->c2, m->c3, m->c4};
    for (int i = 0; i < 12; i++)
        number_pack(packing, (double)values[i]);
}

static void points_pack(ScenePacking *packing, const struct aiVector3D *points, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const float values[3] = {points[i].x, points[i].y, points[i].z};
        bytes_pack(packing, values, sizeof values);
    }
}

/* Returns the first node called `name`, in file order, or -1. */
static int32_t node_find(const ScenePacking *packing, const struct aiString *name)
{
    for (size_t i = 0; i < packing->node_count; i++)
        if (packing->nodes[i].node->mName.length == name->length &&
            memcmp(packing->nodes[i].node->mName.data, name->data, name->length) == 0)
            return (int32_t)i;
    return -1;
}

static void node_add(ScenePacking *packing, const struct aiNode *node, int32_t parent)
{
    if ((packing->node_count & (packing->node_count - 1)) ==
        0) { /* the capacity doubles, so the array is full when its length is 0 or a power of two */
        const size_t capacity = packing->node_count > 0 ? 2 * packing->node_count : 1;
        PackedNode *nodes = realloc(packing->nodes, capacity * sizeof *nodes);
        packing->nodes = nodes ? nodes : packing->nodes;
        packing->failed = packing->failed || !nodes;
    }
    if (packing->failed)
        return;
    packing->nodes[packing->node_count++] = (PackedNode){node, parent};
}

static void mesh_pack(ScenePacking *packing, const struct aiMesh *mesh)
{
    size_t triangles = 0;
    for (size_t i = 0; i < mesh->mNumFaces; i++)
        triangles += mesh->mFaces[i].mNumIndices == 3;
    text_pack(packing, &mesh->mName);
    count_pack(packing, mesh->mNumVertices);
    points_pack(packing, mesh->mVertices, mesh->mNumVertices);
    count_pack(packing, triangles);
    for (size_t i = 0; i < mesh->mNumFaces; i++)
        if (mesh->mFaces[i].mNumIndices == 3)
            bytes_pack(packing, mesh->mFaces[i].mIndices, 3 * sizeof(uint32_t));
    count_pack(packing, mesh->mNumFaces - triangles);
    count_pack(packing, mesh->mNumBones);
    for (size_t b = 0; b < mesh->mNumBones; b++) {
        const struct aiBone *bone = mesh->mBones[b];
        integer_pack(packing, node_find(packing, &bone->mName));
        matrix_pack(packing, &bone->mOffsetMatrix);
        count_pack(packing, bone->mNumWeights);
        for (size_t w = 0; w < bone->mNumWeights; w++) {
            count_pack(packing, bone->mWeights[w].mVertexId);
            bytes_pack(packing, &bone->mWeights[w].mWeight, sizeof(float));
        }
    }
    size_t targets = 0; /* number of targets with positions; targets with colours only are skipped */
    for (size_t t = 0; t < mesh->mNumAnimMeshes; t++)
        targets +=
            mesh->mAnimMeshes[t]->mVertices && mesh->mAnimMeshes[t]->mNumVertices == mesh->mNumVertices;
    targets = targets == mesh->mNumAnimMeshes ? targets : 0;
    count_pack(packing, targets);
    for (size_t t = 0; t < targets; t++) {
        points_pack(packing, mesh->mAnimMeshes[t]->mVertices, mesh->mNumVertices);
        bytes_pack(packing, &mesh->mAnimMeshes[t]->mWeight, sizeof(float));
    }
}

static void vector_keys_pack(ScenePacking *packing, const struct aiVectorKey *keys, size_t count)
{
    count_pack(packing, count);
    for (size_t k = 0; k < count; k++) {
        number_pack(packing, keys[k].mTime);
        number_pack(packing, (double)keys[k].mValue.x);
        number_pack(packing, (double)keys[k].mValue.y);
        number_pack(packing, (double)keys[k].mValue.z);
    }
}

static void clip_pack(ScenePacking *packing, const struct aiAnimation *clip)
{
    text_pack(packing, &clip->mName);
    number_pack(packing, clip->mTicksPerSecond);
    count_pack(packing, clip->mNumChannels);
    for (size_t c = 0; c < clip->mNumChannels; c++) {
        const struct aiNodeAnim *channel = clip->mChannels[c];
        integer_pack(packing, node_find(packing, &channel->mNodeName));
        vector_keys_pack(packing, channel->mPositionKeys, channel->mNumPositionKeys);
        count_pack(packing, channel->mNumRotationKeys);
        for (size_t k = 0; k < channel->mNumRotationKeys; k++) {
            const struct aiQuatKey *key = &channel->mRotationKeys[k];
            number_pack(packing, key->mTime);
            number_pack(packing, (double)key->mValue.w);
            number_pack(packing, (double)key->mValue.x);
            number_pack(packing, (double)key->mValue.y);
            number_pack(packing, (double)key->mValue.z);
        }
        vector_keys_pack(packing, channel->mScalingKeys, channel->mNumScalingKeys);
    }
    count_pack(packing, clip->mNumMorphMeshChannels);
    for (size_t c = 0; c < clip->mNumMorphMeshChannels; c++) {
        const struct aiMeshMorphAnim *channel = clip->mMorphMeshChannels[c];
        text_pack(packing, &channel->mName);
        count_pack(packing, channel->mNumKeys);
        for (size_t k = 0; k < channel->mNumKeys; k++) {
            const struct aiMeshMorphKey *key = &channel->mKeys[k];
            number_pack(packing, key->mTime);
            count_pack(packing, key->mNumValuesAndWeights);
            for (size_t i = 0; i < key->mNumValuesAndWeights; i++) {
                count_pack(packing, key->mValues[i]);
                number_pack(packing, key->mWeights[i]);
            }
        }
    }
}

Status assimp_pack(const void *bytes, size_t size, unsigned char **out, size_t *out_size)
{
    ScenePacking packing = {0};
    OWNED_BY(free) char *text = NULL;
    *out = NULL;
    STATUS_TRY(collada_bind_shapes_add(bytes, size, &text, &size));
    STATUS_TRY(collada_joints_check(text, size));
    STATUS_TRY(collada_indices_check(text, size));
    const struct aiScene *scene = aiImportFileFromMemory(text, (unsigned)size, aiProcess_Triangulate, "dae");
    if (!scene)
        return bad_input("cannot be read: %s", aiGetErrorString());
    packing.scene = scene;
    /* list all nodes, parents before children */
    if (packing.scene->mRootNode)
        node_add(&packing, packing.scene->mRootNode, -1);
    for (size_t i = 0; i < packing.node_count; i++)
        for (size_t c = 0; c < packing.nodes[i].node->mNumChildren; c++)
            node_add(&packing, packing.nodes[i].node->mChildren[c], (int32_t)i);
    /* nodes */
    count_pack(&packing, packing.node_count);
    for (size_t i = 0; i < packing.node_count; i++) {
        integer_pack(&packing, packing.nodes[i].parent);
        text_pack(&packing, &packing.nodes[i].node->mName);
        matrix_pack(&packing, &packing.nodes[i].node->mTransformation);
    }
    count_pack(&packing, scene->mNumMeshes);
    for (size_t i = 0; i < scene->mNumMeshes; i++)
        mesh_pack(&packing, scene->mMeshes[i]);
    /* instances */
    size_t count = 0;
    for (size_t i = 0; i < packing.node_count; i++)
        count += packing.nodes[i].node->mNumMeshes;
    count_pack(&packing, count);
    for (size_t i = 0; i < packing.node_count; i++)
        for (size_t k = 0; k < packing.nodes[i].node->mNumMeshes; k++) {
            count_pack(&packing, i);
            count_pack(&packing, packing.nodes[i].node->mMeshes[k]);
        }
    count_pack(&packing, scene->mNumAnimations);
    for (size_t i = 0; i < scene->mNumAnimations; i++)
        clip_pack(&packing, scene->mAnimations[i]);
    integer_pack(&packing, collada_curves_found(text, size));
    aiReleaseImport(scene);
    free(packing.nodes);
    if (packing.failed) {
        free(packing.bytes);
        return status_out_of_memory("a scene");
    }
    *out = packing.bytes;
    *out_size = packing.size;
    return status_ok();
}
