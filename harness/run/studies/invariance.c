/* Measures whether a blend of two transformations N1 and N2 is invariant under a motion T of space (DQS
 * 3.3, Lemmas 2 and 3).
 *   from the left         blending T N1 and T N2 should give T after the blend
 *   from the right        blending N1 T and N2 T should give the blend after T
 *   in other coordinates  blending T N1 T^-1 and T N2 T^-1 should give both
 * The measure is the distance between the actual and the expected image of a point at distance 1 from the
 * origin, the largest over the weights.
 *
 *   parameters: method, or "pairs" (quaternions blended and normalised, translations blended separately) */

#include "harness/run/studies/small_rig.h"

enum { STEPS = 16 }; /* t is a multiple of 1/16, which is exact in float weights */

/* A rigid motion, v -> q v q* + t. */
typedef struct RigidMotion {
    Quat q;
    Vec3 t;
} RigidMotion;

static RigidMotion rigid_motion(Vec3 axis, double degrees, Vec3 t)
{
    return (RigidMotion){quat_turn(vec3_normalize(axis), degrees * PI / 180.0), t};
}

static Vec3 motion_move(RigidMotion m, Vec3 v)
{
    return vec3_add(quat_rotate(m.q, v), m.t);
}

static RigidMotion motion_after(RigidMotion second, RigidMotion first)
{
    return (RigidMotion){quat_mul(second.q, first.q), motion_move(second, first.t)};
}

static Status maps_find(const StudyInput *input, const RigidMotion pair[2], Transform *maps)
{
    const char *method = study_text(input, "method", "dqs");
    SkinnerOptions options;
    if (strcmp(method, "pairs") == 0) {
        for (int i = 0; i <= STEPS; i++) {
            const double t = (double)i / STEPS;
            const double sign = quat_dot(pair[0].q, pair[1].q) < 0.0 ? -1.0 : 1.0;
            const Quat sum = quat_add_scaled(quat_scale(pair[0].q, 1.0 - t), pair[1].q, sign * t);
            maps[i] = transform_rigid(quat_normalize(sum),
                                      vec3_add(vec3_scale(pair[0].t, 1.0 - t), vec3_scale(pair[1].t, t)));
        }
        return status_ok();
    }
    CLEANUP(small_rig_clear) SmallRig rig = {0};
    STATUS_TRY(small_rig_init(2, SMALL_RIG_CORNERS * (STEPS + 1), &rig));
    for (int j = 0; j < 2; j++) {
        /* make both joints roots, because sbs computes no centre for a joint and its parent */
        rig.parents[j] = -1;
        rig.pose[j] = transform_rigid(pair[j].q, pair[j].t);
    }
    for (int i = 0; i <= STEPS; i++)
        small_rig_corners(&rig, i, (double[]){1.0 - (double)i / STEPS, (double)i / STEPS});
    STATUS_TRY(study_method(input, method, "set", &options));
    return small_rig_maps(&rig, &options, maps);
}

/* Adds a measure: the largest distance between two images over all blends. The first image is that of the
 * point `from` under blends of the changed pair. The second image is that of the point `to` under blends of
 * the original pair, followed by `after`. */
static Status deviation_add(const StudyInput *input, const char *name, const RigidMotion changed[2],
                            Vec3 from, const Transform *blends, Vec3 end, RigidMotion after,
                            Measures *measures)
{
    Transform maps[STEPS + 1];
    double max = 0.0;
    STATUS_TRY(maps_find(input, changed, maps));
    for (int i = 0; i <= STEPS; i++) {
        const Vec3 right = motion_move(after, transform_point(blends[i], end));
        max = fmax(max, vec3_length(vec3_sub(transform_point(maps[i], from), right)));
    }
    measures_add(measures, name, max);
    return status_ok();
}

Status study_invariance(const StudyInput *input, Measures *measures)
{
    const RigidMotion pair[2] = {rigid_motion(vec3_make(1.0, 0.0, 0.0), 100.0, vec3_make(0.5, 1.0, 0.0)),
                                 rigid_motion(vec3_make(0.0, 1.0, 0.5), -40.0, vec3_make(0.0, -1.0, 2.0))};
    const RigidMotion t = rigid_motion(vec3_make(1.0, -1.0, 1.0), 75.0, vec3_make(3.0, -2.0, 1.0));
    const Quat q = quat_conjugate(t.q);
    const RigidMotion back = (RigidMotion){q, vec3_scale(quat_rotate(q, t.t), -1.0)},
                      none = {quat_make(1.0, 0.0, 0.0, 0.0), vec3_make(0.0, 0.0, 0.0)};
    const Vec3 v = vec3_make(0.6, 0.0, 0.8), tv = motion_move(t, v);
    Transform blends[STEPS + 1];
    RigidMotion left[2], right[2], both[2];
    for (int j = 0; j < 2; j++) {
        left[j] = motion_after(t, pair[j]);
        right[j] = motion_after(pair[j], t);
        both[j] = motion_after(left[j], back);
    }
    STATUS_TRY(maps_find(input, pair, blends));
    STATUS_TRY(deviation_add(input, "left", left, v, blends, v, t, measures));
    STATUS_TRY(deviation_add(input, "right", right, v, blends, tv, none, measures));
    return deviation_add(input, "coordinates", both, tv, blends, v, t, measures);
}
