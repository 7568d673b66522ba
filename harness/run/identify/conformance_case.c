/* The cases of the conformance pack, and the glTF file of a case. */
#include "harness/run/identify/conformance.h"

#include "datasets/formats/gltf_export.h"
#include "datasets/generate/tube.h"
#include "datasets/geometry/affine_parts.h"
#include "datasets/geometry/angles.h"
#include "datasets/geometry/points.h"

enum { SIDES = 6, RINGS_PER_JOINT = 4, RINGS_MAX = 61, INFLUENCES_MAX = 12 };

/* Bits of ConformanceCase.oddities. */
enum {
    TWO_SKINS = 1,      /* there are two meshes, whose skins list the same joints in opposite orders */
    REVERSED = 2,       /* the skin lists the joints from the last to the first */
    ARMATURE = 4,       /* a node that is not a joint moves, turns and scales the chain */
    GAP = 8,            /* a node that is not a joint stands between the first two joints */
    MESH_NODE = 16,     /* the node of the mesh is moved, which must have no effect */
    NO_BINDS = 32,      /* the skin has no inverse bind matrices; all joints are at the origin */
    STRAY_SLOTS = 64,   /* unused slots name the last joint */
    FLIPPED_KEYS = 128, /* every second rotation key has the opposite sign */
    MORPH = 256,        /* a morph target widens the tube, with a constant weight of 0.75 */
    MORPH_MOVES = 512   /* the weight of the morph target is animated */
};

#define BULGE                                                                                                \
    {                                                                                                        \
        1.5, 1.0, 1.75                                                                                       \
    }

