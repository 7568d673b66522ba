/* Skins blocks of poses with all methods, lbs first, and measures what each method does to the skin. */
#include "harness/run/advice/contest.h"

#include "datasets/model/validate.h"
#include "harness/measure/metrics/frame_distance.h"

void contender_drop(AdviceMethod *method, Contender *contender, Status failure)
{
    snprintf(method->reason, sizeof method->reason, "%s", failure.text);
    skinner_free(contender->skinner);
    contender->skinner = NULL;
}

Status poses_skin(const Contest *contest, Contender *contender, Skinner *skinner, int first, int count)
{
    const Gauntlet *gauntlet = &contest->gauntlet;
    const Transform *transforms = contender->transforms ? contender->transforms : gauntlet->transforms;
    const size_t offset = (size_t)first * (size_t)contender->rig->joint_count;
    STATUS_TRY(
        skinner_pose(skinner, transforms + offset, gauntlet->scale ? gauntlet->scale + offset : NULL, count));
    return skinner_skin_frames(skinner, contender->positions, NULL);
}

Status block_skin(const Contest *contest, Contender *contender, int first, int count)
{
    STATUS_TRY(poses_skin(contest, contender, contender->skinner, first, count));
    const int64_t bad =
        float_not_finite(contender->positions, 3 * (int64_t)count * contest->dataset->mesh.vertex_count);
    return bad < 0 ? status_ok() : bad_input("a vertex has a coordinate that is not finite");
}

/* Whether a pose counts for the measures within the joints' ranges, or for those beyond them. Twists by 179
 * degrees (ties) count only for the jump, because almost all methods differ in them. */
static bool pose_counts(const Pose *pose, bool is_beyond)
{
    return pose->kind != POSE_TIE && pose->kind != POSE_AFTER_TIE && pose->is_beyond == is_beyond;
}

const float *reference_shape(const Contest *contest, int block, int pose)
{
    const size_t values = 3 * (size_t)contest->dataset->mesh.vertex_count;
    const Pose *entry = &contest->gauntlet.poses[pose];
    if (contest->reference >= 0)
        return pose_counts(entry, false)
                   ? contest->contenders[contest->reference].positions + values * (size_t)block
                   : NULL;
    if (contest->elastic)
        return pose_counts(entry, false) ? contest->elastic + values * (size_t)pose : NULL;
    return contest->options->reference && entry->kind == POSE_OWN
               ? contest->dataset->animation.positions + values * (size_t)entry->number
               : NULL;
}

/* Whether to look for self-intersections in a pose. The search takes as long as all other measures
 * together, so it is limited to every fourth frame of the file and to each joint's furthest bend in its
 * range. */
static bool pose_folds(const Gauntlet *gauntlet, const Pose *pose)
{
    bool furthest = pose->kind == POSE_BEND && !pose->is_beyond;
    for (int p = 0; p < gauntlet->pose_count && furthest; p++) {
        const Pose *other = &gauntlet->poses[p];
        furthest = other->kind != POSE_BEND || other->is_beyond || other->joint != pose->joint ||
                   other->number <= pose->number;
    }
    return furthest || (pose->kind == POSE_OWN && (pose - gauntlet->poses) % 4 == 0);
}

static void block_measure(const Contest *contest, const float *linear, Contender *contender, int first,
                          int count)
{
    const int vertices = contest->dataset->mesh.vertex_count, joints = contest->gauntlet.joint_count;
    for (int i = 0; i < count; i++) {
        const size_t frame = 3 * (size_t)i * (size_t)vertices, pose = (size_t)first + (size_t)i;
        const float *positions = contender->positions + frame;
        contender->wears[pose] =
            skin_damage(&contest->rest, contest->gauntlet.transforms + pose * (size_t)joints, positions,
                        linear + frame, contender->joints + pose * (size_t)joints, contender->holes);
        if (pose_folds(&contest->gauntlet, &contest->gauntlet.poses[pose]) &&
            contender->status.code == STATUS_OK)
            contender->status = skin_crossing(&contest->rest, positions, &contender->wears[pose].crossing);
        const float *shape = reference_shape(contest, i, (int)pose);
        /* add the squared distances; vertices at the same place at rest count once */
        double squares = 0.0;
        for (int w = 0; w < contest->rest.welding.mesh.vertex_count && shape; w++) {
            const int32_t v = contest->rest.welding.vertex_of[w];
            const Vec3 apart = vec3_sub(point_at(positions, v), point_at(shape, v));
            squares += vec3_dot(apart, apart);
        }
        contender->error += squares;
        if (contest->gauntlet.poses[pose].kind == POSE_AFTER_TIE && i > 0)
            contender->jump =
                fmax(contender->jump,
                     frame_distance_in_floats(positions - 3 * (ptrdiff_t)vertices, positions, vertices));
    }
}

