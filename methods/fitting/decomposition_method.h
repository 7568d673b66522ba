/* Decomposition methods: from an animated mesh to a skinning model (bones and weights) or a low-rank model.
 * A fit always ends: capped, with a typed reason. Errors are measured by the harness; the squared errors a
 * method tells here are its own account of its descent, and the tests hold them against the harness.
 *
 * F frames, N vertices, P bones, K influences per vertex. */
#ifndef SKINBENCH_FITTING_DECOMPOSITION_METHOD_H
#define SKINBENCH_FITTING_DECOMPOSITION_METHOD_H

#include "datasets/base/parameters.h"
#include "datasets/base/progress.h"
#include "datasets/base/status.h"
#include "datasets/model/dataset.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct DecompositionMethod DecompositionMethod;

typedef struct DecompositionInput {
    const Mesh *mesh;           /* rest pose and faces */
    const Animation *animation; /* the target; F >= 1, N = mesh->vertex_count, every value finite */
    double unit_radius; /* radius of the smallest ball around the first frame: thresholds given in units
                         * of E_RMS (FESAM section 5) are multiplied by it */
} DecompositionInput;

typedef struct DecompositionOptions {
    int bones;                /* P asked for, at least 1 */
    int influences;           /* K, 1 to 8 */
    int iterations;           /* cap on the sweeps */
    double time_limit_s;      /* cap on the time of the whole fit; 0: none */
    int threads;              /* 0: one */
    uint64_t seed;            /* of every random choice */
    const double *parameters; /* parallel to the method's rows */
    const Progress *progress; /* may be NULL */
    /* The methods that this one may build on (eigenskin: on the one that fits its rig), closed by NULL, as
     * decomposition_registry has them; may be NULL: there are none. */
    const DecompositionMethod *const *methods;
} DecompositionOptions;

typedef enum FitEnd {
    FIT_COMPLETE,      /* the method has no sweeps, or they no longer improve anything */
    FIT_ITERATION_CAP, /* all sweeps that were asked for were made */
    FIT_TIME_LIMIT,
    FIT_STOPPED, /* the progress callback asked for it; the model so far is delivered */
    FIT_EXACT    /* the error is zero to rounding */
} FitEnd;

/* "complete", "iteration-cap", "time-limit", "stopped", "exact". */
const char *fit_end_name(FitEnd end);

typedef struct DecompositionResult {
    FitEnd end;
    int bones_requested, bones_delivered;
    int reduced_dimension; /* d of FESAM section 3; 0 where there is no reduction */
    Rig rig;          /* bones and weights (identity rest frames, parents -1); empty for low-rank models */
    float *rest;      /* [N][3] the optimised rest pose; NULL for low-rank models */
    LowRank low_rank; /* empty for skinning models, but for corrections of their rest pose (dataset.h) */
    int iteration_count;
    double *squared_error;   /* [iteration_count + 1] ||A - A'||_F^2 in units of the input, initial first */
    double *elapsed_s;       /* [iteration_count + 1] seconds since the start, when each was reached */
    double reduction_s;      /* of initialization_s: the dimension reduction; 0 where there is none */
    double initialization_s; /* reduction, clustering and first transformations */
    double sweeps_s;         /* the rest */
    double holdout_s;        /* carrying the model to held-out frames (methods/fitting/holdout.h) */
    int singular_systems;    /* how often a fallback for a singular system was taken */
} DecompositionResult;

struct DecompositionMethod {
    const char *name;
    const char *title;
    const char *citation;
    const Parameter *parameters;
    int parameter_count;
    bool makes_rig; /* false: a low-rank model */
    /* STATUS_BAD_INPUT for input it cannot fit; *result is empty then. */
    Status (*fit)(const DecompositionInput *input, const DecompositionOptions *options,
                  DecompositionResult *result);
};

/* STATUS_BAD_INPUT where mesh or animation are empty or hold values that are not finite; the message names
 * frame and vertex. */
Status decomposition_input_check(const DecompositionInput *input);

/* Checks input and options, then runs the method.
 * Release the result with decomposition_result_clear. */
Status decomposition_fit(const DecompositionMethod *method, const DecompositionInput *input,
                         const DecompositionOptions *options, DecompositionResult *result);
void decomposition_result_clear(DecompositionResult *result);

/* For methods: notes the bones asked for, and makes room for the record of errors and times of up to `sweeps`
 * sweeps, zero to begin with. decomposition_fit clears the result of a method that fails. */
Status decomposition_result_begin(DecompositionResult *result, int bones, int sweeps);

#endif