static const ConformanceCase cases[] = {
    {"still", "Nothing moves", .turn = 0},
    {"rigid", "One joint turns and carries the whole mesh", .turn = 100, .joints = 1, .influences = 1},
    {"slide", "The whole chain moves", .slide = 3},
    {"bend-90", "A bend of 90 degrees", .turn = 90},
    {"bend-150", "A bend of 150 degrees", .turn = 150},
    {"twist-90", "A twist of 90 degrees", .turn = 90, .twist = true},
    {"twist-170", "A twist of 170 degrees", .turn = 170, .twist = true},
    {"twist-180", "A twist of 180 degrees, at which neither way round is the shorter one", .turn = 180,
     .twist = true, .linear_only = true},
    {"twist-250", "A twist beyond 180 degrees: dual quaternions take the shorter way", .turn = 250,
     .twist = true},
    {"antipodal", "A full turn: quaternions of joints that turn alike are antipodal, q and -q", .turn = 360,
     .twist = true},
    {"antipodal-keys", "Every second rotation key has the opposite sign", .turn = 120,
     .oddities = FLIPPED_KEYS},
    {"chain-twist-210", "Four joints, all of which move each vertex, twist by 210 degrees in all", .turn = 70,
     .twist = true, .joints = 4, .influences = 4},
    {"chain-bend-210", "Four joints, all of which move each vertex, bend by 210 degrees in all", .turn = 70,
     .joints = 4, .influences = 4},
    {"chain-twist-385", "Eight joints, all of which move each vertex, twist by 385 degrees in all",
     .turn = 55, .twist = true, .joints = 8, .influences = 8},
    {"scale-uniform", "The last joint doubles its size", .scale = {2, 2, 2}, .scaled = 1},
    {"scale-small", "The last joint shrinks to a hundredth", .scale = {.01, .01, .01}, .scaled = 1},
    {"scale-long", "The last bone becomes three times as long", .scale = {1, 3, 1}, .scaled = 1},
    {"scale-bulge", "The last joint is scaled across its bone", .scale = BULGE, .scaled = 1},
    {"scale-bend", "The last joint is scaled across its bone and bends: the scale comes first", .turn = 60,
     .scale = BULGE, .scaled = 1},
    {"scale-parent", "The first joint is scaled along its bone, the second bends: it is sheared", .turn = 60,
     .scale = {1, 2, 1}},
    {"scale-root", "The first joint doubles its size, and the second bends", .turn = 60, .scale = {2, 2, 2}},
    {"scale-zero", "The last joint becomes flat", .scale = {1, 1, 0}, .scaled = 1, .linear_only = true,
     .no_normals = true},
    {"mirror-one", "The last joint is mirrored", .scale = {-1, 1, 1}, .scaled = 1},
    {"mirror-all", "The first joint is mirrored in all three axes, and the second bends", .turn = 60,
     .scale = {-1, -1, -1}},
    {"influences-1", "1 influence per vertex", .turn = 60, .joints = 3, .influences = 1},
    {"influences-4", "4 influences per vertex", .turn = 40, .joints = 4, .influences = 4},
    {"influences-5", "5 influences per vertex: JOINTS_1 and WEIGHTS_1 exist", .turn = 30, .joints = 5,
     .influences = 5},
    {"influences-8", "8 influences per vertex", .turn = 20, .joints = 8, .influences = 8},
    {"influences-12", "12 influences per vertex: JOINTS_2 and WEIGHTS_2 exist", .turn = 15, .joints = 12,
     .influences = 12},
    {"weights-u8", "Weights are bytes", .turn = 50, .joints = 4, .influences = 4, .weight_bits = 8},
    {"weights-u8-8", "Weights are bytes, 8 per vertex", .turn = 20, .joints = 8, .influences = 8,
     .weight_bits = 8},
    {"weights-u16", "Weights are 16-bit integers", .turn = 50, .joints = 4, .influences = 4,
     .weight_bits = 16},
    {"weights-u16-8", "Weights are 16-bit integers, 8 per vertex", .turn = 20, .joints = 8, .influences = 8,
     .weight_bits = 16},
    {"sums-half", "Weights sum to 0.5, and are to be scaled to sum 1", .turn = 60, .weight_sum = 0.5},
    {"sums-double", "Weights sum to 2, and are to be scaled to sum 1", .turn = 60, .weight_sum = 2},
    {"sums-varied", "Weights sum to 0.5, 1 and 1.5 in turn, and are to be scaled to sum 1", .turn = 60,
     .weight_sum = -1},
    {"sums-half-8", "8 weights sum to 0.5, and are to be scaled to sum 1", .turn = 20, .joints = 8,
     .influences = 8, .weight_sum = 0.5},
    {"sums-half-u8", "Weights are bytes that sum to half of 255, and are to be scaled to sum 1", .turn = 60,
     .weight_bits = 8, .weight_sum = 0.5},
    {"stray-slots", "Slots of weight 0 name a joint that moves", .turn = 60, .joints = 3,
     .oddities = STRAY_SLOTS},
    {"joints-300", "300 joints, whose numbers need 16 bits", .turn = 1, .joints = 300, .influences = 4},
    {"far-mesh", "Mesh and joints are 10,000 bones from the origin", .turn = 60, .place = 1e4},
    {"far-motion", "The first joint moves away by 10,000 bones", .turn = 60, .slide = 1e4},
    {"tiny", "Bones are a thousandth long", .turn = 60, .size = 1e-3},
    {"huge", "Bones are 1,000 long", .turn = 60, .size = 1e3},
    {"two-skins", "Two meshes have skins that list the same joints in opposite orders", .turn = 60,
     .joints = 3, .oddities = TWO_SKINS},
    {"reversed-joints", "The skin lists children before their parents", .turn = 60, .joints = 3,
     .oddities = REVERSED},
    {"armature", "A node above the joints moves, turns and shrinks them", .turn = 60, .oddities = ARMATURE},
    {"gap", "A turned node that is not a joint stands between two joints", .turn = 60, .oddities = GAP},
    {"mesh-node", "The node of the mesh is moved, which must have no effect", .turn = 60,
     .oddities = MESH_NODE},
    {"no-inverse-binds", "The skin has no inverse bind matrices, so they are identities", .turn = 60,
     .oddities = NO_BINDS},
    {"morph", "A morph target of constant weight widens the tube before it is skinned", .turn = 60,
     .oddities = MORPH, .no_normals = true},
    {"morph-moves", "A morph target of animated weight widens the tube before it is skinned", .turn = 60,
     .oddities = MORPH | MORPH_MOVES, .linear_only = true, .no_normals = true},
};

int conformance_case_count(void)
{
    return (int)(sizeof cases / sizeof cases[0]);
}

const ConformanceCase *conformance_case_at(int index)
{
    return &cases[index];
}

static int joint_count(const ConformanceCase *row)
{
    return row->joints ? row->joints : 2;
}

static double length_of(const ConformanceCase *row)
{
    return row->size > 0.0 ? row->size : 1.0;
}

static Quat turn(double degrees, Vec3 axis)
{
    const double half = degrees * PI / 360.0;
    return quat_make(cos(half), sin(half) * axis.x, sin(half) * axis.y, sin(half) * axis.z);
}

static bool has_gap_above(const ConformanceCase *row, int joint)
{
    return (row->oddities & GAP) && joint == 1;
}

static const AffineParts gap = {{0.0, 0.5, 0.0}, {0.96, 0.28, 0.0, 0.0}, {1.0, 1.0, 1.0}};

