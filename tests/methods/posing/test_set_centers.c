/* Tests the centres of rotation of joint sets. Closed forms are compared with LAPACK's SVD, and with
 * motions whose centres are known. */
#include "methods/posing/set_centers.h"
#include "tests/rigs.h"

enum { JOINTS = 7, VERTICES = 40, STRIDE = 3 };

typedef struct Fixture {
    Dataset *dataset;
    JointSets sets;
    SetCenters *centers;
    void *workspace;
} Fixture;

static Fixture fixture_make(uint64_t seed, int influences)
{
    Fixture fixture = {.dataset =
                           rig_make(PLAN(.vertices = VERTICES, .joints = JOINTS, .influences = influences,
                                         .frames = 1, .angle = 0.5, .seed = seed))};
    assert_ok(joint_sets_init(&fixture.dataset->rig, VERTICES, INFLUENCES_BY_JOINT, &fixture.sets));
    SkinningBinding binding = {
        .mesh = &fixture.dataset->mesh, .rig = &fixture.dataset->rig, .sets = &fixture.sets};
    assert_ok(set_centers_bind(&binding, &fixture.centers));
    fixture.workspace = memory_array(set_centers_workspace(fixture.centers), 1);
    assert_non_null(fixture.workspace);
    return fixture;
}

static void fixture_clear(Fixture *fixture)
{
    set_centers_free(fixture->centers);
    memory_free(fixture->workspace);
    joint_sets_clear(&fixture->sets);
    dataset_free(fixture->dataset);
}

/* Computes the centres of some frames, [sets][STRIDE][frames]. Returns the number of SVDs used. */
static int centers_find(const Fixture *fixture, SetCentersSolver solver, const Transform *transforms,
                        int frames, double *out)
{
    const SetCentersOptions options = {.solver = solver, .cut_off = 1e-4, .least_angle_rad = 1e-3};
    int svds = 0;
    assert_ok(set_centers_find(fixture->centers, &options, transforms, frames, fixture->dataset->rig.rest,
                               fixture->workspace, out, &svds));
    return svds;
}

/* Computes all centres with both solvers. They must agree within `tolerance` plus 1e-8 of a coordinate.
 * This is loose, because singular values count down to a cut-off of 1e-4, and the fast solver squares them.
 * Returns the number of SVDs that the fast solver needed. */
static int assert_both_ways(const Fixture *fixture, const Transform *transforms, double tolerance)
{
    double fast[VERTICES * STRIDE], svd[VERTICES * STRIDE];
    const int fast_svds = centers_find(fixture, SET_CENTERS_FAST, transforms, 1, fast);
    const int svds = centers_find(fixture, SET_CENTERS_SVD, transforms, 1, svd);
    for (int i = 0; i < fixture->sets.set_count * STRIDE; i++)
        if (!(fabs(fast[i] - svd[i]) <= tolerance + 1e-8 * fabs(svd[i])))
            fail_msg("set %d, axis %d: %.12g, the SVD gives %.12g", i / STRIDE, i % STRIDE, fast[i], svd[i]);
    assert_true(svds <= set_centers_nontrivial(fixture->centers));
    return fast_svds;
}

/* Random motions give equations of rank 3, and pairs of joints give rank 2. */
TEST(random_motions)
{
    Random random = {2};
    for (int round = 1; round <= 40; round++) {
        CLEANUP(fixture_clear) Fixture fixture = fixture_make((uint64_t)round, 2 + round % 5);
        Transform transforms[JOINTS];
        for (int j = 0; j < JOINTS; j++)
            transforms[j] = random_motion(&random, -3.0, 3.0);
        assert_int_equal(assert_both_ways(&fixture, transforms, 1e-7), 0);
    }
}

/* If all rotation axes are parallel, the equations have rank 2. The centre's position along the axes is
 * then chosen to minimise its norm. */
