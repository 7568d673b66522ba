/* Welds vertices by a hash table over the bits of their place and influences. */
#include "datasets/formats/scene_weld.h"

/* FNV-1a over 32-bit words. */
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

static uint32_t vertex_hash(const SceneMesh *mesh, size_t vertex)
{
    const size_t slots = (size_t)mesh->influence_count;
    const uint32_t hash = words_hash(2166136261u, mesh->positions + 3 * vertex, 3);
    return words_hash(words_hash(hash, mesh->weight_joints + vertex * slots, slots),
                      mesh->weight_values + vertex * slots, slots);
}

/* Bit by bit, whatever the bits stand for. */
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
        size_t at = vertex_hash(mesh, v) & (buckets - 1);
        while (table[at] > 0 && !vertices_equal(mesh, (size_t)source[table[at] - 1], v))
            at = (at + 1) & (buckets - 1);
        if (table[at] == 0) {
            source[kept] = (int32_t)v;
            table[at] = (int32_t)++kept;
        }
        place[v] = table[at] - 1;
    }
    for (size_t t = 0; t < (size_t)mesh->target_count; t++)
        for (size_t k = 0; k < kept; k++) /* never ahead of what is still to be read */
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
