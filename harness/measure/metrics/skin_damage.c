/* Measures a skinned pose against the rest pose. The skin that blends at a joint is compared with the two
 * bones that meet there, the joint's own and its parent's, each moved by its joint. Skin that keeps its
 * distance from these bones neither collapses nor bulges. */
#include "harness/measure/metrics/skin_damage.h"

#include "datasets/geometry/triangle_grid.h"
#include "datasets/rigging/bones.h"

double bones_distance(const Vec3 *from, const Vec3 *to, int count, Vec3 point)
{
    double min = INFINITY;
    for (int i = 0; i < count; i++)
        min = fmin(min, segment_distance(point, from[i], to[i]));
    return min;
}

double radial_change(const Vec3 *from, const Vec3 *to, int count, Vec3 point, double at_rest)
{
    return bones_distance(from, to, count, point) / at_rest - 1.0;
}

static float weight_of(const Rig *rig, int vertex, int joint)
{
    float sum = 0.0f;
    for (int k = 0; k < rig->influence_count; k++) {
        const size_t slot = (size_t)vertex * (size_t)rig->influence_count + (size_t)k;
        sum += rig->weight_joints[slot] == joint ? rig->weight_values[slot] : 0.0f;
    }
    return sum;
}

/* Returns the joint at which the skin of a vertex blends. If one of the vertex's two heaviest joints is a
 * child of the other, returns the child, otherwise the lighter joint. */
static int blending_joint(const Rig *rig, int vertex)
{
    static const float LEAST_SHARE = 0.02f;
    int best[2] = {-1, -1};
    float weights[2] = {0.0f, 0.0f};
    for (int k = 0; k < rig->influence_count; k++) {
        const int joint = rig->weight_joints[(size_t)vertex * (size_t)rig->influence_count + (size_t)k];
        const float weight = weight_of(rig, vertex, joint);
        if (joint == best[0] || joint == best[1])
            continue;
        const int slot = weight > weights[0] ? 0 : 1;
        if (slot == 0) {
            best[1] = best[0];
            weights[1] = weights[0];
        }
        if (weight > weights[slot]) {
            best[slot] = joint;
            weights[slot] = weight;
        }
    }
    if (weights[1] < LEAST_SHARE)
        return -1;
    return rig->parents[best[0]] == best[1] ? best[0] : best[1];
}

static bool sets_differ(const Rig *rig, int a, int b)
{
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < rig->influence_count; k++) {
            const size_t slot = (size_t)(side ? b : a) * (size_t)rig->influence_count + (size_t)k;
            if (rig->weight_values[slot] > 0.0f &&
                weight_of(rig, side ? a : b, rig->weight_joints[slot]) <= 0.0f)
                return true;
        }
    return false;
}

/* Returns the two bones that meet at a joint: the joint's own bone, and the bone of its parent that ends at
 * the joint. If transforms is NULL, returns them at rest. */
typedef struct JointBones {
    int count;
    Vec3 from[2], to[2];
} JointBones;

static Vec3 carried(const Transform *transforms, int joint, Vec3 point)
{
    return transforms ? transform_point(transforms[joint], point) : point;
}

static JointBones joint_bones(const SkinAtRest *rest, int joint, const Transform *transforms)
{
    JointBones bones = {0};
    const RestBone *bone = &rest->bones[joint];
    const int parent = rest->rig->parents[joint];
    if (!bone->there)
        return bones;
    bones = (JointBones){1, {carried(transforms, joint, bone->from)}, {carried(transforms, joint, bone->to)}};
    if (parent >= 0) {
        bones.from[1] = carried(transforms, parent, rest->bones[parent].from);
        bones.to[1] = carried(transforms, parent, bone->from);
        bones.count = 2;
    }
    return bones;
}

static bool edge_crosses(const TriangleGrid *grid, const MeshEdge *edge)
{
    return triangle_grid_hit(grid, point_at(grid->points, edge->low), point_at(grid->points, edge->high),
                             (const int32_t[]){edge->low, edge->high}) <= 1.0;
}

