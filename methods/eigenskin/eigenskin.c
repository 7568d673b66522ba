/* EigenSkin: a rig fitted by another method, and low-rank corrections of its rest pose. */
#include "datasets/base/memory.h"
#include "methods/decomposition.h"
#include "methods/eigenskin/corrections.h"
#include "methods/fitting/clock.h"
#include "methods/reduction/low_rank.h"

enum { P_BASE, P_RANK, P_COUNT };

static const char *const base_words[] = {"sma", "sad", "coordinate-descent", NULL};

static const Parameter parameters[P_COUNT] = {
    [P_BASE] = {"base", "the method that fits the rig, with its own defaults", PARAMETER_CHOICE, 0, 0, 0,
                base_words},
    [P_RANK] = {"rank", "of the corrections", PARAMETER_INTEGER, 10, 1, 100000, NULL},
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

/* The base's fit becomes the result; of its record only the last error stays, and there is room for the
 * corrected one. */
static Status base_fit(Eigenskin *skin)
{
    const DecompositionOptions *options = skin->options;
    const char *name = base_words[(int)options->parameters[P_BASE]];
    const DecompositionMethod *base = decomposition_method_find(name);
    DecompositionResult *result = skin->result;
    if (!base)
        return status_make(STATUS_UNAVAILABLE, "eigenskin: the method '%s' is not built in", name);
    ParameterValues values = parameters_standard(base->parameters, base->parameter_count);
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
    times[0] = result->initialization_s = fit_now_s() - skin->started_s;
    memory_free(result->squared_error);
    memory_free(result->elapsed_s);
    result->squared_error = errors;
    result->elapsed_s = times;
    result->iteration_count = 0;
    result->sweeps_s = 0.0;
    return status;
}

static Status corrections_fit(Eigenskin *skin)
{
    DecompositionResult *result = skin->result;
    int vertices = skin->input->mesh->vertex_count, frames = skin->input->animation->frame_count;
    Animation pulled = {0};
    Reduction reduction = {0};
    int64_t singular = 0;
    double rounding = 0.0;
    ReductionOptions reducing = {.strategy = REDUCTION_GRAM,
                                 .dimension_max = (int)skin->options->parameters[P_RANK]};
    Status status;
    STATUS_TRY(animation_allocate(&pulled, frames, vertices, 0));
    corrections_pull_back(skin->input, result, &pulled, &singular);
    STATUS_TRY(reduction_make(&pulled, vertices, &reducing, &reduction));
    animation_clear(&pulled);
    STATUS_TRY(low_rank_of_reduction(&reduction, &result->low_rank, &rounding));
    STATUS_TRY(corrections_settle(skin->input, result, &result->squared_error[1]));
    result->singular_systems += (int)(singular < INT32_MAX / 2 ? singular : INT32_MAX / 2);
    result->iteration_count = 1;
done:
    animation_clear(&pulled);
    reduction_clear(&reduction);
    return status;
}

static Status eigenskin_fit(const DecompositionInput *input, const DecompositionOptions *options,
                            DecompositionResult *result)
{
    Eigenskin skin = {input, options, fit_now_s(), result};
    Status status;
    STATUS_TRY(base_fit(&skin));
    if (result->end == FIT_STOPPED || !progress_report(options->progress, "corrections", 0.7)) {
        result->end = FIT_STOPPED;
        return status;
    }
    STATUS_TRY(corrections_fit(&skin));
    result->elapsed_s[1] = fit_now_s() - skin.started_s;
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
    .parameter_count = P_COUNT,
    .makes_rig = true,
    .fit = eigenskin_fit,
};