Status poses_measure(Contest *contest, Advice *advice)
{
    const int poses = contest->gauntlet.pose_count, methods = contest->contender_count;
    for (int first = 0; first < poses;) {
        /* a tie (a twist by 179 degrees) and the pose after it are in the same block */
        int count = int_min(contest->block, poses - first);
        count -= count > 1 && contest->gauntlet.poses[first + count - 1].kind == POSE_TIE;
        const float *linear = contest->contenders[advice->lbs].positions;
        /* skin with lbs first, because the other methods are compared with it */
#pragma omp parallel for schedule(dynamic) num_threads(contest->options->threads)
        for (int i = 0; i < methods; i++)
            if (contest->contenders[i].skinner)
                contest->contenders[i].status = block_skin(contest, &contest->contenders[i], first, count);
#pragma omp parallel for schedule(dynamic) num_threads(contest->options->threads)
        for (int i = 0; i < methods; i++)
            if (contest->contenders[i].skinner && contest->contenders[i].status.code == STATUS_OK)
                block_measure(contest, linear, &contest->contenders[i], first, count);
        for (int i = 0; i < methods; i++) {
            const Status status = contest->contenders[i].status;
            if (status.code != STATUS_OK &&
                (i == advice->lbs || i == contest->reference || status.code != STATUS_BAD_INPUT))
                return status;
            if (status.code != STATUS_OK)
                contender_drop(&advice->methods[i], &contest->contenders[i], status);
            contest->contenders[i].status = status_ok();
        }
        first += count;
        if (!progress_report(contest->options->progress, "skinning", 0.3 + 0.4 * first / poses))
            return status_make(STATUS_STOPPED, "stopped after skinning %d of %d poses", first, poses);
    }
    return status_ok();
}

/* Averages the measures of a method over the poses within the joints' ranges, or over those beyond them. If
 * some poses are from the file and some are generated, each of the two groups gets half of the weight. */
static void method_average(const Contest *contest, Contender *contender, bool is_beyond, double *values)
{
    double sums[2][3] = {{0.0}}, counts[2] = {0.0, 0.0}, gap = 0.0, crossing = 0.0, folds = 0.0;
    for (int p = 0; p < contest->gauntlet.pose_count; p++) {
        const Pose *pose = &contest->gauntlet.poses[p];
        const SkinDamage *wear = &contender->wears[p];
        if (!pose_counts(pose, is_beyond))
            continue;
        double *sum = sums[pose->kind == POSE_OWN];
        sum[0] += wear->volume;
        sum[1] += wear->stretch;
        sum[2] += wear->area;
        counts[pose->kind == POSE_OWN] += 1.0;
        gap = fmax(gap, wear->gap);
        if (isnan(wear->crossing) == 0) {
            crossing += wear->crossing;
            folds += 1.0;
        }
    }
    static const AdviceMeasure measures[] = {ADVICE_VOLUME, ADVICE_STRETCH, ADVICE_AREA};
    const double groups = (counts[0] > 0.0) + (counts[1] > 0.0);
    for (int m = 0; m < 3; m++) {
        double mean = 0.0;
        for (int group = 0; group < 2; group++)
            mean += counts[group] > 0.0 ? sums[group][m] / counts[group] : 0.0;
        values[measures[m]] = 100.0 * mean / groups;
    }
    values[ADVICE_CROSSING] = folds > 0.0 ? 100.0 * crossing / folds : NAN;
    values[ADVICE_GAP] = 100.0 * gap;
    values[ADVICE_JUMP] =
        contest->options->own_poses ? NAN : 100.0 * contender->jump / contest->rest.diagonal;
}

