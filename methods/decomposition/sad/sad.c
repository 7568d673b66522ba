/* SAD, skinning of arbitrary deformations (Kavan et al. 2007, section 4.2). Bones are spread evenly over
 * the rest pose, and weights are found by non-negative least squares. One sparse least-squares system gives
 * the optimal transformations for these weights. It is solved by CHOLMOD or, as in the authors' program, by
 * LSQR. */
#include "methods/decomposition/sad/lsqr.h"
#include "methods/fitting/fitting.h"

#include <cholmod.h>
#include <omp.h>

/* Returns X in CHOLMOD's format: one column per vertex, with rows 4j to 4j + 3 for bone j. CHOLMOD factors
 * X X^T without forming it. */
static cholmod_sparse *blends_make(const SkinFit *fit, cholmod_common *common)
{
    size_t slots = (size_t)fit->vertex_count * (size_t)fit->influence_count, used = 0;
    for (size_t i = 0; i < slots; i++)
        used += fit->weights[i] > 0.0;
    cholmod_sparse *blends = cholmod_allocate_sparse(4 * (size_t)fit->bone_count, (size_t)fit->vertex_count,
                                                     4 * used, 0, 1, 0, CHOLMOD_REAL, common);
    if (!blends)
        return NULL;
    int *first = blends->p, *rows = blends->i, entry = 0;
    double *values = blends->x;
    for (int j = 0; j < fit->vertex_count; j++) {
        const double *v = fit->rest + (ptrdiff_t)3 * j;
        first[j] = entry;
        for (int k = 0; k < fit->influence_count; k++) {
            double weight = fit->weights[(ptrdiff_t)j * fit->influence_count + k];
            for (int i = 0; i < 4 && weight > 0.0; i++, entry++) {
                rows[entry] = 4 * fit->bones[(ptrdiff_t)j * fit->influence_count + k] + i;
                values[entry] = weight * (i < 3 ? v[i] : 1.0);
            }
        }
    }
    first[fit->vertex_count] = entry;
    return blends;
}

/* Returns the right-hand sides X R^T, where R = A - T X is the residual of the current maps, with one column
 * of 4P numbers per coordinate. Each column is summed by one thread. */
static cholmod_dense *rights_make(const SkinFit *fit, cholmod_common *common)
{
    enum { SLICE = 24 };
    const int rows = fit->target.row_count;
    const size_t unknowns = 4 * (size_t)fit->bone_count;
    cholmod_dense *rights = cholmod_zeros(unknowns, (size_t)rows, CHOLMOD_REAL, common);
    if (!rights)
        return NULL;
#pragma omp parallel for schedule(dynamic) num_threads(fit->threads)
    for (int first = 0; first < rows; first += SLICE) {
        double residual[SLICE], *right = (double *)rights->x + (size_t)first * unknowns;
        const int count = int_min(rows - first, SLICE);
        for (int j = 0; j < fit->vertex_count; j++) {
            const double *v = fit->rest + (ptrdiff_t)3 * j;
            const ptrdiff_t slot = (ptrdiff_t)j * fit->influence_count;
            skin_fit_residual(fit, j, first, count, residual);
            for (ptrdiff_t k = slot; k < slot + fit->influence_count; k++) {
                double *out = right + (ptrdiff_t)4 * fit->bones[k];
                for (int i = 0; i < count && fit->weights[k] > 0.0; i++, out += unknowns) {
                    const double value = fit->weights[k] * residual[i];
                    out[0] += value * v[0];
                    out[1] += value * v[1];
                    out[2] += value * v[2];
                    out[3] += value;
                }
            }
        }
    }
    return rights;
}

/* Returns the Cholesky factor of X X^T. Damps the matrix if it is singular up to rounding. */
static cholmod_factor *blends_factor(cholmod_sparse *blends, int64_t *singular, cholmod_common *common)
{
    const double RECIPROCAL_MIN = 1e-12,
                 DAMPING = 1e-9; /* smallest reciprocal condition number of a regular matrix; damping relative
                                    to the mean of the diagonal */
    cholmod_factor *factor = cholmod_analyze(blends, common);
    if (!factor)
        return NULL;
    bool factored = cholmod_factorize(blends, factor, common) != 0;
    if (factored && common->status == CHOLMOD_OK && cholmod_rcond(factor, common) > RECIPROCAL_MIN)
        return factor;
    if (common->status != CHOLMOD_OUT_OF_MEMORY) {
        const double *values = blends->x;
        double trace = 0.0;
        for (int entry = 0; entry < ((const int *)blends->p)[blends->ncol]; entry++)
            trace += values[entry] * values[entry];
        double damping[2] = {DAMPING * (trace / (double)blends->nrow), 0.0};
        ++*singular;
        common->status = CHOLMOD_OK;
        if (cholmod_factorize_p(blends, damping, NULL, 0, factor, common) && common->status == CHOLMOD_OK)
            return factor;
    }
    cholmod_free_factor(&factor, common);
    return NULL;
}

