/* Direct Delta Mush (Le and Lewis 2019, section 3.4): a blend of matrices, and the rotation nearest to it.
 *
 *   sum_j C_j Omega_ij = [Q q; p^T 1]     R = the rotation nearest to Q - q p^T     v' = R (v - p) + q
 *
 * Omega_ij is stored as moments about p, which avoids most of the cancellation in M = Q - q p^T. Let S =
 * sum w u u^T and s = sum w u, where u = v - p; the sum of s over the joints is 0. Let A_j be the 3 x 3
 * part of C_j. Then
 *   M = sum_j A_j S_ij + (C_j p) s_ij^T     q = sum_j A_j s_ij + w_ij C_j p
 * The vertex's fourth value is 1 / |sum_j S_ij|. It scales M to about 1, so that floats can represent the
 * square of M on a small mesh or if alpha is near 1.
 *
 * The rotation is computed in closed form. M, scaled to unit norm, has singular values s1 >= s2 >= |s3|,
 * where s3 has the sign of det M. Their sum i1 and the sum i2 of their products satisfy
 *   i2^2 - |cof M|^2 - 2 det(M) i1 = 0,   i1 = sqrt(1 + 2 i2),
 * where i2 is the largest root. By the characteristic polynomial of the symmetric polar factor,
 *   R = (i1 cof(M) + (1 + i2) M - M M^T M) / (i1 i2 - det M).
 * The denominator is (s1 + s2) (s2 + s3) (s3 + s1). It is zero only if the rotation is not unique, as for
 * collinear neighbours. Then M itself is used for the directions that it does not map to 0.
 *
 * Variants (section 4): in 1 (v2 of the paper), R is a blend of the joints' quaternions with weights w_ij.
 * In 2 (v3), R is a blend of their matrices and may not be orthogonal. 3 (v4) and 4 (v5) find R like 1
 * and 2 but omit s_ij, so that p moves by linear blending. */
#define KERNEL_VARIANTS 5
#define KERNEL_INFLUENCE_VALUES 9
#define KERNEL_VERTEX_VALUES 4

#include "methods/kernel/kernel.h"

enum { DDM_QUAT = 12 }; /* index of the quaternion's first value in the palette, after the matrix */

/* Sums over the influences. Variants 1 and 3 store a quaternion in x and y.x. */
typedef struct DdmBlend {
    Vec3 x, y, z; /* rows of M, or of a blend of rotations */
    Vec3 q, base; /* q minus `base`, and `base`: the position to which the first joint moves p */
} DdmBlend;

#define KERNEL_ADDS direct_delta_mush
#define KERNEL_STATE DdmBlend
#define KERNEL_STATE_VALUES(X)                                                                               \
    X(0, x.x)                                                                                                \
    X(1, x.y)                                                                                                \
    X(2, x.z)                                                                                                \
    X(3, y.x)                                                                                                \
    X(4, y.y)                                                                                                \
    X(5, y.z)                                                                                                \
    X(6, z.x) X(7, z.y) X(8, z.z) X(9, q.x) X(10, q.y) X(11, q.z) X(12, base.x) X(13, base.y) X(14, base.z)

KERNEL_FUNCTION Vec3 ddm_place(KERNEL_ARGUMENTS)
{
    return vec3_make(VERTEX_VALUE(0), VERTEX_VALUE(1), VERTEX_VALUE(2));
}

KERNEL_FUNCTION DdmBlend direct_delta_mush_start(KERNEL_ARGUMENTS, int variant)
{
    const Vec3 zero = vec3_make(REAL(0.0), REAL(0.0), REAL(0.0));
    DdmBlend blend;
    blend.x = blend.y = blend.z = blend.q = zero;
    blend.base = variant == 4 ? zero : transform_point(JOINT34(0), ddm_place(KERNEL_PASS));
    return blend;
}

