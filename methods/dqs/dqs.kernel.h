/* Dual quaternion skinning: dual quaternion linear blending, DQS Algorithm 1.
 *   b = sum_k w_k q_k                       b = b0 + eps be, with scalar parts a0, ae and vector parts d0, de
 *   v' = v + 2 (d0 x (d0 x v + a0 v + de) + a0 de - ae d0) / |b0|^2
 *   n' = n + 2 (d0 x (d0 x n + a0 n)) / |b0|^2
 * which is Algorithm 1 with the two cross products by d0 made one, and without its square root: c0 and ce
 * only occur in products of two, so 1 / |b0|^2 is all that is needed. */
#define KERNEL_VARIANTS 5

#include "methods/backends/kernel.h"
#include "methods/dqs/dqs_variants.h"

/* |b0|^2 below which a blend has no direction left and the first influence stands in for it. */
#define DQS_VANISHED REAL(1e-10)

/* The non-dual part of the heaviest influence, the first of equals. */
KERNEL_FUNCTION Quat dqs_heaviest(KERNEL_ARGUMENTS, int count)
{
    Quat pivot = JOINT_QUAT(0);
    Real heaviest = WEIGHT(0);
    for (int k = 1; k < count; k++) {
        const Quat q = JOINT_QUAT(k);
        const Real weight = WEIGHT(k);
        pivot.w = weight > heaviest ? q.w : pivot.w;
        pivot.x = weight > heaviest ? q.x : pivot.x;
        pivot.y = weight > heaviest ? q.y : pivot.y;
        pivot.z = weight > heaviest ? q.z : pivot.z;
        heaviest = weight > heaviest ? weight : heaviest;
    }
    return pivot;
}

KERNEL_FUNCTION DualQuat dqs_select(int condition, DualQuat yes, DualQuat no)
{
    DualQuat q;
    q.real.w = condition ? yes.real.w : no.real.w;
    q.real.x = condition ? yes.real.x : no.real.x;
    q.real.y = condition ? yes.real.y : no.real.y;
    q.real.z = condition ? yes.real.z : no.real.z;
    q.dual.w = condition ? yes.dual.w : no.dual.w;
    q.dual.x = condition ? yes.dual.x : no.dual.x;
    q.dual.y = condition ? yes.dual.y : no.dual.y;
    q.dual.z = condition ? yes.dual.z : no.dual.z;
    return q;
}

/* sum_k w_k q_k, each q_k with the sign that the variant gives it. */
KERNEL_FUNCTION DualQuat dqs_blend(KERNEL_ARGUMENTS, int count, int variant)
{
    const int signs = variant == DQS_FIRST || variant == DQS_HEAVIEST || variant == DQS_RUNNING_SUM;
    Quat pivot = variant == DQS_HEAVIEST ? dqs_heaviest(KERNEL_PASS, count) : JOINT_QUAT(0);
    Real first_weight = WEIGHT(0);
    if (signs)
        first_weight = quat_dot(pivot, JOINT_QUAT(0)) < -DQS_HALF_TURN ? -first_weight : first_weight;
    DualQuat blend = dual_quat_scale(JOINT_DUAL_QUAT(0), first_weight);
    for (int k = 1; k < count; k++) {
        const DualQuat q = JOINT_DUAL_QUAT(k);
        Real weight = WEIGHT(k);
        if (variant == DQS_RUNNING_SUM)
            pivot = blend.real;
        if (signs)
            weight = quat_dot(pivot, q.real) < -DQS_HALF_TURN ? -weight : weight;
        blend = dual_quat_add_scaled(blend, q, weight);
    }
    if (variant != DQS_CHOSEN)
        blend = dqs_select(quat_dot(blend.real, blend.real) < DQS_VANISHED, JOINT_DUAL_QUAT(0), blend);
    return blend;
}

KERNEL_FUNCTION SkinnedPoint dqs_vertex(KERNEL_ARGUMENTS, int count, int variant, SkinnedPoint rest)
{
    const DualQuat blend = dqs_blend(KERNEL_PASS, count, variant);
    const Vec3 d0 = quat_vector(blend.real), de = quat_vector(blend.dual);
    const Real a0 = blend.real.w, ae = blend.dual.w;
    const Real factor = REAL(2.0) / quat_dot(blend.real, blend.real);

    Vec3 inner = vec3_add_scaled(vec3_add(vec3_cross(d0, rest.position), de), rest.position, a0);
    Vec3 offset = vec3_add_scaled(vec3_add_scaled(vec3_cross(d0, inner), de, a0), d0, -ae);
    Vec3 turned = vec3_cross(d0, vec3_add_scaled(vec3_cross(d0, rest.normal), rest.normal, a0));

    SkinnedPoint skinned;
    skinned.position = vec3_add_scaled(rest.position, offset, factor);
    skinned.normal = vec3_add_scaled(rest.normal, turned, factor);
    return skinned;
}
