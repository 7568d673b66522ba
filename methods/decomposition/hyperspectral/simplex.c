/* The simplex of minimum volume around points (Craig 1994), with H corners in H - 1 dimensions. Its first
 * corners are data points, each the farthest from the span of the corners before it (successive
 * projections, Araujo et al. 2001). Then the simplex grows about the centre of the points until it contains
 * all of them.
 *
 * The barycentric coordinates of x = (1, y) are Q x. Minimum volume means maximum log |det Q| subject to Q
 * x >= 0, where the rows of Q sum to (1, 0, ...). A barrier method updates two rows of Q together. In such
 * an update the determinant is linear and the problem is convex. */
#include "methods/decomposition/hyperspectral/flats.h"

#include "methods/reduction/dense.h"

enum { SWEEPS = 3, STAGES = 12, HELD = 48 };
static const double INSIDE = 1e-9;

typedef struct Simplex {
    int corners, count;
    const double *points; /* [N][H] points as (1, coordinates) */
    double *rows;         /* [H][H] Q */
    double *places;       /* [H][H] Q^-1, with a corner in each column */
    int32_t *held;        /* [count] points around which the simplex is fitted */
    bool *is_held;        /* [N] */
} Simplex;

static double row_at(const Simplex *simplex, int corner, int32_t point)
{
    double sum = 0.0;
    for (int k = 0; k < simplex->corners; k++)
        sum += simplex->rows[corner * simplex->corners + k] *
               simplex->points[(ptrdiff_t)point * simplex->corners + k];
    return sum;
}

/* Places the corners at data points by successive projections. */
static Status corners_place(Simplex *simplex, int vertices)
{
    const int n = simplex->corners;
    LOCAL_TABLE(double, left, vertices, n, "a simplex");
    memcpy(left, simplex->points, (size_t)vertices * (size_t)n * sizeof *left);
    for (int corner = 0; corner < n; corner++) {
        double max = -1.0;
        int32_t farthest = 0;
        for (int v = 0; v < vertices; v++) {
            double square = 0.0;
            for (int k = 0; k < n; k++)
                square += left[(ptrdiff_t)v * n + k] * left[(ptrdiff_t)v * n + k];
            if (square > max) {
                max = square;
                farthest = v;
            }
        }
        LOCAL_ARRAY(double, direction, n, "a simplex");
        for (int k = 0; k < n; k++) {
            direction[k] = left[(ptrdiff_t)farthest * n + k] / sqrt(fmax(max, 1e-300));
            simplex->places[k * n + corner] = simplex->points[(ptrdiff_t)farthest * n + k];
        }
        for (int v = 0; v < vertices; v++) {
            double along = 0.0;
            for (int k = 0; k < n; k++)
                along += left[(ptrdiff_t)v * n + k] * direction[k];
            for (int k = 0; k < n; k++)
                left[(ptrdiff_t)v * n + k] -= along * direction[k];
        }
    }
    return dense_inverse(n, simplex->places, simplex->rows);
}

/* Returns the smallest barycentric coordinate of all points, which is negative if a point lies outside. */
static double simplex_depth(const Simplex *simplex, int vertices)
{
    double min = INFINITY;
    for (int corner = 0; corner < simplex->corners; corner++)
        for (int v = 0; v < vertices; v++)
            min = fmin(min, row_at(simplex, corner, v));
    return min;
}

/* Enlarges the simplex about its own centre until every barycentric coordinate is at least `depth`. */
static void simplex_grow(Simplex *simplex, int vertices, double depth)
{
    const int n = simplex->corners;
    const double middle = 1.0 / n, least = simplex_depth(simplex, vertices);
    const double factor = fmax(1.0, (middle - least) / (middle - depth));
    for (int corner = 0; corner < n; corner++)
        for (int k = 0; k < n; k++)
            simplex->rows[corner * n + k] =
                simplex->rows[corner * n + k] / factor + (k == 0 ? middle * (1.0 - 1.0 / factor) : 0.0);
}

static void point_hold(Simplex *simplex, int32_t point)
{
    if (!simplex->is_held[point])
        simplex->held[simplex->count++] = point;
    simplex->is_held[point] = true;
}

/* For each face, adds the point farthest outside it to the points around which the simplex is fitted. */
static void worst_hold(Simplex *simplex, int vertices)
{
    for (int corner = 0; corner < simplex->corners; corner++) {
        int32_t worst = 0;
        double min = INFINITY;
        for (int v = 0; v < vertices; v++) {
            const double value = row_at(simplex, corner, v);
            if (value < min) {
                min = value;
                worst = v;
            }
        }
        point_hold(simplex, worst);
    }
}

/* Makes a Newton step in delta, which changes rows i and l of Q to i + delta and l - delta. Minimises
 *   -log(1 + delta^T w) - mu sum_x (log q_i x + log q_l x)
 * Here w is the vector from corner l to corner i, and q_i and q_l are the changed rows. Workspace: work
 * [count][H + 2]. */
