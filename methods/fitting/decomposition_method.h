/* What a decomposition method is; the only header that its author needs. A method makes a skinning model
 * (bones, weights, rest pose) or a low-rank model from an animated mesh. It is a const table of type
 * DecompositionMethod. Its `fit` is a function that
 *   1. calls decomposition_result_begin for the record of errors and times,
 *   2. fits, calling decomposition_must_end before every iteration,
 *   3. fills the result: the model, `end`, and the record,
 *   4. returns status_ok(), or a Status that says what failed; the caller then clears the result.
 * Shared solvers are in this folder: seeds.h, group_maps.h, skin_weights.h, skin_fit.h.
 *
 * A fit always ends, with a reason. The harness measures the errors. The squared errors that a method
 * records only document its descent, and the tests compare them with the harness.
 *
 * F frames, N vertices, P bones, K influences per vertex. Units are those of the input. */
#pragma once

#include "datasets/base/parameters.h"
#include "datasets/base/ranks.h"
#include "datasets/model/dataset.h"

typedef struct DecompositionMethod DecompositionMethod;

/* What `fit` may rely on. The method must not change or release any of it. */
typedef struct DecompositionInput {
    const Mesh *mesh;           /* N >= 1, T may be 0; values are finite, indices in range */
    const Animation *animation; /* the target, positions [F][N][3]; F >= 1, values are finite */
    double unit_radius; /* radius of the smallest ball around the first frame, may be 0; multiply thresholds
                           in units of E_RMS (FESAM section 5) by it */
    const Ranks *ranks; /* NULL for a single process. Otherwise every rank has the whole mesh, and positions
                           [F][n][3] of its share of the vertices, n >= 0, also in blocks. Every rank calls
                           fit with equal options (except progress and threads) and returns the whole model,
                           equal to that of a single process */
} DecompositionInput;

typedef struct DecompositionOptions {
    int bones;      /* P asked for, at least 1. fit has at most N; a rig of N bones is made without it */
    int influences; /* K, 1 to FIT_INFLUENCES_MAX: slots per vertex of the rig, all of which need not be used
                     */
    int iterations; /* most iterations of fit's main loop; may be 0 */
    double time_limit_s;      /* of the whole fit, in seconds of clock_now_s; 0: none */
    int threads;              /* for num_threads() of every parallel loop; at least 1 in fit. BLAS, LAPACK and
                               * CHOLMOD run on the calling thread. Results must not depend on this number */
    uint64_t seed;            /* of every random choice */
    const double *parameters; /* parallel to the method's rows, within their ranges */
    const Progress *progress; /* may be NULL; false of progress_report: end with FIT_STOPPED and the model so
                               * far, or with STATUS_STOPPED where there is none yet */
    /* The methods that this one may build on (eigenskin: on the one that fits its rig), NULL-terminated, as
     * decomposition_registry has them; may be NULL: there are none. */
    const DecompositionMethod *const *methods;
} DecompositionOptions;

typedef enum FitEnd {
    FIT_COMPLETE,      /* the method does not iterate, or iterating no longer improves the model */
    FIT_ITERATION_CAP, /* the requested number of iterations was made */
    FIT_TIME_LIMIT,    /* the time limit was reached */
    FIT_AFTER_LIMIT,   /* the limit passed before there was a first model, which was delivered anyway */
    FIT_STOPPED,       /* the progress callback asked to stop */
    FIT_EXACT          /* the error is zero to rounding */
} FitEnd;

/* "complete", "iteration-cap", "time-limit", "after-time-limit", "stopped", "exact". */
const char *fit_end_name(FitEnd end);

/* The end of one stage of a fit whose work doubles from stage to stage. */
typedef struct DecompositionStage {
    double squared_error; /* ||A - A'||_F^2 of the best model so far */
    double elapsed_s;     /* since the start of fit */
    int iterations;       /* number of iterations so far */
} DecompositionStage;

enum { DECOMPOSITION_STAGES_MAX = 31 };

/* Filled by fit; zero on entry. Its memory comes from memory_array and related functions;
 * decomposition_result_clear releases it. */
typedef struct DecompositionResult {
    FitEnd end;
    int bones_requested;   /* options->bones */
    int bones_delivered;   /* 1 to bones_requested; joint_count of a rig */
    int reduced_dimension; /* d of FESAM section 3; 0: no reduction */
    /* Made by rig_allocate: F frames, at most K influences, weights that sum to 1. If there are no names,
     * then names, parents of -1 and identity rest frames are filled in after fit. Empty for low-rank
     * models. */
    Rig rig;
    float *rest; /* [N][3] rest pose that the rig moves, optimised or copied; NULL without a rig */
    /* 3F rows. Empty for skinning models, unless it corrects their rest pose (dataset.h). */
    LowRank low_rank;
    int iteration_count;   /* iterations made, 0 to the number given to decomposition_result_begin */
    double *squared_error; /* [iteration_count + 1] ||A - A'||_F^2, beginning with the initial model */
    double *elapsed_s;     /* [iteration_count + 1] time from the start of fit until each error was reached */
    int stage_count;       /* 0 if the method has no stages */
    DecompositionStage stages[DECOMPOSITION_STAGES_MAX];
    double reduction_s;  /* part of initialization_s: dimension reduction; 0 if there is none */
    double clustering_s; /* part of initialization_s: dividing the vertices among bones; 0 if there is none */
    double initialization_s; /* time before the first iteration */
    double sweeps_s;         /* the rest of the time of fit */
    int passes;              /* passes of the reduction over positions that are not in memory */
    double read_s,
        waited_s;         /* in these passes: time spent reading, and time that the reduction waited for it */
    double holdout_s;     /* not part of fit: extending the model to held-out frames (holdout.h) */
    int singular_systems; /* how often the fallback for a singular system was used */
} DecompositionResult;

