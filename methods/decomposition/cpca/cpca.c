/* CPCA (clustered principal component analysis): clusters vertices so that the trajectories of each cluster
 * lie near a linear subspace with 4 dimensions. */
#include "datasets/base/grouping.h"
#include "methods/fitting/decomposition_method.h"
#include "methods/fitting/seeds.h"
#include "methods/reduction/dense.h"
#include "methods/reduction/reduction.h"

#include <cblas.h>
#include <omp.h>

/* ---- subspaces ---- */

enum { SUBSPACE_SIZE = 4 };

typedef struct Subspaces {
    const Reduction *reduction;
    int cluster_count;
    int threads;         /* at least 1 */
    double *bases;       /* [P][SUBSPACE_SIZE][d] orthonormal bases; unused directions are zero */
    int32_t *cluster_of; /* [N] */
    double *errors;      /* [N] squared distance of each vertex from its cluster's subspace */
} Subspaces;

enum { BLOCK = 64 };

static void subspaces_clear(Subspaces *subspaces)
{
    FREE_ALL(subspaces->bases, subspaces->cluster_of, subspaces->errors);
    *subspaces = (Subspaces){0};
}

/* Returns the squared distance of vertex j from a cluster's subspace. The projection is subtracted from the
 * trajectory before squaring, which avoids cancellation. workspace [d]. */
static double subspace_distance_squared(const Subspaces *subspaces, int j, int cluster, double *workspace)
{
    int dimension = subspaces->reduction->dimension;
    const double *basis = subspaces->bases + (ptrdiff_t)cluster * SUBSPACE_SIZE * dimension;
    memcpy(workspace, subspaces->reduction->coordinates + (ptrdiff_t)j * dimension,
           (size_t)dimension * sizeof(double));
    for (int k = 0; k < SUBSPACE_SIZE; k++) {
        const double *direction = basis + (ptrdiff_t)k * dimension;
        double product = 0.0;
        for (int i = 0; i < dimension; i++)
            product += direction[i] * workspace[i];
        for (int i = 0; i < dimension; i++)
            workspace[i] -= product * direction[i];
    }
    double sum = 0.0;
    for (int i = 0; i < dimension; i++)
        sum += workspace[i] * workspace[i];
    return sum;
}

/* Sets direction k of the subspace to the trajectory of the cluster's vertex that lies farthest from the
 * subspace. Does nothing if all its vertices lie in the subspace. */
static void direction_add(Subspaces *subspaces, const Grouping *members, int cluster, int k,
                          double *workspace)
{
    int dimension = subspaces->reduction->dimension, farthest = -1;
    double *direction = subspaces->bases + ((ptrdiff_t)cluster * SUBSPACE_SIZE + k) * dimension;
    double max = 0.0;
    for (int64_t member = members->first[cluster]; member < members->first[cluster + 1]; member++) {
        double error = subspace_distance_squared(subspaces, members->members[member], cluster, workspace);
        if (error > max) {
            max = error;
            farthest = members->members[member];
        }
    }
    if (farthest < 0)
        return;
    subspace_distance_squared(subspaces, farthest, cluster, workspace);
    for (int i = 0; i < dimension; i++)
        direction[i] = workspace[i] / sqrt(max);
}

/* Makes one step of orthogonal iteration, V = orth(sum c (c^T V)). The step never reduces the norm of the
 * projections onto the subspace. next [SUBSPACE_SIZE][d] is workspace. */
static void basis_step(Subspaces *subspaces, const Grouping *members, int cluster, double *next)
{
    int dimension = subspaces->reduction->dimension;
    size_t bytes = SUBSPACE_SIZE * (size_t)dimension * sizeof(double);
    double *basis = subspaces->bases + (ptrdiff_t)cluster * SUBSPACE_SIZE * dimension;
    memset(next, 0, bytes);
    for (int64_t member = members->first[cluster]; member < members->first[cluster + 1]; member++) {
        const double *c = subspaces->reduction->coordinates + (ptrdiff_t)members->members[member] * dimension;
        for (int k = 0; k < SUBSPACE_SIZE; k++)
            cblas_daxpy(dimension, cblas_ddot(dimension, basis + (ptrdiff_t)k * dimension, 1, c, 1), c, 1,
                        next + (ptrdiff_t)k * dimension, 1);
    }
    /* orthonormalise twice (Gram-Schmidt); a direction that vanishes becomes zero */
    for (int k = 0; k < SUBSPACE_SIZE; k++) {
        double *vector = next + (ptrdiff_t)k * dimension;
        double before = cblas_ddot(dimension, vector, 1, vector, 1);
        for (int other = 0; other < 2 * k; other++) {
            const double *direction = next + (ptrdiff_t)(other % k) * dimension;
            cblas_daxpy(dimension, -cblas_ddot(dimension, vector, 1, direction, 1), direction, 1, vector, 1);
        }
        double square = cblas_ddot(dimension, vector, 1, vector, 1);
        cblas_dscal(dimension, square > 1e-24 * before ? 1.0 / sqrt(square) : 0.0, vector, 1);
    }
    memcpy(basis, next, bytes);
}

