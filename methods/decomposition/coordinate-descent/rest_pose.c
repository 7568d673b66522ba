/* The rest position of a vertex from its 3 x 3 normal equations (FESAM section 4.3). */
#include "methods/decomposition/coordinate-descent/rest_pose.h"

#include "datasets/geometry/jacobi.h"

#include <math.h>
#include <stdbool.h>

/* sum_k sum_l w_k w_l G_kl: the squares of the blended affine map, as a form. */
static void blended_form(const VertexProblem *problem, int count, const int32_t *bones, const double *weights,
                         double form[MONOMIALS])
{
    for (int i = 0; i < MONOMIALS; i++)
        form[i] = 0.0;
    for (int k = 0; k < count; k++)
        for (int l = 0; l <= k; l++) {
            double factor = (l == k ? 1.0 : 2.0) * weights[k] * weights[l];
            const double *pair = bone_pair(problem->pairs, bones[k], bones[l]);
            for (int i = 0; i < MONOMIALS; i++)
                form[i] += factor * pair[i];
        }
}

/* step = pseudoinverse(matrix) right */
static void pseudoinverse_step(double matrix[3][3], const double right[3], double step[3])
{
    double axes[3][3];
    jacobi_eigen(&matrix[0][0], 3, &axes[0][0]);
    double greatest = fmax(matrix[0][0], fmax(matrix[1][1], matrix[2][2]));
    step[0] = step[1] = step[2] = 0.0;
    for (int k = 0; k < 3; k++) {
        if (!(matrix[k][k] > 1e-9 * greatest))
            continue;
        double amount =
            (axes[0][k] * right[0] + axes[1][k] * right[1] + axes[2][k] * right[2]) / matrix[k][k];
        for (int i = 0; i < 3; i++)
            step[i] += amount * axes[i][k];
    }
}

int rest_pose_solve(const VertexProblem *problem, int count, const int32_t *bones, const double *weights,
                    double v[3])
{
    double form[MONOMIALS], right[3];
    blended_form(problem, count, bones, weights, form);
    double square[3][4] = {{form[0], 0.5 * form[1], 0.5 * form[2], 0.5 * form[3]},
                           {0.5 * form[1], form[4], 0.5 * form[5], 0.5 * form[6]},
                           {0.5 * form[2], 0.5 * form[5], form[7], 0.5 * form[8]}};
    for (int i = 0; i < 3; i++) {
        const double *products = problem->products + (ptrdiff_t)i * problem->pairs->stride;
        right[i] = -square[i][3];
        for (int j = 0; j < 3; j++)
            right[i] -= square[i][j] * v[j];
        for (int k = 0; k < count; k++)
            right[i] += weights[k] * products[bones[k]];
    }
    double c00 = square[1][1] * square[2][2] - square[1][2] * square[1][2];
    double c01 = square[0][2] * square[1][2] - square[0][1] * square[2][2];
    double c02 = square[0][1] * square[1][2] - square[0][2] * square[1][1];
    double determinant = square[0][0] * c00 + square[0][1] * c01 + square[0][2] * c02;
    double trace = square[0][0] + square[1][1] + square[2][2];
    if (!(determinant > 1e-10 * trace * trace * trace)) {
        double matrix[3][3] = {{square[0][0], square[0][1], square[0][2]},
                               {square[0][1], square[1][1], square[1][2]},
                               {square[0][2], square[1][2], square[2][2]}};
        double step[3];
        pseudoinverse_step(matrix, right, step);
        for (int i = 0; i < 3; i++)
            v[i] += step[i];
        return 1;
    }
    double c11 = square[0][0] * square[2][2] - square[0][2] * square[0][2];
    double c12 = square[0][1] * square[0][2] - square[0][0] * square[1][2];
    double c22 = square[0][0] * square[1][1] - square[0][1] * square[0][1];
    v[0] += (c00 * right[0] + c01 * right[1] + c02 * right[2]) / determinant;
    v[1] += (c01 * right[0] + c11 * right[1] + c12 * right[2]) / determinant;
    v[2] += (c02 * right[0] + c12 * right[1] + c22 * right[2]) / determinant;
    return 0;
}
