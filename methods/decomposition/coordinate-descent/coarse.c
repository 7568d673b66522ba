#include "methods/decomposition/coordinate-descent/coarse.h"

#include "datasets/base/clock.h"
#include "datasets/base/memory.h"
#include "methods/decomposition/coordinate-descent/reseed.h"
#include "methods/decomposition/coordinate-descent/rigid.h"
#include "methods/decomposition/coordinate-descent/sweeper.h"
#include "methods/decomposition/coordinate-descent/transformations.h"

#include <math.h>
#include <string.h>

/* Picks vertices evenly from every region, in the order of the file: sample [N], *count of them. */
static Status sample_choose(const Descent *descent, int vertices_per_bone, int32_t *sample, int *count)
{
    int bones = descent->bone_count, vertices = descent->vertex_count;
    double share = (double)vertices_per_bone * bones / vertices;
    int32_t *sizes = memory_array((size_t)bones, sizeof(int32_t));
    double *due = memory_array((size_t)bones, sizeof(double));
    Status status = status_ok();
    *count = 0;
    if (!sizes || !due) {
        status = status_out_of_memory("a sample of the vertices");
        goto done;
    }
    for (int j = 0; j < vertices; j++)
        sizes[descent->bones[(ptrdiff_t)j * descent->influence_count]]++;
    for (int j = 0; j < vertices; j++) {
        int32_t bone = descent->bones[(ptrdiff_t)j * descent->influence_count];
        double least = 0.25 * vertices_per_bone / sizes[bone];
        due[bone] += share > least ? share : least;
        if (due[bone] >= 1.0) {
            sample[(*count)++] = j;
            due[bone] -= due[bone] >= 2.0 ? due[bone] : 1.0;
        }
    }
done:
    memory_free(sizes);
    memory_free(due);
    return status;
}

/* The descent of the sample. *coordinates becomes what it works on, *rigid its bones where they are rigid. */
static Status coarse_make(const Descent *descent, const int32_t *sample, int count, int dimension,
                          double **coordinates, RigidBones *rigid, Descent *coarse)
{
    size_t influences = (size_t)descent->influence_count;
    *coordinates = memory_table((size_t)count, (size_t)dimension, sizeof(double));
    if (!*coordinates)
        return status_out_of_memory("a sample of the vertices");
    for (int i = 0; i < count; i++)
        memcpy(*coordinates + (ptrdiff_t)i * dimension,
               descent->coordinates + (ptrdiff_t)sample[i] * descent->dimension,
               (size_t)dimension * sizeof(double));
    Status status = descent_allocate(coarse, count, descent->bone_count, descent->influence_count, dimension,
                                     *coordinates);
    if (status.code != STATUS_OK)
        return status;
    for (int i = 0; i < count; i++) {
        memcpy(coarse->rest + (ptrdiff_t)3 * i, descent->rest + (ptrdiff_t)3 * sample[i], 3 * sizeof(double));
        memcpy(coarse->bones + (size_t)i * influences, descent->bones + (size_t)sample[i] * influences,
               influences * sizeof(int32_t));
        memcpy(coarse->weights + (size_t)i * influences, descent->weights + (size_t)sample[i] * influences,
               influences * sizeof(double));
    }
    memcpy(coarse->first_rest, coarse->rest, 3 * (size_t)count * sizeof(double));
    coarse->solver = descent->solver;
    if (descent->rigid) {
        const RigidBones *fine = descent->rigid;
        status = rigid_make(rigid, fine->frame_count, descent->bone_count, fine->basis, fine->unit);
        if (status.code != STATUS_OK)
            return status;
        coarse->rigid = rigid;
    }
    return status;
}

double sweep_cost(int vertex_count, int bone_count, int dimension)
{
    return vertex_count * (1.0 + bone_count / 75.0 + (double)bone_count * dimension / 4500.0);
}

double reduction_cost(const Reduction *reduction)
{
    double rows = reduction->row_count;
    return (1.06e-4 * reduction->vertex_count + 3.4e-4 * rows) * rows * rows;
}

/* How many trials the budget allows, at most a trial and a half of sweeps each. */
static int trials_count(const Descent *coarse, const CoarseOptions *options)
{
    enum { LEAST = 1, MOST = 40 };
    double cost = sweep_cost(coarse->vertex_count, coarse->bone_count, coarse->dimension);
    double sweeps = options->budget / cost - options->sweeps;
    if (options->trial_sweeps == 0 || coarse->bone_count < 2)
        return 0;
    if (options->trials >= 0)
        return options->trials;
    return (int)fmin(MOST, fmax(LEAST, sweeps / (1.5 * options->trial_sweeps + 1.0)));
}

