/* Finds the weights of a vertex for given bones: the point nearest to the vertex's trajectory in the convex
 * hull of the bones' predictions. An active-set method solves over all bones. Then only the K bones of
 * largest effect are kept, and their weights are solved again (Le and Deng 2012, section 4.2). The solvers
 * use the products G = T^T T and h = T^T a, so they do not read the frames. */
#include "datasets/geometry/cholesky.h"
#include "datasets/geometry/topology.h"
#include "methods/decomposition/ssdr/ssdr_steps.h"
#include "methods/reduction/dense.h"

#include <omp.h>

enum { BLOCK = 64, MEMBERS = FIT_INFLUENCES_MAX, FORMS = 10 };

/* Problem of one vertex: minimise w^T Q w - 2 q^T w over w >= 0 with sum 1. */
typedef struct WeightProblem {
    int bone_count;
    const double *forms;    /* [P][10][P] coefficients of Q_jk as a polynomial in the monomials of v */
    double monomials[10];   /* of v */
    const double *products; /* [P] q */
    double smooth;          /* smoothness strength, added to the diagonal of Q */
    double *rows;           /* [MEMBERS][P] rows of Q for the members of the active set */
    double *factor;         /* [MEMBERS][MEMBERS] Cholesky factor of Q + c 1 1^T for the first members */
    double shift;           /* c */
    int factored;           /* number of these members */
    int count;
    int members[MEMBERS];
    double weights[MEMBERS];
} WeightProblem;

static void member_add(WeightProblem *problem, int bone, double weight)
{
    const int bones = problem->bone_count;
    double *row = problem->rows + (ptrdiff_t)problem->count * bones;
    const double *form = problem->forms + (ptrdiff_t)bone * FORMS * bones;
    memset(row, 0, (size_t)bones * sizeof *row);
    for (int m = 0; m < FORMS; m++, form += bones)
        for (int k = 0; k < bones; k++)
            row[k] += problem->monomials[m] * form[k];
    row[bone] += problem->smooth;
    problem->members[problem->count] = bone;
    problem->weights[problem->count++] = weight;
}

static void member_remove(WeightProblem *problem, int slot)
{
    const ptrdiff_t bones = problem->bone_count;
    problem->count--;
    problem->factored = int_min(problem->factored, slot);
    for (int i = slot; i < problem->count; i++) {
        problem->members[i] = problem->members[i + 1];
        problem->weights[i] = problem->weights[i + 1];
        memcpy(problem->rows + i * bones, problem->rows + (i + 1) * bones, (size_t)bones * sizeof(double));
    }
}

/* Finds the weights of least error over the members of the active set, with sum 1 and any sign. For every
 * c, (Q + c 1 1^T) x = q + u 1 has the same solution. Members that were factored before are not factored
 * again. Returns false if the members are linearly dependent. */
static bool members_solve(WeightProblem *problem, double *solution)
{
    double y[MEMBERS], z[MEMBERS], sum_y = 0.0, sum_z = 0.0;
    const int n = problem->count;
    if (problem->factored == 0) {
        problem->shift = 0.0;
        for (int i = 0; i < n; i++)
            problem->shift += problem->rows[(ptrdiff_t)i * problem->bone_count + problem->members[i]] / n;
    }
    for (int i = problem->factored; i < n; i++) {
        const double *row = problem->rows + (ptrdiff_t)i * problem->bone_count;
        double *factor = problem->factor + (ptrdiff_t)i * MEMBERS;
        for (int j = 0; j <= i; j++)
            factor[j] = row[problem->members[j]] + problem->shift;
        const double diagonal = factor[i], left = cholesky_row(problem->factor, MEMBERS, i);
        if (!(left > 1e-11 * diagonal))
            return false;
        factor[i] = sqrt(left);
        problem->factored = i + 1;
    }
    for (int i = 0; i < n; i++) {
        y[i] = problem->products[problem->members[i]];
        z[i] = 1.0;
    }
    cholesky_solve(problem->factor, MEMBERS, n, y);
    cholesky_solve(problem->factor, MEMBERS, n, z);
    for (int i = n - 1; i >= 0; i--) {
        sum_y += y[i];
        sum_z += z[i];
    }
    for (int i = 0; i < n; i++)
        solution[i] = y[i] + z[i] * (1.0 - sum_y) / sum_z;
    return true;
}

/* Moves the weights to the minimum over the members of the active set. A member whose weight would become
 * negative leaves the set. Returns false if the members are linearly dependent. */
static bool members_minimize(WeightProblem *problem)
{
    double solution[MEMBERS];
    for (;;) {
        double step = 1.0;
        int leaving = -1;
        if (!members_solve(problem, solution))
            return false;
        for (int i = 0; i < problem->count; i++) {
            const double weight = problem->weights[i];
            if (solution[i] < 0.0 && weight / (weight - solution[i]) <= step) {
                step = weight / (weight - solution[i]);
                leaving = i;
            }
        }
        for (int i = 0; i < problem->count; i++)
            problem->weights[i] += step * (solution[i] - problem->weights[i]);
        if (leaving < 0)
            return true;
        member_remove(problem, leaving);
    }
}

