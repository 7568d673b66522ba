/* The schedule of a fit over all vertices: sweeps that settle, trials of moved bones (reseed.h) between them,
 * and sweeps that settle again before the sweeps or the time run out. */
#pragma once

#include "methods/decomposition/coordinate-descent/alternation.h"
#include "methods/decomposition/coordinate-descent/head_start.h"
#include "methods/decomposition/coordinate-descent/reduced_model.h"
#include "methods/decomposition/coordinate-descent/rigid_bones.h"
#include "methods/decomposition/coordinate-descent/smoothing.h"
#include "methods/fitting/decomposition_method.h"
#include "methods/fitting/rig_delivery.h"
#include "methods/reduction/reduction.h"

/* What the parameters come to once the preset has filled the gaps. */
typedef struct Settings {
    ReductionOptions reduction;
    VertexUpdateOptions settling; /* the sweeps after the exploring ones */
    int explore, window;
    bool rigid;
    double leading;   /* sweeps work on the leading dimensions, the others hold this share of the error; 0: on
                         all */
    double smoothing; /* strength, in squared units of the animation; 0: none */
    bool nearest_too; /* regions of the nearest seed are tried beside grown ones */
    uint64_t start;   /* the first seed (seeds.h) */
    HeadStartOptions head_start;
} Settings;

/* A fit in the making: what was asked for, the reduced problem, and the record so far. */
typedef struct FitState {
    const DecompositionInput *input;
    const DecompositionOptions *options;
    Settings settings;
    double started_s;
    double sweep_s; /* of a sweep: at first a guess, then the last counts half, those before the rest */
    Reduction reduction;
    ReducedModel model;
    Smoothing smoothing;
    RigidBones rigid; /* where bones are */
    double *leading;  /* [N][d'] the leading dimensions the sweeps work on; NULL: all */
    double tail;      /* what the others hold of ||C||^2 */
    Alternation alternation;
    RestUnits units; /* of model.rest */
    DecompositionResult *result;
} FitState;

/* Notes squared_error, ||Tr X - C||^2, as reached after `iteration` sweeps. */
void fit_record(FitState *fit, int iteration, double squared_error);

/* The model takes up as many leading dimensions as leave the others at most a share of squared_error, ||Tr X
 * - C||^2 over all; transformations are to be solved next, and an alternation of it is to be made again. */
Status fit_choose_leading(FitState *fit, double share, double squared_error);

/* Takes up all dimensions for good; transformations are to be solved next. */
void fit_take_all_dimensions(FitState *fit);

/* Sweeps until something ends it, and says what. The errors noted are those of the best model so far, once
 * sweeps no longer explore; it is this model that the fit ends with. */
Status schedule_run(FitState *fit);
