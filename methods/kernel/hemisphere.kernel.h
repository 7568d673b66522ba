/* Signs and sums of quaternions, for kernels with the variants of methods/kernel/hemisphere.h. The palette
 * of such a kernel starts with the joint's unit quaternion (values 0 to 3) or unit dual quaternion (0 to
 * 7).
 *   #define KERNEL_VARIANTS 5
 *   const Quat b = HEMISPHERE_QUAT_BLEND(count, variant);
 * A kernel that blends in another way calls hemisphere_pivot, and then hemisphere_weight and
 * hemisphere_next for each influence. */
#ifndef SKINBENCH_KERNEL_HEMISPHERE_KERNEL_H
#define SKINBENCH_KERNEL_HEMISPHERE_KERNEL_H

#include "methods/kernel/hemisphere.h"
#include "methods/kernel/kernel.h"

KERNEL_FUNCTION Quat hemisphere_quat_select(RealCondition condition, Quat yes, Quat no)
{
    return quat_make(condition ? yes.w : no.w, condition ? yes.x : no.x, condition ? yes.y : no.y,
                     condition ? yes.z : no.z);
}

/* Returns the quaternion against which the sign of influence 0 is chosen. */
KERNEL_FUNCTION Quat hemisphere_pivot(KERNEL_ARGUMENTS, int count, int variant)
{
    Quat pivot = JOINT_QUAT(0);
    Real heaviest = WEIGHT(0);
    if (variant == HEMISPHERE_HEAVIEST) {
        KERNEL_UNROLL
        for (int k = 1; k < count; k++) {
            const Real weight = WEIGHT(k);
            pivot = hemisphere_quat_select(weight > heaviest, JOINT_QUAT(k), pivot);
            heaviest = weight > heaviest ? weight : heaviest;
        }
    }
    return pivot;
}

/* Returns the quaternion (pivot) against which the sign of the next influence is chosen; `sum` is the blend
 * so far. */
KERNEL_FUNCTION Quat hemisphere_next(int variant, Quat pivot, Quat sum)
{
    return variant == HEMISPHERE_RUNNING_SUM ? sum : pivot;
}

/* Returns the weight of the quaternion q, negated if the sign of q must change. */
KERNEL_FUNCTION Real hemisphere_weight(int variant, Quat pivot, Quat q, Real weight)
{
    if (variant == HEMISPHERE_FIRST || variant == HEMISPHERE_HEAVIEST || variant == HEMISPHERE_RUNNING_SUM)
        weight = quat_dot(pivot, q) < -HEMISPHERE_HALF_TURN ? -weight : weight;
    return weight;
}

/* Returns the replacement for a blend that vanishes, the vertex's first influence. This is influence 0
 * unless joint sets mix (allows_zero_weight_padding). If they mix, joints with weight 0 may come
 * before it. */
KERNEL_FUNCTION Quat hemisphere_first(KERNEL_ARGUMENTS, int count)
{
    Quat first = JOINT_QUAT(0);
#if KERNEL_SETS_MIX
    for (int k = count - 1; k >= 0; k--)
        first = hemisphere_quat_select(WEIGHT(k) != REAL(0.0), JOINT_QUAT(k), first);
#endif
    return first;
}

KERNEL_FUNCTION DualQuat hemisphere_dual_first(KERNEL_ARGUMENTS, int count)
{
    DualQuat first = JOINT_DUAL_QUAT(0);
#if KERNEL_SETS_MIX
    for (int k = count - 1; k >= 0; k--) {
        const DualQuat own = JOINT_DUAL_QUAT(k);
        first.real = hemisphere_quat_select(WEIGHT(k) != REAL(0.0), own.real, first.real);
        first.dual = hemisphere_quat_select(WEIGHT(k) != REAL(0.0), own.dual, first.dual);
    }
#endif
    return first;
}

/* Returns sum_k w_k q_k, not normalised, with the sign of each q_k chosen by the variant. If the sum
 * vanishes, returns the first influence. */
KERNEL_FUNCTION Quat hemisphere_quat_blend(KERNEL_ARGUMENTS, int count, int variant)
{
    Quat pivot = hemisphere_pivot(KERNEL_PASS, count, variant);
    Quat blend = quat_scale(JOINT_QUAT(0), hemisphere_weight(variant, pivot, JOINT_QUAT(0), WEIGHT(0)));
    KERNEL_UNROLL
    for (int k = 1; k < count; k++) {
        const Quat q = JOINT_QUAT(k);
        pivot = hemisphere_next(variant, pivot, blend);
        blend = quat_add_scaled(blend, q, hemisphere_weight(variant, pivot, q, WEIGHT(k)));
    }
    if (variant != HEMISPHERE_CHOSEN)
        blend = hemisphere_quat_select(quat_dot(blend, blend) < HEMISPHERE_VANISHED,
                                       hemisphere_first(KERNEL_PASS, count), blend);
    return blend;
}
#define HEMISPHERE_QUAT_BLEND(count, variant) hemisphere_quat_blend(KERNEL_PASS, (count), (variant))

/* Blends dual quaternions like hemisphere_quat_blend. Their non-dual parts determine the signs and whether
 * the blend vanishes. */
KERNEL_FUNCTION DualQuat hemisphere_dual_quat_blend(KERNEL_ARGUMENTS, int count, int variant)
{
    Quat pivot = hemisphere_pivot(KERNEL_PASS, count, variant);
    DualQuat blend =
        dual_quat_scale(JOINT_DUAL_QUAT(0), hemisphere_weight(variant, pivot, JOINT_QUAT(0), WEIGHT(0)));
    KERNEL_UNROLL
    for (int k = 1; k < count; k++) {
        const DualQuat q = JOINT_DUAL_QUAT(k);
        pivot = hemisphere_next(variant, pivot, blend.real);
        blend = dual_quat_add_scaled(blend, q, hemisphere_weight(variant, pivot, q.real, WEIGHT(k)));
    }
    if (variant != HEMISPHERE_CHOSEN) {
        const DualQuat first = hemisphere_dual_first(KERNEL_PASS, count);
        const RealCondition vanished = quat_dot(blend.real, blend.real) < HEMISPHERE_VANISHED;
        blend.real = hemisphere_quat_select(vanished, first.real, blend.real);
        blend.dual = hemisphere_quat_select(vanished, first.dual, blend.dual);
    }
    return blend;
}
#define HEMISPHERE_DUAL_QUAT_BLEND(count, variant) hemisphere_dual_quat_blend(KERNEL_PASS, (count), (variant))

#endif