/* Adds bones to the active set until no further bone lowers the error. */
static void members_grow(WeightProblem *problem, double *slopes)
{
    const double RESOLUTION = 1e-9;
    const int bones = problem->bone_count, max = int_min(bones, MEMBERS);
    for (int step = 0; step < 2 * MEMBERS && problem->count < max; step++) {
        double level = 0.0, scale = 0.0, steepest = 0.0;
        int entering = -1;
        for (int k = 0; k < bones; k++)
            slopes[k] = -problem->products[k];
        for (int i = 0; i < problem->count; i++)
            for (int k = 0; k < bones; k++)
                slopes[k] += problem->weights[i] * problem->rows[(ptrdiff_t)i * bones + k];
        for (int i = 0; i < problem->count; i++) {
            level += problem->weights[i] * slopes[problem->members[i]];
            scale += problem->rows[(ptrdiff_t)i * bones + problem->members[i]];
            slopes[problem->members[i]] = INFINITY;
        }
        for (int k = 0; k < bones; k++)
            if (slopes[k] - level < steepest) {
                steepest = slopes[k] - level;
                entering = k;
            }
        if (entering < 0 || -steepest < RESOLUTION * scale)
            return;
        member_add(problem, entering, 0.0);
        if (!members_minimize(problem)) {
            /* remove the new member (its weight is 0), because it depends on the other members */
            for (int i = 0; i < problem->count; i++)
                if (problem->members[i] == entering)
                    member_remove(problem, i);
            return;
        }
    }
}

/* Reduces the active set to `max` members. Repeatedly drops the member that changes the vertex least, by w
 * / (1 - w) ||M v - sum w M v||, and solves again for the weights of the other members. */
static void members_truncate(WeightProblem *problem, int max)
{
    while (problem->count > max) {
        double blends[MEMBERS] = {0.0}, square = 0.0, least_effect = INFINITY, kept = 0.0;
        int min = 0;
        for (int i = 0; i < problem->count; i++) {
            for (int k = 0; k < problem->count; k++)
                blends[i] += problem->weights[k] *
                             problem->rows[(ptrdiff_t)i * problem->bone_count + problem->members[k]];
            square += problem->weights[i] * blends[i];
        }
        for (int i = 0; i < problem->count; i++) {
            const double share = problem->weights[i] / (1.0 - problem->weights[i]);
            const double diagonal = problem->rows[(ptrdiff_t)i * problem->bone_count + problem->members[i]];
            const double effect = share * share * (diagonal - 2.0 * blends[i] + square);
            if (effect < least_effect) {
                least_effect = effect;
                min = i;
            }
        }
        member_remove(problem, min);
        for (int i = 0; i < problem->count; i++)
            kept += problem->weights[i];
        for (int i = 0; i < problem->count; i++)
            problem->weights[i] /= kept;
        (void)members_minimize(problem);
    }
}

static double problem_error(const WeightProblem *problem)
{
    double error = 0.0;
    for (int i = 0; i < problem->count; i++) {
        double sum = -2.0 * problem->products[problem->members[i]];
        for (int k = 0; k < problem->count; k++)
            sum +=
                problem->weights[k] * problem->rows[(ptrdiff_t)k * problem->bone_count + problem->members[i]];
        error += problem->weights[i] * sum;
    }
    return error;
}

/* Stores the members and their weights as the influences of a vertex. */
static void members_store(const WeightProblem *problem, int influences, int32_t *bones, double *weights)
{
    int used = 0;
    memset(bones, 0, (size_t)influences * sizeof *bones);
    memset(weights, 0, (size_t)influences * sizeof *weights);
    for (int i = 0; i < problem->count; i++)
        if (problem->weights[i] > 0.0) {
            bones[used] = problem->members[i];
            weights[used++] = problem->weights[i];
        }
}

/* Solves from the current bones and also from an empty set, and keeps the better result. */
static void vertex_solve(WeightProblem *problem, int influences, int32_t *bones, double *weights,
                         double *slopes)
{
    problem->count = problem->factored = 0;
    for (int k = 0; k < influences; k++)
        if (weights[k] > 0.0)
            member_add(problem, bones[k], weights[k]);
    (void)members_minimize(problem);
    const double kept = problem_error(problem);
    members_store(problem, influences, bones, weights);
    members_grow(problem, slopes);
    members_truncate(problem, influences);
    if (problem_error(problem) < kept)
        members_store(problem, influences, bones, weights);
}