/* Moves fit->maps to the minimum of ||T X - A||_F for all frames together. The matrix X X^T of the normal
 * equations has a block for every two bones that share a vertex; CHOLMOD factors it. If the matrix is
 * singular up to rounding, the step is damped so that undetermined directions do not change, and
 * fit->singular_systems is increased. */
static Status sparse_transformations_solve(SkinFit *fit)
{
    cholmod_common common;
    cholmod_sparse *blends = NULL;
    cholmod_dense *rights = NULL, *steps = NULL;
    cholmod_factor *factor = NULL;
    Status status = status_ok();
    cholmod_start(&common);
    common.print = 0;
    /* Allow only one ordering. If memory ran out, CHOLMOD would try other orderings, and these give
     * different rounding errors. */
    common.nmethods = 1;
    common.method[0].ordering = CHOLMOD_AMD;
    blends = blends_make(fit, &common);
    rights = blends ? rights_make(fit, &common) : NULL;
    factor = rights ? blends_factor(blends, &fit->singular_systems, &common) : NULL;
    steps = factor ? cholmod_solve(CHOLMOD_A, factor, rights, &common) : NULL;
    if (steps) {
        const ptrdiff_t rows = fit->target.row_count, unknowns = (ptrdiff_t)4 * fit->bone_count;
        const double *values = steps->x;
        for (ptrdiff_t unknown = 0; unknown < unknowns; unknown++)
            for (ptrdiff_t row = 0; row < rows; row++)
                fit->maps[unknown * rows + row] += values[row * unknowns + unknown];
    } else if (common.status == CHOLMOD_OUT_OF_MEMORY) {
        status = status_out_of_memory("the normal equations of the bones");
    } else {
        status = status_make(STATUS_SYSTEM, "CHOLMOD failed on a system of %d unknowns (status %d)",
                             4 * fit->bone_count, common.status);
    }
    cholmod_free_sparse(&blends, &common);
    cholmod_free_dense(&rights, &common);
    cholmod_free_dense(&steps, &common);
    cholmod_free_factor(&factor, &common);
    cholmod_finish(&common);
    return status;
}

/* Moves fit->maps to the minimum of ||T X - A||_F without normal equations, one coordinate after
 * another. */
static Status lsqr_transformations_solve(SkinFit *fit)
{
    enum { SLICE = 8 };
    const double TOLERANCE = 1e-6; /* above the square root of the double precision epsilon, 1.5e-8 */
    const ptrdiff_t rows = fit->target.row_count, unknowns = (ptrdiff_t)4 * fit->bone_count;
    const size_t vertices = (size_t)fit->vertex_count;
    cholmod_common common;
    cholmod_start(&common);
    cholmod_sparse *blends = blends_make(fit, &common);
    OWNED double *residuals = memory_table((size_t)fit->threads * SLICE, vertices, sizeof *residuals);
    OWNED double *steps =
        memory_table((size_t)rows + 2 * (size_t)fit->threads, (size_t)unknowns, sizeof *steps);
    if (blends && residuals && steps) {
        const SparseRows matrix = {fit->vertex_count, 4 * fit->bone_count, blends->p, blends->i, blends->x};
#pragma omp parallel for schedule(dynamic) num_threads(fit->threads)
        for (int first = 0; first < (int)rows; first += SLICE) {
            const int count = int_min((int)rows - first, SLICE), thread = omp_get_thread_num();
            double *right = residuals + (size_t)thread * SLICE * vertices, slice[SLICE];
            for (int j = 0; j < fit->vertex_count; j++) {
                skin_fit_residual(fit, j, first, count, slice);
                for (int i = 0; i < count; i++)
                    right[(size_t)i * vertices + (size_t)j] = slice[i];
            }
            for (int i = 0; i < count; i++)
                (void)lsqr_solve(&matrix, TOLERANCE, right + (size_t)i * vertices,
                                 steps + (first + i) * unknowns, steps + (rows + 2 * thread) * unknowns);
        }
        for (ptrdiff_t unknown = 0; unknown < unknowns; unknown++)
            for (ptrdiff_t row = 0; row < rows; row++)
                fit->maps[unknown * rows + row] += steps[row * unknowns + unknown];
    }
    const bool done = blends && residuals && steps;
    cholmod_free_sparse(&blends, &common);
    cholmod_finish(&common);
    return done ? status_ok() : status_out_of_memory("the equations of the bones");
}

