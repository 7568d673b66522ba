/* Tests SAD on animations that it must reproduce exactly, and on least-squares problems with a known
 * residual. */
#include "methods/decomposition/sad/lsqr.h"
#include "methods/fitting/seeds.h"
#include "tests/trials.h"

/* Moves the vertices of each group by a random affine map of the given rest pose. */
static void move_groups(Sequence *sequence, const int32_t *group_of, int groups, uint64_t seed)
{
    Random random = {seed};
    int vertices = sequence->mesh.vertex_count;
    for (int frame = 0; frame < sequence->animation.frame_count; frame++) {
        double maps[16][12];
        for (int i = 0; i < groups * 12; i++)
            maps[i / 12][i % 12] = random_signed(&random) * (i % 4 == 3 ? 9 : 1);
        for (int j = 0; j < vertices; j++)
            for (int axis = 0; axis < 3; axis++)
                sequence->animation.positions[3 * (frame * vertices + j) + axis] =
                    (float)affine_at(maps[group_of[j]] + 4 * axis, sequence->mesh.rest + 3 * j);
    }
}

/* Each bone moves the vertices nearest to one seed. The fit recovers these bones up to float rounding. */
TEST(bones_at_the_seeds_are_recovered)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_sheet(30, 20, 12, 0);
    double rest[1800];
    int32_t group_of[600];
    CLEANUP(seeds_clear) Seeds seeds = {0};
    for (int i = 0; i < 1800; i++)
        rest[i] = (double)sequence.mesh.rest[i];
    assert_ok(seeds_place(&sequence.mesh, rest, SEEDS_STRAIGHT, 9, 0, &seeds));
    assert_int_equal(seeds.count, 9);
    seeds_nearest(&seeds, rest, 0, 600, group_of);
    move_groups(&sequence, group_of, 9, 5);
    int delivered = 0;
    assert_at_most(trial_check(&TRIAL("sad", 9, 4, 15, 1, "rest-pose=file"), &sequence, NULL, &delivered),
                   2e-3);
    assert_int_equal(delivered, 9);
}

/* Start K picks one triangle of a list, at the fraction K times the golden ratio, modulo 1. The fractions
 * are 0.618, 0.236, 0.854, ..., which for 1102 triangles gives numbers 681, 260 and 941. Start 0 is the end
 * of the sheet farthest from the first triangle. */
TEST(starts_are_spread_over_the_triangles)
{
    static const int firsts[] = {1101, 681, 260, 941};
    CLEANUP(sequence_clear) Sequence sequence = sequence_sheet(30, 20, 1, 1);
    double rest[1800];
    assert_int_equal(sequence.mesh.triangle_count, 1102);
    for (int i = 0; i < 1800; i++)
        rest[i] = (double)sequence.mesh.rest[i];
    for (uint64_t start = 0; start < 4; start++) {
        CLEANUP(seeds_clear) Seeds seeds = {0};
        const int32_t *triangle = sequence.mesh.triangles + (ptrdiff_t)3 * firsts[start];
        assert_ok(seeds_place(&sequence.mesh, rest, SEEDS_STRAIGHT, 9, start, &seeds));
        assert_int_equal(seeds.count, 9);
        if (start > 0)
            assert_memory_equal(seeds.corners, triangle, 3 * sizeof(int32_t));
        else /* one of the two triangles of the last square */
            assert_true(seeds.corners[1] == 599 || seeds.corners[2] == 599);
    }
}

/* A strip of 41 by 2 vertices is bent into an open ring. Its ends are 0.1 apart in space, but a whole strip
 * length apart along its edges. From one end, the vertex with the largest straight distance lies across the
 * ring. The vertex with the largest distance along edges is the other end. */
TEST(seeds_lie_apart_along_edges)
{
    enum { LONG = 41 };
    CLEANUP(sequence_clear) Sequence sequence = sequence_sheet(LONG, 2, 1, 0);
    double rest[3 * 2 * LONG];
    int across = 0, along = 0;
    for (int i = 0; i < 2 * LONG; i++) {
        /* places vertices by their column, whatever their order */
        const double column = (double)sequence.mesh.rest[3 * i], turn = 6.18 * column / (LONG - 1);
        rest[3 * i] = cos(turn);
        rest[3 * i + 1] = sin(turn);
        rest[3 * i + 2] = 0.1 * (double)sequence.mesh.rest[3 * i + 1];
    }
    for (int edges = 0; edges < 2; edges++) {
        CLEANUP(seeds_clear) Seeds seeds = {0};
        assert_ok(
            seeds_place(&sequence.mesh, rest, edges ? SEEDS_ALONG_EDGES : SEEDS_STRAIGHT, 2, 0, &seeds));
        assert_int_equal(seeds.count, 2);
        const double gap = fabs((double)sequence.mesh.rest[3 * seeds.corners[0]] -
                                (double)sequence.mesh.rest[3 * seeds.corners[3]]);
        *(edges ? &along : &across) = (int)gap;
    }
    assert_true(abs(across - LONG / 2) <= 2);
    assert_true(along >= LONG - 3);
}