/* Returns the place of a joint in its parent node. `share` is 0 in the rest pose and 1 in the last frame. */
static AffineParts joint_place(const ConformanceCase *row, int joint, double share)
{
    AffineParts place = {.rotation = {1.0, 0.0, 0.0, 0.0}, .scale = {1.0, 1.0, 1.0}};
    if (joint == 0)
        place.translation = vec3_make(row->place + share * row->slide, 0.0, 0.0);
    else if (!(row->oddities & NO_BINDS))
        place.translation = vec3_make(0.0, has_gap_above(row, joint) ? 0.5 : 1.0, 0.0);
    place.translation = vec3_scale(place.translation, length_of(row));
    if (joint > 0 || joint_count(row) == 1)
        place.rotation = turn(share * row->turn, vec3_make(0.0, row->twist, !row->twist));
    if (joint == row->scaled && vec3_dot(row->scale, row->scale) > 0.0)
        place.scale = vec3_add_scaled(vec3_scale(place.scale, 1.0 - share), row->scale, share);
    return place;
}

/* ---- the mesh ---- */

static Status mesh_make(const ConformanceCase *row, Mesh *out)
{
    TubeRing rings[RINGS_MAX];
    const int joints = joint_count(row), count = int_min(RINGS_PER_JOINT * joints + 1, RINGS_MAX);
    for (int i = 0; i < count; i++)
        rings[i] =
            (TubeRing){.center = vec3_scale(vec3_make(row->place, (double)joints * i / (count - 1), 0.0),
                                            length_of(row)),
                       .u = {0.0, 0.0, 1.0},
                       .v = {1.0, 0.0, 0.0},
                       .radius_u = 0.25 * length_of(row),
                       .radius_v = 0.2 * length_of(row),
                       .vertices = SIDES};
    return tube_mesh_make(rings, count, out);
}

/* Finds the joints whose bones are nearest to a vertex, and their weights, which sum to 1. Returns their
 * number. */
static int vertex_influences(const ConformanceCase *row, const Mesh *mesh, int vertex,
                             int joints[INFLUENCES_MAX], double weights[INFLUENCES_MAX])
{
    const double y = (double)mesh->rest[3 * vertex + 1] / length_of(row);
    const int count = row->influences ? row->influences : 2, joint_max = joint_count(row) - 1;
    double sum = 0.0;
    int low = int_min((int)floor(y), joint_max), high = low + 1; /* the next joints downwards and upwards */
    for (int k = 0; k < count; k++) {
        const bool down = high > joint_max || (low >= 0 && y - low - 0.5 <= high + 0.5 - y);
        joints[k] = down ? low-- : high++;
        const double distance = y - joints[k] - 0.5;
        sum += weights[k] = 1.0 / (0.25 + distance * distance);
    }
    for (int k = 0; k < count; k++)
        weights[k] /= sum;
    return count;
}

static double weight_sum(const ConformanceCase *row, int vertex)
{
    if (row->weight_sum < 0.0)
        return 0.5 * (1 + vertex % 3);
    return row->weight_sum > 0.0 ? row->weight_sum : 1.0;
}

/* Writes the influences of all vertices. Joints are numbered from the last to the first if `reversed`. */
static void influences_write(GltfWriter *writer, const ConformanceCase *row, const Mesh *mesh, bool reversed,
                             json_t *attributes)
{
    const int last = joint_count(row) - 1, stray = row->oddities & STRAY_SLOTS ? last : 0;
    const double steps = (double)((1 << row->weight_bits) - 1);
    const int bits[2] = {last > UINT8_MAX ? 16 : 8, row->weight_bits};
    static const GltfArray arrays[2][3] = {[0] = {[1] = GLTF_JOINTS_8, [2] = GLTF_JOINTS_16},
                                           [1] = {GLTF_WEIGHTS, GLTF_WEIGHTS_8, GLTF_WEIGHTS_16}};
    int joints[INFLUENCES_MAX];
    double weights[INFLUENCES_MAX];
    char name[32];
    for (int i = 0; i < 2 || GLTF_SLOTS * (i / 2) < row->influences; i++) { /* JOINTS_0, WEIGHTS_0, ... */
        const int set = i / 2, kind = i % 2;
        gltf_array_begin(writer, arrays[kind][bits[kind] / 8]);
        for (int v = 0; v < mesh->vertex_count; v++) {
            const int count = vertex_influences(row, mesh, v, joints, weights);
            const double sum = weight_sum(row, v);
            float reals[GLTF_SLOTS] = {0};
            uint16_t integers[GLTF_SLOTS] = {0};
            uint8_t bytes[GLTF_SLOTS] = {0};
            double left = steps * sum; /* for the first weight, after the others are rounded */
            for (int k = 1; k < count; k++)
                left -= floor(steps * sum * weights[k] + 0.5);
            for (int k = 0; k < GLTF_SLOTS; k++) {
                const int slot = GLTF_SLOTS * set + k, joint = slot < count ? joints[slot] : stray;
                const double weight = slot < count ? sum * weights[slot] : 0.0;
                const double step = slot > 0 ? floor(steps * weight + 0.5) : floor(left);
                reals[k] = (float)weight;
                integers[k] = (uint16_t)(kind == 1 ? step : reversed ? last - joint : joint);
                bytes[k] = (uint8_t)integers[k];
            }
            const void *elements[] = {reals, bytes, integers};
            gltf_array_add(writer, elements[bits[kind] / 8], 1);
        }
        snprintf(name, sizeof name, "%s_%d", kind == 1 ? "WEIGHTS" : "JOINTS", set);
        json_object_set_new(attributes, name, json_integer(gltf_array_end(writer)));
    }
}

