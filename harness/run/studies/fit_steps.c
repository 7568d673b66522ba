/* Checks statements of FESAM sections 4.1, 4.2 and 4.4 about the steps of coordinate descent, at the end of
 * a fit with preset=paper.
 *
 * Also compares two ways to solve a vertex's weights: the exact projection onto the vertex's simplex, and
 * non-negative least squares, which has the sum of the weights as a soft constraint. Both start from the
 * inner products of the four bones that individually predict a vertex best, and run on one thread.
 *
 *   parameters
 *     bones, iterations    number of bones and of iterations of the fit
 *     penalty              penalty on the sum of weights, in units of the predictions' mean square
 *     rounds               number of timing rounds
 *   measures of the fit
 *     square_off_percent   nonzero 4 x 4 blocks below the diagonal of X X^T
 *     factor_off_percent   nonzero 4 x 4 blocks below that of its Cholesky factor, ordered by minimum degree
 *     singular_percent     linear systems that were singular
 *     left_percent         vertices that left their initial region
 *     dense_us             time to factor and solve the equations of the transformations by LAPACK
 *     sparse_us            time to factor and solve them by CHOLMOD
 *     sparse_ratio         sparse_us / dense_us
 *   measures of the weights
 *     projection_ns        time of the projection per vertex
 *     nnls_ns              time of non-negative least squares per vertex
 *     nnls_ratio           nnls_ns / projection_ns
 *     nnls_sum_off         largest |sum - 1| of non-negative least squares
 *     nnls_worse_percent   increase of E_RMS over the projection, after the sum is scaled to 1
 *     nnls_worse_vertices_percent   vertices whose error is higher by more than a millionth */
#include "harness/run/studies/study.h"

#include "datasets/model/evaluate.h"
#include "methods/fitting/nnls.h"
#include "methods/reduction/dense.h"
#include "methods/reduction/sparse.h"

enum { CORNERS = 4, STRIDE = NNLS_UNKNOWNS_MAX };

/* Inner products that determine the weights of a vertex: y is its trajectory, phi are the predictions by
 * four bones. */
typedef struct Corners {
    double gram[CORNERS][CORNERS], products[CORNERS],
        square; /* gram: phi . phi; products: phi . y; square: y . y */
} Corners;

/* Finds the nonzero blocks of X X^T, one for each pair of bones that share a vertex. Then finds the blocks
 * of its Cholesky factor by repeatedly removing the bone of least degree and connecting its neighbours.
 * *square and *factor are fractions of the blocks below the diagonal. */
static Status fill_measure(const Rig *rig, int vertices, double *square, double *factor)
{
    const size_t bones = (size_t)rig->joint_count, slots = (size_t)rig->influence_count;
    double met = 0.0, filled = 0.0;
    LOCAL_TABLE(bool, meets, bones, bones, "a study");
    LOCAL_ARRAY(bool, gone, bones, "a study");
    for (size_t i = 0; i < (size_t)vertices * slots; i++)
        for (size_t k = i - i % slots; k <= i; k++)
            if (rig->weight_values[i] > 0.0f && rig->weight_values[k] > 0.0f)
                meets[(size_t)rig->weight_joints[i] * bones + (size_t)rig->weight_joints[k]] =
                    meets[(size_t)rig->weight_joints[k] * bones + (size_t)rig->weight_joints[i]] = true;
    for (size_t i = 0; i < bones; i++)
        for (size_t k = 0; k < i; k++)
            met += meets[i * bones + k];
    for (size_t step = 0; step < bones; step++) {
        size_t best = bones, min = bones + 1;
        for (size_t i = 0; i < bones; i++) {
            size_t degree = 0;
            for (size_t k = 0; k < bones; k++)
                degree += !gone[k] && k != i && meets[i * bones + k];
            if (!gone[i] && degree < min) {
                min = degree;
                best = i;
            }
        }
        filled += (double)min;
        gone[best] = true;
        for (size_t i = 0; i < bones; i++)
            for (size_t k = 0; k < bones; k++)
                if (!gone[i] && !gone[k] && meets[best * bones + i] && meets[best * bones + k])
                    meets[i * bones + k] = true;
    }
    const double below = fmax(0.5 * (double)(bones * (bones - 1)), 1.0);
    *square = met / below;
    *factor = filled / below;
    return status_ok();
}

