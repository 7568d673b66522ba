/* Finds twins, that is, vertices with equal rest position and weights, by sorting. Twins occur at a seam,
 * but also where two layers of cloth touch. Open edges tell the two apart: at a seam the surface continues
 * on the other side of the edge. */
#include "datasets/model/welding.h"

#include "datasets/base/grouping.h"
#include "datasets/geometry/points.h"

static const char WHAT[] = "the seams of a mesh";

/* The values that are equal for twins: their rest position and, for a fit, their motion. */
typedef struct TwinKey {
    const float *place;
    uint64_t motion[2];
    int32_t vertex;
} TwinKey;

static int twins_compare(const TwinKey *a, const TwinKey *b)
{
    for (int i = 0; i < 3; i++)
        if (a->place[i] != b->place[i])
            return a->place[i] < b->place[i] ? -1 : 1;
    for (int i = 0; i < 2; i++)
        if (a->motion[i] != b->motion[i])
            return a->motion[i] < b->motion[i] ? -1 : 1;
    return 0;
}

static int keys_compare(const void *a, const void *b)
{
    const TwinKey *one = a, *other = b;
    const int order = twins_compare(one, other);
    return order != 0 ? order : (one->vertex > other->vertex) - (one->vertex < other->vertex);
}

/* Sorts the keys [count] to find twins. For each vertex of a key, sets twin_of [N] to its lowest twin.
 * Returns the number of vertices that have a lower twin. */
static int twins_find(TwinKey *keys, int count, int32_t *twin_of)
{
    int twins = 0;
    if (count > 0)
        qsort(keys, (size_t)count, sizeof *keys, keys_compare);
    for (int i = 0; i < count; i++) {
        const bool twin = i > 0 && twins_compare(&keys[i - 1], &keys[i]) == 0;
        twin_of[keys[i].vertex] = twin ? twin_of[keys[i - 1].vertex] : keys[i].vertex;
        twins += twin;
    }
    return twins;
}

/* Finds the twins of all vertices by rest position alone. Returns the number of vertices that have a lower
 * twin. */
static int places_find(const Mesh *mesh, TwinKey *keys, int32_t *twin_of)
{
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        keys[v] = (TwinKey){.place = mesh->rest + 3 * (size_t)v, .vertex = v};
    return twins_find(keys, mesh->vertex_count, twin_of);
}

/* A side of a triangle. It has the places of its two ends (each given by the lowest twin there), the
 * vertices at its ends, and the third corner of the triangle. */
typedef struct Side {
    int32_t low_place, high_place, low, high, third;
} Side;

static int sides_compare(const void *a, const void *b)
{
    const int32_t *one = a, *other = b;
    for (size_t i = 0; i < sizeof(Side) / sizeof *one; i++)
        if (one[i] != other[i])
            return one[i] < other[i] ? -1 : 1;
    return 0;
}

/* Returns the unit vector that is perpendicular to a side and points from its line to the third corner. */
static Vec3 side_height(const float *rest, const Side *side)
{
    const Vec3 along = vec3_normalize(vec3_sub(point_at(rest, side->high), point_at(rest, side->low)));
    const Vec3 way = vec3_sub(point_at(rest, side->third), point_at(rest, side->low));
    return vec3_normalize(vec3_add_scaled(way, along, -vec3_dot(way, along)));
}

/* Whether two vertices have the same weights, up to the rounding of exporters. If `rig` is NULL, returns
 * true. */
static bool weights_alike(const Rig *rig, int32_t one, int32_t other)
{
    const float ROUNDED = 1e-6f;
    const ptrdiff_t slots = rig ? rig->influence_count : 0;
    for (ptrdiff_t k = 0; k < 2 * slots; k++) {
        const int32_t joint = rig->weight_joints[(k < slots ? one : other) * slots + k % slots];
        float apart = 0.0f;
        for (ptrdiff_t i = 0; i < slots; i++) {
            const ptrdiff_t a = one * slots + i, b = other * slots + i;
            apart += rig->weight_joints[a] == joint ? rig->weight_values[a] : 0.0f;
            apart -= rig->weight_joints[b] == joint ? rig->weight_values[b] : 0.0f;
        }
        if (!(fabsf(apart) <= ROUNDED))
            return false;
    }
    return true;
}

