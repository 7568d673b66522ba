/* Compares the quaternion and logarithm methods with closed forms, invariants and each other. */
#include "tests/single.h"
#include "tests/skinned.h"

#include "datasets/geometry/angles.h"

static const char *const rigid_methods[] = {"qb",  "log-matrix", "sbs",    "sbs-spherical-average",
                                            "dqs", "dib",        "sclerp", NULL};

/* SBS section 4.1: between two rotations half a turn apart, the angles of QLERP and SLERP differ by 2
 * atan(t / (1 - t)) - pi t. The maximum is 0.1422 (8.15 degrees), at t = 1/2 +- sqrt(1/pi - 1/4). */
TEST(qlerp_against_slerp)
{
    static const char *const pairs[2][2] = {{"sbs", "sbs-spherical-average"}, {"dqs", "sclerp"}};
    for (int pair = 0; pair < 2; pair++) {
        double max[2] = {0.0}, where[2] = {0.0}; /* the two maxima, one on each side of t = 1/2 */
        for (int i = 0; i <= 400; i++) {
            const double t = i / 400.0;
            Single single = single_about_x(2, (double[]){0.0, PI}, (float[]){(float)(1.0 - t), (float)t});
            const double spherical = turned_angle(pairs[pair][1], NULL, &single);
            const double lead = fabs(turned_angle(pairs[pair][0], NULL, &single) - spherical);
            assert_near(spherical, PI * t, 1e-6);
            if (lead > max[i > 200]) {
                max[i > 200] = lead;
                where[i > 200] = t;
            }
        }
        for (int half = 0; half < 2; half++) {
            assert_near(max[half], 0.1422, 5e-5);
            assert_near(max[half] * 180.0 / PI, 8.15, 5e-3);
            assert_near(where[half], 0.5 + (half ? 1.0 : -1.0) * sqrt(1.0 / PI - 0.25), 1.0 / 400.0);
        }
    }
}

/* Without updates, a spherical average equals QLERP. Its kernel moves the centre by the transformations of
 * the palette, for any number of influences. For few influences, the kernel of sbs instead uses centres
 * that the pose stage has already moved. Both must give the same skin. */
TEST(centers_move_with_their_joints)
{
    for (int influences = 1; influences <= 6; influences++) {
        OWNED_RIG(dataset, .vertices = 60, .joints = 9, .influences = influences, .frames = 11, .angle = 0.7,
                  .seed = (uint64_t)influences);
        SkinnerOptions options = options_of(skinning_entry_find("sbs"), NULL);
        CLEANUP(result_clear) Result linear = skin(&options, dataset);
        options = options_of(skinning_entry_find("sbs-spherical-average"), NULL);
        options.parameters.values[parameter_index(options.entry->method, "updates")] = 0.0;
        CLEANUP(result_clear) Result average = skin(&options, dataset);
        assert_true(greatest_difference(linear.positions, average.positions, linear.count) < 1e-12);
    }
}

/* DQS section 3.4: joint 1 makes a half turn and moves by 1 along its axis. The translation of DLB (dual
 * quaternion linear blending) is then t^2 / (t^2 + (1 - t)^2). */
TEST(dlb_translation_against_sclerp)
{
    double max = 0.0;
    for (int i = 0; i <= 400; i++) {
        double t = i / 400.0;
        Single single = single_about_x(2, (double[]){0.0, PI}, (float[]){(float)(1.0 - t), (float)t});
        single.at[1] = 0.0; /* moves the vertex to the axis */
        single.transforms[1].m03 = 1.0;
        const double linear = single_skinned("dqs", NULL, &single).x;
        const double screw = single_skinned("sclerp", NULL, &single).x;
        assert_near(screw - 0.5, t, 1e-6);
        assert_near(linear - 0.5, t * t / (t * t + (1.0 - t) * (1.0 - t)), 1e-6);
        max = fmax(max, fabs(linear - screw));
    }
    assert_near(max, 0.1501, 5e-5);
}

/* Draws weights that are multiples of 1/256. Their sum is exactly 1, so results differ only by rounding in
 * double. */
static void weights_exact(Single *single)
{
    float left = 1.0f;
    for (int j = 0; j + 1 < single->joints; j++) {
        single->weights[j] = floorf(256.0f * single->weights[j]) / 256.0f;
        left -= single->weights[j];
    }
    single->weights[single->joints - 1] = left;
}

