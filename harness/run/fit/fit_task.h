/* One fit as run by `skinbench fit`, suites and tables: with held-out frames, for a number of bones or for
 * the fewest bones that reach an error, and with its metrics. */
#pragma once

#include "harness/records/record/record.h"
#include "methods/fitting/decomposition_method.h"
#include "methods/fitting/linear_blend.h"

/* Limits and defaults of the options of a fit. */
enum {
    FIT_BONES_MAX = 100000,
    FIT_SEARCH_BONES = 128, /* most bones tried if an error is to be reached */
    FIT_INFLUENCES = 4,
    FIT_ITERATIONS_MAX = 1000000
};

/* 15 iterations without a time limit; with one, as many as it allows. */
int fit_iterations_default(double time_limit_s);

typedef struct FitTask {
    const char *name; /* name of the data set, for messages */
    const Mesh *mesh;
    const Animation *animation;
    /* Over ranks (NULL: a single process) the animation is this rank's share of the vertices.
     *
     * first_frame [N][3] is the whole first frame. It is needed for such a share and for positions that are
     * not in memory, and `name` is then the file against which each rank measures its frames. That excludes
     * held-out frames, and over ranks an error to reach. NULL: the animation is in memory. */
    const Ranks *ranks;
    float *first_frame; /* read only */
    const DecompositionMethod *method;
    DecompositionOptions options;
    int holdout;  /* K: every K-th frame is held out (methods/fitting/holdout.h); 0: none */
    double error; /* 0: fit options.bones bones. Otherwise find the fewest, up to options.bones, that reach
                     this E_RMS on the fitted frames; iterations and time limit then apply to each fit */
    bool further; /* also compute slow metrics (Metric.further) */
    bool keep_stopped; /* keep the model if the progress callback stops the fit (fit_task_run) */
} FitTask;

typedef struct FitOutcome {
    double unit_radius;
    DecompositionResult result; /* the model, with all frames */
    Metrics metrics;            /* metrics of the fitted frames; without a holdout these are all frames */
    Metrics held;               /* metrics of the held-out frames; frame_count 0: none */
    bool is_wrong;              /* the model is not finite or breaks the method's contract */
    bool is_stopped; /* the fit was stopped and this is its model, or the best model of a stopped search */
    double total_s;  /* time of the fit, or of all fits of a search, without measuring and held-out frames */
    size_t size_bytes;   /* decomposition_size of the model */
    SearchTrial *trials; /* [trial_count] in order; empty without a search */
    int trial_count;
} FitOutcome;

/* Runs the task. STATUS_STOPPED: `progress` stopped it, with keep_stopped only if there was no model yet.
 * STATUS_CHECK_FAILED: the model is wrong (is_wrong), or no number of bones reaches the error; *out then
 * has only the trials. A stopped search keeps the fewest bones that reach the error, or else the closest
 * model. Release with fit_outcome_clear, also on failure. */
Status fit_task_run(const FitTask *task, FitOutcome *out);
void fit_outcome_clear(FitOutcome *outcome);

/* Makes a data set of the model, with the name, mesh and texts of `source`. Moves the rig, rest pose and
 * low-rank model out of the outcome. Release *out with dataset_free; it is NULL on failure. */
Status fit_outcome_model(const Dataset *source, FitOutcome *outcome, Dataset **out);

/* Converts a method's squared error over the fitted frames to E_RMS. */
double fit_error_of(const FitTask *task, const FitOutcome *outcome, double squared_error);