/* Adds a mesh, whose skin has the same index. Each further mesh stands beside the one before. */
static Status mesh_write(GltfWriter *writer, const ConformanceCase *row, int index, json_t *meshes)
{
    CLEANUP(mesh_clear) Mesh mesh = {0};
    STATUS_TRY(mesh_make(row, &mesh));
    const int count = mesh.vertex_count, corners = 3 * mesh.triangle_count;
    LOCAL_TABLE(double, sums, count, 3, "normals");
    LOCAL_TABLE(float, values, count, 3, "values of vertices");
    for (int v = 0; v < count; v++)
        mesh.rest[3 * v] += (float)index;
    vertex_normals(mesh.triangles, mesh.triangle_count, count, mesh.rest, sums);
    for (int v = 0; v < count; v++)
        point_set(values, v, vec3_normalize(vec3_make(sums[3 * v], sums[3 * v + 1], sums[3 * v + 2])));
    json_t *attributes =
        json_pack("{s:i, s:i}", "POSITION", gltf_array_write(writer, GLTF_POSITIONS, mesh.rest, count),
                  "NORMAL", gltf_array_write(writer, GLTF_NORMALS, values, count));
    influences_write(writer, row, &mesh, (index > 0) != ((row->oddities & REVERSED) != 0), attributes);
    json_t *described = json_pack("{s:[{s:o, s:i}]}", "primitives", "attributes", attributes, "indices",
                                  gltf_array_write(writer, GLTF_INDICES_32, mesh.triangles, corners));
    if (row->oddities & MORPH) {
        for (int v = 0; v < count; v++)
            point_set(values, v,
                      vec3_make(0.5 * (double)mesh.rest[3 * v], 0.0, 0.5 * (double)mesh.rest[3 * v + 2]));
        json_object_set_new(
            json_array_get(json_object_get(described, "primitives"), 0), "targets",
            json_pack("[{s:i}]", "POSITION", gltf_array_write(writer, GLTF_POSITIONS, values, count)));
        json_object_set_new(described, "weights", json_pack("[f]", 0.75));
    }
    json_array_append_new(meshes, described);
    return status_ok();
}

/* ---- nodes, skins and the clip ---- */

/* Animates a joint. Parts that do not move have no channel, except for the translation of the first joint. */
static void joint_channels_write(GltfWriter *writer, const ConformanceCase *row, int joint, int node,
                                 int times, json_t *clip)
{
    JointKey keys[CONFORMANCE_FRAMES];
    for (int f = 0; f < CONFORMANCE_FRAMES; f++) {
        AffineParts place = joint_place(row, joint, (double)f / (CONFORMANCE_FRAMES - 1));
        if ((row->oddities & FLIPPED_KEYS) && f % 2 == 1)
            place.rotation = quat_scale(place.rotation, -1.0);
        keys[f] = joint_key(place);
    }
    for (int i = 0; i < GLTF_KEY_PARTS; i++) {
        const GltfKeyPart *part = &gltf_key_parts[i];
        if (memcmp((char *)&keys[0] + part->offset, (char *)&keys[1] + part->offset,
                   (size_t)part->width * sizeof(float)) == 0 &&
            (joint > 0 || i > 0))
            continue;
        gltf_array_begin(writer, part->array);
        for (int f = 0; f < CONFORMANCE_FRAMES; f++)
            gltf_array_add(writer, (char *)&keys[f] + part->offset, 1);
        gltf_channel_append(clip, times, gltf_array_end(writer), node, part->path);
    }
}