TEST(hinges)
{
    Random random = {3};
    for (int round = 0; round < 20; round++) {
        CLEANUP(fixture_clear) Fixture fixture = fixture_make((uint64_t)round + 100, 5);
        Transform transforms[JOINTS];
        Vec3 axis = random_axis(&random);
        for (int j = 0; j < JOINTS; j++)
            transforms[j] = transform_about(quat_about(axis, random_between(&random, 0.1, 3.0)),
                                            random_axis(&random), ORIGIN);
        assert_int_equal(assert_both_ways(&fixture, transforms, 1e-6), 0);
    }
}

/* Some joints move alike, some only translate, and some rotate by angles near the smallest angle that is
 * not ignored. Both solvers must find the same rank. */
TEST(degenerate_motions)
{
    Random random = {4};
    for (int round = 0; round < 60; round++) {
        CLEANUP(fixture_clear) Fixture fixture = fixture_make((uint64_t)round + 200, 5);
        Transform transforms[JOINTS];
        Quat common = quat_about(random_axis(&random), 1.0);
        for (int j = 0; j < JOINTS; j++) {
            double angle = random_unit(&random) < 0.5 ? 0.0 : pow(10.0, random_between(&random, -6.0, 0.0));
            Quat turn = quat_mul(quat_about(random_axis(&random), angle), common);
            transforms[j] =
                transform_about(turn, ORIGIN, random_unit(&random) < 0.5 ? ORIGIN : random_axis(&random));
        }
        assert_both_ways(&fixture, transforms, 1e-3);
    }
}

/* Joints that rotate about axes through one point have that point as their centre, in every set. */
TEST(common_point)
{
    Random random = {5};
    const Vec3 point = {0.5, -2.0, 1.5};
    CLEANUP(fixture_clear) Fixture fixture = fixture_make(300, 6);
    Transform transforms[JOINTS];
    for (int j = 0; j < JOINTS; j++)
        transforms[j] = transform_about(quat_about(random_axis(&random), random_between(&random, 0.5, 2.5)),
                                        point, ORIGIN);
    double found[VERTICES * STRIDE];
    (void)centers_find(&fixture, SET_CENTERS_FAST, transforms, 1, found);
    for (int set = 0; set < fixture.sets.set_count; set++) {
        const int32_t *joints = fixture.sets.joints + fixture.sets.first_slot[set];
        int count = fixture.sets.first_slot[set + 1] - fixture.sets.first_slot[set];
        Vec3 center = vec3_at(found, set);
        if (count == 1) {
            assert_near(vec3_length(center), 0.0, 0.0);
        } else if (count == 2 && abs(joints[0] - joints[1]) ==
                                     1) { /* neighbours in the chain: the centre is the joint between them */
            assert_near(center.x, joints[1], 1e-12);
            assert_near(hypot(center.y, center.z), 0.0, 1e-12);
        } else if (count == 2) { /* the centre is the point of the axis nearest to the origin, and both joints
                                    move this point to the same place */
            Vec3 a = transform_point(transforms[joints[0]], center);
            Vec3 b = transform_point(transforms[joints[1]], center);
            assert_near(vec3_length(vec3_sub(a, b)), 0.0, 1e-9);
            assert_true(vec3_length(center) <= vec3_length(point) + 1e-9);
        } else {
            assert_near(vec3_length(vec3_sub(center, point)), 0.0, 1e-8);
        }
    }
}

/* Frames that are solved together have the same centres as frames solved alone, even if one of them needs
 * SVDs. */
TEST(frames_side_by_side)
{
    Random random = {6};
    for (int round = 0; round < 20; round++) {
        CLEANUP(fixture_clear) Fixture fixture = fixture_make((uint64_t)round + 500, 5);
        const SetCentersSolver solver = round % 4 ? SET_CENTERS_FAST : SET_CENTERS_SVD;
        Transform transforms[POSE_FRAMES * JOINTS];
        for (int i = 0; i < POSE_FRAMES * JOINTS; i++)
            transforms[i] = transform_about(
                quat_about(random_axis(&random), pow(10.0, random_between(&random, -4.0, 0.4))),
                random_axis(&random), random_axis(&random));
        const int count = fixture.sets.set_count * STRIDE;
        double together[POSE_FRAMES * VERTICES * STRIDE], alone[VERTICES * STRIDE];
        const int svds = centers_find(&fixture, solver, transforms, POSE_FRAMES, together);
        int sum = 0;
        for (int frame = 0; frame < POSE_FRAMES; frame++) {
            sum += centers_find(&fixture, solver, transforms + frame * JOINTS, 1, alone);
            for (int i = 0; i < count; i++)
                assert_near(together[i * POSE_FRAMES + frame], alone[i], 1e-9 * (1.0 + fabs(alone[i])));
        }
        assert_int_equal(svds, sum);
    }
}

