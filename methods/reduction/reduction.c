/* Chooses how to find the basis: by FESAM Algorithm 1, the smaller Gram matrix, an SVD or a random range.
 * Also converts a reduction to the low-rank model of a data set. */
#include "methods/reduction/reduction.h"

#include "datasets/base/exact_sum.h"
#include "methods/reduction/dense.h"
#include "methods/reduction/fesam_algorithm_1.h"
#include "methods/reduction/range_finder.h"

const char *const reduction_strategy_names[] = {"gram", "max", "gs", "pm1", "pm2", "svd", NULL};

/* If the matrix has more rows than this, a random range is tried first, because eigenvectors of the Gram
 * matrix cost O(n^3). */
enum { GRAM_MAX = 1500 };

/* Squared singular values are the eigenvalues of a Gram matrix. For n rows, their rounding errors are about
 * n DBL_EPSILON times the largest one. If an eigenvalue is below GRAM_RESOLVED times the largest one, its
 * direction is found in a further pass, from the Gram matrix of the residual. */
static const double GRAM_RESOLVED = 1e-10;

typedef struct GramChoice {
    TailRule rule;
    double min; /* values up to this threshold count as zero */
} GramChoice;

static int values_above(const double *values, int n, double min)
{
    int count = 0;
    while (count < n && values[count] > min)
        count++;
    return count;
}

/* Returns how many of the wanted directions this matrix determines accurately, but at least one. */
static int gram_choose(const double *values, int n, const void *context)
{
    const GramChoice *choice = context;
    int wanted = tail_rule_choose(values, n, &choice->rule);
    int resolved = values_above(values, n, fmax(GRAM_RESOLVED * values[0], choice->min));
    return int_min(wanted, int_max(resolved, 1));
}

/* Finds the directions that one Gram matrix determines accurately. Sets *more if further directions are
 * needed. */
static Status gram_pass(Trajectories *trajectories, const ReductionOptions *options, GramChoice *choice,
                        int *count, double **basis, bool *more)
{
    const int rows = trajectories->row_count, columns = trajectories->all_count;
    const bool by_vertex = columns < rows;
    const int n = by_vertex ? columns : rows;
    OWNED double *vectors = NULL;
    LOCAL_TABLE(double, gram, n, n, "the Gram matrix");
    LOCAL_ARRAY(double, values, n, "the Gram matrix");
    STATUS_TRY(by_vertex ? trajectories_gram_by_vertex(trajectories, gram)
                         : trajectories_pass(trajectories, &(TrajectoryPass){.gram = gram}));
    if (!progress_report(options->progress, "reduction: eigenvectors", 0.3))
        return status_make(STATUS_STOPPED, "stopped during the reduction, before there was a model");
    STATUS_TRY(dense_eigen(gram, n, values, gram_choose, choice, count, &vectors));
    if (choice->min == 0.0)
        choice->min = DBL_EPSILON * DBL_EPSILON * rows * columns * values[0];
    const int wanted = tail_rule_choose(values, n, &choice->rule);
    *more = *count < wanted && *count < values_above(values, n, choice->min);
    if (!by_vertex) {
        *basis = TAKE(vectors);
        return status_ok();
    }
    ALLOCATE_TABLE(*basis, *count, rows, "the reduced basis");
    /* compute the direction A v for each eigenvector v of A^T A */
    const VertexShare share = ranks_share(trajectories->ranks, trajectories->all_count);
    LOCAL_TABLE(double, factors, share.count, *count, "the reduced basis");
    for (ptrdiff_t j = 0; j < share.count; j++)
        for (ptrdiff_t i = 0; i < *count; i++)
            factors[j * *count + i] = vectors[i * trajectories->all_count + share.first + j];
    return trajectories_pass(trajectories,
                             &(TrajectoryPass){.dimension = *count, .coordinates = factors, .sums = *basis});
}

static Status svd_basis(Trajectories *trajectories, const ReductionOptions *options, int *count,
                        double **basis)
{
    int rows = trajectories->row_count, columns = trajectories->vertex_count;
    TailRule rule = {options->threshold * options->threshold, DBL_EPSILON * DBL_EPSILON * rows * columns,
                     options->dimension_max};
    LOCAL_TABLE(double, all, columns, rows, "the trajectories in double precision");
    trajectories_block(trajectories, 0, columns, all);
    return dense_singular(all, columns, rows, tail_rule_choose, &rule, count, basis);
}

