/* Checks, over 64 random motions, that the methods satisfy what the papers prove about blends:
 *   SBS 4.1   QLERP and SLERP rotate about one fixed axis
 *   DQS 3.4   DLB and ScLERP move along one screw axis
 *   SBS 4.2   SBS equals LBS at its centre: the centre does not rotate, and it cancels if the
 *             blended matrix replaces the rotation
 *   SBS 4.2   the division of SBS is as accurate as a square root
 *   SBS 4.2   if two joints meet in a point, that point does not depend on their weights
 *   DQS       every pivot finds valid signs if they exist (Lemma 5)
 *   DQS 2.2   a blend with negative weights is rigid
 * Each measure is the largest deviation. */

#include "harness/run/studies/small_rig.h"

/* PIVOTS: the values of `hemisphere` that choose signs: first, heaviest, and running-sum. */
enum { MOTIONS = 64, STEPS = 8, JOINTS = 3, PIVOTS = 3 };

static Vec3 random_vector(Random *random)
{
    const double x = random_signed(random), y = random_signed(random), z = random_signed(random);
    return vec3_make(x, y, z);
}

/* Returns a rotation by up to `max` about an axis through a point near the origin, followed by a
 * translation. */
static Transform random_motion(Random *random, double max)
{
    const Vec3 axis = vec3_normalize(random_vector(random)), point = random_vector(random);
    const double angle = max * random_unit(random);
    return transform_rotate_about(axis, angle, point, random_vector(random));
}

/* Finds the affine maps that a method's blends of the rig's joints produce. */
static Status maps_find(const StudyInput *input, const SmallRig *rig, const char *method, int signs,
                        Transform *maps)
{
    SkinnerOptions options;
    STATUS_TRY(study_method(input, method, NULL, &options));
    if (signs >= 0) /* set the method's first parameter, `hemisphere`, to value number `signs` */
        options.parameters.values[0] = signs;
    return small_rig_maps(rig, &options, maps);
}

typedef struct Screw {
    Vec3 axis, point; /* the point of the axis closest to the origin */
} Screw;

/* Returns the screw axis of a rigid motion, whose angle must be neither 0 nor half a turn. */
static Screw screw_of(Transform motion)
{
    const Vec3 twice = vec3_make(motion.m21 - motion.m12, motion.m02 - motion.m20, motion.m10 - motion.m01);
    const Vec3 shift = transform_translation(motion);
    const double sine = 0.5 * vec3_length(twice), cosine = 0.5 * (motion.m00 + motion.m11 + motion.m22 - 1.0);
    const Vec3 axis = vec3_normalize(twice);
    const Vec3 across = vec3_add_scaled(shift, axis, -vec3_dot(shift, axis));
    /* cot(a / 2) = (1 + cos a) / sin a */
    return (Screw){axis,
                   vec3_scale(vec3_add_scaled(across, vec3_cross(axis, across), (1.0 + cosine) / sine), 0.5)};
}

/* Finds the point that two affine maps move to the same place. Returns false if there is no such point. */
static bool agreement_find(Transform a, Transform b, Vec3 *point)
{
    Transform difference = transform_add_scaled(a, b, -1.0), inverse;
    const Vec3 side = vec3_make(-difference.m03, -difference.m13, -difference.m23);
    difference.m03 = difference.m13 = difference.m23 = 0.0;
    if (!transform_inverse(difference, &inverse))
        return false;
    *point = transform_direction(inverse, side);
    return true;
}

/* Returns how far a point is from the least-squares centre of the joints: the gradient of the sum of |C_a r
 * - C_b r|^2 at that point, divided by the sum of |R_a - R_b|^2. */
static double center_gradient(const Transform *pose, Vec3 r)
{
    Vec3 gradient = vec3_make(0.0, 0.0, 0.0);
    double size = 0.0;
    for (int a = 0; a < JOINTS; a++)
        for (int b = 0; b < a; b++) {
            const Transform difference = transform_add_scaled(pose[a], pose[b], -1.0);
            const Vec3 apart = transform_point(difference, r);
            const double *d = &difference.m00;
            gradient = vec3_add(gradient, vec3_make(d[0] * apart.x + d[4] * apart.y + d[8] * apart.z,
                                                    d[1] * apart.x + d[5] * apart.y + d[9] * apart.z,
                                                    d[2] * apart.x + d[6] * apart.y + d[10] * apart.z));
            for (int row = 0; row < 3; row++)
                for (int column = 0; column < 3; column++)
                    size += d[4 * row + column] * d[4 * row + column];
        }
    return vec3_length(gradient) / size;
}