double joint_max(const Contest *contest, const Contender *contender, int joint, size_t member, bool is_beyond,
                 int *pose)
{
    double max = 0.0;
    for (int p = 0; p < contest->gauntlet.pose_count; p++) {
        const JointDamage *wear =
            &contender->joints[(size_t)p * (size_t)contest->gauntlet.joint_count + (size_t)joint];
        float value = 0.0f;
        memcpy(&value, (const char *)wear + member, sizeof value);
        if (!pose_counts(&contest->gauntlet.poses[p], is_beyond) || (double)value <= max)
            continue;
        max = (double)value;
        if (pose)
            *pose = p;
    }
    return 100.0 * max;
}

/* Averages the largest collapse and bulge of each joint over the joints. */
static void joints_average(const Contest *contest, const Advice *advice, const Contender *contender,
                           bool is_beyond, double *values)
{
    values[ADVICE_COLLAPSE] = values[ADVICE_BULGE] = 0.0;
    for (int j = 0; j < advice->joint_used; j++) {
        values[ADVICE_COLLAPSE] += joint_max(contest, contender, contest->joints[j],
                                             offsetof(JointDamage, collapse), is_beyond, NULL) /
                                   advice->joint_used;
        values[ADVICE_BULGE] +=
            joint_max(contest, contender, contest->joints[j], offsetof(JointDamage, bulge), is_beyond, NULL) /
            advice->joint_used;
    }
}

Status joints_measure(Contest *contest, Advice *advice)
{
    const Rig *rig = &contest->dataset->rig;
    ALLOCATE(advice->joints, rig->joint_count, "the joints");
    ALLOCATE(contest->joints, rig->joint_count, "the joints");
    for (int j = 0; j < rig->joint_count; j++) {
        if (contest->rest.skin[j] == 0)
            continue;
        AdviceJoint *joint = &advice->joints[advice->joint_used];
        contest->joints[advice->joint_used++] = j;
        joint->vertex_count = contest->rest.skin[j];
        if (rig->joint_names && rig->joint_names[j])
            snprintf(joint->name, sizeof joint->name, "%s", rig->joint_names[j]);
        else
            snprintf(joint->name, sizeof joint->name, "joint %d", j);
        ALLOCATE(joint->collapse, advice->method_count, "the joints");
        ALLOCATE(joint->bulge, advice->method_count, "the joints");
        for (int m = 0; m < advice->method_count; m++) {
            const Contender *contender = &contest->contenders[m];
            if (!contender->skinner)
                continue;
            joint->collapse[m] =
                joint_max(contest, contender, j, offsetof(JointDamage, collapse), false, NULL);
            joint->bulge[m] = joint_max(contest, contender, j, offsetof(JointDamage, bulge), false, NULL);
        }
    }
    for (int m = 0; m < advice->method_count; m++) {
        AdviceMethod *method = &advice->methods[m];
        Contender *contender = &contest->contenders[m];
        double difference = 0.0;
        if (!contender->skinner)
            continue;
        for (int is_beyond = 0; is_beyond < 2; is_beyond++) {
            double *values = is_beyond ? method->beyond : method->values;
            method_average(contest, contender, is_beyond, values);
            joints_average(contest, advice, contender, is_beyond, values);
        }
        for (int j = 0; j < advice->joint_used; j++)
            difference = fmax(difference, joint_max(contest, contender, contest->joints[j],
                                                    offsetof(JointDamage, difference), false, NULL));
        method->values[ADVICE_DIFFERENCE] = difference;
        if (contest->options->reference)
            method->values[ADVICE_ERROR] =
                100.0 *
                sqrt(contender->error / ((double)contest->error_poses *
                                         int_clamp(contest->rest.welding.mesh.vertex_count, 1, INT_MAX))) /
                contest->rest.diagonal;
    }
    return status_ok();
}