/* Times the dense and the sparse solution of the equations of the transformations, X X^T, for as many right
 * sides as the reduction has dimensions. The rest pose is normalised, as in the fit. */
static Status solvers_time(const DecompositionResult *fit, int vertices, int rounds, Measures *measures)
{
    const Rig *rig = &fit->rig;
    const int size = 4 * rig->joint_count, slots = rig->influence_count, sides = fit->reduced_dimension;
    const size_t entries = (size_t)size * (size_t)size, rights = (size_t)size * (size_t)sides;
    const Bounds bounds = bounds_of(fit->rest, vertices);
    double times[2][STUDY_ROUNDS_MAX];
    CLEANUP(linear_algebra_restore) int threads = linear_algebra_serialize();
    LOCAL_ARRAY(double, square, entries, "a study");
    LOCAL_ARRAY(double, matrix, entries, "a study");
    LOCAL_ARRAY(double, right, rights, "a study");
    for (ptrdiff_t j = 0; j < vertices; j++) {
        double v[4] = {0.0, 0.0, 0.0, 1.0};
        for (int axis = 0; axis < 3; axis++)
            v[axis] = 2.0 * ((double)fit->rest[3 * j + axis] - 0.5 * (bounds.low[axis] + bounds.high[axis])) /
                      bounds.diagonal;
        for (ptrdiff_t a = j * slots; a < (j + 1) * slots; a++)
            for (ptrdiff_t b = j * slots; b < (j + 1) * slots; b++)
                for (int i = 0; i < 16; i++)
                    square[(4 * (ptrdiff_t)rig->weight_joints[a] + i / 4) * size + 4 * rig->weight_joints[b] +
                           i % 4] +=
                        (double)rig->weight_values[a] * v[i / 4] * (double)rig->weight_values[b] * v[i % 4];
    }
    for (int round = 0; round < rounds; round++)
        for (int sparse = 0; sparse < 2; sparse++) {
            bool singular = false;
            memcpy(matrix, square, entries * sizeof *matrix);
            for (size_t i = 0; i < rights; i++)
                right[i] = (double)(i % 7) - 3.0;
            const double start_s = clock_now_s();
            STATUS_TRY(sparse ? sparse_solve(matrix, size, right, sides, &singular)
                              : dense_solve(matrix, size, right, sides, &singular));
            times[sparse][round] = 1e6 * (clock_now_s() - start_s);
            if (singular)
                return status_ok();
        }
    study_add_times(measures, (const char *const[]){"dense_us", "sparse_us"},
                    (const double *const[]){times[0], times[1]}, rounds, "sparse_ratio");
    return status_ok();
}

/* Finds the four bones that individually predict each vertex best. If there are fewer bones, the best one
 * is repeated. */
static void corners_fill(const Animation *animation, const DecompositionResult *fit, int vertices,
                         int threads, Corners *corners)
{
    const Rig *rig = &fit->rig;
    const int bones = rig->joint_count, frames = animation->frame_count;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int j = 0; j < vertices; j++) {
        const Vec3 rest = point_at(fit->rest, j);
        double gains[CORNERS];
        int32_t best[CORNERS] = {0};
        int count = 0;
        for (int bone = 0; bone < bones; bone++) {
            double error = 0.0;
            for (int f = 0; f < frames; f++) {
                const float *frame = animation->positions + 3 * (ptrdiff_t)f * vertices;
                const Vec3 off = vec3_sub(transform_point(rig->transforms[(ptrdiff_t)f * bones + bone], rest),
                                          point_at(frame, j));
                error += vec3_dot(off, off);
            }
            count = largest_insert(-error, bone, count, CORNERS, gains, best);
        }
        for (int k = count; k < CORNERS; k++)
            best[k] = best[0];
        Corners *out = &corners[j];
        *out = (Corners){.square = 0.0};
        for (int f = 0; f < frames; f++) {
            const Vec3 y = point_at(animation->positions + 3 * (ptrdiff_t)f * vertices, j);
            Vec3 phi[CORNERS];
            out->square += vec3_dot(y, y);
            for (int k = 0; k < CORNERS; k++) {
                phi[k] = transform_point(rig->transforms[(ptrdiff_t)f * bones + best[k]], rest);
                out->products[k] += vec3_dot(phi[k], y);
                for (int l = 0; l <= k; l++)
                    out->gram[k][l] = out->gram[l][k] = out->gram[k][l] + vec3_dot(phi[k], phi[l]);
            }
        }
    }
}

