/* CPCA: vertices clustered by the linear subspace their trajectories lie in, 4 dimensions per cluster. */
#include "datasets/base/clock.h"
#include "datasets/base/numbers.h"
#include "methods/decomposition/cpca/subspaces.h"
#include "methods/fitting/decomposition_method.h"
#include "methods/fitting/seeds.h"

typedef enum CpcaParameter { CPCA_THRESHOLD, CPCA_REST_POSE, CPCA_PARAMETER_COUNT } CpcaParameter;

/* Of orthogonal iteration: at the start, in an iteration, and for what is delivered. */
enum { STEPS_FIRST = 8, STEPS_NEXT = 3, STEPS_LAST = 30 };

static const Parameter parameters[CPCA_PARAMETER_COUNT] = {
    [CPCA_THRESHOLD] = {"threshold", "error of the dimension reduction in units of E_RMS", PARAMETER_REAL,
                        0.05, 0, 1000, NULL},
    [CPCA_REST_POSE] = REST_POSE_PARAMETER(REST_POSE_FIRST),
};

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
            if (cluster < 0)
                continue;
            double sum = 0.0;
            for (int i = 0; i < dimension; i++)
                sum += direction[i] * reduction->basis[(ptrdiff_t)i * reduction->row_count + row];
            model->basis[(ptrdiff_t)row * model->rank + (ptrdiff_t)SUBSPACE_SIZE * cluster +
                         at % SUBSPACE_SIZE] = sum;
        }
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
            const double *direction = subspaces->bases + at * dimension;
            const double *coordinates = reduction->coordinates + (ptrdiff_t)j * dimension;
            double exact = 0.0;
            for (int i = 0; i < dimension; i++)
                exact += direction[i] * coordinates[i];
            float rounded = (float)exact;
            model->coefficients[row * reduction->vertex_count + j] = rounded;
            rounding += (exact - (double)rounded) * (exact - (double)rounded);
        }
    return rounding;
}

/* Keeps the clusters that have vertices, numbered from 0, as a low-rank model. */
static Status cpca_deliver(const Subspaces *subspaces, DecompositionResult *result)
{
    LowRank *model = &result->low_rank;
    const Reduction *reduction = subspaces->reduction;
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
    basis_fill(subspaces, numbers, model);
    result->squared_error[result->iteration_count] += coefficients_fill(subspaces, numbers, model);
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
    /* reduce, and place the first clusters */
    STATUS_TRY(reduction_init(input->animation, input->mesh->vertex_count, &reducing, &reduction));
    result->reduction_s = clock_now_s() - started_s;
    result->reduced_dimension = reduction.dimension;
    STATUS_TRY(decomposition_ask(options, "clusters", 0.4));
    /* first clusters: the vertices nearest to evenly spread seeds */
    const Mesh *mesh = input->mesh;
    const int wanted = int_min(options->bones, mesh->vertex_count);
    LOCAL_TABLE(double, rest, mesh->vertex_count, 3, "the rest pose");
    CLEANUP(seeds_clear) Seeds seeds = {0};
    for (ptrdiff_t i = 0; i < (ptrdiff_t)3 * mesh->vertex_count; i++)
        rest[i] = (double)mesh->rest[i];
    STATUS_TRY(seeds_place(mesh, rest, wanted, seeds_start(options->seed), &seeds));
    STATUS_TRY(subspaces_init(&reduction, wanted, options->threads, &subspaces));
    seeds_nearest(&seeds, rest, 0, mesh->vertex_count, subspaces.cluster_of);
    STATUS_TRY(subspaces_fit(&subspaces, STEPS_FIRST));
    const double residual = reduction.residual;
    decomposition_result_record(result, 0, subspaces_error(&subspaces) + residual, started_s);
    result->initialization_s = result->elapsed_s[0];
    /* Lloyd's iterations: neither half raises the error, so they end */
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
    .parameters = parameters,
    .parameter_count = CPCA_PARAMETER_COUNT,
    .rest_pose_row = CPCA_REST_POSE,
    .makes_rig = false,
    .fit = cpca_fit,
};