/* Gives each empty cluster the vertex of largest error from a cluster with several vertices. A new basis
 * starts from the trajectories of vertices far from each other. Steps of orthogonal iteration then move the
 * bases towards the leading eigenvectors of each cluster's Gram matrix. Finally, sets the errors. Their sum
 * never rises. */
static Status subspaces_fit(Subspaces *subspaces, int steps)
{
    size_t workspace_size = SUBSPACE_SIZE * (size_t)subspaces->reduction->dimension;
    size_t clusters = (size_t)subspaces->cluster_count;
    LOCAL_ARRAY(int32_t, sizes, clusters, "the subspaces of the clusters");
    LOCAL_TABLE(double, workspace, subspaces->threads, workspace_size, "the subspaces of the clusters");
    CLEANUP(grouping_clear) Grouping members = {0};
    /* give every empty cluster a vertex */
    int vertices = subspaces->reduction->vertex_count;
    for (int j = 0; j < vertices; j++)
        sizes[subspaces->cluster_of[j]]++;
    for (int cluster = 0; cluster < subspaces->cluster_count; cluster++) {
        int worst = -1;
        if (sizes[cluster] > 0)
            continue;
        for (int j = 0; j < vertices; j++)
            if (sizes[subspaces->cluster_of[j]] > 1 &&
                (worst < 0 || subspaces->errors[j] > subspaces->errors[worst]))
                worst = j;
        if (worst < 0 || !(subspaces->errors[worst] > 0.0))
            continue;
        sizes[subspaces->cluster_of[worst]]--;
        sizes[cluster]++;
        subspaces->cluster_of[worst] = cluster;
        subspaces->errors[worst] = 0.0;
    }
    STATUS_TRY(grouping_init(subspaces->cluster_of, (size_t)subspaces->reduction->vertex_count,
                             subspaces->cluster_count, "the subspaces of the clusters", &members));
#pragma omp parallel for schedule(dynamic) num_threads(subspaces->threads)
    for (int cluster = 0; cluster < subspaces->cluster_count; cluster++) {
        double *local = workspace + (size_t)omp_get_thread_num() * workspace_size;
        int dimension = subspaces->reduction->dimension;
        for (int k = 0; k < SUBSPACE_SIZE; k++) {
            const double *direction = subspaces->bases + ((ptrdiff_t)cluster * SUBSPACE_SIZE + k) * dimension;
            if (cblas_ddot(dimension, direction, 1, direction, 1) == 0.0)
                direction_add(subspaces, &members, cluster, k, local);
        }
        for (int step = 0; step < steps; step++)
            basis_step(subspaces, &members, cluster, local);
    }
#pragma omp parallel for schedule(static) num_threads(subspaces->threads)
    for (int j = 0; j < subspaces->reduction->vertex_count; j++)
        subspaces->errors[j] =
            subspace_distance_squared(subspaces, j, subspaces->cluster_of[j],
                                      workspace + (size_t)omp_get_thread_num() * workspace_size);
    return status_ok();
}

/* Assigns every vertex to its nearest subspace, which is the one with the longest projection. If several are
 * equally near, the vertex stays in its cluster, or takes the lowest index if its cluster is not among them.
 * *moved is the number of vertices that changed their cluster. */
static Status subspaces_assign(Subspaces *subspaces, int *moved)
{
    const Reduction *reduction = subspaces->reduction;
    const int columns = SUBSPACE_SIZE * subspaces->cluster_count, dimension = reduction->dimension;
    const size_t workspace_size = BLOCK * (size_t)columns;
    LOCAL_TABLE(double, workspace, subspaces->threads, workspace_size, "the clusters of the vertices");
    int sum = 0;
#pragma omp parallel for schedule(dynamic) num_threads(subspaces->threads) reduction(+ : sum)
    for (int first = 0; first < reduction->vertex_count; first += BLOCK) {
        double *products = workspace + (size_t)omp_get_thread_num() * workspace_size;
        const int count = int_min(reduction->vertex_count - first, BLOCK);
        matrix_multiply(count, columns, dimension, 1.0,
                        matrix_by_rows(reduction->coordinates + (ptrdiff_t)first * dimension, dimension),
                        matrix_transposed(subspaces->bases, dimension), 0.0, products, columns);
        for (int i = 0; i < count; i++) {
            const int current = subspaces->cluster_of[first + i];
            int nearest = current;
            double longest = -1.0;
            for (int candidate = -1; candidate < subspaces->cluster_count; candidate++) {
                const int cluster = candidate < 0 ? current : candidate;
                const double *product =
                    products + (ptrdiff_t)i * columns + (ptrdiff_t)cluster * SUBSPACE_SIZE;
                double square = 0.0;
                for (int k = 0; k < SUBSPACE_SIZE; k++)
                    square += product[k] * product[k];
                if (square > longest * (1.0 + 1e-14)) {
                    longest = square;
                    nearest = cluster;
                }
            }
            sum += nearest != current;
            subspaces->cluster_of[first + i] = nearest;
        }
    }
    *moved = sum;
    return status_ok();
}

