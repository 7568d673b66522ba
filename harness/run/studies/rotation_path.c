/* Measures the path of rotations from one joint's orientation to another's as the weight moves from the
 * first joint to the second (DQS Figure 16). Three vertices on the axes show the 3x3 matrix of the blend.
 * If it is not a rotation, the nearest rotation is used.
 *
 * The length of the path is the sum of the angles between 1025 successive rotations. The shortest possible
 * length is the angle between the joints. fastest_over_mean is the largest of these successive angles
 * divided by their mean. It is 1 for SLERP (CoR Fig. 14).
 *
 *   parameters
 *     method          name of the method, or "power" for the power q^t of the quaternion of the second
 *                     orientation (DQS Figure 22), which has no first orientation
 *     negated         for "power": whether to take -q, which is the same rotation
 *     first, second   orientations of the joints: [x, y, z, degrees], an axis and an angle */

#include "datasets/geometry/nearest_rotation.h"
#include "harness/run/studies/small_rig.h"

enum { STEPS = 1024, SHOWN = 64 };

typedef struct Matrix {
    double m[3][3];
} Matrix;

/* Returns the angle between two rotations, accurate for small angles as well. */
static double angle_between(const Matrix *a, const Matrix *b)
{
    double trace = 0.0, squared = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double d = a->m[i][j] - b->m[i][j];
            trace += a->m[i][j] * b->m[i][j];
            squared += d * d;
        }
    double half_sine = sqrt(squared / 8.0); /* |A - B|_F = sqrt(8) sin(angle / 2) */
    return trace > 1.0 ? 2.0 * asin(fmin(half_sine, 1.0)) : acos(fmax(0.5 * (trace - 1.0), -1.0));
}

static Status turn_read(const StudyInput *input, const char *name, Transform *turn)
{
    double v[4];
    study_numbers(input, name, v, 4);
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if (!(length > 0.0) || isnan(v[3]))
        return bad_usage("the parameter %s must be an axis and an angle: [x, y, z, degrees]", name);
    const Vec3 zero = vec3_make(0.0, 0.0, 0.0);
    *turn = transform_rotate_about(vec3_make(v[0] / length, v[1] / length, v[2] / length), v[3] * PI / 180.0,
                                   zero, zero);
    return status_ok();
}

/* Returns the matrix of the blend at a step, whose columns are the images of the three axes. */
static Matrix rotation_at(const double *out, int step)
{
    Matrix blend, rotation;
    for (int axis = 0; axis < 3; axis++)
        for (int k = 0; k < 3; k++)
            blend.m[k][axis] = out[9 * (size_t)step + 3 * (size_t)axis + (size_t)k];
    nearest_rotation((const double(*)[3])blend.m, rotation.m);
    return rotation;
}

static const Vec3 axes[] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

/* Rotates the three axes by q^t = cos(t a) + s sin(t a) for every t, where q = cos(a) + s sin(a) and a is
 * between 0 and pi. */
static void power_rotate(Quat q, double *out)
{
    const double angle = acos(fmax(fmin(q.w, 1.0), -1.0));
    const Vec3 axis = vec3_normalize(quat_vector(q));
    for (int i = 0; i < 3 * (STEPS + 1); i++) {
        const double part =
            angle * (i / 3) / STEPS; /* NOLINT(bugprone-integer-division): number of the step */
        vector_store(quat_rotate(quat_turn(axis, 2.0 * part), axes[i % 3]), out + 3 * (ptrdiff_t)i);
    }
}

/* Fills out [STEPS + 1][3][3] with the images of the three axes under a method's blends of two joints. */
static Status method_rotate(const StudyInput *input, const char *method, double *out)
{
    CLEANUP(small_rig_clear) SmallRig rig = {0};
    SkinnerOptions options;
    STATUS_TRY(small_rig_init(2, 3 * (STEPS + 1), &rig));
    STATUS_TRY(turn_read(input, "first", &rig.pose[0]));
    STATUS_TRY(turn_read(input, "second", &rig.pose[1]));
    for (int i = 0; i < 3 * (STEPS + 1); i++) {
        int step = i / 3;
        double t = (double)step / STEPS;
        small_rig_vertex(&rig, i, axes[i % 3], (double[]){1.0 - t, t});
    }
    STATUS_TRY(study_method(input, method, NULL, &options));
    return small_rig_skin(&rig, &options, out);
}

Status study_rotation_path(const StudyInput *input, Measures *measures)
{
    const char *method = study_text(input, "method", "log-matrix");
    LOCAL_TABLE(double, out, STEPS + 1, 9, "a study");
    if (strcmp(method, "power") == 0) {
        double v[4];
        study_numbers(input, "second", v, 4);
        const Vec3 axis = vec3_normalize(vec3_make(v[0], v[1], v[2]));
        const Quat q = quat_turn(axis, v[3] * PI / 180.0);
        if (isnan(v[3] + axis.x))
            return bad_usage("the parameter second must be an axis and an angle: [x, y, z, degrees]");
        power_rotate(quat_scale(q, study_flag(input, "negated") ? -1.0 : 1.0), out);
    } else {
        STATUS_TRY(method_rotate(input, method, out));
    }
    double ts[SHOWN + 1], ways[SHOWN + 1], way = 0.0, longest = 0.0;
    Matrix before = rotation_at(out, 0), first = before;
    ts[0] = ways[0] = 0.0;
    for (int step = 1; step <= STEPS; step++) {
        Matrix now = rotation_at(out, step);
        const double step_rad = angle_between(&before, &now);
        way += step_rad;
        longest = fmax(longest, step_rad);
        before = now;
        if (step % (STEPS / SHOWN) == 0) {
            ts[step * SHOWN / STEPS] = (double)step / STEPS;
            ways[step * SHOWN / STEPS] = way * 180.0 / PI;
        }
    }
    double shortest = angle_between(&first, &before);
    measures_add(measures, "way_degrees", way * 180.0 / PI);
    measures_add(measures, "shortest_degrees", shortest * 180.0 / PI);
    measures_add(measures, "way_over_shortest", way / shortest);
    measures_add(measures, "fastest_over_mean", longest * STEPS / way);
    measures_add_curve(measures, "t", ts, SHOWN + 1);
    measures_add_curve(measures, "way_degrees_over_t", ways, SHOWN + 1);
    return status_ok();
}
