/* A fit in the making: what was asked for, the reduced problem, and the record so far. */
#ifndef SKINBENCH_COORDINATE_DESCENT_FIT_STATE_H
#define SKINBENCH_COORDINATE_DESCENT_FIT_STATE_H

#include "methods/decomposition/coordinate-descent/alternation.h"
#include "methods/decomposition/coordinate-descent/head_start.h"
#include "methods/decomposition/coordinate-descent/reduced_model.h"
#include "methods/decomposition/coordinate-descent/rigid_bones.h"
#include "methods/decomposition/coordinate-descent/smoothing.h"
#include "methods/decomposition/coordinate-descent/weights.h"
#include "methods/fitting/decomposition_method.h"
#include "methods/fitting/rig_delivery.h"
#include "methods/reduction/reduction.h"

/* What the parameters come to once the preset has filled the gaps. */
typedef struct Settings {
    ReductionOptions reduction;
    BoneChoice choice;
    int explore, rounds, window;
    bool rest_free;
    bool rigid;
    bool leading;     /* sweeps work on the leading dimensions alone */
    double smoothing; /* strength, in squared units of the animation; 0: none */
    bool nearest_too; /* regions of the nearest seed are tried beside grown ones */
    double outlier;   /* see VertexUpdateOptions */
    HeadStartOptions head_start;
} Settings;

typedef struct FitState {
    const DecompositionInput *input;
    const DecompositionOptions *options;
    Settings settings;
    double started_s;
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

#endif