/* Returns the sum of the errors of all vertices. */
static double subspaces_error(const Subspaces *subspaces)
{
    double sum = 0.0;
    for (int j = 0; j < subspaces->reduction->vertex_count; j++)
        sum += subspaces->errors[j];
    return sum;
}

typedef enum CpcaParameter { CPCA_THRESHOLD, CPCA_REST_POSE, CPCA_PARAMETER_COUNT } CpcaParameter;

/* Number of steps of orthogonal iteration at the start, in each iteration, and before the result is
 * delivered. */
enum { STEPS_FIRST = 8, STEPS_NEXT = 3, STEPS_LAST = 30 };

static const Parameter parameters[CPCA_PARAMETER_COUNT + 1] = {
    [CPCA_THRESHOLD] = {"threshold", "maximum error of the dimension reduction in units of E_RMS",
                        PARAMETER_REAL, 0.05, 0, 1000, NULL},
    [CPCA_REST_POSE] = REST_POSE_PARAMETER(REST_POSE_FIRST),
};

/* Delivers the non-empty clusters, renumbered from 0, as a low-rank model. The error of rounding coefficients
 * to float can be added to the squared error of the model, because the basis is orthonormal and the residual
 * of a vertex is orthogonal to it. */
static Status cpca_deliver(const Subspaces *subspaces, DecompositionResult *result)
{
    LowRank *model = &result->low_rank;
    const Reduction *reduction = subspaces->reduction;
    const int dimension = reduction->dimension;
    double rounding = 0.0;
    int count = 0;
    LOCAL_ARRAY(int32_t, numbers, subspaces->cluster_count, "the low-rank model");
    for (int j = 0; j < reduction->vertex_count; j++)
        numbers[subspaces->cluster_of[j]] = 1;
    for (int cluster = 0; cluster < subspaces->cluster_count; cluster++)
        numbers[cluster] = numbers[cluster] ? count++ : -1;
    result->bones_delivered = count;
    model->rank = SUBSPACE_SIZE * count;
    model->row_count = reduction->row_count;
    ALLOCATE_TABLE(model->basis, model->row_count, model->rank, "the low-rank model");
    ALLOCATE_TABLE(model->coefficients, model->rank, reduction->vertex_count, "the low-rank model");
    /* the basis [3F][4P]: the bases of the clusters, multiplied by the basis B of the reduction */
#pragma omp parallel for schedule(static) num_threads(subspaces->threads)
    for (int row = 0; row < model->row_count; row++)
        for (int index = 0; index < SUBSPACE_SIZE * subspaces->cluster_count; index++) {
            const ptrdiff_t cluster = numbers[index / SUBSPACE_SIZE];
            const double *direction = subspaces->bases + (ptrdiff_t)index * dimension;
            double sum = 0.0;
            for (int i = 0; i < dimension && cluster >= 0; i++)
                sum += direction[i] * reduction->basis[(ptrdiff_t)i * reduction->row_count + row];
            if (cluster >= 0)
                model->basis[(ptrdiff_t)row * model->rank + SUBSPACE_SIZE * cluster + index % SUBSPACE_SIZE] =
                    sum;
        }
    for (int j = 0; j < reduction->vertex_count; j++)
        for (int k = 0; k < SUBSPACE_SIZE; k++) {
            const ptrdiff_t cluster = subspaces->cluster_of[j], row = SUBSPACE_SIZE * numbers[cluster] + k;
            const double *direction = subspaces->bases + (SUBSPACE_SIZE * cluster + k) * dimension;
            const double *coordinates = reduction->coordinates + (ptrdiff_t)j * dimension;
            double exact = 0.0;
            for (int i = 0; i < dimension; i++)
                exact += direction[i] * coordinates[i];
            const float rounded = (float)exact;
            model->coefficients[row * reduction->vertex_count + j] = rounded;
            rounding += (exact - (double)rounded) * (exact - (double)rounded);
        }
    result->squared_error[result->iteration_count] += rounding;
    return status_ok();
}