/* Adds `smooth` times the mean weights of a vertex's neighbours to products [P]. */
static void neighbours_add(const SkinFit *fit, const Grouping *corners, const int32_t *old_bones,
                           const double *old_weights, int vertex, double smooth, double *products)
{
    const int64_t from = 2 * corners->first[vertex], to = 2 * corners->first[vertex + 1];
    for (int64_t side = from; side < int_max(1, (int)(to - from)) + from; side++) {
        const int32_t neighbour =
            from < to ? vertex_neighbour(fit->input->mesh->triangles, corners, side) : vertex;
        const ptrdiff_t first = (ptrdiff_t)neighbour * fit->influence_count;
        for (ptrdiff_t slot = first; slot < first + fit->influence_count; slot++)
            products[old_bones[slot]] += smooth * old_weights[slot] / int_max(1, (int)(to - from));
    }
}

Status convex_weights_solve(SkinFit *fit, double smooth, const Grouping *corners)
{
    const int rows = fit->target.row_count, bones = fit->bone_count, columns = 4 * bones;
    const size_t slots = (size_t)fit->vertex_count * (size_t)fit->influence_count;
    const size_t positions_size = BLOCK * (size_t)rows, products_size = BLOCK * (size_t)columns;
    const size_t work_size = (MEMBERS + 2) * (size_t)bones + MEMBERS * MEMBERS;
    LOCAL_TABLE(double, gram, columns, columns, "the weights of the vertices");
    LOCAL_TABLE(double, forms, (size_t)bones *FORMS, bones, "the weights of the vertices");
    LOCAL_TABLE(double, positions, fit->threads, positions_size, "the weights of the vertices");
    LOCAL_TABLE(double, products, fit->threads, products_size, "the weights of the vertices");
    LOCAL_TABLE(double, work, fit->threads, work_size, "the weights of the vertices");
    LOCAL_ARRAY(int32_t, old_bones, slots, "the weights of the vertices");
    LOCAL_ARRAY(double, old_weights, slots, "the weights of the vertices");
    memcpy(old_bones, fit->bones, slots * sizeof *old_bones);
    memcpy(old_weights, fit->weights, slots * sizeof *old_weights);
    /* Q_jk = v^T G_jk v is symmetric in v, so it needs one coefficient for each of the ten monomials */
#pragma omp parallel for schedule(dynamic) num_threads(fit->threads)
    for (int bone = 0; bone < bones; bone++) {
        double *stripe = gram + (ptrdiff_t)4 * bone * columns,
               *form = forms + (ptrdiff_t)bone * FORMS * bones;
        matrix_multiply(4, columns, rows, 1.0, matrix_by_rows(fit->maps + (ptrdiff_t)4 * bone * rows, rows),
                        matrix_transposed(fit->maps, rows), 0.0, stripe, columns);
        for (int a = 0; a < 4; a++)
            for (int b = a; b < 4; b++, form += bones)
                for (int k = 0; k < bones; k++)
                    form[k] = a == b ? stripe[(ptrdiff_t)a * columns + 4 * k + a]
                                     : stripe[(ptrdiff_t)a * columns + 4 * k + b] +
                                           stripe[(ptrdiff_t)b * columns + 4 * k + a];
    }
#pragma omp parallel for schedule(dynamic) num_threads(fit->threads)
    for (int first = 0; first < fit->vertex_count; first += BLOCK) {
        const size_t thread = (size_t)omp_get_thread_num();
        const int count = int_min(fit->vertex_count - first, BLOCK);
        double *block = positions + thread * positions_size, *product = products + thread * products_size;
        double *q = work + thread * work_size, *slopes = q + bones;
        trajectories_block(&fit->target, first, count, block);
        matrix_multiply(count, columns, rows, 1.0, matrix_by_rows(block, rows),
                        matrix_transposed(fit->maps, rows), 0.0, product, columns);
        for (int i = 0; i < count; i++) {
            const double *rest = fit->rest + (ptrdiff_t)3 * (first + i);
            const double v[4] = {rest[0], rest[1], rest[2], 1.0}, *h = product + (ptrdiff_t)i * columns;
            WeightProblem problem = {.bone_count = bones,
                                     .forms = forms,
                                     .products = q,
                                     .smooth = smooth,
                                     .rows = slopes + bones,
                                     .factor = slopes + (MEMBERS + 1) * (ptrdiff_t)bones};
            for (int a = 0, m = 0; a < 4; a++)
                for (int b = a; b < 4; b++)
                    problem.monomials[m++] = v[a] * v[b];
            for (int k = 0; k < bones; k++)
                q[k] = v[0] * h[4 * k] + v[1] * h[4 * k + 1] + v[2] * h[4 * k + 2] + h[4 * k + 3];
            if (smooth > 0.0)
                neighbours_add(fit, corners, old_bones, old_weights, first + i, smooth, q);
            const ptrdiff_t slot = (ptrdiff_t)(first + i) * fit->influence_count;
            vertex_solve(&problem, fit->influence_count, fit->bones + slot, fit->weights + slot, slopes);
        }
    }
    return status_ok();
}
