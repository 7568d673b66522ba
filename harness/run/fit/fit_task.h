/* One fit as `skinbench fit`, suites and tables run it: with held-out frames, for a number of bones or for
 * the fewest bones that reach an error, and measured. */
#pragma once

#include "harness/records/record/record.h"
#include "methods/fitting/decomposition_method.h"
#include "methods/fitting/linear_blend.h"

/* What a user may ask of a fit, and what is taken where nothing is said. */
enum {
    FIT_BONES_MAX = 100000,
    FIT_SEARCH_BONES = 128, /* with an error to reach */
    FIT_INFLUENCES = 4,
    FIT_ITERATIONS_MAX = 1000000
};

/* Without a time limit 15 iterations, with one as many as it allows. */
int fit_iterations_default(double time_limit_s);

typedef struct FitTask {
    const char *name; /* of the data set, for messages */
    const Mesh *mesh;
    const Animation *animation;
    /* Over ranks (NULL: alone) the animation is this rank's share of the vertices. Of such a share, and of
     * positions that are not in memory, first_frame [N][3] is the first frame of all, and `name` the file
     * that each rank measures its frames of the model against. Without held-out frames, and over ranks
     * without an error. NULL: the animation is in memory. */
    const Ranks *ranks;
    float *first_frame; /* is read only */
    const DecompositionMethod *method;
    DecompositionOptions options;
    int holdout;  /* K: every K-th frame is held out (methods/fitting/holdout.h); 0: none */
    double error; /* 0: fit options.bones bones; else the fewest that reach this E_RMS on the fitted frames,
                   * options.bones at most. Iterations and time limit are then those of each fit */
    bool further; /* measure what takes longer, too (Metric.further) */
    bool keep_stopped; /* what the progress callback stops keeps its model: see fit_task_run */
} FitTask;

typedef struct FitOutcome {
    double unit_radius;
    DecompositionResult result; /* the model, of all frames */
    Metrics metrics;            /* of the fitted frames; all of them without a holdout */
    Metrics held;               /* of the held-out frames; frame_count 0: none */
    bool is_wrong;              /* the model is not what a method promises, or not finite */
    bool is_stopped;     /* the model is that of a fit that was stopped, or of a search, its best by then */
    double total_s;      /* of the fit, or of all fits of a search; measuring and held-out frames aside */
    size_t size_bytes;   /* decomposition_size of the model */
    SearchTrial *trials; /* [trial_count] in the order they were made; none without a search */
    int trial_count;
} FitOutcome;

/* Runs the task. STATUS_STOPPED: `progress` asked for a stop, with keep_stopped before there was a model.
 * STATUS_CHECK_FAILED: the model is not finite or breaks the method's contract (is_wrong), or no number of
 * bones up to the cap reaches the error; *out then holds the trials alone. A stopped search keeps the fewest
 * bones that reach the error, else the nearest. Release with fit_outcome_clear, on failure too. */
Status fit_task_run(const FitTask *task, FitOutcome *out);
void fit_outcome_clear(FitOutcome *outcome);

/* Makes a data set of the model, with the name, mesh and texts of `source`. Moves rig, rest pose and low-rank
 * model out of the outcome. Release *out with dataset_free; NULL on failure. */
Status fit_outcome_model(const Dataset *source, FitOutcome *outcome, Dataset **out);

/* Converts a squared error that a method reports, over the fitted frames, to E_RMS. */
double fit_error_of(const FitTask *task, const FitOutcome *outcome, double squared_error);