/* The parameter `rest-pose` of a method: decomposition_fit gives fit a mesh with that rest pose. FESAM
 * section 4.1 starts from the first frame, and so does preset=paper. */
enum { REST_POSE_FILE, REST_POSE_FIRST };
extern const char *const rest_pose_choices[];
#define REST_POSE_PARAMETER(value)                                                                           \
    {                                                                                                        \
        .name = "rest-pose",                                                                                 \
        .meaning = "rest pose that the fit starts from: the data set's, or the first frame",                 \
        .type = PARAMETER_CHOICE, .default_value = (value), .choices = rest_pose_choices                     \
    }

struct DecompositionMethod {
    const char *name;            /* the name in CMakeLists.txt: lower case, digits, hyphens */
    const char *title;           /* title in tables and figures */
    const char *citation;        /* authors, year, paper, section */
    const Parameter *parameters; /* rows of datasets/base/parameters.h; NULL: none */
    int rest_pose_row;           /* REST_POSE_PARAMETER's; 0: fit always has the data set's own rest pose */
    bool makes_rig;              /* false: a low-rank model */
    bool reads_blocks;           /* fit takes positions that are not in memory (animation_block) */
    bool bounds_itself;          /* no model of fit is worse than one bone for all vertices, or bones are of a
                                  * kind of their own; else one bone that is better replaces them */
    bool over_ranks;             /* fit heeds input->ranks; else it is never called with more than one */
    Status (*fit)(const DecompositionInput *input, const DecompositionOptions *options,
                  DecompositionResult *result);
};

/* For fit: stores the number of bones requested, and allocates zeroed records of errors and times for up to
 * `iterations` iterations. */
Status decomposition_result_begin(DecompositionResult *result, int bones, int iterations);

/* For fit, before there is a model: reports progress. STATUS_STOPPED if the callback asks to stop. */
Status decomposition_ask(const DecompositionOptions *options, const char *what, double share);

/* For fit, before every iteration, after `made` iterations: returns whether it must end, and why. This is
 * the case if the time limit has passed since started_s (of clock_now_s) or the progress callback asks to
 * stop; the callback receives `what` and the share of the fit that is done. */
bool decomposition_must_end(const DecompositionOptions *options, double started_s, int made, const char *what,
                            double share, FitEnd *end);

/* For fit, after an iteration (0 is the first model): records its error and the time since started_s. */
void decomposition_result_record(DecompositionResult *result, int iteration, double squared_error,
                                 double started_s);

/* For fit: runs another of options->methods with its defaults, except for `setting` ("preset=paper"; NULL
 * for none), and otherwise the same options. The result is as from decomposition_fit. Messages begin with
 * `caller`. STATUS_UNAVAILABLE if that method is not built in. */
Status decomposition_fit_other(const char *caller, const char *name, const char *setting,
                               const DecompositionInput *input, const DecompositionOptions *options,
                               DecompositionResult *result);

/* For fit, at its end: records the total time and reports "done". */
void decomposition_result_finish(DecompositionResult *result, const DecompositionOptions *options,
                                 double started_s);

/* ---- for the caller of a method ---- */

/* Returns STATUS_BAD_INPUT if mesh or animation (this rank's share) is empty or holds a value that is not
 * finite. The message names frame and vertex. */
Status decomposition_input_check(const DecompositionInput *input);

/* Fills positions [vertex_count][3] with a frame of all vertices, on every rank; the animation is each rank's
 * share. */
Status decomposition_frame(const Ranks *ranks, const Animation *animation, int vertex_count, int frame,
                           float *positions);

/* Checks input and options (STATUS_BAD_INPUT, STATUS_USAGE), runs the method, and checks what it delivered: a
 * table without fit, and a result that breaks a promise above or holds a value that is not finite, are
 * STATUS_CHECK_FAILED with a message that names the method. *result is empty unless the status is OK; release
 * it with decomposition_result_clear. options->threads of 0 means 1.
 * Twins, which are vertices in one place at rest and in every frame, are one vertex for a method that makes a
 * rig (welding.h). They get the same weights and rest position; the record counts each place N / W times. */
Status decomposition_fit(const DecompositionMethod *method, const DecompositionInput *input,
                         const DecompositionOptions *options, DecompositionResult *result);
void decomposition_result_clear(DecompositionResult *result);
DEFINE_OWNED_BY(DecompositionResult, decomposition_result_clear)

/* Returns STATUS_USAGE, naming the method, if its table lacks name, title, citation or fit, has faulty
 * parameters (parameters_check), or has another name than it was registered with. */
Status decomposition_method_check(const DecompositionMethod *method, const char *registered_name);

/* Returns the bytes that a player needs for the model of all frames. Every number, float or index, counts
 * as 4. */
size_t decomposition_size(const DecompositionResult *result, int vertex_count);