/* Whether the time is up, or somebody wants to stop, after a share of all sweeps. */
static bool coarse_must_end(const CoarseOptions *options, double share)
{
    return (options->deadline_s > 0.0 && clock_now_s() >= options->deadline_s) ||
           !progress_report(options->progress, "sweeps over a sample", 0.4 + 0.2 * share);
}

/* Trials of moved bones, one after another; half as many sweeps follow one that failed. */
static Status coarse_reseed(Sweeper *sweeper, const CoarseOptions *options)
{
    Reseed reseed = {0};
    int trials = trials_count(sweeper->descent, options);
    bool moved = true, ended = false;
    Status status;
    STATUS_TRY(reseed_make(&reseed, sweeper));
    for (int trial = 0; trial < trials && moved && !ended; trial++) {
        STATUS_TRY(reseed_try(&reseed, &moved));
        int sweeps = options->trial_sweeps, rest = sweeps / 2;
        for (int i = 0; i < sweeps + rest && moved && !ended; i++) {
            if (i == sweeps && reseed_judge(&reseed))
                break;
            ended = coarse_must_end(options, 0.3 + 0.7 * trial / trials);
            if (!ended)
                STATUS_TRY(sweeper_sweep(sweeper, &options->settling, true));
        }
    }
done:
    reseed_clear(&reseed);
    return status;
}

static Status coarse_sweep(Descent *coarse, double squared_error, const CoarseOptions *options)
{
    Sweeper sweeper = {0};
    Status status;
    STATUS_TRY(sweeper_make(&sweeper, coarse, squared_error, options->window));
    for (int i = 0; i < options->sweeps && !coarse_must_end(options, 0.3 * i / options->sweeps); i++) {
        bool exploring = i < options->explore;
        SweepOptions sweep = options->settling;
        if (exploring) {
            sweep.choice = CHOICE_PREDICTION;
            sweep.rounds = 1;
        }
        STATUS_TRY(sweeper_sweep(&sweeper, &sweep, !exploring));
    }
    STATUS_TRY(coarse_reseed(&sweeper, options));
    sweeper_unmix(&sweeper);
done:
    sweeper_clear(&sweeper);
    return status;
}

/* Brings what the sample found to all vertices. */
static Status coarse_spread(const Descent *coarse, const int32_t *sample, const CoarseOptions *options,
                            Descent *descent, double *squared_error)
{
    size_t influences = (size_t)descent->influence_count;
    for (int i = 0; i < coarse->vertex_count; i++) {
        size_t from = (size_t)i * influences, to = (size_t)sample[i] * influences;
        memcpy(descent->rest + (ptrdiff_t)3 * sample[i], coarse->rest + (ptrdiff_t)3 * i, 3 * sizeof(double));
        memcpy(descent->bones + to, coarse->bones + from, influences * sizeof(int32_t));
        memcpy(descent->weights + to, coarse->weights + from, influences * sizeof(double));
    }
    if (descent->rigid)
        rigid_copy(descent, coarse);
    memset(descent->transforms, 0,
           4 * (size_t)descent->bone_count * (size_t)descent->dimension * sizeof(double));
    for (int row = 0; row < 4 * descent->bone_count; row++)
        memcpy(descent->transforms + (ptrdiff_t)row * descent->dimension,
               coarse->transforms + (ptrdiff_t)row * coarse->dimension,
               (size_t)coarse->dimension * sizeof(double));
    descent->singular_systems += coarse->singular_systems;
    descent_update_gram(descent);
    SweepOptions sweep = options->settling;
    sweep.outlier = 0.0;
    Status status = sweep_vertices(descent, &sweep);
    return status.code == STATUS_OK ? transformations_solve(descent, squared_error) : status;
}

Status coarse_start(Descent *descent, double *squared_error, const CoarseOptions *options)
{
    Descent coarse = {0};
    RigidBones rigid = {0};
    double *coordinates = NULL;
    double sample_error = 0.0, tail = 0.0;
    int dimension = 0, count = 0;
    int32_t *sample = memory_array((size_t)descent->vertex_count, sizeof(int32_t));
    Status status;
    if (!sample) {
        status = status_out_of_memory("a sample of the vertices");
        goto done;
    }
    STATUS_TRY(descent_leading(descent->coordinates, descent->vertex_count, descent->dimension,
                               options->tail * options->tail * *squared_error, &dimension, &tail));
    STATUS_TRY(sample_choose(descent, options->vertices_per_bone, sample, &count));
    STATUS_TRY(coarse_make(descent, sample, count, dimension, &coordinates, &rigid, &coarse));
    STATUS_TRY(transformations_solve(&coarse, &sample_error));
    STATUS_TRY(coarse_sweep(&coarse, sample_error, options));
    status = coarse_spread(&coarse, sample, options, descent, squared_error);
done:
    descent_clear(&coarse);
    rigid_clear(&rigid);
    memory_free(coordinates);
    memory_free(sample);
    return status;
}
