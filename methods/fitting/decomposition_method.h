/* Interface of a decomposition method. A method makes a skinning model (bones, weights, rest pose) or a
 * low-rank model from an animated mesh. A method that fits bones and weights includes fitting.h, which has
 * this interface and the solvers.
 *
 * A method is a const table of type DecompositionMethod. Its function `fit`
 *   1. calls decomposition_result_begin, which allocates the record of errors and times,
 *   2. fits, and calls decomposition_must_end before every iteration,
 *   3. fills the result: the model, `end`, and the record,
 *   4. returns status_ok(), or a Status that says what failed; the caller then clears the result.
 * Every fit ends and gives a reason. The harness measures the error of the model itself; the squared errors
 * that a method records only show how the error fell. Tests compare both.
 *
 * F frames, N vertices, P bones, K influences per vertex. Units are those of the input. */
#pragma once

#include "datasets/base/parameters.h"
#include "datasets/base/ranks.h"
#include "datasets/model/dataset.h"

typedef struct DecompositionMethod DecompositionMethod;

/* Input of `fit`, which must not change or release any of it. */
typedef struct DecompositionInput {
    const Mesh *
        mesh; /* mesh with N >= 1 vertices, possibly without triangles; values are finite, indices in range */
    const Animation *animation; /* positions [F][N][3] to be approximated; F >= 1, values are finite */
    double unit_radius;         /* radius of the smallest ball around the first frame; may be 0. It converts
                                   thresholds in units of E_RMS (FESAM section 5) to units of the input. */
    const Ranks
        *ranks; /* NULL for a single process. Otherwise every rank has the whole mesh, and the positions
                   [F][n][3] of its part of the vertices. n may be 0, and the positions may be read in blocks.
                   Every rank calls `fit` with equal options (except progress and threads) and returns the
                   whole model, which equals the model of a single process. */
} DecompositionInput;

typedef struct DecompositionOptions {
    int bones; /* requested number P of bones, 1 to N in `fit`. A rig with N bones is made without calling
                  `fit`. */
    int influences;      /* maximum number K of influences per vertex, 1 to FIT_INFLUENCES_MAX */
    int iterations;      /* maximum number of iterations of the main loop; may be 0 */
    double time_limit_s; /* time limit of the whole fit, in seconds of clock_now_s; 0: none */
    int threads; /* number of threads of every parallel loop, at least 1 in `fit`. Results must not depend on
                    it. BLAS, LAPACK and CHOLMOD run on the calling thread. */
    uint64_t seed;            /* seed of all random choices */
    const double *parameters; /* values of the method's parameters, in their order and ranges */
    const Progress *progress; /* may be NULL. If progress_report returns false, the fit ends with FIT_STOPPED
                                 and the current model, or with STATUS_STOPPED if there is no model yet */
    /* Methods on which this method may build (eigenskin uses another method to fit its rig), as in
     * decomposition_registry; NULL-terminated. NULL if there are none. */
    const DecompositionMethod *const *methods;
    void *context; /* state of a method that is made at run time, such as an external program; else NULL */
} DecompositionOptions;

typedef enum FitEnd {
    FIT_COMPLETE,      /* the method does not iterate, or further iterations do not improve the model */
    FIT_ITERATION_CAP, /* the maximum number of iterations was made */
    FIT_TIME_LIMIT,    /* the time limit was reached */
    FIT_AFTER_LIMIT, /* the time limit passed before the first model was complete; that model is the result */
    FIT_STOPPED,     /* the progress callback asked to stop */
    FIT_EXACT        /* the error is zero up to rounding */
} FitEnd;

/* Returns the name of an end: "complete", "iteration-cap", "time-limit", "after-time-limit", "stopped" or
 * "exact". */
const char *fit_end_name(FitEnd end);

/* State of a fit at the end of a stage. Each stage does twice the work of the stage before it. */
typedef struct DecompositionStage {
    double squared_error; /* ||A - A'||_F^2 of the best model so far */
    double elapsed_s;     /* seconds since the start of `fit` */
    int iterations;       /* number of iterations so far */
} DecompositionStage;

enum { DECOMPOSITION_STAGES_MAX = 31 };

/* Result of `fit`; all zeros when `fit` is called. Its memory comes from memory_array and related
 * functions. Release with decomposition_result_clear. */
typedef struct DecompositionResult {
    FitEnd end;
    int bones_requested;   /* options->bones */
    int bones_delivered;   /* number of bones delivered, 1 to bones_requested; for a rig, its joint_count */
    int reduced_dimension; /* dimension d of the reduction (FESAM section 3); 0: no reduction */
    /* Rig made by rig_allocate with F frames, at most K influences and weights with sum 1. Missing names,
     * parents and rest frames are filled in after `fit`. Empty for low-rank models. */
    Rig rig;
    float *rest; /* [N][3] rest pose of the rig, optimised or copied; NULL without a rig */
    /* Low-rank model with 3F rows. In the result of a method that makes a rig, it corrects the rest pose
     * (dataset.h), or it is empty. */
    LowRank low_rank;
    int iteration_count; /* number of iterations made, at most the number given to decomposition_result_begin
                          */
    double *squared_error; /* [iteration_count + 1] ||A - A'||_F^2 of the initial model and after each
                              iteration */
    double *elapsed_s;     /* [iteration_count + 1] time from the start of fit until each error was reached */
    int stage_count;       /* number of stages; 0 if the method has none */
    DecompositionStage stages[DECOMPOSITION_STAGES_MAX];
    double
        reduction_s; /* time of the dimension reduction, included in initialization_s; 0 if there is none */
    double clustering_s; /* time of dividing the vertices among bones, included in initialization_s; 0 if it
                            is not done */
    double initialization_s; /* time before the first iteration */
    double sweeps_s;         /* time of `fit` after the initialisation */
    int passes;              /* number of passes of the reduction over positions that are not in memory */
    double read_s, waited_s; /* seconds spent reading in these passes, and seconds during which the reduction
                                waited for data */
    double holdout_s;     /* time of extending the model to held-out frames (holdout.h); not part of `fit` */
    int singular_systems; /* number of singular systems for which a fallback was used */
} DecompositionResult;

