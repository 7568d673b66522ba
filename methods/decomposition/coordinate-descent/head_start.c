/* Coordinate descent on a sample of the vertices, and trials of moved bones on it, before the sweeps over
 * all. */
#include "methods/decomposition/coordinate-descent/head_start.h"

#include "datasets/base/clock.h"
#include "datasets/base/memory.h"
#include "methods/decomposition/coordinate-descent/alternation.h"
#include "methods/decomposition/coordinate-descent/reseed.h"
#include "methods/decomposition/coordinate-descent/rigid_bones.h"
#include "methods/decomposition/coordinate-descent/transformations.h"

#include <math.h>
#include <string.h>

/* Picks vertices evenly from every region, in the order of the file: sample [N], *count of them. */
static Status sample_choose(const ReducedModel *model, int vertices_per_bone, int32_t *sample, int *count)
{
    int bones = model->bone_count, vertices = model->vertex_count;
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
        sizes[model->bones[(ptrdiff_t)j * model->influence_count]]++;
    for (int j = 0; j < vertices; j++) {
        int32_t bone = model->bones[(ptrdiff_t)j * model->influence_count];
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

/* The model of the sample. *coordinates becomes what it works on, *rigid its bones where they are rigid. */
static Status sample_make(const ReducedModel *model, const int32_t *sample, int count, int dimension,
                          double **coordinates, RigidBones *rigid, ReducedModel *sampled)
{
    size_t influences = (size_t)model->influence_count;
    *coordinates = memory_table((size_t)count, (size_t)dimension, sizeof(double));
    if (!*coordinates)
        return status_out_of_memory("a sample of the vertices");
    for (int i = 0; i < count; i++)
        memcpy(*coordinates + (ptrdiff_t)i * dimension,
               model->coordinates + (ptrdiff_t)sample[i] * model->dimension,
               (size_t)dimension * sizeof(double));
    Status status = reduced_model_allocate(sampled, count, model->bone_count, model->influence_count,
                                           dimension, model->threads, *coordinates);
    if (status.code != STATUS_OK)
        return status;
    for (int i = 0; i < count; i++) {
        memcpy(sampled->rest + (ptrdiff_t)3 * i, model->rest + (ptrdiff_t)3 * sample[i], 3 * sizeof(double));
        memcpy(sampled->bones + (size_t)i * influences, model->bones + (size_t)sample[i] * influences,
               influences * sizeof(int32_t));
        memcpy(sampled->weights + (size_t)i * influences, model->weights + (size_t)sample[i] * influences,
               influences * sizeof(double));
    }
    memcpy(sampled->first_rest, sampled->rest, 3 * (size_t)count * sizeof(double));
    sampled->solver = model->solver;
    if (model->rigid) {
        const RigidBones *fine = model->rigid;
        status = rigid_make(rigid, fine->frame_count, model->bone_count, fine->basis, fine->unit);
        if (status.code != STATUS_OK)
            return status;
        sampled->rigid = rigid;
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

/* How many trials the budget allows, at most a trial and a half of sweeps each. Beyond a number of them what suits a
 * small share of the vertices better no longer suits the others. */
static int trials_count(const ReducedModel *sampled, bool is_small_share, const HeadStartOptions *options)
{
    enum { LEAST = 1, MOST = 40, MOST_OF_SMALL_SHARE = 12 };
    double cost = sweep_cost(sampled->vertex_count, sampled->bone_count, sampled->dimension);
    double sweeps = options->budget / cost - options->sweeps;
    if (options->trial_sweeps == 0 || sampled->bone_count < 2)
        return 0;
    if (options->trials >= 0)
        return options->trials;
    return (int)fmin(is_small_share ? MOST_OF_SMALL_SHARE : MOST,
                     fmax(LEAST, sweeps / (1.5 * options->trial_sweeps + 1.0)));
}

/* Whether the time is up, or somebody wants to stop, after a share of all sweeps. */
static bool sample_must_end(const HeadStartOptions *options, double share)
{
    return (options->deadline_s > 0.0 && clock_now_s() >= options->deadline_s) ||
           !progress_report(options->progress, "sweeps over a sample", 0.4 + 0.2 * share);
}

/* Trials of moved bones, one after another; half as many sweeps follow one that failed. */
static Status sample_reseed(Alternation *alternation, bool is_small_share, const HeadStartOptions *options)
{
    Reseed reseed = {0};
    int trials = trials_count(alternation->model, is_small_share, options);
    bool moved = true, ended = false;
    Status status;
    STATUS_TRY(reseed_make(&reseed, alternation));
    for (int trial = 0; trial < trials && moved && !ended; trial++) {
        STATUS_TRY(reseed_try(&reseed, &moved));
        int sweeps = options->trial_sweeps, rest = sweeps / 2;
        for (int i = 0; i < sweeps + rest && moved && !ended; i++) {
            ended = sample_must_end(options, 0.3 + 0.7 * trial / trials);
            if ((i == sweeps || (ended && i < sweeps)) && reseed_judge(&reseed))
                break;
            if (!ended)
                STATUS_TRY(alternation_sweep(alternation, &options->settling, true));
        }
    }
done:
    reseed_clear(&reseed);
    return status;
}

static Status sample_sweep(ReducedModel *sampled, double squared_error, bool is_small_share,
                           const HeadStartOptions *options)
{
    Alternation alternation = {0};
    Status status;
    STATUS_TRY(alternation_make(&alternation, sampled, squared_error, options->window));
    for (int i = 0; i < options->sweeps && !sample_must_end(options, 0.3 * i / options->sweeps); i++) {
        bool exploring = i < options->explore;
        VertexUpdateOptions sweep = options->settling;
        if (exploring) {
            sweep.choice = CHOICE_PREDICTION;
            sweep.rounds = 1;
        }
        STATUS_TRY(alternation_sweep(&alternation, &sweep, !exploring));
    }
    STATUS_TRY(sample_reseed(&alternation, is_small_share, options));
    alternation_unmix(&alternation);
done:
    alternation_clear(&alternation);
    return status;
}

/* Brings what the sample found to all vertices. */
static Status sample_spread(const ReducedModel *sampled, const int32_t *sample,
                            const HeadStartOptions *options, ReducedModel *model, double *squared_error)
{
    size_t influences = (size_t)model->influence_count;
    for (int i = 0; i < sampled->vertex_count; i++) {
        size_t from = (size_t)i * influences, to = (size_t)sample[i] * influences;
        memcpy(model->rest + (ptrdiff_t)3 * sample[i], sampled->rest + (ptrdiff_t)3 * i, 3 * sizeof(double));
        memcpy(model->bones + to, sampled->bones + from, influences * sizeof(int32_t));
        memcpy(model->weights + to, sampled->weights + from, influences * sizeof(double));
    }
    if (model->rigid)
        rigid_copy(model, sampled);
    memset(model->transforms, 0, 4 * (size_t)model->bone_count * (size_t)model->dimension * sizeof(double));
    for (int row = 0; row < 4 * model->bone_count; row++)
        memcpy(model->transforms + (ptrdiff_t)row * model->dimension,
               sampled->transforms + (ptrdiff_t)row * sampled->dimension,
               (size_t)sampled->dimension * sizeof(double));
    model->singular_systems += sampled->singular_systems;
    transformations_update_gram(model);
    VertexUpdateOptions sweep = options->settling;
    sweep.outlier = 0.0;
    Status status = vertices_update(model, &sweep);
    return status.code == STATUS_OK ? transformations_solve(model, squared_error) : status;
}

Status head_start(ReducedModel *model, double *squared_error, const HeadStartOptions *options)
{
    ReducedModel sampled = {0};
    RigidBones rigid = {0};
    double *coordinates = NULL;
    double sample_error = 0.0, tail = 0.0;
    int dimension = 0, count = 0;
    int32_t *sample = memory_array((size_t)model->vertex_count, sizeof(int32_t));
    Status status;
    if (!sample) {
        status = status_out_of_memory("a sample of the vertices");
        goto done;
    }
    STATUS_TRY(leading_dimensions(model->coordinates, model->vertex_count, model->dimension,
                                  options->tail * options->tail * *squared_error, &dimension, &tail));
    STATUS_TRY(sample_choose(model, options->vertices_per_bone, sample, &count));
    STATUS_TRY(sample_make(model, sample, count, dimension, &coordinates, &rigid, &sampled));
    STATUS_TRY(transformations_solve(&sampled, &sample_error));
    STATUS_TRY(sample_sweep(&sampled, sample_error, count < model->vertex_count / 8, options));
    status = sample_spread(&sampled, sample, options, model, squared_error);
done:
    reduced_model_clear(&sampled);
    rigid_clear(&rigid);
    memory_free(coordinates);
    memory_free(sample);
    return status;
}