/* Adds a row of A S + m s^T to `sum`. (a, b, c) is the row of A, and `moved` is the entry of m = C p. */
KERNEL_FUNCTION Vec3 ddm_row_add(KERNEL_ARGUMENTS, int k, Vec3 sum, Real a, Real b, Real c, Real moved)
{
    sum.x += a * INFLUENCE_VALUE(k, 0) + b * INFLUENCE_VALUE(k, 1) + c * INFLUENCE_VALUE(k, 2) +
             moved * INFLUENCE_VALUE(k, 6);
    sum.y += a * INFLUENCE_VALUE(k, 1) + b * INFLUENCE_VALUE(k, 3) + c * INFLUENCE_VALUE(k, 4) +
             moved * INFLUENCE_VALUE(k, 7);
    sum.z += a * INFLUENCE_VALUE(k, 2) + b * INFLUENCE_VALUE(k, 4) + c * INFLUENCE_VALUE(k, 5) +
             moved * INFLUENCE_VALUE(k, 8);
    return sum;
}

KERNEL_FUNCTION DdmBlend direct_delta_mush_add(KERNEL_ARGUMENTS, int k, int variant, DdmBlend blend)
{
    const Transform joint = JOINT34(k);
    const Vec3 moved = variant == 4 ? vec3_make(joint.m03, joint.m13, joint.m23)
                                    : vec3_sub(transform_point(joint, ddm_place(KERNEL_PASS)), blend.base);
    const Real weight = WEIGHT(k);
    blend.q = vec3_add_scaled(blend.q, moved, weight);
    if (variant < 3) {
        const Vec3 place = vec3_make(INFLUENCE_VALUE(k, 6), INFLUENCE_VALUE(k, 7), INFLUENCE_VALUE(k, 8));
        blend.q = vec3_add(blend.q, transform_direction(joint, place));
    }
    if (variant == 0) {
        blend.x = ddm_row_add(KERNEL_PASS, k, blend.x, joint.m00, joint.m01, joint.m02, moved.x);
        blend.y = ddm_row_add(KERNEL_PASS, k, blend.y, joint.m10, joint.m11, joint.m12, moved.y);
        blend.z = ddm_row_add(KERNEL_PASS, k, blend.z, joint.m20, joint.m21, joint.m22, moved.z);
    } else if (variant == 1 || variant == 3) {
        const PaletteRow quat = PALETTE_ROW(k, DDM_QUAT);
        const Real dot = quat.a * blend.x.x + quat.b * blend.x.y + quat.c * blend.x.z + quat.d * blend.y.x;
        const Real signed_weight = dot < REAL(0.0) ? -weight : weight;
        blend.x = vec3_add_scaled(blend.x, vec3_make(quat.a, quat.b, quat.c), signed_weight);
        blend.y.x += signed_weight * quat.d;
    } else {
        blend.x = vec3_add_scaled(blend.x, vec3_make(joint.m00, joint.m01, joint.m02), weight);
        blend.y = vec3_add_scaled(blend.y, vec3_make(joint.m10, joint.m11, joint.m12), weight);
        blend.z = vec3_add_scaled(blend.z, vec3_make(joint.m20, joint.m21, joint.m22), weight);
    }
    return blend;
}

/* Applies the matrix with rows x, y, z, or its transpose, to v. */
KERNEL_FUNCTION Vec3 ddm_apply(Vec3 x, Vec3 y, Vec3 z, Vec3 v)
{
    return vec3_make(vec3_dot(x, v), vec3_dot(y, v), vec3_dot(z, v));
}
KERNEL_FUNCTION Vec3 ddm_apply_back(Vec3 x, Vec3 y, Vec3 z, Vec3 v)
{
    return vec3_add_scaled(vec3_add_scaled(vec3_scale(x, v.x), y, v.y), z, v.z);
}

/* The terms of R = of_m M + of_cube M M^T M + of_cofactors cof(M): the rows x, y, z of M, the rows of
 * cof(M), and the three coefficients. */
typedef struct DdmTurn {
    Vec3 x, y, z, cof_x, cof_y, cof_z;
    Real of_m, of_cube, of_cofactors;
} DdmTurn;