/* For two joints, DIB (iterative blending of dual quaternions) reaches the mean with one update and then
 * stops. */
TEST(dib_of_two_is_sclerp)
{
    Random random = {31};
    double updates = 0.0;
    for (int i = 0; i < 100; i++) {
        Single single = single_random_joints(&random, 2, 3.0);
        weights_exact(&single);
        double iterated[3], counts[SKINNING_COUNTERS_MAX] = {0.0};
        assert_ok(single_skin_counted("dib", NULL, &single, iterated, counts));
        assert_vec3(vec3_at(iterated, 0), single_skinned("sclerp", NULL, &single), 1e-10);
        assert_true(counts[0] <= 1.0 && counts[1] <= 1.0); /* counts: mean and maximum number of updates */
        updates += counts[0];
        assert_int_equal((int)counts[2], 0);
    }
    assert_true(updates > 80.0); /* no update is made only if DLB is already close enough */
}

TEST(half_twist_keeps_the_radius)
{
    Single single = single_about_x(2, (double[]){0.0, PI}, (float[]){0.5f, 0.5f});
    const Vec3 collapsed = single_skinned("lbs", NULL, &single);
    assert_near(hypot(collapsed.y, collapsed.z), 0.0, 1e-12);
    for (int i = 0; rigid_methods[i]; i++)
        assert_near(fabs(turned_angle(rigid_methods[i], NULL, &single)), PI / 2.0, 1e-9);
}

/* If all joints rotate about one axis, an average must rotate by the weighted mean of their angles. */
TEST(averages_of_one_axis)
{
    static const char *const methods[] = {"sbs-spherical-average", "dib", "log-matrix"};
    Single single = single_about_x(3, (double[]){0.25, 1.0, 2.5}, (float[]){0.25f, 0.25f, 0.5f});
    for (int i = 0; i < 3; i++)
        assert_near(turned_angle(methods[i], NULL, &single), 0.25 * 0.25 + 0.25 * 1.0 + 0.5 * 2.5, 1e-6);
}

/* The condition of Buss and Fillmore for a spherical average q: the logarithms of the inputs q_k relative
 * to q sum to zero, sum_k log(q* q_k) = 0. The inputs are rotations by 90 degrees about x, y and z with
 * equal weights. By symmetry, the average rotates about (1, 1, 1). The test checks the condition with the
 * rotation found from the skin. */
TEST(spherical_average_balances)
{
    static const char *const methods[] = {"sbs-spherical-average", "dib"};
    const float third = 1.0f / 3.0f;
    Single single = {.joints = 3,
                     .at = {1.0, 0.0, 0.0},
                     .weights = {third, third, third},
                     .listed = {0, 1, 2},
                     .parents = {-1, 0, 1}};
    for (int j = 0; j < 3; j++)
        single.transforms[j] = transform_about(quat_about(AXES[j], PI / 2.0), ORIGIN, ORIGIN);
    for (int i = 0; i < 2; i++) {
        const Vec3 out = single_skinned(methods[i], NULL, &single);
        /* `mean` is the rotation about (1, 1, 1) that maps (1, 0, 0) to `out`. */
        assert_near(out.x + out.y + out.z, 1.0, 1e-6);
        Quat mean = quat_about(vec3_make(1.0, 1.0, 1.0), acos((3.0 * out.x - 1.0) / 2.0));
        Vec3 sum = ORIGIN;
        for (int j = 0; j < 3; j++) {
            Quat d = quat_mul(quat_conjugate(mean), quat_about(AXES[j], PI / 2.0));
            double s = sqrt(1.0 - d.w * d.w);
            sum = vec3_add_scaled(sum, quat_vector(d), acos(d.w) / s);
        }
        assert_near(vec3_length(sum), 0.0, 1e-5);
    }
}

/* Left invariance: if M is applied to all joints, the skin moves by M. Right invariance: the rest pose is
 * rotated by 90 degrees about z, which is exact in floats, and the joints undo this rotation. */
