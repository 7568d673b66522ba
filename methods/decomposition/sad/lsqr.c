/* LSQR: Golub and Kahan's bidiagonalisation of A, started from b, with a QR factorisation updated in each
 * step. Names follow Paige and Saunders 1982, section 4. */
#include "methods/decomposition/sad/lsqr.h"

#include "datasets/base/base.h"

/* Scales a vector to length 1. Returns its length. */
static double normalise(double *vector, int count)
{
    double length = 0.0;
    for (int i = 0; i < count; i++)
        length += vector[i] * vector[i];
    length = sqrt(length);
    for (int i = 0; i < count && length > 0.0; i++)
        vector[i] /= length;
    return length;
}

/* v = A^T u - beta v */
static void columns_multiply(const SparseRows *a, const double *u, double beta, double *v)
{
    for (int i = 0; i < a->unknown_count; i++)
        v[i] *= -beta;
    for (int r = 0; r < a->row_count; r++)
        for (int entry = a->first[r]; entry < a->first[r + 1]; entry++)
            v[a->unknowns[entry]] += a->values[entry] * u[r];
}

int lsqr_solve(const SparseRows *a, double tolerance, double *b, double *x, double *work)
{
    const int n = a->unknown_count;
    double *u = b, *v = work, *w = work + n;
    memset(x, 0, (size_t)n * sizeof *x);
    memset(v, 0, (size_t)n * sizeof *v);
    const double size = normalise(u, a->row_count);
    columns_multiply(a, u, 0.0, v);
    double alpha = normalise(v, n), squares = alpha * alpha, phi_bar = size, rho_bar = alpha;
    memcpy(w, v, (size_t)n * sizeof *w);
    int steps = 0;
    while (steps < 4 * n && alpha > 0.0 && size > 0.0) {
        steps++;
        /* compute the next vector of the bidiagonalisation: u = A v - alpha u */
        for (int r = 0; r < a->row_count; r++) {
            double sum = -alpha * u[r];
            for (int entry = a->first[r]; entry < a->first[r + 1]; entry++)
                sum += a->values[entry] * v[a->unknowns[entry]];
            u[r] = sum;
        }
        const double beta = normalise(u, a->row_count);
        columns_multiply(a, u, beta, v);
        alpha = normalise(v, n);
        squares += beta * beta + alpha * alpha;
        /* apply the rotation that eliminates beta, and update the solution */
        const double rho = hypot(rho_bar, beta), c = rho_bar / rho, s = beta / rho;
        const double theta = s * alpha, phi = c * phi_bar;
        rho_bar = -c * alpha;
        phi_bar *= s;
        for (int i = 0; i < n; i++) {
            x[i] += phi / rho * w[i];
            w[i] = v[i] - theta / rho * w[i];
        }
        /* stop by the estimates ||r|| = phi_bar and ||A^T r|| = phi_bar alpha |c|; `squares` estimates
         * ||A||_F^2 */
        if (phi_bar <= tolerance * size || alpha * fabs(c) <= tolerance * sqrt(squares))
            break;
    }
    return steps;
}
