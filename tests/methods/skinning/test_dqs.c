/* Dual quaternion skinning against closed forms, invariants and the paper's own formulas. */
#include "tests/single.h"

#include "datasets/geometry/angles.h"
#include "datasets/geometry/dual_quat.h"

TEST(half_twist_keeps_the_radius)
{
    Single single = single_about_x(2, (double[]){0.0, PI}, (float[]){0.5f, 0.5f});
    double out[3] = {0.0};
    assert_ok(single_skin("lbs", NULL, &single, out));
    assert_near(hypot(out[1], out[2]), 0.0, 1e-12); /* collapsed to the axis */
    assert_ok(single_skin("dqs", NULL, &single, out));
    assert_near(fabs(turned_angle(out)), PI / 2.0, 1e-9);
}

/* Of two rotations about one axis, the blend is the one whose half angle has the tangent below. */
TEST(twist_follows_qlerp)
{
    for (int i = 1; i < 8; i++) {
        double angle = 2.9, t = i / 8.0;
        Single single = single_about_x(2, (double[]){0.0, angle}, (float[]){(float)(1.0 - t), (float)t});
        double out[3] = {0.0};
        assert_ok(single_skin("dqs", NULL, &single, out));
        double expected = 2.0 * atan2(t * sin(angle / 2.0), 1.0 - t + t * cos(angle / 2.0));
        assert_near(turned_angle(out), expected, 1e-9);
    }
}

/* 0, 120 and 240 degrees: no choice of signs is valid. The sums for each policy were worked out by hand from
 * (cos, sin) of the half angles: (1, 0), (1/2, s), (-1/2, s). */
TEST(policies_where_no_signs_are_valid)
{
    const double s = sqrt(0.75);
    static const char *const settings[] = {"hemisphere=heaviest", "hemisphere=hierarchy", "hemisphere=first",
                                           "hemisphere=running-sum"};
    const double sums[4][2] = {
        {0.5 + 0.15 + 0.1, (0.3 - 0.2) * s},
        {0.5 + 0.15 - 0.1, (0.3 + 0.2) * s},
        {-0.1 - 0.5 + 0.15, (0.2 + 0.3) * s},
        {-0.1 - 0.5 - 0.15, (0.2 - 0.3) * s},
    };
    Single single =
        single_about_x(3, (double[]){0.0, 2.0 * PI / 3.0, 4.0 * PI / 3.0}, (float[]){0.2f, 0.5f, 0.3f});
    const int32_t listed[3] = {2, 0, 1}; /* so joint 2 weighs 0.2, joint 0 0.5, joint 1 0.3 */
    memcpy(single.listed, listed, sizeof listed);
    for (int i = 0; i < 4; i++) {
        double out[3] = {0.0};
        assert_ok(single_skin("dqs", settings[i], &single, out));
        double expected = remainder(2.0 * atan2(sums[i][1], sums[i][0]), 2.0 * PI);
        if (fabs(remainder(turned_angle(out) - expected, 2.0 * PI)) > 1e-6)
            fail_msg("%s: turned by %g, expected %g", settings[i], turned_angle(out), expected);
    }
}

/* Four joints of one twist: the last is back at the identity, its quaternion -1. */
TEST(full_turn)
{
    const double third = 2.0 * PI / 3.0;
    Single single = single_about_x(4, (double[]){0.0, third, 2.0 * third, 3.0 * third},
                                   (float[]){0.5f, 0.0f, 0.0f, 0.5f});
    double out[3] = {0.0};
    assert_ok(single_skin("dqs", NULL, &single, out));
    assert_near(turned_angle(out), 0.0, 1e-9);
    /* The hierarchy gives 1/2 - 1/2: nothing is left, and the first influence stands in. */
    assert_ok(single_skin("dqs", "hemisphere=hierarchy", &single, out));
    assert_near(turned_angle(out), 0.0, 1e-9);
}

/* DQS Algorithm 1 as printed, with its square root, on the given joints; signs are the caller's. */
static Vec3 algorithm_1(const Single *single)
{
    DualQuat b = {{0.0, 0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 0.0}};
    for (int k = 0; k < single->joints; k++) {
        const Transform *t = &single->transforms[single->listed[k]];
        double w = 0.5 * sqrt(1.0 + t->m00 + t->m11 + t->m22); /* no joint turns by more than 90 degrees */
        Quat q = quat_make(w, (t->m21 - t->m12) / (4.0 * w), (t->m02 - t->m20) / (4.0 * w),
                           (t->m10 - t->m01) / (4.0 * w));
        b = dual_quat_add_scaled(b, dual_quat_from_rotation_translation(q, vec3_make(t->m03, t->m13, t->m23)),
                                 (double)single->weights[k]);
    }
    double norm = sqrt(quat_dot(b.real, b.real));
    DualQuat c = dual_quat_scale(b, 1.0 / norm);
    Vec3 rest =
        vec3_make((double)(float)single->at[0], (double)(float)single->at[1], (double)(float)single->at[2]);
    return vec3_add(quat_rotate(c.real, rest), dual_quat_translation(c));
}