Status skin_at_rest_make(const Mesh *mesh, const Rig *rig, SkinAtRest *out)
{
    *out = (SkinAtRest){.rig = rig};
    if (mesh->triangle_count == 0)
        return bad_input("has no triangles, so there is no skin surface to judge");
    STATUS_TRY(welding_find(mesh, rig, &out->welding));
    out->mesh = (Mesh){
        .vertex_count = mesh->vertex_count, .triangle_count = mesh->triangle_count, .rest = mesh->rest};
    ALLOCATE_TABLE(out->mesh.triangles, mesh->triangle_count, 3, "the triangles of a mesh");
    for (size_t c = 0; c < 3 * (size_t)mesh->triangle_count; c++)
        out->mesh.triangles[c] = welding_lowest(&out->welding, mesh->triangles[c]);
    STATUS_TRY(surface_init(&out->mesh, &out->surface));
    ALLOCATE(out->lengths, out->surface.edge_count, "the skin at rest");
    ALLOCATE(out->crosses, out->surface.edge_count, "the skin at rest");
    ALLOCATE(out->folds, out->surface.edge_count, "the skin at rest");
    ALLOCATE(out->areas, mesh->triangle_count, "the skin at rest");
    ALLOCATE(out->joint_of, mesh->vertex_count, "the skin at rest");
    ALLOCATE(out->distances, mesh->vertex_count, "the skin at rest");
    ALLOCATE(out->skin, rig->joint_count, "the skin at rest");
    LOCAL_TABLE(double, holes, out->surface.hole_count, 4, "the skin at rest");
    ALLOCATE(out->bones, rig->joint_count, "the skin at rest");
    out->diagonal = bounds_of(mesh->rest, mesh->vertex_count).diagonal;
    out->volume = surface_volume(&out->surface, mesh->rest, holes);
    surface_edge_lengths(&out->surface, mesh->rest, out->lengths);
    for (int e = 0; e < out->surface.edge_count; e++)
        out->crosses[e] = sets_differ(rig, out->surface.edges[e].low, out->surface.edges[e].high);
    for (int t = 0; t < mesh->triangle_count; t++)
        out->areas[t] = vec3_length(triangle_cross(mesh->rest, out->mesh.triangles + 3 * (size_t)t));
    for (int j = 0; j < rig->joint_count; j++)
        out->bones[j].there = joint_bone(rig, j, &out->bones[j].from, &out->bones[j].to);
    for (int v = 0; v < mesh->vertex_count; v++) {
        const int joint = out->joint_of[v] =
            welding_lowest(&out->welding, v) == v ? blending_joint(rig, v) : -1;
        if (joint < 0)
            continue;
        out->skin[joint]++;
        const JointBones bones = joint_bones(out, joint, NULL);
        if (bones.count > 0)
            out->distances[v] = bones_distance(bones.from, bones.to, bones.count, point_at(mesh->rest, v));
    }
    CLEANUP(triangle_grid_clear) TriangleGrid grid = {0};
    STATUS_TRY(
        triangle_grid_init(mesh->rest, mesh->vertex_count, out->mesh.triangles, mesh->triangle_count, &grid));
    for (int e = 0; e < out->surface.edge_count; e++) {
        const MeshEdge *edge = &out->surface.edges[e];
        out->folds[e] =
            (out->joint_of[edge->low] >= 0 || out->joint_of[edge->high] >= 0) && !edge_crosses(&grid, edge);
    }
    return status_ok();
}

void skin_at_rest_clear(SkinAtRest *rest)
{
    welding_clear(&rest->welding);
    memory_free(rest->mesh.triangles);
    surface_clear(&rest->surface);
    FREE_ALL(rest->lengths, rest->areas, rest->crosses, rest->folds, rest->joint_of, rest->skin, rest->bones,
             rest->distances);
    *rest = (SkinAtRest){0};
}

