/* Splits transformations into inflation and rigid motion along the hierarchy (DQS section 4.2), and joins
 * the two parts again. */
#include "datasets/model/two_phase.h"

#include "datasets/geometry/nearest_rotation.h"

static bool scale_finite(const Mat3 *scale)
{
    const double *values = &scale->m00;
    double sum = 0.0;
    for (int i = 0; i < 9; i++)
        sum += fabs(values[i]);
    return isfinite(sum);
}

static Transform transform_of(const Mat3 *scale)
{
    return (Transform){scale->m00, scale->m01, scale->m02, 0.0,        scale->m10, scale->m11,
                       scale->m12, 0.0,        scale->m20, scale->m21, scale->m22, 0.0};
}

/* Returns the rest frame of a joint: the identity if the rig has none, and for the parent -1 of a root. */
static Transform rest_frame(const Rig *rig, int joint)
{
    return rig->rest && joint >= 0 ? rig->rest[joint] : transform_identity();
}

/* Returns R, the transformation of a joint relative to its parent, with its translation multiplied by the
 * parent's scale S. This elongates the bone that leads to the joint. */
static Transform elongated(Transform relative, const Mat3 *scale)
{
    return transform_moved_to(relative,
                              transform_direction(transform_of(scale), transform_translation(relative)));
}

/* With p the parent of j, the relative transformations are
 *
 *   R_j = inv(A_p) A_j,  R_j T_j = inv(F_p) F_j
 *
 * R'_j is the elongated R_j. The frames of the two phases are
 *
 *   A''_j = A''_p R'_j,  F''_j = F''_p R'_j T_j,  F'_j = A''_j S_j
 *
 * If S_j = I for all joints, C'_j = I and C''_j = C_j. During the first loop second[j] holds F''_j. */
Status two_phase_split(const Rig *rig, const Transform *transforms, const Mat3 *scale, Transform *first,
                       Transform *second, Transform *rest)
{
    for (int joint = 0; joint < rig->joint_count; joint++) {
        const int parent = rig->parents[joint];
        const Transform joint_rest = rest_frame(rig, joint);
        const Transform parent_rest = rest_frame(rig, parent);
        const Transform parent_posed =
            parent >= 0 ? transform_product(transforms[parent], parent_rest) : transform_identity(); /* F_p */
        Transform back_rest, back_posed, back_relative;
        if (!scale_finite(&scale[joint]))
            return bad_input("the scale of joint %d is not finite", joint);
        if (!transform_inverse(parent_rest, &back_rest) || !transform_inverse(parent_posed, &back_posed))
            return bad_input("the frame of the parent of joint %d has no inverse", joint);
        const Transform relative = transform_product(back_rest, joint_rest);
        if (!transform_inverse(relative, &back_relative))
            return bad_input("the rest frame of joint %d has no inverse", joint);
        const Transform motion = transform_product(
            back_relative,
            transform_product(back_posed, transform_product(transforms[joint], joint_rest))); /* T_j */
        const Transform bone = parent >= 0 ? elongated(relative, &scale[parent]) : relative;
        rest[joint] = parent >= 0 ? transform_product(rest[parent], bone) : bone;
        second[joint] =
            transform_product(parent >= 0 ? transform_product(second[parent], bone) : bone, motion);
    }
    for (int joint = 0; joint < rig->joint_count; joint++) {
        Transform back, back_scaled;
        if (!transform_inverse(rest_frame(rig, joint), &back) ||
            !transform_inverse(rest[joint], &back_scaled))
            return bad_input("the rest frame of joint %d has no inverse", joint);
        first[joint] = transform_product(transform_product(rest[joint], transform_of(&scale[joint])), back);
        second[joint] = transform_product(second[joint], back_scaled);
    }
    return status_ok();
}

void two_phase_join(int joint_count, const Transform *first, Transform *second)
{
    for (int joint = 0; joint < joint_count; joint++)
        second[joint] = transform_product(second[joint], first[joint]);
}

/* Returns the inverse of a rigid transformation. */
static Transform rigid_inverse(Transform t)
{
    const Transform back = {t.m00, t.m10, t.m20, 0.0, t.m01, t.m11, t.m21, 0.0, t.m02, t.m12, t.m22, 0.0};
    return transform_moved_to(back, vec3_scale(transform_point(back, transform_translation(t)), -1.0));
}

/* Splits G into F'' S and returns F''. F'' has the translation of G and the rotation nearest to the matrix
 * of G. *scale is S, the remaining factor. */
static Transform rigid_part(Transform posed, Mat3 *scale)
{
    double matrix[3][3];
    transform_matrix(posed, matrix);
    nearest_rotation((const double(*)[3])matrix, matrix);
    const Transform rigid = transform_of_matrix((const double(*)[3])matrix, transform_translation(posed));
    const Transform left = transform_product(rigid_inverse(rigid), posed);
    *scale = (Mat3){left.m00, left.m01, left.m02, left.m10, left.m11, left.m12, left.m20, left.m21, left.m22};
    return rigid;
}

/* Together, the two phases place a joint at F''_j S_j, because F'_j = A''_j S_j. The motion without scale
 * follows from
 *
 *   F''_j = F''_p R'_j T_j,  so T_j = inv(R'_j) inv(F''_p) F''_j,  and F_j = F_p R_j T_j
 *
 * transforms[j] holds F''_j, then R_j T_j, then F_j, and finally C_j. */
void two_phase_separate(const Rig *rig, Transform *transforms, Mat3 *scale)
{
    for (int joint = 0; joint < rig->joint_count; joint++)
        transforms[joint] =
            rigid_part(transform_product(transforms[joint], rest_frame(rig, joint)), &scale[joint]);
    for (int joint = rig->joint_count - 1; joint >= 0;
         joint--) { /* children come first, because they need the F''_p of their parent before it is replaced
                     */
        const int parent = rig->parents[joint];
        if (parent < 0)
            continue;
        const Transform joint_rest = rest_frame(rig, joint);
        const Transform parent_rest = rest_frame(rig, parent);
        const Transform relative = transform_product(rigid_inverse(parent_rest), joint_rest);
        const Transform motion =
            transform_product(rigid_inverse(elongated(relative, &scale[parent])),
                              transform_product(rigid_inverse(transforms[parent]), transforms[joint]));
        transforms[joint] = transform_product(relative, motion); /* inv(F_p) F_j */
    }
    for (int joint = 0; joint < rig->joint_count; joint++)
        if (rig->parents[joint] >= 0)
            transforms[joint] = transform_product(transforms[rig->parents[joint]], transforms[joint]);
    for (int joint = 0; joint < rig->joint_count; joint++)
        transforms[joint] = transform_product(transforms[joint], rigid_inverse(rest_frame(rig, joint)));
}