/* Values of the parameter `rest-pose`. decomposition_fit gives `fit` a mesh with the chosen rest pose.
 * FESAM section 4.1 starts from the first frame, and so does preset=paper. */
enum { REST_POSE_FILE, REST_POSE_FIRST };
extern const char *const rest_pose_choices[];
#define REST_POSE_PARAMETER(value)                                                                           \
    {                                                                                                        \
        .name = "rest-pose",                                                                                 \
        .meaning = "rest pose that the fit starts from: the data set's, or the first frame",                 \
        .type = PARAMETER_CHOICE, .default_value = (value), .choices = rest_pose_choices                     \
    }

struct DecompositionMethod {
    const char *name;            /* name as in CMakeLists.txt: lower-case letters, digits, hyphens */
    const char *title;           /* title in tables and figures */
    const char *citation;        /* authors, year, paper, section */
    const char *summary;         /* what the method does, in one sentence; NULL: not said */
    const Parameter *parameters; /* rows described in datasets/base/parameters.h; NULL: none */
    int rest_pose_row;  /* row of REST_POSE_PARAMETER; 0: `fit` always uses the rest pose of the data set */
    int iterations;     /* default limit of the iterations of a single fit; 0: 15 */
    bool makes_rig;     /* whether the result is a rig; otherwise it is a low-rank model */
    bool reads_blocks;  /* whether `fit` accepts positions that are not in memory (animation_block) */
    bool bounds_itself; /* Whether the result is used even if one bone for all vertices has a smaller error.
                           Set this flag if one bone never has a smaller error, or if the bones are of a
                           special kind. */
    bool over_ranks; /* whether `fit` supports several ranks; otherwise it is only called in a single process
                      */
    Status (*fit)(const DecompositionInput *input, const DecompositionOptions *options,
                  DecompositionResult *result);
};

/* Called by `fit` at its start: stores the number of bones requested, and allocates zeroed records of
 * errors and times for up to `iterations` iterations. */
Status decomposition_result_begin(DecompositionResult *result, int bones, int iterations);

/* Called by `fit` before there is a model: reports progress. Returns STATUS_STOPPED if the callback asks to
 * stop. */
Status decomposition_ask(const DecompositionOptions *options, const char *what, double share);

/* Called by `fit` before every iteration, after `made` iterations. Returns whether `fit` must end, and
 * stores the reason. The reason is that the time limit has passed since started_s (of clock_now_s), or that
 * the progress callback asks to stop. The callback receives the text `what` and the fraction of the fit
 * that is done. */
bool decomposition_must_end(const DecompositionOptions *options, double started_s, int made, const char *what,
                            double share, FitEnd *end);

/* Called by `fit` after an iteration (0 for the first model). Records the error of the iteration and the
 * time since started_s. */
void decomposition_result_record(DecompositionResult *result, int iteration, double squared_error,
                                 double started_s);

/* Called by `fit` to run another method of options->methods with the same options. Parameters have their
 * defaults except for `setting` ("preset=paper"; NULL: no exception). The result is the same as from
 * decomposition_fit. Messages begin with `caller`. Fails with STATUS_UNAVAILABLE if that method is not
 * built in. */
Status decomposition_fit_other(const char *caller, const char *name, const char *setting,
                               const DecompositionInput *input, const DecompositionOptions *options,
                               DecompositionResult *result);

/* Called by `fit` at its end: records the total time and reports "done". */
void decomposition_result_finish(DecompositionResult *result, const DecompositionOptions *options,
                                 double started_s);

/* ---- for programs that run a method ---- */

/* Returns STATUS_BAD_INPUT if the mesh or this rank's part of the animation is empty or has a value that is
 * not finite. The message names the frame and the vertex. */
Status decomposition_input_check(const DecompositionInput *input);

/* Fills positions [vertex_count][3] with a frame of all vertices, on every rank. Each rank's animation
 * holds its part of the vertices. */
Status decomposition_frame(const Ranks *ranks, const Animation *animation, int vertex_count, int frame,
                           float *positions);

/* Checks input and options (STATUS_BAD_INPUT, STATUS_USAGE), runs the method and checks its result. Fails
 * with STATUS_CHECK_FAILED, naming the method, if the table has no `fit` or the result breaks a rule above.
 * *result is empty unless the status is OK; release it with decomposition_result_clear. A thread count of 0
 * means 1.
 *
 * If a method makes a rig, vertices that are in the same place at rest and in every frame count as one
 * vertex (welding.h) and get equal weights and rest positions. Recorded errors are scaled by N / W for W
 * distinct places. */
Status decomposition_fit(const DecompositionMethod *method, const DecompositionInput *input,
                         const DecompositionOptions *options, DecompositionResult *result);
void decomposition_result_clear(DecompositionResult *result);
DEFINE_OWNED_BY(DecompositionResult, decomposition_result_clear)

/* Returns STATUS_USAGE, naming the method, if its table is faulty. The table must have a title, a citation,
 * a `fit` and valid parameters (parameters_check), and the name under which it is registered. */
Status decomposition_method_check(const DecompositionMethod *method, const char *registered_name);

/* Returns the number of bytes needed to play back the model in all frames. Every number, float or index,
 * counts as 4 bytes. */
size_t decomposition_size(const DecompositionResult *result, int vertex_count);