SkinDamage skin_damage(const SkinAtRest *rest, const Transform *transforms, const float *positions,
                       const float *linear, JointDamage *joints, double *holes)
{
    SkinDamage wear = {.volume = NAN, .crossing = NAN};
    double edges = 0.0, area = 0.0;
    const Surface *surface = &rest->surface;
    if (isfinite(rest->volume) != 0)
        wear.volume = fabs(surface_volume_change(surface, rest->volume, positions, holes));
    for (int e = 0; e < surface->edge_count; e++) {
        const double length = vec3_length(edge_vector(&surface->edges[e], positions));
        wear.stretch += fabs(length - rest->lengths[e]);
        edges += rest->lengths[e];
        if (rest->crosses[e])
            wear.gap = fmax(wear.gap, length - fmax(vec3_length(edge_vector(&surface->edges[e], linear)),
                                                    rest->lengths[e]));
    }
    for (int v = 0; v < rest->mesh.vertex_count; v++) {
        const int32_t twin = welding_lowest(&rest->welding, v);
        if (twin != v)
            wear.gap =
                fmax(wear.gap, vec3_length(vec3_sub(point_at(positions, v), point_at(positions, twin))));
    }
    for (int t = 0; t < rest->mesh.triangle_count; t++) {
        wear.area += fabs(vec3_length(triangle_cross(positions, rest->mesh.triangles + 3 * (size_t)t)) -
                          rest->areas[t]);
        area += rest->areas[t];
    }
    wear.stretch = edges > 0.0 ? wear.stretch / edges : 0.0;
    wear.area = area > 0.0 ? wear.area / area : 0.0;
    wear.gap /= rest->diagonal;
    /* sum the measures of each joint's skin over its vertices, then divide to get the means */
    const Rig *rig = rest->rig;
    JointBones bones = {0};
    int last = -1;
    memset(joints, 0, (size_t)rig->joint_count * sizeof *joints);
    for (int v = 0; v < rest->mesh.vertex_count; v++) {
        const int joint = rest->joint_of[v];
        if (joint < 0)
            continue;
        if (joint != last)
            bones = joint_bones(rest, joint, transforms);
        last = joint;
        const Vec3 place = point_at(positions, v);
        joints[joint].difference += (float)vec3_length(vec3_sub(place, point_at(linear, v)));
        if (!(rest->distances[v] > 1e-6 * rest->diagonal))
            continue;
        const double change = radial_change(bones.from, bones.to, bones.count, place, rest->distances[v]);
        joints[joint].collapse += (float)fmax(0.0, -change);
        joints[joint].bulge += (float)fmax(0.0, change);
    }
    for (int j = 0; j < rig->joint_count; j++)
        if (rest->skin[j] > 0) {
            const float share = 1.0f / (float)rest->skin[j];
            joints[j].collapse *= share;
            joints[j].bulge *= share;
            joints[j].difference *= share / (float)rest->diagonal;
        }
    return wear;
}

void skin_radial_changes(const SkinAtRest *rest, const Transform *transforms, const float *positions,
                         float *changes)
{
    for (int v = 0; v < rest->mesh.vertex_count; v++) {
        changes[v] = 0.0f;
        if (rest->joint_of[v] < 0 || !(rest->distances[v] > 1e-6 * rest->diagonal))
            continue;
        const JointBones bones = joint_bones(rest, rest->joint_of[v], transforms);
        changes[v] = (float)radial_change(bones.from, bones.to, bones.count, point_at(positions, v),
                                          rest->distances[v]);
    }
}

Status skin_crossing(const SkinAtRest *rest, const float *positions, double *crossing)
{
    enum { EDGES_ENOUGH = 8192 };
    double edges = 0.0, crossed = 0.0;
    CLEANUP(triangle_grid_clear) TriangleGrid grid = {0};
    STATUS_TRY(triangle_grid_init(positions, rest->mesh.vertex_count, rest->mesh.triangles,
                                  rest->mesh.triangle_count, &grid));
    for (int e = 0; e < rest->surface.edge_count; e += 1 + rest->surface.edge_count / EDGES_ENOUGH)
        if (rest->folds[e]) {
            edges += 1.0;
            crossed += edge_crosses(&grid, &rest->surface.edges[e]);
        }
    *crossing = edges > 0.0 ? crossed / edges : 0.0;
    return status_ok();
}
