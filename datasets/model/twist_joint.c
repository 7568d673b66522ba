/* Adds a twist joint. Splits the weights of a bone according to the projection of each vertex onto the
 * bone, and distributes the bone's twist (CoR section 4; Jacobson and Sorkine 2011). */
#include "datasets/model/twist_joint.h"

#include "datasets/geometry/angles.h"

/* The bone in the rest pose. */
typedef struct Bone {
    int joint, end;
    Vec3 from, direction; /* unit */
    double length;
} Bone;

/* Returns the position of a vertex's projection onto the bone, from 0 at the start of the bone to 1 at its
 * end. */
static double bone_share(const Bone *bone, const float *rest)
{
    Vec3 arm = vec3_sub(vec3_make((double)rest[0], (double)rest[1], (double)rest[2]), bone->from);
    double share = vec3_dot(arm, bone->direction) / bone->length;
    return share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
}

/* Whether both joints of a bone get a part of the influence, so that the vertex needs another slot. */
static bool slot_splits(const Rig *rig, const Bone *bone, size_t slot, double share)
{
    return rig->weight_joints[slot] == bone->joint && rig->weight_values[slot] != 0.0f && share > 0.0 &&
           share < 1.0;
}

static int slots_needed(const Rig *rig, const Mesh *mesh, const Bone *bone)
{
    const size_t slots = (size_t)rig->influence_count;
    int max = 0;
    for (size_t v = 0; v < (size_t)mesh->vertex_count; v++) {
        double share = bone_share(bone, mesh->rest + 3 * v);
        int used = 0;
        for (size_t slot = slots * v; slot < slots * (v + 1); slot++)
            used += (rig->weight_values[slot] != 0.0f) + slot_splits(rig, bone, slot, share);
        max = used > max ? used : max;
    }
    return max > rig->influence_count ? max : rig->influence_count;
}

/* Returns the angle of the twist about `axis` in R = A^T B, where R = swing * twist. The angle is 2
 * atan2(c, w), with w the real part of the quaternion q of R, and c its component along the axis. Both are
 * taken from the row of 4 q q^T that has the largest diagonal element. */
static double twist_between(const Transform *a, const Transform *b, Vec3 axis)
{
    Vec3 from[3], to[3];
    double r[3][3];
    transform_axes(*a, from);
    transform_axes(*b, to);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            r[i][k] = vec3_dot(from[i], to[k]);
    const double rows[4][4] = {
        {1 + r[0][0] + r[1][1] + r[2][2], r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1]},
        {r[2][1] - r[1][2], 1 + r[0][0] - r[1][1] - r[2][2], r[0][1] + r[1][0], r[0][2] + r[2][0]},
        {r[0][2] - r[2][0], r[0][1] + r[1][0], 1 - r[0][0] + r[1][1] - r[2][2], r[1][2] + r[2][1]},
        {r[1][0] - r[0][1], r[0][2] + r[2][0], r[1][2] + r[2][1], 1 - r[0][0] - r[1][1] + r[2][2]}};
    int best = 0;
    for (int i = 1; i < 4; i++)
        best = rows[i][i] > rows[best][best] ? i : best;
    const double *q = rows[best];
    return remainder(2.0 * atan2(q[1] * axis.x + q[2] * axis.y + q[3] * axis.z, q[0]), 2.0 * PI);
}

/* Returns the transformation C preceded by a rotation about the bone by the angle. */
static Transform twisted(const Transform *c, const Bone *bone, double angle)
{
    const Vec3 u = bone->direction;
    Vec3 columns[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int i = 0; i < 3; i++) { /* Rodrigues */
        Vec3 e = columns[i], turned = vec3_scale(e, cos(angle));
        turned = vec3_add_scaled(turned, vec3_cross(u, e), sin(angle));
        columns[i] = vec3_add_scaled(turned, u, vec3_dot(u, e) * (1.0 - cos(angle)));
    }
    const Vec3 from = bone->from;
    Vec3 moved = from; /* translation of a rotation R about an axis through `from`: from - R from */
    moved = vec3_add_scaled(moved, columns[0], -from.x);
    moved = vec3_add_scaled(moved, columns[1], -from.y);
    moved = vec3_add_scaled(moved, columns[2], -from.z);
    for (int i = 0; i < 3; i++)
        columns[i] = transform_direction(*c, columns[i]);
    return transform_of_axes(columns, transform_point(*c, moved));
}

/* Copies the old joints to the new rig. Joints with a higher number than the bone's joint move up by
 * one. */
static void joints_copy(const Rig *rig, const Bone *bone, const TwistJointPlan *plan, Rig *out)
{
    const size_t old_joints = (size_t)rig->joint_count, joints = old_joints + 1;
    const size_t added = (size_t)bone->joint + 1;
    for (size_t j = 0; j < old_joints; j++) {
        size_t place = j + (j >= added);
        int32_t parent = rig->parents[j];
        out->parents[place] = (int)j == bone->end ? (int32_t)added : parent + (parent >= (int32_t)added);
        out->rest[place] = rig->rest[j];
        for (size_t f = 0; f < (size_t)rig->frame_count; f++) {
            out->transforms[f * joints + place] = rig->transforms[f * old_joints + j];
            if (rig->scale)
                out->scale[f * joints + place] = rig->scale[f * old_joints + j];
        }
    }
    Vec3 middle = vec3_add_scaled(bone->from, bone->direction, 0.5 * bone->length);
    out->parents[added] = bone->joint;
    out->rest[added] = transform_moved_to(rig->rest[bone->joint], middle);
    for (size_t f = 0; f < (size_t)rig->frame_count; f++) {
        const Transform *from = rig->transforms + f * old_joints;
        Transform *target = out->transforms + f * joints;
        const Transform identity = transform_identity();
        const int joint = bone->joint, parent = rig->parents[joint];
        const Transform *motion = &from[joint];
        if (plan->at_start) {
            double angle = twist_between(parent < 0 ? &identity : &from[parent], motion, bone->direction);
            target[joint] = twisted(motion, bone, -plan->share * angle);
            target[joint + 1] = *motion;
        } else {
            double angle = twist_between(motion, &from[bone->end], bone->direction);
            target[joint] = *motion;
            target[joint + 1] = twisted(motion, bone, plan->share * angle);
        }
        if (rig->scale)
            out->scale[f * joints + added] = rig->scale[f * old_joints + added - 1];
    }
}

