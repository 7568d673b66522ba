/* EigenSkin: a rig fitted by another method, and low-rank corrections of its rest pose. */
#include "datasets/base/clock.h"
#include "datasets/base/memory.h"
#include "methods/decomposition/eigenskin/corrections.h"
#include "methods/fitting/correction_solve.h"
#include "methods/fitting/decomposition_method.h"
#include "methods/reduction/low_rank.h"

#include <stdbool.h>
#include <string.h>

/* Systems per vertex grow with the cube of the displacements; with so many there is little left to gain. */
enum { REFINED_MAX = 64 };

typedef enum EigenskinParameter {
    EIGENSKIN_BASE,
    EIGENSKIN_RANK,
    EIGENSKIN_ROUNDS,
    EIGENSKIN_PARAMETER_COUNT
} EigenskinParameter;

static const char *const base_words[] = {"sma", "sad", "coordinate-descent", NULL};

static const Parameter parameters[EIGENSKIN_PARAMETER_COUNT] = {
    [EIGENSKIN_BASE] = {"base", "the method that fits the rig, with its own defaults", PARAMETER_CHOICE, 0, 0,
                        0, base_words},
    [EIGENSKIN_RANK] = {"rank", "displacements of the rest pose, each with one factor per frame",
                        PARAMETER_INTEGER, 10, 1, 100000, NULL},
    [EIGENSKIN_ROUNDS] = {"rounds",
                          "factors and displacements in turn for the least error of the posed frames",
                          PARAMETER_INTEGER, 4, 0, 1000, NULL},
};

typedef struct Eigenskin {
    const DecompositionInput *input;
    const DecompositionOptions *options;
    double started_s;
    DecompositionResult *result;
} Eigenskin;

/* The base fills the first part of the bar. */
static bool base_report(void *context, const char *what, double share)
{
    return progress_report(context, what, 0.7 * share);
}

/* The method of that name among those handed in, NULL if it is not built in. */
static const DecompositionMethod *base_find(const DecompositionOptions *options, const char *name)
{
    const DecompositionMethod *const *method = options->methods;
    while (method && *method && strcmp((*method)->name, name) != 0)
        method++;
    return method ? *method : NULL;
}

/* The base's fit becomes the result; of its record only the last error stays, and the record has a place for the
 * corrected one. */
static Status base_fit(Eigenskin *skin)
{
    const DecompositionOptions *options = skin->options;
    const char *name = base_words[(int)options->parameters[EIGENSKIN_BASE]];
    const DecompositionMethod *base = base_find(options, name);
    DecompositionResult *result = skin->result;
    if (!base)
        return status_make(STATUS_UNAVAILABLE, "eigenskin: the method '%s' is not built in", name);
    ParameterValues values = parameters_default(base->parameters, base->parameter_count);
    DecompositionOptions own = *options;
    Progress outer = options->progress ? *options->progress : (Progress){0};
    Progress progress = {base_report, &outer};
    own.parameters = values.values;
    own.progress = &progress;
    Status status = base->fit(skin->input, &own, result);
    if (status.code != STATUS_OK)
        return status;
    double *errors = memory_array(2, sizeof(double)), *times = memory_array(2, sizeof(double));
    if (!errors || !times) {
        memory_free(errors);
        memory_free(times);
        return status_out_of_memory("the record of errors");
    }
    errors[0] = result->squared_error[result->iteration_count];
    times[0] = result->initialization_s = clock_now_s() - skin->started_s;
    memory_free(result->squared_error);
    memory_free(result->elapsed_s);
    result->squared_error = errors;
    result->elapsed_s = times;
    result->iteration_count = 0;
    result->sweeps_s = 0.0;
    return status;
}

