/* Measures the jump of the skin when a joint twists past half a turn and the other direction becomes
 * shorter (DQS Figure 20). One of two joints is at rest, the other is twisted about x by either of two
 * angles. The vertices are at distance 1 from the axis and have all weights from 0 to 1. Without the flip,
 * no vertex would move further than the second joint does: the chord of the angle difference.
 *
 *   parameters: method, set, from_degrees (179), to_degrees (181) */

#include "harness/run/studies/small_rig.h"

enum { STEPS = 64 };

static Status twisted_skin(const SkinnerOptions *options, SmallRig *rig, double degrees, double *out)
{
    const Vec3 zero = vec3_make(0.0, 0.0, 0.0);
    rig->pose[1] = transform_rotate_about(vec3_make(1.0, 0.0, 0.0), degrees * PI / 180.0, zero, zero);
    return small_rig_skin(rig, options, out);
}

Status study_flip(const StudyInput *input, Measures *measures)
{
    const double from = study_number(input, "from_degrees", 179.0),
                 end = study_number(input, "to_degrees", 181.0);
    double before[3 * (STEPS + 1)], after[3 * (STEPS + 1)], weights[STEPS + 1], jumps[STEPS + 1], max = 0.0;
    SkinnerOptions options;
    CLEANUP(small_rig_clear) SmallRig rig = {0};
    STATUS_TRY(small_rig_init(2, STEPS + 1, &rig));
    for (int i = 0; i <= STEPS; i++) {
        weights[i] = (double)i / STEPS;
        small_rig_vertex(&rig, i, vec3_make(0.0, 1.0, 0.0), (double[]){1.0 - weights[i], weights[i]});
    }
    STATUS_TRY(study_method(input, study_text(input, "method", "dqs"), "set", &options));
    STATUS_TRY(twisted_skin(&options, &rig, from, before));
    STATUS_TRY(twisted_skin(&options, &rig, end, after));
    for (int i = 0; i <= STEPS; i++) {
        jumps[i] = hypot(after[3 * i + 1] - before[3 * i + 1], after[3 * i + 2] - before[3 * i + 2]);
        max = fmax(max, jumps[i]);
    }
    measures_add(measures, "jump", max);
    measures_add(measures, "jump_half", jumps[STEPS / 2]);
    measures_add(measures, "joint_moves", 2.0 * fabs(sin(0.5 * (end - from) * PI / 180.0)));
    measures_add_curve(measures, "weight", weights, STEPS + 1);
    measures_add_curve(measures, "jump_over_weight", jumps, STEPS + 1);
    return status_ok();
}
