/* Tests non-negative least squares: optimality conditions and known solutions. */
#include "methods/fitting/nnls.h"

#include "tests/sequences.h"

enum { ROWS = 12, MAX = NNLS_UNKNOWNS_MAX };

static void normal_equations(int count, double phi[MAX][ROWS], const double y[ROWS], double *gram,
                             double *products)
{
    for (int k = 0; k < count; k++) {
        products[k] = 0.0;
        for (int i = 0; i < ROWS; i++)
            products[k] += phi[k][i] * y[i];
        for (int l = 0; l < count; l++) {
            gram[k * MAX + l] = 0.0;
            for (int i = 0; i < ROWS; i++)
                gram[k * MAX + l] += phi[k][i] * phi[l][i];
        }
    }
}

/* The problem is convex, so weights are optimal if they meet the Karush-Kuhn-Tucker conditions. These
 * require a slope of zero at every positive weight, and a slope that is not negative at every zero weight.
 * Every third problem has a repeated column. */
TEST(optimality_holds)
{
    Random random = {7};
    for (int trial = 0; trial < 4000; trial++) {
        double phi[MAX][ROWS], y[ROWS], gram[MAX * MAX], products[MAX], weights[MAX];
        int count = 1 + trial % MAX;
        double penalty = trial % 4 == 0 ? 0.0 : pow(10.0, trial % 9 - 4);
        for (int i = 0; i < ROWS; i++) {
            y[i] = random_signed(&random);
            for (int k = 0; k < count; k++)
                phi[k][i] = y[i] * (trial % 5) + random_signed(&random);
        }
        if (trial % 3 == 0)
            memcpy(phi[count - 1], phi[0], sizeof phi[0]);
        normal_equations(count, phi, y, gram, products);
        nnls_solve(count, gram, products, penalty, weights);
        for (int k = 0; k < count; k++) {
            double slope = products[k] + penalty, scale = fabs(slope);
            for (int l = 0; l < count; l++) {
                slope -= (gram[k * MAX + l] + penalty) * weights[l];
                scale += fabs((gram[k * MAX + l] + penalty) * weights[l]);
            }
            assert_true(weights[k] >= 0.0);
            if (slope > 1e-9 * scale || (weights[k] > 0.0 && slope < -1e-9 * scale))
                fail_msg("trial %d: slope %g at weight %g", trial, slope, weights[k]);
        }
    }
}

/* For orthonormal columns phi_k, the solution is w_k = max(0, phi_k . y). With a penalty p on the deviation
 * of the sum from 1, and one column phi = y / 2 with a unit vector y, the weight is
 *
 *   (1/2 + p) / (1/4 + p) */
TEST(closed_forms)
{
    double gram[MAX * MAX] = {0}, products[MAX] = {0.5, -0.25, 2.0}, weights[MAX];
    for (int k = 0; k < 3; k++)
        gram[k * MAX + k] = 1.0;
    nnls_solve(3, gram, products, 0.0, weights);
    assert_true(fabs(weights[0] - 0.5) < 1e-15 && weights[1] == 0.0 && fabs(weights[2] - 2.0) < 1e-15);
    gram[0] = 0.25;
    products[0] = 0.5;
    nnls_solve(1, gram, products, 3.0, weights);
    assert_true(fabs(weights[0] - 3.5 / 3.25) < 1e-15);
    gram[0] = products[0] = 0.0; /* only the condition on the sum of the weights determines this weight */
    nnls_solve(1, gram, products, 1.0, weights);
    assert_true(fabs(weights[0] - 1.0) < 1e-15);
    nnls_solve(1, gram, products, 0.0, weights);
    assert_true(weights[0] == 0.0);
}