static Status basis_find(Trajectories *trajectories, const ReductionOptions *options, Reduction *out)
{
    if (options->strategy == REDUCTION_GRAM) {
        const int rows = trajectories->row_count, columns = trajectories->all_count;
        const int max = int_min(columns, rows); /* maximum rank; without it, rounding errors of a residual
                                                   could count as further directions */
        GramChoice choice = {{options->threshold * options->threshold, 0.0, max}, 0.0};
        OWNED double *vectors = NULL;
        bool more = true;
        if (options->dimension_max > 0)
            choice.rule.dimension_max = int_min(max, options->dimension_max);
        if (max > GRAM_MAX && options->threshold > 0.0) {
            RangeBasis range;
            STATUS_TRY(range_basis(trajectories, options, &range));
            out->dimension = range.count;
            out->basis = range.basis;
            out->coordinates = range.coordinates;
            out->total = range.total;
            out->residual = range.left;
            if (range.count > 0)
                return status_ok();
        }
        while (more) {
            int added = 0;
            STATUS_TRY(gram_pass(trajectories, options, &choice, &added, &vectors, &more));
            double **basis = &out->basis;
            size_t row = (size_t)rows, before = (size_t)out->dimension;
            LOCAL_TABLE(double, all, before + (size_t)added, row, "the reduced basis");
            if (before > 0)
                memcpy(all, *basis, before * row * sizeof(double));
            memcpy(all + before * row, vectors, (size_t)added * row * sizeof(double));
            memory_free(*basis);
            *basis = TAKE(all);
            out->dimension += added;
            STATUS_TRY(dense_orthonormalize(*basis, out->dimension, rows));
            memory_release(&vectors);
            choice.rule.dimension_max -= added;
            more = more && choice.rule.dimension_max > 0;
            STATUS_TRY(trajectories_deflate(trajectories, out->basis, more ? out->dimension : 0));
        }
        return status_ok();
    }
    if (!trajectories->values || ranks_are_many(trajectories->ranks))
        return bad_usage("reduction by %s needs the whole animation in memory; reduce=gram does not",
                         reduction_strategy_names[options->strategy]);
    return options->strategy == REDUCTION_SVD
               ? svd_basis(trajectories, options, &out->dimension, &out->basis)
               : fesam_algorithm_1(trajectories, options, &out->dimension, &out->basis);
}

/* Finds basis and offset from a sample of the vertices. */
static Status basis_find_from_some(Trajectories *all, const ReductionOptions *options, Reduction *out)
{
    CLEANUP(trajectories_clear) Trajectories some = {0};
    ReductionOptions thinner = *options;
    STATUS_TRY(trajectories_some(all, options->every, &some));
    thinner.ranks = NULL;
    thinner.threshold *= sqrt((double)some.vertex_count / all->all_count);
    STATUS_TRY(basis_find(&some, &thinner, out));
    memory_release(&out->coordinates);
    memcpy(all->offset, some.offset, (size_t)some.row_count * sizeof(double));
    all->offset_unknown = false;
    return status_ok();
}

Status reduction_of_trajectories(Trajectories *trajectories, const ReductionOptions *options, Reduction *out)
{
    CLEANUP(linear_algebra_restore) int linear_algebra_threads = linear_algebra_serialize();
    if (trajectories->all_count == 0)
        trajectories->all_count = trajectories->vertex_count;
    *out = (Reduction){.row_count = trajectories->row_count, .vertex_count = trajectories->vertex_count};
    const bool by_some = options->strategy == REDUCTION_GRAM && !trajectories->values && options->every > 1;
    STATUS_TRY(by_some ? basis_find_from_some(trajectories, options, out)
                       : basis_find(trajectories, options, out));
    if (!progress_report(options->progress, "reduction: coordinates", 0.35))
        return status_make(STATUS_STOPPED, "stopped during the reduction, before there was a model");
    /* skip the pass if the random range has already found the coordinates and the residual is not 0 */
    const bool known = out->coordinates && out->residual > TRAJECTORIES_RESOLVED * out->total;
    if (!out->coordinates)
        ALLOCATE_TABLE(out->coordinates, out->vertex_count, out->dimension, "the reduced coordinates");
    if (!known)
        STATUS_TRY(trajectories_coordinates(trajectories, out->basis, out->dimension, out->coordinates,
                                            &out->total, &out->residual));
    for (int i = 0; i < out->row_count; i++) /* add the means, which are orthogonal to the centred rows */
        out->total += trajectories->all_count * trajectories->offset[i] * trajectories->offset[i];
    out->offset = TAKE(trajectories->offset);
    out->passes = trajectories->passes;
    out->read_s = trajectories->read_s;
    out->waited_s = trajectories->waited_s;
    return status_ok();
}