KERNEL_FUNCTION DdmTurn ddm_polar(Vec3 x, Vec3 y, Vec3 z)
{
    const Real least = REAL(1e-30), rank = REAL(8.0) * REAL_EPSILON;
    DdmTurn turn;
    const Real norm2 = vec3_dot(x, x) + vec3_dot(y, y) + vec3_dot(z, z);
    const Real scale = REAL(1.0) / real_sqrt(norm2 > least ? norm2 : least);
    turn.x = x = vec3_scale(x, scale);
    turn.y = y = vec3_scale(y, scale);
    turn.z = z = vec3_scale(z, scale);
    turn.cof_x = vec3_cross(y, z);
    turn.cof_y = vec3_cross(z, x);
    turn.cof_z = vec3_cross(x, y);
    const Real det = vec3_dot(x, turn.cof_x);
    const Real cof2 = vec3_dot(turn.cof_x, turn.cof_x) + vec3_dot(turn.cof_y, turn.cof_y) +
                      vec3_dot(turn.cof_z, turn.cof_z);
    /* Finds i1 by Halley's method from above, with i2 = (i1^2 - 1) / 2. Two steps are enough if M does not
     * mirror. Otherwise the number of steps grows as the rotation comes closer to being ambiguous. i1 is
     * between the square roots of 1/3 and 3. All roots are real, so the divisor is at least 5/8 of the
     * square of the slope. */
    const Real most = cof2 + (det > REAL(0.0) ? REAL(3.4641016151377544) : REAL(1.1547005383792515)) * det;
    Real i1 = real_sqrt(REAL(1.0) + REAL(2.0) * real_sqrt(most > REAL(0.0) ? most : REAL(0.0)));
    for (int step = 0; step < (REAL_IS_FLOAT ? 5 : 30); step++) {
        const Real pairs = REAL(0.5) * i1 * i1 - REAL(0.5);
        const Real slope = REAL(2.0) * (i1 * pairs - det);
        const Real value = pairs * pairs - cof2 - REAL(2.0) * det * i1;
        const Real curve = REAL(1.5) * i1 * i1 - REAL(0.5);
        i1 -= slope > rank ? value * slope / (slope * slope - value * curve) : REAL(0.0);
        i1 = i1 > REAL(0.316) ? i1 : REAL(0.316);
    }
    const Real i2 = REAL(0.5) * i1 * i1 - REAL(0.5);
    const Real sum = i1 * i2 - det;
    const RealCondition unique = sum > rank;
    const Real reciprocal = REAL(1.0) / (unique ? sum : REAL(1.0));
    turn.of_m = unique ? (REAL(1.0) + i2) * reciprocal : REAL(1.0);
    turn.of_cube = unique ? -reciprocal : REAL(0.0);
    turn.of_cofactors = unique ? i1 * reciprocal : REAL(0.0);
    return turn;
}

KERNEL_FUNCTION Vec3 ddm_turned(DdmTurn turn, Vec3 v)
{
    const Vec3 once = ddm_apply(turn.x, turn.y, turn.z, v);
    const Vec3 twice = ddm_apply_back(turn.x, turn.y, turn.z, once);
    const Vec3 inner = vec3_add_scaled(vec3_scale(v, turn.of_m), twice, turn.of_cube);
    return vec3_add_scaled(ddm_apply(turn.x, turn.y, turn.z, inner),
                           ddm_apply(turn.cof_x, turn.cof_y, turn.cof_z, v), turn.of_cofactors);
}

KERNEL_FUNCTION SkinnedPoint direct_delta_mush_finish(KERNEL_ARGUMENTS, int variant, DdmBlend blend,
                                                      SkinnedPoint rest)
{
    const Vec3 arm = vec3_sub(rest.position, ddm_place(KERNEL_PASS));
    SkinnedPoint skinned;
    if (variant == 0) {
        const Real scale = VERTEX_VALUE(3);
        const DdmTurn turn =
            ddm_polar(vec3_scale(blend.x, scale), vec3_scale(blend.y, scale), vec3_scale(blend.z, scale));
        skinned.position = ddm_turned(turn, arm);
        skinned.normal = vec3_normalize(ddm_turned(turn, rest.normal));
    } else if (variant == 1 || variant == 3) {
        const Quat sum = quat_make(blend.x.x, blend.x.y, blend.x.z, blend.y.x);
        const Real square = quat_dot(sum, sum);
        const Quat turn = quat_scale(sum, REAL(1.0) / real_sqrt(square > REAL(1e-20) ? square : REAL(1e-20)));
        skinned.position = quat_rotate(turn, arm);
        skinned.normal = quat_rotate(turn, rest.normal);
    } else {
        skinned.position = ddm_apply(blend.x, blend.y, blend.z, variant == 4 ? rest.position : arm);
        skinned.normal = vec3_normalize(ddm_apply(blend.x, blend.y, blend.z, rest.normal));
    }
    skinned.position = vec3_add(vec3_add(skinned.position, blend.q), blend.base);
    return skinned;
}
