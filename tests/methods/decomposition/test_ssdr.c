/* Tests SSDR on animations that it must reproduce exactly, least-squares problems with a known residual,
 * and weights in closed form. */
#include "methods/decomposition/ssdr/ssdr_steps.h"
#include "tests/trials.h"

#include "datasets/geometry/turn.h"

static const char *const transforms[] = {"transforms=rigid", "transforms=affine"};

/* Four quarters of a sheet are each rotated about a different axis and shifted. The fit must find them as
 * four rigid bones. Positions are floats, so an E_RMS of 1e-3 is rounding. */
TEST(rigid_parts_are_found)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_sheet(20, 20, 9, 1);
    for (int frame = 0; frame < 9; frame++)
        for (int j = 0; j < 400; j++) {
            const double x = (double)sequence.mesh.rest[3 * j], y = (double)sequence.mesh.rest[3 * j + 1];
            const int part = (x > 9.5) + 2 * (y > 9.5);
            const double angle = 0.1 * frame * (part + 1), c = cos(angle), s = sin(angle);
            float *position = sequence.animation.positions + 3 * (frame * 400 + j);
            const double turned[4][3] = {{c * x - s * y, s * x + c * y, 0},
                                         {x, c * y, s * y},
                                         {c * x, y, s * x},
                                         {c * x + s * y, c * y - s * x, 3.0 * frame}};
            for (int axis = 0; axis < 3; axis++)
                position[axis] = (float)turned[part][axis];
        }
    for (int i = 0; i < 2; i++)
        assert_at_most(trial_check(&TRIAL("ssdr", 8, 4, 40, 1, transforms[i]), &sequence, NULL, NULL), 1e-3);
}

/* A square of 9 x 9 vertices, x and y from -4 to 4, grows by a tenth. The best rigid motion is the identity
 * and leaves 0.01 (sum x^2 + sum y^2) = 0.01 * 2 * 9 * 60 = 10.8 per frame. The best affine map leaves
 * nothing. */
TEST(one_bone_is_procrustes)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_sheet(9, 9, 5, 1);
    for (int j = 0; j < 81; j++) {
        sequence.mesh.rest[3 * j] -= 4.0f;
        sequence.mesh.rest[3 * j + 1] -= 4.0f;
        for (int frame = 0; frame < 5; frame++)
            for (int axis = 0; axis < 3; axis++)
                sequence.animation.positions[3 * (frame * 81 + j) + axis] =
                    (float)(1.1 * (double)sequence.mesh.rest[3 * j + axis]);
    }
    for (int affine = 0; affine < 2; affine++) {
        FITTED(result, &sequence, "ssdr", 1, 4, 3, 1, transforms[affine]);
        assert_near(error_in_the_end(&result), affine ? 0.0 : 5 * 10.8, 1e-4);
    }
}

/* Computes the weights of one rest point in one frame. Its bones move it to the corners (0,0), (1,0) and
 * (0,1) of a triangle, and its target is (x, y). */
static void triangle_weights(double x, double y, int influences, double smooth, double *weights)
{
    enum { BONES = 3 };
    static const double corners[BONES][2] = {{0, 0}, {1, 0}, {0, 1}};
    float rest[3] = {0.0f, 0.0f, 0.0f}, position[3] = {(float)x, (float)y, 0.0f};
    double normalized[3] = {0}, offset[3] = {0}, maps[4 * BONES][3] = {{0}}, slots[BONES] = {1.0};
    int32_t bones[BONES] = {0};
    int64_t first[2] = {0, 0};
    const Mesh mesh = {.vertex_count = 1, .rest = rest};
    const DecompositionInput input = {.mesh = &mesh};
    const Grouping none = {.group_count = 1, .first = first};
    for (int bone = 0; bone < BONES; bone++)
        memcpy(maps[4 * bone + 3], corners[bone], sizeof corners[bone]);
    SkinFit fit = {
        .input = &input,
        .vertex_count = 1,
        .bone_count = BONES,
        .influence_count = influences,
        .threads = 1,
        .rest = normalized,
        .maps = maps[0],
        .bones = bones,
        .weights = slots,
        .target = {.row_count = 3, .vertex_count = 1, .values = position, .offset = offset, .threads = 1}};
    assert_ok(convex_weights_solve(&fit, smooth, &none));
    memset(weights, 0, BONES * sizeof *weights);
    for (int k = 0; k < influences; k++)
        weights[bones[k]] += slots[k];
}