static Single single_random(Random *random, double angle)
{
    Single single = {.joints = 4, .at = {random_unit(random), random_unit(random), random_unit(random)}};
    for (int j = 0; j < 4; j++) {
        Quat turn = quat_about(random_axis(random), random_between(random, -angle, angle));
        Vec3 moved = vec3_make(random_unit(random), random_unit(random), random_unit(random));
        single.transforms[j] = transform_about(turn, random_axis(random), moved);
        single.weights[j] = (float)random_between(random, 0.1, 1.0);
        single.listed[j] = j;
        single.parents[j] = j - 1;
    }
    return single;
}

TEST(equals_the_papers_algorithm)
{
    Random random = {11};
    for (int i = 0; i < 100; i++) {
        Single single = single_random(&random, 0.8);
        if (i % 2) /* still near the others, so the blend is well defined */
            single.weights[3] = -0.05f;
        Vec3 expected = algorithm_1(&single);
        double out[3] = {0.0};
        assert_ok(single_skin("dqs", NULL, &single, out));
        assert_near(out[0], expected.x, 1e-9);
        assert_near(out[1], expected.y, 1e-9);
        assert_near(out[2], expected.z, 1e-9);
    }
}

TEST(policies_agree_where_signs_are_valid)
{
    static const char *const settings[] = {"hemisphere=hierarchy", "hemisphere=first",
                                           "hemisphere=running-sum"};
    Random random = {12};
    for (int i = 0; i < 50; i++) {
        Single single = single_random(&random, 1.5); /* at most 86 degrees: all lie around the identity */
        double heaviest[3] = {0.0}, other[3] = {0.0};
        assert_ok(single_skin("dqs", NULL, &single, heaviest));
        for (int k = 0; k < 3; k++) {
            assert_ok(single_skin("dqs", settings[k], &single, other));
            for (int axis = 0; axis < 3; axis++)
                assert_near(other[axis], heaviest[axis], 1e-12);
        }
    }
}

/* DLB(M A_k N) = M DLB(A_k) N (DQS section 3): here the skin moves with M, and with the frame of the rest. */
TEST(bi_invariance)
{
    Random random = {13};
    for (int i = 0; i < 50; i++) {
        Single single = single_random(&random, 3.0);
        Transform m = transform_about(quat_about(random_axis(&random), 2.0), vec3_make(1.0, 2.0, 3.0),
                                      random_axis(&random));
        double plain[3] = {0.0}, moved[3] = {0.0};
        assert_ok(single_skin("dqs", NULL, &single, plain));
        for (int j = 0; j < 4; j++)
            single.transforms[j] = transform_product(m, single.transforms[j]);
        assert_ok(single_skin("dqs", NULL, &single, moved));
        Vec3 expected = transform_point(m, vec3_make(plain[0], plain[1], plain[2]));
        assert_near(moved[0], expected.x, 1e-9);
        assert_near(moved[1], expected.y, 1e-9);
        assert_near(moved[2], expected.z, 1e-9);
    }
    for (int i = 0; i < 50; i++) {
        Single single = single_random(&random, 3.0), other = single;
        /* The rest pose turned a quarter about z, an exact change of its floats, and joints that undo it. */
        Transform back = {0.0, 1.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0};
        other.at[0] = -single.at[1];
        other.at[1] = single.at[0];
        for (int j = 0; j < 4; j++)
            other.transforms[j] = transform_product(single.transforms[j], back);
        double plain[3] = {0.0}, turned[3] = {0.0};
        assert_ok(single_skin("dqs", NULL, &single, plain));
        assert_ok(single_skin("dqs", NULL, &other, turned));
        for (int axis = 0; axis < 3; axis++)
            assert_near(turned[axis], plain[axis], 1e-9);
    }
}

/* Equal weights included: the heaviest of equals is the lowest joint, however they are listed. */
TEST(listing_order_does_not_matter)
{
    Random random = {14};
    for (int i = 0; i < 50; i++) {
        Single single = single_random(&random, 3.1), other;
        if (i % 2)
            for (int k = 0; k < 4; k++)
                single.weights[k] = 0.25f;
        other = single;
        for (int k = 0; k < 4; k++) {
            other.listed[k] = single.listed[3 - k];
            other.weights[k] = single.weights[3 - k];
        }
        double one[3] = {0.0}, two[3] = {0.0};
        assert_ok(single_skin("dqs", NULL, &single, one));
        assert_ok(single_skin("dqs", NULL, &other, two));
        assert_memory_equal(one, two, sizeof one);
    }
}

TEST(non_rigid_joints_are_refused)
{
    Random random = {15};
    Single single = single_random(&random, 1.0), mirrored = single, rounded = single;
    double out[3] = {0.0};
    single.transforms[2].m11 *= 1.1;
    assert_refused(STATUS_BAD_INPUT, "frame 0, joint 2 is not rigid", single_skin("dqs", NULL, &single, out));
    mirrored.transforms[1] = transform_identity();
    mirrored.transforms[1].m22 = -1.0;
    assert_refused(STATUS_BAD_INPUT, "joint 1 mirrors", single_skin("dqs", NULL, &mirrored, out));
    mirrored.parents[3] = 3;
    assert_refused(STATUS_BAD_INPUT, "parent of joint 3 is 3", single_skin("dqs", NULL, &mirrored, out));
    rounded.transforms[0].m00 += 2e-6;
    assert_ok(single_skin("dqs", NULL, &rounded, out));
}
