/* Skins the true vertices with the weights of both rigs by linear blending, and measures the distance. In a
 * pose, joint j turns by R_j about its place at rest a_j, with axes of the rest pose:
 *
 *   C_j = C_parent T(a_j) R_j T(-a_j)
 *
 * Each rig turns about its own joints, by the rotations of the true joints. A joint without a partner
 * follows its parent. */
#include "harness/measure/score/score_parts.h"

#include "datasets/geometry/points.h"
#include "datasets/geometry/turn.h"

/* Poses a rig. turns [true joints] are rotation vectors; true_joint [joints] is the true joint of each
 * joint, or -1, and NULL if they are the same. */
static void rig_pose(const Rig *rig, const int32_t *true_joint, const Vec3 *turns, Transform *out)
{
    for (int j = 0; j < rig->joint_count; j++) {
        const int32_t of = true_joint ? true_joint[j] : j;
        const Vec3 turn = of >= 0 ? turns[of] : vec3_make(0.0, 0.0, 0.0);
        const Transform own = transform_rotate_about(vec3_normalize(turn), vec3_length(turn),
                                                     rig_joint_place(rig, j), vec3_make(0.0, 0.0, 0.0));
        out[j] = rig->parents[j] >= 0 ? transform_product(out[rig->parents[j]], own) : own;
    }
}

/* Draws rotation vectors, x, y and z of each joint in order. */
static void turns_draw(Random *random, double angle, int joints, Vec3 *turns)
{
    for (int j = 0; j < joints; j++) {
        const double x = random_signed(random), y = random_signed(random), z = random_signed(random);
        turns[j] = vec3_make(angle * x, angle * y, angle * z);
    }
}

Status rig_pose_randomly(const Rig *rig, double angle_rad, uint64_t seed, Transform *transforms)
{
    LOCAL_ARRAY(Vec3, turns, rig->joint_count, "a pose");
    Random random = {seed};
    for (int f = 0; f < rig->frame_count; f++) {
        turns_draw(&random, angle_rad, rig->joint_count, turns);
        rig_pose(rig, NULL, turns, transforms + (ptrdiff_t)f * rig->joint_count);
    }
    return status_ok();
}

static Vec3 point_skin(const ScoreWeights *weights, ptrdiff_t vertex, const Transform *transforms, Vec3 rest)
{
    Vec3 sum = vec3_make(0.0, 0.0, 0.0);
    for (ptrdiff_t i = vertex * weights->slots; i < (vertex + 1) * weights->slots; i++)
        if (weights->values[i] != 0.0)
            sum = vec3_add_scaled(sum, transform_point(transforms[weights->joints[i]], rest),
                                  weights->values[i]);
    return sum;
}

/* Distances over poses. */
typedef struct PoseSums {
    double mean, max, worst;
    int count;
} PoseSums;

static void pose_add(const ScoreTask *task, const ScoreWeights *weights, const Transform *transforms,
                     const ScoreWeights *truth, const Transform *true_transforms, PoseSums *sums)
{
    double sum = 0.0, max = 0.0;
    for (int v = 0; v < truth->vertices; v++) {
        const Vec3 rest = point_at(task->mesh->rest, v);
        const double distance = vec3_length(
            vec3_sub(point_skin(weights, v, transforms, rest), point_skin(truth, v, true_transforms, rest)));
        sum += distance;
        max = fmax(max, distance);
    }
    sums->mean += sum / truth->vertices;
    sums->max += max;
    sums->worst = fmax(sums->worst, max);
    sums->count++;
}

static void pose_sums_store(const PoseSums *sums, double box, double *values)
{
    if (sums->count == 0)
        return;
    values[0] = sums->mean / sums->count / box;
    values[1] = sums->max / sums->count / box;
    values[2] = sums->worst / box;
}

Status score_poses(const ScoreTask *task, const ScoreWeights *weights, const ScoreWeights *truth,
                   const RigMatch *match, double box, Score *out)
{
    const double RADIANS = 3.14159265358979323846 / 180.0;
    const Rig *rig = task->rig, *true_rig = task->truth;
    const double angle = RADIANS * task->parameters.values[SCORE_ANGLE];
    const int joints = rig->joint_count, true_joints = true_rig->joint_count;
    const int poses = task->turns ? task->pose_count : (int)task->parameters.values[SCORE_POSES];
    LOCAL_ARRAY(Transform, transforms, (size_t)joints + (size_t)true_joints, "a pose");
    LOCAL_ARRAY(Vec3, turns, true_joints, "a pose");
    Random random = {(uint64_t)task->parameters.values[SCORE_SEED]};
    PoseSums deformation = {.count = 0}, replay = {.count = 0};
    for (int pose = 0; pose < poses; pose++) {
        if (!task->turns)
            turns_draw(&random, angle, true_joints, turns);
        const Vec3 *used = task->turns ? task->turns + (ptrdiff_t)pose * true_joints : turns;
        rig_pose(rig, match->partner, used, transforms);
        rig_pose(true_rig, NULL, used, transforms + joints);
        pose_add(task, weights, transforms, truth, transforms + joints, &deformation);
    }
    for (int f = task->replay_first; f < task->replay_first + task->replay_count; f++) {
        const Transform *frame = true_rig->transforms + (ptrdiff_t)f * true_joints;
        for (int j = 0; j < joints; j++)
            transforms[j] = match->partner[j] >= 0 ? frame[match->partner[j]]
                            : rig->parents[j] >= 0 ? transforms[rig->parents[j]]
                                                   : (Transform){.m00 = 1.0, .m11 = 1.0, .m22 = 1.0};
        pose_add(task, weights, transforms, truth, frame, &replay);
    }
    pose_sums_store(&deformation, box, &out->values[SCORE_DEFORMATION_MEAN]);
    pose_sums_store(&replay, box, &out->values[SCORE_REPLAY_MEAN]);
    return status_ok();
}