/* Finds the point of a tetrahedron closest to the target (FESAM section 4.4). Gram-Schmidt on the edges
 * from the last corner gives three coordinates. In these coordinates, the target is either inside the
 * tetrahedron, or the closest point is on a face. If an edge depends linearly on the edges before it, the
 * tetrahedron is flat, and the closest point is also on a face. */
static void project(const Corners *corners, double weights[CORNERS])
{
    static const int faces[CORNERS][3] = {{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}};
    double edges[CORNERS][3] = {{0.0}}, y[3], scale = 0.0, min = INFINITY;
    bool flat = false;
    /* express the edges e_k = phi_k - phi_4 and y - phi_4 in the basis, by forward substitution with the
     * Cholesky factor */
    for (int k = 0; k < 3; k++) {
        for (int l = 0; l <= k; l++) {
            double sum =
                corners->gram[k][l] - corners->gram[k][3] - corners->gram[l][3] + corners->gram[3][3];
            scale = k == l ? sum : scale;
            for (int m = 0; m < l; m++)
                sum -= edges[k][m] * edges[l][m];
            if (l < k)
                edges[k][l] = edges[l][l] > 0.0 ? sum / edges[l][l] : 0.0;
            else
                edges[k][k] = sum > 1e-10 * scale ? sqrt(sum) : 0.0;
        }
        double sum = corners->products[k] - corners->products[3] - corners->gram[k][3] + corners->gram[3][3];
        for (int m = 0; m < k; m++)
            sum -= edges[k][m] * y[m];
        y[k] = edges[k][k] > 0.0 ? sum / edges[k][k] : 0.0;
        flat = flat || !(edges[k][k] > 0.0);
    }
    if (!flat) {
        for (int k = 2; k >= 0; k--) {
            weights[k] = y[k];
            for (int m = k + 1; m < 3; m++)
                weights[k] -= edges[m][k] * weights[m];
            weights[k] /= edges[k][k];
        }
        weights[3] = 1.0 - weights[0] - weights[1] - weights[2];
        if (weights[0] >= 0.0 && weights[1] >= 0.0 && weights[2] >= 0.0 && weights[3] >= 0.0)
            return;
    }
    const Vec3 target = vec3_make(y[0], y[1], y[2]);
    for (int face = 0; face < CORNERS; face++) {
        Vec3 points[3], nearest = vec3_make(0.0, 0.0, 0.0);
        double shares[3];
        for (int i = 0; i < 3; i++)
            points[i] =
                vec3_make(edges[faces[face][i]][0], edges[faces[face][i]][1], edges[faces[face][i]][2]);
        triangle_nearest(target, points, shares);
        for (int i = 0; i < 3; i++)
            nearest = vec3_add_scaled(nearest, points[i], shares[i]);
        const Vec3 off = vec3_sub(nearest, target);
        if (!(vec3_dot(off, off) < min))
            continue;
        min = vec3_dot(off, off);
        memset(weights, 0, CORNERS * sizeof *weights);
        for (int i = 0; i < 3; i++)
            weights[faces[face][i]] = shares[i];
    }
}

/* Solves for the weights by the method of James and Twigg. Returns the sum that the weights had before they
 * were scaled to sum 1. */
static double soft_solve(const Corners *corners, double penalty, double weights[CORNERS])
{
    double gram[CORNERS * STRIDE], mean = 0.0, sum = 0.0;
    for (int k = 0; k < CORNERS; k++) {
        memcpy(gram + k * STRIDE, corners->gram[k], sizeof corners->gram[k]);
        mean += corners->gram[k][k] / CORNERS;
    }
    nnls_solve(CORNERS, gram, corners->products, penalty * mean, weights);
    for (int k = 0; k < CORNERS; k++)
        sum += weights[k];
    for (int k = 0; k < CORNERS; k++)
        weights[k] = sum > 0.0 ? weights[k] / sum : k == 0;
    return sum;
}