TEST(bi_invariance)
{
    static const char *const methods[] = {"dqs", "dib", "sclerp"};
    const Transform back = {0.0, 1.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0};
    Random random = {33};
    for (int i = 0; i < 150; i++) {
        const char *method = methods[i % 3], *setting = i % 3 == 1 ? "precision=1e-12" : NULL;
        Single single = single_random_joints(&random, i % 3 == 2 ? 2 : 4, i % 3 == 0 ? 3.0 : 1.4);
        Single left = single, right = single;
        Transform m = transform_about(quat_about(random_axis(&random), 2.0), vec3_make(1.0, 2.0, 3.0),
                                      random_axis(&random));
        right.at[0] = -single.at[1];
        right.at[1] = single.at[0];
        for (int j = 0; j < single.joints; j++) {
            left.transforms[j] = transform_product(m, single.transforms[j]);
            right.transforms[j] = transform_product(single.transforms[j], back);
        }
        const Vec3 plain = single_skinned(method, setting, &single);
        assert_vec3(single_skinned(method, setting, &left), transform_point(m, plain), 1e-9);
        assert_vec3(single_skinned(method, setting, &right), plain, 1e-9);
    }
}

/* The coordinate system is changed by M: joints become M C inv(M), and the vertex becomes M v. The skin
 * must change by M too. M is a rotation by 90 degrees and a translation by integers, so M v is exact for
 * rest coordinates that are multiples of 1/256. */
TEST(coordinate_invariance)
{
    static const char *const methods[] = {"lbs", "log-matrix", "dqs", "dib"};
    const Transform m = {0.0, -1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 1.0, 3.0};
    const Transform back = {0.0, 1.0, 0.0, -2.0, -1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, -3.0};
    Random random = {34};
    for (int i = 0; i < 40; i++) {
        const char *setting = i % 4 == 3 ? "precision=1e-12" : NULL;
        Single single = single_random_joints(&random, 4, 1.4), other;
        for (int axis = 0; axis < 3; axis++)
            single.at[axis] = floor(single.at[axis] * 256.0) / 256.0;
        weights_exact(&single);
        other = single;
        Vec3 moved = transform_point(m, vec3_at(single.at, 0));
        other.at[0] = moved.x;
        other.at[1] = moved.y;
        other.at[2] = moved.z;
        for (int j = 0; j < 4; j++)
            other.transforms[j] = transform_product(m, transform_product(single.transforms[j], back));
        const Vec3 plain = single_skinned(methods[i % 4], setting, &single);
        assert_vec3(single_skinned(methods[i % 4], setting, &other), transform_point(m, plain), 1e-10);
    }
}

TEST(one_influence)
{
    Random random = {35};
    for (int i = 0; i < 20; i++) {
        Single single = single_random_joints(&random, 1, 3.1);
        Vec3 expected = transform_point(single.transforms[0], single_rest(&single));
        for (int method = 0; rigid_methods[method]; method++)
            assert_vec3(single_skinned(rigid_methods[method], NULL, &single), expected, 1e-12);
    }
}

/* The order in which a vertex lists its influences does not matter, even if weights are equal. If several
 * weights are equal, the joint with the lowest number counts as the heaviest. */
TEST(listing_order_does_not_matter)
{
    Random random = {36};
    for (int method = 0; rigid_methods[method]; method++)
        for (int i = 0; i < 50; i++) {
            int joints = strcmp(rigid_methods[method], "sclerp") == 0 ? 2 : 4;
            Single single = single_random_joints(&random, joints, 3.1);
            for (int k = 0; i % 2 && k < joints; k++)
                single.weights[k] = 1.0f / (float)joints;
            Single other = single;
            for (int k = 0; k < joints; k++) {
                other.listed[k] = single.listed[joints - 1 - k];
                other.weights[k] = single.weights[joints - 1 - k];
            }
            assert_vec3(single_skinned(rigid_methods[method], NULL, &single),
                        single_skinned(rigid_methods[method], NULL, &other), 0.0);
        }
}

/* DQS Fig. 8: joint 0 rests, joint 1 rotates by 90 degrees about z at (1, 0, 0), and joint 2 by -90 degrees
 * at (-1, 0, 0). By hand, the centre of joints 0 and 1 is (1, 0, 0), and the centre of all three joints is
 * (0, 1/2, 0). A negligible third weight therefore moves the vertex by (sqrt(1/2) - 1/2) sqrt(2) |(-1,
 * 1/2)|. DLB has no such jump. */
