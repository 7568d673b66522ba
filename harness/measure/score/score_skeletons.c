/* Chamfer distances between joints and bones, joints that are found, and the earth mover's distance along
 * bones. What a bone is differs between papers, and so do the numbers. */
#include "harness/measure/score/score_parts.h"

#include "datasets/geometry/point_tree.h"
#include "datasets/geometry/points.h"
#include "harness/measure/score/assignment.h"

enum { STEP, COUNT, EXACT, SQUARED }; /* the parameter `bones` */

/* Points with a tree over them. */
typedef struct Cloud {
    Vec3 *points;
    int count;
    PointTree tree;
} Cloud;

static void cloud_clear(Cloud *cloud)
{
    point_tree_clear(&cloud->tree);
    memory_free(cloud->points);
}

static Vec3 bone_end(const BoneGraph *skeleton, int bone, int end)
{
    return skeleton->joints[skeleton->bones[2 * bone + end]];
}

/* Number of points on a bone, and point i of them. */
static int bone_points(const BoneGraph *skeleton, int bone, int kind)
{
    const double STEP_LENGTH = 0.005;
    const Vec3 along = vec3_sub(bone_end(skeleton, bone, 1), bone_end(skeleton, bone, 0));
    return kind == COUNT ? 100 : 1 + (int)rint(vec3_length(along) / STEP_LENGTH);
}

static Vec3 bone_point(const BoneGraph *skeleton, int bone, int kind, int i, int count)
{
    const Vec3 parent = bone_end(skeleton, bone, 0), child = bone_end(skeleton, bone, 1);
    return kind == COUNT
               ? vec3_add_scaled(child, vec3_sub(parent, child), (double)i / count)
               : vec3_add_scaled(parent, vec3_sub(child, parent), count > 1 ? (double)i / (count - 1) : 0.0);
}

/* Takes the joints of a skeleton, or points on its bones. */
static Status cloud_init(const BoneGraph *skeleton, bool of_bones, int kind, Cloud *out)
{
    const int64_t POINTS_MAX = 1 << 22;
    int64_t count = skeleton->joint_count;
    for (int b = 0; of_bones && b < skeleton->bone_count; b++)
        count = (b > 0 ? count : 0) + bone_points(skeleton, b, kind);
    if (count > POINTS_MAX)
        return bad_input("the bones are too long: they have %" PRId64 " points, 0.005 apart", count);
    ALLOCATE(out->points, count, "points on bones");
    for (int j = 0; j < skeleton->joint_count && !of_bones; j++)
        out->points[out->count++] = skeleton->joints[j];
    for (int b = 0; b < skeleton->bone_count && of_bones; b++)
        for (int i = 0, points = bone_points(skeleton, b, kind); i < points; i++)
            out->points[out->count++] = bone_point(skeleton, b, kind, i, points);
    return point_tree_init(out->points, out->count, &out->tree);
}

/* Returns half the mean distance from the points of one cloud to the nearest of another. */
static double cloud_half(const Cloud *from, const Cloud *other, bool squared)
{
    double sum = 0.0;
    for (int i = 0; i < from->count; i++) {
        double distance = 0.0;
        point_tree_nearest(&other->tree, from->points[i], &distance);
        sum += squared ? distance * distance : distance;
    }
    return 0.5 * sum / from->count;
}

/* Returns the least distance of two segments. It is at an end of one of them, unless they cross when seen
 * along their common normal. */
static double segments_distance(Vec3 a, Vec3 b, Vec3 c, Vec3 d)
{
    const double PARALLEL = 1e-14; /* squared sine of the angle */
    const Vec3 u = vec3_sub(b, a), v = vec3_sub(d, c), w = vec3_sub(a, c);
    const double uu = vec3_dot(u, u), uv = vec3_dot(u, v), vv = vec3_dot(v, v), uw = vec3_dot(u, w),
                 vw = vec3_dot(v, w), determinant = uu * vv - uv * uv;
    const double s = (uv * vw - vv * uw) / determinant, t = (uu * vw - uv * uw) / determinant;
    double least = fmin(fmin(segment_distance(a, c, d), segment_distance(b, c, d)),
                        fmin(segment_distance(c, a, b), segment_distance(d, a, b)));
    if (determinant > PARALLEL * uu * vv && s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0)
        least = fmin(least, vec3_length(vec3_add_scaled(vec3_add_scaled(w, u, s), v, -t)));
    return least;
}

/* Returns half the mean distance from the joints, or the bones, of one skeleton to the nearest bone of
 * another. */
static double segments_half(const BoneGraph *from, bool of_bones, const BoneGraph *other, bool squared)
{
    const int count = of_bones ? from->bone_count : from->joint_count;
    double sum = 0.0;
    for (int i = 0; i < count; i++) {
        double least = INFINITY;
        for (int b = 0; b < other->bone_count; b++) {
            const Vec3 parent = bone_end(other, b, 0), child = bone_end(other, b, 1);
            least = fmin(
                least, of_bones ? segments_distance(bone_end(from, i, 0), bone_end(from, i, 1), parent, child)
                                : segment_distance(from->joints[i], parent, child));
        }
        sum += squared ? least * least : least;
    }
    return 0.5 * sum / count;
}

/* Computes the mean distance of 300 evenly spaced points along the bones of each skeleton, paired by the
 * Hungarian method. */
