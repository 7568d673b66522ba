/* Makes test poses of single joints and of chains of joints, from the rest frames, the joints' ranges in
 * the file, and a seed. */
#include "harness/run/advice/gauntlet.h"

#include "datasets/geometry/affine_parts.h"
#include "datasets/geometry/angles.h"
#include "datasets/geometry/turn.h"
#include "datasets/rigging/bones.h"

enum { POSES_OF_JOINT = 9, CHAIN_LENGTH = 4, CHAINS_CAP = 12 };
static const double BEYOND = 1.25, LEAST_BEYOND_DEGREES = 75.0, MOST_DEGREES = 150.0,
                    HINGE_LEAST_SINE =
                        0.05; /* least sine of the angle between two bones that define a plane */

/* Ranges of joints by the words in their names. The first row with a word in the name counts. The angles are
 * about those of people who can move freely, from a rest pose with straight limbs. */
static const struct JointKind {
    const char *words[10]; /* ends with NULL */
    JointRange range;
} joint_kinds[] = {
    {{"finger", "thumb", "index", "middle", "pinky", "handring"}, {80.0, 5.0, true}},
    {{"toe"}, {40.0, 5.0, true}},
    {{"foot", "ankle", "paw"}, {40.0, 15.0, false}},
    {{"forearm", "lowerarm", "lowarm", "elbow"}, {120.0, 80.0, true}},
    {{"wrist", "hand"}, {60.0, 20.0, false}},
    {{"upperarm", "uparm"}, {90.0, 45.0, false}},
    {{"clavicle", "shoulder", "collar"}, {20.0, 10.0, false}},
    {{"arm"}, {90.0, 45.0, false}},
    {{"calf", "shin", "knee", "lowerleg", "lowleg"}, {120.0, 10.0, true}},
    {{"hips", "pelvis"}, {30.0, 30.0, false}},
    {{"thigh", "leg", "hip"}, {80.0, 30.0, false}},
    {{"spine", "torso", "chest", "abdomen", "back", "waist"}, {30.0, 30.0, false}},
    {{"neck", "head"}, {40.0, 50.0, false}},
    {{"tail"}, {40.0, 20.0, false}},
    {{"jaw", "eye", "brow", "lip", "tongue", "ear", "breast", "hair", "oris"}, {20.0, 10.0, false}},
};
static const JointRange OTHER_JOINT = {45.0, 30.0, false};

JointRange joint_range_default(const char *name)
{
    char lower[256] = "";
    for (size_t i = 0; name && name[i] && i + 1 < sizeof lower; i++)
        lower[i] = (char)(name[i] >= 'A' && name[i] <= 'Z' ? name[i] - 'A' + 'a' : name[i]);
    for (size_t kind = 0; kind < sizeof joint_kinds / sizeof *joint_kinds; kind++)
        for (int word = 0; joint_kinds[kind].words[word]; word++)
            if (strstr(lower, joint_kinds[kind].words[word]))
                return joint_kinds[kind].range;
    return OTHER_JOINT;
}

/* Sets the axis about which a hinge bends: perpendicular to its bone and its parent's bone, so that the angle
 * between the two grows. Returns false if the bones are in line. */
static bool hinge_axis(const Rig *rig, int joint, Vec3 bone, Vec3 *axis)
{
    Vec3 from, end;
    if (rig->parents[joint] < 0 || !joint_bone(rig, rig->parents[joint], &from, &end))
        return false;
    const Vec3 across = vec3_cross(vec3_normalize(vec3_sub(rig_joint_place(rig, joint), from)), bone);
    if (!(vec3_length(across) > HINGE_LEAST_SINE))
        return false;
    *axis = vec3_normalize(across);
    return true;
}

/* Turns a joint and all its descendants about the joint's rest position, in a pose that may already contain
 * other turns. */
static void subtree_turn(const Rig *rig, int joint, Vec3 axis, double angle_rad, Transform *pose)
{
    const Vec3 place = rig_joint_place(rig, joint);
    const Transform turn = transform_rotate_about(axis, angle_rad, place, vec3_make(0.0, 0.0, 0.0));
    for (int j = joint; j < rig->joint_count; j++) {
        int above = j;
        while (above > joint)
            above = rig->parents[above];
        if (above == joint)
            pose[j] = transform_product(pose[j], turn);
    }
}