static double squared_error(const Corners *corners, const double weights[CORNERS])
{
    double error = corners->square;
    for (int k = 0; k < CORNERS; k++) {
        error -= 2.0 * weights[k] * corners->products[k];
        for (int l = 0; l < CORNERS; l++)
            error += weights[k] * weights[l] * corners->gram[k][l];
    }
    return error;
}

Status study_fit_steps(const StudyInput *input, Measures *measures)
{
    const int iterations = (int)fmax(study_number(input, "iterations", 15.0), 0.0);
    CLEANUP(decomposition_result_clear) DecompositionResult first = {0}, last = {0};
    double square = 0.0, factor = 0.0, left = 0.0;
    if (!input->dataset || input->dataset->animation.frame_count < 1)
        return bad_input("there is no animation to fit");
    const int vertices = input->dataset->mesh.vertex_count;
    STATUS_TRY(study_fit_as_paper(input, 0, &first));
    STATUS_TRY(study_fit_as_paper(input, iterations, &last));
    STATUS_TRY(fill_measure(&last.rig, vertices, &square, &factor));
    for (int j = 0; j < vertices; j++)
        left += rig_heaviest_joint(&first.rig, j) != rig_heaviest_joint(&last.rig, j);
    measures_add(measures, "square_off_percent", 100.0 * square);
    measures_add(measures, "factor_off_percent", 100.0 * factor);
    /* A sweep solves 1 + N linear systems: one for the transformations and one for each rest position. */
    measures_add(measures, "singular_percent",
                 100.0 * last.singular_systems / (1.0 + last.iteration_count * (1.0 + vertices)));
    measures_add(measures, "left_percent", 100.0 * left / vertices);
    LOCAL_ARRAY(Corners, corners, vertices, "a study");
    corners_fill(&input->dataset->animation, &last, vertices, input->threads, corners);
    /* run both solvers over all vertices, alternating */
    const int rounds = study_rounds(input, 9.0);
    const double penalty = study_number(input, "penalty", 10.0);
    STATUS_TRY(solvers_time(&last, vertices, rounds, measures));
    double times[2][STUDY_ROUNDS_MAX], off = 0.0, exact = 0.0, soft = 0.0, worse = 0.0;
    LOCAL_TABLE(double, projected, vertices, CORNERS, "a study");
    LOCAL_TABLE(double, solved, vertices, CORNERS, "a study");
    for (int round = 0; round < rounds; round++) {
        const double start_s = clock_now_s();
        for (int j = 0; j < vertices; j++)
            project(&corners[j], projected + (ptrdiff_t)CORNERS * j);
        const double between_s = clock_now_s();
        for (int j = 0; j < vertices; j++)
            off = fmax(off, fabs(soft_solve(&corners[j], penalty, solved + (ptrdiff_t)CORNERS * j) - 1.0));
        times[0][round] = 1e9 * (between_s - start_s) / vertices;
        times[1][round] = 1e9 * (clock_now_s() - between_s) / vertices;
    }
    for (int j = 0; j < vertices; j++) {
        const double ours = squared_error(&corners[j], projected + (ptrdiff_t)CORNERS * j);
        const double theirs = squared_error(&corners[j], solved + (ptrdiff_t)CORNERS * j);
        exact += ours;
        soft += theirs;
        worse += theirs - ours > 2e-6 * ours + 1e-12 * corners[j].square;
    }
    study_add_times(measures, (const char *const[]){"projection_ns", "nnls_ns"},
                    (const double *const[]){times[0], times[1]}, rounds, "nnls_ratio");
    measures_add(measures, "nnls_sum_off", off);
    measures_add(measures, "nnls_worse_percent", 100.0 * (sqrt(soft / exact) - 1.0));
    measures_add(measures, "nnls_worse_vertices_percent", 100.0 * worse / vertices);
    return status_ok();
}