/* Writes the joints of the chain, their channels and the skins. */
static Status chain_write(GltfWriter *writer, const ConformanceCase *row, int skins, json_t *root)
{
    const int joints = joint_count(row);
    json_t *nodes = json_object_get(root, "nodes"),
           *clip = json_array_get(json_object_get(root, "animations"), 0);
    LOCAL_ARRAY(int, numbers, joints, "joints");
    LOCAL_TABLE(float, binds, joints, 16, "inverse bind matrices");
    const float times_s[CONFORMANCE_FRAMES] = {0.0f, 1.0f, 2.0f, 3.0f};
    const int times = gltf_array_write(writer, GLTF_TIMES, times_s, CONFORMANCE_FRAMES);
    const JointKey still = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}, .scale = {1.0f, 1.0f, 1.0f}},
                   moved = joint_key((AffineParts){{1.0, 2.0, 3.0}, {0.6, 0.0, 0.8, 0.0}, {0.5, 0.5, 0.5}}),
                   above = joint_key(gap);
    Transform rest = transform_identity();
    int parent = gltf_node_append(nodes, "armature", row->oddities & ARMATURE ? &moved : &still, -1);
    for (int j = 0; j < joints; j++) {
        char name[32];
        snprintf(name, sizeof name, "bone %d", j);
        if (has_gap_above(row, j)) {
            parent = gltf_node_append(nodes, "gap", &above, parent);
            rest = transform_product(rest, affine_parts_join(gap));
        }
        const AffineParts place = joint_place(row, j, 0.0);
        const JointKey key = joint_key(place);
        numbers[j] = parent = gltf_node_append(nodes, name, &key, parent);
        joint_channels_write(writer, row, j, parent, times, clip);
        rest = transform_product(rest, affine_parts_join(place));
        inverse_bind_columns(rest, binds + (ptrdiff_t)16 * j);
    }
    for (int skin = 0; skin < skins; skin++) {
        const bool reversed = (skin > 0) != ((row->oddities & REVERSED) != 0);
        json_t *listed = json_array(), *described = json_pack("{s:o}", "joints", listed);
        for (int i = 0; i < joints; i++)
            json_array_append_new(listed, json_integer(numbers[reversed ? joints - 1 - i : i]));
        if (!(row->oddities & NO_BINDS)) {
            gltf_array_begin(writer, GLTF_INVERSE_BINDS);
            for (int i = 0; i < joints; i++)
                gltf_array_add(writer, binds + 16 * (reversed ? joints - 1 - i : i), 1);
            json_object_set_new(described, "inverseBindMatrices", json_integer(gltf_array_end(writer)));
        }
        json_array_append_new(json_object_get(root, "skins"), described);
    }
    if (row->oddities & MORPH_MOVES) {
        const float weights[CONFORMANCE_FRAMES] = {0.0f, 0.25f, 0.5f, 1.0f};
        gltf_channel_append(clip, times, gltf_array_write(writer, GLTF_NUMBERS, weights, CONFORMANCE_FRAMES),
                            0, "weights");
    }
    return status_ok();
}

Status conformance_case_write(const ConformanceCase *row, const char *path)
{
    const AtomicPath place = {.given = (char *)path + output_path_folder_length(path),
                              .temporary = (char *)path};
    const int meshes = row->oddities & TWO_SKINS ? 2 : 1;
    CLEANUP(gltf_writer_close) GltfWriter writer = {0};
    STATUS_TRY(gltf_writer_open(&place, &writer));
    json_auto_t *root = json_pack(
        "{s:{s:s, s:s, s:s}, s:i, s:[{s:[]}], s:[], s:[], s:[], s:[{s:s, s:[], s:[]}]}", "asset", "version",
        "2.0", "generator", "skinbench conformance", "copyright", "MIT", "scene", 0, "scenes", "nodes",
        "nodes", "meshes", "skins", "animations", "name", row->name, "samplers", "channels");
    json_t *nodes = json_object_get(root, "nodes"),
           *scene = json_object_get(json_array_get(json_object_get(root, "scenes"), 0), "nodes");
    for (int i = 0; i < meshes; i++) {
        json_t *node = json_pack("{s:s, s:i, s:i}", "name", "mesh", "mesh", i, "skin", i);
        if (row->oddities & MESH_NODE)
            json_object_set_new(node, "translation", json_pack("[i,i,i]", 5, 6, 7));
        json_array_append_new(nodes, node);
        STATUS_TRY(mesh_write(&writer, row, i, json_object_get(root, "meshes")));
    }
    for (int i = 0; i <= meshes; i++) /* the armature is the node after the meshes */
        json_array_append_new(scene, json_integer(i));
    STATUS_TRY(chain_write(&writer, row, meshes, root));
    return gltf_writer_finish(&writer, TAKE(root), true);
}
