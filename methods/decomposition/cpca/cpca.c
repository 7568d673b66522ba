/* CPCA: vertices clustered by the linear subspace their trajectories lie in, 4 dimensions per cluster. */
#include "datasets/base/clock.h"
#include "datasets/base/memory.h"
#include "methods/decomposition/cpca/subspaces.h"
#include "methods/fitting/decomposition_method.h"
#include "methods/fitting/seeds.h"

#include <math.h>

typedef enum CpcaParameter { CPCA_THRESHOLD, CPCA_REST_POSE, CPCA_PARAMETER_COUNT } CpcaParameter;

/* Of orthogonal iteration: at the start, in an iteration, and for what is delivered. */
enum { STEPS_FIRST = 8, STEPS_NEXT = 3, STEPS_LAST = 30 };

static const Parameter parameters[CPCA_PARAMETER_COUNT] = {
    [CPCA_THRESHOLD] = {"threshold", "error of the dimension reduction in units of E_RMS", PARAMETER_REAL,
                        0.05, 0, 1000, NULL},
    [CPCA_REST_POSE] = REST_POSE_PARAMETER(REST_POSE_FIRST),
};

typedef struct Cpca {
    const DecompositionInput *input;
    const DecompositionOptions *options;
    double started_s;
    Reduction reduction;
    Subspaces subspaces;
    DecompositionResult *result;
} Cpca;

static bool cpca_report(const Cpca *cpca, const char *what, double share)
{
    return progress_report(cpca->options->progress, what, share);
}

static Status cpca_reduce(Cpca *cpca)
{
    int vertices = cpca->input->mesh->vertex_count;
    double entries = 3.0 * cpca->input->animation->frame_count * vertices;
    ReductionOptions reducing = {.strategy = REDUCTION_GRAM,
                                 .threshold = 1e-3 * cpca->options->parameters[CPCA_THRESHOLD] *
                                              cpca->input->unit_radius * sqrt(entries),
                                 .threads = cpca->options->threads,
                                 .progress = cpca->options->progress};
    Status status = reduction_init(cpca->input->animation, vertices, &reducing, &cpca->reduction);
    cpca->result->reduction_s = clock_now_s() - cpca->started_s;
    return status;
}

/* First clusters: the vertices nearest to evenly spread seeds. */
static Status cpca_seed(Cpca *cpca)
{
    const Mesh *mesh = cpca->input->mesh;
    int wanted = cpca->options->bones < mesh->vertex_count ? cpca->options->bones : mesh->vertex_count;
    LOCAL_TABLE(double, rest, mesh->vertex_count, 3, "the rest pose");
    CLEANUP(seeds_clear) Seeds seeds = {0};
    for (ptrdiff_t i = 0; i < (ptrdiff_t)3 * mesh->vertex_count; i++)
        rest[i] = (double)mesh->rest[i];
    STATUS_TRY(seeds_place(mesh, rest, wanted, seeds_start(cpca->options->seed), &seeds));
    STATUS_TRY(subspaces_init(&cpca->reduction, wanted, cpca->options->threads, &cpca->subspaces));
    seeds_nearest(&seeds, rest, 0, mesh->vertex_count, cpca->subspaces.cluster_of);
    return status_ok();
}

static Status cpca_fit_bases(Cpca *cpca, int iteration, int steps)
{
    DecompositionResult *result = cpca->result;
    Status status = subspaces_fit(&cpca->subspaces, steps);
    result->squared_error[iteration] = subspaces_error(&cpca->subspaces) + cpca->reduction.residual;
    result->elapsed_s[iteration] = clock_now_s() - cpca->started_s;
    result->iteration_count = iteration;
    return status;
}

static Status cpca_start(Cpca *cpca)
{
    STATUS_TRY(cpca_reduce(cpca));
    if (!cpca_report(cpca, "clusters", 0.4))
        return status_make(STATUS_STOPPED, "stopped before there was a model");
    STATUS_TRY(cpca_seed(cpca));
    STATUS_TRY(cpca_fit_bases(cpca, 0, STEPS_FIRST));
    cpca->result->reduced_dimension = cpca->reduction.dimension;
    cpca->result->initialization_s = cpca->result->elapsed_s[0];
    return status_ok();
}

/* Lloyd's iterations: neither half raises the error, so they end. */
static Status cpca_iterate(Cpca *cpca)
{
    const DecompositionOptions *options = cpca->options;
    FitEnd *end = &cpca->result->end;
    *end = FIT_ITERATION_CAP;
    for (int iteration = 1; iteration <= options->iterations; iteration++) {
        int moved = 0;
        if (decomposition_must_end(options, cpca->started_s, iteration - 1, "clusters",
                                   0.4 + 0.6 * (iteration - 1) / options->iterations, end))
            break;
        STATUS_TRY(subspaces_assign(&cpca->subspaces, &moved));
        if (moved == 0) {
            *end = FIT_COMPLETE;
            break;
        }
        STATUS_TRY(cpca_fit_bases(cpca, iteration, STEPS_NEXT));
    }
    return status_ok();
}

