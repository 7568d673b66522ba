/* What a decomposition method is: the one header its author reads. From an animated mesh it makes a skinning
 * model (bones, weights, rest pose) or a low-rank model. A method is a const table of the type
 * DecompositionMethod, its fit a function that
 *   1. calls decomposition_result_begin for the record of errors and times,
 *   2. fits, asking decomposition_must_end before every iteration,
 *   3. fills the result: the model, `end`, and the record,
 *   4. returns status_ok(), or a Status whose text says what failed; the caller clears the result then.
 * Solvers shared by methods stand beside this header: seeds.h, group_maps.h, skin_weights.h, skin_fit.h.
 *
 * A fit always ends, with a reason. Errors are measured by the harness; the squared errors that a method
 * keeps are its own account of its descent, which the tests hold against the harness.
 *
 * F frames, N vertices, P bones, K influences per vertex. Units are those of the input. */
#pragma once

#include "datasets/base/parameters.h"
#include "datasets/base/ranks.h"
#include "datasets/model/dataset.h"

typedef struct DecompositionMethod DecompositionMethod;

/* What fit may rely on. Nothing of it is the method's to change or release. */
typedef struct DecompositionInput {
    const Mesh *mesh;           /* N >= 1, T may be 0; values finite, indices in range */
    const Animation *animation; /* the target, positions [F][N][3]; F >= 1, values finite */
    double unit_radius;         /* of the smallest ball around the first frame, may be 0; thresholds in
                                 * units of E_RMS (FESAM section 5) are multiplied by it */
    const Ranks *ranks; /* NULL: alone. Else the mesh is whole on every rank, positions are [F][n][3] of the
                         * rank's share of the vertices, n >= 0, and so are blocks of them; every rank calls
                         * fit with equal options (progress and threads aside) and has the whole model in its
                         * result, equal to that of one rank */
} DecompositionInput;

typedef struct DecompositionOptions {
    int bones;      /* P asked for, at least 1; may be greater than N */
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
    FIT_COMPLETE,      /* the method does not iterate, or iterations no longer improve anything */
    FIT_ITERATION_CAP, /* as many iterations as were asked for */
    FIT_TIME_LIMIT,    /* the time limit was reached */
    FIT_AFTER_LIMIT,   /* it had passed before there was a first model, which was delivered anyway */
    FIT_STOPPED,       /* by the progress callback */
    FIT_EXACT          /* the error is zero to rounding */
} FitEnd;

/* "complete", "iteration-cap", "time-limit", "after-time-limit", "stopped", "exact". */
const char *fit_end_name(FitEnd end);

/* A stage of a fit whose work doubles from stage to stage: where it ended. */
typedef struct DecompositionStage {
    double squared_error; /* ||A - A'||_F^2 of the best model so far */
    double elapsed_s;     /* from the start of fit */
    int iterations;       /* made by then */
} DecompositionStage;

enum { DECOMPOSITION_STAGES_MAX = 31 };

/* Written by fit; zeroed before. What it points to is allocated by memory_array and its like, and released by
 * decomposition_result_clear. */
typedef struct DecompositionResult {
    FitEnd end;
    int bones_requested;   /* options->bones */
    int bones_delivered;   /* 1 to bones_requested; the joint_count of a rig */
    int reduced_dimension; /* d of FESAM section 3; 0: no reduction */
    /* Of rig_allocate: F frames, at most K influences, weights that sum to 1. Names, parents -1 and identity
     * rest frames are filled in after fit where there are no names. Empty for low-rank models. */
    Rig rig;
    float *rest; /* [N][3] rest pose that the rig moves, optimised or a copy; NULL without a rig */
    /* 3F rows. Empty for skinning models, but for corrections of their rest pose (dataset.h). */
    LowRank low_rank;
    int iteration_count;   /* made, 0 to what decomposition_result_begin was called with */
    double *squared_error; /* [iteration_count + 1] ||A - A'||_F^2, the initial one first */
    double *elapsed_s;     /* [iteration_count + 1] from the start of fit until each was reached */
    int stage_count;       /* 0: the method has no stages */
    DecompositionStage stages[DECOMPOSITION_STAGES_MAX];
    double reduction_s;      /* of initialization_s: the dimension reduction; 0: none */
    double clustering_s;     /* of initialization_s: the vertices into parts, one for each bone; 0: none */
    double initialization_s; /* before the first iteration */
    double sweeps_s;         /* the rest of fit */
    int passes;              /* of the reduction over positions that are not in memory */
    double read_s, waited_s; /* that reading took in these passes, and that the reduction waited for it */
    double holdout_s;        /* not fit's: carrying the model to held-out frames (holdout.h) */
    int singular_systems;    /* how often a fallback for a singular system was taken */
} DecompositionResult;