TEST(sbs_jumps_between_joint_sets)
{
    Single two = {.joints = 3,
                  .at = {0.25, 0.5, 0.0},
                  .weights = {0.5f, 0.5f, 0.0f},
                  .listed = {0, 1, 2},
                  .parents = {-1, 0, 0}};
    two.transforms[0] = transform_identity();
    two.transforms[1] = transform_about(quat_about(AXES[2], PI / 2.0), AXES[0], ORIGIN);
    two.transforms[2] = transform_about(quat_about(AXES[2], -PI / 2.0), vec3_make(-1.0, 0.0, 0.0), ORIGIN);
    two.rest[1].m03 = 1.0;
    two.rest[2].m03 = -1.0;
    Single three = two;
    three.weights[2] = 1e-7f;
    static const char *const methods[] = {"sbs", "sbs-spherical-average", "dqs", "dib"};
    for (int i = 0; i < 4; i++) {
        const Vec3 one = single_skinned(methods[i], NULL, &two);
        const double jump = vec3_length(vec3_sub(one, single_skinned(methods[i], NULL, &three)));
        double expected = i < 2 ? (sqrt(0.5) - 0.5) * sqrt(2.0) * sqrt(1.25) : 0.0;
        assert_near(jump, expected, 1e-5);
    }
}

/* DQS Fig. 16: two joints rotate by 170 degrees about axes 60 degrees apart. Half way, the shortest path
 * rotates by 2 atan(tan(85) cos(30)), 168.5 degrees, about the axis between. A blend of the scaled axes
 * rotates by 170 cos(30), 147.2 degrees, which is 21.2 degrees off the path. */
TEST(log_matrix_leaves_the_shortest_path)
{
    const double turn = 170.0 * PI / 180.0, apart = PI / 6.0;
    Single single = {
        .joints = 2, .at = {0.0, 2.0, 0.0}, .weights = {0.5f, 0.5f}, .listed = {0, 1}, .parents = {-1, 0}};
    for (int j = 0; j < 2; j++)
        single.transforms[j] = transform_about(
            quat_about(vec3_make(cos(apart), 0.0, j ? sin(apart) : -sin(apart)), turn), ORIGIN, ORIGIN);
    static const char *const methods[] = {"log-matrix", "dqs", "sclerp", "dib", "sbs", "qb"};
    double turned[6];
    for (int i = 0; i < 6; i++) {
        const Vec3 out = single_skinned(methods[i], NULL, &single);
        turned[i] = atan2(out.z, out.y);
        assert_near(turned[i], i == 0 ? turn * cos(apart) : 2.0 * atan(tan(turn / 2.0) * cos(apart)),
                    i == 0 ? 1e-9 : 1e-6);
    }
    assert_near((turned[5] - turned[0]) * 180.0 / PI, 21.2, 0.05);
}

/* Adds scale * one * other to `out`. All matrices are 4 x 4. */
static void product44(const double one[16], const double other[16], double out[16])
{
    for (int i = 0; i < 16; i++) {
        out[i] = 0.0;
        for (int k = 0; k < 4; k++)
            out[i] += one[4 * (i / 4) + k] * other[4 * k + i % 4];
    }
}

/* Computes the exponential of a matrix by its power series. The test computes logarithms by eq. 3 of the
 * paper from a known angle, axis, centre and pitch. The joints' matrices and the blend are the exponentials
 * of logarithms. */
static void exponential44(const double matrix[16], double out[16])
{
    double term[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, next[16];
    memcpy(out, term, sizeof term);
    for (int n = 1; n < 60; n++) {
        product44(term, matrix, next);
        for (int i = 0; i < 16; i++) {
            term[i] = next[i] / n;
            out[i] += term[i];
        }
    }
}

TEST(log_matrix_is_equation_3)
{
    Random random = {37};
    for (int round = 0; round < 50; round++) {
        Single single = single_random_joints(&random, 3, 1.0);
        double blend[16] = {0.0}, moved[16];
        for (int j = 0; j < 3; j++) {
            double angle = random_between(&random, 0.0, 3.0);
            if (round < 3)
                angle *= 1e-9; /* the limit without rotation */
            Vec3 a = vec3_normalize(random_axis(&random)), r = random_axis(&random);
            Vec3 m =
                vec3_add_scaled(vec3_scale(vec3_cross(r, a), angle), a, random_between(&random, -1.0, 1.0));
            const Vec3 w = vec3_scale(a, angle);
            const double log[16] = {0, -w.z, w.y, m.x, w.z, 0, -w.x, m.y, -w.y, w.x, 0, m.z, 0, 0, 0, 0};
            exponential44(log, moved);
            memcpy(&single.transforms[j], moved, sizeof(Transform));
            for (int i = 0; i < 16; i++)
                blend[i] += (double)single.weights[j] * log[i];
        }
        exponential44(blend, moved);
        Transform expected;
        memcpy(&expected, moved, sizeof expected);
        assert_vec3(single_skinned("log-matrix", NULL, &single),
                    transform_point(expected, single_rest(&single)), 1e-8);
    }
}

/* A half turn has two logarithms. The method uses the one whose last nonzero component is positive,
 * whatever the sign of the axis. A blend with the identity rotates in the direction of this logarithm. Just
 * past 180 degrees the direction flips. */
TEST(log_matrix_branch_at_half_turns)
{
    static const double turns[][2] = {
        {-PI, PI / 4.0}, {PI, PI / 4.0}, {PI - 0.01, (PI - 0.01) / 4.0}, {PI + 0.01, (0.01 - PI) / 4.0}};
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
        Single single = single_about_x(2, (double[]){0.0, turns[i][0]}, (float[]){0.75f, 0.25f});
        assert_near(turned_angle("log-matrix", NULL, &single), turns[i][1], 1e-9);
    }
}

