/* Compares dual quaternion skinning with closed forms, invariants and the paper's own formulas. */
#include "tests/single.h"

#include "datasets/geometry/angles.h"

/* The blend of two rotations about one axis is also a rotation about this axis. The tangent of its half
 * angle is given by the formula below. */
TEST(twist_follows_qlerp)
{
    for (int i = 1; i < 8; i++) {
        double angle = 2.9, t = i / 8.0;
        Single single = single_about_x(2, (double[]){0.0, angle}, (float[]){(float)(1.0 - t), (float)t});
        double expected = 2.0 * atan2(t * sin(angle / 2.0), 1.0 - t + t * cos(angle / 2.0));
        assert_near(turned_angle("dqs", NULL, &single), expected, 1e-9);
    }
}

/* For rotations by 0, 120 and 240 degrees, no choice of signs is valid. The sums for each sign policy were
 * worked out by hand from (cos, sin) of the half angles. With s = sqrt(3) / 2, these are (1, 0), (1/2, s)
 * and (-1/2, s). */
TEST(policies_where_no_signs_are_valid)
{
    const double s = sqrt(0.75);
    static const char *const settings[] = {"hemisphere=heaviest", "hemisphere=hierarchy", "hemisphere=first",
                                           "hemisphere=running-sum"};
    const double sums[4][2] = {{0.5 + 0.15 + 0.1, (0.3 - 0.2) * s},
                               {0.5 + 0.15 - 0.1, (0.3 + 0.2) * s},
                               {-0.1 - 0.5 + 0.15, (0.2 + 0.3) * s},
                               {-0.1 - 0.5 - 0.15, (0.2 - 0.3) * s}};
    Single single =
        single_about_x(3, (double[]){0.0, 2.0 * PI / 3.0, 4.0 * PI / 3.0}, (float[]){0.2f, 0.5f, 0.3f});
    const int32_t listed[3] = {2, 0, 1}; /* joint 2 has weight 0.2, joint 0 has 0.5, joint 1 has 0.3 */
    memcpy(single.listed, listed, sizeof listed);
    for (int i = 0; i < 4; i++) {
        const double expected = 2.0 * atan2(sums[i][1], sums[i][0]);
        assert_near(remainder(turned_angle("dqs", settings[i], &single) - expected, 2.0 * PI), 0.0, 1e-6);
    }
}

/* Four joints share one twist. The last has made a full turn, so its rotation is the identity and its
 * quaternion is -1. */
TEST(full_turn)
{
    const double third = 2.0 * PI / 3.0;
    Single single = single_about_x(4, (double[]){0.0, third, 2.0 * third, 3.0 * third},
                                   (float[]){0.5f, 0.0f, 0.0f, 0.5f});
    assert_near(turned_angle("dqs", NULL, &single), 0.0, 1e-9);
    /* The sign policy `hierarchy` adds 1/2 and -1/2. The blend vanishes, and the first influence is used
     * instead. */
    assert_near(turned_angle("dqs", "hemisphere=hierarchy", &single), 0.0, 1e-9);
}

/* Moves the vertex by DQS Algorithm 1 as printed, including its square root. The caller must choose joints
 * with consistent signs. */
static Vec3 algorithm_1(const Single *single)
{
    DualQuat b = {{0.0, 0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 0.0}};
    for (int k = 0; k < single->joints; k++) {
        const Transform *t = &single->transforms[single->listed[k]];
        double w = 0.5 * sqrt(1.0 + t->m00 + t->m11 + t->m22); /* no joint rotates by more than 90 degrees */
        Quat q = quat_make(w, (t->m21 - t->m12) / (4.0 * w), (t->m02 - t->m20) / (4.0 * w),
                           (t->m10 - t->m01) / (4.0 * w));
        b = dual_quat_add_scaled(b, dual_quat_from_rotation_translation(q, vec3_make(t->m03, t->m13, t->m23)),
                                 (double)single->weights[k]);
    }
    double norm = sqrt(quat_dot(b.real, b.real));
    DualQuat c = dual_quat_scale(b, 1.0 / norm);
    return vec3_add(quat_rotate(c.real, single_rest(single)), dual_quat_translation(c));
}

TEST(equals_the_papers_algorithm)
{
    Random random = {11};
    for (int i = 0; i < 100; i++) {
        Single single = single_random_joints(&random, 4, 0.8);
        if (i % 2) { /* the joint is still near the others, so that the blend is well defined */
            single.weights[0] += single.weights[3] + 0.05f;
            single.weights[3] = -0.05f;
        }
        assert_vec3(single_skinned("dqs", NULL, &single), algorithm_1(&single), 1e-9);
    }
}

TEST(policies_agree_where_signs_are_valid)
{
    static const char *const settings[] = {"hemisphere=hierarchy", "hemisphere=first",
                                           "hemisphere=running-sum"};
    Random random = {12};
    for (int i = 0; i < 50; i++) {
        Single single =
            single_random_joints(&random, 4, 1.5); /* joints rotate by at most 86 degrees from the identity */
        const Vec3 heaviest = single_skinned("dqs", NULL, &single);
        for (int k = 0; k < 3; k++)
            assert_vec3(single_skinned("dqs", settings[k], &single), heaviest, 1e-12);
    }
}