/* The row `rest-pose` of a method's parameters: decomposition_fit hands fit a mesh with that rest pose. FESAM
 * section 4.1 starts from the first frame, so preset=paper does. */
enum { REST_POSE_FILE, REST_POSE_FIRST };
extern const char *const rest_pose_choices[];
#define REST_POSE_PARAMETER(value)                                                                           \
    {                                                                                                        \
        .name = "rest-pose",                                                                                 \
        .meaning = "rest pose that the fit starts from: the data set's, or the first frame",                 \
        .type = PARAMETER_CHOICE, .default_value = (value), .choices = rest_pose_choices                     \
    }

struct DecompositionMethod {
    const char *name;            /* as in the CMakeLists.txt: lower case, digits, hyphens */
    const char *title;           /* for tables and figures */
    const char *citation;        /* authors, year, paper, section */
    const Parameter *parameters; /* rows of datasets/base/parameters.h; NULL: none */
    int rest_pose_row;           /* REST_POSE_PARAMETER's; 0: fit always has the data set's own rest pose */
    bool makes_rig;              /* false: a low-rank model */
    bool reads_blocks;           /* fit takes positions that are not in memory (animation_block) */
    bool over_ranks;             /* fit heeds input->ranks; else it is never called with more than one */
    Status (*fit)(const DecompositionInput *input, const DecompositionOptions *options,
                  DecompositionResult *result);
};

/* For fit: notes the bones asked for, and allocates the record of errors and times of up to `iterations`
 * iterations, zero to begin with. */
Status decomposition_result_begin(DecompositionResult *result, int bones, int iterations);

/* For fit, while there is no model yet: reports progress. STATUS_STOPPED if the callback asks for a stop. */
Status decomposition_ask(const DecompositionOptions *options, const char *what, double share);

/* For fit, before every iteration, `made` of which lie behind: whether it must end, and why: the time limit
 * has been reached since started_s (of clock_now_s), or the progress callback, given what is done and which
 * share of the fit is, asks for a stop. */
bool decomposition_must_end(const DecompositionOptions *options, double started_s, int made, const char *what,
                            double share, FitEnd *end);

/* For fit, after an iteration (0: the first model): its error, and the time since started_s. */
void decomposition_result_record(DecompositionResult *result, int iteration, double squared_error,
                                 double started_s);

/* For fit: what another of options->methods finds, with its defaults but for `setting` ("preset=paper"; NULL:
 * none) and the same options otherwise, as decomposition_fit has it. `caller` opens messages.
 * STATUS_UNAVAILABLE: it is not built in. */
Status decomposition_fit_other(const char *caller, const char *name, const char *setting,
                               const DecompositionInput *input, const DecompositionOptions *options,
                               DecompositionResult *result);

/* For fit, at its end: times the last iteration and all of them, and reports "done". */
void decomposition_result_finish(DecompositionResult *result, const DecompositionOptions *options,
                                 double started_s);

/* ---- For the caller of a method ---- */

/* STATUS_BAD_INPUT where mesh or animation (the rank's share of it) are empty or hold values that are not
 * finite; the message names frame and vertex. */
Status decomposition_input_check(const DecompositionInput *input);

/* Twins, vertices with one place at rest and in every frame, are one vertex for a method that makes a rig,
 * and get the same weights and rest position; the record counts each place N / W times (welding.h). */
/* Checks input and options (STATUS_BAD_INPUT, STATUS_USAGE), runs the method, and checks what it delivered: a
 * table without fit, and a result that breaks a promise above or holds a value that is not finite, are
 * STATUS_CHECK_FAILED with a message that names the method. *result is empty unless the status is OK; release
 * it with decomposition_result_clear. options->threads 0: one. */
Status decomposition_fit(const DecompositionMethod *method, const DecompositionInput *input,
                         const DecompositionOptions *options, DecompositionResult *result);
void decomposition_result_clear(DecompositionResult *result);
DEFINE_OWNED_BY(DecompositionResult, decomposition_result_clear)

/* STATUS_USAGE, in the method's name, where its table lacks name, title, citation or fit, has parameters
 * that are not in order (parameters_check), or is not named as it was registered. */
Status decomposition_method_check(const DecompositionMethod *method, const char *registered_name);

/* Returns the bytes that a player holds of the model of all frames. Every number, float or index, counts 4.
 */
size_t decomposition_size(const DecompositionResult *result, int vertex_count);