/* Returns the largest element of A A^T - I. */
static double rotation_deviation(Transform map)
{
    const double *m = &map.m00;
    double max = 0.0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k <= i; k++) {
            const double *x = m + 4 * (ptrdiff_t)i, *y = m + 4 * (ptrdiff_t)k;
            max = fmax(max, fabs(x[0] * y[0] + x[1] * y[1] + x[2] * y[2] - (i == k)));
        }
    return max;
}

/* Measures two joints that meet in a point: how far SBS moves this point from where both joints take it, and
 * how far DLB and LBS are from a rotation if a weight is negative. */
static Status pairs_run(const StudyInput *input, Random *random, Measures *measures)
{
    double moved = 0.0, dlb = 0.0, lbs = 0.0;
    CLEANUP(small_rig_clear) SmallRig meeting = {0}, negative = {0};
    STATUS_TRY(small_rig_init(2, (STEPS + 1) * SMALL_RIG_CORNERS, &meeting));
    STATUS_TRY(small_rig_init(2, STEPS * SMALL_RIG_CORNERS, &negative));
    for (int i = 0; i <= STEPS; i++)
        small_rig_corners(&meeting, i, (double[]){1.0 - (double)i / STEPS, (double)i / STEPS});
    for (int i = 0; i < STEPS; i++)
        small_rig_corners(&negative, i, (double[]){1.0 + (i + 1.0) / STEPS, -(i + 1.0) / STEPS});
    meeting.parents[1] = -1; /* SBS computes no centre for a joint and its parent */
    for (int motion = 0; motion < MOTIONS; motion++) {
        Transform maps[STEPS + 1];
        const Vec3 point = random_vector(random), zero = vec3_make(0.0, 0.0, 0.0);
        const Vec3 axis = vec3_normalize(random_vector(random));
        meeting.pose[0] = random_motion(random, 0.4 * PI);
        meeting.pose[1] = transform_product(
            meeting.pose[0],
            transform_rotate_about(axis, PI * (0.1 + 0.5 * random_unit(random)), point, zero));
        STATUS_TRY(maps_find(input, &meeting, "sbs", -1, maps));
        for (int i = 0; i <= STEPS; i++)
            moved = fmax(moved, vec3_length(vec3_sub(transform_point(maps[i], point),
                                                     transform_point(meeting.pose[0], point))));
        negative.pose[0] = meeting.pose[0];
        negative.pose[1] = random_motion(random, 0.4 * PI);
        STATUS_TRY(maps_find(input, &negative, "dqs", -1, maps));
        for (int i = 0; i < STEPS; i++)
            dlb = fmax(dlb, rotation_deviation(maps[i]));
        STATUS_TRY(maps_find(input, &negative, "lbs", -1, maps));
        for (int i = 0; i < STEPS; i++)
            lbs = fmax(lbs, rotation_deviation(maps[i]));
    }
    measures_add(measures, "meeting_point", moved);
    measures_add(measures, "dlb_negative", dlb);
    measures_add(measures, "lbs_negative", lbs);
    return status_ok();
}