/* Displacements and factors in turn, each by least squares of the posed frames. */
static Status corrections_refine(Eigenskin *skin)
{
    DecompositionResult *result = skin->result;
    const DecompositionOptions *options = skin->options;
    FrameSolve solve = {.target = skin->input->animation,
                        .vertex_count = skin->input->mesh->vertex_count,
                        .rest = result->rest,
                        .frame_count = skin->input->animation->frame_count,
                        .rig = &result->rig,
                        .low_rank = &result->low_rank,
                        .threads = options->threads};
    int rounds = (int)options->parameters[EIGENSKIN_ROUNDS];
    int32_t *frames = memory_array((size_t)solve.frame_count, sizeof(int32_t));
    Status status = status_ok();
    if (!frames) {
        status = status_out_of_memory("the frames");
        goto done;
    }
    for (int frame = 0; frame < solve.frame_count; frame++)
        frames[frame] = frame;
    solve.frames = frames;
    for (int round = 0; round < rounds; round++) {
        if (decomposition_must_end(options, skin->started_s, "corrections", 0.7 + 0.3 * round / rounds,
                                   &result->end))
            break;
        STATUS_TRY(vertices_solve_corrections(&solve));
        STATUS_TRY(frames_solve_corrections(&solve));
    }
    if (rounds > 0)
        STATUS_TRY(vertices_solve_corrections(&solve));
done:
    memory_free(frames);
    return status;
}

static Status corrections_fit(Eigenskin *skin)
{
    DecompositionResult *result = skin->result;
    int vertices = skin->input->mesh->vertex_count, frames = skin->input->animation->frame_count;
    int rank = (int)skin->options->parameters[EIGENSKIN_RANK];
    Trajectories missing = {
        .row_count = frames, .vertex_count = 3 * vertices, .threads = skin->options->threads};
    Reduction reduction = {0};
    int64_t singular = 0;
    ReductionOptions reducing = {
        .strategy = REDUCTION_GRAM, .dimension_max = rank, .threads = skin->options->threads};
    Status status;
    missing.values = memory_table(3 * (size_t)vertices, (size_t)frames, sizeof(float));
    missing.offset = memory_array((size_t)frames, sizeof(double));
    if (!missing.values || !missing.offset) {
        status = status_out_of_memory("what the rig misses");
        goto done;
    }
    /* Residuals that a flat blend stretches manyfold would take the few vectors there are for themselves;
     * with vectors for everything they do no harm. */
    bool sparse = rank < frames && rank < 3 * vertices;
    corrections_pull_back(skin->input, result, &missing, sparse ? 0.2 : 1e-4, missing.threads, &singular);
    STATUS_TRY(reduction_of_trajectories(&missing, &reducing, &reduction));
    trajectories_clear(&missing);
    STATUS_TRY(low_rank_of_displacements(&reduction, &result->low_rank));
    if (reduction.dimension <= REFINED_MAX && (sparse || singular > 0))
        STATUS_TRY(corrections_refine(skin));
    STATUS_TRY(corrections_settle(skin->input, result, skin->options->threads, &result->squared_error[1]));
    result->singular_systems += (int)(singular < INT32_MAX / 2 ? singular : INT32_MAX / 2);
    result->iteration_count = 1;
done:
    trajectories_clear(&missing);
    reduction_clear(&reduction);
    return status;
}

static Status eigenskin_fit(const DecompositionInput *input, const DecompositionOptions *options,
                            DecompositionResult *result)
{
    Eigenskin skin = {input, options, clock_now_s(), result};
    Status status;
    STATUS_TRY(base_fit(&skin));
    if (result->end == FIT_STOPPED || !progress_report(options->progress, "corrections", 0.7)) {
        result->end = FIT_STOPPED;
        return status;
    }
    STATUS_TRY(corrections_fit(&skin));
    result->elapsed_s[1] = clock_now_s() - skin.started_s;
    result->sweeps_s = result->elapsed_s[1] - result->initialization_s;
    progress_report(options->progress, "done", 1.0);
done:
    return status;
}

const DecompositionMethod eigenskin_method = {
    .name = "eigenskin",
    .title = "EigenSkin corrections",
    .citation = "Kry, James, Pai 2002, EigenSkin; as used in James and Twigg 2005 and in FESAM section 5",
    .parameters = parameters,
    .parameter_count = EIGENSKIN_PARAMETER_COUNT,
    .makes_rig = true,
    .fit = eigenskin_fit,
};
