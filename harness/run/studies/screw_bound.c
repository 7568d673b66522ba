/* Measures how far linear blending of two (dual) quaternions departs from the constant speed of SLERP and
 * ScLERP (SBS 4.1, DQS 3.4). One of two joints is at rest, the other moves along a screw about the x axis,
 * and there is a vertex for each weight t. Both blends rotate about that axis and move along it, so only
 * the angle and the shift differ.
 *
 * The measures angle_least_rad, shift_least and shift_most are signed: linear blend minus SLERP or ScLERP.
 * Shifts are fractions of the screw's shift (DQS Figure 23).
 *
 *   parameters
 *     method                 sbs for QLERP, dqs for DLB
 *     angle_degrees, shift   angle and shift of the screw */

#include "harness/run/studies/small_rig.h"

enum { STEPS = 4096 }; /* t is a multiple of 1/4096, which is exact in float weights */

/* Finds the largest sample of f, or the smallest one if `sign` is -1, and fits a parabola to it and its two
 * neighbours. Returns the extreme value of the parabola and stores its position in *position. If the sample
 * is the first or the last one, the function returns the sample itself. */
static double extreme(double sign, const double *f, int first, int last, double *position)
{
    int best = first;
    for (int i = first; i <= last; i++)
        best = sign * f[i] > sign * f[best] ? i : best;
    *position = (double)best / STEPS;
    if (best == first || best == last)
        return f[best];
    const double a = sign * f[best - 1], b = sign * f[best], c = sign * f[best + 1], bend = a - 2.0 * b + c;
    const double offset = bend < 0.0 ? 0.5 * (a - c) / bend : 0.0;
    *position += offset / STEPS;
    return sign * (b - 0.25 * (a - c) * offset);
}

/* Computes, for each t, the angle by which the point (0, 1, 0) rotates about the x axis, and its shift
 * along the axis. */
static Status turns_blend(const StudyInput *input, const SmallRig *rig, const char *method, double *angles,
                          double *shifts)
{
    LOCAL_TABLE(double, out, STEPS + 1, 3, "a study");
    SkinnerOptions options;
    STATUS_TRY(study_method(input, method, NULL, &options));
    STATUS_TRY(small_rig_skin(rig, &options, out));
    for (int i = 0; i <= STEPS; i++) {
        angles[i] = atan2(out[3 * i + 2], out[3 * i + 1]);
        shifts[i] = out[3 * i];
    }
    return status_ok();
}

Status study_screw_bound(const StudyInput *input, Measures *measures)
{
    const Vec3 x = vec3_make(1.0, 0.0, 0.0), zero = vec3_make(0.0, 0.0, 0.0);
    double angle = study_number(input, "angle_degrees", 180.0) * PI / 180.0;
    double shift = study_number(input, "shift", 0.0);
    CLEANUP(small_rig_clear) SmallRig rig = {0};
    LOCAL_TABLE(double, values, 4, STEPS + 1, "a study");
    STATUS_TRY(small_rig_init(2, STEPS + 1, &rig));
    rig.pose[1] = transform_rotate_about(x, angle, zero, vec3_scale(x, shift));
    for (int i = 0; i <= STEPS; i++) {
        double t = (double)i / STEPS;
        small_rig_vertex(&rig, i, vec3_make(0.0, 1.0, 0.0), (double[]){1.0 - t, t});
    }
    /* compute the method's blends and the motion along the screw */
    double *angles = values, *shifts = values + STEPS + 1, *true_angles = values + 2 * (size_t)(STEPS + 1),
           *true_shifts = values + 3 * (size_t)(STEPS + 1);
    STATUS_TRY(turns_blend(input, &rig, study_text(input, "method", "dqs"), angles, shifts));
    STATUS_TRY(turns_blend(input, &rig, "sclerp", true_angles, true_shifts));
    double ts[STEPS / 64 + 1], curve[STEPS / 64 + 1], shifted[STEPS / 64 + 1], position = 0.0, later = 0.0,
                                                                               total = 0.0;
    for (int i = 0; i <= STEPS; i++) {
        angles[i] -= true_angles[i];
        shifts[i] = shift > 0.0 ? (shifts[i] - true_shifts[i]) / shift : 0.0;
    }
    measures_add(measures, "angle_least_rad", extreme(-1.0, angles, 0, STEPS, &position));
    measures_add(measures, "shift_least", extreme(-1.0, shifts, 0, STEPS, &position));
    measures_add(measures, "shift_most", extreme(1.0, shifts, 0, STEPS, &position));
    for (int i = 0; i <= STEPS; i++) {
        total += fabs(angles[i]);
        angles[i] = fabs(angles[i]);
        shifts[i] = fabs(shifts[i]);
    }
    double max = extreme(1.0, angles, 0, STEPS / 2, &position);
    extreme(1.0, angles, STEPS / 2, STEPS, &later);
    measures_add(measures, "angle_rad", max);
    measures_add(measures, "angle_degrees", max * 180.0 / PI);
    /* the angle between the quaternions is half the rotation angle */
    measures_add(measures, "quat_angle_rad", 0.5 * max);
    measures_add(measures, "quat_angle_degrees", 90.0 * max / PI);
    measures_add(measures, "angle_mean_rad", total / STEPS);
    measures_add(measures, "angle_at", position);
    measures_add(measures, "angle_at_later", later);
    if (shift > 0.0) {
        measures_add(measures, "shift_percent", 100.0 * extreme(1.0, shifts, 0, STEPS / 2, &position));
        measures_add(measures, "shift_at", position);
    }
    for (int i = 0; i <= STEPS / 64; i++) {
        ts[i] = (double)(64 * i) / STEPS;
        curve[i] = angles[64 * i] * 180.0 / PI;
        shifted[i] = 100.0 * shifts[64 * i];
    }
    measures_add_curve(measures, "t", ts, STEPS / 64 + 1);
    measures_add_curve(measures, "angle_degrees_over_t", curve, STEPS / 64 + 1);
    measures_add_curve(measures, "shift_percent_over_t", shifted, STEPS / 64 + 1);
    return status_ok();
}