/* Finds seams among `count` sides that connect the same two places, and joins the vertices at their ends in
 * `parents`. A seam consists of open edges. Each open edge is compared with at most SEAMS_MAX earlier ones,
 * so that a malicious file cannot make this slow. */
static void seam_join(const float *rest, const Rig *rig, const Side *sides, int64_t count, int32_t *parents)
{
    enum { SEAMS_MAX = 32 };
    const double FOLDED = 1.0 - 5e-7; /* cosine of an angle of 1e-3 rad, which floats can resolve */
    const Side *open[SEAMS_MAX];
    int64_t open_count = 0;
    for (int64_t i = 0, next = 0; i < count; i = next) {
        bool is_open = true;
        for (next = i; next < count && sides[next].low == sides[i].low && sides[next].high == sides[i].high;
             next++)
            is_open = is_open && sides[next].third == sides[i].third;
        if (!is_open)
            continue;
        for (int64_t k = 0; k < open_count && k < SEAMS_MAX; k++)
            if (weights_alike(rig, open[k]->low, sides[i].low) &&
                weights_alike(rig, open[k]->high, sides[i].high) &&
                vec3_dot(side_height(rest, open[k]), side_height(rest, &sides[i])) < FOLDED) {
                union_find_union(parents, open[k]->low, sides[i].low);
                union_find_union(parents, open[k]->high, sides[i].high);
            }
        open[open_count++ % SEAMS_MAX] = &sides[i];
    }
}

/* Limits the twins at each place to vertices that seams join. */
static Status seams_follow(const Mesh *mesh, const Rig *rig, int32_t *twin_of)
{
    const int vertices = mesh->vertex_count;
    const int64_t corners = 3 * (int64_t)mesh->triangle_count;
    int64_t count = 0;
    LOCAL_TABLE(Side, sides, mesh->triangle_count, 3, WHAT);
    LOCAL_ARRAY(int32_t, parents, vertices, WHAT);
    LOCAL_ARRAY(bool, split, vertices,
                WHAT); /* [N] for the lowest twin at a place: whether the place has other twins */
    for (int v = 0; v < vertices; v++)
        split[twin_of[v]] |= twin_of[v] != v;
    for (int64_t c = 0; c < corners; c++) {
        const int32_t *triangle = mesh->triangles + c - c % 3;
        const int32_t from = triangle[c % 3], to = triangle[(c + 1) % 3];
        const bool forwards = twin_of[from] < twin_of[to];
        if (twin_of[from] != twin_of[to] && (split[twin_of[from]] || split[twin_of[to]]))
            sides[count++] = (Side){twin_of[forwards ? from : to], twin_of[forwards ? to : from],
                                    forwards ? from : to, forwards ? to : from, triangle[(c + 2) % 3]};
    }
    if (count > 0)
        qsort(sides, (size_t)count, sizeof *sides, sides_compare);
    union_find_init(parents, vertices);
    for (int64_t i = 0, next = 0; i < count; i = next) {
        while (next < count && sides[next].low_place == sides[i].low_place &&
               sides[next].high_place == sides[i].high_place)
            next++;
        seam_join(mesh->rest, rig, sides + i, next - i, parents);
    }
    for (int v = 0; v < vertices; v++)
        twin_of[v] = union_find_root(parents, v);
    return status_ok();
}

/* Fills in a Welding, given the lowest twin of each vertex. */
static Status welding_make(const Mesh *mesh, const int32_t *twin_of, Welding *out)
{
    const int vertices = mesh->vertex_count;
    CLEANUP(welding_clear) Welding made = {.vertex_count = vertices};
    ALLOCATE(made.welded_of, vertices, WHAT);
    ALLOCATE(made.vertex_of, vertices, WHAT);
    int welded = 0;
    for (int v = 0; v < vertices; v++) {
        made.welded_of[v] = twin_of[v] == v ? welded : made.welded_of[twin_of[v]];
        if (twin_of[v] == v)
            made.vertex_of[welded++] = v;
    }
    STATUS_TRY(mesh_allocate(&made.mesh, welded, mesh->triangle_count));
    for (int w = 0; w < welded; w++)
        memcpy(made.mesh.rest + 3 * (size_t)w, mesh->rest + 3 * (size_t)made.vertex_of[w],
               3 * sizeof *mesh->rest);
    for (size_t c = 0; c < 3 * (size_t)mesh->triangle_count; c++)
        made.mesh.triangles[c] = made.welded_of[mesh->triangles[c]];
    *out = made;
    made = (Welding){0};
    return status_ok();
}

