/* Truncated SVD with 4P basis vectors, and 4P coefficients for each vertex. These are as many numbers as in
 * a skinning model of P bones. */
#include "methods/fitting/decomposition_method.h"
#include "methods/reduction/reduction.h"

typedef enum SvdParameter { SVD_SOLVER, SVD_PARAMETER_COUNT } SvdParameter;

static const char *const solver_words[] = {"gram", "dgesdd", NULL};

static const Parameter parameters[SVD_PARAMETER_COUNT + 1] = {
    [SVD_SOLVER] = {"solver",
                    "gram: eigenvectors of the smaller Gram matrix; dgesdd: LAPACK's SVD of the whole matrix",
                    PARAMETER_CHOICE, 0, 0, 0, solver_words},
};

static Status svd_fit(const DecompositionInput *input, const DecompositionOptions *options,
                      DecompositionResult *result)
{
    double started = clock_now_s();
    bool whole = options->parameters[SVD_SOLVER] != 0.0;
    ReductionOptions reducing = {.strategy = whole ? REDUCTION_SVD : REDUCTION_GRAM,
                                 .dimension_max =
                                     options->bones < INT32_MAX / 4 ? 4 * options->bones : INT32_MAX,
                                 .threads = options->threads,
                                 .progress = options->progress,
                                 .ranks = input->ranks};
    CLEANUP(reduction_clear) Reduction reduction = {0};
    double rounding = 0.0;
    STATUS_TRY(reduction_init(input->animation, input->mesh->vertex_count, &reducing, &reduction));
    result->reduction_s = clock_now_s() - started;
    result->passes = reduction.passes;
    result->read_s = reduction.read_s;
    result->waited_s = reduction.waited_s;
    STATUS_TRY(decomposition_result_begin(result, options->bones, 0));
    STATUS_TRY(low_rank_of_reduction(&reduction, input->ranks, input->mesh->vertex_count, &result->low_rank,
                                     &rounding));
    result->squared_error[0] = reduction.residual + rounding;
    result->end = FIT_COMPLETE;
    result->bones_delivered = (reduction.dimension + 3) / 4;
    result->reduced_dimension = reduction.dimension;
    result->elapsed_s[0] = result->initialization_s = clock_now_s() - started;
    progress_report(options->progress, "truncated SVD", 1.0);
    return status_ok();
}

const DecompositionMethod svd_method = {
    .name = "svd",
    .title = "Truncated SVD",
    .citation =
        "Alexa and Müller 2000, Representing Animations by Principal Components; as compared in FESAM",
    .summary = "Keeps the leading singular vectors of the animation: the smallest error of any linear model "
               "of its size, but no bones.",
    .parameters = parameters,
    .reads_blocks = true,
    .over_ranks = true,
    .fit = svd_fit,
};