static Status s_emd_find(const BoneGraph *const skeletons[2], double *out)
{
    enum { POINTS = 300 };
    LOCAL_TABLE(double, costs, POINTS, POINTS, "points on bones");
    Vec3 points[2][POINTS] = {{{0.0, 0.0, 0.0}}};
    int32_t partner[POINTS];
    for (int side = 0; side < 2; side++) {
        const BoneGraph *skeleton = skeletons[side];
        double total = 0.0, passed = 0.0;
        for (int b = 0; b < skeleton->bone_count; b++)
            total += vec3_length(vec3_sub(bone_end(skeleton, b, 1), bone_end(skeleton, b, 0)));
        for (int b = 0, i = 0; b < skeleton->bone_count; b++) {
            const Vec3 parent = bone_end(skeleton, b, 0), along = vec3_sub(bone_end(skeleton, b, 1), parent);
            const double length = vec3_length(along);
            const bool last = b + 1 == skeleton->bone_count;
            for (; i < POINTS && (last || (i + 0.5) * total / POINTS < passed + length); i++) {
                const double share = length > 0.0 ? ((i + 0.5) * total / POINTS - passed) / length : 0.0;
                points[side][i] = vec3_add_scaled(parent, along, share);
            }
            passed += length;
        }
    }
    for (int i = 0; i < POINTS; i++)
        for (int k = 0; k < POINTS; k++)
            costs[POINTS * i + k] = vec3_length(vec3_sub(points[0][i], points[1][k]));
    STATUS_TRY(assignment_find(costs, POINTS, POINTS, partner));
    *out = 0.0;
    for (int i = 0; i < POINTS; i++)
        *out += costs[POINTS * i + partner[i]] / POINTS;
    return status_ok();
}

/* Counts the joints that are found: in pairs, and if several may be nearest to one. */
static Status joints_find(const Cloud *joints, const Cloud *truth, const double *tolerances, Score *out)
{
    const int count = joints->count, true_count = truth->count;
    double *values = out->values, pairs = 0.0, near = 0.0, true_near = 0.0, sum = 0.0, distance = 0.0;
    LOCAL_TABLE(double, costs, count, true_count, "the pairs of joints");
    LOCAL_ARRAY(int32_t, partner, count, "the pairs of joints");
    for (int j = 0; j < count; j++)
        for (int k = 0; k < true_count; k++)
            costs[(ptrdiff_t)j * true_count + k] = vec3_length(vec3_sub(joints->points[j], truth->points[k]));
    STATUS_TRY(assignment_find(costs, count, true_count, partner));
    for (int j = 0; j < count; j++) {
        near += point_tree_nearest(&truth->tree, joints->points[j], &distance) >= 0 &&
                distance < tolerances[point_tree_nearest(&truth->tree, joints->points[j], &distance)];
        if (partner[j] < 0)
            continue;
        pairs += costs[(ptrdiff_t)j * true_count + partner[j]] < tolerances[partner[j]];
        sum += costs[(ptrdiff_t)j * true_count + partner[j]];
    }
    for (int k = 0; k < true_count; k++) {
        point_tree_nearest(&joints->tree, truth->points[k], &distance);
        true_near += distance < tolerances[k];
    }
    values[SCORE_JOINT_IOU] = 2.0 * pairs / (count + true_count);
    values[SCORE_JOINT_JACCARD] = pairs / (count + true_count - pairs);
    values[SCORE_JOINT_PRECISION] = pairs / count;
    values[SCORE_JOINT_RECALL] = pairs / true_count;
    values[SCORE_NEAREST_PRECISION] = near / count;
    values[SCORE_NEAREST_RECALL] = true_near / true_count;
    values[SCORE_J2J_PAIRS] = sum / int_min(count, true_count);
    return status_ok();
}

Status score_skeletons(const BoneGraph *skeleton, const BoneGraph *truth, const double *tolerances,
                       const ParameterValues *parameters, ScoreExtent extent, Score *out)
{
    const int kind = (int)parameters->values[SCORE_BONES];
    const bool squared = kind == SQUARED;
    double *values = out->values;
    CLEANUP(cloud_clear) Cloud joints = {0}, true_joints = {0}, bones = {0}, true_bones = {0};
    STATUS_TRY(cloud_init(skeleton, false, kind, &joints));
    STATUS_TRY(cloud_init(truth, false, kind, &true_joints));
    values[SCORE_CD_J2J] =
        cloud_half(&joints, &true_joints, squared) + cloud_half(&true_joints, &joints, squared);
    if (extent == SCORE_QUICK)
        return status_ok();
    if (kind == STEP || kind == COUNT) {
        STATUS_TRY(cloud_init(skeleton, true, kind, &bones));
        STATUS_TRY(cloud_init(truth, true, kind, &true_bones));
        values[SCORE_CD_J2B] =
            cloud_half(&joints, &true_bones, false) + cloud_half(&true_joints, &bones, false);
        values[SCORE_CD_B2B] =
            cloud_half(&bones, &true_bones, false) + cloud_half(&true_bones, &bones, false);
    } else {
        values[SCORE_CD_J2B] =
            segments_half(skeleton, false, truth, squared) + segments_half(truth, false, skeleton, squared);
        values[SCORE_CD_B2B] =
            segments_half(skeleton, true, truth, squared) + segments_half(truth, true, skeleton, squared);
    }
    STATUS_TRY(joints_find(&joints, &true_joints, tolerances, out));
    STATUS_TRY(s_emd_find((const BoneGraph *const[]){skeleton, truth}, &values[SCORE_S_EMD]));
    return tree_edit_distance(skeleton, truth, &values[SCORE_TREE_EDIT]);
}