static Status sets_run(const StudyInput *input, Random *random, Measures *measures)
{
    double root = 0.0, gradient = 0.0, dropped = 0.0, pivots = 0.0;
    CLEANUP(small_rig_clear) SmallRig rig = {0};
    STATUS_TRY(small_rig_init(JOINTS, SMALL_RIG_CORNERS, &rig));
    for (int j = 0; j < JOINTS; j++)
        rig.parents[j] = -1; /* signs along a hierarchy would be valid */
    for (int motion = 0; motion < MOTIONS; motion++) {
        const double a = 1.0 + (double)random_below(random, 8), b = 1.0 + (double)random_below(random, 8);
        const Transform common = random_motion(random, PI);
        Transform sbs, lbs, dlb[PIVOTS];
        Vec3 center;
        small_rig_corners(&rig, 0, (double[]){a / 32.0, b / 32.0, (32.0 - a - b) / 32.0});
        for (int j = 0; j < JOINTS; j++)
            /* Any two rotations differ by at most 120 degrees, so valid signs exist. After a large common
             * rotation, quaternions with the sign of the identity's do not have them. */
            rig.pose[j] = transform_product(common, random_motion(random, PI / 3.0));
        STATUS_TRY(maps_find(input, &rig, "sbs", -1, &sbs));
        STATUS_TRY(maps_find(input, &rig, "lbs", -1, &lbs));
        for (int s = 0; s < PIVOTS; s++)
            STATUS_TRY(maps_find(input, &rig, "dqs", s, &dlb[s]));
        for (int s = 1; s < PIVOTS; s++)
            for (int i = 0; i < 12; i++)
                pivots = fmax(pivots, fabs((&dlb[s].m00)[i] - (&dlb[0].m00)[i]));
        root = fmax(root, rotation_deviation(sbs));
        if (!agreement_find(sbs, lbs, &center))
            return status_make(
                STATUS_CHECK_FAILED,
                "SBS and LBS must agree at exactly one point, but they agree nowhere or at many points");
        gradient = fmax(gradient, center_gradient(rig.pose, center));
        /* LBS moves any v to v' = B (v - r) + B r + t, where B is the blended matrix and r the centre. Test
         * this for v = (1, 1, 1). */
        const Vec3 one = vec3_make(1.0, 1.0, 1.0);
        const Vec3 by_center =
            vec3_add(transform_direction(lbs, vec3_sub(one, center)), transform_point(lbs, center));
        dropped = fmax(dropped, vec3_length(vec3_sub(by_center, transform_point(lbs, one))));
    }
    measures_add(measures, "no_root", root);
    measures_add(measures, "center_as_lbs", gradient);
    measures_add(measures, "center_drops_out", dropped);
    measures_add(measures, "pivots", pivots);
    return status_ok();
}

Status study_blend_identities(const StudyInput *input, Measures *measures)
{
    Random random = {2008};
    static const char *const methods[] = {"sbs", "sclerp", "dqs"}, *const names[] = {"qlerp", "slerp", "dlb"};
    double angles[3] = {0.0}, distances[3] = {0.0};
    CLEANUP(small_rig_clear) SmallRig rig = {0};
    STATUS_TRY(small_rig_init(2, (STEPS + 1) * SMALL_RIG_CORNERS, &rig));
    for (int i = 0; i <= STEPS; i++)
        small_rig_corners(&rig, i, (double[]){1.0 - (double)i / STEPS, (double)i / STEPS});
    for (int motion = 0; motion < MOTIONS; motion++) {
        rig.pose[0] = random_motion(&random, 0.4 * PI);
        rig.pose[1] = random_motion(&random, 0.4 * PI);
        for (int m = 0; m < 3; m++) {
            /* Compare the axis of each blend, relative to the first motion, with the axis of the whole
             * motion: their angle in radians, and their distance. */
            Transform maps[STEPS + 1], back;
            STATUS_TRY(maps_find(input, &rig, methods[m], -1, maps));
            if (!transform_inverse(maps[0], &back))
                return status_make(STATUS_CHECK_FAILED, "%s blended to a transformation that has no inverse",
                                   methods[m]);
            const Screw whole = screw_of(transform_product(back, maps[STEPS]));
            for (int k = 1; k < STEPS; k++) {
                const Screw part = screw_of(transform_product(back, maps[k]));
                angles[m] = fmax(angles[m], vec3_length(vec3_cross(part.axis, whole.axis)));
                distances[m] = fmax(distances[m], vec3_length(vec3_sub(part.point, whole.point)));
            }
        }
    }
    for (int m = 0; m < 3; m++)
        study_number_add(measures, angles[m], "%s_axis", names[m]);
    measures_add(measures, "dlb_axis_distance", distances[2]);
    STATUS_TRY(sets_run(input, &random, measures));
    return pairs_run(input, &random, measures);
}
