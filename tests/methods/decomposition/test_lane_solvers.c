/* Compares the nearest point of a simplex with the result of brute force over all faces. */
#include "methods/decomposition/coordinate-descent/lane_solvers.h"

#include "tests/sequences.h"

/* FEW is the largest number of corners for which brute force tries all faces. */
enum { DIMENSION = 10, CORNERS = SIMPLEX_CORNERS_MAX, FEW = 8 };

/* Solves a small dense system by Gaussian elimination with pivoting. Returns false if it is singular. */
static int eliminate(double matrix[CORNERS + 1][CORNERS + 2], int n)
{
    for (int i = 0; i < n; i++) {
        int pivot = i;
        for (int k = i + 1; k < n; k++)
            if (fabs(matrix[k][i]) > fabs(matrix[pivot][i]))
                pivot = k;
        if (fabs(matrix[pivot][i]) < 1e-11)
            return 0;
        for (int j = 0; j <= n; j++) {
            double swapped = matrix[i][j];
            matrix[i][j] = matrix[pivot][j];
            matrix[pivot][j] = swapped;
        }
        for (int k = 0; k < n; k++)
            if (k != i) {
                double factor = matrix[k][i] / matrix[i][i];
                for (int j = i; j <= n; j++)
                    matrix[k][j] -= factor * matrix[i][j];
            }
    }
    return 1;
}

/* Returns the smallest distance from the target to any face whose affine optimum has no negative weight.
 * Each subset of the corners is solved by Lagrange's conditions
 *   G w = mu 1,  sum w = 1. */
static double brute_force(int count, const double *gram)
{
    double best = INFINITY;
    for (int mask = 1; mask < 1 << count; mask++) {
        double matrix[CORNERS + 1][CORNERS + 2] = {{0}};
        int members[CORNERS], n = 0, inside = 1;
        for (int k = 0; k < count; k++)
            if (mask >> k & 1)
                members[n++] = k;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++)
                matrix[i][j] = gram[members[i] * CORNERS + members[j]];
            matrix[i][n] = matrix[n][i] = 1.0;
        }
        matrix[n][n + 1] = 1.0;
        if (!eliminate(matrix, n + 1))
            continue;
        for (int i = 0; i < n; i++)
            inside = inside && matrix[i][n + 1] / matrix[i][i] >= -1e-12;
        if (!inside)
            continue;
        double distance = 0.0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                distance += matrix[i][n + 1] / matrix[i][i] * matrix[j][n + 1] / matrix[j][j] *
                            gram[members[i] * CORNERS + members[j]];
        best = fmin(best, distance);
    }
    return best;
}

static void gram_fill(double points[CORNERS][DIMENSION], int count, double *gram)
{
    for (int k = 0; k < count; k++)
        for (int l = 0; l < count; l++) {
            gram[k * CORNERS + l] = 0.0;
            for (int i = 0; i < DIMENSION; i++)
                gram[k * CORNERS + l] += points[k][i] * points[l][i];
        }
}

static void check_weights(int count, const double *gram, const double *weights, double distance)
{
    double sum = 0.0, square = 0.0;
    for (int k = 0; k < count; k++) {
        assert_true(weights[k] >= 0.0);
        sum += weights[k];
        for (int l = 0; l < count; l++)
            square += weights[k] * weights[l] * gram[k * CORNERS + l];
    }
    assert_true(fabs(sum - 1.0) < 1e-12);
    assert_true(fabs(square - distance) < 1e-11);
}

/* Solves a problem. Each call uses the next lane, and some calls use the plain solvers instead of the
 * fastest ones. The solver starts at the nearest corner. Returns the distance. */
static double nearest(int count, const double *gram, double *weights)
{
    static int lane;
    Simplices simplices = {.count = CORNERS};
    LaneMask wanted = {0};
    int first = 0;
    lane = (lane + 1) % LANES;
    wanted[lane] = -1;
    for (int k = 0; k < count; k++) {
        first = gram[k * CORNERS + k] < gram[first * CORNERS + first] ? k : first;
        simplices.usable[k][lane] = -1;
        for (int l = 0; l < count; l++)
            simplices.gram[k][l][lane] = gram[k * CORNERS + l];
    }
    simplices.face[first][lane] = -1;
    simplices.weights[first][lane] = 1.0;
    (lane % 3 == 0 ? &lane_solvers_plain : lane_solvers())->improve(&simplices, &wanted);
    for (int k = 0; k < count; k++)
        weights[k] = simplices.weights[k][lane];
    return simplices.error[lane];
}

TEST(agrees_with_brute_force)
{
    Random random = {3};
    for (int round = 0; round < 4000; round++) {
        int count = 1 + round % FEW;
        double points[CORNERS][DIMENSION], gram[CORNERS * CORNERS], weights[CORNERS];
        double shift = 0.6 * random_signed(&random);
        for (int k = 0; k < count; k++)
            for (int i = 0; i < DIMENSION; i++)
                points[k][i] = random_signed(&random) + shift;
        gram_fill(points, count, gram);
        double distance = nearest(count, gram, weights);
        check_weights(count, gram, weights, distance);
        assert_true(fabs(distance - brute_force(count, gram)) < 1e-10);
    }
}