/* The weights describe the point of the triangle nearest to the target or, with two bones, the nearest
 * point of its edges. */
TEST(weights_are_of_the_nearest_point)
{
    static const struct {
        double x, y;
        int influences;
        double smooth, expected[3];
    } cases[] = {
        {0.2, 0.3, 3, 0, {0.5, 0.2, 0.3}},   /* target inside the triangle: its barycentric coordinates */
        {1.0, 1.0, 3, 0, {0.0, 0.5, 0.5}},   /* target beyond an edge: the middle of the edge */
        {-1.0, -1.0, 3, 0, {1.0, 0.0, 0.0}}, /* target beyond a corner: this corner */
        {0.4, 0.1, 2, 0, {0.6, 0.4, 0.0}},   /* target near an edge: the opposite corner is dropped */
        {0.9, 0.05, 1, 0, {0.0, 1.0, 0.0}},  /* only one bone allowed: the nearest corner */
        /* A vertex without neighbours is drawn to its own previous weights m = (1, 0, 0). Its two
         * other weights are equal, w = (1 - 2t, t, t), and the target is a = (1/2, 1/2). Then |w -
         * m|^2 + |p - a|^2 is 6 t^2 + 2 (t - 1/2)^2, with the minimum at t = 1/8. */
        {0.5, 0.5, 3, 1, {0.75, 0.125, 0.125}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double weights[3];
        triangle_weights(cases[i].x, cases[i].y, cases[i].influences, cases[i].smooth, weights);
        for (int k = 0; k < 3; k++)
            assert_near(weights[k], cases[i].expected[k], 1e-6); /* positions are floats */
    }
}

/* While no bone is moved on trial, the error never increases, because every step minimises over its own
 * unknowns. */
TEST(error_falls)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_sheet(24, 12, 6, 1);
    sequence_skin(&sequence, 8, 0.4, 31);
    for (int affine = 0; affine < 2; affine++) {
        FITTED(result, &sequence, "ssdr", 8, 4, 12, 2, transforms[affine], "significance=0");
        assert_descent(&result, result.iteration_count - 1); /* the last iteration rounds weights to float */
    }
}

/* Neighbouring bones of a known rigid rig blend over half of the distance between them. The accelerated fit
 * must come ten times as close to the rig as the published alternation with the same number of iterations. */
TEST(acceleration_finds_a_known_rig)
{
    enum { ALONG = 60, AROUND = 12, FRAMES = 16, BONES = 4 };
    CLEANUP(sequence_clear) Sequence sequence = sequence_sheet(ALONG, AROUND, FRAMES, 0);
    Random random = {11};
    for (int f = 0; f < FRAMES; f++) {
        Transform maps[BONES];
        for (int bone = 0; bone < BONES; bone++) {
            const double x = random_signed(&random), y = random_signed(&random),
                         angle = random_signed(&random);
            const Vec3 axis = vec3_make(x, y, 1.5);
            maps[bone] =
                transform_rotate_about(vec3_scale(axis, 1.0 / vec3_length(axis)), angle,
                                       vec3_make(20.0 * bone, 6, 0), vec3_make(4.0 * y, 4.0 * x, angle));
        }
        for (int j = 0; j < ALONG * AROUND; j++) {
            const Vec3 rest = point_at(sequence.mesh.rest, j);
            const double along = rest.x / (ALONG - 1) * (BONES - 1);
            const int low = along < BONES - 2 ? (int)along : BONES - 2;
            const double share = fmin(1.0, fmax(0.0, 2.0 * (along - low) - 0.5));
            const Vec3 place = vec3_scale(transform_point(maps[low], rest), 1.0 - share);
            point_set(sequence.animation.positions, (ptrdiff_t)f * ALONG * AROUND + j,
                      vec3_add_scaled(place, transform_point(maps[low + 1], rest), share));
        }
    }
    FITTED(paper, &sequence, "ssdr", BONES, 4, 150, 1, "preset=paper");
    FITTED(result, &sequence, "ssdr", BONES, 4, 150, 1, "tolerance=0");
    assert_true(error_in_the_end(&result) < 1e-2 * error_in_the_end(&paper));
}