/* Numbers the clusters that have vertices from 0; returns how many. */
static int clusters_number(const Subspaces *subspaces, int32_t *numbers)
{
    int count = 0;
    for (int j = 0; j < subspaces->reduction->vertex_count; j++)
        numbers[subspaces->cluster_of[j]] = 1;
    for (int cluster = 0; cluster < subspaces->cluster_count; cluster++)
        numbers[cluster] = numbers[cluster] ? count++ : -1;
    return count;
}

/* B times the clusters' bases, [3F][4P]. */
static void basis_fill(const Subspaces *subspaces, const int32_t *numbers, LowRank *model)
{
    const Reduction *reduction = subspaces->reduction;
    int dimension = reduction->dimension;
#pragma omp parallel for schedule(static) num_threads(subspaces->threads)
    for (int row = 0; row < model->row_count; row++)
        for (int at = 0; at < SUBSPACE_SIZE * subspaces->cluster_count; at++) {
            int cluster = numbers[at / SUBSPACE_SIZE];
            const double *direction = subspaces->bases + (ptrdiff_t)at * dimension;
            double sum = 0.0;
            for (int i = 0; i < dimension && cluster >= 0; i++)
                sum += direction[i] * reduction->basis[(ptrdiff_t)i * reduction->row_count + row];
            if (cluster >= 0)
                model->basis[(ptrdiff_t)row * model->rank + (ptrdiff_t)SUBSPACE_SIZE * cluster +
                             at % SUBSPACE_SIZE] = sum;
        }
}

static double dot(int count, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Coefficients of each vertex on its cluster's rows; returns what their rounding to float adds to the squared
 * error: the basis of a cluster is orthonormal, and what is left of a vertex orthogonal to it. */
static double coefficients_fill(const Subspaces *subspaces, const int32_t *numbers, LowRank *model)
{
    const Reduction *reduction = subspaces->reduction;
    int dimension = reduction->dimension;
    double rounding = 0.0;
    for (int j = 0; j < reduction->vertex_count; j++)
        for (int k = 0; k < SUBSPACE_SIZE; k++) {
            ptrdiff_t at = (ptrdiff_t)SUBSPACE_SIZE * subspaces->cluster_of[j] + k;
            ptrdiff_t row = (ptrdiff_t)SUBSPACE_SIZE * numbers[subspaces->cluster_of[j]] + k;
            double exact = dot(dimension, subspaces->bases + at * dimension,
                               reduction->coordinates + (ptrdiff_t)j * dimension);
            float rounded = (float)exact;
            model->coefficients[row * reduction->vertex_count + j] = rounded;
            rounding += (exact - (double)rounded) * (exact - (double)rounded);
        }
    return rounding;
}

static Status cpca_deliver(Cpca *cpca)
{
    DecompositionResult *result = cpca->result;
    LowRank *model = &result->low_rank;
    size_t vertices = (size_t)cpca->reduction.vertex_count, rows = (size_t)cpca->reduction.row_count;
    LOCAL_ARRAY(int32_t, numbers, cpca->subspaces.cluster_count, "the low-rank model");
    result->bones_delivered = clusters_number(&cpca->subspaces, numbers);
    size_t rank = SUBSPACE_SIZE * (size_t)result->bones_delivered;
    ALLOCATE_TABLE(model->basis, rows, rank, "the low-rank model");
    ALLOCATE_TABLE(model->coefficients, rank, vertices, "the low-rank model");
    model->rank = (int)rank;
    model->row_count = cpca->reduction.row_count;
    basis_fill(&cpca->subspaces, numbers, model);
    result->squared_error[result->iteration_count] += coefficients_fill(&cpca->subspaces, numbers, model);
    return status_ok();
}

static void cpca_clear(Cpca *cpca)
{
    subspaces_clear(&cpca->subspaces);
    reduction_clear(&cpca->reduction);
}

static Status cpca_fit(const DecompositionInput *input, const DecompositionOptions *options,
                       DecompositionResult *result)
{
    CLEANUP(cpca_clear)
    Cpca cpca = {.input = input, .options = options, .started_s = clock_now_s(), .result = result};
    STATUS_TRY(decomposition_result_begin(result, options->bones, options->iterations));
    STATUS_TRY(cpca_start(&cpca));
    STATUS_TRY(cpca_iterate(&cpca));
    STATUS_TRY(cpca_fit_bases(&cpca, result->iteration_count, STEPS_LAST));
    STATUS_TRY(cpca_deliver(&cpca));
    result->elapsed_s[result->iteration_count] = clock_now_s() - cpca.started_s;
    result->sweeps_s = result->elapsed_s[result->iteration_count] - result->initialization_s;
    cpca_report(&cpca, "done", 1.0);
    return status_ok();
}

const DecompositionMethod cpca_method = {
    .name = "cpca",
    .title = "Clustered PCA",
    .citation = "Sattler, Sarlette, Klein 2005, Simple and Efficient Compression of Animation Sequences",
    .parameters = parameters,
    .parameter_count = CPCA_PARAMETER_COUNT,
    .rest_pose_row = CPCA_REST_POSE,
    .makes_rig = false,
    .fit = cpca_fit,
};
