/* Follows a point in the plane while its weight moves from one joint to the other, and compares its path
 * with the known correct path. The second joint moves like the first, followed by a rotation about some
 * point. The correct path is an arc about that point (DQS 2.2 and Figure 5, where its radius is 0; DQS 3.1
 * and Figures 9 and 10).
 *
 *   parameters
 *     first, second   motions of the joints, [degrees, x, y]: rotation about the origin, then translation
 *     point           [x, y], the point at rest
 *     rest_first, rest_second
 *                     [x, y], rest positions of the joints, about which qb rotates; the origin if omitted
 *     method          name of a method, or one of two constructions with angles by eq. 7:
 *                     "linear-centers" blends the centres of rotation linearly,
 *                     "linear-translations" blends the translations linearly
 *
 * chord_off is the largest distance of the path from the straight line between its ends (SBS Figure 1).
 * With a method there is another measure, center_off: the distance between the centres of its blends and
 * those of DQS eq. 8. That equation blends the joints' centres in proportion to weight times the sine of
 * half the angle. */

#include "harness/run/studies/small_rig.h"

enum { STEPS = 64 }; /* t is a multiple of 1/64, which is exact in float weights */

typedef struct PlanarMotion {
    double angle, x, y;
} PlanarMotion;

static Status motion_read(const StudyInput *input, const char *name, PlanarMotion *out)
{
    double v[3];
    study_numbers(input, name, v, 3);
    *out = (PlanarMotion){v[0] * PI / 180.0, v[1], v[2]};
    return isnan(v[0] + v[1] + v[2])
               ? bad_usage("the parameter %s must be an angle and a translation: [degrees, x, y]", name)
               : status_ok();
}

static Vec3 motion_apply(PlanarMotion m, Vec3 p)
{
    return vec3_make(cos(m.angle) * p.x - sin(m.angle) * p.y + m.x,
                     sin(m.angle) * p.x + cos(m.angle) * p.y + m.y, 0.0);
}

/* Returns the fixed point of a motion (DQS eq. 4). */
static Vec3 motion_center(PlanarMotion m)
{
    const double cotangent = 1.0 / tan(0.5 * m.angle);
    return vec3_make(0.5 * (m.x - m.y * cotangent), 0.5 * (m.y + m.x * cotangent), 0.0);
}

/* Moves a point linearly blended between two motions: rotates by the blended angle (DQS eq. 7) about the
 * blended centre, or about the origin followed by the blended translation. */
static void linear_move(bool of_centers, PlanarMotion first, PlanarMotion second, Vec3 point, double *out)
{
    const Vec3 from = of_centers ? motion_center(first) : vec3_make(first.x, first.y, 0.0);
    const Vec3 end = of_centers ? motion_center(second) : vec3_make(second.x, second.y, 0.0);
    for (int i = 0; i <= STEPS; i++) {
        const double t = (double)i / STEPS;
        const PlanarMotion turn = {
            .angle = 2.0 * atan2((1.0 - t) * sin(0.5 * first.angle) + t * sin(0.5 * second.angle),
                                 (1.0 - t) * cos(0.5 * first.angle) + t * cos(0.5 * second.angle))};
        const Vec3 blend = vec3_add_scaled(from, vec3_sub(end, from), t);
        const Vec3 arm = of_centers ? vec3_sub(point, blend) : point;
        const Vec3 moved = vec3_add(blend, motion_apply(turn, arm));
        out[3 * i] = moved.x;
        out[3 * i + 1] = moved.y;
    }
}

/* Returns the largest distance between the centres of a method's blends and those of eq. 8. `out` contains
 * the images of the origin and of the end of the x axis at every step. */
static double centers_compare(const PlanarMotion *motions, const double *out)
{
    double max = 0.0;
    if (motions[0].angle == 0.0 || motions[1].angle == 0.0)
        return NAN; /* a translation has no centre */
    for (int i = 0; i <= STEPS; i++) {
        const double *origin = out + 6 * i, *end = out + 6 * i + 3;
        const PlanarMotion blend = {atan2(end[1] - origin[1], end[0] - origin[0]), origin[0], origin[1]};
        const double t = (double)i / STEPS, first = (1.0 - t) * sin(0.5 * motions[0].angle),
                     second = t * sin(0.5 * motions[1].angle);
        const Vec3 expected = vec3_scale(vec3_add(vec3_scale(motion_center(motions[0]), first),
                                                  vec3_scale(motion_center(motions[1]), second)),
                                         1.0 / (first + second));
        max = fmax(max, vec3_length(vec3_sub(motion_center(blend), expected)));
    }
    return max;
}

