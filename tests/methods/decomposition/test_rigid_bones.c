/* Tests rigid bones in coordinate descent: closed forms of the rigid fit, known rigs, bones that are moved
 * to a new place, and properties of every rigid rig. */
#include "methods/decomposition/coordinate-descent/rigid_bones.h"

#include "methods/decomposition/coordinate-descent/alternation.h"
#include "methods/decomposition/coordinate-descent/transformations.h"
#include "tests/trials.h"

/* Sets `map` to a rotation by up to `angle` about a random axis and a random translation. */
static void random_motion(double angle, Random *random, double map[3][4])
{
    double axis[3], length = 0.0, turn = angle * random_signed(random);
    for (int i = 0; i < 3; i++) {
        axis[i] = random_signed(random) + (i == 0 ? 1e-3 : 0.0);
        length += axis[i] * axis[i];
    }
    for (int i = 0; i < 3; i++)
        axis[i] /= sqrt(length);
    for (int i = 0; i < 3; i++) { /* Rodrigues */
        for (int j = 0; j < 3; j++)
            map[i][j] = (i == j ? cos(turn) : 0.0) + (1.0 - cos(turn)) * axis[i] * axis[j];
        int next = (i + 1) % 3, last = (i + 2) % 3;
        map[i][next] -= sin(turn) * axis[last];
        map[i][last] += sin(turn) * axis[next];
        map[i][3] = 2.0 * random_signed(random);
    }
}

/* Moves a sheet by `bones` rigid motions. Between two bones, the motions are blended over a sixth of the
 * distance. */
static void sequence_skin_rigid(Sequence *sequence, int bones, double angle, uint64_t seed)
{
    Random random = {seed};
    int vertices = sequence->mesh.vertex_count;
    double widest = (double)sequence->mesh.rest[3 * (vertices - 1)];
    for (int frame = 1; frame < sequence->animation.frame_count; frame++) {
        double maps[8][3][4];
        for (int bone = 0; bone < bones; bone++)
            random_motion(angle, &random, maps[bone]);
        for (int j = 0; j < vertices; j++) {
            const float *v = sequence->mesh.rest + 3 * j;
            double along = (double)v[0] / widest * bones - 0.5;
            int low = (int)fmin(fmax(along, 0.0), bones - 2);
            double share = fmin(1.0, fmax(0.0, 6.0 * (along - low) - 2.5));
            for (int axis = 0; axis < 3; axis++) {
                double point = 0.0;
                for (int side = 0; side < 2; side++) {
                    const double *row = maps[low + side][axis];
                    point += (side ? share : 1.0 - share) * affine_at(row, v);
                }
                sequence->animation.positions[3 * ((ptrdiff_t)frame * vertices + j) + axis] = (float)point;
            }
        }
    }
}

/* Checks that rotations are orthonormal to rounding and not mirrored, so that every rigid method accepts
 * the rig. */
static void check_rotations(const Rig *rig)
{
    for (int i = 0; i < rig->frame_count * rig->joint_count; i++) {
        Transform t = rig->transforms[i];
        Vec3 axes[3];
        transform_axes(t, axes);
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                assert_true(fabs(vec3_dot(axes[a], axes[b]) - (a == b)) < 1e-13);
        assert_true(vec3_dot(vec3_cross(axes[0], axes[1]), axes[2]) > 0.0);
    }
}

/* A point cloud is stretched along a principal axis and moved rigidly. The best rigid motion reproduces the
 * movement. The error that remains is the sum of the squared displacements by the stretch. */
TEST(stretch_is_left_over)
{
    enum { FRAMES = 6, VERTICES = 45 };
    CLEANUP(sequence_clear) Sequence sequence = sequence_sheet(9, 5, FRAMES, 1);
    Random random = {3};
    double left = 0.0;
    for (int frame = 0; frame < FRAMES; frame++) {
        double map[3][4], stretch = 0.1 * frame;
        random_motion(3.0, &random, map);
        for (int j = 0; j < VERTICES; j++) {
            const float *v = sequence.mesh.rest + 3 * j;
            double point[3] = {4.0 + (1.0 + stretch) * ((double)v[0] - 4.0), (double)v[1], (double)v[2]};
            left += pow(stretch * ((double)v[0] - 4.0), 2.0);
            for (int axis = 0; axis < 3; axis++)
                sequence.animation.positions[3 * (frame * VERTICES + j) + axis] =
                    (float)(map[axis][0] * point[0] + map[axis][1] * point[1] + map[axis][2] * point[2] +
                            map[axis][3]);
        }
    }
    FITTED(result, &sequence, "coordinate-descent", 1, 4, 3, 1, "transforms=rigid", "rest=no",
           "threshold=0.0001");
    assert_near(error_in_the_end(&result), left, 1e-5 * left); /* positions are floats */
    check_rotations(&result.rig);
}

/* A rig of rigid bones and its rest pose are recovered from the animation that they made. */
TEST(known_rig_is_recovered)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_sheet(30, 8, 14, 0);
    sequence_skin_rigid(&sequence, 3, 1.0, 11);
    const Trial trial =
        TRIAL("coordinate-descent", 3, 4, 200, 1, "transforms=rigid", "threshold=0.0001", "rest=no");
    assert_at_most(trial_check(&trial, &sequence, NULL, NULL), 1e-2);
}

/* A fixed rest pose stays unchanged bit for bit, and a free one reduces the error. For any number of
 * influences, all requested bones are delivered and rigid. */