Status reduction_init(const Animation *animation, int vertex_count, const ReductionOptions *options,
                      Reduction *out)
{
    CLEANUP(trajectories_clear) Trajectories trajectories = {0};
    *out = (Reduction){0};
    STATUS_TRY(trajectories_init(animation, vertex_count, options->center,
                                 options->strategy == REDUCTION_GRAM, options->threads, options->ranks,
                                 options->progress, &trajectories));
    return reduction_of_trajectories(&trajectories, options, out);
}

void reduction_clear(Reduction *reduction)
{
    FREE_ALL(reduction->basis, reduction->coordinates, reduction->offset);
    *reduction = (Reduction){0};
}

Status low_rank_of_reduction(const Reduction *reduction, const Ranks *ranks, int vertex_count, LowRank *model,
                             double *rounding)
{
    size_t rank = (size_t)reduction->dimension, rows = (size_t)reduction->row_count;
    size_t vertices = (size_t)vertex_count;
    LOCAL_TABLE(float, all, vertices, rank, "the low-rank model");
    ALLOCATE_TABLE(model->basis, rows, rank, "the low-rank model");
    ALLOCATE_TABLE(model->coefficients, rank, vertices, "the low-rank model");
    model->rank = reduction->dimension;
    model->row_count = reduction->row_count;
    for (size_t k = 0; k < rank; k++)
        for (size_t i = 0; i < rows; i++)
            model->basis[i * rank + k] = reduction->basis[k * rows + i];
    /* round the coordinates of all ranks to float */
    enum {
        BLOCK = 256
    }; /* number of vertices summed together; each rank's vertices begin at a multiple of it */
    const ptrdiff_t dimension = reduction->dimension;
    float *local = all + ranks_share(ranks, vertex_count).first * dimension;
    ExactSum sum = {0};
    for (int first = 0; first < reduction->vertex_count; first += BLOCK) {
        double part = 0.0;
        const int last = int_min(first + BLOCK, reduction->vertex_count);
        for (ptrdiff_t i = first * dimension; i < last * dimension; i++) {
            double exact = reduction->coordinates[i];
            local[i] = (float)exact;
            part += (exact - (double)local[i]) * (exact - (double)local[i]);
        }
        exact_sum_add(&sum, part);
    }
    ranks_gather(ranks, vertex_count, rank * sizeof(float), local, all);
    ranks_sum(ranks, &sum.sum, &sum.rest, 1);
    *rounding = sum.sum;
    for (size_t j = 0; j < vertices; j++)
        for (size_t k = 0; k < rank; k++)
            model->coefficients[k * vertices + j] = all[j * rank + k];
    return status_ok();
}

Status low_rank_of_displacements(const Reduction *reduction, LowRank *model)
{
    size_t count = (size_t)reduction->dimension, frames = (size_t)reduction->row_count;
    size_t vertices = (size_t)reduction->vertex_count / 3, rank = 3 * count;
    ALLOCATE_TABLE(model->basis, 3 * frames, rank, "the low-rank model");
    ALLOCATE_TABLE(model->coefficients, rank, vertices, "the low-rank model");
    model->rank = (int)rank;
    model->row_count = (int)(3 * frames);
    for (size_t k = 0; k < count; k++)
        for (size_t axis = 0; axis < 3; axis++) {
            for (size_t f = 0; f < frames; f++)
                model->basis[(3 * f + axis) * rank + 3 * k + axis] = reduction->basis[k * frames + f];
            for (size_t j = 0; j < vertices; j++)
                model->coefficients[(3 * k + axis) * vertices + j] =
                    (float)reduction->coordinates[(3 * j + axis) * count + k];
        }
    return status_ok();
}

bool low_rank_is_of_displacements(const LowRank *model)
{
    size_t rank = (size_t)model->rank;
    if (model->rank == 0 || model->rank % 3 != 0)
        return false;
    for (size_t row = 0; row < (size_t)model->row_count; row++)
        for (size_t k = 0; k < rank; k++) {
            double factor = k % 3 == row % 3 ? model->basis[(row - row % 3) * rank + k - k % 3] : 0.0;
            if (model->basis[row * rank + k] != factor)
                return false;
        }
    return true;
}