/* Sets that list the same joints in different orders share one centre, which is computed only once. */
TEST(orders_share_a_center)
{
    Random random = {7};
    CLEANUP(fixture_clear) Fixture fixture = fixture_make(600, 5);
    Rig *rig = &fixture.dataset->rig;
    const int slots = rig->influence_count;
    const SetCentersOptions options = {.solver = SET_CENTERS_SVD, .cut_off = 1e-4, .least_angle_rad = 1e-3};
    Transform transforms[JOINTS];
    for (int j = 0; j < JOINTS; j++)
        transforms[j] = transform_about(quat_about(random_axis(&random), 1.0 + j), random_axis(&random),
                                        random_axis(&random));
    for (int i = 0; i < VERTICES;
         i++) /* each set has two vertices, one of which lists the joints in reverse order */
        for (int k = 0; k < slots; k++) {
            const int from = (i & ~1) * slots + k, to = i * slots + (i % 2 ? slots - 1 - k : k);
            rig->weight_joints[to] = rig->weight_joints[from];
            rig->weight_values[to] = rig->weight_values[from];
        }
    double centers[2][VERTICES * STRIDE], of_vertex[2][VERTICES][STRIDE];
    int counts[2], svds[2];
    for (int order = 0; order < 2; order++) {
        CLEANUP(joint_sets_clear) JointSets sets = {0};
        OWNED_BY(set_centers_free) SetCenters *found = NULL;
        assert_ok(joint_sets_init(rig, VERTICES, order ? INFLUENCES_AS_LISTED : INFLUENCES_BY_JOINT, &sets));
        assert_ok(set_centers_bind(
            &(SkinningBinding){.mesh = &fixture.dataset->mesh, .rig = rig, .sets = &sets}, &found));
        OWNED void *workspace = memory_array(set_centers_workspace(found), 1);
        assert_non_null(workspace);
        assert_ok(set_centers_find(found, &options, transforms, 1, rig->rest, workspace, centers[order],
                                   &svds[order]));
        counts[order] = set_centers_nontrivial(found);
        for (int i = 0; i < VERTICES; i++)
            memcpy(of_vertex[order][sets.vertices[i]], centers[order] + STRIDE * sets.set_of_vertex[i],
                   sizeof of_vertex[order][0]);
    }
    assert_true(counts[0] > 5);
    assert_int_equal(counts[0], counts[1]);
    assert_int_equal(svds[0], svds[1]);
    assert_memory_equal(of_vertex[0], of_vertex[1], sizeof of_vertex[0]);
}

/* The paper's method runs one SVD for each nontrivial set. */
TEST(svds_are_counted)
{
    CLEANUP(fixture_clear) Fixture fixture = fixture_make(400, 4);
    double found[VERTICES * STRIDE];
    const int svds = centers_find(&fixture, SET_CENTERS_SVD, fixture.dataset->rig.transforms, 1, found);
    int nontrivial = 0;
    for (int set = 0; set < fixture.sets.set_count; set++) {
        const int32_t *joints = fixture.sets.joints + fixture.sets.first_slot[set];
        int count = fixture.sets.first_slot[set + 1] - fixture.sets.first_slot[set];
        nontrivial += count > 2 || (count == 2 && abs(joints[0] - joints[1]) != 1);
    }
    assert_int_equal(set_centers_nontrivial(fixture.centers), nontrivial);
    assert_int_equal(svds, nontrivial);
}
