/* Measures how far a method pulls apart two vertices that coincide and have similar weights. The gap
 * appears as a crack. Joints 1 and 2 are siblings at a distance of 2, rotated by 70 and -20 degrees about
 * z. Joint 3 beside them is rotated by 30 degrees about x.
 *   set_gap      one vertex has joints 1 and 2 at (1 - w) / 2 each, and joint 3 at w; the other
 *                lacks joint 3. They have different joint sets, and in SBS different centres for
 *                any w (DQS Figure 8)
 *   nearest_gap  both have joints 1 and 2 at 1/2; one is closer to joint 1, the other to joint 2
 *                (DQS Figure 7)
 *   parameters: method, set */

#include "harness/run/studies/small_rig.h"

enum { WEIGHT_COUNT = 9, VERTEX_COUNT = 2 * WEIGHT_COUNT + 2 };

/* Returns the weight w of step i, one of 0.1, 0.03, 0.01, ... */
static double weight_at(int i)
{
    return pow(10.0, -1.0 - 0.5 * i);
}

static double gap(const double *out, int a, int b)
{
    return study_distance(out + 3 * (size_t)a, out + 3 * (size_t)b);
}

static Status discontinuity_run(const StudyInput *input, Measures *measures)
{
    double out[3 * VERTEX_COUNT], weights[WEIGHT_COUNT], gaps[WEIGHT_COUNT];
    SkinnerOptions options;
    CLEANUP(small_rig_clear) SmallRig rig = {0};
    STATUS_TRY(small_rig_init(4, VERTEX_COUNT, &rig));
    const Vec3 z = vec3_make(0.0, 0.0, 1.0), x = vec3_make(1.0, 0.0, 0.0), zero = vec3_make(0.0, 0.0, 0.0);
    const Vec3 positions[] = {zero, vec3_make(-1.0, 0.0, 0.0), vec3_make(1.0, 0.0, 0.0),
                              vec3_make(0.0, 2.0, 0.0)};
    const Vec3 axes[] = {z, z, z, x};
    const double degrees[] = {0.0, 70.0, -20.0, 30.0};
    for (int j = 0; j < rig.joint_count; j++) {
        rig.parents[j] = j == 0 ? -1 : 0;
        rig.rest[j] = transform_translate(positions[j]);
        rig.pose[j] = transform_rotate_about(axes[j], degrees[j] * PI / 180.0, positions[j], zero);
    }
    const Vec3 middle = vec3_make(0.0, 0.5, 0.0);
    for (int i = 0; i < WEIGHT_COUNT; i++) {
        double w = weight_at(i);
        small_rig_vertex(&rig, 2 * i, middle, (double[]){0.0, 0.5, 0.5, 0.0});
        small_rig_vertex(&rig, 2 * i + 1, middle, (double[]){0.0, 0.5 * (1.0 - w), 0.5 * (1.0 - w), w});
    }
    for (int i = 0; i < 2; i++)
        small_rig_vertex(&rig, 2 * WEIGHT_COUNT + i, vec3_make(i == 0 ? -1e-6 : 1e-6, 0.5, 0.0),
                         (double[]){0.0, 0.5, 0.5, 0.0});
    STATUS_TRY(study_method(input, study_text(input, "method", "sbs"), "set", &options));
    STATUS_TRY(small_rig_skin(&rig, &options, out));
    for (int i = 0; i < WEIGHT_COUNT; i++) {
        weights[i] = weight_at(i);
        gaps[i] = gap(out, 2 * i, 2 * i + 1);
    }
    measures_add(measures, "set_gap_1e-2", gaps[2]);
    measures_add(measures, "set_gap_1e-4", gaps[6]);
    measures_add(measures, "set_gap_1e-5", gaps[8]);
    measures_add(measures, "nearest_gap", gap(out, 2 * WEIGHT_COUNT, 2 * WEIGHT_COUNT + 1));
    measures_add_curve(measures, "weight", weights, WEIGHT_COUNT);
    measures_add_curve(measures, "set_gap", gaps, WEIGHT_COUNT);
    return status_ok();
}

const Study study_discontinuity = {
    "how far apart skinning moves vertices whose positions and weights are nearly the same",
    discontinuity_run};