typedef enum SadParameter {
    SAD_PRESET,
    SAD_ROUNDS,
    SAD_PENALTY,
    SAD_SOLVER,
    SAD_REST_POSE,
    SAD_PARAMETER_COUNT
} SadParameter;

static const char *const preset_words[] = {"paper", "", "best", "rounds=15 rest-pose=file", NULL};

static const char *const solver_choices[] = {"cholesky", "lsqr", NULL};

static const Parameter parameters[SAD_PARAMETER_COUNT + 1] = {
    [SAD_PRESET] =
        {"preset", "paper: the published algorithm as FESAM describes it; best: the same with further rounds",
         PARAMETER_PRESET, 0, 0, 0, preset_words},
    [SAD_ROUNDS] = {"rounds",
                    "number of further rounds of weights and transformations after the published round",
                    PARAMETER_INTEGER, 0, 0, 1000, NULL},
    [SAD_PENALTY] =
        {"penalty",
         "penalty if weights do not sum to 1, in units of the mean square of the bones' predictions",
         PARAMETER_REAL, 10, 0, 1e9, NULL},
    [SAD_SOLVER] = {"solver",
                    "solver of the transformations: sparse normal equations, or LSQR as in the paper",
                    PARAMETER_CHOICE, 0, 0, 0, solver_choices},
    [SAD_REST_POSE] = REST_POSE_PARAMETER(REST_POSE_FIRST),
};

static Status sad_fit(const DecompositionInput *input, const DecompositionOptions *options,
                      DecompositionResult *result)
{
    const double started_s = clock_now_s();
    const int rounds = (int)options->parameters[SAD_ROUNDS], last = int_min(rounds, options->iterations);
    CLEANUP(skin_fit_clear) SkinFit fit = {0};
    CLEANUP(kept_fit_clear) KeptFit kept = {0};
    STATUS_TRY(decomposition_result_begin(result, options->bones, rounds));
    STATUS_TRY(skin_fit_make(input, options, &fit));
    STATUS_TRY(decomposition_ask(options, "bones", 0.1));
    /* make each bone follow the vertices nearest to its seed */
    CLEANUP(seeds_clear) Seeds seeds = {0};
    CLEANUP(groups_clear) Groups groups = {0};
    LOCAL_ARRAY(int32_t, group_of, fit.vertex_count, "the regions of the bones");
    STATUS_TRY(seeds_place(fit.input->mesh, fit.rest, SEEDS_STRAIGHT, options->bones,
                           seeds_start(options->seed), &seeds));
    seeds_nearest(&seeds, fit.rest, 0, fit.vertex_count, group_of);
    STATUS_TRY(groups_of_vertices(group_of, fit.vertex_count, seeds.count, &groups));
    STATUS_TRY(skin_fit_maps(&fit, &groups, false));
    if (options->parameters[SAD_PRESET] != 0.0)
        STATUS_TRY(skin_fit_reseed(&fit, options->bones, false, group_of));
    result->initialization_s = clock_now_s() - started_s;
    STATUS_TRY(decomposition_ask(options, "weights and transformations", 0.3));
    result->end = rounds > options->iterations ? FIT_ITERATION_CAP : FIT_COMPLETE;
    for (int round = 0; round <= last; round++) { /* round 0 alone is the published algorithm */
        if (round > 0 && decomposition_must_end(options, started_s, round - 1, "rounds",
                                                0.5 + 0.5 * (round - 1) / rounds, &result->end))
            break;
        /* solve for the weights, then for the transformations */
        double squared_error = 0.0;
        STATUS_TRY(skin_fit_weights(&fit, false, options->parameters[SAD_PENALTY], 0.0));
        STATUS_TRY(options->parameters[SAD_SOLVER] != 0.0 ? lsqr_transformations_solve(&fit)
                                                          : sparse_transformations_solve(&fit));
        STATUS_TRY(skin_fit_error(&fit, &squared_error));
        STATUS_TRY(skin_fit_keep(&fit, &squared_error, &kept));
        decomposition_result_record(result, round, squared_error, started_s);
    }
    skin_fit_return(&kept, &fit);
    STATUS_TRY(skin_fit_deliver(&fit, result, &result->squared_error[result->iteration_count]));
    decomposition_result_finish(result, options, started_s);
    return status_ok();
}

const DecompositionMethod sad_method = {
    .name = "sad",
    .title = "Skinning arbitrary deformations",
    .citation = "Kavan, McDonnell, Dobbyn, Žára, O'Sullivan 2007, Skinning Arbitrary Deformations",
    .summary = "Places bones on groups of vertices, then solves for bones and weights in turn.",
    .parameters = parameters,
    .rest_pose_row = SAD_REST_POSE,
    .makes_rig = true,
    .fit = sad_fit,
};
