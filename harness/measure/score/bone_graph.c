/* Makes skeletons in the unit in use, cleans them up as MagicArticulate's code does, and measures the mesh
 * around each joint. */
#include "harness/measure/score/score_parts.h"

#include "datasets/base/grouping.h"
#include "datasets/geometry/points.h"
#include "datasets/geometry/triangle_grid.h"

enum { CLIPS = 1, MERGES = 2 }; /* bits of the parameter `cleanup` */

void bone_graph_clear(BoneGraph *skeleton)
{
    FREE_ALL(skeleton->joints, skeleton->parents, skeleton->bones);
    *skeleton = (BoneGraph){0};
}

static void bone_add(BoneGraph *skeleton, int32_t parent, int32_t child)
{
    for (int b = 0; b < skeleton->bone_count; b++) {
        const int32_t *bone = skeleton->bones + 2 * (ptrdiff_t)b;
        if ((bone[0] == parent && bone[1] == child) || (bone[0] == child && bone[1] == parent))
            return;
    }
    skeleton->bones[2 * (ptrdiff_t)skeleton->bone_count] = parent;
    skeleton->bones[2 * (ptrdiff_t)skeleton->bone_count++ + 1] = child;
}

/* Replaces each joint by group_of [joints], and removes joints that lose all their bones, except `root`. */
static Status joints_replace(BoneGraph *skeleton, const int32_t *group_of, int root)
{
    const int count = skeleton->bone_count;
    LOCAL_ARRAY(int32_t, places, skeleton->joint_count, "a skeleton");
    skeleton->bone_count = 0;
    for (int b = 0; b < count; b++) {
        const int32_t parent = group_of[skeleton->bones[2 * b]], child = group_of[skeleton->bones[2 * b + 1]];
        if (parent != child)
            bone_add(skeleton, parent, child);
    }
    places[group_of[root]] = 1;
    for (int i = 0; i < 2 * skeleton->bone_count; i++)
        places[skeleton->bones[i]] = 1;
    int kept = 0;
    for (int j = 0; j < skeleton->joint_count; j++)
        if (places[j]) {
            skeleton->joints[kept] = skeleton->joints[j];
            places[j] = kept++;
        }
    for (int i = 0; i < 2 * skeleton->bone_count; i++)
        skeleton->bones[i] = places[skeleton->bones[i]];
    skeleton->parents[0] = places[group_of[root]]; /* the root, until parents are known */
    skeleton->joint_count = kept;
    return status_ok();
}

/* Merges near joints, connects the skeleton, and orients its bones away from the root. */
static Status bone_graph_merge(BoneGraph *skeleton, int root)
{
    const double SAME = 0.0025, NEAR = 0.02;
    const int count = skeleton->joint_count;
    LOCAL_TABLE(int32_t, groups, count, 2, "a skeleton");
    int32_t *set = groups + count;
    for (int j = 0; j < count; j++)
        groups[j] = -1;
    for (int j = 0; j < count; j++) {
        if (groups[j] >= 0)
            continue;
        groups[j] = j;
        bool has_root = j == root;
        for (int k = j + 1; k < count; k++)
            if (groups[k] < 0 && vec3_length(vec3_sub(skeleton->joints[j], skeleton->joints[k])) < SAME) {
                groups[k] = j;
                has_root = has_root || k == root;
            }
        if (has_root)
            for (int k = j; k < count; k++)
                groups[k] = groups[k] == j ? (int32_t)root : groups[k];
    }
    STATUS_TRY(joints_replace(skeleton, groups, root));
    for (;;) { /* merge or connect the nearest joints of two components */
        double least = INFINITY;
        int one = 0, other = 0;
        root = skeleton->parents[0];
        union_find_init(set, skeleton->joint_count);
        for (int b = 0; b < skeleton->bone_count; b++)
            union_find_union(set, skeleton->bones[2 * b], skeleton->bones[2 * b + 1]);
        for (int j = 0; j < skeleton->joint_count; j++)
            for (int k = j + 1; k < skeleton->joint_count; k++) {
                const double distance = vec3_length(vec3_sub(skeleton->joints[j], skeleton->joints[k]));
                if (distance < least && union_find_root(set, j) != union_find_root(set, k)) {
                    least = distance;
                    one = j;
                    other = k;
                }
            }
        if (!isfinite(least))
            break;
        if (least >= NEAR) {
            bone_add(skeleton, one, other);
            continue;
        }
        for (int j = 0; j < skeleton->joint_count; j++)
            groups[j] = j;
        if (other == root)
            groups[one] = other;
        else
            groups[other] = one;
        STATUS_TRY(joints_replace(skeleton, groups, root));
    }
    /* walk from the root; a bone that closes a circle gives no parent */
    for (int j = 0; j < skeleton->joint_count; j++)
        skeleton->parents[j] = -2;
    skeleton->parents[root] = -1;
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < 2 * skeleton->bone_count; i++) {
            const int32_t from = skeleton->bones[i], onward = skeleton->bones[i ^ 1];
            if (skeleton->parents[from] != -2 && skeleton->parents[onward] == -2) {
                skeleton->parents[onward] = from;
                more = true;
            }
        }
    }
    return status_ok();
}