static Transform *pose_add(Gauntlet *gauntlet, PoseKind kind, int number, int joint)
{
    Transform *pose = gauntlet->transforms + (size_t)gauntlet->pose_count * (size_t)gauntlet->joint_count;
    for (int j = 0; j < gauntlet->joint_count; j++)
        pose[j] = transform_identity();
    gauntlet->poses[gauntlet->pose_count++] = (Pose){kind, number, joint, kind == POSE_CHAIN};
    return pose;
}

static void joint_try(const Rig *rig, int joint, Random *random, Gauntlet *gauntlet)
{
    static const double shares[] = {0.5, 1.0, BEYOND};
    const JointRange range = joint_range_default(rig->joint_names ? rig->joint_names[joint] : NULL);
    Vec3 from, end;
    if (!joint_bone(rig, joint, &from, &end))
        return;
    const Vec3 bone = vec3_normalize(vec3_sub(end, from));
    double bend_max_rad = 0.0, twist_max_rad = 0.0;
    Vec3 axis = vec3_make(0.0, 0.0, 0.0); /* random unit vector perpendicular to the bone */
    while (!(vec3_length(axis) > 0.1)) {
        const double x = random_signed(random), y = random_signed(random);
        axis = vec3_cross(bone, vec3_make(x, y, random_signed(random)));
    }
    axis = vec3_normalize(axis);
    if (range.is_hinge)
        (void)hinge_axis(rig, joint, bone, &axis);
    for (int f = 0; f < rig->frame_count; f++) {
        const Transform *pose = rig->transforms + (size_t)f * (size_t)rig->joint_count;
        Transform back = transform_identity();
        if (rig->parents[joint] >= 0 && !transform_inverse(pose[rig->parents[joint]], &back))
            continue;
        Quat turn = affine_parts(transform_product(back, pose[joint])).rotation;
        if (turn.w < 0.0)
            turn = quat_scale(turn, -1.0);
        /* turn = bend * twist: first the twist about the bone, then the bend */
        const double along = vec3_dot(quat_vector(turn), bone);
        const double twist = 2.0 * atan2(along, turn.w);
        const double bend = 2.0 * acos(fmin(1.0, hypot(turn.w, along)));
        twist_max_rad = fmax(twist_max_rad, fabs(remainder(twist, 2.0 * PI)));
        const Vec3 across = vec3_add_scaled(quat_vector(turn), bone, -along);
        if (bend > bend_max_rad && vec3_length(across) > 1e-6) {
            bend_max_rad = bend;
            axis = vec3_normalize(across);
        }
    }
    for (int kind = POSE_BEND; kind <= POSE_TWIST; kind++)
        for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
            const bool is_beyond = shares[i] > 1.0;
            const double own = (kind == POSE_BEND ? bend_max_rad : twist_max_rad) * 180.0 / PI;
            const double max = fmax(own, kind == POSE_BEND ? range.bend_degrees : range.twist_degrees);
            const int degrees = (int)lround(
                fmin(MOST_DEGREES, fmax(shares[i] * max, is_beyond ? LEAST_BEYOND_DEGREES : 0.0)));
            subtree_turn(rig, joint, kind == POSE_BEND ? axis : bone, degrees * PI / 180.0,
                         pose_add(gauntlet, (PoseKind)kind, degrees, joint));
            gauntlet->poses[gauntlet->pose_count - 1].is_beyond = is_beyond;
        }
    subtree_turn(rig, joint, bone, 179.0 * PI / 180.0, pose_add(gauntlet, POSE_TIE, 179, joint));
    subtree_turn(rig, joint, bone, 181.0 * PI / 180.0, pose_add(gauntlet, POSE_AFTER_TIE, 181, joint));
}

/* Twists a joint without children and the joints above it. Each turns by 45 degrees relative to its parent,
 * in the same direction. */
