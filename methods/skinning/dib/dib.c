/* Dual quaternion iterative blending. The palette is the same as for dqs. */
#include "methods/posing/iteration_counts.h"
#include "methods/posing/rigid_pose.h"
#include "methods/skinning/dib/dib.kernel.h"

static const Parameter dib_parameters[DIB_PARAMETER_COUNT + 1] = {
    [DIB_HEMISPHERE] = HEMISPHERE_PARAMETER,
    [DIB_PRECISION] = {"precision",
                       "length of an update, in radians and model units, below which iteration stops",
                       PARAMETER_REAL, 1e-6, 0.0, 1.0, NULL},
    [DIB_UPDATES] = {"updates", "maximum number of updates per vertex", PARAMETER_INTEGER, 8, 0, 100, NULL},
};

static const SkinningCounter dib_counters[ITERATION_COUNTER_COUNT] = {ITERATION_COUNTERS};

static double vertex_updates(const KernelView *view, int vertex, int influences, int variant)
{
    DibState state = dib_start(view, vertex, influences, variant);
    for (int step = 0; step < (int)view->parameters[DIB_UPDATES] && state.moves > 0.0; step++)
        state = dib_step(view, vertex, influences, variant, state);
    return state.updates;
}

static Status dib_count(const SkinningBinding *binding, const void *state, const SkinningPose *posed,
                        double *counts)
{
    (void)state;
    iteration_counts(binding, posed, RIGID_DUAL_QUAT_FLOATS, 0, vertex_updates,
                     binding->parameters[DIB_UPDATES], counts);
    return status_ok();
}

const SkinningMethod dib_method = {
    .name = "dib",
    .title = "Dual quaternion iterative blending",
    .citation = "Kavan, Collins, O'Sullivan and Zara 2006; DQS Algorithm 3",
    .summary = "Blends dual quaternions iteratively until the result is their exact average; slower than dqs "
               "and almost the same.",
    .parameters = dib_parameters,
    .floats_per_joint = RIGID_DUAL_QUAT_FLOATS,
    .variant_count = HEMISPHERE_VARIANT_COUNT,
    .allows_zero_weight_padding = true,
    .rigid_only = true,
    .tolerance = 2e-5,
    .influence_order = hemisphere_influence_order,
    .bind = rigid_pose_bind,
    .pose = rigid_pose_blended,
    .release = rigid_pose_release,
    .counters = dib_counters,
    .counter_count = ITERATION_COUNTER_COUNT,
    .count = dib_count,
};