/* DQS Fig. 7: of two vertices at nearly the same place, one is slightly nearer to joint 0 and the other to
 * joint 1. Joint 1 rotates by 90 degrees about z at (2, 0, 0). By hand, v' = Q (v - r) + r, where r is the
 * rest position of the nearer joint: (0, 0, 0) or (2, 0, 0). Neither point moves. */
TEST(qb_turns_about_the_nearest_joint)
{
    const double h = sqrt(0.5);
    Single single = {.joints = 2, .weights = {0.5f, 0.5f}, .listed = {0, 1}, .parents = {-1, 0}};
    single.transforms[0] = transform_identity();
    single.transforms[1] = transform_about(quat_about(AXES[2], PI / 2.0), vec3_make(2.0, 0.0, 0.0), ORIGIN);
    single.rest[1].m03 = 2.0;
    for (int nearest = 0; nearest < 2; nearest++) {
        const double x = nearest
                             ? 1.0 + 0x1p-20
                             : 1.0; /* half way between, the joint with the lower number counts as nearer */
        single.at[0] = x;
        Vec3 expected =
            nearest ? vec3_make(h * (x - 2.0) + 2.0, h * (x - 2.0), 0.0) : vec3_make(h * x, h * x, 0.0);
        assert_vec3(single_skinned("qb", NULL, &single), expected, 1e-9);
    }
}

TEST(sclerp_refuses_three)
{
    Random random = {38};
    Single single = single_random_joints(&random, 3, 1.0);
    double out[3];
    assert_bad_input("vertex 0 has 3 influences, but sclerp blends at most 2",
                     single_skin("sclerp", NULL, &single, out));
    single.weights[0] += single.weights[1];
    single.weights[1] = 0.0f; /* two joints remain */
    assert_ok(single_skin("sclerp", NULL, &single, out));
}

TEST(weights_of_another_sum_are_refused)
{
    static const float factors[] = {2.0f, 0.5f, 1.001f, 1e-6f};
    Random random = {40};
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        Single single = single_random_joints(&random, 2, 1.0);
        double out[3];
        for (int k = 0; k < 2; k++)
            single.weights[k] *= factors[i];
        assert_bad_input("the weights of vertex 0 have the sum", single_skin("lbs", NULL, &single, out));
    }
}

TEST(damaged_rigs_are_refused)
{
    Random random = {39};
    for (int method = 0; rigid_methods[method]; method++) {
        Single single = single_random_joints(&random, 2, 1.0), sheared = single, mirrored = single;
        Single rounded = single;
        double out[3];
        rounded.transforms[0].m00 += 2e-6;
        assert_ok(single_skin(rigid_methods[method], NULL, &rounded, out));
        sheared.transforms[1].m11 *= 1.1;
        assert_bad_input("joint 1 is not rigid", single_skin(rigid_methods[method], NULL, &sheared, out));
        mirrored.transforms[1] = transform_identity();
        mirrored.transforms[1].m22 = -1.0;
        assert_bad_input("joint 1 mirrors", single_skin(rigid_methods[method], NULL, &mirrored, out));
        single.parents[1] = 1;
        assert_bad_input("parent of joint 1 is 1", single_skin(rigid_methods[method], NULL, &single, out));
    }
}