/* A fit ends once twenty iterations lower the squared error by less than the tolerance. */
TEST(a_fit_ends_when_it_has_converged)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_sheet(24, 12, 6, 1);
    sequence_skin(&sequence, 8, 0.4, 31);
    FITTED(result, &sequence, "ssdr", 5, 4, 400, 1, "tolerance=0.1");
    const int count = result.iteration_count;
    assert_int_equal(result.end, FIT_COMPLETE);
    assert_in_range(count, 20, 399);
    assert_true(result.squared_error[count] > 0.9 * result.squared_error[count - 20]);
}

/* An arm has three links in a line, which rotate in known ways about x = 4 and x = 8. The skeleton found
 * must be a chain with its joints at these points, where the bones meet in every frame. A fourth bone that
 * moves like another one is merged with that bone. */
TEST(a_skeleton_has_its_joints)
{
    enum { LINKS = 3, AROUND = 6, RINGS = 24, FRAMES = 12, VERTICES = AROUND * RINGS };
    Sequence sequence = sequence_sheet(AROUND, RINGS, FRAMES, 1);
    for (int i = 0; i < VERTICES; i++) {
        const int ring = i / AROUND;
        const double x = 0.25 + 0.5 * ring, angle = 2.0 * 3.14159265358979 * (i % AROUND) / AROUND;
        const double rest[3] = {x, cos(angle), sin(angle)};
        for (int axis = 0; axis < 3; axis++)
            sequence.mesh.rest[3 * i + axis] = (float)rest[axis];
        for (int f = 0; f < FRAMES; f++) {
            Transform pose = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
            for (int link = 1; link <= (int)(x / 4.0); link++) {
                const Vec3 axis = link == 1 ? vec3_make(0, 0, 1) : vec3_make(0, f % 2, 1 - f % 2);
                pose = transform_product(pose, transform_rotate_about(axis, 0.9 * sin(f * 1.7 + link),
                                                                      vec3_make(4.0 * link, 0, 0),
                                                                      vec3_make(0, 0, 0)));
            }
            point_set(sequence.animation.positions, (ptrdiff_t)f * VERTICES + i,
                      transform_point(pose, vec3_make(rest[0], rest[1], rest[2])));
        }
    }
    CLEANUP(sequence_clear) Sequence owned = sequence;
    FITTED(result, &owned, "ssdr", 4, 2, 20, 1, "skeleton=yes", "prune=0.5");
    const Rig *rig = &result.rig;
    assert_int_equal(rig->joint_count, LINKS);
    for (int joint = 0; joint < LINKS; joint++) {
        const int parent = rig->parents[joint];
        const Vec3 place = vec3_make(rig->rest[joint].m03, rig->rest[joint].m13, rig->rest[joint].m23);
        assert_true(parent < joint);
        if (parent < 0)
            continue;
        assert_true(fmin(fabs(place.x - 4.0), fabs(place.x - 8.0)) < 0.05);
        assert_true(fabs(place.y) < 0.05 && fabs(place.z) < 0.05);
        for (int f = 0; f < FRAMES; f++) {
            const Transform *own = rig->transforms + (ptrdiff_t)f * LINKS;
            const Vec3 off =
                vec3_sub(transform_point(own[joint], place), transform_point(own[parent], place));
            assert_true(vec3_length(off) < 1e-9);
        }
    }
    /* rigid links are reproduced up to float rounding */
    assert_true(error_in_the_end(&result) < 1e-4 * VERTICES * FRAMES);
}
