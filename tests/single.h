/* Skins one vertex with up to 8 joints in double, by the reference backend, for tests with a closed
 * form. */
#pragma once

#include "methods/registry.h"
#include "methods/runtime/skinner.h"
#include "tests/rigs.h"

typedef struct Single {
    int joints;
    double at[3];
    Transform transforms[8];
    Transform rest[8]; /* rest frames; if all are zero, every joint rests at the origin */
    float weights[8];
    int32_t listed[8]; /* joint indices in the order of the vertex's influences */
    int32_t parents[8];
} Single;

/* Skins the vertex. `counts`, [SKINNING_COUNTERS_MAX] or NULL, receives the method's counters for the
 * frame. */
static inline Status single_skin_counted(const char *method_name, const char *setting, const Single *single,
                                         double out[3], double *counts)
{
    const SkinningEntry *entry = skinning_entry_find(method_name);
    float rest[3] = {(float)single->at[0], (float)single->at[1], (float)single->at[2]};
    Single copy = *single;
    Mesh mesh = {.vertex_count = 1, .rest = rest};
    Rig rig = {.joint_count = single->joints,
               .frame_count = 1,
               .influence_count = single->joints,
               .parents = copy.parents,
               .rest = copy.rest,
               .transforms = copy.transforms,
               .weight_joints = copy.listed,
               .weight_values = copy.weights};
    assert_non_null(entry);
    const SkinningMethod *method = entry->method;
    SkinnerOptions options = {.entry = entry, .parameters = parameters_default(method->parameters)};
    if (setting)
        assert_ok(parameters_set(method->parameters, method_name, setting, &options.parameters));
    OWNED_BY(skinner_free) Skinner *skinner = NULL;
    STATUS_TRY(skinner_create(&options, &mesh, &rig, &skinner));
    STATUS_TRY(skinner_pose(skinner, rig.transforms, NULL, 1));
    STATUS_TRY(skinner_skin(skinner));
    STATUS_TRY(skinner_read_double(skinner, 0, out, NULL));
    return counts ? skinner_count(skinner, rig.transforms, counts) : status_ok();
}

static inline Status single_skin(const char *method_name, const char *setting, const Single *single,
                                 double out[3])
{
    return single_skin_counted(method_name, setting, single, out, NULL);
}

/* single_skinned returns the skinned position of the vertex, single_rest its rest position rounded to
 * float. */
static inline Vec3 single_skinned(const char *method_name, const char *setting, const Single *single)
{
    double out[3];
    assert_ok(single_skin(method_name, setting, single, out));
    return vec3_at(out, 0);
}
static inline Vec3 single_rest(const Single *single)
{
    return vec3_make((double)(float)single->at[0], (double)(float)single->at[1],
                     (double)(float)single->at[2]);
}

/* Makes a vertex whose joints all rotate about the x axis through the origin. They are listed in ascending
 * order, and each is the parent of the next. */
static inline Single single_about_x(int joints, const double *angles, const float *weights)
{
    Single single = {.joints = joints, .at = {0.5, 2.0, 0.0}};
    for (int j = 0; j < joints; j++) {
        single.transforms[j] = transform_about(quat_about(AXES[0], angles[j]), ORIGIN, ORIGIN);
        single.weights[j] = weights[j];
        single.listed[j] = j;
        single.parents[j] = j - 1;
    }
    return single;
}

/* Returns the angle by which a method rotates the vertex of single_about_x. Fails if the vertex leaves its
 * circle. */
static inline double turned_angle(const char *method_name, const char *setting, const Single *single)
{
    const Vec3 out = single_skinned(method_name, setting, single);
    assert_near(out.x, 0.5, 1e-7);
    assert_near(hypot(out.y, out.z), 2.0, 1e-7);
    return atan2(out.z, out.y);
}

/* Makes a vertex with random weights. Its joints rotate by up to `angle` about random axes and move by up
 * to 1. */
static inline Single single_random_joints(Random *random, int joints, double angle)
{
    Single single = {.joints = joints, .at = {random_unit(random), random_unit(random), random_unit(random)}};
    for (int j = 0; j < joints; j++) {
        Quat turn = quat_about(random_axis(random), random_between(random, -angle, angle));
        Vec3 moved = vec3_make(random_unit(random), random_unit(random), random_unit(random));
        single.transforms[j] = transform_about(turn, random_axis(random), moved);
        single.weights[j] = (float)random_between(random, 0.1, 1.0);
        single.listed[j] = j;
        single.parents[j] = j - 1;
    }
    double sum = 0.0;
    for (int j = 0; j < joints; j++)
        sum += (double)single.weights[j];
    for (int j = 0; j < joints; j++)
        single.weights[j] = (float)((double)single.weights[j] / sum);
    return single;
}