static Status method_move(const StudyInput *input, const char *method, const PlanarMotion *motions,
                          Vec3 point, double *out, double *center_off)
{
    static const char *const rests[] = {"rest_first", "rest_second"};
    SkinnerOptions options;
    CLEANUP(small_rig_clear) SmallRig rig = {0};
    double axes[6 * (STEPS + 1)];
    STATUS_TRY(small_rig_init(2, 2 * (STEPS + 1), &rig));
    for (int j = 0; j < 2; j++) {
        double position[2];
        study_numbers(input, rests[j], position, 2);
        const PlanarMotion m = motions[j];
        rig.pose[j] = transform_rotate_about(vec3_make(0.0, 0.0, 1.0), m.angle, vec3_make(0.0, 0.0, 0.0),
                                             vec3_make(m.x, m.y, 0.0));
        rig.rest[j].m03 = isnan(position[0]) ? 0.0 : position[0];
        rig.rest[j].m13 = isnan(position[1]) ? 0.0 : position[1];
    }
    STATUS_TRY(study_method(input, method, "set", &options));
    /* place two vertices for each step: first the origin and the end of the x axis, then twice the point */
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < 2 * (STEPS + 1); i++) {
            const int step = i / 2;
            const double t = (double)step / STEPS;
            small_rig_vertex(&rig, i, pass == 0 ? vec3_make(i % 2, 0.0, 0.0) : point, (double[]){1.0 - t, t});
        }
        STATUS_TRY(small_rig_skin(&rig, &options, axes));
        if (pass == 0)
            *center_off = centers_compare(motions, axes);
    }
    for (int i = 0; i < 3 * (STEPS + 1); i++)
        out[i] = axes[6 * (i / 3) + i % 3];
    return status_ok();
}

Status study_planar_path(const StudyInput *input, Measures *measures)
{
    const char *method = study_text(input, "method", "dqs");
    double out[3 * (STEPS + 1)] = {0.0}, coordinates[2], center_off = NAN;
    PlanarMotion motions[2];
    STATUS_TRY(motion_read(input, "first", &motions[0]));
    STATUS_TRY(motion_read(input, "second", &motions[1]));
    study_numbers(input, "point", coordinates, 2);
    const Vec3 point = vec3_make(coordinates[0], coordinates[1], 0.0);
    /* `between` is the second motion after the inverse of the first */
    PlanarMotion between = {.angle = motions[1].angle - motions[0].angle};
    const Vec3 moved = motion_apply(between, vec3_make(motions[0].x, motions[0].y, 0.0));
    between.x = motions[1].x - moved.x;
    between.y = motions[1].y - moved.y;
    if (isnan(coordinates[0] + coordinates[1]) || !(fabs(between.angle) > 0.0))
        return bad_usage(
            "the parameter 'point' must be a point [x, y], and the two joints must be rotated differently");
    const bool of_centers = strcmp(method, "linear-centers") == 0;
    if (of_centers || strcmp(method, "linear-translations") == 0)
        linear_move(of_centers, motions[0], motions[1], point, out);
    else
        STATUS_TRY(method_move(input, method, motions, point, out, &center_off));
    const Vec3 center = motion_center(between);
    /* measure the path and its distance from the arc */
    const double radius = vec3_length(vec3_sub(motion_apply(motions[0], point), center));
    double ts[STEPS + 1], xs[STEPS + 1], ys[STEPS + 1], drifts[STEPS + 1], max = 0.0, chord_max = 0.0;
    const double *last = out + 3 * (ptrdiff_t)STEPS, chord_x = last[0] - out[0], chord_y = last[1] - out[1];
    for (int i = 0; i <= STEPS; i++) {
        ts[i] = (double)i / STEPS;
        xs[i] = out[3 * i];
        ys[i] = out[3 * i + 1];
        drifts[i] = fabs(hypot(xs[i] - center.x, ys[i] - center.y) - radius);
        max = fmax(max, drifts[i]);
        const double across = chord_x * (ys[i] - out[1]) - chord_y * (xs[i] - out[0]);
        chord_max = fmax(chord_max, fabs(across) / hypot(chord_x, chord_y));
    }
    measures_add(measures, "half_x", xs[STEPS / 2]);
    measures_add(measures, "half_y", ys[STEPS / 2]);
    measures_add(measures, "half_drift", drifts[STEPS / 2]);
    measures_add(measures, "drift", max);
    measures_add(measures, "chord_off", chord_max);
    measures_add(measures, "center_off", center_off);
    measures_add_curve(measures, "t", ts, STEPS + 1);
    measures_add_curve(measures, "x", xs, STEPS + 1);
    measures_add_curve(measures, "y", ys, STEPS + 1);
    measures_add_curve(measures, "drift_over_t", drifts, STEPS + 1);
    return status_ok();
}