/* Tests more corners than brute force can enumerate. The result must satisfy the Karush-Kuhn-Tucker
 * conditions. Consider the plane through the result that is perpendicular to the line from the target. No
 * corner may lie on the target's side of this plane. */
TEST(many_corners_end_at_the_optimum)
{
    enum { WIDE = 2 * CORNERS };
    Random random = {9};
    for (int round = 0; round < 400; round++) {
        const int count = FEW + 1 + round % (CORNERS - FEW);
        double points[CORNERS][WIDE], gram[CORNERS * CORNERS] = {0.0}, weights[CORNERS];
        for (int k = 0; k < count; k++)
            for (int i = 0; i < WIDE; i++)
                points[k][i] = random_signed(&random) + 0.2;
        for (int k = 0; k < count; k++)
            for (int l = 0; l < count; l++)
                for (int i = 0; i < WIDE; i++)
                    gram[k * CORNERS + l] += points[k][i] * points[l][i];
        const double distance = nearest(count, gram, weights);
        check_weights(count, gram, weights, distance);
        for (int k = 0; k < count; k++) {
            double along = 0.0;
            for (int l = 0; l < count; l++)
                along += weights[l] * gram[k * CORNERS + l];
            assert_true(along > distance - 1e-9);
        }
    }
}

/* The nearest point is found even if corners coincide, are collinear, or enclose the target. */
TEST(dependent_corners)
{
    for (int round = 0; round < 500; round++) {
        double points[CORNERS][DIMENSION] = {{0}}, gram[CORNERS * CORNERS], weights[CORNERS];
        for (int k = 0; k < CORNERS; k++)
            points[k][0] = k % 4 - 1.25 + 0.001 * round;
        points[2][1] = round % 2;
        gram_fill(points, CORNERS, gram);
        double distance = nearest(CORNERS, gram, weights);
        check_weights(CORNERS, gram, weights, distance);
        /* Corners 0, 1 and 3 span the x axis from -1.25 to 1.75, and the target is the origin. */
        assert_true(distance < 1e-12);
    }
}

/* For every vector width, eight problems solved together give bit-identical results to the same problems
 * solved alone. */
TEST(lanes_do_not_depend_on_each_other)
{
    Random random = {5};
    for (int round = 0; round < 500; round++) {
        const int count = 1 + round % CORNERS;
        Simplices together = {.count = CORNERS};
        LaneMask every = (LaneMask){0} - 1;
        double gram[LANES][CORNERS * CORNERS];
        for (int lane = 0; lane < LANES; lane++) {
            double points[CORNERS][DIMENSION];
            for (int i = 0; i < count * DIMENSION; i++)
                points[i / DIMENSION][i % DIMENSION] = random_signed(&random) + 0.3;
            gram_fill(points, count, gram[lane]);
            for (int k = 0; k < count; k++)
                for (int l = 0; l < count; l++)
                    together.gram[k][l][lane] = gram[lane][k * CORNERS + l];
        }
        for (int k = 0; k < count; k++)
            together.usable[k] = every;
        together.face[0] = every;
        together.weights[0] = LANES_ALL(1.0);
        Simplices alone[LANES];
        for (int lane = 0; lane < LANES; lane++) {
            LaneMask wanted = {0};
            wanted[lane] = -1;
            alone[lane] = together;
            lane_solvers()->improve(&alone[lane], &wanted);
        }
        lane_solvers()->improve(&together, &every);
        for (int lane = 0; lane < LANES; lane++) {
            assert_true(together.error[lane] == alone[lane].error[lane]);
            for (int k = 0; k < count; k++)
                assert_true(together.weights[k][lane] == alone[lane].weights[k][lane]);
        }
    }
}

/* A blend starts at a bone at the origin and moves straight towards another bone. The target is at 2, and
 * the other bones are at 1 or 1.5, so the bones at 1.5 gain most. The first of these must be chosen, and
 * padding after the last bone must be ignored. */
TEST(greatest_gain_is_found)
{
    enum { BONES = 21, PADDED = 24 };
    for (int at = 1; at < BONES; at++) {
        double squares[PADDED], products[PADDED], inner[PADDED] = {0.0};
        BoneBlend blend = {.count = 1,
                           .bones = {0},
                           .weights = {1.0},
                           .inner = {inner},
                           .squares = squares,
                           .products = products};
        for (int bone = 0; bone < PADDED; bone++) {
            const double place = bone == 0                                         ? 0.0
                                 : bone >= BONES || (bone >= at && bone <= at + 1) ? 1.5
                                                                                   : 1.0;
            squares[bone] = place * place;
            products[bone] = 2.0 * place;
        }
        int32_t best = -1;
        lane_solvers()->gains_search(&blend, BONES, 0.0, 0.0, &best);
        assert_int_equal(best, at);
        lane_solvers_plain.gains_search(&blend, BONES, 0.0, 0.0, &best);
        assert_int_equal(best, at);
    }
}