/* One bone gives the least-squares affine map of every frame. A flat square of 9 x 9 vertices, with x from
 * -4 to 4, is lifted by f (x^2 - 20/3). This function is orthogonal to 1, x and y, so no affine map reduces
 * it, and the squared residual is 9 * 308 f^2. The fit reports that the map along the square's normal is
 * undetermined. */
TEST(one_bone_is_least_squares)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_sheet(9, 9, 5, 1);
    double remainder = 0.0;
    for (int j = 0; j < 81; j++) {
        sequence.mesh.rest[3 * j] -= 4.0f;
        for (int frame = 0; frame < 5; frame++) {
            double x = (double)sequence.mesh.rest[3 * j];
            float *position = sequence.animation.positions + 3 * (frame * 81 + j);
            position[0] = (float)(2.0 * x + frame);
            position[1] = (float)(sequence.mesh.rest[3 * j + 1]);
            position[2] = (float)(frame * (x * x - 20.0 / 3.0));
        }
    }
    for (int frame = 0; frame < 5; frame++)
        remainder += 9.0 * 308.0 * frame * frame;
    FITTED(result, &sequence, "sad", 1, 4, 15, 1, NULL);
    assert_near(result.squared_error[0], remainder, 1e-4 * remainder);
    assert_int_equal(result.singular_systems, 1);
    assert_int_equal(result.iteration_count, 0);
    assert_int_equal(result.end, FIT_COMPLETE);
}

/* The least-squares solution of x + y = 2, x - y = 1, 2 x = 4 is x = 11/6, y = 1/2. If two columns are
 * equal, the shortest solution gives both the same value. */
TEST(lsqr_by_hand)
{
    static const int first[] = {0, 2, 4, 5}, unknowns[] = {0, 1, 0, 1, 0}, pairs[] = {0, 1, 0, 1, 0, 1},
                     first_pairs[] = {0, 2, 4, 6};
    static const double values[] = {1, 1, 1, -1, 2}, ones[] = {1, 1, 1, 1, 1, 1};
    double x[2], work[4];
    lsqr_solve(&(SparseRows){3, 2, first, unknowns, values}, 1e-12, (double[]){2, 1, 4}, x, work);
    assert_true(fabs(x[0] - 11.0 / 6.0) < 1e-12);
    assert_true(fabs(x[1] - 0.5) < 1e-12);
    lsqr_solve(&(SparseRows){3, 2, first_pairs, pairs, ones}, 1e-12, (double[]){2, 1, 3}, x, work);
    assert_true(fabs(x[0] - 1.0) < 1e-12);
    assert_true(fabs(x[1] - 1.0) < 1e-12);
    assert_int_equal(
        lsqr_solve(&(SparseRows){3, 2, first, unknowns, values}, 1e-12, (double[]){0, 0, 0}, x, work), 0);
    assert_true(x[0] == 0.0 && x[1] == 0.0);
}

/* Both solvers reach the minimum of the sum of squares, on any number of threads. */
TEST(solvers_agree)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_skinned(20, 9, 8, 4, 0.4, 8);
    FITTED(factored, &sequence, "sad", 4, 4, 15, 1, NULL);
    FITTED(iterated, &sequence, "sad", 4, 4, 15, 1, "solver=lsqr");
    FITTED(threaded, &sequence, "sad", 4, 4, 15, 3, "solver=lsqr");
    assert_true(fabs(iterated.squared_error[0] / factored.squared_error[0] - 1.0) < 1e-5);
    assert_true(threaded.squared_error[0] == iterated.squared_error[0]);
}

/* The published algorithm uses the first frame as its rest pose and ignores the rest pose of the data
 * set. */
TEST(the_first_frame_is_the_rest_pose)
{
    const size_t bytes = 3 * 180 * sizeof(float);
    CLEANUP(sequence_clear) Sequence sequence = sequence_skinned(20, 9, 8, 4, 0.4, 8);
    assert_memory_not_equal(sequence.mesh.rest, sequence.animation.positions, bytes);
    FITTED(standing, &sequence, "sad", 4, 4, 15, 1, NULL);
    assert_memory_equal(standing.rest, sequence.animation.positions, bytes);
    memcpy(sequence.mesh.rest, sequence.animation.positions, bytes);
    FITTED(first, &sequence, "sad", 4, 4, 15, 1, NULL);
    assert_true(standing.squared_error[0] == first.squared_error[0]);
}

/* More rounds are made on request, up to the limit on iterations. */
TEST(rounds_are_capped)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_skinned(20, 9, 8, 4, 0.4, 8);
    FITTED(two, &sequence, "sad", 4, 4, 3, 1, "rounds=2");
    FITTED(seven, &sequence, "sad", 4, 4, 3, 1, "rounds=7");
    assert_int_equal(two.iteration_count, 2);
    assert_int_equal(two.end, FIT_COMPLETE);
    assert_true(two.squared_error[2] < two.squared_error[0]);
    assert_int_equal(seven.iteration_count, 3);
    assert_int_equal(seven.end, FIT_ITERATION_CAP);
}