/* Builds the rig with the new joint, a child of j and the parent of `end`. Its rest frame is that of j
 * moved to the middle of the bone, and its two-phase scale is that of j. The weights of j are split:
 *
 *   w_new = e w_j,  w_j' = (1 - e) w_j
 *
 * Here e is the projection of the vertex onto the bone, clamped to 0 at j and 1 at `end` (Jacobson and
 * Sorkine 2011, eq. 8). The rig gets more influence slots if vertices have no free slot. The twist is the
 * part of a rotation about the bone's rest direction, from -180 to 180 degrees: rotation = swing * twist.
 * In every frame, with `share` of the plan:
 *
 *   at_start   The new joint has the transformation of j. j loses this share of its twist against its parent.
 *   otherwise  The new joint has the transformation of j after this share of the twist of `end` against j.
 *
 * All other joints move as before. */
Status rig_with_twist_joint(const Rig *rig, const Mesh *mesh, const TwistJointPlan *plan, Rig *out)
{
    UNDO_ON_FAILURE(rig_clear) Rig *unfinished = out;
    Bone bone = {0};
    *out = (Rig){0};
    int end = plan->end, children = 0;
    if (plan->joint < 0 || plan->joint >= rig->joint_count)
        return bad_usage("joint %d, expected 0 to %d", plan->joint, rig->joint_count - 1);
    for (int j = 0; j < rig->joint_count && plan->end < 0; j++)
        if (rig->parents[j] == plan->joint) {
            end = j;
            children++;
        }
    const char *at = rig->joint_names[plan->joint] ? rig->joint_names[plan->joint] : "(unnamed)";
    if (plan->end < 0 && children == 0)
        return bad_usage("joint %s has no child, so no bone starts there", at);
    if (plan->end < 0 && children > 1)
        return bad_usage("joint %s has %d children: name the child at which its bone ends", at, children);
    if (end >= rig->joint_count || rig->parents[end] != plan->joint)
        return bad_usage("joint %d is not a child of joint %d", end, plan->joint);
    Vec3 from = rig_joint_place(rig, plan->joint), along = vec3_sub(rig_joint_place(rig, end), from);
    double length = vec3_length(along);
    if (!(length > 0.0))
        return bad_input("the bone from joint %d to joint %d has no length", plan->joint, end);
    bone = (Bone){plan->joint, end, from, vec3_scale(along, 1.0 / length), length};
    STATUS_TRY(rig_allocate(out, mesh->vertex_count, rig->joint_count + 1, rig->frame_count,
                            slots_needed(rig, mesh, &bone)));
    if (rig->scale)
        ALLOCATE_TABLE(out->scale, out->frame_count, out->joint_count, "the rig");
    /* the names */
    for (int j = 0; j < rig->joint_count; j++) {
        char **place = &out->joint_names[j + (j > bone.joint)];
        COPY_TEXT(*place, rig->joint_names[j], "the joints' names");
    }
    const char *joint_name = rig->joint_names[bone.joint] ? rig->joint_names[bone.joint] : "";
    const size_t size = strlen(joint_name) + 32;
    LOCAL_ARRAY(char, name, size, "the joints' names");
    snprintf(name, size, "%s-twist", joint_name);
    for (int number = 2; rig_joint_find(rig, name) >= 0; number++)
        snprintf(name, size, "%s-twist-%d", joint_name, number);
    out->joint_names[bone.joint + 1] = TAKE(name);
    joints_copy(rig, &bone, plan, out);
    /* the weights */
    const size_t slots = (size_t)rig->influence_count, new_slots = (size_t)out->influence_count;
    for (size_t v = 0; v < (size_t)mesh->vertex_count; v++) {
        double share = bone_share(&bone, mesh->rest + 3 * v);
        size_t next = new_slots * v;
        for (size_t slot = slots * v; slot < slots * (v + 1); slot++) {
            int32_t joint = rig->weight_joints[slot];
            float weight = rig->weight_values[slot];
            if (weight == 0.0f)
                continue;
            bool split = slot_splits(rig, &bone, slot, share);
            float moved = split ? (float)(share * (double)weight) : 0.0f;
            out->weight_joints[next] = joint + (joint > bone.joint || (joint == bone.joint && share == 1.0));
            out->weight_values[next++] = weight - moved;
            if (split) {
                out->weight_joints[next] = bone.joint + 1;
                out->weight_values[next++] = moved;
            }
        }
    }
    unfinished = NULL;
    return status_ok();
}

Status rig_add_twist_joint(Rig *rig, const Mesh *mesh, const TwistJointPlan *plan)
{
    Rig fresh;
    STATUS_TRY(rig_with_twist_joint(rig, mesh, plan, &fresh));
    rig_clear(rig);
    *rig = fresh;
    return status_ok();
}