static Status cpca_fit(const DecompositionInput *input, const DecompositionOptions *options,
                       DecompositionResult *result)
{
    const double started_s = clock_now_s();
    const double entries = 3.0 * input->animation->frame_count * input->mesh->vertex_count;
    const ReductionOptions reducing = {.strategy = REDUCTION_GRAM,
                                       .threshold = 1e-3 * options->parameters[CPCA_THRESHOLD] *
                                                    input->unit_radius * sqrt(entries),
                                       .threads = options->threads,
                                       .progress = options->progress};
    CLEANUP(reduction_clear) Reduction reduction = {0};
    CLEANUP(subspaces_clear) Subspaces subspaces = {0};
    STATUS_TRY(decomposition_result_begin(result, options->bones, options->iterations));
    /* reduce the animation and make the first clusters */
    STATUS_TRY(reduction_init(input->animation, input->mesh->vertex_count, &reducing, &reduction));
    result->reduction_s = clock_now_s() - started_s;
    result->reduced_dimension = reduction.dimension;
    STATUS_TRY(decomposition_ask(options, "clusters", 0.4));
    /* the first clusters form around evenly spread seeds */
    const Mesh *mesh = input->mesh;
    const int enough =
        (mesh->vertex_count + SUBSPACE_SIZE - 1) /
        SUBSPACE_SIZE; /* a cluster with no more vertices than directions is represented exactly */
    const int wanted = int_min(options->bones, enough);
    LOCAL_TABLE(double, rest, mesh->vertex_count, 3, "the rest pose");
    CLEANUP(seeds_clear) Seeds seeds = {0};
    for (ptrdiff_t i = 0; i < (ptrdiff_t)3 * mesh->vertex_count; i++)
        rest[i] = (double)mesh->rest[i];
    STATUS_TRY(seeds_place(mesh, rest, SEEDS_STRAIGHT, wanted, seeds_start(options->seed), &seeds));
    /* the vertices nearest to a seed form its cluster */
    subspaces = (Subspaces){.reduction = &reduction, .cluster_count = wanted, .threads = options->threads};
    ALLOCATE_TABLE(subspaces.bases, (size_t)wanted * SUBSPACE_SIZE, reduction.dimension,
                   "the clusters of the vertices");
    ALLOCATE(subspaces.cluster_of, reduction.vertex_count, "the clusters of the vertices");
    ALLOCATE(subspaces.errors, reduction.vertex_count, "the clusters of the vertices");
    seeds_nearest(&seeds, rest, 0, mesh->vertex_count, subspaces.cluster_of);
    STATUS_TRY(subspaces_fit(&subspaces, STEPS_FIRST));
    const double residual = reduction.residual;
    decomposition_result_record(result, 0, subspaces_error(&subspaces) + residual, started_s);
    result->initialization_s = result->elapsed_s[0];
    /* run Lloyd's iterations; they terminate, because neither of their two steps raises the error */
    result->end = FIT_ITERATION_CAP;
    for (int iteration = 1; iteration <= options->iterations; iteration++) {
        int moved = 0;
        if (decomposition_must_end(options, started_s, iteration - 1, "clusters",
                                   0.4 + 0.6 * (iteration - 1) / options->iterations, &result->end))
            break;
        STATUS_TRY(subspaces_assign(&subspaces, &moved));
        if (moved == 0) {
            result->end = FIT_COMPLETE;
            break;
        }
        STATUS_TRY(subspaces_fit(&subspaces, STEPS_NEXT));
        decomposition_result_record(result, iteration, subspaces_error(&subspaces) + residual, started_s);
    }
    /* deliver */
    STATUS_TRY(subspaces_fit(&subspaces, STEPS_LAST));
    result->squared_error[result->iteration_count] = subspaces_error(&subspaces) + residual;
    STATUS_TRY(cpca_deliver(&subspaces, result));
    decomposition_result_finish(result, options, started_s);
    return status_ok();
}

const DecompositionMethod cpca_method = {
    .name = "cpca",
    .title = "Clustered PCA",
    .citation = "Sattler, Sarlette, Klein 2005, Simple and Efficient Compression of Animation Sequences",
    .summary = "Clusters vertices by their trajectories and compresses each cluster with a principal "
               "component analysis; no bones.",
    .parameters = parameters,
    .rest_pose_row = CPCA_REST_POSE,
    .fit = cpca_fit,
};