Status welding_find(const Mesh *mesh, const Rig *rig, Welding *out)
{
    LOCAL_ARRAY(TwinKey, keys, mesh->vertex_count, WHAT);
    LOCAL_ARRAY(int32_t, twin_of, mesh->vertex_count, WHAT);
    if (places_find(mesh, keys, twin_of) > 0)
        STATUS_TRY(seams_follow(mesh, rig, twin_of));
    return welding_make(mesh, twin_of, out);
}

/* Mixes two coordinates into a word, as splitmix64 does. */
static uint64_t coordinates_mix(uint64_t hash, float one, float other)
{
    const float values[2] = {one + 0.0f, other + 0.0f}; /* adding 0 turns -0 into 0 */
    uint64_t bits = 0;
    memcpy(&bits, values, sizeof bits);
    hash = (hash ^ bits) + 0x9e3779b97f4a7c15U;
    hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9U;
    hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebU;
    return hash ^ (hash >> 31);
}

/* Computes a hash of two words for each vertex of this rank that has twins, from the positions of the
 * vertex in all frames. */
static Status motions_find(const Animation *animation, VertexShare share, const bool *split,
                           uint64_t *motions)
{
    const size_t values = 3 * (size_t)share.count;
    LOCAL_ARRAY(float, frame, animation->positions ? 0 : values, WHAT);
    for (int f = 0; f < animation->frame_count && share.count > 0; f++) {
        const float *positions = animation->positions ? animation->positions + (size_t)f * values : frame;
        if (!animation->positions)
            STATUS_TRY(animation_block(animation, share.count, (PositionBlock){f, 1, 0, share.count}, frame));
        for (int v = share.first; v < share.first + share.count; v++, positions += 3)
            if (split[v]) {
                uint64_t *words = motions + 2 * (size_t)v;
                words[0] = coordinates_mix(words[0] + words[1], positions[0], positions[1]);
                words[1] = coordinates_mix(words[1] + words[0], positions[2], 0.0f);
            }
    }
    return status_ok();
}

/* compare only vertices that share their rest position, so that a mesh without twins costs a single sort */
Status welding_find_in_motion(const Mesh *mesh, const Animation *animation, const Ranks *ranks, Welding *out)
{
    const int vertices = mesh->vertex_count;
    LOCAL_ARRAY(TwinKey, keys, vertices, WHAT);
    LOCAL_ARRAY(int32_t, twin_of, vertices, WHAT);
    if (places_find(mesh, keys, twin_of) > 0) {
        LOCAL_ARRAY(bool, split, vertices, WHAT);
        LOCAL_TABLE(uint64_t, motions, vertices, 2, WHAT);
        const VertexShare share = ranks_share(ranks, vertices);
        for (int v = 0; v < vertices; v++)
            split[twin_of[v]] |= twin_of[v] != v;
        for (int v = 0; v < vertices; v++)
            split[v] = split[twin_of[v]];
        const Status status = motions_find(animation, share, split, motions);
        ranks_gather(ranks, vertices, 2 * sizeof *motions, motions + 2 * (size_t)share.first, motions);
        STATUS_TRY(status);
        for (int i = 0; i < vertices; i++)
            memcpy(keys[i].motion, motions + 2 * (size_t)keys[i].vertex, sizeof keys[i].motion);
        twins_find(keys, vertices, twin_of);
    }
    return welding_make(mesh, twin_of, out);
}

void welding_clear(Welding *welding)
{
    FREE_ALL(welding->welded_of, welding->vertex_of);
    mesh_clear(&welding->mesh);
    *welding = (Welding){0};
}