TEST(every_rig_is_rigid_and_complete)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_skinned(24, 9, 10, 4, 0.3, 21);
    for (int influences = 1; influences <= 8; influences++) {
        double errors[2];
        for (int free = 0; free < 2; free++) {
            FITTED(result, &sequence, "coordinate-descent", 8, influences, 12, 1, "transforms=rigid",
                   free ? "rest=yes" : "rest=no");
            check_rig(&sequence, &result);
            check_rotations(&result.rig);
            assert_int_equal(result.bones_delivered, 8);
            if (!free)
                assert_memory_equal(result.rest, sequence.mesh.rest, 3 * 24 * 9 * sizeof(float));
            errors[free] = error_in_the_end(&result);
        }
        assert_true(errors[1] < errors[0]);
    }
}

/* Each step of a sweep minimises over weights, rest positions or motions, so no sweep increases the error.
 * Affine bones give a lower error, because rigid bones are a special case of them. */
TEST(reduced_model_is_monotone)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_skinned(20, 9, 10, 5, 0.4, 21);
    FITTED(rigid, &sequence, "coordinate-descent", 5, 3, 25, 1, "transforms=rigid", "search=no");
    FITTED(affine, &sequence, "coordinate-descent", 5, 3, 25, 1, "transforms=affine", "search=no");
    assert_descent(&rigid, rigid.iteration_count - 1);
    assert_true(error_in_the_end(&rigid) < 0.7 * rigid.squared_error[0]);
    assert_true(error_in_the_end(&affine) < error_in_the_end(&rigid));
}

/* Two halves of a mesh move apart. One bone starts among the vertices, and the other so far away that no
 * vertex uses it. The idle bone is moved, and soon each half has its own bone. */
TEST(idle_bones_are_given_a_place)
{
    enum { VERTICES = 60, FRAMES = 5, ROWS = 3 * FRAMES };
    OWNED double *basis = memory_table(ROWS, ROWS, sizeof(double));
    OWNED double *coordinates = memory_table(VERTICES, ROWS, sizeof(double));
    CLEANUP(reduced_model_clear) ReducedModel descent = {0};
    CLEANUP(rigid_clear) RigidBones rigid = {0};
    CLEANUP(alternation_clear) Alternation alternation = {0};
    Random random = {5};
    double squared_error = 0.0;
    assert_true(basis && coordinates);
    assert_ok(reduced_model_allocate(&descent, NULL, VERTICES, 2, 4, ROWS, 1, coordinates));
    for (int i = 0; i < ROWS; i++)
        basis[i * ROWS + i] = 1.0;
    for (int i = 0; i < 3 * VERTICES; i++)
        descent.rest[i] = random_signed(&random) + (i % 3 == 0 ? (i < 3 * VERTICES / 2 ? -2.0 : 2.0) : 0.0);
    for (int frame = 0; frame < FRAMES; frame++) {
        double maps[2][3][4];
        random_motion(2.0, &random, maps[0]);
        random_motion(2.0, &random, maps[1]);
        for (int i = 0; i < 3 * VERTICES; i++) {
            const double *row = maps[i < 3 * VERTICES / 2 ? 0 : 1][i % 3], *v = descent.rest + i / 3 * 3;
            coordinates[i / 3 * ROWS + 3 * frame + i % 3] =
                row[0] * v[0] + row[1] * v[1] + row[2] * v[2] + row[3];
        }
    }
    for (int j = 0; j < VERTICES; j++) {
        descent.weights[4 * j] = 1.0;
        descent.squared_norms[j] = 0.0;
        for (int i = 0; i < ROWS; i++)
            descent.squared_norms[j] += pow(coordinates[j * ROWS + i], 2.0);
    }
    assert_ok(rigid_make(&rigid, FRAMES, 2, basis, 1.0));
    descent.rigid = &rigid;
    for (int row = 0; row < ROWS; row++)
        rigid.motions[8 * row + 7] = 100.0;
    assert_ok(transformations_solve(&descent, &squared_error));
    double before = squared_error;
    VertexUpdateOptions options = {.choice = CHOICE_PREDICTION, .rounds = 1};
    assert_ok(alternation_make(&alternation, &descent, squared_error, 0));
    for (int sweep = 0; sweep < 60; sweep++)
        assert_ok(alternation_sweep(&alternation, &options, false));
    assert_at_most(alternation.squared_error, 1e-6 * before);
}

/* A long sheet bends into an arc. If ten bones are requested, all are delivered, and they fit better than
 * five. */
TEST(bending_bar_gets_all_its_bones)
{
    enum { WIDTH = 60, HEIGHT = 6, FRAMES = 12 };
    CLEANUP(sequence_clear) Sequence sequence = sequence_sheet(WIDTH, HEIGHT, FRAMES, 1);
    for (int frame = 1; frame < FRAMES; frame++)
        for (int j = 0; j < WIDTH * HEIGHT; j++) {
            double curvature = 0.004 * frame, x = (double)sequence.mesh.rest[3 * j];
            float *out = sequence.animation.positions + 3 * (frame * WIDTH * HEIGHT + j);
            out[0] = (float)(sin(curvature * x) / curvature);
            out[2] = (float)((1.0 - cos(curvature * x)) / curvature);
        }
    double errors[2];
    for (int few = 0; few < 2; few++) {
        int bones = few ? 5 : 10, delivered = 0;
        const Trial trial =
            TRIAL("coordinate-descent", bones, 4, 15, 1, "transforms=rigid", "rest=no", "threshold=0.01");
        errors[few] = trial_check(&trial, &sequence, NULL, &delivered);
        assert_int_equal(delivered, bones);
    }
    assert_at_most(errors[0], 0.5 * errors[1]);
}

TEST(threads_change_nothing)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_skinned(40, 30, 10, 5, 0.4, 8);
    FITTED(one, &sequence, "coordinate-descent", 18, 4, 6, 1, "transforms=rigid");
    FITTED(two, &sequence, "coordinate-descent", 18, 4, 6, 2, "transforms=rigid");
    assert_same_errors(&two, &one);
}
