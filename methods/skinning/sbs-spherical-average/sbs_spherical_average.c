/* Spherical blend skinning by spherical averages. It shares the stages of sbs and uses a different
 * kernel. */
#include "methods/posing/iteration_counts.h"
#include "methods/posing/sbs_stages.h"
#include "methods/skinning/sbs-spherical-average/sbs_spherical_average.kernel.h"

_Static_assert(SPHERICAL_HEMISPHERE == (int)SBS_HEMISPHERE && SPHERICAL_LEAST_ANGLE == (int)SBS_LEAST_ANGLE,
               "the parameters start with those of sbs");

static const Parameter spherical_parameters[SPHERICAL_PARAMETER_COUNT + 1] = {
    SBS_PARAMETERS,
    [SPHERICAL_PRECISION] = {"precision", "length of an update, in radians, below which iteration stops",
                             PARAMETER_REAL, 1e-6, 0.0, 1.0, NULL},
    [SPHERICAL_UPDATES] = {"updates", "maximum number of updates per vertex", PARAMETER_INTEGER, 8, 0, 100,
                           NULL},
};

enum { SPHERICAL_COUNTER_COUNT = (int)SBS_COUNTER_COUNT + (int)ITERATION_COUNTER_COUNT };

static const SkinningCounter spherical_counters[SPHERICAL_COUNTER_COUNT] = {SBS_COUNTERS, ITERATION_COUNTERS};

static double average_updates(const KernelView *view, int vertex, int influences, int variant)
{
    SphericalState state = sbs_spherical_average_start(view, vertex, influences, variant);
    double updates = 0.0;
    for (int step = 0; step < (int)view->parameters[SPHERICAL_UPDATES] && state.moves > 0.0; step++) {
        state = sbs_spherical_average_step(view, vertex, influences, variant, state);
        updates += state.moves;
    }
    return updates;
}

static Status spherical_count(const SkinningBinding *binding, const void *state, const SkinningPose *posed,
                              double *counts)
{
    iteration_counts(binding, posed, RIGID_CENTER_FLOATS, SET_CENTER_FLOATS, average_updates,
                     binding->parameters[SPHERICAL_UPDATES], counts + SBS_COUNTER_COUNT);
    return sbs_count(binding, state, posed, counts);
}

const SkinningMethod sbs_spherical_average_method = {
    .name = "sbs-spherical-average",
    .title = "Spherical blend skinning, spherical averages",
    .citation = "Kavan and Zara 2005, section 5; Buss and Fillmore 2001",
    .summary = "Spherical blend skinning that averages rotations exactly on the sphere instead of linearly.",
    .parameters = spherical_parameters,
    .floats_per_joint = RIGID_CENTER_FLOATS,
    .floats_per_set = SET_CENTER_FLOATS,
    .variant_count = HEMISPHERE_VARIANT_COUNT,
    .rigid_only = true,
    .tolerance = 1e-5,
    .influence_order = hemisphere_influence_order,
    .bind = sbs_bind,
    .pose_workspace = sbs_workspace,
    .pose_frames = sbs_pose_frames,
    .pose = sbs_pose,
    .release = sbs_release,
    .counters = spherical_counters,
    .counter_count = SPHERICAL_COUNTER_COUNT,
    .count = spherical_count,
};
