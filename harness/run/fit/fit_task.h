/* One fit as run by `skinbench fit`, suites and tables: for a number of bones or for the fewest bones that
 * reach an error, with held-out frames if requested, and with its metrics. */
#pragma once

#include "harness/records/record/record.h"
#include "methods/fitting/decomposition_method.h"
#include "methods/fitting/linear_blend.h"

/* Limits and defaults of the options of a fit. */
enum {
    FIT_BONES_MAX = 100000,
    FIT_SEARCH_BONES = 128, /* maximum number of bones that a search for an error tries */
    FIT_INFLUENCES = 4,
    FIT_ITERATIONS_MAX = 1000000
};

/* Returns the default number of iterations: the method's or, with a time limit, as many as the limit
 * allows. */
int fit_iterations_default(const DecompositionMethod *method, double time_limit_s);

typedef struct FitTask {
    const char *name; /* name of the data set, for messages */
    const Mesh *mesh;
    const Animation *animation;
    /* The processes that share the fit; NULL: a single process. With several processes (ranks) the
     * animation contains only the vertices of this rank, and no error can be requested.
     *
     * first_frame [N][3] is the whole first frame. It is needed with several ranks, or if positions are
     * read from the file; otherwise it is NULL. If it is given, each rank measures its frames against the
     * file `name`, and no frames can be held out. */
    const Ranks *ranks;
    float *first_frame; /* read only */
    const DecompositionMethod *method;
    DecompositionOptions options;
    int holdout;  /* K: every K-th frame is left out of the fit (methods/fitting/holdout.h); 0: none */
    double error; /* If 0, the model gets options.bones bones. Otherwise the E_RMS that the fitted frames must
                     reach with as few bones as possible, at most options.bones. The iterations and the time
                     limit then apply to each fit of the search. */
    bool further; /* also compute slow metrics (Metric.further) */
    bool keep_stopped; /* keep the model if the progress callback stops the fit (fit_task_run) */
} FitTask;

typedef struct FitOutcome {
    double unit_radius;
    DecompositionResult result; /* the model, posed in all frames */
    Metrics metrics;            /* metrics of the fitted frames, which are all frames if none are held out */
    Metrics held;               /* metrics of the held-out frames; frame_count 0: none */
    bool is_wrong;              /* the model is not finite or breaks the method's contract */
    bool is_stopped; /* the user stopped the fit; `result` is its model, or the best model of a stopped search
                      */
    double total_s;  /* time of the fit, or of all fits of a search; excludes measuring and held-out frames */
    size_t size_bytes;   /* size of the model (decomposition_size) */
    SearchTrial *trials; /* [trial_count] in the order of the search; empty without a search */
    int trial_count;
} FitOutcome;

/* Runs the task. STATUS_STOPPED if `progress` stopped it; with keep_stopped, only if there was no model
 * yet. STATUS_CHECK_FAILED if the model is wrong (is_wrong), or if no number of bones reaches the error;
 * then *out has only the trials. A stopped search returns the model with the fewest bones that reaches the
 * error, or else the closest model. Release with fit_outcome_clear, also on failure. */
Status fit_task_run(const FitTask *task, FitOutcome *out);
void fit_outcome_clear(FitOutcome *outcome);

/* Makes a data set of the model, with the name, mesh and texts of `source`. Moves the rig, rest pose and
 * low-rank model out of the outcome. Release *out with dataset_free; it is NULL on failure. */
Status fit_outcome_model(const Dataset *source, FitOutcome *outcome, Dataset **out);

/* Converts a method's squared error over the fitted frames to E_RMS. */
double fit_error_of(const FitTask *task, const FitOutcome *outcome, double squared_error);