static Status pair_step(Simplex *simplex, int i, int l, double mu, double *work)
{
    const int n = simplex->corners;
    LOCAL_TABLE(double, hessian, n, n, "a simplex");
    LOCAL_ARRAY(double, delta, n, "a simplex");
    LOCAL_ARRAY(double, way, n, "a simplex");
    LOCAL_ARRAY(double, turned, n, "a simplex");
    double *values = work + (ptrdiff_t)simplex->count * n, *other = values + simplex->count, most = INFINITY;
    bool singular = false;
    for (int k = 0; k < n; k++) {
        way[k] = simplex->places[k * n + i] - simplex->places[k * n + l];
        delta[k] = way[k];
    }
    for (int p = 0; p < simplex->count; p++) {
        const double *point = simplex->points + (ptrdiff_t)simplex->held[p] * n;
        values[p] = row_at(simplex, i, simplex->held[p]);
        other[p] = row_at(simplex, l, simplex->held[p]);
        const double slope = mu * (1.0 / values[p] - 1.0 / other[p]),
                     root = sqrt(mu * (1.0 / (values[p] * values[p]) + 1.0 / (other[p] * other[p])));
        for (int k = 0; k < n; k++) {
            delta[k] += slope * point[k];
            work[(ptrdiff_t)p * n + k] = root * point[k];
        }
    }
    for (int k = 0; k < n; k++)
        for (int m = 0; m < n; m++)
            hessian[k * n + m] = way[k] * way[m];
    matrix_multiply(n, n, simplex->count, 1.0, matrix_transposed(work, n), matrix_by_rows(work, n), 1.0,
                    hessian, n);
    STATUS_TRY(dense_solve(hessian, n, delta, 1, &singular));
    double ahead = 0.0, step = 1.0;
    for (int k = 0; k < n; k++)
        ahead += delta[k] * way[k];
    if (ahead < 0.0)
        most = -1.0 / ahead;
    for (int p = 0; p < simplex->count; p++) {
        double change = 0.0;
        for (int k = 0; k < n; k++)
            change += delta[k] * simplex->points[(ptrdiff_t)simplex->held[p] * n + k];
        most = fmin(most, change < 0.0 ? -values[p] / change : change > 0.0 ? other[p] / change : INFINITY);
        work[p] = change;
    }
    /* shorten the step until the sum falls and all points are inside the faces */
    for (step = fmin(1.0, 0.9 * most); step > 1e-6; step *= 0.5) {
        double gain = log(1.0 + step * ahead);
        for (int p = 0; p < simplex->count; p++)
            gain += mu * log((1.0 + step * work[p] / values[p]) * (1.0 - step * work[p] / other[p]));
        if (gain > 0.0)
            break;
    }
    if (step <= 1e-6)
        return status_ok();
    /* update Q to Q + (e_i - e_l) delta^T, and its inverse by the formula of Sherman and Morrison */
    for (int k = 0; k < n; k++) {
        simplex->rows[i * n + k] += step * delta[k];
        simplex->rows[l * n + k] -= step * delta[k];
        for (int m = 0; m < n; m++)
            turned[k] += step * delta[m] * simplex->places[m * n + k];
    }
    for (int k = 0; k < n; k++)
        for (int m = 0; m < n; m++)
            simplex->places[k * n + m] -= way[k] * turned[m] / (1.0 + step * ahead);
    return status_ok();
}

Status flats_enclose(Flats *flats, bool inner)
{
    const int n = flats->handle_count, vertices = flats->vertex_count, size = 4 * flats->dimension,
              most = int_min(vertices, (HELD + STAGES) * n);
    LOCAL_TABLE(double, rows, n, n, "a simplex");
    LOCAL_TABLE(double, places, n, n, "a simplex");
    LOCAL_ARRAY(int32_t, held, most, "a simplex");
    LOCAL_ARRAY(bool, is_held, vertices, "a simplex");
    LOCAL_TABLE(double, maps, n, size, "a simplex");
    LOCAL_TABLE(double, weights, vertices, n, "a simplex");
    LOCAL_TABLE(double, work, most, n + 2, "a simplex");
    Simplex simplex = {.corners = n,
                       .points = flats->shares,
                       .rows = rows,
                       .places = places,
                       .held = held,
                       .is_held = is_held};
    STATUS_TRY(corners_place(&simplex, vertices));
    /* If the simplex with corners at data points contains all points, it already has the minimum volume:
     * any other simplex that contains its corners is at least as large. */
    if (n > 1 && !inner && simplex_depth(&simplex, vertices) < -INSIDE) {
        double mu = 1.0;
        for (int32_t v = 0; v < vertices; v += 1 + vertices / (HELD * n))
            point_hold(&simplex, v);
        for (int stage = 0; stage < STAGES; stage++, mu = fmax(0.2 * mu, 1e-6)) {
            simplex_grow(&simplex, vertices, stage == 0 ? 0.05 / n : 0.1 * mu / simplex.count);
            STATUS_TRY(dense_inverse(n, rows, places));
            for (int sweep = 0; sweep < SWEEPS; sweep++)
                for (int i = 0; i < n; i++)
                    STATUS_TRY(
                        pair_step(&simplex, i, (i + 1 + sweep % (n - 1)) % n, mu / simplex.count, work));
            worst_hold(&simplex, vertices);
        }
        simplex_grow(&simplex, vertices, 0.0);
        STATUS_TRY(dense_inverse(n, rows, places));
    }
    /* store the corners as bones and the barycentric coordinates as weights */
    matrix_multiply(n, size, n, 1.0, matrix_transposed(places, n), matrix_by_rows(flats->maps, size), 0.0,
                    maps, size);
    memcpy(flats->maps, maps, (size_t)n * (size_t)size * sizeof *maps);
    for (int v = 0; v < vertices; v++)
        for (int corner = 0; corner < n; corner++)
            weights[(ptrdiff_t)v * n + corner] = fmax(0.0, row_at(&simplex, corner, v));
    memcpy(flats->shares, weights, (size_t)vertices * (size_t)n * sizeof *weights);
    return status_ok();
}