Status bone_graph_init(const Rig *rig, const ScoreFrame *frame, const ParameterValues *parameters,
                       BoneGraph *out)
{
    const unsigned cleanup = (unsigned)parameters->values[SCORE_CLEANUP];
    const size_t count = (size_t)rig->joint_count;
    int root = 0;
    ALLOCATE(out->joints, count, "a skeleton");
    ALLOCATE(out->parents, count, "a skeleton");
    ALLOCATE_TABLE(out->bones, 2 * count, 2, "a skeleton"); /* a clean-up connects components by more bones */
    out->joint_count = rig->joint_count;
    for (int j = 0; j < rig->joint_count; j++) {
        Vec3 place = vec3_scale(vec3_sub(rig_joint_place(rig, j), frame->middle), 1.0 / frame->unit);
        if (cleanup & CLIPS)
            place = vec3_make(double_clamp(place.x, -0.5, 0.5), double_clamp(place.y, -0.5, 0.5),
                              double_clamp(place.z, -0.5, 0.5));
        out->joints[j] = place;
        out->parents[j] = rig->parents[j];
        if (rig->parents[j] < 0)
            continue;
        out->bones[2 * (ptrdiff_t)out->bone_count] = rig->parents[j];
        out->bones[2 * (ptrdiff_t)out->bone_count++ + 1] = j;
    }
    for (int j = rig->joint_count - 1; j >= 0; j--)
        root = rig->parents[j] < 0 ? j : root; /* the first root */
    if (cleanup & MERGES)
        STATUS_TRY(bone_graph_merge(out, root));
    if (out->bone_count == 0) /* a joint alone is a bone without length */
        out->bone_count = 1;
    return status_ok();
}

/* ---- the mesh around a joint ---- */

static double surface_distance(const Mesh *mesh, Vec3 place)
{
    double least = INFINITY;
    for (ptrdiff_t t = 0; t < mesh->triangle_count; t++) {
        Vec3 corner[3];
        double weights[3];
        for (int i = 0; i < 3; i++)
            corner[i] = point_at(mesh->rest, mesh->triangles[3 * t + i]);
        triangle_nearest(place, corner, weights);
        Vec3 off = vec3_scale(place, -1.0);
        for (int i = 0; i < 3; i++)
            off = vec3_add_scaled(off, corner[i], weights[i]);
        least = fmin(least, vec3_length(off));
    }
    for (int v = 0; v < mesh->vertex_count && mesh->triangle_count == 0; v++)
        least = fmin(least, vec3_length(vec3_sub(place, point_at(mesh->rest, v))));
    return least;
}

/* Adds the distances at which rays from `from`, at right angles to `along`, first hit the surface. */
static void rays_cast(const TriangleGrid *grid, Vec3 from, Vec3 along, double reach, double *sum, int *hits)
{
    enum { RAYS = 14 };
    const double TURN = 2.0 * 3.14159265358979323846 / RAYS;
    const int32_t none[2] = {-1, -1};
    const Vec3 way = vec3_normalize(along);
    const Vec3 axis = fabs(way.x) <= fabs(way.y) && fabs(way.x) <= fabs(way.z) ? vec3_make(1.0, 0.0, 0.0)
                      : fabs(way.y) <= fabs(way.z)                             ? vec3_make(0.0, 1.0, 0.0)
                                                                               : vec3_make(0.0, 0.0, 1.0);
    const Vec3 across = vec3_normalize(vec3_cross(way, axis)), up = vec3_cross(way, across);
    for (int i = 0; i < RAYS && vec3_length(along) > 0.0; i++) {
        const Vec3 ray = vec3_add_scaled(vec3_scale(across, cos(TURN * i)), up, sin(TURN * i));
        const double share = triangle_grid_hit(grid, from, vec3_add_scaled(from, ray, reach), none);
        *hits += share <= 1.0;
        *sum += share <= 1.0 ? share * reach : 0.0;
    }
}

Status bone_graph_tolerances(const BoneGraph *skeleton, const Mesh *mesh, const ScoreFrame *frame,
                             const ParameterValues *parameters, double *tolerances)
{
    CLEANUP(triangle_grid_clear) TriangleGrid grid = {0};
    LOCAL_ARRAY(int, hits, skeleton->joint_count, "the sizes of joints");
    for (int j = 0; j < skeleton->joint_count; j++)
        tolerances[j] = parameters->values[SCORE_TOLERANCE];
    if (parameters->values[SCORE_TOLERANCE] > 0.0)
        return status_ok();
    if (mesh->triangle_count > 0)
        STATUS_TRY(
            triangle_grid_init(mesh->rest, mesh->vertex_count, mesh->triangles, mesh->triangle_count, &grid));
    const Bounds box = bounds_of(mesh->rest, mesh->vertex_count);
    for (int i = 0; i < 2 * skeleton->bone_count && mesh->triangle_count > 0; i++) {
        const int32_t joint = skeleton->bones[i];
        const Vec3 along = vec3_sub(skeleton->joints[skeleton->bones[i ^ 1]], skeleton->joints[joint]);
        const Vec3 place = vec3_add_scaled(frame->middle, skeleton->joints[joint], frame->unit);
        /* a joint may be outside the box, but a ray that misses the box misses the surface */
        const double reach = 2.0 * box.diagonal + frame->unit * vec3_length(skeleton->joints[joint]);
        rays_cast(&grid, place, along, reach, &tolerances[joint], &hits[joint]);
    }
    for (int j = 0; j < skeleton->joint_count; j++)
        tolerances[j] =
            (hits[j] > 0
                 ? tolerances[j] / hits[j]
                 : surface_distance(mesh, vec3_add_scaled(frame->middle, skeleton->joints[j], frame->unit))) /
            frame->unit;
    return status_ok();
}