static void chain_twist(const Rig *rig, int leaf, Random *random, Gauntlet *gauntlet)
{
    int chain[CHAIN_LENGTH], length = 0;
    for (int joint = leaf; joint >= 0 && length < CHAIN_LENGTH; joint = rig->parents[joint])
        chain[length++] = joint;
    const double angle_rad = (random_next(random) % 2 ? 0.25 : -0.25) * PI;
    if (length < 2)
        return;
    Transform *pose = pose_add(gauntlet, POSE_CHAIN, 45 * length, leaf);
    while (length-- > 0) {
        Vec3 from, end;
        if (joint_bone(rig, chain[length], &from, &end))
            subtree_turn(rig, chain[length], vec3_normalize(vec3_sub(end, from)), angle_rad, pose);
    }
}

/* Marks the joints that influence the most blended skin, at most `cap` of them. */
static void joints_choose(const Rig *rig, const int *skin, int cap, bool *chosen)
{
    for (int taken = 0; taken < cap; taken++) {
        int best = -1;
        for (int j = 0; j < rig->joint_count; j++)
            if (!chosen[j] && skin[j] > 0 && (best < 0 || skin[j] > skin[best]))
                best = j;
        if (best < 0)
            return;
        chosen[best] = true;
    }
}

Status gauntlet_make(const Rig *rig, const int *skin, const GauntletOptions *options, Gauntlet *out)
{
    const int joints = rig->joint_count, frames = int_min(rig->frame_count, options->frames_cap);
    const int max = frames + int_min(joints, options->joints_cap) * POSES_OF_JOINT + CHAINS_CAP;
    Random random = {options->seed};
    *out = (Gauntlet){.joint_count = joints};
    ALLOCATE(out->poses, max, "the poses");
    ALLOCATE_TABLE(out->transforms, max, joints, "the poses");
    if (rig->scale)
        ALLOCATE_TABLE(out->scale, max, joints, "the poses");
    LOCAL_ARRAY(bool, chosen, joints, "the poses");
    for (int i = 0; i < frames; i++) {
        const int frame = (int)((int64_t)i * rig->frame_count / frames);
        const size_t from = (size_t)frame * (size_t)joints;
        const size_t target = (size_t)out->pose_count * (size_t)joints;
        memcpy(pose_add(out, POSE_OWN, frame, -1), rig->transforms + from,
               (size_t)joints * sizeof *rig->transforms);
        if (rig->scale)
            memcpy(out->scale + target, rig->scale + from, (size_t)joints * sizeof *rig->scale);
    }
    if (!options->own_only && rig->rest) {
        joints_choose(rig, skin, options->joints_cap, chosen);
        for (int j = 0; j < joints; j++)
            if (chosen[j])
                joint_try(rig, j, &random, out);
        int chains = 0;
        for (int j = 0; j < joints && chains < CHAINS_CAP; j++) {
            bool is_leaf = true;
            for (int child = j + 1; child < joints; child++)
                is_leaf = is_leaf && rig->parents[child] != j;
            if (is_leaf && (chosen[j] || (rig->parents[j] >= 0 && chosen[rig->parents[j]]))) {
                chain_twist(rig, j, &random, out);
                chains++;
            }
        }
    }
    if (out->pose_count == 0 && !options->own_only && rig->rest)
        (void)pose_add(
            out, POSE_BEND, 0,
            0); /* no skin is blended, so all methods give the same result and a single pose is enough */
    if (out->pose_count == 0)
        return bad_input("the rig has no frames%s",
                         options->own_only ? ", and the option --own-poses excludes generated poses"
                                           : " and no rest frames, so no poses can be made");
    for (size_t i = (size_t)frames * (size_t)joints;
         rig->scale && i < (size_t)out->pose_count * (size_t)joints; i++)
        out->scale[i] = (Mat3){1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    return status_ok();
}

void gauntlet_clear(Gauntlet *gauntlet)
{
    FREE_ALL(gauntlet->poses, gauntlet->transforms, gauntlet->scale);
    *gauntlet = (Gauntlet){0};
}
