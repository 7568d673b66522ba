/* Non-negative least squares on normal equations by the active-set algorithm of Lawson and Hanson (chapter
 * 23). For n unknowns, stops after the set of positive weights has changed at most 4n times. */
#include "methods/fitting/nnls.h"

#include "datasets/geometry/cholesky.h"

enum { MAX = NNLS_UNKNOWNS_MAX };

/* Normal equations, including the penalty on the sum, and the set of unknowns that may be positive. */
typedef struct Problem {
    int count;
    double matrix[MAX][MAX], right[MAX];
    int size, members[MAX];
} Problem;

/* Solves for the members of the active set without sign constraints, by Cholesky. Returns false if they are
 * linearly dependent. */
static bool members_solve(const Problem *problem, double solution[MAX])
{
    double factor[MAX][MAX];
    int n = problem->size;
    for (int i = 0; i < n; i++) {
        const double *row = problem->matrix[problem->members[i]];
        double diagonal = row[problem->members[i]];
        solution[i] = problem->right[problem->members[i]];
        for (int j = 0; j <= i; j++)
            factor[i][j] = row[problem->members[j]];
        const double left = cholesky_row(factor[0], MAX, i);
        if (!(left > 1e-13 * diagonal))
            return false;
        factor[i][i] = sqrt(left);
    }
    cholesky_solve(factor[0], MAX, n, solution);
    return true;
}

/* Moves the weights to the minimum over the members of the active set. Members whose weight becomes zero
 * leave the set. */
static bool members_minimize(Problem *problem, double *weights)
{
    double solution[MAX];
    while (problem->size > 0) {
        if (!members_solve(problem, solution))
            return false;
        bool inside = true;
        for (int i = 0; i < problem->size; i++)
            inside = inside && solution[i] > 0.0;
        if (inside) {
            for (int i = 0; i < problem->size; i++)
                weights[problem->members[i]] = solution[i];
            break;
        }
        /* move towards the solution until a weight vanishes, and remove all members whose weight vanishes
         * there */
        double step = 1.0;
        int leaving = -1, kept = 0;
        for (int i = 0; i < problem->size; i++) {
            double weight = weights[problem->members[i]];
            if (solution[i] > 0.0)
                continue;
            double reach = weight > 0.0 ? weight / (weight - solution[i]) : 0.0;
            if (leaving < 0 || reach < step) {
                step = reach;
                leaving = i;
            }
        }
        for (int i = 0; i < problem->size; i++) {
            int member = problem->members[i];
            weights[member] += step * (solution[i] - weights[member]);
            if (i == leaving || weights[member] <= 0.0)
                weights[member] = 0.0;
            else
                problem->members[kept++] = member;
        }
        problem->size = kept;
    }
    return true;
}

/* Returns the non-member along which the error falls fastest, relative to its scale; -1 if there is
 * none. */
static int entering_find(const Problem *problem, const double *weights, const bool *barred)
{
    int best = -1;
    double steepest = 0.0;
    for (int k = 0; k < problem->count; k++) {
        double slope = problem->right[k], scale = fabs(problem->right[k]), diagonal = problem->matrix[k][k];
        for (int l = 0; l < problem->count; l++) {
            slope -= problem->matrix[k][l] * weights[l];
            scale += fabs(problem->matrix[k][l] * weights[l]);
        }
        if (barred[k] || weights[k] > 0.0 || !(slope > 1e-13 * scale))
            continue;
        slope /= sqrt(diagonal);
        if (slope > steepest) {
            steepest = slope;
            best = k;
        }
    }
    return best;
}

void nnls_solve(int count, const double *gram, const double *products, double penalty, double *weights)
{
    Problem problem;
    bool barred[MAX] = {false};
    problem.count = count;
    problem.size = 0;
    for (int k = 0; k < count; k++) {
        weights[k] = 0.0;
        problem.right[k] = products[k] + penalty;
        for (int l = 0; l < count; l++)
            problem.matrix[k][l] = gram[k * MAX + l] + penalty;
        barred[k] = !(problem.matrix[k][k] > 0.0);
    }
    for (int round = 0; round < 4 * count; round++) {
        const int entering = entering_find(&problem, weights, barred), size = problem.size;
        int members[MAX];
        double next_weights[MAX];
        if (entering < 0)
            break;
        memcpy(members, problem.members, (size_t)size * sizeof *members);
        memcpy(next_weights, weights, (size_t)count * sizeof(double));
        problem.members[problem.size++] = entering;
        if (members_minimize(&problem, next_weights) && next_weights[entering] > 0.0) {
            memcpy(weights, next_weights, (size_t)count * sizeof(double));
        } else {
            barred[entering] = true;
            problem.size = size;
            memcpy(problem.members, members, (size_t)size * sizeof *members);
        }
    }
}
